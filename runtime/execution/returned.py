"""The tensors in GM that a program returns."""

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import SSAValue

from ...dialects.ascend import ViewTensorOp


def results_of(main: FuncOp) -> list[SSAValue]:
    """The tensors that the function returns, in order, as they were made."""
    found: list[SSAValue] = []
    for op in main.body.block.ops:
        if isinstance(op, ReturnOp):
            for value in op.operands:
                while isinstance(value.owner, ViewTensorOp):
                    value = value.owner.source
                found.append(value)
    return found
