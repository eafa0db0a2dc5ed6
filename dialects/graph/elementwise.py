"""Ops that compute each result element from the operands' elements at the same place."""

from abc import ABC
from typing import ClassVar

from xdsl.dialects.builtin import Float32Type, TensorType
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def

from . import computes, math_computes
from .base import DTYPE, GraphOp, Types, Values, dims
from .rules import pointwise, pointwise_scalar


F32 = Float32Type()


def broadcast(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...] | None:
    """The numpy shape of `a` against `b`, or None if they do not fit. A dynamic size fits any."""
    rank = max(len(a), len(b))
    result: list[int] = []
    for x, y in zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b, strict=True):
        if x == y or y == 1:
            result.append(x)
        elif x == 1 or x < 0:
            result.append(y)
        elif y < 0:
            result.append(x)
        else:
            return None
    return tuple(result)


class UnaryOp(GraphOp, ABC):
    """The result has the operand's type."""

    x = operand_def(TensorType)
    result = result_def(TensorType)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        return (types[0],)


class BinaryOp(GraphOp, ABC):
    """The result has the operands' shapes broadcast as in numpy: right-aligned, size 1 is repeated."""

    a = operand_def(TensorType)
    b = operand_def(TensorType)
    result = result_def(TensorType)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        a, b = types
        shape = broadcast(a.get_shape(), b.get_shape())
        if shape is None:
            cls.fail(f"shapes {dims(a)} and {dims(b)} do not broadcast")
        return (TensorType(a.element_type, shape),)


@irdl_op_definition
class AddOp(BinaryOp):
    """a + b.

    %y = graph.add %a, %b : (tensor<4x8xf16>, tensor<8xf16>) -> tensor<4x8xf16>
    """

    name = "graph.add"
    TILING: ClassVar = pointwise_scalar(computes.add, drain="bias")


@irdl_op_definition
class SubOp(BinaryOp):
    """a - b.

    %y = graph.sub %a, %b : (tensor<4x8xf16>, tensor<f16>) -> tensor<4x8xf16>
    """

    name = "graph.sub"
    TILING: ClassVar = pointwise_scalar(computes.sub)


@irdl_op_definition
class MulOp(BinaryOp):
    """a b.

    %y = graph.mul %a, %b : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
    """

    name = "graph.mul"
    TILING: ClassVar = pointwise_scalar(computes.mul)


@irdl_op_definition
class DivOp(BinaryOp):
    """a / b.

    %y = graph.div %a, %b : (tensor<1x8xf16>, tensor<4x1xf16>) -> tensor<4x8xf16>
    """

    name = "graph.div"
    TILING: ClassVar = pointwise_scalar(computes.div)


@irdl_op_definition
class PowOp(BinaryOp):
    """a to the power of b. Where a is negative, b is a splat constant that is a whole number.

    %y = graph.pow %a, %b : (tensor<4x8xf16>, tensor<f16>) -> tensor<4x8xf16>
    """

    name = "graph.pow"
    TILING: ClassVar = pointwise_scalar(math_computes.power)


@irdl_op_definition
class MaximumOp(BinaryOp):
    """The larger of a and b.

    %y = graph.maximum %a, %b : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.maximum"
    TILING: ClassVar = pointwise_scalar(computes.maximum)


@irdl_op_definition
class MinimumOp(BinaryOp):
    """The smaller of a and b.

    %y = graph.minimum %a, %b : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.minimum"
    TILING: ClassVar = pointwise_scalar(computes.minimum)


@irdl_op_definition
class CastOp(GraphOp):
    """x converted to element type `to`, rounded to nearest even. To i8 and i32: without what is after the point, held
    to the range, NaN gives 0; i32 is exact up to 2^24. To i1: whether x is not 0; from i1: 0 or 1.

    %y = graph.cast %x {to = f32} : (tensor<8xf16>) -> tensor<8xf32>
    """

    name = "graph.cast"
    TAKES_I1: ClassVar = True
    TAKES_I8: ClassVar = True
    TAKES_I32: ClassVar = True
    TILING: ClassVar = pointwise(math_computes.cast_to)
    x = operand_def(TensorType)
    result = result_def(TensorType)
    to = prop_def(DTYPE)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        return (TensorType(attributes["to"], types[0].get_shape()),)
