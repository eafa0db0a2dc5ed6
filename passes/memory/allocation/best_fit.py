"""A layout in one sweep over time: each item takes the smallest free range that it fits in when it begins.

It takes O(n log n) steps however many items are alive at once, so that there is a layout at any time limit.
"""

from bisect import bisect_left, insort

from .model import Model


def best_fit(model: Model) -> list[int]:
    """Offsets of all items, for a model without pins and pairs apart. Items that may lie on each other do not."""
    free = _Free(model.floor)
    offsets = [0] * len(model.owner)
    starts = sorted(range(len(offsets)), key=lambda k: (model.low[k], -model.size[k], k))
    ends = sorted(range(len(offsets)), key=lambda k: model.high[k])
    done = 0
    for k in starts:
        while model.high[ends[done]] <= model.low[k]:
            free.give(offsets[ends[done]], model.size[ends[done]])
            done += 1
        offsets[k] = free.take(model.size[k], model.align[k])
    return offsets


class _Free:
    """Free ranges of bytes, none beside another, below a top that only grows."""

    def __init__(self, floor: int):
        self._top = floor
        self._end: dict[int, int] = {}
        self._start: dict[int, int] = {}
        self._by_size: list[tuple[int, int]] = []

    def take(self, size: int, align: int) -> int:
        """The offset of a range that is free no more."""
        for i in range(bisect_left(self._by_size, (size, 0)), len(self._by_size)):
            _, start = self._by_size[i]
            at, end = -(-start // align) * align, self._end[start]
            if at + size <= end:
                self._drop(start)
                self._add(start, at)
                self._add(at + size, end)
                return at
        start = self._start.get(self._top, self._top)
        if start < self._top:
            self._drop(start)
        at = -(-start // align) * align
        self._add(start, at)
        self._top = at + size
        return at

    def give(self, start: int, size: int) -> None:
        """Make a range free again, as one with those beside it."""
        end = start + size
        if start in self._start:
            start = self._start[start]
            self._drop(start)
        if end in self._end:
            after = self._end[end]
            self._drop(end)
            end = after
        self._add(start, end)

    def _add(self, start: int, end: int) -> None:
        if start < end:
            self._end[start], self._start[end] = end, start
            insort(self._by_size, (end - start, start))

    def _drop(self, start: int) -> None:
        end = self._end.pop(start)
        del self._start[end]
        self._by_size.pop(bisect_left(self._by_size, (end - start, start)))
