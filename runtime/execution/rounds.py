"""Blocks of a launch and the cores that take them: a seat is a core of the chip, or a Cube core with the Vector cores
beside it.

There are as many seats as blocks, unless a kernel says that it runs in rounds. Then a seat takes the next block when it
is through with one. Blocks are handed out one after the other, `block_us` apart, and a core reads its arguments anew,
`head_us`, as it does at a launch.
"""

from collections.abc import Iterator, Sequence
from dataclasses import field
from heapq import heappush
from typing import TypeVar

from ...dialects.records import dataclass
from ..hazards.cross_core import Crossing, connect
from ..hazards.group_races import GroupRaces
from .core_state import Core, Launch

FREE = -2
"""In the place of the pipe that was served: a seat is free, of which the request says the number."""
_T = TypeVar("_T")


def groups_of(cores: Sequence[_T], cubes: int, beside: int) -> list[Sequence[_T]]:
    """Each Cube core (the first `cubes`) with the `beside` Vector cores beside it (the others, in order)."""
    return [(cores[i], *cores[cubes + beside * i :][:beside]) for i in range(cubes)]


def join_group(members: Sequence[Core], launch: Launch) -> None:
    """Give a Cube core and the Vector cores beside it their flags."""
    cross = launch.target.cross
    assert cross is not None
    group: list[Crossing] = []
    for position, core in enumerate(members):
        core.crossing = Crossing(core.index, position, cross, core.races, launch.requests)
        group.append(core.crossing)
    memories = [core.memory for core in members if core.memory is not None]
    flags = [core.races.written.flags for core in members if core.races is not None]
    trackers = [core.tracker for core in members if core.tracker is not None]
    for memory in memories:
        memory.group = memories
    for tracker in trackers:
        tracker.activity = trackers[0].activity
        tracker.shadow.join([one.shadow for one in trackers])
    for one in flags:
        one.group = flags
    if launch.gm_races is not None:
        launch.gm_races.join([one.index for one in group])
    connect([group])
    races = GroupRaces(launch.target)
    for crossing in group:
        races.watch(crossing)


@dataclass(slots=True)
class Rounds:
    """The groups of a launch, in the order of their blocks, on so many `seats`."""

    groups: Sequence[Sequence[Core]]
    seats: int
    begun: int = 0
    handed: float = 0.0
    """When the last block was handed out, in cycles."""
    left: dict[int, int] = field(default_factory=dict[int, int])
    """By seat, how many of its cores are at work."""
    places: dict[int, int] = field(default_factory=dict[int, int])
    """The seat of each core, by its number."""
    sitting: dict[int, Sequence[Core]] = field(default_factory=dict[int, Sequence[Core]])

    def start(self, launch: Launch) -> Iterator[int]:
        """Begin with the first blocks: the numbers of their cores, in order."""
        self.handed = launch.start
        first = [core for seat in range(self.seats) for core in self._sit(seat, launch.start, launch)]
        return iter(sorted(core.index for core in first))

    def end(self, core: Core, launch: Launch) -> None:
        """A core is through with its block."""
        seat = self.places[core.index]
        self.left[seat] -= 1
        if not self.left[seat] and self.begun < len(self.groups):
            heappush(launch.requests, (max(one.end for one in self.sitting[seat]), seat, FREE))

    def follow(self, seat: int, time: float, launch: Launch) -> Iterator[int]:
        """A seat that is free takes the next block, if there is one: the numbers of its cores."""
        if self.begun == len(self.groups):
            return iter(())
        target, before = launch.target, self.sitting[seat]
        self.handed = max(time, self.handed + target.block_us * target.clock_mhz)
        group = self._sit(seat, self.handed + target.head_us * target.clock_mhz, launch)
        for old, new in zip(before, group, strict=True):
            new.ports = old.ports
            if new.ports is not None:
                new.ports.index = new.index
        return iter([core.index for core in group])

    def waits(self, core: Core) -> bool:
        """Whether a core has not begun."""
        return core.index not in self.places

    def _sit(self, seat: int, time: float, launch: Launch) -> Sequence[Core]:
        group = self.sitting[seat] = self.groups[self.begun]
        self.begun += 1
        self.left[seat] = len(group)
        for position, core in enumerate(group):
            self.places[core.index] = seat
            core.begin = time
            if core.enter is not None:
                core.enter(seat, position)
        if len(group) > 1:
            join_group(group, launch)
        return group
