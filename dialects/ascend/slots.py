"""Generations of a buffer: which slot of a ping-pong buffer the code that follows works on."""

from typing import ClassVar

from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def

from ..late_format import LateFormat
from ..operand_segments import quick_operands
from ..shared_attributes import INDEX


@quick_operands
@irdl_op_definition
class NextSlotOp(LateFormat):
    """Start the next generation of a buffer's contents and give its slot: 0, 1, …, slots - 1, 0, … in turn.

    A scalar counter of the core, advanced each time that the op runs. The views of one generation use its result,
    so that the op marks, for memory planning and synchronisation, where one lifetime starts.

        %slot = ascend.next_slot %buffer : memref<4096xf16, "ub">
    """

    name = "ascend.next_slot"
    buffer = operand_def(MemRefType)
    result = result_def(IndexType)
    FORMAT: ClassVar[str] = "$buffer attr-dict `:` type($buffer)"

    def __init__(self, buffer: SSAValue):
        Operation.__init__(self, operands=[buffer], result_types=[INDEX])


@quick_operands
@irdl_op_definition
class PreviousSlotOp(LateFormat):
    """The slot of the generation before the current one: where the last but one `ascend.next_slot` put its contents.

    A pipeline that finishes one tile while it works on the next one reads it.

        %slot = ascend.previous_slot %buffer : memref<4096xf32, "l0c">
    """

    name = "ascend.previous_slot"
    buffer = operand_def(MemRefType)
    result = result_def(IndexType)
    FORMAT: ClassVar[str] = "$buffer attr-dict `:` type($buffer)"

    def __init__(self, buffer: SSAValue):
        Operation.__init__(self, operands=[buffer], result_types=[INDEX])
