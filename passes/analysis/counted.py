"""What of a kernel's program says how often its loops and conditions run, and where some of its views lie: all that a
run that counts trips (`analysis.tracer`) needs to compute."""

from collections.abc import Container, Iterator

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from ...dialects import ascend
from .index_arithmetic import COMPUTED
from .view_offsets import view_numbers


class Counted:
    """Of a kernel: the values, by their `id`, that bounds, conditions and the views in `moving` depend on, and the
    blocks in which something is counted."""

    def __init__(self, kernel: ascend.KernelOp, moving: Container[SSAValue]):
        self.values = set[int]()
        self._blocks = set[Block]()
        self._counts(kernel.body.block, moving)
        self._follow(kernel.body.block)

    def inside(self, block: Block) -> bool:
        """Whether anything in a block is counted."""
        return block in self._blocks

    def _counts(self, block: Block, moving: Container[SSAValue]) -> bool:
        """Whether anything in a block is counted: loops, conditions, instructions on views in `moving`. What these
        depend on at once is noted."""
        values, found = self.values, False
        for op in block.ops:
            if isinstance(op, scf.ForOp):
                values.update(map(id, op.operands))
                if self._counts(op.body.block, moving):  # where its trips change is asked, too
                    values.update(
                        id(value) for inner in _arithmetic(op.body.block) for value in inner.operands
                    )
            elif isinstance(op, scf.IfOp):
                values.add(id(op.cond))
                self._counts(op.true_region.block, moving)
            elif ascend.is_instruction(op):
                shown = [value for value in op.operands if value in moving]
                if not shown:
                    continue
                values.update(id(number) for value in shown for number in view_numbers(value))
            else:
                continue
            found = True
        if found:
            self._blocks.add(block)
        return found

    def _follow(self, block: Block) -> None:
        """Note what the values that are noted are computed from: from the last op to the first."""
        op = block.last_op
        while op is not None:
            if isinstance(op, scf.ForOp | scf.IfOp):
                self._follow(op.regions[0].block)
            elif op.name in COMPUTED and id(op.results[0]) in self.values:
                self.values.update(map(id, op.operands))
            elif isinstance(op, ascend.LoadIndexOp) and op.part_count and id(op.result) in self.values:
                self.values.add(id(op.at))
            op = op.prev_op


def _arithmetic(block: Block) -> Iterator[Operation]:
    return (op for op in block.ops if op.name in COMPUTED)


__all__ = ["Counted"]
