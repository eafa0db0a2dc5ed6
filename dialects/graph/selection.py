"""Ops that find elements, made of comparisons and reductions."""

from math import prod
from typing import Any, ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def

from ..dynamic import depends_on_size
from .base import BOOL, INT, GraphOp, Types, Values, to_attribute
from .elementwise import F32, AddOp, CastOp, MinimumOp, MulOp
from .indexing import count_along, first_of
from .logic import CompareOp
from .movement import ConcatOp, single_axis
from .op_list import OpList
from .quantization import FLOATS
from .reduction import ReduceMaxOp, ReduceSumOp
from .rules import Composite, element_of, shape_of
from .slicing import FAR, I32
from .structure import ReshapeOp, constant_of
from .unary import NegOp

LARGEST = 2.0**128 - 2.0**104
"""The largest number of f32."""
MOST_ROUNDS = 4
"""How many of the largest are found one after the other; more are found by how many elements come before each."""
MOST_RANKED = 2048
"""Elements of a row of which each is compared with all others, at most."""


def _rounds(do: OpList, x: SSAValue, axis: int, k: int, wide: bool) -> tuple[SSAValue, SSAValue]:
    """The largest, k times; each is then made the least of all. `wide`: others may be as small, so its index is put
    behind theirs. Values and indices in f32, joined."""
    places = do(count_along(shape_of(x), axis))
    behind = do(count_along(shape_of(x), axis, FAR)) if wide else None
    values: list[SSAValue] = []
    indices: list[SSAValue] = []
    for left in reversed(range(k)):
        values.append(do(ReduceMaxOp(x, axes=[axis], keep_dims=True)))
        first = first_of(do(CompareOp(x, values[-1], direction="eq")), axis, True, behind)
        do.made += first
        indices.append(first[-1].results[0])
        if left:
            hit = do(CastOp(do(CompareOp(places, indices[-1], direction="eq")), to=F32))
            sign = do(AddOp(do(MulOp(hit, do(constant_of(-2.0, F32)))), do(constant_of(1.0, F32))))
            x = do(MinimumOp(x, do(MulOp(sign, do(constant_of(LARGEST, F32))))))
            if behind is not None:
                behind = do(AddOp(behind, do(MulOp(hit, do(constant_of(FAR, F32))))))
    return do(ConcatOp(values, axis=axis)), do(ConcatOp(indices, axis=axis))


def _ranks(do: OpList, x: SSAValue, k: int) -> tuple[SSAValue, SSAValue]:
    """Of rows [.., n]: the rank of each element is how many are larger, or equal and before it; the k first ranks are
    found by comparison. Values and indices in f32, [.., k]."""
    *rows, n = shape_of(x)
    last = len(rows) + 1
    one, other = do(ReshapeOp(x, shape=[*rows, n, 1])), do(ReshapeOp(x, shape=[*rows, 1, n]))
    above = do(CastOp(do(CompareOp(other, one, direction="gt")), to=F32))
    equal = do(CastOp(do(CompareOp(other, one, direction="eq")), to=F32))
    before = do(CompareOp(do(count_along((n, n), 1)), do(count_along((n, n), 0)), direction="lt"))
    ties = do(MulOp(equal, do(CastOp(before, to=F32))))
    rank = do(ReduceSumOp(do(AddOp(above, ties)), axes=[last]))
    wanted = do(count_along((1, k, 1), 1))
    hit = do(CastOp(do(CompareOp(do(ReshapeOp(rank, shape=[*rows, 1, n])), wanted, direction="eq")), to=F32))
    values = do(ReduceSumOp(do(MulOp(hit, other)), axes=[last]))
    indices = do(ReduceSumOp(do(MulOp(hit, do(count_along((1, 1, n), 2)))), axes=[last]))
    return values, indices


def _topk(op: Any) -> list[Operation]:
    do = OpList()
    shape, k = shape_of(op.x), op.k.value.data
    axis = op.axis.value.data % len(shape)
    element = element_of(op.x)
    x = op.x if element == F32 else do(CastOp(op.x, to=F32))
    smallest = not op.largest.value.data
    x = do(NegOp(x)) if smallest else x
    if k > MOST_ROUNDS and axis == len(shape) - 1 and shape[axis] <= MOST_RANKED:
        lead = shape[:1] if axis > 0 and depends_on_size(shape[0]) else ()
        rows = do(ReshapeOp(x, shape=[*lead, prod(shape[len(lead) : -1]), shape[-1]]))
        values, indices = _ranks(do, rows, k)
        result = [*shape[:-1], k]
        values, indices = do(ReshapeOp(values, shape=result)), do(ReshapeOp(indices, shape=result))
    else:
        values, indices = _rounds(do, x, axis, k, element == F32)
    values = do(NegOp(values)) if smallest else values
    given = CastOp(indices, to=I32)
    return [*do.made, CastOp(values, to=element), given]


@irdl_op_definition
class TopkOp(GraphOp):
    """The k largest elements along `axis` in order, or the least, and their indices (i32); of equal ones the first
    comes first. x is finite.

    %y, %i = graph.topk %x {k = 2} : (tensor<4x8xf16>) -> (tensor<4x2xf16>, tensor<4x2xi32>)
    """

    name = "graph.topk"
    TILING: ClassVar = Composite(_topk)
    x = operand_def(TensorType)
    values = result_def(TensorType)
    indices = result_def(TensorType)
    k = prop_def(INT)
    axis = prop_def(INT, default_value=to_attribute("int", -1))
    largest = prop_def(BOOL, default_value=to_attribute("bool", True))

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        shape, k = list(types[0].get_shape()), attributes["k"]
        axis = single_axis(cls, attributes["axis"], len(shape))
        if types[0].element_type not in FLOATS or not 1 <= k <= shape[axis] <= FAR:
            cls.fail(f"k = {k} must be 1 to the {shape[axis]} floating-point numbers along axis {axis}")
        shape[axis] = k
        return (TensorType(types[0].element_type, shape), TensorType(I32, shape))
