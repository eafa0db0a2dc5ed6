"""How the cores of a launch start: with their races checked before they run, where that can be."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..decode.resolve import Resolver
from ..hazards.races import AccessTable, CoreRaces
from ..hazards.stream_races import CheckedGroup, CheckedStream, Items, check_group, check_stream, signature
from ..poison.shadow import Origins, Tracker
from ..program.kernel_program import KernelProgram, Stream
from ..program.storage import Storage
from ..support.hazard import HazardError
from .core import Core
from .core_pool import CoreSet
from .index_reads import Read
from .launch import groups_of
from .program_order import OrderedCore, OrderedGroup

Checks = dict[tuple[tuple[Resolver, tuple[int, ...]], ...], CheckedGroup | None]
"""By what each core of a group runs; None where its cores have to run for that."""


@dataclass(frozen=True)
class Starting:
    """A program of a launch: the block index of each of its cores, the number of the first of them, the memories of
    their kind, what gives the indices that they take from tensors, and what they take beside tensors."""

    program: KernelProgram
    resolver: Resolver
    table: AccessTable
    blocks: Sequence[int]
    first: int
    kept: CoreSet
    read: Read
    numbers: Sequence[int]
    checks: Checks
    """What checks have found so far of groups whose first program this is."""

    def stream(self, place: int) -> Stream:
        """What the core at a place runs."""
        return self.program.start(
            self.blocks[place], self.numbers, self.resolver.gets, self.resolver.new, self.read
        )

    def races(self, place: int, group: int) -> CoreRaces:
        """The races of the core at a place, in a group of so many."""
        return CoreRaces(self.table, self.kept.written(place, self.program), group)

    def unchecked(self, place: int, values: bool) -> Core:
        """A core on which no hazards are looked for."""
        memory = self.kept.memory(place, True) if values else None
        program = self.program
        return Core(
            self.first + place, program.name, self.stream(place), memory, None, decoding=program.decoding
        )

    def watched(
        self, place: int, stream: Stream, group: int, tensors: Sequence[Storage], origins: Origins
    ) -> Core:
        """A core on which they are looked for while it runs."""
        memory = self.kept.memory(place, False)
        tracker = Tracker(self.kept.shadow(place), memory, tensors, origins)
        races, name = self.races(place, group), self.program.name
        decoding = self.program.decoding
        return Core(self.first + place, name, stream, memory, races, tracker=tracker, decoding=decoding)

    def checked(self, place: int, items: Items, found: CheckedStream) -> Core:
        """A core whose races were checked; its values are computed later."""
        return Core(self.first + place, self.program.name, iter(items), None, None, found)


@dataclass(slots=True)
class _Member:
    """A core of a group: its program, its place among the cores of that, and its stream, if that could be made."""

    starting: Starting
    place: int
    items: Items | None = None


def start_cores(
    programs: Sequence[Starting], tensors: Sequence[Storage], origins: Origins
) -> tuple[list[Core], list[OrderedGroup]]:
    """The cores of one launch in order, and those of them whose values are computed once the clock has run.

    Races are checked here, once for all groups with the same instructions, whatever launch they are of; where that
    cannot be, because a flag is waited for before it is set, while the cores run.
    """
    for one in programs:
        one.table.cores.clear()
    members = [_Member(one, place) for one in programs for place in range(len(one.blocks))]
    paired = len(programs) > 1
    groups: list[Sequence[_Member]] = [[member] for member in members]
    if paired:
        groups = groups_of(members, len(programs[0].blocks), programs[0].resolver.target.vectors_beside)
    found = [_check_together(group) if paired else _check_alone(group[0]) for group in groups]
    cores: list[Core] = []
    ordered: list[OrderedGroup] = []
    for group, check in zip(groups, found, strict=True):
        if check is None:
            for one in group:
                start, items = one.starting, one.items
                stream = start.stream(one.place) if items is None else iter(items)
                cores.append(start.watched(one.place, stream, len(group), tensors, origins))
            continue
        seats: list[OrderedCore] = []
        places = dict.fromkeys((one.starting.first for one in group), 0)
        for one, stream in zip(group, check.streams, strict=True):
            start, items = one.starting, one.items
            assert items is not None
            cores.append(start.checked(one.place, items, stream))
            place = places[start.first]
            places[start.first] += 1
            seats.append(OrderedCore(start.kept, place, start.program.decoding, items, stream))
        ordered.append(OrderedGroup(tuple(seats), check.turns))
    return sorted(cores, key=lambda core: core.index), ordered


def _check_alone(member: _Member) -> CheckedGroup | None:
    """Check a core that has no others beside it; `HazardError` on a race, None where it has to run for that."""
    start = member.starting
    checks = start.checks
    try:
        items = member.items = list(start.stream(member.place))
        same = ((start.resolver, signature(items)),)
        if same not in checks:
            stream = check_stream(items, start.races(0, 1))
            turns = ((0, 0, len(items)),)
            checks[same] = None if stream is None else CheckedGroup((stream,), turns)
    except HazardError as error:
        raise error.located(start.program.name, start.first + member.place) from None
    return checks[same]


def _check_together(group: Sequence[_Member]) -> CheckedGroup | None:
    """Check a Cube core and the Vector cores beside it; None where they have to run for that. What is wrong is told as
    they run, too: in what order things happened."""
    try:
        streams = [list(one.starting.stream(one.place)) for one in group]
    except HazardError:
        return None
    checks = group[0].starting.checks
    same = tuple((one.starting.resolver, signature(i)) for one, i in zip(group, streams, strict=True))
    for one, items in zip(group, streams, strict=True):
        one.items = items
    if same not in checks:
        size, target = len(group), group[0].starting.resolver.target
        races = [one.starting.races(max(i - 1, 0), size) for i, one in enumerate(group)]
        try:
            checks[same] = check_group(list(zip(streams, races, strict=True)), target)
        except HazardError:
            checks[same] = None
    return checks[same]
