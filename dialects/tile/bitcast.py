"""The same bytes of GM under another type."""

from typing import ClassVar, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..late_format import LateFormat
from .layout import physical_shape


@irdl_op_definition
class BitcastOp(LateFormat):
    """A tensor's bytes under a type that says how they lie in blocks, or back. No bytes move.

    %x = tile.bitcast %x5
        : tensor<1x32x14x14x16xf16> -> tensor<1x512x14x14xf16, #tile.layout<blocked 1 order [0, 1, 2, 3]>>
    """

    name = "tile.bitcast"
    source = operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    FORMAT: ClassVar[str] = "$source attr-dict `:` type($source) `->` type($result)"

    def __init__(self, source: SSAValue, result_type: TensorType[Attribute]):
        super().__init__(operands=[source], result_types=[result_type])

    def verify_(self) -> None:
        source, result = (cast(TensorType[Attribute], v.type) for v in (self.source, self.result))
        if source.element_type != result.element_type or physical_shape(source) != physical_shape(result):
            raise VerifyException(f"tile.bitcast: {source} and {result} are not the same bytes of GM")
