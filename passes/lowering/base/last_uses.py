"""Which op uses a tile last: its buffer may be overwritten there."""

from xdsl.ir import Block, Operation, SSAValue

from ....dialects import tile
from ....dialects.tile import tile_type


def last_uses(block: Block) -> dict[SSAValue, Operation]:
    """For each tile, the op that uses it last; a view of it keeps it alive, and so does a loop that it is used in."""
    around = block.parent_op()
    assert around is not None
    last: dict[SSAValue, Operation] = {}
    roots: dict[SSAValue, SSAValue] = {}
    for op in block.walk():
        for operand in op.operands:
            root = roots.get(operand, operand)
            defined_here = isinstance(root.owner, Operation) and root.owner.parent is op.parent
            last[root] = op if defined_here else around
            if root is not operand:
                last[operand] = around
        if (
            isinstance(op, tile.WindowOp | tile.ExtractOp | tile.SqueezeOp)
            and tile_type(op.operands[0]).space.data == "ub"
        ):
            roots[op.results[0]] = roots.get(op.operands[0], op.operands[0])
            last[op.results[0]] = around
    return last | dict.fromkeys(roots, around)
