"""Ops that compute nothing: constants, and other names for the same elements."""

from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.traits import ConstantLike, Pure

from ..tiling import VectorBuilder
from .base import FLOAT, INTS, TENSOR, TENSOR_TYPE, GraphOp, Types, Values, dims, to_attribute
from .elements import from_array, tensor_type
from .elementwise import UnaryOp
from .rules import View, pointwise


@irdl_op_definition
class ConstantOp(GraphOp):
    """A tensor known at compile time: dense elements, or a reference to a file of weights.

    %y = graph.constant dense<[1.0, 2.5]> : tensor<2xf16>
    """

    name = "graph.constant"
    TILING: ClassVar = View()
    traits = traits_def(Pure(), ConstantLike())
    result = result_def(TENSOR_TYPE)
    value = prop_def(TENSOR)
    FORMAT: ClassVar[str] = "$value attr-dict"

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        return (tensor_type(attributes["value"]),)


def constant_of(value: Any, element_type: Attribute) -> ConstantOp:
    """A constant of a number (rank 0) or an array, rounded to `element_type`."""
    import numpy as np

    return ConstantOp(value=from_array(np.asarray(value), element_type))


@irdl_op_definition
class ReshapeOp(GraphOp):
    """The elements of x in row-major order under another shape, which may leave one size (-1) open.

    %y = graph.reshape %x {shape = array<i64: 2, -1>} : (tensor<4x6xf16>) -> tensor<2x12xf16>
    """

    name = "graph.reshape"
    TILING: ClassVar = View()
    x = operand_def(TensorType)
    result = result_def(TensorType)
    shape = prop_def(INTS)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        shape: list[int] = list(attributes["shape"])
        if shape.count(-1) > 1 or min(shape, default=0) < -1:
            cls.fail(f"shape {shape} may hold one -1 and no other negative size")
        if any(size < 0 for size in types[0].get_shape()):
            return (TensorType(types[0].element_type, shape),)
        count, known = prod(types[0].get_shape()), prod(size for size in shape if size >= 0)
        fits = count == known if -1 not in shape else known > 0 and count % known == 0
        if not fits:
            many = " times n" * (-1 in shape)
            cls.fail(f"{dims(types[0])} has {count} elements, shape {shape} holds {known}{many}")
        return (TensorType(types[0].element_type, [size if size >= 0 else count // known for size in shape]),)


def reshaped(x: SSAValue | Operation, shape: Sequence[int]) -> ReshapeOp:
    """x under the shape of a tensor, whose first dimension may be dynamic."""
    return ReshapeOp(x, shape=[max(size, -1) for size in shape])


def _same(b: VectorBuilder, x: SSAValue, **_: float) -> SSAValue:
    return x


@irdl_op_definition
class DropoutOp(UnaryOp):
    """Dropout at inference: x itself. `ratio` is kept from the trained model.

    %y = graph.dropout %x {ratio = 0.1} : (tensor<8xf16>) -> tensor<8xf16>
    """

    name = "graph.dropout"
    TILING: ClassVar = pointwise(_same)
    ratio = prop_def(FLOAT, default_value=to_attribute("float", 0.5))

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        if not 0.0 <= attributes["ratio"] <= 1.0:
            cls.fail(f"ratio must lie in [0, 1], got {attributes['ratio']}")
        return (types[0],)
