"""Races checked on instruction streams, before the cores run: once for all cores with the same stream, and once for all
groups of a Cube core and the Vector cores beside it with the same streams.

Whether two accesses are ordered depends on flags and barriers alone, not on the clock, so program order will do as well
as the order of execution, as long as every flag is set before it is waited for. The cores of a group take turns: each
goes on until it waits for a flag of another one. Cores of one launch mostly run the same instructions on other parts of
the tensors; what remains for each of them is GM (`hazards.gm_races`), for which the check leaves what every GM access
knew.
"""

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any

from ...dialects.records import dataclass
from ...dialects.target_types import PIPES, Target
from ..machine.memory import Array
from ..program.instruction import (
    BARRIER,
    BARRIER_ALL,
    CROSS_SET,
    CROSS_WAIT,
    GM,
    INDEX,
    LOCAL,
    SCALAR,
    SET,
    STEP,
    UNIT,
    WAIT,
)
from ..support.hazard import Finding, HazardError
from .cross_core import Crossing, connect
from .group_order import everywhere
from .races import CoreRaces, flag_text

Known = tuple[int, list[int], Array | None]
"""Of a GM access: its number on its pipe, how far the pipe knows every pipe to be complete, and which of the bytes that
it stores nothing wrote (`Written.holes`)."""
Turn = tuple[int, int, int]
"""The position of a core in its group, and from where to where in its stream."""


@dataclass(frozen=True)
class CheckedStream:
    """What each pipe's GM accesses knew, in order; a hazard that counts once the core has finished, if any."""

    gm: tuple[tuple[Known, ...], ...]
    late: HazardError | None
    found: tuple[Finding, ...] = ()

    def accesses(self) -> list[Iterator[Known]]:
        """One pass over the GM accesses of each pipe."""
        return [iter(known) for known in self.gm]


@dataclass(slots=True)
class _TileWalk:
    """A stream that is being checked: `at` is what comes next, `known` what GM accesses so far knew."""

    items: Sequence[Any]
    races: CoreRaces
    crossing: Crossing | None = None
    at: int = 0
    gm: list[list[Known]] = field(default_factory=lambda: [list[Known]() for _ in PIPES])

    def go(self) -> bool:
        """Check on, up to the end or to a flag of another core that is not up; False where a flag is waited for before
        it is set. `HazardError` on a race."""
        races, crossing, gm = self.races, self.crossing, self.gm
        execute, count, known = races.execute, races.count, races.known
        for at in range(self.at, len(self.items)):
            instruction = self.items[at]
            kind: int = instruction.kind
            if kind in (LOCAL, STEP):
                execute(instruction)
            elif kind == UNIT or instruction.unit:
                if not races.unit_flag(instruction):
                    return False
                if kind == GM:
                    fix: int = instruction.pipe
                    gm[fix].append((count[fix], known[fix].copy(), races.written.take_holes()))
            elif kind == GM:
                execute(instruction)
                pipe: int = instruction.pipe
                gm[pipe].append((count[pipe], known[pipe].copy(), races.written.take_holes()))
            elif kind == SET:
                if instruction.flag in races.raised and not races.counted:
                    return False
                races.set_flag(instruction)
            elif kind == WAIT:
                if instruction.flag not in races.raised:
                    return False
                races.wait_flag(instruction)
                if instruction.pipe == SCALAR:
                    everywhere(races)
            elif kind == BARRIER:
                races.barrier(instruction.pipe)
            elif kind == BARRIER_ALL:
                races.barrier_all()
            elif kind == CROSS_SET and crossing is not None:
                if crossing.full(instruction):
                    self.at = at
                    return True
                crossing.set(instruction, 0.0)
            elif kind == CROSS_WAIT and crossing is not None:
                if crossing.take(instruction) is None:
                    self.at = at
                    return True
                everywhere(races)
            elif kind == INDEX:  # from a tensor that the kernel does not write
                continue
            else:
                return False
        self.at = len(self.items)
        return True

    def checked(self) -> CheckedStream:
        """The stream, which is at its end."""
        found = tuple(self.races.found.values())
        return CheckedStream(tuple(map(tuple, self.gm)), late_hazard(self.races), found)


def check_stream(items: Sequence[Any], races: CoreRaces) -> CheckedStream | None:
    """Check a stream in program order; `HazardError` on a race, None where a flag is waited for before it is set."""
    walk = _TileWalk(items, races)
    return walk.checked() if walk.go() else None


@dataclass(frozen=True)
class CheckedGroup:
    """The streams of a group, the Cube core's first, and the turns of its cores in an order that its flags allow."""

    streams: tuple[CheckedStream, ...]
    turns: tuple[Turn, ...]


def check_group(members: Sequence[tuple[Sequence[Any], CoreRaces]], target: Target) -> CheckedGroup | None:
    """Check the streams of a group in program order; `HazardError` on a race, None where its cores cannot go on or a
    flag is waited for before it is set."""
    assert target.cross is not None
    crossings = [Crossing(i, i, target.cross, races, []) for i, (_, races) in enumerate(members)]
    connect([crossings])
    from .group_races import GroupRaces

    flags, meetings = [races.written.flags for _, races in members], GroupRaces(target)
    for one, crossing in zip(flags, crossings, strict=True):
        one.group = flags
        meetings.watch(crossing)
    walks = [_TileWalk(items, races, c) for (items, races), c in zip(members, crossings, strict=True)]
    turns: list[Turn] = []
    before = -1
    while len(turns) > before:
        before = len(turns)
        for position, walk in enumerate(walks):
            start = walk.at
            if not walk.go():
                return None
            if walk.at > start:
                turns.append((position, start, walk.at))
    if any(walk.at < len(walk.items) for walk in walks):
        return None
    return CheckedGroup(tuple(walk.checked() for walk in walks), tuple(turns))


def late_hazard(races: CoreRaces) -> HazardError | None:
    """What is wrong once a core has finished: bytes read that nothing wrote, a flag left up."""
    if races.written.unwritten is not None:
        return races.written.unwritten
    left = races.left_set()
    if left is None:
        return None
    key, instruction = left
    return HazardError(
        "flag-left-set",
        f"the kernel ends with flag {flag_text(key)} up",
        instructions=(instruction.site.reference(),),
    )
