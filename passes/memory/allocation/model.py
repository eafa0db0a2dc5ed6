"""The solvers' form of a problem: one item for each slot, in units instead of bytes, times as ranks of sections.

All offsets that matter are multiples of one unit, the largest that divides alignments, pins and (rounded up) sizes.
Between two neighbouring points of time where a lifetime starts or ends nothing changes: that is a section.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import accumulate
from math import gcd

from ....dialects.records import dataclass
from .problem import Problem


@dataclass(frozen=True)
class Model:
    """Item k is slot `slot[k]` of buffer `owner[k]`: `size` and `align` in units, alive in the sections [low, high).
    Items of no size or no lifetime are left out.

    `over[k]` are the items that may lie at the offset of k although their lifetimes meet. `pinned[k]` is an
    offset in units, below 0 for a pin in bytes that others hold. Unit 0 is byte `origin`; unpinned items lie at
    `floor` units or higher.
    """

    problem: Problem
    unit: int
    origin: int
    floor: int
    owner: tuple[int, ...]
    slot: tuple[int, ...]
    size: tuple[int, ...]
    align: tuple[int, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]
    pinned: tuple[int | None, ...]
    over: tuple[frozenset[int], ...]
    times: tuple[int, ...]

    @cached_property
    def meets(self) -> tuple[tuple[int, ...], ...]:
        """For each item those whose bytes must differ from its own (those of `over` too, unless at the same offset).
        There may be as many as pairs of items."""
        return _meets(self.problem, list(zip(self.owner, self.slot, strict=True)), self.low, self.high)

    @property
    def sections(self) -> int:
        return max(len(self.times) - 1, 0)

    @property
    def plain(self) -> bool:
        """Whether lifetimes alone say which items share no byte, and no item is pinned."""
        return not self.problem.apart and all(at is None for at in self.pinned)

    def limit(self, capacity: int) -> tuple[int, ...]:
        """The highest offset (units) of each item with which it ends within `capacity` bytes."""
        sizes = (self.problem.buffers[i].size for i in self.owner)
        return tuple((capacity - self.origin - size) // self.unit for size in sizes)

    def peak(self, offsets: Sequence[int]) -> int:
        """Bytes up to the end of the highest item."""
        ends = (
            self.origin + at * self.unit + self.problem.buffers[i].size
            for at, i in zip(offsets, self.owner, strict=True)
        )
        return max(ends, default=self.problem.taken) if self.owner else self.problem.taken

    def addresses(self, offsets: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """Addresses of the slots of all buffers, those left out of the model included."""
        found = [[0] * b.slots for b in self.problem.buffers]
        for i, buffer in enumerate(self.problem.buffers):
            first = -(-self.problem.taken // buffer.align) * buffer.align
            found[i] = [first] * buffer.slots if buffer.pinned is None else list(buffer.pinned)
        for at, i, slot in zip(offsets, self.owner, self.slot, strict=True):
            found[i][slot] = self.origin + at * self.unit
        return tuple(tuple(slots) for slots in found)


def build(problem: Problem) -> Model:
    """The model of a problem."""
    used = [i for i, b in enumerate(problem.buffers) if b.size and b.start < b.end]
    times = sorted({t for i in used for t in (problem.buffers[i].start, problem.buffers[i].end)})
    rank = {t: k for k, t in enumerate(times)}
    unit, origin, floor = _grid(problem, used)
    items = [(i, slot) for i in used for slot in range(problem.buffers[i].slots)]
    pins = [problem.buffers[i].pinned for i, _ in items]
    low = tuple(rank[problem.buffers[i].start] for i, _ in items)
    high = tuple(rank[problem.buffers[i].end] for i, _ in items)
    return Model(
        problem,
        unit,
        origin,
        floor,
        tuple(i for i, _ in items),
        tuple(slot for _, slot in items),
        tuple(-(-problem.buffers[i].size // unit) for i, _ in items),
        tuple(max(problem.buffers[i].align // unit, 1) for i, _ in items),
        low,
        high,
        tuple(
            None if pin is None else (pin[slot] - origin) // unit
            for pin, (_, slot) in zip(pins, items, strict=True)
        ),
        _over(problem, items, low, high),
        tuple(times),
    )


def _grid(problem: Problem, used: Sequence[int]) -> tuple[int, int, int]:
    """Bytes of a unit and of the origin, units of the floor. Sizes are rounded up to what divides all alignments: the
    bytes behind them are nobody's. An alignment that divides the unit asks for nothing more."""
    buffers = [problem.buffers[i] for i in used]
    pins = [at for b in buffers if b.pinned is not None for at in b.pinned]
    common = gcd(*(b.align for b in buffers), *pins) or 1
    lowest = -(-problem.taken // common) * common
    origin = lowest if all(lowest % b.align == 0 for b in buffers) else 0
    unit = gcd(
        lowest - origin, *(at - origin for at in pins), *(-(-b.size // common) * common for b in buffers)
    )
    for align in sorted({b.align for b in buffers}):
        if unit % align:
            unit = gcd(unit, align)
    unit = unit or 1
    return unit, origin, (lowest - origin) // unit


def _meets(
    problem: Problem, items: Sequence[tuple[int, int]], low: Sequence[int], high: Sequence[int]
) -> tuple[tuple[int, ...], ...]:
    number = {item: k for k, item in enumerate(items)}
    meets: list[set[int]] = [set() for _ in items]
    alive: list[int] = []
    for k in sorted(range(len(items)), key=lambda k: low[k]):
        alive = [j for j in alive if high[j] > low[k]]
        for j in alive:
            meets[j].add(k)
            meets[k].add(j)
        alive.append(k)
    for i, j in problem.apart:
        for a in (number[i, s] for s in range(problem.buffers[i].slots) if (i, s) in number):
            for b in (number[j, s] for s in range(problem.buffers[j].slots) if (j, s) in number):
                meets[a].add(b)
                meets[b].add(a)
    return tuple(tuple(sorted(m)) for m in meets)


def _over(
    problem: Problem, items: Sequence[tuple[int, int]], low: Sequence[int], high: Sequence[int]
) -> tuple[frozenset[int], ...]:
    number = {item: k for k, item in enumerate(items)}
    over: list[set[int]] = [set() for _ in items]
    for i, j in problem.in_place:
        for slot in range(problem.buffers[i].slots):
            a, b = number.get((i, slot)), number.get((j, slot))
            if a is not None and b is not None and low[a] < high[b] and low[b] < high[a]:
                over[a].add(b)
                over[b].add(a)
    return tuple(frozenset(o) for o in over)


def heights(sections: int, spans: Iterable[tuple[int, int, int]]) -> list[int]:
    """The units of each section, of (first section, last one plus one, units)."""
    change = [0] * (sections + 1)
    for low, high, units in spans:
        change[low] += units
        change[high] -= units
    return list(accumulate(change[:-1]))


def section_items(model: Model) -> list[list[int]]:
    """The items alive in each section."""
    found: list[list[int]] = [[] for _ in range(model.sections)]
    for k, (low, high) in enumerate(zip(model.low, model.high, strict=True)):
        for section in range(low, high):
            found[section].append(k)
    return found
