"""Layouts of what is left when rectangles are joined: exact search within the most bytes alive at once, then local
search for the lowest peak."""

from collections.abc import Callable, Iterator
from functools import partial

from .deadline import Check, endless
from .local_search import Heuristics, Layout
from .model import Model
from .rectangles import Joined, join
from .restarts import Restarts

MOST_PAIRS = (40, 25)
"""Of blocks compared at a point. More of them join more blocks, and more that do not belong together."""
ROOMS = (0.0, 0.03, 0.06)
"""Room above the most bytes alive that heuristics count with."""
LEAST = 0.02
"""Part of the items that must be joined away for a search to pay."""
ROUNDS = 2
"""Turns of each search in a run, first the exact ones. A search begins in a round of its own."""
TURNS = 3
"""Turns that all steps are for."""
MOVE = 50
"""Steps of the exact search for each move of the local search: about the same time."""


class _Search:
    """Both searches on one joined problem."""

    def __init__(self, joined: Joined):
        self.joined = joined
        self.restarts = Restarts(joined.pieces, joined.height, [0.0] * joined.pieces.sections)
        self._heuristics: Heuristics | None = None

    def improve(self, moves: int, stop: Callable[[int], bool], check: Check) -> Layout:
        """The best layout after a few orders (the first time) and local search."""
        heuristics = self._heuristics or self._begun(stop, check)
        for move in range(moves):
            if heuristics.best.peak <= self.joined.height or stop(move * MOVE):
                break
            heuristics.improve()
        return heuristics.best

    def _begun(self, stop: Callable[[int], bool], check: Check) -> Heuristics:
        """The heuristics with the lowest peak to begin with, of those that count with different room to spare: where
        all sections are full, nothing but that tells one from another later on."""
        model, tried = self.joined.pieces.model, list[Heuristics]()
        for room in ROOMS:
            heuristics = Heuristics(model, round(self.joined.height * (1 + room)), check)
            for _ in heuristics.first():
                if stop(0):
                    break
            tried.append(heuristics)
            if heuristics.best.peak <= self.joined.height or stop(0):
                break
        self._heuristics = min(tried, key=lambda heuristics: heuristics.best.peak)
        return self._heuristics


class JoinedSearch:
    """Searches for a low layout of a model without pins and pairs apart; it can be taken up again."""

    def __init__(self, model: Model, check: Check = endless):
        self._model = model
        self._check = check
        self._to_join = list(MOST_PAIRS)
        self._searches: list[_Search] = []
        self.steps = 0
        """Of the last run."""

    def run(self, steps: int, stop: Callable[[int], bool]) -> Iterator[tuple[list[int], str]]:
        """Offsets of all items, and what found them, in at most `steps` steps or until `stop` (asked now and then, with
        the steps so far) says so. The search is over with the first layout within the most bytes alive; other failures
        prove nothing. The fewer items were joined, the less time it takes."""
        self.steps = 0
        for _ in range(ROUNDS):
            self._begin(stop)
            for search in self._searches:
                found = search.restarts.run(self._turn(search, steps), partial(_later, stop, self.steps))
                self.steps += search.restarts.steps
                if isinstance(found, list):
                    yield search.joined.offsets(found), "exact search for rectangles"
                    return
            for search in self._searches:
                turn = self._turn(search, steps)
                best = search.improve(turn // MOVE, partial(_later, stop, self.steps), self._check)
                self.steps += turn
                yield search.joined.offsets(best.offsets), "local search for rectangles"

    def _turn(self, search: _Search, steps: int) -> int:
        """Steps of one turn of a search."""
        return min(round(steps * self._part(search.joined) / TURNS), steps - self.steps)

    def _part(self, joined: Joined) -> float:
        """The part of the items that joining did away with."""
        return 1 - len(joined.blocks) / len(self._model.owner)

    def _begin(self, stop: Callable[[int], bool]) -> None:
        """Begin one more search."""
        if self._to_join:
            joined = join(self._model, self._to_join.pop(0), lambda: stop(self.steps), self._check)
            if joined is None or self._part(joined) < LEAST:
                self._to_join.clear()
            else:
                self._searches.append(_Search(joined))


def _later(stop: Callable[[int], bool], before: int, steps: int) -> bool:
    return stop(before + steps)
