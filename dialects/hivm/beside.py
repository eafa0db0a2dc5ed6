"""What stands beside HIVM in its texts: notes on values, and tensors in the workspace."""

from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, MemRefType
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, opt_prop_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from .base import HivmOp


@irdl_op_definition
class MarkOp(IRDLOperation):
    """A note on a value: how many slots it has, and the like.

    "annotation.mark"(%a) {hivm.multi_buffer = 2 : i32} : (memref<8x4x16x16xf16, #hivm.address_space<cbuf>>) -> ()
    """

    name = "annotation.mark"
    source = operand_def()
    values = var_operand_def()
    keys = opt_prop_def(ArrayAttr)
    effects = opt_prop_def(ArrayAttr)


@irdl_op_definition
class AllocWorkspaceOp(HivmOp):
    """A tensor of the workspace, `offset` bytes into what each block has of it.

    %t = "memref_ext.alloc_workspace"(%workspace, %offset) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : …
    """

    name = "memref_ext.alloc_workspace"
    GROUPS: ClassVar = ("workspace?", "sizes*", "offset*")
    RESULTS: ClassVar = 1

    def verify_(self) -> None:
        super().verify_()
        if not isinstance(self.results[0].type, MemRefType):
            raise VerifyException(f"{self.name}: it gives a memref, not {self.results[0].type}")


__all__ = ["AllocWorkspaceOp", "MarkOp"]
