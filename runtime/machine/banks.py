"""Bank conflicts in UB: the cycles that a repeat of a Vector instruction takes longer for where its operands lie.

A group of banks serves one row of 32 B a cycle. A repeat reads its sources' blocks together and writes its
destination's together, so it takes as many cycles as blocks read, or blocks written, meet in one group; a block that
one source reads several times in a repeat (stride 0) is read once. A bank does not read and write in one cycle: a
repeat that does both takes `clash` longer, unless each block written lies in the bank of the block read at the same
place, where the hardware writes one repeat later. Where repeats with and without colliding reads alternate, the first
one that collides takes `restart` longer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import gcd, lcm
from typing import TYPE_CHECKING

from ...dialects.target_types import Banks, Target

if TYPE_CHECKING:  # it needs numpy
    from .memory import View

Rows = tuple[int, ...]
Shape = tuple[int, int, int, int, int]
"""A view: address, repeats, blocks in a repeat, and the strides of both, in bytes."""
_LONGEST = 128  # repeats that are looked at


def _shape(view: View, row: int) -> Shape:
    if len(view.sizes) == 3:
        return (view.address, view.sizes[0], view.sizes[1], view.strides[0], view.strides[1])
    size = view.sizes[-1] * view.itemsize
    return (view.address, -(-size // (8 * row)), 8, 8 * row, row)


def conflict_cycles(target: Target, sources: Sequence[View], destination: View) -> float:
    """Mean cycles of a repeat over those without a conflict, for an instruction of one cycle a repeat."""
    banks = target.banks
    views = (*sources, destination)
    if banks is None or any(view.space != "ub" for view in views):
        return 0.0
    return conflicts(banks, [_shape(view, banks.row) for view in views])


def conflicts(banks: Banks, shapes: Sequence[Shape]) -> float:
    """As `conflict_cycles`, of views by their shapes, sources first."""
    turn = banks.groups * banks.row  # addresses repeat their groups; the bank is that of the start
    key = tuple((address % turn + address // banks.span * banks.span, *rest) for address, *rest in shapes)
    return _conflicts(banks, key)


@lru_cache(maxsize=4096)
def _conflicts(banks: Banks, shapes: tuple[Shape, ...]) -> float:
    repeats = max(shape[1] for shape in shapes)
    turn = banks.groups * banks.row
    period = 1
    for _, _, _, step, _ in shapes:
        if step:
            period = lcm(period, turn // gcd(step, turn))
    count = min(repeats, period, _LONGEST)
    *reads, writes = [[_rows(banks, shape, number) for number in range(count + 1)] for shape in shapes]
    most = [_most(banks, [one[number] for one in reads]) for number in range(count)]
    cycles = 0.0
    for number, read in enumerate(most):
        cycles += max(read, _most(banks, [writes[number]]))
        if any(_clash(banks, one, writes, number) for one in reads):
            cycles += banks.clash
        if read > 1 >= most[number - 1]:
            cycles += banks.restart
    return cycles / count - 1.0


def _rows(banks: Banks, shape: Shape, number: int) -> Rows:
    """Numbers of the rows of UB that a repeat touches."""
    address, _, blocks, step, stride = shape
    start = address + number * step
    return tuple((start + block * stride) // banks.row for block in range(1 if stride == 0 else blocks))


def _most(banks: Banks, rows: Sequence[Rows]) -> int:
    """Most rows that one group serves."""
    groups = Counter(row % banks.groups for some in rows for row in some)
    return max(groups.values(), default=0)


def _bank(banks: Banks, rows: Rows) -> Rows:
    return tuple(row * banks.row // banks.span * banks.groups + row % banks.groups for row in rows)


def _clash(banks: Banks, read: Sequence[Rows], write: Sequence[Rows], number: int) -> bool:
    """Whether a repeat reads a bank that it writes in the same cycle."""
    reads, writes = _bank(banks, read[number]), _bank(banks, write[number])
    if reads == writes:
        reads = _bank(banks, read[number + 1])
    return not set(reads).isdisjoint(writes)
