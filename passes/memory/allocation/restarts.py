"""Runs of the exact search one after the other: other orders, longer limits, and what was learned stays."""

from collections.abc import Callable
from functools import partial
from random import Random

from .pieces import Pieces
from .search import GapSearch, Guide

FIRST_RUN = 500
"""Steps of the shortest run, as many as pieces if those are more."""
KINDS = 10
"""Ways to order pieces."""


def luby(n: int) -> int:
    """The n-th number (from 1) of 1 1 2 1 1 2 4 …, the limits of restarts that lose least whatever the run times are
    (Luby, Sinclair, Zuckerman 1993)."""
    bits = n.bit_length()
    return 1 << (bits - 1) if n == (1 << bits) - 1 else luby(n - (1 << (bits - 1)) + 1)


def guide(pieces: Pieces, number: int) -> Guide:
    """The order of run `number`: five measures of a piece with and without the fit; later runs shake them."""
    random = Random(number)
    kind = number % 5
    priority: list[float] = []
    for piece in pieces.pieces:
        width = piece.high - piece.low
        measures = (width, piece.size * width, piece.size, width * 1000 + piece.size, random.random())
        shake = 1 + 0.3 * random.random() if number >= KINDS else 1
        priority.append(measures[kind] * shake)
    return Guide(priority, number // 5 % 2 == 0)


class Restarts:
    """The search for a layout within one capacity, which can be taken up again."""

    def __init__(self, pieces: Pieces, capacity: int, weight: list[float]):
        limits = pieces.model.limit(capacity)
        limit = [min(limits[k] for k in p.items) for p in pieces.pieces]
        height = -(-(capacity - pieces.model.origin) // pieces.model.unit)
        self._pieces = pieces
        self._search = GapSearch(pieces, height, limit, weight)
        self._number = 0
        self._first = max(FIRST_RUN, len(pieces.pieces))
        self.steps = 0
        """Of the last run."""

    def run(self, steps: int, stop: Callable[[int], bool] | None = None) -> list[int] | bool:
        """Offsets of all items; False where there are none; True when `steps` or `stop` ended the search."""
        self.steps = 0
        while self.steps < steps:
            self._number += 1
            size = min(self._first * luby(self._number), steps - self.steps)
            ask = None if stop is None else partial(_later, stop, self.steps)
            found = self._search.run(guide(self._pieces, self._number - 1), size, ask)
            self.steps += self._search.steps
            if found:
                return [self._search.offsets[k] for k in range(len(self._pieces.model.owner))]
            if found is False:
                return not self._pieces.complete
            if stop is not None and stop(self.steps):
                break
        return True


def _later(stop: Callable[[int], bool], before: int, steps: int) -> bool:
    return stop(before + steps)
