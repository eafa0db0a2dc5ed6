"""Ops between floating point and i8: a number is so many steps of `scale` from `zero_point`, as in ONNX."""

from math import isfinite
from typing import Any, ClassVar

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, TensorType, i8, i32
from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, prop_def, result_def

from ..graph import computes
from .base import DTYPE, FLOAT, INT, GraphOp, Types, Values, dims, to_attribute
from .rules import channel_maps, pointwise

FLOATS = (Float16Type(), BFloat16Type(), Float32Type())


class _Steps(GraphOp):
    """What both directions have: steps of one size for the whole tensor."""

    TAKES_I8: ClassVar = True
    scale = prop_def(FLOAT)
    zero_point = prop_def(INT, default_value=to_attribute("int", 0))

    @classmethod
    def _check_steps(cls, attributes: Values) -> None:
        scale, zero_point = attributes["scale"], attributes["zero_point"]
        if not (isfinite(scale) and 2.0**-126 <= scale <= 2.0**126):
            cls.fail(f"scale must be a positive number (2^-126 to 2^126), got {scale}")
        if not -128 <= zero_point <= 127:
            cls.fail(f"zero_point must be an i8 (-128 to 127), got {zero_point}")


@irdl_op_definition
class QuantizeOp(_Steps):
    """round(x / scale) + zero_point as i8: rounded half to even, then held to [-128, 127] (ONNX QuantizeLinear). NaN
    gives 0.

    %y = graph.quantize %x {scale = 0.05, zero_point = 3} : (tensor<4x8xf16>) -> tensor<4x8xi8>
    """

    name = "graph.quantize"
    TILING: ClassVar = pointwise(computes.quantize, drain="quantize")
    x = operand_def(TensorType)
    result = result_def(TensorType)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        cls._check_steps(attributes)
        if types[0].element_type not in FLOATS:
            cls.fail(f"x must be f16, bf16 or f32, got {types[0].element_type}")
        return (TensorType(i8, types[0].get_shape()),)


@irdl_op_definition
class DequantizeOp(_Steps):
    """(x - zero_point) scale, in element type `to` (ONNX DequantizeLinear), of i8, or of i32, whose zero_point is 0.
    `scales`, [C] of f32, are factors beside `scale`, one for each index along dimension `axis` of x.

    %y = graph.dequantize %x {scale = 0.05, to = f32} : (tensor<4x8xi8>) -> tensor<4x8xf32>
    """

    name = "graph.dequantize"
    TILING: ClassVar = pointwise(computes.dequantize, maps=channel_maps, drain="dequantize")
    TAKES_I32: ClassVar = True
    SAME_ELEMENT_TYPE: ClassVar = False
    x = operand_def(TensorType)
    scales = opt_operand_def(TensorType)
    result = result_def(TensorType)
    axis = prop_def(INT, default_value=to_attribute("int", -1))
    to = prop_def(DTYPE, default_value=Float16Type())

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        cls._check_steps(attributes)
        element, shape, axis = types[0].element_type, types[0].get_shape(), attributes["axis"]
        if element not in (i8, i32):
            cls.fail(f"x must be i8 or i32, got {element}")
        if element == i32 and attributes["zero_point"]:
            cls.fail(f"zero_point is 0 where x is i32, got {attributes['zero_point']}")
        if len(types) > 1:
            if not -len(shape) <= axis < len(shape):
                cls.fail(f"axis = {axis} is no dimension of x {dims(types[0])}")
            if types[1].element_type != Float32Type() or types[1].get_shape() != (shape[axis],):
                cls.fail(f"scales must be f32 of shape {shape[axis]} (dimension {axis} of x), got {types[1]}")
        to: Any = attributes["to"]
        if to not in FLOATS:
            cls.fail(f"to must be f16, bf16 or f32, got {to}")
        return (TensorType(to, shape),)
