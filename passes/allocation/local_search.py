"""Heuristics: layouts from a few orders of the items, the best of them made better by moving items in its order.

A move takes an item, mostly one that sticks out above the bytes alive, and puts it earlier. It stays where the peak
does not grow, nor, at the same peak, the bytes that stick out.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from .greedy import lowest
from .model import Model
from .skyline import fill


@dataclass(frozen=True)
class Layout:
    """Offsets (units) of all items, the peak in bytes, and what found them."""

    offsets: list[int]
    peak: int
    method: str


def orders(model: Model) -> Iterator[tuple[str, list[int]]]:
    """Orders worth a try, by name."""
    items = range(len(model.owner))
    width = [high - low for low, high in zip(model.low, model.high, strict=True)]
    need = [0] * model.sections
    for k in items:
        for t in range(model.low[k], model.high[k]):
            need[t] += model.size[k]
    crowd = [max(need[model.low[k] : model.high[k]]) for k in items]
    keys: tuple[tuple[str, Callable[[int], tuple[int, ...]]], ...] = (
        ("crowd and area", lambda k: (-crowd[k], -width[k] * model.size[k])),
        ("crowd and lifetime", lambda k: (-crowd[k], -width[k], -model.size[k])),
        ("area", lambda k: (-width[k] * model.size[k],)),
        ("lifetime", lambda k: (-width[k], -model.size[k])),
        ("size", lambda k: (-model.size[k], -width[k])),
        ("area of lifetime", lambda k: (-width[k] * width[k] * model.size[k],)),
        ("start", lambda k: (model.low[k], -model.size[k])),
    )
    for name, key in keys:
        yield name, sorted(items, key=lambda k: (*key(k), k))


class Heuristics:
    """Layouts that get better as long as one likes to wait. A peak of `goal` bytes is good enough."""

    def __init__(self, model: Model, goal: int):
        self._model = model
        self._goal = goal
        self._make = fill if model.plain and not any(model.over) else lowest
        self._random = Random(1)
        self._order: list[int] = []
        self._offsets: list[int] = []
        self._cost = (0, 0)
        self.best: Layout | None = None

    def first(self) -> Iterator[Layout]:
        """A layout for each order, until one is good enough."""
        for name, order in orders(self._model):
            yield self._tried(order, name)
            if self._make is not lowest:
                yield self._kept(Layout(found := lowest(self._model, order), self._model.peak(found), name))
            if self.best is not None and self.best.peak <= self._goal:
                return

    def improve(self) -> Layout:
        """One move."""
        random, order = self._random, self._order[:]
        least = self._cost[0] if random.random() < 0.5 else self._goal + 1
        high = [k for k, top in enumerate(self._tops(self._offsets)) if top >= least] or [0]
        for _ in range(1 if random.random() < 0.6 else 3):
            k = random.choice(high) if random.random() < 0.5 else random.randrange(len(order))
            at = order.index(k)
            del order[at]
            earlier = random.random() < 0.8
            order.insert(random.randrange((at if earlier else len(order)) + 1), k)
        return self._tried(order, "local search")

    def _tried(self, order: list[int], name: str) -> Layout:
        """The layout of an order, which the next moves start from if it is as good as the one so far."""
        offsets = self._make(self._model, order)
        layout = Layout(offsets, self._model.peak(offsets), name)
        cost = layout.peak, sum(max(top - self._goal, 0) for top in self._tops(offsets))
        if not self._order or cost <= self._cost:
            self._order, self._offsets, self._cost = order, offsets, cost
        return self._kept(layout)

    def _kept(self, layout: Layout) -> Layout:
        if self.best is None or layout.peak < self.best.peak:
            self.best = layout
        return layout

    def _tops(self, offsets: Sequence[int]) -> list[int]:
        model = self._model
        return [model.origin + (at + size) * model.unit for at, size in zip(offsets, model.size, strict=True)]
