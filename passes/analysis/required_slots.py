"""Buffers that are wrong with one slot: the next generation is written before the last read of the one before.

%new = ascend.next_slot %buffer
ascend.copy %gm, (view of %new)
%old = ascend.previous_slot %buffer
ascend.load2d (view of %old), %l0a
"""

from ...dialects import ascend
from ...dialects.walked import ops_inside
from .operands import reads_of, write_of


def least_slots(kernel: ascend.KernelOp) -> dict[ascend.BufferOp, int]:
    """The slots that a buffer needs for its program to mean what it says; buffers that need one are left out."""
    written: dict[ascend.BufferOp, int] = {}
    needed: dict[ascend.BufferOp, int] = {}
    for number, op in enumerate(ops_inside(kernel.body)):
        if not ascend.is_instruction(op):
            continue
        for value in reads_of(op):
            view = value.owner
            if not isinstance(view, ascend.ViewOp) or view.slot is None:
                continue
            buffer = view.base.owner
            if not isinstance(view.slot.owner, ascend.PreviousSlotOp) or not isinstance(
                buffer, ascend.BufferOp
            ):
                continue
            if written.get(buffer, number) < number:
                needed[buffer] = 2
        view = write_of(op).owner
        if isinstance(view, ascend.ViewOp) and view.slot is not None:
            buffer = view.base.owner
            if isinstance(view.slot.owner, ascend.NextSlotOp) and isinstance(buffer, ascend.BufferOp):
                written.setdefault(buffer, number)
    return needed
