"""Activation functions."""

from typing import ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def, result_def

from ..graph import activation_computes, computes
from .base import FLOAT, STR, GraphOp, Types, Values, check_number, dims, to_attribute
from .computes import in_f32
from .elementwise import UnaryOp, broadcast, unary
from .rules import instruction, pointwise

SigmoidOp = unary("sigmoid", "1 / (1 + exp(-x)).", pointwise(in_f32(computes.sigmoid)))
ReluOp = unary("relu", "max(x, 0).", instruction("relu", drain="relu"), integers=True)
SiluOp = unary("silu", "x sigmoid(x).", pointwise(in_f32(computes.silu)))
HardSwishOp = unary(
    "hard_swish", "x times x / 6 + 1/2 limited to [0, 1].", pointwise(in_f32(activation_computes.hard_swish))
)
SoftplusOp = unary("softplus", "log(1 + exp(x)).", pointwise(in_f32(activation_computes.softplus)))
MishOp = unary("mish", "x tanh(log(1 + exp(x))).", pointwise(in_f32(activation_computes.mish)))


@irdl_op_definition
class HardSigmoidOp(UnaryOp):
    """alpha x + beta, limited to [0, 1].

    %y = graph.hard_sigmoid %x {alpha = 0.2} : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.hard_sigmoid"
    TILING: ClassVar = pointwise(in_f32(activation_computes.hard_sigmoid))
    alpha = prop_def(FLOAT, default_value=to_attribute("float", 0.2))
    beta = prop_def(FLOAT, default_value=to_attribute("float", 0.5))


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
class EluOp(UnaryOp):
    """x where x >= 0, else alpha (exp(x) - 1).

    %y = graph.elu %x {alpha = 1.0} : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.elu"
    TILING: ClassVar = pointwise(in_f32(activation_computes.elu))
    alpha = prop_def(FLOAT, default_value=to_attribute("float", 1.0))


@irdl_op_definition
class ClipOp(UnaryOp):
    """min(max(x, min), max): `max` everywhere where min is above it. An absent bound does not limit.

    %y = graph.clip %x {min = 0.0, max = 6.0} : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.clip"
    TAKES_I32: ClassVar = True
    TILING: ClassVar = pointwise(computes.clip)
    min = opt_prop_def(FLOAT)
    max = opt_prop_def(FLOAT)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        for name in ("min", "max"):
            check_number(cls, name, attributes[name], types[0])
        return super().infer_types(types, attributes)


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
