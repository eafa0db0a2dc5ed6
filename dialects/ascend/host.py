"""What the host does with tensors before and after it calls a variant."""

from typing import ClassVar

from xdsl.dialects.builtin import FloatAttr, IndexType, MemRefType, TensorType, f32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..late_format import LateFormat


@irdl_op_definition
class FitOp(LateFormat):
    """The host gives a tensor the size that a variant of static shapes takes, or takes its result at the run-time size:
    `value` lies past the elements that there are, or those past the size `n` are left out.

    %y = ascend.fit %x {value = 0.0 : f32} : memref<1x?x64xf16, "gm"> -> memref<1x128x64xf16, "gm">
    %z = ascend.fit %y, %n : memref<1x128x64xf16, "gm"> -> memref<1x?x64xf16, "gm">
    """

    name = "ascend.fit"
    source = operand_def(MemRefType | TensorType)
    size = opt_operand_def(IndexType)
    value = opt_prop_def(FloatAttr)
    result = result_def(MemRefType | TensorType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = "$source (`,` $size^)? attr-dict `:` type($source) `->` type($result)"

    def __init__(
        self, source: SSAValue, kind: Attribute, value: float | None = None, size: SSAValue | None = None
    ):
        super().__init__(
            operands=[source, size],
            properties={"value": None if value is None else FloatAttr(value, f32)},
            result_types=[kind],
        )

    def verify_(self) -> None:
        if (self.value is None) == (self.size is None):
            raise VerifyException(
                "ascend.fit: it takes the value past the elements, or the size of the result"
            )
