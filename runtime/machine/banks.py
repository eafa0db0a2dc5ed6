"""Bank conflicts in UB: the cycles that a repeat of a Vector instruction takes longer for where its operands lie.

A group of banks serves one row of 32 B a cycle. A repeat reads its sources' blocks together and writes its
destination's together, so it takes as many cycles as blocks read, or blocks written, meet in one group; a block that
one source reads several times in a repeat (stride 0) is read once. A bank does not read and write in one cycle: a
repeat that does both takes `clash` longer, unless each block written lies in the bank of the block read at the same
place, where the hardware writes one repeat later. Where repeats with and without colliding reads alternate, the first
one that collides takes `restart` longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import gcd, lcm
from typing import TYPE_CHECKING, NamedTuple

from ...dialects.target_types import Banks, Target

if TYPE_CHECKING:  # it needs numpy
    from .memory import View

Shape = tuple[int, int, int, int, int]
"""A view: address, repeats, blocks in a repeat, and the strides of both, in bytes."""
_View = tuple[int, int, int, int]
"""The same without the repeats."""
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
    first = min(shape[0] // banks.span for shape in shapes)
    repeats = period = 1
    views: list[_View] = []
    for address, count, blocks, step, stride in shapes:
        repeats = max(repeats, count)
        if step:
            period = lcm(period, turn // gcd(step, turn))
        views.append((address % turn + (address // banks.span - first) * banks.span, blocks, step, stride))
    return _conflicts(banks, tuple(views), min(repeats, period, _LONGEST))


@lru_cache(maxsize=1 << 15)
def _conflicts(banks: Banks, views: tuple[_View, ...], count: int) -> float:
    """The same over `count` repeats, after which they are as before."""
    *reads, writes = [_repeats(banks, view, count) for view in views]
    most = [_most(banks.groups, [one[number].groups for one in reads]) for number in range(count)]
    cycles = 0.0
    for number, read in enumerate(most):
        cycles += max(read, _most(banks.groups, [writes[number].groups]))
        if any(_clash(one, writes, number) for one in reads):
            cycles += banks.clash
        if read > 1 >= most[number - 1]:
            cycles += banks.restart
    return cycles / count - 1.0


class _Repeat(NamedTuple):
    """The groups and the banks that one repeat of a view touches, block by block."""

    groups: list[int]
    banks: list[int]


@lru_cache(maxsize=1 << 13)
def _repeats(banks: Banks, view: _View, count: int) -> list[_Repeat]:
    """The first `count` repeats of a view, and the one behind them."""
    address, blocks, step, stride = view
    row, groups, per_bank = banks.row, banks.groups, banks.span // banks.row
    offsets = [block * stride for block in range(1 if stride == 0 else blocks)]
    found = list[_Repeat]()
    for number in range(count + 1):
        start = address + number * step
        rows = [(start + offset) // row for offset in offsets]
        found.append(_Repeat([r % groups for r in rows], [r // per_bank * groups + r % groups for r in rows]))
    return found


def _most(groups: int, touched: Sequence[list[int]]) -> int:
    """Most rows that one group serves."""
    served = [0] * groups
    for some in touched:
        for group in some:
            served[group] += 1
    return max(served)


def _clash(read: Sequence[_Repeat], write: Sequence[_Repeat], number: int) -> bool:
    """Whether a repeat reads a bank that it writes in the same cycle."""
    reads, writes = read[number].banks, write[number].banks
    if reads == writes:
        reads = read[number + 1].banks
    return not set(reads).isdisjoint(writes)
