"""Ops that compute each result element from the operands' elements at the same place."""

from abc import ABC
from typing import ClassVar

from xdsl.dialects.builtin import AnyFloat, TensorType
from xdsl.irdl import (
    irdl_op_definition,
    irdl_to_attr_constraint,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)

from . import computes
from .base import DTYPE, FLOAT, STR, GraphOp, Types, Values, dims, to_attribute
from .rules import instruction, pointwise, pointwise_scalar

FLOAT_ELEMENT = irdl_to_attr_constraint(AnyFloat)


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
class NegOp(UnaryOp):
    """-x.

    %y = graph.neg %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.neg"
    TILING: ClassVar = pointwise(computes.neg)


@irdl_op_definition
class AbsOp(UnaryOp):
    """|x|.

    %y = graph.abs %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.abs"
    TILING: ClassVar = instruction("abs")


@irdl_op_definition
class ExpOp(UnaryOp):
    """e to the x.

    %y = graph.exp %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.exp"
    TILING: ClassVar = instruction("exp")


@irdl_op_definition
class SqrtOp(UnaryOp):
    """The square root of x.

    %y = graph.sqrt %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.sqrt"
    TILING: ClassVar = instruction("sqrt")


@irdl_op_definition
class RsqrtOp(UnaryOp):
    """1 / sqrt(x).

    %y = graph.rsqrt %x : (tensor<8xf32>) -> tensor<8xf32>
    """

    name = "graph.rsqrt"
    TILING: ClassVar = instruction("rsqrt")


@irdl_op_definition
class ReciprocalOp(UnaryOp):
    """1 / x.

    %y = graph.reciprocal %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.reciprocal"
    TILING: ClassVar = instruction("reciprocal")


@irdl_op_definition
class TanhOp(UnaryOp):
    """The hyperbolic tangent of x.

    %y = graph.tanh %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.tanh"
    TILING: ClassVar = pointwise(computes.in_f32(computes.tanh))


@irdl_op_definition
class ErfOp(UnaryOp):
    """The error function of x.

    %y = graph.erf %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.erf"
    TILING: ClassVar = pointwise(computes.erf_by_storage)


@irdl_op_definition
class SigmoidOp(UnaryOp):
    """1 / (1 + exp(-x)).

    %y = graph.sigmoid %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.sigmoid"
    TILING: ClassVar = pointwise(computes.in_f32(computes.sigmoid))


@irdl_op_definition
class ReluOp(UnaryOp):
    """max(x, 0).

    %y = graph.relu %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.relu"
    TILING: ClassVar = instruction("relu", drain="relu")


@irdl_op_definition
class LeakyReluOp(UnaryOp):
    """x where x >= 0, else alpha x.

    %y = graph.leaky_relu %x {alpha = 0.1} : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.leaky_relu"
    TILING: ClassVar = instruction("leaky_relu", drain="leaky_relu")
    alpha = prop_def(FLOAT, default_value=to_attribute("float", 0.01))


@irdl_op_definition
class PReluOp(GraphOp):
    """x where x >= 0, else slope x; slope broadcasts to x.

    %y = graph.prelu %x, %s : (tensor<1x8x4x4xf16>, tensor<8x1x1xf16>) -> tensor<1x8x4x4xf16>
    """

    name = "graph.prelu"
    TILING: ClassVar = pointwise(computes.prelu, drain="prelu")
    x = operand_def(TensorType)
    slope = operand_def(TensorType)
    result = result_def(TensorType)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        x, slope = types
        if x.element_type != slope.element_type:
            cls.fail(f"x and slope have different element types: {x.element_type} and {slope.element_type}")
        if broadcast(x.get_shape(), slope.get_shape()) != x.get_shape():
            cls.fail(f"slope {dims(slope)} does not broadcast to x {dims(x)}")
        return (x,)


@irdl_op_definition
class ClipOp(UnaryOp):
    """x limited to [min, max]; an absent bound does not limit.

    %y = graph.clip %x {min = 0.0, max = 6.0} : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.clip"
    TILING: ClassVar = pointwise(computes.clip)
    min = opt_prop_def(FLOAT)
    max = opt_prop_def(FLOAT)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        low, high = attributes["min"], attributes["max"]
        if low is not None and high is not None and low > high:
            cls.fail(f"min = {low} is above max = {high}")
        return (types[0],)


@irdl_op_definition
class GeluOp(UnaryOp):
    """x (1 + erf(x / sqrt 2)) / 2; with approximate = "tanh", x (1 + tanh(z)) / 2 where
    z = sqrt(2/pi) (x + 0.044715 x^3).

    %y = graph.gelu %x {approximate = "tanh"} : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.gelu"
    TILING: ClassVar = pointwise(computes.gelu)
    CHOICES: ClassVar = {"approximate": ("none", "tanh")}
    approximate = prop_def(STR, default_value=to_attribute("str", "none"))


@irdl_op_definition
class SiluOp(UnaryOp):
    """x sigmoid(x).

    %y = graph.silu %x : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.silu"
    TILING: ClassVar = pointwise(computes.in_f32(computes.silu))


@irdl_op_definition
class CastOp(GraphOp):
    """x converted to element type `to`, rounded to nearest even.

    %y = graph.cast %x {to = f32} : (tensor<8xf16>) -> tensor<8xf32>
    """

    name = "graph.cast"
    TILING: ClassVar = pointwise(computes.cast_to)
    x = operand_def(TensorType)
    result = result_def(TensorType)
    to = prop_def(DTYPE)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        return (TensorType(attributes["to"], types[0].get_shape()),)
