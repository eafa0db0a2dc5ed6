"""Ops that find elements and put rows in place, made of comparisons, reductions and products."""

from math import prod
from typing import Any, ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def

from .base import BOOL, INT, STR, GraphOp, Types, Values, dims, to_attribute
from .contraction import MatmulOp
from .elementwise import F32, AddOp, CastOp, MinimumOp, MulOp
from .indexing import FAR, I32, OneHotOp, check_indices, count_along, first_of
from .logic import I1, CompareOp, SelectOp
from .movement import ConcatOp, single_axis
from .quantization import FLOATS
from .reduction import ReduceMaxOp, ReduceSumOp
from .rules import Composite, element_of, shape_of
from .structure import ReshapeOp, constant_of
from .unary import NegOp

LARGEST = 2.0**128 - 2.0**104
"""The largest number of f32."""
MOST_ROUNDS = 4
"""How many of the largest are found one after the other; more are found by how many elements come before each."""
MOST_RANKED = 2048
"""Elements of a row of which each is compared with all others, at most."""


class _Ops:
    """Ops in the order in which they are made."""

    def __init__(self) -> None:
        self.made: list[Operation] = []

    def __call__(self, op: Operation) -> SSAValue:
        self.made.append(op)
        return op.results[0]


def _rounds(do: _Ops, x: SSAValue, axis: int, k: int) -> tuple[SSAValue, SSAValue]:
    """The largest, k times; each is then made the least of all. Values and indices in f32, joined."""
    places = do(count_along(shape_of(x), axis))
    values: list[SSAValue] = []
    indices: list[SSAValue] = []
    for left in reversed(range(k)):
        values.append(do(ReduceMaxOp(x, axes=[axis], keep_dims=True)))
        first = first_of(do(CompareOp(x, values[-1], direction="eq")), axis, keep=True)
        do.made += first
        indices.append(first[-1].results[0])
        if left:
            hit = do(CastOp(do(CompareOp(places, indices[-1], direction="eq")), to=F32))
            sign = do(AddOp(do(MulOp(hit, do(constant_of(-2.0, F32)))), do(constant_of(1.0, F32))))
            x = do(MinimumOp(x, do(MulOp(sign, do(constant_of(LARGEST, F32))))))
    return do(ConcatOp(values, axis=axis)), do(ConcatOp(indices, axis=axis))


def _ranks(do: _Ops, x: SSAValue, k: int) -> tuple[SSAValue, SSAValue]:
    """Of rows [rows, n]: the rank of each element is how many are larger, or equal and before it; the k first ranks are
    found by comparison. Values and indices in f32, [rows, k]."""
    rows, n = shape_of(x)
    one, other = do(ReshapeOp(x, shape=[rows, n, 1])), do(ReshapeOp(x, shape=[rows, 1, n]))
    above = do(CastOp(do(CompareOp(other, one, direction="gt")), to=F32))
    equal = do(CastOp(do(CompareOp(other, one, direction="eq")), to=F32))
    before = do(CompareOp(do(count_along((n, n), 1)), do(count_along((n, n), 0)), direction="lt"))
    ties = do(MulOp(equal, do(CastOp(before, to=F32))))
    rank = do(ReduceSumOp(do(AddOp(above, ties)), axes=[2]))
    wanted = do(count_along((1, k, 1), 1))
    hit = do(CastOp(do(CompareOp(do(ReshapeOp(rank, shape=[rows, 1, n])), wanted, direction="eq")), to=F32))
    values = do(ReduceSumOp(do(MulOp(hit, other)), axes=[2]))
    indices = do(ReduceSumOp(do(MulOp(hit, do(count_along((1, 1, n), 2)))), axes=[2]))
    return values, indices


def _topk(op: Any) -> list[Operation]:
    do = _Ops()
    shape, k = shape_of(op.x), op.k.value.data
    axis = op.axis.value.data % len(shape)
    element = element_of(op.x)
    x = op.x if element == F32 else do(CastOp(op.x, to=F32))
    smallest = not op.largest.value.data
    x = do(NegOp(x)) if smallest else x
    if k > MOST_ROUNDS and axis == len(shape) - 1 and shape[axis] <= MOST_RANKED:
        values, indices = _ranks(do, do(ReshapeOp(x, shape=[prod(shape[:-1]), shape[-1]])), k)
        result = [*shape[:-1], k]
        values, indices = do(ReshapeOp(values, shape=result)), do(ReshapeOp(indices, shape=result))
    else:
        values, indices = _rounds(do, x, axis, k)
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


def _scatter(op: Any) -> list[Operation]:
    """The product of the transposed one-hot matrix of the indices with the rows that they take."""
    do = _Ops()
    shape, element = shape_of(op.x), element_of(op.x)
    count, width = prod(shape_of(op.indices)), prod(shape[1:])
    indices = do(ReshapeOp(op.indices, shape=[count]))
    hot = do(OneHotOp(indices, depth=shape[0], to=element))
    rows = do(ReshapeOp(op.updates, shape=[count, width]))
    put = do(MatmulOp(hot, rows, transpose_a=True))
    x = do(ReshapeOp(op.x, shape=[shape[0], width]))
    if op.reduction.data == "add":
        y = do(AddOp(x, put))
    else:
        taken = do(ReshapeOp(do(ReduceMaxOp(hot, axes=[0])), shape=[shape[0], 1]))
        y = do(SelectOp(do(CastOp(taken, to=I1)), put, x))
    return [*do.made, ReshapeOp(y, shape=shape)]


@irdl_op_definition
class ScatterOp(GraphOp):
    """x with its rows x[i] at `indices` (i32) replaced by those of `updates`, indices + x[1:]; no index stands there
    twice. With reduction = "add" rows are added, as often as an index stands there. Updates are finite.

    %y = graph.scatter %x, %i, %u : (tensor<10x8xf16>, tensor<3xi32>, tensor<3x8xf16>) -> tensor<10x8xf16>
    """

    name = "graph.scatter"
    SAME_ELEMENT_TYPE: ClassVar = False
    TAKES_I32: ClassVar = True
    TILING: ClassVar = Composite(_scatter)
    CHOICES: ClassVar = {"reduction": ("none", "add")}
    x = operand_def(TensorType)
    indices = operand_def(TensorType)
    updates = operand_def(TensorType)
    result = result_def(TensorType)
    reduction = prop_def(STR, default_value=to_attribute("str", "none"))

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        x, indices, updates = types
        check_indices(cls, "indices", indices)
        if x.element_type not in FLOATS or x.element_type != updates.element_type:
            cls.fail(
                f"x and updates must be of one floating-point type, got {x.element_type} and {updates.element_type}"
            )
        wanted = (*indices.get_shape(), *x.get_shape()[1:])
        if not x.get_shape() or updates.get_shape() != wanted:
            cls.fail(f"updates {dims(updates)} must be indices {dims(indices)} and a row of x {dims(x)}")
        return (x,)

    def indexed(self, index: int) -> int | None:
        return shape_of(self.x)[0] if index == 1 else None
