"""Choosing tile sizes by running them: the best few that the search predicts, on the emulator's clock.

    TileFuse(tune=4).apply(ctx, module)     # asks EmulatorTuner(4) for every kernel

Predictions rank tilings within some percent; the clock settles what they leave open. No data is touched. Kernels that
take very many instructions are left to the prediction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from math import inf

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.utils.arg_spec import ArgSpec
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.dynamic import is_dynamic
from ...dialects.graph.arguments import argument_names, weight_arguments
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...passes.kernels.common.form import Tiling
from ...passes.kernels.forms import build_kernel
from ...passes.support.dynamic_size import open_again
from ...passes.support.module import kernel_ops, set_target
from ...passes.support.report import without_reports
from ...passes.support.run_size import fixed
from ...passes.sync.kept_plans import keep_plans
from ...runtime.machine.costs import launch_us
from ...runtime.support.hazard import HazardError
from ...runtime.support.progress import progress

MOST_INSTRUCTIONS = 400_000


@dataclass
class EmulatorTuner:
    """Tries `count` tilings of every kernel. Equal kernels are tried once."""

    count: int
    _known: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])

    def choose(self, alone: ModuleOp, tilings: Sequence[Tiling], target: Target) -> int:
        """Index of the tiling with the shortest kernel, launch included; the first one where none can be lowered."""
        key = str(alone), target.name
        if key not in self._known:
            self._known[key] = self._measure_all(alone, tilings, target)
        return min(self._known[key], len(tilings) - 1)

    def _measure_all(self, alone: ModuleOp, tilings: Sequence[Tiling], target: Target) -> int:
        times: list[Sequence[float]] = []
        for tiling in tilings:
            with progress(None), keep_plans():  # the kernel that is taken has the flags of one of these
                found = measure_sizes(alone, tiling, target)
            times.append([time + launch_us(target, tiling.cores) for time in found.times])
            if found.instructions > MOST_INSTRUCTIONS:
                break
        best = [min(column) for column in zip(*times, strict=True)]
        slower = [sum(t / b if b < inf else inf for t, b in zip(row, best, strict=True)) for row in times]
        return slower.index(min(slower))


@dataclass(frozen=True)
class Measured:
    """µs of a kernel without its launch, at each of the sizes that a dynamic dimension is tiled for, infinite where it
    cannot be lowered; the instructions of all; bytes of the workspace that it needs for itself, of L1 and UB, and of
    the weights that it reads."""

    times: Sequence[float]
    instructions: int = 0
    workspace: int = 0
    on_chip: int = 0
    weights: int = 0


def measure(alone: ModuleOp, tiling: Tiling, target: Target) -> tuple[float, int]:
    """Time in µs, and instructions, of a module's only kernel under one tiling; infinite when it cannot be lowered."""
    found = measure_sizes(alone, tiling, target)
    return sum(found.times), found.instructions


def measure_together(module: ModuleOp, target: Target) -> Measured:
    """What a module's groups take as one program, which is changed: the time of all, launches included. Those that
    need nothing of each other become one."""
    from ...runtime.execution.emulator import Emulator
    from ...runtime.program.weights import weight_bytes
    from .pipelines import build_passes, stages
    from .universe import UNIVERSE

    weights, context = _weights_of(module), Context()
    specs = (ArgSpec("tile-from-groups", {"join-launches": (True,)}), *stages("lower"))
    try:
        with without_reports():
            for one in build_passes(UNIVERSE.all_passes, specs, target.origin or None):
                one.apply(context, module)
        emulator = Emulator(module, target)
        profile = emulator.time_only()
    except (DiagnosticException, HazardError):
        return Measured([inf])
    return Measured(
        [profile.total_us],
        sum(pipe.instructions for kernel in profile.kernels for pipe in kernel.pipes.values()),
        0 if profile.workspace is None else profile.workspace.peak,
        profile.on_chip_bytes,
        weight_bytes(emulator.main(), weights),
    )


def measure_sizes(alone: ModuleOp, tiling: Tiling, target: Target) -> Measured:
    """What a module's only kernel takes under one tiling."""
    from ...runtime.execution.emulator import Emulator
    from ...runtime.program.weights import weight_bytes
    from .pipelines import build_passes, stages
    from .universe import UNIVERSE

    module = alone.clone()
    function = next(op for op in module.body.block.ops if isinstance(op, FuncOp))
    weights = _weights_of(module)
    context, state = Context(), fixed()
    sizes: Sequence[int | None] = (None,) if state is None else state.sizes
    try:
        with without_reports():
            build_kernel("alone", kernel_ops(function), target, tiling)
            set_target(module, target.name)
            if state is not None:
                open_again(function, state)
            for one in build_passes(UNIVERSE.all_passes, stages("lower"), target.origin or None):
                one.apply(context, module)
        emulator = Emulator(module, target)
        dynamic = any(is_dynamic(a.type) for a in emulator.main().body.block.args)
        profiles = [emulator.time_only(size=size) for size in (sizes if dynamic else (None,))]
    except (DiagnosticException, HazardError):
        return Measured([inf] * len(sizes))
    kernels = [profile.kernels[0] for profile in profiles]
    return Measured(
        [kernel.time_us for kernel in kernels] * (1 if dynamic else len(sizes)),
        sum(pipe.instructions for kernel in kernels for pipe in kernel.pipes.values()),
        max(0 if one.workspace is None else one.workspace.peak for one in profiles),
        max(one.on_chip_bytes for one in profiles),
        weight_bytes(emulator.main(), weights),
    )


def _weights_of(module: ModuleOp) -> set[str]:
    """The names of the weights of a module's only function."""
    function = next(op for op in module.body.block.ops if isinstance(op, FuncOp))
    named = zip(argument_names(function), function.body.block.args, strict=True)
    return {name for name, value in named if value in weight_arguments(function)}
