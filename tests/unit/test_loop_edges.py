"""Trips of a loop after which what it computes changes in a new way, one by one and with numpy."""

import random
from operator import add, lt, mod, mul

import pytest

from ascend_opt.passes.analysis import loop_edges
from ascend_opt.passes.analysis.loop_edges import Calculation, edges_of, given_to

INDEX, OUTSIDE = 0, (1, 2, 3)


def calculations(rng: random.Random) -> list[Calculation]:
    """Index arithmetic of what is known so far; divisors come from outside."""
    found: list[Calculation] = []
    for result in range(10, 10 + rng.randint(1, 8)):
        function = rng.choice((add, mul, mod, min, max, lt))
        known = [INDEX, *OUTSIDE, *range(10, result)]
        second = rng.choice(OUTSIDE) if function is mod else rng.choice(known)
        found.append((function, rng.choice(known), second, result))
    return found


def edges_by_definition(these: list[Calculation], points: range, values: dict[int, int]) -> list[int]:
    def computed(point: int) -> list[int]:
        now = {**values, INDEX: point}
        for function, a, b, result in these:
            now[result] = int(function(now[a], now[b]))
        return [now[INDEX], *(now[result] for _, _, _, result in these)]

    seen: set[tuple[int, ...]] = set()
    found = {len(points) - 1}
    for trip in range(1, len(points)):
        before, after = computed(points[trip - 1]), computed(points[trip])
        change = tuple(y - x for x, y in zip(before, after, strict=True))
        if change not in seen:
            seen.add(change)
            found.add(trip)
    return sorted(found)


@pytest.mark.parametrize("few", [0, loop_edges.FEW])
def test_edges_are_those_of_every_trip_looked_at(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop_edges, "FEW", few)
    rng = random.Random(0)
    for _ in range(300):
        these = calculations(rng)
        points = range(rng.randint(0, 5), rng.randint(8, 90), rng.randint(1, 4))
        values = {value: rng.randint(1, 9) for value in OUTSIDE}
        given = {value: values[value] for value in given_to(these, INDEX)}
        assert edges_of(these, points, INDEX, given) == edges_by_definition(these, points, values)


def test_what_is_given_is_what_the_loop_does_not_compute() -> None:
    these: list[Calculation] = [(add, INDEX, 1, 10), (mul, 10, 2, 11), (add, 1, 11, 12)]
    assert given_to(these, INDEX) == [1, 2]
