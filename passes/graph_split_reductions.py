"""Few long rows are reduced by all cores: each reduces parts of them, and a second kernel what they give.

    %y = graph.reduce_sum %x {axes = [0, 1]}       x: [1024, 2048]

    %0 = graph.reshape %x                          [1024, 32, 64]
    %1 = graph.cast %0 {to = f32}
    %2 = graph.reduce_sum %1 {axes = [0, 2]}       [32], one on each core
    %3 = graph.reduce_sum %2 {axes = [0]}
    %y = graph.cast %3 {to = f16}

A row that is met part by part is one core's. Where rows are few, and the time that the other cores save is more than
a launch, a reduced dimension is split in as many equal parts as there are cores left. What is computed on the way to
the reduction, or used beside it, is not taken apart for it.
"""

from collections.abc import Sequence
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ..dialects import tile
from ..dialects.graph import CastOp, ReshapeOp
from ..dialects.graph.base import GraphOp
from ..dialects.graph.elementwise import F32
from ..dialects.graph.fusion_marks import is_marked
from ..dialects.graph.reduction import ReduceMaxOp, ReduceMinOp, ReduceOp, axes_of
from ..dialects.records import dataclass
from ..dialects.rewriting import replace_with
from ..dialects.target_types import Target
from ..runtime.machine.costs import launch_us
from .kernels.common.form import Group
from .kernels.elementwise.legality import NoTileError
from .kernels.forms import form_of
from .regions.compose_group import group_regions
from .regions.compose_maps import NotFusableError
from .support.dynamic_size import fixed_sizes, tiled_alike
from .support.module import chip_of, functions_of, kernel_ops
from .support.options import Pass
from .support.run_size import check_sizes
from .support.values import element_type_of, rule_of, shape_of

MANY = (1, 8, 16)
"""Parts for each core that are tried: so many results are a block of 32 B or more, which one core writes."""


@dataclass(frozen=True)
class GraphSplitReductions(Pass):
    """Split reductions whose rows are too few for the cores. `sizes`: run-time sizes of a dynamic dimension that
    prices go by."""

    name = "graph-split-reductions"
    keeps: ClassVar = (tile.KernelOp, tile.GroupOp)
    target: str | None = None
    sizes: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sizes:
            check_sizes(self.sizes)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        for functions, sizes in tiled_alike(functions_of(op), self.sizes):
            with fixed_sizes(functions, sizes):
                for function in functions:
                    split_reductions(function, target)


def split_reductions(function: FuncOp, target: Target) -> None:
    """Split the reductions of a function whose rows are too few for the cores."""
    for op in kernel_ops(function):
        if isinstance(op, ReduceOp) and _stands_alone(op):
            ops = _better(op, target)
            if ops:
                replace_with(op, ops, [ops[-1].results[0]])


def _stands_alone(op: ReduceOp) -> bool:
    """Whether nothing that could be computed in the reduction's kernel comes before it, and its shape is known."""
    owner = op.x.owner
    computed = isinstance(owner, GraphOp) and rule_of(owner).engine == "vector"
    marked = is_marked(op)
    return min(shape_of(op.x), default=1) > 0 and not computed and not marked and op.x.has_one_use()


@dataclass(frozen=True)
class _Kernel:
    """Predicted µs of a kernel with its launch, its cores, and whether each of them meets a row part by part."""

    time_us: float
    cores: int
    in_parts: bool


def _price(ops: Sequence[Operation], target: Target) -> _Kernel | None:
    """The kernel of some ops; None where there is none."""
    try:
        regions = group_regions(ops)
        form, group = form_of(regions), Group(regions, frozenset(), target)
        cycles, tiling = form.fastest(group)
    except (NotFusableError, NoTileError):
        return None
    time = target.microseconds(cycles) + launch_us(target, tiling.cores)
    return _Kernel(time, tiling.cores, form.work(group, tiling).in_parts)


def _better(op: ReduceOp, target: Target) -> Sequence[Operation]:
    """The ops that take the place of `op`, those with the least predicted time; none where it stays as it is."""
    alone = _price([op], target)
    if alone is None or not alone.in_parts or 2 * alone.cores > target.vector_units:
        return ()
    least, best = alone.time_us, tuple[int, int]()
    shape, left = shape_of(op.x), target.vector_units // alone.cores
    for axis in axes_of(op.attribute_values()["axes"], len(shape)):
        counts = {_divisor(shape[axis], many * left) for many in MANY}
        for parts in sorted(counts - {1}):
            ops = _split(op, axis, parts)
            second = next(i for i, one in enumerate(ops) if isinstance(one, ReduceOp)) + 1
            prices = [_price(ops[1:second], target), _price(ops[second:-1], target)]
            if None not in prices and (total := sum(price.time_us for price in prices if price)) < least:
                least, best = total, (axis, parts)
            for one in reversed(ops):
                one.erase()
    return _split(op, *best) if best else ()


def _divisor(size: int, most: int) -> int:
    """The largest divisor of `size` up to `most`."""
    return max(d for d in range(1, min(size, most) + 1) if size % d == 0)


def _split(op: ReduceOp, axis: int, parts: int) -> Sequence[Operation]:
    """The op as two reductions, the first of parts of dimension `axis`."""
    shape, element = shape_of(op.x), element_type_of(op.x)
    axes = axes_of(op.attribute_values()["axes"], len(shape))
    inside = [*shape[:axis], parts, shape[axis] // parts, *shape[axis + 1 :]]
    ops: list[Operation] = [ReshapeOp(op.x, shape=inside)]
    exact = isinstance(op, ReduceMaxOp | ReduceMinOp) or element == F32

    def then(new: Operation) -> SSAValue:
        ops.append(new)
        return new.results[0]

    x = ops[0].results[0]
    if not exact:
        x = then(CastOp(x, to=F32))
    first = then(type(op)(x, axes=[a if a < axis else a + 1 for a in axes]))
    total = then(type(op)(first, axes=[sum(d not in axes for d in range(axis))]))
    if not exact:
        total = then(CastOp(total, to=element))
    then(ReshapeOp(total, shape=shape_of(op.results[0])))
    return ops
