"""What values are called in messages."""

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import BlockArgument, SSAValue

from ...dialects.ascend import BufferOp


def label_of(value: SSAValue) -> str:
    """A name for people: the buffer's label, the value's name, or its position."""
    owner = value.owner
    if isinstance(owner, BufferOp) and isinstance(owner.label, StringAttr):
        return owner.label.data
    if value.name_hint:
        return f"%{value.name_hint}"
    return f"argument {value.index}" if isinstance(value, BlockArgument) else "an unnamed buffer"
