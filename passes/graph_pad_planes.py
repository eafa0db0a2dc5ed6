"""Planes and rows that are no whole 32 B blocks are computed with more lines or columns, where few cores could share
them.

    %0 = graph.conv2d %x, %w {pads = [1, 1, 1, 1]}       [2, 72, 57, 57], and what is computed of each element
    %y = graph.relu %0

    %0 = graph.conv2d %x, %w {pads = [1, 1, 1, 8]}       [2, 72, 57, 64]
    %1 = graph.relu %0
    %y = graph.slice %1                                  [2, 72, 57, 57]

Each channel of such a plane starts elsewhere in its block, so parts of planes are one core's where the DMA writes whole
blocks. Parts of the larger planes are whole blocks. The slice is a kernel of its own, whose tiles lie end to end in the
result (`lowering/transfers/spans.py`). That is done where both kernels are predicted faster than those of the image as
it is, whose rows may go round (`kernels/product/circular_rows.py`).

Windows on the Vector unit are treated alike. So are ops that take rows along another dimension than the last one, with
what is computed of each element around them: their operands get more columns.

    %y = graph.softmax %x {axis = 0}                     [64, 3249]

    %0 = graph.pad %x {pads = [0, 0, 0, 15]}             [64, 3264]
    %1 = graph.softmax %0 {axis = 0}
    %y = graph.slice %1                                  [64, 3249]
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from math import prod
from typing import Any, ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from ..dialects import tile
from ..dialects.dynamic import is_dynamic
from ..dialects.element_types import ELEMENT_BYTES, bytes_of, name_of
from ..dialects.graph import AvgPool2dOp, Conv2dOp, MaxPool2dOp, PadOp, SliceOp
from ..dialects.graph.base import GraphOp
from ..dialects.graph.fusion_marks import FUSE, NOFUSE
from ..dialects.graph.rules import Pointwise, RowWise
from ..dialects.records import dataclass
from ..dialects.rewriting import insert_before
from ..dialects.target_types import Target
from ..dialects.tile import BLOCK
from ..dialects.tiling import Along, Unit
from .fusion.candidates import PaddingRecord
from .fusion.cost_model import CostModel, cost_model
from .fusion.group_cost import GroupCost
from .fusion.padding_report import PaddingReport
from .selection.store_grain import store_unit
from .support.dynamic_size import fixed_sizes, tiled_alike
from .support.module import chip_of, functions_of, kernel_ops
from .support.options import Pass
from .support.report import add_report
from .support.run_size import check_sizes
from .support.values import INTEGERS, element_type_of, iteration_of, rule_of, shape_of

PLANE = 2
"""The dimension where a plane of [N, C, H, W] begins."""
WINDOWS = Conv2dOp | MaxPool2dOp | AvgPool2dOp
SHARE = 3 / 4
"""Of the cores: a kernel that uses fewer is looked at."""


LEAST = 1 << 16
"""Bytes of a result from which on it is looked at."""


@dataclass(frozen=True)
class GraphPadPlanes(Pass):
    """Give planes and rows more lines or columns where few cores could share them. `sizes`: run-time sizes of a dynamic
    dimension that prices go by."""

    name = "graph-pad-planes"
    keeps: ClassVar = (tile.KernelOp, tile.GroupOp)
    target: str | None = None
    sizes: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sizes:
            check_sizes(self.sizes)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = chip_of(op, self.target)
        records: dict[str, tuple[PaddingRecord, ...]] = {}
        for functions, sizes in tiled_alike(functions_of(op), self.sizes):
            with fixed_sizes(functions, sizes):
                records |= {function.sym_name.data: pad_planes(function, target) for function in functions}
        if any(records.values()):
            add_report(PaddingReport(records))


@dataclass(frozen=True)
class Chain:
    """A convolution of the Cube, ops on elements and a depthwise convolution before it, ops on elements behind it; each
    is used by the next one alone. Or a window or row op of the Vector unit in its place. `product`: its place."""

    ops: tuple[GraphOp, ...]
    product: int

    @property
    def kernels(self) -> Iterator[tuple[tuple[GraphOp, ...], ...]]:
        """Ways to compute it: one kernel, or what comes before the product apart, or each op."""
        yield (self.ops,)
        yield (*((op,) for op in self.ops[: self.product]), self.ops[self.product :])
        yield tuple((op,) for op in self.ops)


def pad_planes(function: FuncOp, target: Target) -> tuple[PaddingRecord, ...]:
    """Pad the images and rows of a function whose blocks few cores could share; what was weighed."""
    records: list[PaddingRecord] = []
    if target.dma.unaligned:
        return ()
    model: CostModel | None = None
    for op in kernel_ops(function):
        if not isinstance(op, GraphOp) or op.parent is None or not _is_ragged(op, target):
            continue
        chain = _chain(op)
        if chain is None:
            continue
        model = model or cost_model(function, target)
        before, cost = _time(chain, model)
        if before is None or cost is None:
            continue
        cores = cost.tiling.cores
        if cores >= SHARE * target.cores and not cost.goes_round:
            continue
        tried = [one for more in _paddings(op, target) if (one := _padded(chain, *more))]
        times = [_time_padded(one, chain.product, model) for one in tried]
        best = min(range(len(tried)), key=lambda i: times[i], default=None)
        if best is not None:
            names = tuple(one.name for one in chain.ops)
            shape, larger = shape_of(chain.ops[-1].results[0]), shape_of(tried[best][-1].operands[0])
            records.append(PaddingRecord(names, shape, larger, cores, before, times[best]))
        for i, ops in enumerate(tried):
            if i == best and times[i] < before:
                chain.ops[-1].results[0].replace_all_uses_with(ops[-1].results[0])
                ops[-1].results[0].name_hint = chain.ops[-1].results[0].name_hint
                for old in reversed(chain.ops):
                    old.detach()
                    old.erase()
            else:
                for new in reversed(ops):
                    new.detach()
                    new.erase()
    return tuple(records)


def _is_ragged(op: GraphOp, target: Target) -> bool:
    """Whether planes of a window's result, or lines of what takes rows along another dimension, are no whole blocks."""
    if len(op.results) != 1 or is_dynamic(op.results[0].type) or not op.results[0].uses:
        return False
    dtype, shape = name_of(element_type_of(op.results[0])), shape_of(op.results[0])
    if dtype in INTEGERS or dtype not in ELEMENT_BYTES:
        return False
    if prod(shape) * ELEMENT_BYTES[dtype] < LEAST:
        return False
    unit = max(BLOCK, store_unit(target, ELEMENT_BYTES[dtype]))
    if isinstance(op, WINDOWS):
        return prod(shape[PLANE:]) % unit != 0
    return shape[-1] % unit != 0 and _takes_rows(op)


def _takes_rows(op: GraphOp) -> bool:
    """Whether an op gives each element of its operand's shape, of rows along other dimensions than the last one, one
    place of which does not depend on another."""
    rule, rank = rule_of(op), len(shape_of(op.results[0]))
    if (
        not isinstance(rule, RowWise)
        or not op.operands
        or shape_of(op.operands[0]) != shape_of(op.results[0])
    ):
        return False
    return rank > 1 and rank - 1 not in rule.rows(op).dims and _by_columns(op)


def _by_columns(op: GraphOp) -> bool:
    """Whether each column of the result follows from the same column of operands alone, or from what has none."""
    last = len(shape_of(op.results[0])) - 1
    for value, maps in zip(op.operands, iteration_of(op).operands, strict=True):
        for d, e in enumerate(maps):
            if isinstance(e, Along) and e.dim == last and not (e.is_identity and d == len(maps) - 1):
                return False
            if not isinstance(e, Along | Unit) or is_dynamic(value.type):
                return False
    return True


def _on_elements(op: Operation, value: SSAValue) -> bool:
    """Whether an op computes each element of an image of `value`, and of what is alike for all elements of a plane.
    What the Vector only makes on the way to GM cannot be cut."""
    if not isinstance(op, GraphOp) or not isinstance(rule_of(op), Pointwise):
        return False
    if name_of(element_type_of(op.results[0])) in INTEGERS:
        return False
    if shape_of(op.results[0]) != shape_of(value) or {FUSE, NOFUSE} & op.attributes.keys():
        return False
    maps = iteration_of(op).operands
    return (
        sum(any(isinstance(e, Along) and e.dim >= PLANE for e in one) for one in maps) == 1
        and value in op.operands
    )


def _chain(op: GraphOp) -> Chain | None:
    """The chain around a window whose result stays row-major: the graph's, or one of channels that are no whole blocks.
    Or around an op that takes rows."""
    if {FUSE, NOFUSE} & op.attributes.keys():
        return None
    behind: list[GraphOp] = []
    value, window = op.results[0], isinstance(op, WINDOWS)
    while value.has_one_use():
        (use,) = value.uses
        if not (_on_elements(use.operation, value) if window else _beside(use.operation, value)):
            break
        assert isinstance(use.operation, GraphOp)
        behind.append(use.operation)
        value = use.operation.results[0]
    if not window:
        before = _operands_of(op)
        return Chain((*before, op, *behind), len(before))
    given = all(isinstance(use.operation, ReturnOp) for use in value.uses)
    image = any(isinstance(use.operation, WINDOWS) for use in value.uses)
    if (not given and shape_of(value)[1] % BLOCK == 0) or (image and rule_of(op).engine == "vector"):
        return None
    before = _before(op) if isinstance(op, Conv2dOp) and rule_of(op).engine == "cube" else []
    return Chain((*before, op, *behind), len(before))


def _beside(op: Operation | Block, value: SSAValue) -> bool:
    """Whether an op computes each element of a tensor like `value`, whose columns may be more."""
    if not isinstance(op, GraphOp) or not isinstance(rule_of(op), Pointwise) or len(op.results) != 1:
        return False
    if element_type_of(op.results[0]) != element_type_of(value) or {FUSE, NOFUSE} & op.attributes.keys():
        return False
    return shape_of(op.results[0]) == shape_of(value) and _by_columns(op)


def _operands_of(op: GraphOp) -> list[GraphOp]:
    """What computes elements of the op's operand and is used by nothing else."""
    found: list[GraphOp] = []

    def collect(user: GraphOp) -> None:
        for value in dict.fromkeys(user.operands):
            owner = value.owner
            if value.has_one_use() and isinstance(owner, GraphOp) and _beside(owner, op.results[0]):
                collect(owner)
                found.append(owner)

    collect(op)
    return found


def _before(op: Conv2dOp) -> list[GraphOp]:
    """What gives the image of a 1x1 convolution, from a depthwise one on; empty where that is not what gives it."""
    alone = shape_of(op.w)[PLANE:] == (1, 1) and set(op.strides.get_values()) == {1}
    if not alone or any(op.pads.get_values()):
        return []
    found: list[GraphOp] = []
    value = op.x
    while value.has_one_use() and isinstance(value.owner, GraphOp):
        owner = value.owner
        found.insert(0, owner)
        if isinstance(owner, Conv2dOp):
            return (
                found
                if rule_of(owner).engine == "vector" and not {FUSE, NOFUSE} & owner.attributes.keys()
                else []
            )
        image = [
            v for v in owner.operands if isinstance(v.type, TensorType) and shape_of(v) == shape_of(value)
        ]
        if len(image) != 1 or not _on_elements(owner, image[0]):
            return []
        value = image[0]
    return []


def _paddings(op: GraphOp, target: Target) -> Iterator[tuple[int, int]]:
    """More lines, or more columns, with which planes, or lines, are whole blocks."""
    *_, height, width = shape_of(op.results[0])
    unit = max(BLOCK, store_unit(target, bytes_of(element_type_of(op.results[0]))))
    if isinstance(op, WINDOWS):
        yield next(n for n in count() if (height + n) * width % unit == 0), 0
    yield 0, -width % unit


def _padded(chain: Chain, lines: int, columns: int) -> list[GraphOp]:
    """The chain in front of its last op, on larger images, and the part of them that is the result."""
    ops: list[GraphOp] = []
    last, known = chain.ops[-1], dict[SSAValue, SSAValue]()
    window = isinstance(chain.ops[chain.product], WINDOWS)
    for i, op in enumerate(chain.ops):
        values = op.attribute_values()
        more: list[GraphOp] = []
        if window and i == 0:
            more, values = _larger(op, lines, columns)
        elif not window:
            more = _wider(op, columns, known)
        ops += more
        known |= {one.operands[0]: one.results[0] for one in more}
        new = type(op)(*(known.get(v, v) for v in op.operands), **values)
        new.location = op.location
        known[op.results[0]] = new.results[0]
        ops.append(new)
    shape = shape_of(last.results[0])
    part = SliceOp(ops[-1].results[0], starts=[0] * len(shape), ends=list(shape))
    part.location = last.location
    ops.append(part)
    insert_before(last, ops)
    return ops


def _larger(op: GraphOp, lines: int, columns: int) -> tuple[list[GraphOp], dict[str, Any]]:
    """What pads the image of a window that gives more lines and columns, where the window does not, and its
    attributes. A pool may not see padding alone, so that its image is padded."""
    assert isinstance(op, Conv2dOp | MaxPool2dOp | AvgPool2dOp)
    values, (down, across) = op.attribute_values(), op.strides.get_values()
    top, left, bottom, right = op.pads.get_values()
    if isinstance(op, Conv2dOp):
        return [], {**values, "pads": [top, left, bottom + lines * down, right + columns * across]}
    (height, width), result = shape_of(op.x)[PLANE:], shape_of(op.results[0])[PLANE:]
    reach = [(k - 1) * d + 1 for k, d in zip(op.kernel.get_values(), op.dilations.get_values(), strict=True)]
    below = (result[0] + lines - 1) * down + reach[0] - height - top
    beside = (result[1] + columns - 1) * across + reach[1] - width - left
    value = float("-inf") if isinstance(op, MaxPool2dOp) else 0.0
    padded = PadOp(op.x, pads=[0, 0, top, left, 0, 0, max(below, 0), max(beside, 0)], value=value)
    padded.location = op.location
    return [padded], {**values, "pads": [0, 0, 0, 0], "ceil_mode": False}


def _wider(op: GraphOp, columns: int, known: Mapping[SSAValue, SSAValue]) -> list[GraphOp]:
    """What gives more columns to the operands of an op that have those of its result."""
    last, found = len(shape_of(op.results[0])) - 1, dict[SSAValue, GraphOp]()
    for value, maps in zip(op.operands, iteration_of(op).operands, strict=True):
        if value not in known and any(isinstance(e, Along) and e.dim == last for e in maps):
            rank = len(maps)
            found[value] = PadOp(value, pads=[*[0] * (2 * rank - 1), columns])
            found[value].location = op.location
    return list(found.values())


def _time(chain: Chain, model: CostModel) -> tuple[float | None, GroupCost | None]:
    """Predicted µs of the chain's kernels, and the cost of the product's; None where it has none."""
    best, found = None, None
    for kernels in chain.kernels:
        costs = [model.known(ops) for ops in kernels]
        time = sum(cost.time_us for cost in costs if cost)
        if None not in costs and (best is None or time < best):
            best = time
            product = next(i for i, ops in enumerate(kernels) if chain.ops[chain.product] in ops)
            found = costs[product]
    return best, found


def _time_padded(ops: Sequence[GraphOp], product: int, model: CostModel) -> float:
    """Predicted µs of the padded chain, and of the slice behind it."""
    part = model.known((ops[-1],))
    place = [i for i, op in enumerate(ops) if not isinstance(op, PadOp)][product]
    time, _ = _time(Chain(tuple(ops[:-1]), place), model)
    return float("inf") if part is None or time is None else time + part.time_us
