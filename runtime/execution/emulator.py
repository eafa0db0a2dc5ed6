"""Runs a module at the `ascend` level: values, time and hazards in one pass, or time alone.

    emulator = Emulator(module, load_target("ascend910b"))
    result = emulator.run("main", {"x": x, "w": w})
    result.outputs, result.profile

The main function allocates tensors in GM, launches kernels one after the other and returns tensors. Its
arguments are the user's (`ascend.name`) or results of `@main.prepare` (`ascend.prepared = i`).
"""

from collections.abc import Collection, Hashable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp

from ...dialects.ascend import GmAllocOp, GroupBufferOp, KernelOp, LaunchOp, ViewTensorOp
from ...dialects.dynamic import is_dynamic
from ...dialects.index_functions import is_helper
from ...dialects.locations import places_of
from ...dialects.target import load_target
from ...dialects.target_types import Target
from ..decode.decode import decode
from ..decode.resolve import Resolver
from ..hazards.gm_races import GmRaces
from ..hazards.races import AccessTable
from ..machine.memory import Array
from ..profile.profile import Profile, TensorProfile
from ..program.kernel_program import KernelProgram, check_peaks
from ..program.storage import Storage
from ..program.streams import CoreStream, Streams, count_executed
from ..program.workspace import footprint, offset_of, rows_of, workspace_of
from ..support.collector import seldom_collecting
from ..support.hazard import ProgramError
from ..support.progress import Progress, watched
from ..values.blas import single_thread
from .core_pool import CorePool
from .core_state import Core, Launch, TraceEvent
from .fitting import check_kernel, check_together
from .host import check_size, size_of_inputs
from .index_reads import index_reader
from .launch import join_groups, join_ports, run_cores, trace_groups
from .measure import kernel_profile, total
from .prepare import named_arguments, pick, run_prepare
from .program_order import OrderedGroup, compute_values
from .results import check_results
from .run_state import LaunchTrace, LaunchWatch, RunState
from .start import Checks, Starting, launch_key, start_cores
from .work import PipeWork, instruction_work, start_counting


@dataclass(frozen=True)
class RunResult:
    """Outputs in the order that the function returns them (none when only time ran), and the profile."""

    outputs: Sequence[Array]
    profile: Profile
    trace: Sequence[LaunchTrace] = ()
    prepared: Sequence[Array] = ()


@dataclass(slots=True)
class _Kernel:
    """A decoded kernel with what its launches share."""

    program: KernelProgram
    resolver: Resolver
    races: AccessTable
    writes: frozenset[int]  # arguments that it writes
    streams: Streams
    checks: Checks = field(default_factory=dict[Any, Any])


_Pairs = tuple[tuple[int, int], ...]


class Emulator:
    """An `ascend` module on a target. Kernels are decoded at their first launch and kept."""

    def __init__(
        self, module: ModuleOp, target: Target | str, fusable: Collection[tuple[int, int]] | None = None
    ):
        self.target = load_target(target) if isinstance(target, str) else target
        self.fusable = fusable
        """Pairs of launches that advice may tell to fuse; None: all that hand each other a tensor."""
        self.functions: dict[str, FuncOp] = {}
        self.kernel_ops: dict[str, KernelOp] = {}
        for op in module.body.block.ops:
            if isinstance(op, FuncOp):
                self.functions[op.sym_name.data] = op
            elif isinstance(op, KernelOp):
                self.kernel_ops[op.sym_name.data] = op
        self._kernels: dict[tuple[str, _Pairs, _Pairs], _Kernel] = {}
        self._checked: set[LaunchOp] = set()
        """Launches of kernels without dynamic tensors that fit their tensors, the chip and each other."""
        self._in_order: set[Hashable] = set()
        """Launches whose accesses to GM were checked and found in order."""
        self._works: dict[Hashable, list[list[PipeWork]]] = {}
        """By launches that do the same, what their instructions always take."""
        self._cores_by_kind = CorePool(self.kernel_ops.values())

    def main(self, name: str | None = None) -> FuncOp:
        """The function called `name`, or the only one that is no prepare function."""
        mains = {n: f for n, f in self.functions.items() if not is_helper(n)}
        if name is None:
            if len(mains) != 1:
                raise ProgramError(
                    f"the module has {len(mains)} functions to run: {', '.join(mains) or 'none'}"
                )
            return next(iter(mains.values()))
        if name not in self.functions:
            raise ProgramError(f"no function @{name}; the module has {', '.join(mains) or 'none'}")
        return self.functions[name]

    def input_names(self, name: str | None = None) -> list[str]:
        """Names of the user's inputs: those of the function, then those that only its prepare needs."""
        main = self.main(name)
        names = [n for n, prepared in named_arguments(main) if prepared is None]
        prepare = self.functions.get(f"{main.sym_name.data}.prepare")
        if prepare is not None:
            names += [n for n, _ in named_arguments(prepare) if n not in names]
        return names

    def prepare(self, name: str | None, inputs: Mapping[str, Any]) -> list[Array]:
        """Run the function's prepare, if it has one; its results may be given to `run` again and again."""
        main = self.main(name)
        function = self.functions.get(f"{main.sym_name.data}.prepare")
        if function is None:
            return []
        label = function.sym_name.data
        arguments = [pick(inputs, n, label) for n, _ in named_arguments(function)]
        return run_prepare(function, arguments, self.target.overflow)

    def run(
        self,
        name: str | None = None,
        inputs: Mapping[str, Any] | Sequence[Any] = (),
        *,
        values: bool = True,
        hazards: bool = True,
        prepared: Sequence[Array] | None = None,
        traced_cores: int = 0,
        block_order: Sequence[int] | None = None,
        size: int | None = None,
        watch: LaunchWatch | None = None,
    ) -> RunResult:
        """Run function `name` (or the only one).

        `inputs` by name, or in the order of `input_names`. With `values` off no data is touched and no
        input needed: `hazards` are then off too, except those that an instruction shows by itself.
        `prepared` are results of `prepare`. `traced_cores`: how many cores of each launch to trace, each
        with the Vector cores beside it.
        `block_order[i]`: block index that core i runs. `size`: what a dynamic dimension is; without it that of the
        inputs, or with `values` off the middle one of those that the program was tiled for. `watch` sees the tensors
        around each launch of a run with values. Raises HazardError, and ProgramError for a module or inputs that cannot
        be run.
        """
        main = self.main(name)
        state = RunState(self.target, values, hazards and values, traced_cores, block_order)
        if values:
            inputs = inputs if isinstance(inputs, Mapping) else self._by_name(main, inputs)
            size = size_of_inputs(main, named_arguments(main), inputs) or size
        state.host.size = check_size(main, size)
        state.host.start(main)
        room = workspace_of(main, self.target, state.host.values)
        taken = footprint(main, self.target, room, state.host.values, state.host.size)
        state.system.roomy = taken <= self.target.memory.l2_bytes
        state.workspace = Storage.new("workspace", room.peak, state.system, -1, values) if room.peak else None
        ready: Sequence[Array] = ()
        named: Mapping[str, Any] = {}
        if values:
            assert isinstance(inputs, Mapping)
            named = inputs
            ready = self.prepare(name, named) if prepared is None else prepared
        state.bind(main, self.input_names(name), named, ready)
        outputs: list[Array] = []
        launches = sum(isinstance(op, LaunchOp) for op in main.body.block.ops)
        with np.errstate(all="ignore"), single_thread() if values else nullcontext(), seldom_collecting():
            for op in main.body.block.ops:
                if isinstance(op, LaunchOp):
                    self._tell(op.kernels[0], state, launches)
                    if values and watch is not None:
                        watch.before(op, state.array)
                    self._launch(op, state)
                    if values and watch is not None:
                        watch.after(op, state.array)
                elif isinstance(op, GmAllocOp):
                    known = state.host.values
                    storage = state.tensor(op.result, offset_of(op, known), rows_of(op, known))
                    storage.workspace = op.workspace is not None
                    if state.hazards:
                        storage.track()
                elif isinstance(op, GroupBufferOp):
                    if op.address is None:
                        raise ProgramError("ascend.group_buffer has no address: run ascend-plan-memory", op)
                    state.group_buffers[op.result] = op.address.value.data
                    state.tensor(op.result)
                elif isinstance(op, ViewTensorOp):
                    state.view(op)
                elif isinstance(op, ReturnOp):
                    if state.hazards:
                        state.lives.use(op, [state.tensors[v] for v in op.operands])
                        programs = {n: k.program for (n, *_), k in self._kernels.items()}
                        check_results(main, state.tensors, programs, state.origins)
                    if values:
                        outputs = [state.array(v) for v in op.operands]
                elif op not in state.host.ops:
                    raise ProgramError(f"@{main.sym_name.data}: {op.name} cannot run outside a kernel", op)
        self._tell("", state, launches)
        profile = total(self.target, state.kernels, state.system.traffic, room, self.fusable)
        return RunResult(outputs, profile, state.trace, ready)

    def _tell(self, kernel: str, state: RunState, launches: int) -> None:
        """Tell whoever watches how many launches are done, and which comes next."""
        watcher = watched()
        if watcher is not None:
            us = self.target.microseconds(state.now)
            watcher(Progress("running", len(state.kernels), launches, "kernel", kernel, us))

    def time_only(self, name: str | None = None, **options: Any) -> Profile:
        """The profile alone."""
        return self.run(name, values=False, hazards=False, **options).profile

    def _by_name(self, main: FuncOp, inputs: Sequence[Any]) -> dict[str, Any]:
        names = self.input_names(main.sym_name.data)
        if len(names) != len(inputs):
            raise ProgramError(
                f"@{main.sym_name.data} takes {len(names)} inputs ({', '.join(names)}), got {len(inputs)}"
            )
        return dict(zip(names, inputs, strict=True))

    def kernel(
        self, name: str, addresses: Mapping[int, int] | None = None, sizes: Mapping[int, int] | None = None
    ) -> _Kernel:
        """The decoded kernel `name`; `addresses`: where the arguments that are buffers of the group start; `sizes`:
        bytes of those that are dynamic tensors."""
        key = name, tuple((addresses or {}).items()), tuple((sizes or {}).items())
        found = self._kernels.get(key)
        if found is None:
            program = decode(self.kernel_ops[name], addresses, sizes)
            check_peaks(program, self.kernel_ops[name], self.target)
            writes = {site.operands[site.gm].argument for site in program.sites if site.stores}
            found = _Kernel(
                program, Resolver(program, self.target), AccessTable(self.target), frozenset(writes),
                Streams(self.target),
            )  # fmt: skip
            self._kernels[key] = found
        return found

    def _launched(
        self, op: LaunchOp, arguments: Sequence[Storage], addresses: Mapping[int, int], blocks: int | None
    ) -> list[_Kernel]:
        """The kernels that run together, checked against the chip, their tensors and each other. `blocks`: how many
        cores of the first one; None: all."""
        target = self.target
        kernels: list[_Kernel] = []
        changing = blocks is not None
        for name in op.kernels:
            if name not in self.kernel_ops:
                raise ProgramError(f"launch of @{name}, which the module does not define", op)
            taken = zip(self.kernel_ops[name].tensors, arguments, strict=False)
            dynamic = {a.index: storage.size for a, storage in taken if is_dynamic(a.type)}
            kernel = self.kernel(name, addresses, dynamic)
            if blocks is not None:
                kernel = replace(kernel, program=replace(kernel.program, cores=blocks))
                blocks *= target.vectors_beside
            changing = changing or bool(dynamic)
            if op not in self._checked:
                check_kernel(op, kernel.program, arguments, dynamic, target, self.kernel_ops[name])
            kernels.append(kernel)
        if op not in self._checked:
            check_together(op, [kernel.program for kernel in kernels], target)
        if not changing:
            self._checked.add(op)
        return kernels

    def _launch(self, op: LaunchOp, state: RunState) -> None:
        target = self.target
        arguments = [state.tensors[v] for v in op.arguments]
        met = state.group_buffers
        addresses = {i: met[value] for i, value in enumerate(op.arguments) if value in met}
        blocks = None if op.blocks is None else state.host.values[op.blocks]
        kernels = self._launched(op, arguments, addresses, blocks)
        numbers = state.host.numbers(op.numbers)
        programs = [k.program for k in kernels]
        writes = frozenset[int]().union(*(k.writes for k in kernels))
        gm_races = None
        same = launch_key([(k.program, k.resolver) for k in kernels], numbers, state.block_order, arguments)
        if state.hazards and writes and same not in self._in_order:
            gm_races = GmRaces(arguments, writes, bytewise=target.dma.unaligned)
        if state.hazards:
            state.lives.launch(op, arguments, writes)
        for argument in arguments:
            argument.enter_launch(target.memory.miss_latency)
        before, behind = state.system.traffic.copy(), state.system.behind(state.now)
        events: list[TraceEvent] | None = [] if state.traced_cores else None
        launch = Launch(target, programs[0].name, state.now, state.system, arguments, gm_races, events=events)
        cores, ordered = self._cores(kernels, launch, state, numbers)
        traced = trace_groups(cores, programs, target.vectors_beside, state.traced_cores)
        works = self._works.get(same)
        if works is None:
            start_counting(i for k in kernels for i in k.resolver.instructions)
        run_cores(cores, launch)
        if works is None:
            works = self._counted(kernels, cores)
            if same is not None and all(isinstance(core.stream, CoreStream) for core in cores):
                self._works[same] = works
        if gm_races is not None and same is not None and len(ordered) == _groups(kernels):
            self._in_order.add(same)
        compute_values(ordered, arguments, state.origins)
        end = max(core.end for core in cores)
        distinct = {a.number: a for a in arguments}.values()
        state.kernels.append(
            kernel_profile(
                target,
                programs,
                start=state.now,
                end=end,
                tensors=[TensorProfile.of(storage) for storage in distinct],
                sources=tuple(dict.fromkeys(map(str, places_of(op.location)))),
                traffic=state.system.traffic.minus(before),
                hbm_left=state.system.behind(end) - behind,
                cores=_by_program(programs, cores),
                works=works,
            )
        )
        if launch.events is not None:
            state.trace.append(LaunchTrace(launch.kernel, state.now, traced, launch.events))
        state.now = end + state.kernels[-1].launch_us * target.clock_mhz

    def _counted(self, kernels: Sequence[_Kernel], cores: Sequence[Core]) -> list[list[PipeWork]]:
        """What the instructions of each kernel took that its cores have run."""
        count_executed(core.stream for core in cores)
        memory = self.target.memory
        listed = [kernel.resolver.instructions for kernel in kernels]
        return [instruction_work(each, memory.l2_line, memory.sector) for each in listed]

    def _cores(
        self, kernels: Sequence[_Kernel], launch: Launch, state: RunState, numbers: Sequence[int]
    ) -> tuple[list[Core], list[OrderedGroup]]:
        """The cores of a launch: those of the first kernel, then those of the one beside it; and which of them have
        their values computed later. `numbers`: what they take beside tensors."""
        paired = len(kernels) > 1
        programs: list[Starting] = []
        first = 0
        for kernel in kernels:
            program = kernel.program
            order = (None if paired else state.block_order) or range(program.cores)
            read = index_reader(program, [t.data for t in launch.tensors], [t.size for t in launch.tensors])
            kept = self._cores_by_kind.of(program)
            programs.append(
                Starting(
                    program,
                    kernel.resolver,
                    kernel.races,
                    order,
                    first,
                    kept,
                    read,
                    numbers,
                    kernel.streams,
                    kernel.checks,
                )
            )
            first += program.cores
        ordered: list[OrderedGroup] = []
        if state.hazards:
            cores, ordered = start_cores(programs, launch.tensors, state.origins)
        else:
            cores = [one.unchecked(i, state.values) for one in programs for i in range(len(one.blocks))]
        if paired:
            join_groups(cores, kernels[0].program.cores, launch)
        join_ports(cores, [k.program for k in kernels], launch)
        return cores, ordered


def _groups(kernels: Sequence[_Kernel]) -> int:
    """How many groups of cores a launch has: Cube cores with those beside them, or cores alone."""
    return kernels[0].program.cores


def _by_program(programs: Sequence[KernelProgram], cores: Sequence[Core]) -> list[Sequence[Core]]:
    """The cores of each program of a launch."""
    first = programs[0].cores
    return [cores[:first], cores[first:]][: len(programs)]
