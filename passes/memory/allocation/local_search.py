"""Heuristics: layouts from a few measures of the items, the best of them made better by changing the measure.

A move takes an item, mostly one that sticks out above the bytes alive, and gives it the value of another item. It stays
where the peak does not grow, nor, at the same peak, the bytes that stick out.
"""

from collections.abc import Iterator, Sequence
from random import Random

from ....dialects.records import dataclass
from .deadline import Check, endless
from .greedy import lowest
from .model import Model, heights
from .pieces import blocks
from .skyline import Rows

MANY = 500
"""Above so many items, rows alone are tried: lowest offsets take long and are seldom better."""
ABOVE = 1e-6
"""What an item is worth more than the one whose value it takes."""


@dataclass(frozen=True)
class Layout:
    """Offsets (units) of all items, the peak in bytes, and what found them."""

    offsets: list[int]
    peak: int
    method: str


def measures(model: Model, check: Check) -> Iterator[tuple[str, list[float]]]:
    """Values of the items, from 0 to 1, by name: those worth a try."""
    width = [high - low for low, high in zip(model.low, model.high, strict=True)]
    need = heights(model.sections, zip(model.low, model.high, model.size, strict=True))
    crowd: list[int] = []
    for low, high in zip(model.low, model.high, strict=True):
        check()
        crowd.append(max(need[low:high]))
    area = [w * size for w, size in zip(width, model.size, strict=True)]
    largest, longest = max(area), max(width)
    crowded = [c * largest + a for c, a in zip(crowd, area, strict=True)]
    lasting = [c * longest + w for c, w in zip(crowd, width, strict=True)]
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
    """Layouts that get better as long as one likes to wait. A peak of `goal` bytes is good enough. `check` ends a
    layout that takes too long."""

    def __init__(self, model: Model, goal: int, check: Check = endless):
        self._model = model
        self._goal = goal
        self._check = check
        self._rows = Rows(model, blocks(model), goal, check) if model.plain else None
        self._random = Random(1)
        self._values: list[float] = []
        self._offsets: list[int] = []
        self._cost = (0, 0)
        self._best: Layout | None = None

    @property
    def found(self) -> bool:
        """Whether there is a layout."""
        return self._best is not None

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
        for name, values in measures(self._model, self._check):
            yield self._tried(values, name)
            if self._rows is not None and name != "no measure" and len(values) <= MANY:
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
