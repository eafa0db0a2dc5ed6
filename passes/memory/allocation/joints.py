"""Where memory is full, what begins takes the bytes of what ends.

At a point of time with no spare byte on either side, the blocks that begin fill exactly the bytes of the blocks that
end. Where these fall apart into sets of equal size, each set may have a hole of its own: a joint. The joint of a point
that cannot be split, or of one block on either side, is certain; others are likely, for sizes are seldom equal by
chance.
"""

from collections.abc import Sequence
from typing import NamedTuple

from .deadline import Check, endless

MOST_SPLITS = 200
"""Pairs of sets of equal size at a point that are looked at."""


class Joint(NamedTuple):
    """Blocks (by number) that end at a point, those that begin there on the same bytes, and whether that is certain."""

    ending: tuple[int, ...]
    beginning: tuple[int, ...]
    certain: bool


def joints(
    ending: Sequence[tuple[int, int]],
    beginning: Sequence[tuple[int, int]],
    most: int,
    check: Check = endless,
) -> list[Joint]:
    """The joints of a point where no byte is spare, of the finest split; none where two splits are as fine, or where
    more than `most` pairs of blocks are to be compared. Blocks are (number, units), the units of both sides are
    equal."""
    check()
    if min(len(ending), len(beginning)) == 1:
        return [Joint(_numbers(ending), _numbers(beginning), True)]
    if not ending or len(ending) * len(beginning) > most:
        return []
    by_sum: dict[int, list[int]] = {}
    for units, chosen in _sums(ending)[1:]:
        by_sum.setdefault(units, []).append(chosen)
    pairs = [(a, b) for units, b in _sums(beginning)[1:] for a in by_sum.get(units, ())]
    if len(pairs) > MOST_SPLITS:
        return []
    pairs.sort(key=lambda pair: pair[0].bit_count() + pair[1].bit_count())
    least: list[tuple[int, int]] = []
    for a, b in pairs:
        if not any(x & a == x and y & b == y for x, y in least):
            least.append((a, b))
    # some of the least pairs are all blocks of both sides; one more has blocks of either side twice
    if sum(a.bit_count() for a, _ in least) > len(ending):
        return []
    return [Joint(_numbers(ending, a), _numbers(beginning, b), len(least) == 1) for a, b in least]


def _sums(blocks: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Units of each set of blocks (bits), the empty one first."""
    found = [(0, 0)]
    for bit, (_, units) in enumerate(blocks):
        found += [(total + units, chosen | 1 << bit) for total, chosen in found]
    return found


def _numbers(blocks: Sequence[tuple[int, int]], chosen: int = -1) -> tuple[int, ...]:
    return tuple(number for bit, (number, _) in enumerate(blocks) if chosen >> bit & 1)
