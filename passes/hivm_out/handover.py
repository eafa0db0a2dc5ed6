"""How the Cube hands sums over to FixPipe where a kernel has unit flags.

Those of HIVM's library are of whole rows and columns of L0C. A tile at an edge has fewer: it has no unit flags then,
and both units wait for each other in its place.
"""

from xdsl.dialects import arith
from xdsl.dialects.builtin import ArrayAttr, i1
from xdsl.ir import Attribute, SSAValue

from ...dialects import ascend
from ...dialects.hivm import sync
from ...dialects.hivm.attributes import UnitFlag
from ..support.errors import LocatedError
from .writer import Writer, known

BEFORE, BEHIND = 6, 5
"""Events between the Cube and FixPipe, which have no other flags in a kernel with unit flags: for a tile at an edge,
and for what follows it."""
LAST, MORE = "ENABLED_WITH_UPDATE", "ENABLED_WITHOUT_UPDATE"


def rounded(write: Writer, size: SSAValue) -> SSAValue:
    """Columns with those of their last fractal, which are loaded beside them."""
    above = write.insert(arith.AddiOp(size, write.constant(15))).result
    blocks = write.insert(arith.DivUIOp(above, write.constant(16))).result
    return write.insert(arith.MuliOp(blocks, write.constant(16))).result


def whole(
    write: Writer, rows: tuple[int | SSAValue, int], columns: tuple[int | SSAValue, int]
) -> SSAValue | None:
    """Whether a tile has all rows and columns that L0C has for it; None where that is known. Without unit flags in the
    kernel no tile counts as one."""
    most = rows[0] if isinstance(rows[0], int) else known(rows[0])
    short = most is not None and most <= rows[1] - 16  # whole fractals are empty
    found: SSAValue | None = None if write.products.units and not short else write.constant(0, i1)
    for (size, wanted), across in ((rows, False), (columns, True)) if found is None else ():
        if not isinstance(size, int) and known(size) is None:
            size = rounded(write, size) if across else size
            same = write.insert(arith.CmpiOp(size, write.constant(wanted), "eq")).result
            found = same if found is None else write.both(found, same)
    if found is not None:
        _check_free(write.kernel)
    return found


def _check_free(kernel: ascend.KernelOp) -> None:
    """`LocatedError` at a flag between the Cube and FixPipe, whose events may be those of tiles at edges."""
    flags = (op for op in kernel.walk() if isinstance(op, ascend.SetFlagOp | ascend.WaitFlagOp))
    for op in flags:
        if {op.source.data, op.destination.data} == {"M", "FIX"}:
            raise LocatedError(op, f"{op.name}: between the Cube and FixPipe, in a kernel with unit flags")


def modes(
    write: Writer, last: SSAValue | None, full: SSAValue | None
) -> tuple[ArrayAttr[Attribute], list[SSAValue]]:
    """The modes of an op and their conditions. `last`: whether sums end with it, None where they do. `full`: whether
    its tile is whole, None where it is."""
    always = write.constant(1, i1) if full is None else full
    if last is None:
        return ArrayAttr([UnitFlag(LAST)]), [] if full is None else [full]
    ends = last if full is None else write.both(last, full)
    return ArrayAttr([UnitFlag(LAST), UnitFlag(MORE)]), [ends, always]


def order(write: Writer, pipes: tuple[str, str], event: int) -> None:
    """Let one unit wait for all that the other one has been given so far."""
    for kind in (sync.SetFlagOp, sync.WaitFlagOp):
        write.flag(kind, pipes, event)


__all__ = ["BEFORE", "BEHIND", "modes", "order", "rounded", "whole"]
