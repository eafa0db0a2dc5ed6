"""Heuristics: layouts from a few measures of the items, the best of them made better by changing the measure.

A move takes an item, mostly one that sticks out above the bytes alive, and gives it the value of another item. It stays
where the peak does not grow, nor, at the same peak, the bytes that stick out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from .greedy import lowest
from .model import Model
from .pieces import blocks
from .skyline import Rows

ABOVE = 1e-6
"""What an item is worth more than the one whose value it takes."""


@dataclass(frozen=True)
class Layout:
    """Offsets (units) of all items, the peak in bytes, and what found them."""

    offsets: list[int]
    peak: int
    method: str


def measures(model: Model) -> Iterator[tuple[str, list[float]]]:
    """Values of the items, from 0 to 1, by name: those worth a try."""
    width = [high - low for low, high in zip(model.low, model.high, strict=True)]
    need = [0] * model.sections
    for low, high, size in zip(model.low, model.high, model.size, strict=True):
        for t in range(low, high):
            need[t] += size
    crowd = [max(need[low:high]) for low, high in zip(model.low, model.high, strict=True)]
    area = [w * size for w, size in zip(width, model.size, strict=True)]
    crowded = [c * max(area) + a for c, a in zip(crowd, area, strict=True)]
    lasting = [c * max(width) + w for c, w in zip(crowd, width, strict=True)]
    early = [model.sections - low for low in model.low]
    named = (
        ("no measure", [0] * len(width)),
        ("area", area),
        ("lifetime", width),
        ("size", list(model.size)),
        ("crowd and area", crowded),
        ("crowd and lifetime", lasting),
        ("start", early),
    )
    for name, values in named:
        most = max(max(values), 1)
        yield name, [value / most for value in values]


class Heuristics:
    """Layouts that get better as long as one likes to wait. A peak of `goal` bytes is good enough."""

    def __init__(self, model: Model, goal: int):
        self._model = model
        self._goal = goal
        self._rows = Rows(model, blocks(model), goal) if model.plain else None
        self._random = Random(1)
        self._values: list[float] = []
        self._offsets: list[int] = []
        self._cost = (0, 0)
        self._best: Layout | None = None

    @property
    def best(self) -> Layout:
        """The best layout so far; there is one after the first."""
        assert self._best is not None
        return self._best

    def keep(self, offsets: list[int], method: str) -> Layout:
        """Take in a layout that something else found."""
        return self._kept(Layout(offsets, self._model.peak(offsets), method))

    def first(self) -> Iterator[Layout]:
        """A layout for each measure, until one is good enough."""
        for name, values in measures(self._model):
            yield self._tried(values, name)
            if self._rows is not None and name != "no measure":
                offsets = self._lowest(values)
                yield self.keep(offsets, f"lowest offset by {name}")
            if self.best.peak <= self._goal:
                return

    def improve(self) -> Layout:
        """One move."""
        random, values = self._random, self._values[:]
        least = self._cost[0] if random.random() < 0.5 else self._goal + 1
        high = [k for k, top in enumerate(self._tops(self._offsets)) if top >= least] or [0]
        for _ in range(1 if random.random() < 0.6 else 3):
            k = random.choice(high) if random.random() < 0.5 else random.randrange(len(values))
            values[k] = random.choice(values) + ABOVE
            if random.random() < 0.5:
                values[k] = random.random()
        return self._tried(values, "local search")

    def _lowest(self, values: Sequence[float]) -> list[int]:
        return lowest(self._model, sorted(range(len(values)), key=lambda k: (-values[k], k)))

    def _tried(self, values: list[float], name: str) -> Layout:
        """The layout of values, which the next moves start from if it is as good as the one so far."""
        offsets = self._lowest(values) if self._rows is None else self._rows.fill(values)
        layout = Layout(offsets, self._model.peak(offsets), name)
        cost = layout.peak, sum(max(top - self._goal, 0) for top in self._tops(offsets))
        if not self._values or cost <= self._cost:
            self._values, self._offsets, self._cost = values, offsets, cost
        return self._kept(layout)

    def _kept(self, layout: Layout) -> Layout:
        if self._best is None or layout.peak < self._best.peak:
            self._best = layout
        return layout

    def _tops(self, offsets: Sequence[int]) -> list[int]:
        model = self._model
        return [model.origin + (at + size) * model.unit for at, size in zip(offsets, model.size, strict=True)]
