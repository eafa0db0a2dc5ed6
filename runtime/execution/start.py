"""How the cores of a launch start: with their races checked before they run, where that can be."""

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress

from ...dialects.records import dataclass
from ..decode.resolve import Resolver
from ..hazards.gm_races import sharing
from ..hazards.races import AccessTable, CoreRaces
from ..hazards.stream_races import CheckedGroup, CheckedStream, check_group, check_stream
from ..machine.memory import Bytes, CoreMemory
from ..poison.shadow import Origins, Tracker
from ..program.kernel_program import KernelProgram, Stream
from ..program.storage import Storage
from ..program.streams import CoreStream, Passing, StreamPlan, Streams
from ..support.hazard import HazardError
from .core_pool import CoreSet
from .core_state import Core
from .index_reads import Read, number_reader
from .program_order import OrderedCore, OrderedGroup
from .rounds import groups_of

Checks = dict[tuple[StreamPlan, ...], CheckedGroup | None]
"""By what each core of a group runs; None where its cores have to run for that."""


def _none() -> None:
    """No memory: only time runs."""


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
    tensors: Sequence[Bytes]
    sizes: Sequence[int]
    """Bytes of the arguments, and how many they are."""
    values: bool
    streams: Streams
    """Those of the kernel that are known."""
    checks: Checks
    """What checks have found so far of groups whose first program this is."""

    def items(self, place: int, memory: Callable[[], CoreMemory | None] = _none) -> Stream:
        """What the core at a place runs, as it comes; `memory` is that of the core, where values are computed."""
        take = number_reader(self.program, self.tensors, self.sizes, memory)
        return self.program.start(
            self.blocks[place], self.numbers, self.resolver.gets, self.resolver.new, self.read, take
        )

    def stream(self, place: int) -> CoreStream:
        """What the core at a place runs; `HazardError` where it ends in one."""
        block = self.blocks[place]
        found = self.streams.get(block, self.numbers)
        if found is None:
            found = self.streams.add(self.program, block, self.numbers, self.items(place))
        return found

    def races(self, place: int, group: int) -> CoreRaces:
        """The races of the core at a place, in a group of so many."""
        return CoreRaces(self.table, self.kept.written(place, self.program), group, self.resolver.counted)

    def _core(self, place: int) -> Core:
        """A core that is given what it works on when it begins."""
        program = self.program
        core = Core(
            self.first + place, program.name, Passing(iter(())), None, None, decoding=program.decoding
        )
        core.stream = Passing(self.items(place, lambda: core.memory))
        return core

    def _place(self, seat: int, position: int) -> int:
        """That of the core at a position of its group."""
        return seat if not position else self.resolver.target.vectors_beside * seat + position - 1

    def unchecked(self, place: int) -> Core:
        """A core on which no hazards are looked for."""
        core = self._core(place)
        if not self.program.steered:
            with suppress(HazardError):  # it comes where the core does
                core.stream = self.stream(place)

        def enter(seat: int, position: int) -> None:
            core.memory = self.kept.memory(self._place(seat, position), True)

        core.enter = enter if self.values else None
        return core

    def watched(self, place: int, group: int, tensors: Sequence[Storage], origins: Origins) -> Core:
        """A core on which they are looked for while it runs."""
        core = self._core(place)

        def enter(seat: int, position: int) -> None:
            at = self._place(seat, position)
            memory = core.memory = self.kept.memory(at, False)
            core.tracker = Tracker(self.kept.shadow(at), memory, tensors, origins)
            core.races = self.races(at, group)

        core.enter = enter
        return core

    def checked(self, place: int, stream: CoreStream, found: CheckedStream) -> Core:
        """A core whose races were checked; its values are computed later."""
        return Core(self.first + place, self.program.name, stream, None, None, found)


@dataclass(slots=True)
class _Member:
    """A core of a group: its program, its place among the cores of that, and its stream, if that could be made."""

    starting: Starting
    place: int
    stream: CoreStream | None = None


def launch_key(
    programs: Sequence[tuple[KernelProgram, Resolver]],
    numbers: Sequence[int],
    order: Sequence[int] | None,
    arguments: Sequence[Storage],
) -> Hashable:
    """The same for launches whose accesses to GM are the same ones, whatever the data: `numbers` and `order` as those
    of the launch. None where indices in tensors decide what is accessed."""
    if not all(program.fixed for program, _ in programs):
        return None
    kernels = tuple([(resolver, program.cores) for program, resolver in programs])
    return kernels, tuple(numbers), None if order is None else tuple(order), sharing(arguments)


def start_cores(
    programs: Sequence[Starting], tensors: Sequence[Storage], origins: Origins
) -> tuple[list[Core], list[OrderedGroup]]:
    """The cores of one launch in order, and those of them whose values are computed once the clock has run.

    Races are checked here, once for all groups with the same instructions, whatever launch they are of; where that
    cannot be, because a flag is waited for before it is set, or what is computed decides what runs, while the cores
    run.
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
                cores.append(one.starting.watched(one.place, len(group), tensors, origins))
            continue
        seats: list[OrderedCore] = []
        places = dict.fromkeys((one.starting.first for one in group), 0)
        for one, checked in zip(group, check.streams, strict=True):
            start, stream = one.starting, one.stream
            assert stream is not None
            cores.append(start.checked(one.place, stream, checked))
            place = places[start.first]
            places[start.first] += 1
            seats.append(OrderedCore(start.kept, place, start.program.decoding, stream, checked))
        ordered.append(OrderedGroup(tuple(seats), check.turns))
    return sorted(cores, key=lambda core: core.index), ordered


def _check_alone(member: _Member) -> CheckedGroup | None:
    """Check a core that has no others beside it; `HazardError` on a race, None where it has to run for that."""
    start = member.starting
    checks = start.checks
    if start.program.steered:
        return None
    try:
        stream = member.stream = start.stream(member.place)
        same, instructions = (stream.plan,), stream.plan.instructions
        if same not in checks:
            checked = check_stream(instructions, start.races(0, 1))
            turns = ((0, 0, len(instructions)),)
            checks[same] = None if checked is None else CheckedGroup((checked,), turns)
    except HazardError as error:
        raise error.located(start.program.name, start.first + member.place) from None
    return checks[same]


def _check_together(group: Sequence[_Member]) -> CheckedGroup | None:
    """Check a Cube core and the Vector cores beside it; None where they have to run for that. What is wrong is told as
    they run, too: in what order things happened."""
    if any(one.starting.program.steered for one in group):
        return None
    try:
        streams = [one.starting.stream(one.place) for one in group]
    except HazardError:
        return None
    checks = group[0].starting.checks
    same = tuple(stream.plan for stream in streams)
    for one, stream in zip(group, streams, strict=True):
        one.stream = stream
    if same not in checks:
        size, target = len(group), group[0].starting.resolver.target
        races = [one.starting.races(max(i - 1, 0), size) for i, one in enumerate(group)]
        try:
            instructions = [stream.plan.instructions for stream in streams]
            checks[same] = check_group(list(zip(instructions, races, strict=True)), target)
        except HazardError:
            checks[same] = None
    return checks[same]
