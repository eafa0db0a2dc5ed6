"""Sums of all elements up to each one.

A tile that holds a row in full gives them in log2(n) steps, where the lanes lie along another dimension. So the last
dimension is turned to the front. Long rows are parts: the sums within each, and the sum of all parts before it.
"""

from math import isqrt, prod
from typing import Any, ClassVar

from xdsl.dialects.builtin import IntegerType, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, prop_def

from ..tiling import Along, Iteration, OperandMap, TilingRule, VectorBuilder
from .base import BOOL, INT, Types, Values, dims, to_attribute
from .elementwise import F32, AddOp, CastOp, UnaryOp
from .movement import BroadcastOp, PadOp, TransposeOp
from .quantization import FLOATS
from .row_computes import Rows, stored, summable
from .rules import Composite, RowWise, element_of, shape_of
from .slicing import SliceOp
from .structure import ReshapeOp

I32 = IntegerType(32)
MOST = 256
"""Elements of a row that a tile holds in full, beside a block of lanes."""
LANES = 16
"""Elements that a row of one element is repeated to, so that it fills a block of a tile."""


def _iteration(op: Any) -> Iteration:
    extents = shape_of(op.x)
    follow: OperandMap = tuple(Along(d) for d in range(len(extents)))
    return Iteration(extents, len(extents), (follow,), (None,), (axis_of(op),))


def _sums(b: VectorBuilder, rows: Rows, x: SSAValue, axis: int, exclusive: bool, reverse: bool) -> SSAValue:
    return stored(b, b.scan(summable(b, x), rows.dims[0], reverse), b.dtype(x))


def axis_of(op: Any) -> int:
    return op.attribute_values()["axis"] % len(shape_of(op.x))


class _Ops:
    """Ops in the order in which they are made, and the sums that the op at hand asks for."""

    def __init__(self, op: Any) -> None:
        self.made: list[Operation] = []
        self.reverse: bool = op.attribute_values()["reverse"]

    def __call__(self, op: Operation) -> SSAValue:
        self.made.append(op)
        return op.results[0]

    def sums(self, x: SSAValue, axis: int, exclusive: bool = False) -> SSAValue:
        return self(CumsumOp(x, axis=axis, exclusive=exclusive, reverse=self.reverse))


def _without_own(op: Any) -> list[Operation]:
    """Sums of the elements one place further on; beside one element there is none, and of it nothing is left."""
    do, axis, shape = _Ops(op), axis_of(op), shape_of(op.x)
    rank, first = len(shape), int(do.reverse)
    if shape[axis] == 1:
        pads = [int(d == axis) for d in range(rank)] + [0] * rank
        do(SliceOp(do(PadOp(op.x, pads=pads)), starts=[0], ends=[1], axes=[axis]))
        return do.made
    kept = do(SliceOp(op.x, starts=[first], ends=[shape[axis] - 1 + first], axes=[axis]))
    pads = [0] * (2 * rank)
    pads[axis + rank * first] = 1
    do.sums(do(PadOp(kept, pads=pads)), axis)
    return do.made


def _in_f32(op: Any) -> list[Operation]:
    """What is put together from parts is rounded once."""
    do = _Ops(op)
    do(CastOp(do.sums(do(CastOp(op.x, to=F32)), axis_of(op)), to=element_of(op.x)))
    return do.made


def _by_parts(op: Any) -> list[Operation]:
    """The sums within each part of a row, and before them those of whole parts."""
    do, axis, shape = _Ops(op), axis_of(op), shape_of(op.x)
    size = min(MOST, isqrt(shape[axis] - 1) + 1)
    count = -(-shape[axis] // size)
    x: SSAValue = op.x
    if count * size > shape[axis]:
        pads = [0] * (2 * len(shape))
        pads[len(shape) + axis] = count * size - shape[axis]
        x = do(PadOp(x, pads=pads))
    apart = [*shape[:axis], count, size, *shape[axis + 1 :]]
    within = do.sums(do(ReshapeOp(x, shape=apart)), axis + 1)
    last = 0 if do.reverse else size - 1
    totals = do(SliceOp(within, starts=[last], ends=[last + 1], axes=[axis + 1]))
    before = do.sums(totals, axis, exclusive=True)
    whole = do(ReshapeOp(do(AddOp(within, before)), shape=[*shape[:axis], count * size, *shape[axis + 1 :]]))
    if count * size > shape[axis]:
        do(SliceOp(whole, starts=[0], ends=[shape[axis]], axes=[axis]))
    return do.made


def _alone(op: Any) -> list[Operation]:
    """The sum of one element."""
    return [CastOp(op.x, to=element_of(op.x))]


def _turned(op: Any) -> list[Operation]:
    """The rows beside each other in the lanes; a row alone is repeated."""
    do, axis, shape = _Ops(op), axis_of(op), shape_of(op.x)
    others = [d for d in range(len(shape)) if d != axis]
    if prod(shape) == shape[axis]:
        column = do(ReshapeOp(op.x, shape=[shape[axis], 1]))
        sums = do.sums(do(BroadcastOp(column, shape=[shape[axis], LANES])), 0)
        do(ReshapeOp(do(SliceOp(sums, starts=[0], ends=[1], axes=[1])), shape=shape))
        return do.made
    sums = do.sums(do(TransposeOp(op.x, perm=[axis, *others])), 0)
    perm = [1 + others.index(d) if d != axis else 0 for d in range(len(shape))]
    do(TransposeOp(sums, perm=perm))
    return do.made


@irdl_op_definition
class CumsumOp(UnaryOp):
    """The sum of all elements up to each one along `axis`, with `exclusive` without its own, with `reverse` from each
    one on (ONNX CumSum). Formed in f32, of i32 in i32.

    %y = graph.cumsum %x {axis = -1} : (tensor<4x8xf16>) -> tensor<4x8xf16>
    """

    name = "graph.cumsum"
    TAKES_I32: ClassVar = True
    TILING: ClassVar = RowWise(_sums, _iteration, in_lanes=False)
    MORE_TILINGS: ClassVar = tuple(map(Composite, (_without_own, _alone, _in_f32, _by_parts, _turned)))
    axis = prop_def(INT)
    exclusive = prop_def(BOOL, default_value=to_attribute("bool", False))
    reverse = prop_def(BOOL, default_value=to_attribute("bool", False))

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        (x,) = types
        rank, axis = len(x.get_shape()), attributes["axis"]
        if not -rank <= axis < rank:
            cls.fail(f"axis {axis} is outside x of shape {dims(x)} (rank {rank})")
        if x.element_type not in (*FLOATS, I32):
            cls.fail(f"x must be f16, bf16, f32 or i32, got {x.element_type}")
        return (TensorType(x.element_type, x.get_shape()),)

    @property
    def tiling(self) -> TilingRule:
        without_own, alone, wide, by_parts, turned = self.MORE_TILINGS
        shape, axis = shape_of(self.x), axis_of(self)
        lanes = max((d for d, n in enumerate(shape) if n > 1), default=-1)
        if self.exclusive.value.data:
            return without_own
        if shape[axis] == 1:
            return alone
        if shape[axis] > MOST:
            return by_parts if element_of(self.x) in (F32, I32) else wide
        return turned if lanes in (axis, -1) else self.TILING
