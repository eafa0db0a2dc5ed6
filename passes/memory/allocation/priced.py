"""Layouts in which sharing has a price: some pairs of buffers may share bytes, but each that does costs something.

Items are placed one after the other, each where it fits and costs least, in several orders; then items that cost
something move to where they cost less, as long as that helps. Everything stays within the capacity.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from .bounds import live_bound
from .model import Model, build
from .problem import Plan, Problem
from .solve import allocate

ROUNDS = 20
"""So often all items are looked at for a better place."""

ORDERS: tuple[Callable[[Model, int], tuple[int, ...]], ...] = (
    lambda m, k: (-m.size[k], m.low[k]),
    lambda m, k: (-m.size[k] * (m.high[k] - m.low[k]), m.low[k]),
    lambda m, k: (m.low[k] - m.high[k], -m.size[k]),
    lambda m, k: (m.low[k], -m.size[k]),
)
"""By size, by area, by lifetime, by start."""


def allocate_priced(problem: Problem, prices: Mapping[tuple[int, int], float], steps: int) -> Plan:
    """A layout within the problem's capacity whose pairs in `prices` (numbers of buffers, each pair once) that share
    bytes cost little in all. A search of `steps` gives a first layout; where it has none, its plan is the answer."""
    assert problem.capacity is not None
    plan = allocate(problem, steps=steps)
    if plan.status != "fits":
        return plan
    model = build(problem)
    search = _Search(model, prices, model.limit(problem.capacity))
    owners = list(zip(model.owner, model.slot, strict=True))
    first: list[int | None] = [(plan.offsets[i][slot] - model.origin) // model.unit for i, slot in owners]
    starts = [first]
    for key in ORDERS:
        order = sorted(range(len(owners)), key=lambda k, key=key: (*key(model, k), k))
        placed = search.place(order)
        if placed is not None:
            starts.append(placed)
    best = min((search.improve(start) for start in starts), key=search.total)
    offsets = [at for at in best if at is not None]
    bound = live_bound(model)
    return replace(
        plan,
        offsets=model.addresses(offsets),
        peak=model.peak(offsets),
        bound=bound.least,
        method="least price of sharing",
    )


class _Search:
    """Places for items, by their price."""

    def __init__(self, model: Model, prices: Mapping[tuple[int, int], float], limit: Sequence[int]):
        self._model, self._limit = model, limit
        by_owner: dict[int, dict[int, float]] = {}
        for (i, j), price in prices.items():
            by_owner.setdefault(i, {})[j] = price
            by_owner.setdefault(j, {})[i] = price
        items: dict[int, list[int]] = {}
        for k, i in enumerate(model.owner):
            items.setdefault(i, []).append(k)
        self._priced = [
            [(j, price) for i, price in by_owner.get(owner, {}).items() for j in items.get(i, ())]
            for owner in model.owner
        ]
        """For each item the others that cost something where they share bytes with it."""

    def total(self, offsets: Sequence[int | None]) -> float:
        """What a layout costs."""
        return sum(self._cost(k, at, offsets) for k, at in enumerate(offsets) if at is not None) / 2

    def place(self, order: Sequence[int]) -> list[int | None] | None:
        """Items one after the other, each where it costs least; None where one does not fit."""
        offsets = list(self._model.pinned)
        for k in order:
            if offsets[k] is None:
                offsets[k] = self._cheapest(k, offsets)
                if offsets[k] is None:
                    return None
        return offsets

    def improve(self, offsets: Sequence[int | None]) -> list[int | None]:
        """Move items to where they cost less, the dearest first, until none can."""
        found, pinned = list(offsets), self._model.pinned
        for _ in range(ROUNDS):
            costs = [0.0 if at is None else self._cost(k, at, found) for k, at in enumerate(found)]
            moved = False
            for k in sorted(range(len(found)), key=lambda k: (-costs[k], k)):
                at = found[k]
                if not costs[k] or pinned[k] is not None or at is None:
                    continue
                cost = self._cost(k, at, found)
                found[k] = None
                better = self._cheapest(k, found)
                if better is not None and self._cost(k, better, found) < cost:
                    found[k], moved = better, True
                else:
                    found[k] = at
            if not moved:
                break
        return found

    def _cost(self, k: int, at: int, offsets: Sequence[int | None]) -> float:
        end, size, total = at + self._model.size[k], self._model.size, 0.0
        for j, price in self._priced[k]:
            other = offsets[j]
            if other is not None and other < end and at < other + size[j]:
                total += price
        return total

    def _cheapest(self, k: int, offsets: Sequence[int | None]) -> int | None:
        """The offset at which an item fits and costs least, of those the lowest: on the bottom, on another item, or
        where it may lie over one."""
        model = self._model
        size, align, mine = model.size, model.align[k], model.size[k]
        under = model.over[k]
        busy = [(at, at + size[j], j in under) for j in model.meets[k] if (at := offsets[j]) is not None]
        ends = {model.floor, *[at + size[j] for j, at in enumerate(offsets) if at is not None]}
        over = {at for at, _, may in busy if may and at % align == 0 and at >= model.floor}
        places = {-(-at // align) * align for at in ends} | over
        best: tuple[float, int] | None = None
        for at in sorted(places):
            if at > self._limit[k]:
                break
            end = at + mine
            for low, high, may in busy:
                if low < end and at < high and not (may and low == at):
                    break
            else:
                cost = self._cost(k, at, offsets)
                if best is None or cost < best[0]:
                    best = cost, at
                    if not cost:
                        break
        return None if best is None else best[1]
