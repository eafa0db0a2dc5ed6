"""Putting rows in place: each result row finds the update that its index names, or the last of several.

    none             place = i, or rows + the last update whose index is i        y = gather(x ++ updates, place)
    mul, max, min    each update takes up those behind it that have its index, and each row the first one of its index

Which update has an index next is a list that is followed in doubling steps: after r rounds an update holds 2^r of them.
"""

from collections.abc import Callable
from math import inf, prod
from typing import Any, ClassVar

from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def

from ..tiling import TilingRule
from .base import STR, GraphOp, Types, Values, dims, to_attribute
from .contraction import MatmulOp
from .elementwise import F32, AddOp, CastOp, MaximumOp, MinimumOp, MulOp, SubOp
from .indexing import OneHotOp, count_along, first_of, from_start
from .logic import CompareOp, LogicalAndOp
from .movement import BroadcastOp, ConcatOp
from .op_list import OpList
from .quantization import FLOATS
from .reduction import ReduceMaxOp
from .rules import Composite, element_of, shape_of
from .slicing import I32, LANES, GatherOp, SliceOp, check_indices, check_table
from .structure import ReshapeOp, constant_of

COMBINE: dict[str, tuple[Callable[[SSAValue, SSAValue], Operation], float]] = {
    "add": (AddOp, 0.0),
    "mul": (MulOp, 1.0),
    "max": (MaximumOp, -inf),
    "min": (MinimumOp, inf),
}
"""How two updates of a row become one, and the number that leaves the other as it is."""
WHOLE_NEUTRAL = {"add": 0, "mul": 1, "max": -(2**31), "min": 2**31 - 1}
"""That number of i32."""


def _hits(do: OpList, op: Any) -> tuple[SSAValue, SSAValue]:
    """The indices, [1, count] in f32, and where each row of x is named by one, [rows, count]."""
    count = prod(shape_of(op.indices))
    index = do.all(from_start(do(ReshapeOp(op.indices, shape=[1, count])), shape_of(op.x)[0]))
    return index, do(CompareOp(index, do(count_along((shape_of(op.x)[0], 1), 0)), direction="eq"))


def _put(op: Any) -> list[Operation]:
    """Rows of x and of the updates under one another, of which each result row picks one."""
    do, shape = OpList(), shape_of(op.x)
    rows, width, count = shape[0], prod(shape[1:]), prod(shape_of(op.indices))
    _, hits = _hits(do, op)
    number = do(MulOp(do(CastOp(hits, to=F32)), do(count_along((1, count), 1, 1.0))))
    last = do(ReduceMaxOp(number, axes=[1]))  # 0: there is none
    taken = do(MinimumOp(last, do(constant_of(1.0, F32))))
    own = do(count_along((rows,), 0))
    further = do(SubOp(do(AddOp(last, do(constant_of(float(rows - 1), F32)))), own))
    place = do(CastOp(do(AddOp(own, do(MulOp(taken, further)))), to=I32))
    x, updates = (do(ReshapeOp(v, shape=[n, width])) for v, n in ((op.x, rows), (op.updates, count)))
    do(ReshapeOp(do(GatherOp(do(ConcatOp([x, updates], axis=0)), place)), shape=shape))
    return do.made


def _add_by_product(op: Any) -> list[Operation]:
    """The product of the transposed one-hot matrix of the indices with the updates, added."""
    do = OpList()
    shape, element = shape_of(op.x), element_of(op.x)
    count, width = prod(shape_of(op.indices)), prod(shape[1:])
    indices = do(ReshapeOp(op.indices, shape=[count]))
    hot = do(OneHotOp(indices, depth=shape[0], to=element))
    rows = do(ReshapeOp(op.updates, shape=[count, width]))
    put = do(MatmulOp(hot, rows, transpose_a=True))
    x = do(ReshapeOp(op.x, shape=[shape[0], width]))
    do(ReshapeOp(do(AddOp(x, put)), shape=shape))
    return do.made


def _followers(do: OpList, index: SSAValue) -> SSAValue:
    """For each update the next one that has its index, else their number, as rows of LANES of f32; for none, none."""
    count = shape_of(index)[1]
    column = do(ReshapeOp(index, shape=[count, 1]))
    same = do(CompareOp(column, index, direction="eq"))
    later = do(CompareOp(do(count_along((1, count), 1)), do(count_along((count, 1), 0)), direction="gt"))
    first = do.all(first_of(do(LogicalAndOp(same, later)), 1, keep=True))
    end = do(constant_of(float(count), F32))
    behind = do(BroadcastOp(do(MinimumOp(first, end)), shape=[count, LANES]))
    return do(ConcatOp([behind, do(BroadcastOp(do(ReshapeOp(end, shape=[1, 1])), shape=[1, LANES]))], axis=0))


def _combined(op: Any) -> list[Operation]:
    """In f32 where results are rounded; the largest and the least elements, and whole numbers, are exact in their
    type."""
    do, shape, element = OpList(), shape_of(op.x), element_of(op.x)
    rows, width, count = shape[0], prod(shape[1:]), prod(shape_of(op.indices))
    combine, neutral = COMBINE[op.reduction.data]
    if element == I32:
        neutral = WHOLE_NEUTRAL[op.reduction.data]
    kind = element if element == I32 or op.reduction.data in ("max", "min") else F32

    def wide(x: SSAValue, n: int) -> SSAValue:
        flat = do(ReshapeOp(x, shape=[n, width]))
        return flat if kind == element else do(CastOp(flat, to=kind))

    index, hits = _hits(do, op)
    nothing = do(BroadcastOp(do(constant_of([[neutral]], kind)), shape=[1, width]))
    values = do(ConcatOp([wide(op.updates, count), nothing], axis=0))
    rounds = (count - 1).bit_length()
    following = _followers(do, index) if rounds else index
    for left in reversed(range(rounds)):
        first = do(SliceOp(following, starts=[0], ends=[1], axes=[1]))
        at = do(CastOp(do(ReshapeOp(first, shape=[count + 1])), to=I32))
        values = do(combine(values, do(GatherOp(values, at))))
        following = do(GatherOp(following, at)) if left else following
    first = do.all(first_of(hits, 1, keep=False))
    at = do(CastOp(do(MinimumOp(first, do(constant_of(float(count), F32)))), to=I32))
    y = do(combine(wide(op.x, rows), do(GatherOp(values, at))))
    do(ReshapeOp(y if kind == element else do(CastOp(y, to=element)), shape=shape))
    return do.made


@irdl_op_definition
class ScatterOp(GraphOp):
    """x with its rows x[i] at `indices` (i32) replaced by those of `updates`, indices + x[1:]; of several at one index
    the last one stays. With a reduction they are added to the row, multiplied with it, or the largest or least of
    all stays, as often as an index stands there. x is of floats or of i32; without a reduction of i1, too. Floats that
    are added are finite, where they are f16 or bf16, or f32 on a chip whose Cube multiplies it.

    %y = graph.scatter %x, %i, %u {reduction = "max"}
        : (tensor<10x8xf16>, tensor<3xi32>, tensor<3x8xf16>) -> tensor<10x8xf16>
    """

    name = "graph.scatter"
    SAME_ELEMENT_TYPE: ClassVar = False
    TAKES_I1: ClassVar = True
    TAKES_I32: ClassVar = True
    TILING: ClassVar = Composite(_put)
    MORE_TILINGS: ClassVar = (Composite(_add_by_product, without_cube=_combined), Composite(_combined))
    CHOICES: ClassVar = {"reduction": ("none", *COMBINE)}
    x = operand_def(TensorType)
    indices = operand_def(TensorType)
    updates = operand_def(TensorType)
    result = result_def(TensorType)
    reduction = prop_def(STR, default_value=to_attribute("str", "none"))

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        x, indices, updates = types
        check_indices(cls, "indices", indices)
        if x.element_type not in (*FLOATS, I32, i1) or x.element_type != updates.element_type:
            cls.fail(
                f"x and updates must be of one type, i32, i1 or of floats, got {x.element_type} and "
                f"{updates.element_type}"
            )
        if x.element_type == i1 and attributes["reduction"] != "none":
            cls.fail(f"x of i1 has no reduction, got {attributes['reduction']}")
        wanted = (*indices.get_shape(), *x.get_shape()[1:])
        if not x.get_shape() or updates.get_shape() != wanted:
            cls.fail(f"updates {dims(updates)} must be indices {dims(indices)} and a row of x {dims(x)}")
        check_table(cls, x.get_shape()[0], indices)
        return (x,)

    @property
    def tiling(self) -> TilingRule:
        by_product, combined = self.MORE_TILINGS
        if self.reduction.data == "none":
            return self.TILING
        by_cube = self.reduction.data == "add" and element_of(self.x) != I32
        return by_product if by_cube else combined

    def indexed(self, index: int) -> int | None:
        return shape_of(self.x)[0] if index == 1 else None
