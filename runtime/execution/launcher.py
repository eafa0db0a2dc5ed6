"""Launches of kernels: what they run is decoded once, their clock runs once for all that take the same time, and their
values are computed behind it where races were checked before.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from ...dialects.ascend import KernelOp, LaunchOp
from ...dialects.dynamic import is_dynamic
from ...dialects.locations import places_of
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ..decode.decode import decode
from ..decode.resolve import Resolver
from ..hazards.gm_races import GmRaces
from ..hazards.races import AccessTable
from ..profile.profile import KernelProfile, TensorProfile
from ..program.instruction import Trip
from ..program.kernel_program import KernelProgram, check_peaks
from ..program.storage import Storage
from ..program.streams import CoreStream, Streams, count_executed
from ..support.hazard import ProgramError
from .core_pool import CorePool
from .core_state import Core, Launch, TraceEvent
from .fitting import check_kernel, check_together
from .index_reads import index_reader
from .launch import join_ports, run_cores, trace_groups
from .measure import Launched, kernel_profile
from .program_order import OrderedGroup, compute_values
from .recorder import Recorder
from .repeats import Before, Timed
from .rounds import Rounds, groups_of
from .run_state import LaunchTrace, RunState
from .start import Checks, Starting, launch_key, start_cores
from .work import PipeWork, instruction_work, start_counting


@dataclass(slots=True)
class Kernel:
    """A decoded kernel with what its launches share."""

    program: KernelProgram
    resolver: Resolver
    races: AccessTable
    writes: frozenset[int]  # arguments that it writes
    streams: Streams
    checks: Checks = field(default_factory=dict[Any, Any])


@dataclass(frozen=True, slots=True)
class _Call:
    """A launch about to run: its kernels, the numbers that they take, its tensors, and what is the same for launches
    whose accesses are (`launch_key`)."""

    op: LaunchOp
    kernels: Sequence[Kernel]
    numbers: Sequence[int]
    arguments: Sequence[Storage]
    same: Hashable

    @property
    def programs(self) -> list[KernelProgram]:
        return [kernel.program for kernel in self.kernels]

    @property
    def writes(self) -> frozenset[int]:
        """The arguments that it writes."""
        return frozenset[int]().union(*(kernel.writes for kernel in self.kernels))

    @property
    def groups(self) -> int:
        """How many groups of cores it has: Cube cores with those beside them, or cores alone."""
        return self.kernels[0].program.cores


_Pairs = tuple[tuple[int, int], ...]


class Launcher:
    """Launches the kernels of a module. They are decoded at their first launch and kept."""

    def __init__(self, kernel_ops: Mapping[str, KernelOp], target: Target):
        self.target = target
        self.kernel_ops = kernel_ops
        self.kernels: dict[tuple[str, _Pairs, _Pairs, bool], Kernel] = {}
        self.cores = CorePool(kernel_ops.values())
        self._fitting: set[LaunchOp] = set()
        """Launches of kernels without dynamic tensors that fit their tensors, the chip and each other."""
        self._in_order: set[Hashable] = set()
        """Launches whose accesses to GM were checked and found in order."""
        self._works: dict[Hashable, list[list[PipeWork]]] = {}
        """By launches that do the same, what their instructions always take."""

    def kernel(
        self, name: str, addresses: Mapping[int, int], sizes: Mapping[int, int], counted: bool = False
    ) -> Kernel:
        """The decoded kernel `name`; `addresses`: where the arguments that are buffers of the group start; `sizes`:
        bytes of those that are dynamic tensors; `counted`: its flags count."""
        key = name, tuple(addresses.items()), tuple(sizes.items()), counted
        found = self.kernels.get(key)
        if found is None:
            trip = Trip(self.target.scalar.loop) if self.target.scalar.loop else None
            program = decode(self.kernel_ops[name], addresses, sizes, trip=trip)
            check_peaks(program, self.kernel_ops[name], self.target)
            writes = {site.operands[site.gm].argument for site in program.sites if site.stores}
            found = Kernel(
                program, Resolver(program, self.target, counted), AccessTable(self.target, program.scalar),
                frozenset(writes), Streams(self.target),
            )  # fmt: skip
            self.kernels[key] = found
        return found

    def launch(self, op: LaunchOp, state: RunState) -> None:
        """Run a launch in the state of a function: its tensors, L2 and HBM, and what has been measured change."""
        call = self._call(op, state)
        target, arguments = self.target, call.arguments
        watching = bool(state.hazards and call.writes and call.same not in self._in_order)
        if state.hazards:
            state.lives.launch(op, arguments, call.writes)
        state.system.begin_launch()
        for argument in arguments:
            argument.enter_launch(target.memory.miss_latency)
        situation = None
        if not state.traced_cores:
            situation = state.repeats.situation(op, call.same, arguments, state.system, state.now)
        timed = None if watching or situation is None else state.repeats.known.get(situation)
        cores, ordered = self._cores(call, state) if timed is None or state.hazards else ((), ())
        checked = len(ordered) == call.groups
        if timed is None:
            timed = self._clock(call, cores, state, watching, arguments if situation is not None else ())
            if situation is not None and (checked or not state.values) and call.same in self._works:
                state.repeats.known[situation] = timed
            if watching and call.same is not None and checked:
                self._in_order.add(call.same)
            end = timed.end
        else:
            timed.repeat(arguments, state.system, state.now)
            end = state.now + timed.end - timed.start
        if timed.usage is not None:
            state.usages.append((state.now, timed.usage))
        compute_values(ordered, arguments, state.origins)
        state.find(cores)
        profile = self._profile(call, timed)
        state.kernels.append(profile)
        state.now = end + profile.launch_us * target.clock_mhz

    def _call(self, op: LaunchOp, state: RunState) -> _Call:
        arguments = [state.tensors[v] for v in op.arguments]
        met = state.group_buffers
        addresses = {i: met[value] for i, value in enumerate(op.arguments) if value in met}
        blocks = None if op.blocks is None else state.host.values[op.blocks]
        kernels = self._launched(op, state, addresses, blocks)
        numbers = state.host.numbers(op.numbers)
        programs = [(k.program, k.resolver) for k in kernels]
        same = launch_key(programs, numbers, state.block_order, arguments)
        return _Call(op, kernels, numbers, arguments, same)

    def _launched(
        self, op: LaunchOp, state: RunState, addresses: Mapping[int, int], blocks: int | None
    ) -> list[Kernel]:
        """The kernels that run together, checked against the chip, their tensors and each other. `blocks`: how many
        cores of the first one; None: all."""
        target, arguments = self.target, [state.tensors[v] for v in op.arguments]
        kernels: list[Kernel] = []
        changing = blocks is not None
        for name in op.kernels:
            if name not in self.kernel_ops:
                raise ProgramError(f"launch of @{name}, which the module does not define", op)
            taken = zip(self.kernel_ops[name].tensors, arguments, strict=False)
            dynamic = {a.index: storage.size for a, storage in taken if is_dynamic(a.type)}
            kernel = self.kernel(name, addresses, dynamic, state.counted)
            if blocks is not None:
                kernel = replace(kernel, program=replace(kernel.program, cores=blocks))
                blocks *= target.vectors_beside
            changing = changing or bool(dynamic)
            if op not in self._fitting:
                check_kernel(op, kernel.program, arguments, dynamic, target, self.kernel_ops[name])
            kernels.append(kernel)
        if op not in self._fitting:
            check_together(op, [kernel.program for kernel in kernels], target)
        if not changing:
            self._fitting.add(op)
        return kernels

    def _cores(self, call: _Call, state: RunState) -> tuple[list[Core], list[OrderedGroup]]:
        """The cores of a launch: those of the first kernel, then those of the one beside it; and which of them have
        their values computed later."""
        paired = len(call.kernels) > 1
        tensors = call.arguments
        programs: list[Starting] = []
        first = 0
        for kernel in call.kernels:
            program = kernel.program
            order = (None if paired else state.block_order) or range(program.cores)
            data, sizes = [t.data for t in tensors], [t.size for t in tensors]
            read = index_reader(program, data, sizes)
            kept = self.cores.of(program)
            programs.append(
                Starting(
                    program, kernel.resolver, kernel.races, order, first, kept, read, call.numbers, data, sizes,
                    state.values, kernel.streams, kernel.checks,
                )
            )  # fmt: skip
            first += program.cores
        if state.hazards:
            return start_cores(programs, tensors, state.origins)
        return [one.unchecked(i) for one in programs for i in range(len(one.blocks))], []

    def _clock(
        self,
        call: _Call,
        cores: Sequence[Core],
        state: RunState,
        watching: bool,
        kept: Sequence[Storage],
    ) -> Timed:
        """Run the clock of the cores. `watching`: whether their accesses to GM are checked; `kept`: the arguments of a
        launch that may be repeated."""
        target, system, programs = self.target, state.system, call.programs
        races = GmRaces(call.arguments, call.writes, bytewise=target.dma.unaligned) if watching else None
        recorder = Recorder() if state.recorded else None
        events: list[TraceEvent] | None = [] if state.traced_cores or recorder else None
        launch = Launch(
            target,
            programs[0].name,
            state.now,
            system,
            call.arguments,
            races,
            events=events,
            counted=state.counted,
            recorder=recorder,
        )
        groups = groups_of(cores, call.groups, target.vectors_beside if len(programs) > 1 else 0)
        seats = min(len(groups), target.cores_of(programs[0].kind))
        join_ports(groups[:seats], programs, launch)
        traced = trace_groups(cores, programs, target.vectors_beside, state.traced_cores)
        for core in cores if recorder is not None else ():
            core.traced = True
        before = Before.of(system, state.now, kept)
        works = self._works.get(call.same)
        if works is None:
            start_counting(i for k in call.kernels for i in k.resolver.instructions)
        run_cores(cores, Rounds(groups, seats), launch)
        if works is None:
            works = self._counted(call.kernels, cores)
            if call.same is not None and all(isinstance(core.stream, CoreStream) for core in cores):
                self._works[call.same] = works
        if events is not None and state.traced_cores:
            shown = events if recorder is None else [one for one in events if one.core in traced]
            state.trace.append(LaunchTrace(launch.kernel, state.now, traced, shown))
        timed = before.timed(cores, works, system, kept)
        return timed if recorder is None else replace(timed, usage=recorder.usage(launch, cores))

    def _counted(self, kernels: Sequence[Kernel], cores: Sequence[Core]) -> list[list[PipeWork]]:
        """What the instructions of each kernel took that its cores have run."""
        count_executed(core.stream for core in cores)
        memory = self.target.memory
        listed = [kernel.resolver.instructions for kernel in kernels]
        return [instruction_work(each, memory.l2_line, memory.sector) for each in listed]

    def _profile(self, call: _Call, timed: Timed) -> KernelProfile:
        """What the launch has shown that took this time."""
        distinct = {a.number: a for a in call.arguments}.values()
        first = call.groups
        launched = Launched(
            call.programs,
            start=timed.start,
            end=timed.end,
            tensors=[TensorProfile.of(storage) for storage in distinct],
            sources=tuple(dict.fromkeys(map(str, places_of(call.op.location)))),
            traffic=timed.traffic,
            hbm_left=timed.behind,
            cores=[timed.cores[:first], timed.cores[first:]][: len(call.kernels)],
            works=timed.works,
        )
        parts = tuple(part.number for part in call.op.parts)
        return replace(kernel_profile(self.target, launched), parts=parts)
