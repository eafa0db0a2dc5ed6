"""What an instruction of the `ascend` level reads and writes, and the pipe that runs it."""

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ...dialects import ascend
from ...dialects.ascend.memory import space_of
from ...dialects.target_types import Target


def pipe_of(op: Operation, target: Target) -> str:
    """The pipe that runs an instruction."""
    if isinstance(op, ascend.CopyOp | ascend.FixpipeOp):
        return target.path(space_of(op.source), space_of(op.destination)).pipe
    if isinstance(op, ascend.MmadOp):
        return "M"
    if isinstance(op, ascend.Load2dOp | ascend.Load3dOp):
        return target.path("l1", space_of(op.destination)).pipe
    return "V"


def reads_of(op: Operation) -> Sequence[SSAValue]:
    if isinstance(op, ascend.MmadOp):
        return (op.lhs, op.rhs) if op.bias is None else (op.lhs, op.rhs, op.bias)
    if isinstance(op, ascend.VecOp):
        return op.sources
    if isinstance(op, ascend.FixpipeOp) and op.row is not None:
        return (op.source, op.row)
    return (op.operands[0],)


def write_of(op: Operation) -> SSAValue:
    assert ascend.is_instruction(op)
    return op.acc if isinstance(op, ascend.MmadOp) else op.destination


def root_of(value: SSAValue) -> SSAValue:
    return value.owner.base if isinstance(value.owner, ascend.ViewOp) else value
