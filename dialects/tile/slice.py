"""A part of a tensor that lies in it in one piece."""

from math import prod
from typing import ClassVar, cast

from xdsl.dialects.builtin import IntegerAttr, TensorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..element_types import BLOCK_BYTES, bytes_of
from ..late_format import LateFormat
from .concat import lies_whole
from .layout import layout_of


@irdl_op_definition
class SliceOp(LateFormat):
    """The part of a tensor from index `start` of dimension `axis` on. No bytes move: who reads it reads the tensor. The
    part begins with a 32 B block and has no gaps.

    %y = tile.slice %x {axis = 1, start = 64} : tensor<1x128x28x28xf16> -> tensor<1x64x28x28xf16>
    """

    name = "tile.slice"
    source = operand_def(TensorType)
    axis = prop_def(IntegerAttr)
    start = prop_def(IntegerAttr)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = "$source attr-dict `:` type($source) `->` type($result)"

    def __init__(self, source: SSAValue, axis: int, start: int, result_type: Attribute):
        super().__init__(
            operands=[source],
            properties={"axis": IntegerAttr(axis, i64), "start": IntegerAttr(start, i64)},
            result_types=[result_type],
        )

    @property
    def offset(self) -> int:
        """Where the part begins, in bytes."""
        return offset_of(
            cast(TensorType[Attribute], self.source.type), self.axis.value.data, self.start.value.data
        )

    def verify_(self) -> None:
        whole, part = (cast(TensorType[Attribute], v.type) for v in (self.source, self.result))
        axis, start, shape = self.axis.value.data, self.start.value.data, whole.get_shape()
        if not 0 <= axis < len(shape):
            raise VerifyException(f"tile.slice: axis {axis} of a tensor of rank {len(shape)}")
        if min(*shape, *part.get_shape()) < 0 or layout_of(whole) is not None or layout_of(part) is not None:
            raise VerifyException("tile.slice: a part of a static tensor in rows")
        same = [n for d, n in enumerate(shape) if d != axis]
        others = [n for d, n in enumerate(part.get_shape()) if d != axis]
        if len(part.get_shape()) != len(shape) or same != others or part.element_type != whole.element_type:
            raise VerifyException(f"tile.slice: {part} is no part of {whole} along dimension {axis}")
        if not 0 <= start <= shape[axis] - part.get_shape()[axis]:
            raise VerifyException(f"tile.slice: {part} from index {start} on is not inside of {whole}")
        if not lies_whole(whole, axis):
            raise VerifyException(f"tile.slice: {part} has gaps in {whole}")
        if self.offset % BLOCK_BYTES:
            raise VerifyException(f"tile.slice: a part begins with a 32 B block, not at byte {self.offset}")


def offset_of(whole: TensorType[Attribute], axis: int, start: int) -> int:
    """Where a part of a static tensor in rows begins, in bytes."""
    return start * prod(whole.get_shape()[axis + 1 :]) * bytes_of(whole.element_type)
