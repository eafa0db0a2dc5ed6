"""Ops that compute each result element from the operands' elements at the same place."""

import sys
from abc import ABC
from typing import Any, ClassVar

from xdsl.dialects.builtin import Float32Type, TensorType
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def

from ..graph import computes, math_computes
from ..tiling import TilingRule
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


_TWO = "%a, %b : (tensor<4x8xf16>, tensor<8xf16>) -> tensor<4x8xf16>"


def _op_class(
    base: type[GraphOp], name: str, says: str, example: str, rule: TilingRule, integers: bool
) -> Any:
    """The class of an op that is its base's but for its name, its rule and what it says. It is of the module that calls
    `unary` or `binary`, where pickle looks for it."""
    doc = f"{says}\n\n%y = graph.{name} {example}\n"
    title = "".join(part.capitalize() for part in name.split("_")) + "Op"
    members: dict[str, Any] = {
        "__doc__": doc,
        "__module__": sys._getframe(2).f_globals["__name__"],  # pyright: ignore[reportPrivateUsage]
        "name": f"graph.{name}",
        "TILING": rule,
        "TAKES_I32": integers,
    }
    members["__annotations__"] = {"TILING": ClassVar, "TAKES_I32": ClassVar}
    return irdl_op_definition(type(title, (base,), members))


def unary(name: str, says: str, rule: TilingRule, integers: bool = False) -> type[UnaryOp]:
    """An op of one tensor, element by element, without attributes; with `integers` of i32 too."""
    return _op_class(UnaryOp, name, says, "%x : (tensor<8xf16>) -> tensor<8xf16>", rule, integers)


def binary(name: str, says: str, rule: TilingRule, integers: bool = True) -> type[BinaryOp]:
    """An op of two tensors that broadcast, element by element, without attributes; with `integers` of i32 too."""
    return _op_class(BinaryOp, name, says, _TWO, rule, integers)


AddOp = binary("add", "a + b.", pointwise_scalar(computes.add, drain="bias"))
SubOp = binary("sub", "a - b.", pointwise_scalar(computes.sub))
MulOp = binary("mul", "a b.", pointwise_scalar(computes.mul))
DivOp = binary(
    "div",
    "a / b; of i32 without what is after the point, as in ONNX, where b is not 0.",
    pointwise_scalar(computes.div),
)
MaximumOp = binary("maximum", "The larger of a and b.", pointwise_scalar(computes.maximum))
MinimumOp = binary("minimum", "The smaller of a and b.", pointwise_scalar(computes.minimum))
PowOp = binary(
    "pow",
    "a to the power of b. Where a is negative, b is a splat constant that is a whole number.",
    pointwise_scalar(math_computes.power),
    integers=False,
)


@irdl_op_definition
class CastOp(GraphOp):
    """x converted to element type `to`, rounded to nearest even. To i8 and i32: without what is after the point, held
    to the range, NaN gives 0. To i1: whether x is not 0; from i1: 0 or 1.

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
