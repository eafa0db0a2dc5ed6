"""Bank conflicts in UB: the cycles that a repeat of a Vector instruction takes longer for where its operands lie.

A group of banks serves one row of 32 B a cycle. A repeat reads its sources' blocks together and writes its
destination's together, so it takes as many cycles as blocks read, or blocks written, meet in one group; a block that
one source reads several times in a repeat (stride 0) is read once. A bank does not read and write in one cycle: a
repeat that does both takes `clash` longer, unless each block written lies in the bank of the block read at the same
place, where the hardware writes one repeat later. Where repeats with and without colliding reads alternate, the first
one that collides takes `restart` longer.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import lcm

import numpy as np
from numpy.typing import NDArray

from ..dialects.target import Banks, Target
from .memory import View

Rows = NDArray[np.int64]
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
            period = lcm(period, turn // int(np.gcd(step, turn)))
    count = min(repeats, period, _LONGEST)
    rows = [_rows(banks, shape, count + 1) for shape in shapes]
    *reads, writes = rows
    most = [_most(banks, [one[number] for one in reads]) for number in range(count)]
    cycles = 0.0
    for number, read in enumerate(most):
        cycles += max(read, _most(banks, [writes[number]]))
        if any(_clash(banks, one, writes, number) for one in reads):
            cycles += banks.clash
        if read > 1 >= most[number - 1]:
            cycles += banks.restart
    return cycles / count - 1.0


def _rows(banks: Banks, shape: tuple[int, ...], count: int) -> Rows:
    """Numbers of the rows of UB that each of `count` repeats touches."""
    address, _, blocks, step, stride = shape
    starts = address + np.arange(count, dtype=np.int64)[:, None] * step
    places = starts + np.arange(1 if stride == 0 else blocks, dtype=np.int64) * stride
    return places // banks.row


def _most(banks: Banks, rows: Sequence[Rows]) -> int:
    """Most rows that one group serves."""
    if not rows:
        return 0
    groups = np.concatenate(rows) % banks.groups
    return int(np.bincount(groups, minlength=banks.groups).max())


def _bank(banks: Banks, rows: Rows) -> Rows:
    return rows * banks.row // banks.span * banks.groups + rows % banks.groups


def _clash(banks: Banks, read: Rows, write: Rows, number: int) -> bool:
    """Whether a repeat reads a bank that it writes in the same cycle."""
    reads, writes = _bank(banks, read[number]), _bank(banks, write[number])
    if reads.shape == writes.shape and bool((reads == writes).all()):
        reads = _bank(banks, read[number + 1])
    return bool(np.isin(reads, writes).any())
