"""Comparisons, and what is done with their results: tensors of i1, a byte each in GM, 0 or 1.

In a kernel a comparison is a bit mask; one that was loaded, or is made of others, is a tile of f16 numbers 0 and 1.
"""

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IntegerType, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def

from ..graph import logic_computes
from ..records import dataclass
from ..tiling import DIRECTIONS, VectorBuilder
from .base import STR, GraphOp, Types, Values, dims
from .elementwise import BinaryOp, UnaryOp, broadcast
from .rules import Pointwise, TileFunction, element_of, pointwise, pointwise_scalar

I1 = IntegerType(1)


@dataclass(frozen=True)
class Selected(Pointwise):
    """One of two elements by a mask; both may be numbers, which have the result's type."""

    function: TileFunction = logic_computes.select
    accepts_scalars: bool = True

    def compute(self, op: Operation, b: VectorBuilder, operands: Sequence[SSAValue], /) -> SSAValue:
        return self.function(b, *operands, dtype=str(element_of(op.results[0])))


class _LogicalOp(BinaryOp, ABC):
    """Of two tensors of i1."""

    TAKES_I1: ClassVar = True

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        if types[0].element_type != I1:
            cls.fail(f"a and b must be i1, got {types[0].element_type}")
        return super().infer_types(types, attributes)


@irdl_op_definition
class CompareOp(BinaryOp):
    """a == b, a != b, a < b, a <= b, a > b or a >= b, as direction says. NaN is only unequal.

    %y = graph.compare %a, %b {direction = "lt"} : (tensor<4x8xf16>, tensor<8xf16>) -> tensor<4x8xi1>
    """

    name = "graph.compare"
    TILING: ClassVar = pointwise_scalar(logic_computes.compare)
    TAKES_I1: ClassVar = True
    TAKES_I32: ClassVar = True
    SELECTS: ClassVar = False
    CHOICES: ClassVar = {"direction": DIRECTIONS}
    direction = prop_def(STR)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        (result,) = super().infer_types(types, attributes)
        return (TensorType(I1, result.get_shape()),)


@irdl_op_definition
class IsNanOp(UnaryOp):
    """Whether x is not a number.

    %y = graph.is_nan %x : (tensor<8xf16>) -> tensor<8xi1>
    """

    name = "graph.is_nan"
    TILING: ClassVar = pointwise(logic_computes.is_nan)
    TAKES_I1: ClassVar = True

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        return (TensorType(I1, types[0].get_shape()),)


@irdl_op_definition
class LogicalAndOp(_LogicalOp):
    """Whether a and b hold.

    %y = graph.logical_and %a, %b : (tensor<4x8xi1>, tensor<8xi1>) -> tensor<4x8xi1>
    """

    name = "graph.logical_and"
    TILING: ClassVar = pointwise(logic_computes.logical_and)


@irdl_op_definition
class LogicalNotOp(UnaryOp):
    """Whether x does not hold.

    %y = graph.logical_not %x : (tensor<8xi1>) -> tensor<8xi1>
    """

    name = "graph.logical_not"
    TILING: ClassVar = pointwise(logic_computes.logical_not)
    TAKES_I1: ClassVar = True

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        if types[0].element_type != I1:
            cls.fail(f"x must be i1, got {types[0].element_type}")
        return (types[0],)


@irdl_op_definition
class LogicalOrOp(_LogicalOp):
    """Whether a or b holds, or both.

    %y = graph.logical_or %a, %b : (tensor<4x8xi1>, tensor<8xi1>) -> tensor<4x8xi1>
    """

    name = "graph.logical_or"
    TILING: ClassVar = pointwise(logic_computes.logical_or)


@irdl_op_definition
class LogicalXorOp(_LogicalOp):
    """Whether either a or b holds.

    %y = graph.logical_xor %a, %b : (tensor<4x8xi1>, tensor<8xi1>) -> tensor<4x8xi1>
    """

    name = "graph.logical_xor"
    TILING: ClassVar = pointwise(logic_computes.logical_xor)


@irdl_op_definition
class SelectOp(GraphOp):
    """a where cond holds, else b; the three broadcast as in numpy.

    %y = graph.select %c, %a, %b : (tensor<4x8xi1>, tensor<4x8xf16>, tensor<f16>) -> tensor<4x8xf16>
    """

    name = "graph.select"
    TILING: ClassVar = Selected()
    TAKES_I1: ClassVar = True
    TAKES_I32: ClassVar = True
    SAME_ELEMENT_TYPE: ClassVar = False
    SELECTS: ClassVar = True
    cond = operand_def(TensorType)
    a = operand_def(TensorType)
    b = operand_def(TensorType)
    result = result_def(TensorType)

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        cond, a, b = types
        if cond.element_type != I1:
            cls.fail(f"cond must be i1, got {cond.element_type}")
        if a.element_type != b.element_type:
            cls.fail(f"a and b must have one element type, got {a.element_type} and {b.element_type}")
        both = broadcast(a.get_shape(), b.get_shape())
        shape = None if both is None else broadcast(both, cond.get_shape())
        if shape is None:
            cls.fail(f"shapes {dims(cond)}, {dims(a)} and {dims(b)} do not broadcast")
        return (TensorType(a.element_type, shape),)
