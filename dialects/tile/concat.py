"""A tensor whose parts lie in it one behind the other, where their kernels write them."""

from collections.abc import Sequence
from math import prod
from typing import ClassVar, cast

from xdsl.dialects.builtin import IntegerAttr, TensorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..element_types import BLOCK_BYTES, ELEMENT_BYTES
from ..late_format import LateFormat
from .layout import layout_of, physical_shape
from .types import BLOCK


@irdl_op_definition
class ConcatOp(LateFormat):
    """Tensors side by side along `axis`. No bytes move: the kernels that give the parts write them to their places in
    the joined tensor. Each part is a whole number of 32 B blocks and lies in GM without gaps.

        %y = tile.concat %a, %b {axis = 1} : tensor<1x64x55x55xf16>, tensor<1x64x55x55xf16> -> tensor<1x128x55x55xf16>
    """

    name = "tile.concat"
    parts = var_operand_def(TensorType)
    axis = prop_def(IntegerAttr)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = "$parts attr-dict `:` type($parts) `->` type($result)"

    def __init__(self, parts: Sequence[SSAValue], axis: int, result_type: Attribute):
        super().__init__(
            operands=[list(parts)], properties={"axis": IntegerAttr(axis, i64)}, result_types=[result_type]
        )

    def verify_(self) -> None:
        result = self.result.type
        kinds = [cast(TensorType[Attribute], part.type) for part in self.parts]
        axis, shape = self.axis.value.data, result.get_shape()
        if not 0 <= axis < len(shape):
            raise VerifyException(f"tile.concat: axis {axis} of a tensor of rank {len(shape)}")
        for kind in kinds:
            same = [n for d, n in enumerate(kind.get_shape()) if d != axis]
            if kind.element_type != result.element_type or layout_of(kind) != layout_of(result):
                raise VerifyException(f"tile.concat: {kind} does not lie as {result}")
            if same != [n for d, n in enumerate(shape) if d != axis]:
                raise VerifyException(f"tile.concat: {kind} is no part of {result}")
            physical_shape(kind)
            if not lies_whole(kind, axis):
                raise VerifyException(f"tile.concat: {kind} has gaps in {result}")
            if bytes_of(kind) % BLOCK_BYTES:
                raise VerifyException(f"tile.concat: {kind} ends inside a block of {BLOCK_BYTES} B")
        if sum(kind.get_shape()[axis] for kind in kinds) != shape[axis]:
            raise VerifyException(f"tile.concat: the parts do not add up to {result}")


def bytes_of(kind: TensorType[Attribute]) -> int:
    """Bytes of a static tensor in GM."""
    return ELEMENT_BYTES[str(kind.element_type)] * prod(kind.get_shape())


def lies_whole(kind: TensorType[Attribute], axis: int) -> bool:
    """Whether a part of a tensor along `axis` has its bytes one behind the other: no dimension that is more than one
    long lies outside of the axis, and it is cut between blocks."""
    layout, shape = layout_of(kind), kind.get_shape()
    order = tuple(range(len(shape))) if layout is None else layout.dims
    if layout is not None and layout.blocked == axis and shape[axis] % BLOCK:
        return False
    return all(shape[d] == 1 for d in order[: order.index(axis)])
