"""Kernels of groups that compute the same: one is built, and the others are copies of it, on what their groups read."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import tile
from ...dialects.graph import SliceOp
from ...dialects.records import dataclass


@dataclass(frozen=True)
class Built:
    """What was put in the place of a group: `ops` in front of a kernel, and that; and what the group `reads`."""

    reads: tuple[SSAValue, ...]
    ops: tuple[Operation, ...]

    @staticmethod
    def since(before: Operation | None, reads: tuple[SSAValue, ...], kernel: tile.KernelOp) -> Built:
        """What was built behind an op (None: from the start of the block on), with the kernel as the last."""
        ops: list[Operation] = []
        op: Operation | None = kernel
        while op is not None and op is not before:
            ops.append(op)
            op = op.prev_op
        return Built(reads, tuple(reversed(ops)))

    def copied(self, name: str, anchor: Operation, reads: tuple[SSAValue, ...]) -> tile.KernelOp:
        """A copy in front of `anchor`, under another name."""
        values = dict(zip(self.reads, reads, strict=True))
        for op in self.ops:
            copy = op.clone(values, clone_name_hints=False)
            copy.location = anchor.location
            Rewriter.insert_op(copy, InsertPoint.before(anchor))
        kernel = anchor.prev_op
        assert isinstance(kernel, tile.KernelOp)
        kernel.kernel_name = StringAttr(name)
        return kernel


def reads_of(ops: Sequence[Operation]) -> tuple[SSAValue, ...]:
    """The tensors that a group reads, each once, in the order in which its signature numbers them."""
    inside = {result for op in ops for result in op.results}
    return tuple(dict.fromkeys(v for op in ops for v in op.operands if v not in inside))


def may_be_copied(ops: Sequence[Operation]) -> bool:
    """Whether all groups with the signature of these ops become the same kernel: signatures do not tell which block a
    slice begins in."""
    return not any(isinstance(op, SliceOp) for op in ops)


__all__ = ["Built", "may_be_copied", "reads_of"]
