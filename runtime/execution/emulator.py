"""Runs a module at the `ascend` level: values, time and hazards in one pass, or time alone.

    emulator = Emulator(module, load_target("ascend910b"))
    result = emulator.run("main", {"x": x, "w": w})
    result.outputs, result.profile

The main function allocates tensors in GM, launches kernels one after the other and returns tensors. Its
arguments are the user's (`ascend.name`) or results of `@main.prepare` (`ascend.prepared = i`).
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, Literal, cast, get_args

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

from ...dialects.ascend import GmAllocOp, GroupBufferOp, KernelOp, LaunchOp, ViewTensorOp
from ...dialects.ascend.arguments import named_arguments
from ...dialects.helpers import is_helper, is_variant
from ...dialects.records import dataclass
from ...dialects.target import load_target
from ...dialects.target_types import Target
from ..machine.memory import Array
from ..profile.profile import Profile
from ..profile.utilisation import utilisation
from ..program.storage import Storage
from ..program.workspace import WorkspaceProfile, footprint, offset_of, rows_of, workspace_of
from ..support.collector import seldom_collecting
from ..support.hazard import Finding, ProgramError
from ..support.progress import Progress, watched
from ..values.blas import single_thread
from .dispatch import Entered, entered
from .host import check_size, size_of_inputs
from .launcher import Launcher
from .measure import total
from .prepare import pick, run_prepare
from .repeats import Repeats
from .results import check_results
from .run_state import LaunchTrace, LaunchWatch, RunState
from .warm import run_warm

Flags = Literal["strict", "count"]


def counts(flags: str) -> bool:
    """Whether flags count. ProgramError for what is no way to take them."""
    if flags not in get_args(Flags):
        raise ProgramError(f"flags are one of {', '.join(get_args(Flags))}, not {flags!r}")
    return flags == "count"


@dataclass(frozen=True)
class RunResult:
    """Outputs in the order that the function returns them (none when only time ran), and the profile."""

    outputs: Sequence[Array]
    profile: Profile
    trace: Sequence[LaunchTrace] = ()
    prepared: Sequence[Array] = ()
    findings: Sequence[Finding] = ()
    """What is no hazard, and what a board may take amiss all the same: `flag-set-ahead`."""


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
        self.launcher = Launcher(self.kernel_ops, self.target)

    def main(self, name: str | None = None) -> FuncOp:
        """The function called `name`, or the only one that is no prepare function."""
        mains = {n: f for n, f in self.functions.items() if not is_helper(n) and not is_variant(n)}
        if name is None:
            if len(mains) != 1:
                raise ProgramError(
                    f"the module has {len(mains)} functions to run: {', '.join(mains) or 'none'}"
                )
            return next(iter(mains.values()))
        if name not in self.functions:
            raise ProgramError(f"no function @{name}; the module has {', '.join(mains) or 'none'}")
        return self.functions[name]

    def entered(self, main: FuncOp, size: int | None) -> Entered:
        """What runs at a run-time size: the variant that `main` calls, or itself."""
        return entered(main, self.functions, size)

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
        warm: bool = False,
        flags: Flags = "strict",
        usage: bool = False,
    ) -> RunResult:
        """Run function `name` (or the only one).

        `inputs` by name, or in the order of `input_names`. With `values` off no data is touched and no input needed:
        `hazards` are then off too, except those that an instruction shows by itself. `prepared` are results of
        `prepare`. `traced_cores`: how many cores of each launch to trace, each with the Vector cores beside it.
        `block_order[i]`: block index that core i runs. `size`: what a dynamic dimension is; without it that of the
        inputs, or with `values` off the middle one that the program was tiled for. `watch` sees tensors around each
        launch of a run with values. `warm`: profile and trace are of a run after others (`run_warm`), values those of
        the first. `flags` that are set again before they are waited for are a hazard, or with "count" are counted,
        and findings. `usage`: the profile says what was in use when. Raises HazardError, and ProgramError.
        """
        main = self.main(name)
        counted = counts(flags)
        state = RunState(self.target, values, hazards and values, traced_cores, block_order, counted, usage)
        if values:
            inputs = inputs if isinstance(inputs, Mapping) else self._by_name(main, inputs)
            size = size_of_inputs(main, named_arguments(main), inputs) or size
        state.host.size = check_size(main, size)
        inside, stated = entered(main, self.functions, state.host.size), main
        main = inside.function
        room = _give_room(main, state)
        ready, named = list[Array](), dict[str, Any]()
        if values:
            named = dict(inside.given(cast("Mapping[str, Any]", inputs)))
            ready = self.prepare(name, named) if prepared is None else list(prepared)
        state.bind(main, self.input_names(name), named, ready)
        launches = [op for op in main.body.block.ops if isinstance(op, LaunchOp)]
        state.repeats = Repeats.of(launches, warm)
        returned: Sequence[SSAValue] = ()
        with np.errstate(all="ignore"), single_thread() if values else nullcontext(), seldom_collecting():
            for op in main.body.block.ops:
                if isinstance(op, LaunchOp):
                    self._tell(op.kernels[0], state, len(launches))
                    self._launch(op, state, watch if values else None)
                elif isinstance(op, ReturnOp):
                    self._check_returned(op, main, state)
                    returned = op.operands
                elif not _place(op, state) and op not in state.host.ops:
                    raise ProgramError(f"@{main.sym_name.data}: {op.name} cannot run outside a kernel", op)
            self._tell("", state, len(launches))
            outputs = inside.taken(stated, [state.array(v) for v in returned]) if values else []
            traffic = run_warm(launches, self.launcher, state) if warm else state.system.traffic
        whole = replace(total(self.target, state.kernels, traffic, room, self.fusable), warm=warm)
        return RunResult(outputs, _noted(whole, state), state.trace, ready, tuple(state.findings))

    def _launch(self, op: LaunchOp, state: RunState, watch: LaunchWatch | None) -> None:
        if watch is not None:
            watch.before(op, state.array)
        self.launcher.launch(op, state)
        if watch is not None:
            watch.after(op, state.array)

    def _check_returned(self, op: ReturnOp, main: FuncOp, state: RunState) -> None:
        """HazardError where a result was not written, or is workspace that something else took."""
        if state.hazards:
            state.lives.use(op, [state.tensors[v] for v in op.operands])
            programs = {n: k.program for (n, *_), k in self.launcher.kernels.items()}
            check_results(main, state.tensors, programs, state.origins)

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


def _noted(profile: Profile, state: RunState) -> Profile:
    """The profile with what was in use when, if that was noted."""
    if not state.recorded:
        return profile
    return replace(profile, utilisation=utilisation(state.target, state.usages, profile.total_us))


def _give_room(main: FuncOp, state: RunState) -> WorkspaceProfile:
    """Begin the function of `state.host`, and give its kernels the workspace that it asks for."""
    target, host = state.target, state.host
    host.start(main)
    room = workspace_of(main, target, host.values)
    taken = footprint(main, target, room, host.values, host.size)
    state.system.roomy = taken <= target.memory.l2_bytes
    if room.peak:
        state.workspace = Storage.new("workspace", room.peak, state.system, -1, state.values)
    return room


def _place(op: Operation, state: RunState) -> bool:
    """Give a tensor or a buffer of the function its bytes; whether the op is one."""
    if isinstance(op, GmAllocOp):
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
    else:
        return False
    return True
