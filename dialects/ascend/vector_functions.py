"""Vector functions: instructions that the Vector unit of chips that compute in registers runs as the loops of one
program, which starts and drains once. The scalar unit starts it as a whole, so that a function ends where a flag, an
instruction of another kind or a region is on the Vector pipe's way; a barrier may be inside.
"""

from xdsl.ir import Operation

from .memory import space_of
from .sync import BarrierOp, CrossSetFlagOp, CrossWaitFlagOp, SetFlagOp, WaitFlagOp


def ends_function(op: Operation) -> bool:
    """Whether no vector function goes on past an op, which is no Vector instruction nor a barrier of its pipe."""
    if op.regions:
        return True
    match op:
        case SetFlagOp():
            return op.source.data == "V"
        case WaitFlagOp():
            return op.destination.data == "V"
        case CrossSetFlagOp():
            return op.pipe.data == "V"
        case CrossWaitFlagOp():
            return True
        case BarrierOp():
            return op.pipe.data in ("V", "ALL")
        case _:
            if op.name == "ascend.copy":  # what the Vector unit moves
                return {space_of(v) for v in op.operands} <= {"l0c", "ub"}
            return op.name == "ascend.transpose"


def goes_on(op: Operation) -> bool:
    """Whether the vector function of some instruction before `op` reaches it."""
    before = op.prev_op
    while before is not None and before.name != op.name:
        inside = isinstance(before, BarrierOp) and before.joined is not None
        if not inside and ends_function(before):
            return False
        before = before.prev_op
    return before is not None
