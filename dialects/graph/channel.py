"""Ops that combine a tensor with one value per channel."""

from typing import Any, ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def

from ..graph import computes
from .base import FLOAT, INT, AnyTensor, GraphOp, Types, Values, dims, to_attribute
from .rules import Pointwise, channel_maps


def _bias(b: Any, x: Any, bias: Any, axis: int) -> Any:
    return computes.add(b, x, bias)


@irdl_op_definition
class BiasAddOp(GraphOp):
    """x plus the vector b along dimension `axis` (negative counts from the end).

    %y = graph.bias_add %x, %b : (tensor<1x8x4x4xf16>, tensor<8xf16>) -> tensor<1x8x4x4xf16>
    """

    name = "graph.bias_add"
    TILING: ClassVar = Pointwise(_bias, channel_maps, accepts_scalars=True, drain="bias")
    x = operand_def(TensorType)
    b = operand_def(TensorType)
    result = result_def(TensorType)
    axis = prop_def(INT, default_value=to_attribute("int", 1))

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        x, b = types
        rank, axis = len(x.get_shape()), int(attributes["axis"])
        if not -rank <= axis < rank:
            cls.fail(f"axis {axis} is outside x of shape {dims(x)} (rank {rank})")
        if not is_vector(b, x.get_shape()[axis]):
            cls.fail(f"bias {dims(b)} must be a vector along axis {axis} of x {dims(x)}")
        return (x,)


@irdl_op_definition
class BatchNormOp(GraphOp):
    """Batch normalisation at inference, over channel axis 1: (x - mean) scale / sqrt(var + epsilon) + bias.

    %y = graph.batch_norm %x, %s, %b, %m, %v : (tensor<1x8x4x4xf16>, tensor<8xf16>, tensor<8xf16>,
        tensor<8xf16>, tensor<8xf16>) -> tensor<1x8x4x4xf16>
    """

    name = "graph.batch_norm"
    TILING: ClassVar = Pointwise(computes.in_f32(computes.batch_norm), channel_maps)
    x = operand_def(TensorType)
    scale = operand_def(TensorType)
    bias = operand_def(TensorType)
    mean = operand_def(TensorType)
    var = operand_def(TensorType)
    result = result_def(TensorType)
    epsilon = prop_def(FLOAT, default_value=to_attribute("float", 1e-5))

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        x = types[0]
        if len(x.get_shape()) < 2:
            cls.fail(f"x needs a batch and a channel dimension, got shape {dims(x)}")
        for name, type_ in zip(cls.operand_names()[1:], types[1:], strict=True):
            if not is_vector(type_, x.get_shape()[1]):
                cls.fail(f"{name} {dims(type_)} must be a vector along the channels (axis 1) of x {dims(x)}")
        if attributes["epsilon"] < 0:
            cls.fail(f"epsilon must not be negative, got {attributes['epsilon']}")
        return (x,)


def is_vector(type_: AnyTensor, size: int) -> bool:
    """Whether the tensor has rank 1 and `size` elements; a dynamic size fits any."""
    shape = type_.get_shape()
    return len(shape) == 1 and (shape[0] == size or min(shape[0], size) < 0)
