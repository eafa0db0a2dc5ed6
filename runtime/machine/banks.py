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
    if len(reads) == 1:
        most = [one.most for one in reads[0][:count]]
    else:
        served = [sum([one[number].served for one in reads]) for number in range(count)]
        most = [max(rows.to_bytes(banks.groups, "little")) for rows in served]
    cycles = 0.0
    for number in range(count):
        read, write = most[number], writes[number]
        cycles += max(read, write.most)
        if _clash(reads, write, number):
            cycles += banks.clash
        if read > 1 >= most[number - 1]:
            cycles += banks.restart
    return cycles / count - 1.0


class _Repeat(NamedTuple):
    """The groups and the banks that one repeat of a view touches: rows of each group, each in a byte of `served`, and
    the `most` of one; a bit for each bank, and the banks block by block."""

    served: int
    most: int
    banks: int
    places: tuple[int, ...]


@lru_cache(maxsize=1 << 13)
def _repeats(banks: Banks, view: _View, count: int) -> list[_Repeat]:
    """The first `count` repeats of a view, and the one behind them."""
    address, blocks, step, stride = view
    groups, row, turn = banks.groups, banks.row, banks.groups * banks.row
    per_bank = banks.span // row
    found = list[_Repeat]()
    for number in range(count + 1):
        start = address + number * step
        span, inside = divmod(start, banks.span)
        near = inside + (blocks - 1) * max(stride, turn) < banks.span
        """Whether all of it is in the same banks as its first block."""
        if near:
            one = _touched(groups, row, per_bank, start % turn, blocks, stride and (stride - 1) % turn + 1)
        else:
            one = _touched(groups, row, per_bank, start, blocks, stride)
        if near and span:
            shift = span * groups
            places = tuple(place + shift for place in one.places)
            one = _Repeat(one.served, one.most, one.banks << shift, places)
        found.append(one)
    return found


@lru_cache(maxsize=1 << 13)
def _touched(groups: int, row: int, per_bank: int, start: int, blocks: int, stride: int) -> _Repeat:
    """One repeat of so many blocks from `start` on; a bank has `per_bank` rows of each group."""
    rows = [(start + block * stride) // row for block in range(1 if stride == 0 else blocks)]
    served = [0] * groups
    for one in rows:
        served[one % groups] += 1
    places = tuple([one // per_bank * groups + one % groups for one in rows])
    return _Repeat(
        int.from_bytes(served, "little"), max(served), sum(1 << place for place in {*places}), places
    )


def _clash(reads: Sequence[Sequence[_Repeat]], write: _Repeat, number: int) -> bool:
    """Whether a repeat reads a bank that it writes in the same cycle."""
    for read in reads:
        one = read[number]
        if one.places == write.places:
            one = read[number + 1]
        if one.banks & write.banks:
            return True
    return False
