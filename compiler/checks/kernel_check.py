"""Each kernel of a run beside the reference, given that kernel's own inputs as the emulator had them.

    checked = KernelChecks(program, inputs)
    program.run(inputs, watch=checked)
    checked.found                              # one KernelCheck a launch

So no error of one kernel counts as that of another. Before a launch the reference computes what the kernel is to give
of what its inputs hold, after it both are compared: no tensor outlives its kernels, but for the inputs of the first one
that is wrong.

A kernel may do all that its type lets it, and the type be too narrow: numbers past the largest become infinite, those
below the least normal one lose digits. What storing the right result costs widens a kernel's bound, and is told apart.
Where a kernel rounds and then compares, the reference does so a second time, and how far that moves it is added.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import SSAValue

from ...dialects.ascend import LaunchOp, ViewTensorOp, numbers_before
from ...dialects.graph import (
    ArgmaxOp,
    CastOp,
    CeilOp,
    CompareOp,
    FloorOp,
    QuantizeOp,
    RoundOp,
    SignOp,
    TopkOp,
)
from ...dialects.graph.base import bare_names
from ...dialects.graph.rules import element_of
from ...dialects.records import dataclass
from ...dialects.storage_types import is_float, rounded, smallest_normal
from ...dialects.tile import LayoutAttr
from ...passes.fusion.kernel_sources import KernelSource, collect_sources
from ...runtime.reference import evaluate
from ...runtime.support.hazard import ProgramError
from ..api import Program, compile_until
from ..programs.program_inputs import check_inputs, size_of
from .run_check import BOUNDS, NUDGE, Check, check_outputs, coarsest_types, relative_error
from .ties import is_exact, settled

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[Any]
    DType = np.dtype[Any]

STEPS = CompareOp | FloorOp | CeilOp | RoundOp | SignOp | ArgmaxOp | TopkOp
ROUNDINGS = 4
"""A kernel's error may be so many times that of storing the right result: 16 independent roundings."""
NAMES = {"float16": "f16", "bfloat16": "bf16", "float32": "f32"}
MOST_NODES = 4
"""Nodes of a model that the name of a kernel is followed by."""


@dataclass(frozen=True)
class StorageLoss:
    """What storing the right result in its type costs: the relative L2 error of the numbers in range, how many of
    `elements` are past the range, and how many below the least normal number."""

    dtype: str
    error: float = 0.0
    past: int = 0
    below: int = 0
    elements: int = 0

    @staticmethod
    def of(expected: Array, dtype: DType) -> StorageLoss:
        """That of a result in f32 or wider."""
        import numpy as np

        if not is_float(dtype) or expected.dtype == dtype:
            return StorageLoss(dtype.name)
        wide = expected.astype(np.float64)
        kept = rounded(expected, dtype).astype(np.float64)
        finite = np.isfinite(wide)
        past = finite & ~np.isfinite(kept)
        below = (wide != 0) & (np.abs(wide) < smallest_normal(dtype))
        return StorageLoss(
            dtype.name,
            relative_error(kept[finite & ~past], wide[finite & ~past]),
            int(past.sum()),
            int(below.sum()),
            wide.size,
        )

    @property
    def too_large(self) -> bool:
        """Whether the type does not hold the result within the bound of its roundings."""
        return self.past > 0 or self.error > BOUNDS.get(self.dtype, 0.0)

    def __str__(self) -> str:
        kind = NAMES.get(self.dtype, self.dtype)
        if self.past:
            return f"{self.past} of {self.elements} elements are past the range of {kind}"
        return (
            f"{self.below} of {self.elements} elements are below the least normal number of {kind}; storing the right "
            f"result costs {self.error:.2e}"
        )


@dataclass(frozen=True)
class KernelCheck:
    """A launch's result beside the reference: `number` counts launches, `kernel` is what it runs, `ops` and `nodes` are
    what that computes, by the names of graph ops and of a model's nodes."""

    number: int
    kernel: str
    ops: tuple[str, ...]
    nodes: tuple[str, ...]
    check: Check
    loss: StorageLoss

    @property
    def title(self) -> str:
        """The kernel with what it computes, in words."""
        nodes = ", ".join(self.nodes[:MOST_NODES])
        more = f" and {len(self.nodes) - MOST_NODES} more" if len(self.nodes) > MOST_NODES else ""
        return f"kernel {self.number} @{self.kernel} ({bare_names(self.ops)}{': ' if nodes else ''}{nodes}{more})"


def blamed(kernels: Sequence[KernelCheck]) -> KernelCheck | None:
    """The first kernel past its bound; else the first one whose type is too narrow for its result."""
    wrong = (one for one in kernels if one.check.wrong)
    narrow = (one for one in kernels if one.loss.too_large)
    return next(wrong, next(narrow, None))


@dataclass
class KernelChecks:
    """Watches the launches of a program on `inputs`; `found` grows by one check each. `kept` are the inputs of kernels
    that `blamed` may give.

    Raises ProgramError for a program whose kernels are not those that its graph is compiled to.
    """

    program: Program
    inputs: Mapping[str, ArrayLike]
    found: list[KernelCheck] = field(default_factory=list[KernelCheck])
    kept: dict[int, Sequence[Array]] = field(default_factory=dict[int, "Sequence[Array]"])

    def __post_init__(self) -> None:
        program = self.program
        given = {**program.weights, **self.inputs}
        self._inputs = check_inputs(given, program.inputs, program.name, program.target.overflow)
        size = size_of(self._inputs, program.inputs)
        self._inputs = program.given_at(self._inputs, size)
        self.sources, main = sources_of(program, size), program.entered(size)
        launches = [op for op in main.body.block.ops if isinstance(op, LaunchOp)]
        numbers = numbers_before([[part.number for part in op.parts] for op in launches])
        self._numbers = dict(zip(launches, numbers, strict=True))
        """Which of the kernels a launch runs."""
        count = sum(map(len, numbers))
        if count != len(self.sources):
            raise ProgramError(
                f"@{program.name} launches {count} kernels, its graph is compiled to "
                f"{len(self.sources)}: they cannot be checked one by one"
            )
        self._results = _results(self._numbers)
        self._pending: dict[int, tuple[Sequence[Array], Array, Array | None]] = {}

    def before(self, launch: LaunchOp, read: Callable[[SSAValue], Array]) -> None:
        """Compute what a launch is to give."""
        self._pending = {number: self._wanted(number, read) for number in self._numbers[launch]}

    def _wanted(
        self, number: int, read: Callable[[SSAValue], Array]
    ) -> tuple[Sequence[Array], Array, Array | None]:
        """The inputs of a kernel, what it is to give of these, and what where roundings decide otherwise."""
        source = self.sources[number]
        arrays = [self._input(argument, read) for argument in source.arguments]
        expected, moved = source_result(source, arrays, self.program.target.overflow), None
        if any(isinstance(op, QuantizeOp) for op in source.function.body.block.ops):
            moved = source_result(source, arrays, self.program.target.overflow, nudge=NUDGE)
        elif _steps_on_computed(source):
            moved = source_result(source, arrays, self.program.target.overflow, round_results=True)
        return arrays, expected, moved

    def after(self, launch: LaunchOp, read: Callable[[SSAValue], Array]) -> None:
        """Compare it with what the launch gave."""
        names = [part.kernel for part in launch.parts] or [launch.computes]
        for number, kernel in zip(self._numbers[launch], names, strict=True):
            self._compare(number, kernel, read)
        self._pending = {}

    def _compare(self, number: int, kernel: str, read: Callable[[SSAValue], Array]) -> None:
        source, (arrays, expected, moved) = self.sources[number], self._pending[number]
        actual = rows_of(read(self._results[number]), source.layout).reshape(expected.shape)
        overflow = self.program.target.overflow
        (expected,) = settled(source.function, arrays, [actual], [expected], overflow)
        check, loss = check_kernel(source, actual, expected, moved, overflow)
        self.found.append(KernelCheck(number, kernel, source.ops, source.nodes, check, loss))
        first = blamed(self.found)
        if first is not None and first.number == number:
            self.kept = {number: arrays}

    def _input(self, argument: str | int, read: Callable[[SSAValue], Array]) -> Array:
        if isinstance(argument, str):
            return self._inputs[argument]
        return rows_of(read(self._results[argument]), self.sources[argument].layout)


def source_result(
    source: KernelSource, arrays: Sequence[Array], overflow: str = "inf", **options: Any
) -> Array:
    """What a kernel is to give of `arrays`, in f32; what storing it makes of that comes on top. `options` are those of
    the reference."""
    chosen: dict[str, Any] = {"weights_rounded": True, "casts_rounded": False, **options}
    (result,) = evaluate(source.function, arrays, overflow=overflow, **chosen)
    return result


def _steps_on_computed(source: KernelSource) -> bool:
    """Whether roundings of what a kernel computes may decide a step: on which side of a number another one is."""
    for op in source.function.body.block.ops:
        whole = isinstance(op, CastOp) and isinstance(element_of(op.results[0]), IntegerType)
        if (whole or isinstance(op, STEPS)) and not all(map(is_exact, op.operands)):
            return True
    return False


def check_kernel(
    source: KernelSource, actual: Array, expected: Array, moved: Array | None = None, overflow: str = "inf"
) -> tuple[Check, StorageLoss]:
    """A kernel's result beside the one that the reference gives of the same inputs, and beside the one that it gives
    where roundings decide otherwise."""
    checks = check_outputs(
        {"": actual},
        {"": expected},
        overflow,
        None if moved is None else {"": moved},
        coarsest_types(source.function),
    )
    loss = StorageLoss.of(expected, actual.dtype)
    check = checks[""]
    return replace(check, bound=max(check.bound, ROUNDINGS * loss.error)), loss


def sources_of(program: Program, size: int | None = None) -> Sequence[KernelSource]:
    """What each kernel of a program computes where the dynamic dimension is `size`; compiled again where nobody kept
    it."""
    found = program.sources_at(size)
    if found or program.graph_module is None:
        return found
    with collect_sources() as sources:
        compile_until(program, "ascend")
    return sources.get(program.entered(size).sym_name.data, ())


def _results(numbers: Mapping[LaunchOp, Sequence[int]]) -> dict[int, SSAValue]:
    """The tensor that each kernel gives, or its part of one."""
    found: dict[int, SSAValue] = {}
    for launch, of in numbers.items():
        given = [part.result for part in launch.parts] or [launch.result]
        found.update(zip(of, (_tensor(launch.arguments[i]) for i in given), strict=True))
    return found


def _tensor(value: SSAValue) -> SSAValue:
    """The tensor, or part of one, that a value is another shape of."""
    while isinstance(value.owner, ViewTensorOp) and value.owner.start is None:
        value = value.owner.source
    return value


def rows_of(array: Array, layout: LayoutAttr | None) -> Array:
    """A tensor as it lies in GM with its elements in the order of their indices."""
    if layout is None:
        return array
    import numpy as np

    dims, block = list(layout.dims), layout.blocked
    order = [dims.index(d) for d in range(len(dims))]
    turned = np.transpose(array, [*order[: block + 1], len(dims), *order[block + 1 :]])
    shape = list(turned.shape)
    return turned.reshape(*shape[:block], shape[block] * shape[block + 1], *shape[block + 2 :])


__all__ = [
    "KernelCheck",
    "KernelChecks",
    "StorageLoss",
    "blamed",
    "check_kernel",
    "rows_of",
    "source_result",
    "sources_of",
]
