"""Between which numbers a computed index is, whatever core and trip computes it."""

from math import inf

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import BlockArgument, SSAValue

Range = tuple[float, float]
"""The least and the most, both included."""
ANY: Range = (-inf, inf)


def range_of(value: SSAValue) -> Range:
    """The range of an index. What comes from elsewhere (numbers of a tiling function, indices that are loaded) may be
    anything; a trip of a loop is within its bounds."""
    op = value.owner
    if isinstance(value, BlockArgument):
        loop = value.block.parent_op()
        if not isinstance(loop, scf.ForOp) or value.index:
            return ANY
        return range_of(loop.lb)[0], range_of(loop.ub)[1] - 1
    if isinstance(op, arith.ConstantOp):
        return (op.value.value.data, op.value.value.data) if isinstance(op.value, IntegerAttr) else ANY
    if not isinstance(op, _COMPUTED):
        return ANY
    (a, b), (c, d) = range_of(op.operands[0]), range_of(op.operands[1])
    match op:
        case arith.AddiOp():
            return a + c, b + d
        case arith.SubiOp():
            return a - d, b - c
        case arith.MinSIOp():
            return min(a, c), min(b, d)
        case arith.MaxSIOp():
            return max(a, c), max(b, d)
        case arith.MuliOp() if a >= 0 and c >= 0:
            return a * c if a and c else 0, b * d if b and d else 0
        case arith.DivUIOp() if a >= 0 and c == d > 0:
            return a // c, b // c if b < inf else inf
        case arith.RemUIOp() if a >= 0 and c == d > 0:
            return 0, min(b, c - 1)
        case _:
            return ANY


_COMPUTED = (
    arith.AddiOp,
    arith.SubiOp,
    arith.MinSIOp,
    arith.MaxSIOp,
    arith.MuliOp,
    arith.DivUIOp,
    arith.RemUIOp,
)
