"""Rotary position embedding, made of slices, products and a concatenation."""

from typing import Any, ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def

from .base import BOOL, GraphOp, Types, Values, dims, to_attribute
from .elementwise import AddOp, MulOp, SubOp, broadcast
from .movement import ConcatOp
from .rules import Composite, shape_of
from .slicing import SliceOp
from .structure import ReshapeOp


def _rope(op: Any) -> list[Operation]:
    """(a, b) to (a cos - b sin, b cos + a sin): a and b are the halves of a row, or of each pair."""
    shape = shape_of(op.x)
    half, last = shape[-1] // 2, len(shape) - 1
    ops: list[Operation] = []

    def do(new: Operation) -> SSAValue:
        ops.append(new)
        return new.results[0]

    if op.interleaved.value.data:
        a, b = (do(SliceOp(op.x, starts=[i], ends=[shape[-1]], axes=[last], steps=[2])) for i in (0, 1))
    else:
        a, b = (do(SliceOp(op.x, starts=[i], ends=[i + half], axes=[last])) for i in (0, half))
    first = do(SubOp(do(MulOp(a, op.cos)), do(MulOp(b, op.sin))))
    second = do(AddOp(do(MulOp(b, op.cos)), do(MulOp(a, op.sin))))
    if op.interleaved.value.data:
        first, second = (do(ReshapeOp(part, shape=[*shape[:-1], half, 1])) for part in (first, second))
        do(ReshapeOp(do(ConcatOp([first, second], axis=last + 1)), shape=shape))
    else:
        do(ConcatOp([first, second], axis=last))
    return ops


@irdl_op_definition
class RopeOp(GraphOp):
    """Rotary position embedding of x [.., S, D] by cos and sin [.., S, D / 2], which broadcast: the first half of a row
    and its second half are turned together, or with `interleaved` the elements of each pair.

    %y = graph.rope %x, %c, %s : (tensor<2x4x8x32xf16>, tensor<8x16xf16>, tensor<8x16xf16>) -> tensor<2x4x8x32xf16>
    """

    name = "graph.rope"
    TILING: ClassVar = Composite(_rope)
    x = operand_def(TensorType)
    cos = operand_def(TensorType)
    sin = operand_def(TensorType)
    result = result_def(TensorType)
    interleaved = prop_def(BOOL, default_value=to_attribute("bool", False))

    @classmethod
    def infer_types(cls, types: Types, attributes: Values) -> Types:
        x, cos, sin = types
        shape = x.get_shape()
        half = (*shape[:-1], shape[-1] // 2) if shape else ()
        fits = all(broadcast(half, part.get_shape()) == half for part in (cos, sin))
        if not shape or shape[-1] % 2 or shape[-1] < 0 or not fits:
            cls.fail(f"cos {dims(cos)} and sin {dims(sin)} do not broadcast to half the rows of x {dims(x)}")
        return (x,)
