"""Whether a function of kernels asks for launches to be joined."""

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects import tile

JOIN_LAUNCHES = "ascend.join_launches"
"""Attribute (unit) of a function whose launches are to be joined, as far as they need nothing of each other."""
PREDICTED = "ascend.predicted_us"
"""Attribute of a kernel, and of its launch, in such a function: µs that it is predicted to take, without the launch."""


def has_independent_kernels(function: FuncOp) -> bool:
    """Whether some kernels of a function need nothing of each other: the longest chain has not all of them. Those of a
    run-time size are launched by themselves."""
    depth: dict[SSAValue, int] = {}
    """Kernels on the longest way to a value."""
    count = longest = 0
    for op in function.body.block.ops:
        kernel = isinstance(op, tile.KernelOp)
        if isinstance(op, tile.KernelOp) and op.factor:
            return False
        found = max((depth.get(value, 0) for value in op.operands), default=0) + kernel
        depth.update((result, found) for result in op.results)
        count, longest = count + kernel, max(longest, found)
    return longest < count


def forget_predicted(function: FuncOp) -> None:
    """Take what kernels were predicted to take out of a function."""
    for op in function.body.block.ops:
        op.attributes.pop(PREDICTED, None)


__all__ = ["JOIN_LAUNCHES", "PREDICTED", "forget_predicted", "has_independent_kernels"]
