"""Layouts in which sharing has a price: within the capacity, valid, and no dearer than they must be."""

from itertools import product
from random import Random

import pytest

from ascend_opt.passes.memory.allocation import Buffer, Problem, allocate, validate
from ascend_opt.passes.memory.allocation.priced import allocate_priced

Prices = dict[tuple[int, int], float]


def cost(problem: Problem, offsets: tuple[tuple[int, ...], ...], prices: Prices) -> float:
    """What the pairs cost that share a byte."""
    buffers = problem.buffers
    return sum(
        price
        for (i, j), price in prices.items()
        if any(a < b + buffers[j].size and b < a + buffers[i].size for a in offsets[i] for b in offsets[j])
    )


def least_cost(problem: Problem, prices: Prices) -> float:
    """Over all layouts."""
    assert problem.capacity is not None
    places = [range(problem.capacity - b.size + 1) for b in problem.buffers]
    best = float("inf")
    for chosen in product(*places):
        pairs = ((i, j) for i in range(len(chosen)) for j in range(i))
        if all(
            problem.buffers[i].start >= problem.buffers[j].end
            or problem.buffers[j].start >= problem.buffers[i].end
            or chosen[i] >= chosen[j] + problem.buffers[j].size
            or chosen[j] >= chosen[i] + problem.buffers[i].size
            for i, j in pairs
        ):
            best = min(best, cost(problem, tuple((at,) for at in chosen), prices))
    return best


def tiny(seed: int) -> tuple[Problem, Prices]:
    random = Random(seed)
    buffers: list[Buffer] = []
    for i in range(5):
        start = random.randrange(6)
        buffers.append(Buffer(str(i), start, start + random.randint(1, 3), random.randint(1, 3)))
    problem = Problem(tuple(buffers))
    problem = Problem(tuple(buffers), capacity=allocate(problem, steps=1000).peak + random.randrange(2))
    prices = {
        (i, j): float(random.randint(1, 9)) for j in range(5) for i in range(j) if random.random() < 0.7
    }
    return problem, prices


def test_no_dearer_than_the_cheapest_layout_on_tiny_problems():
    """A local search: seldom worse than the best of all layouts, and never by much."""
    found, best = 0.0, 0.0
    exact = 0
    for seed in range(40):
        problem, prices = tiny(seed)
        plan = allocate_priced(problem, prices, 1000)
        validate(problem, plan)
        assert plan.status == "fits"
        mine, least = cost(problem, plan.offsets, prices), least_cost(problem, prices)
        assert mine >= least
        found, best, exact = found + mine, best + least, exact + (mine == least)
    assert exact >= 34
    assert found <= 1.15 * best


def test_room_is_used_before_anything_is_shared():
    buffers = tuple(Buffer(str(i), i, i + 1, 32, align=32) for i in range(4))
    prices = {(i, j): 1.0 for j in range(4) for i in range(j)}
    plan = allocate_priced(Problem(buffers, capacity=128), prices, 100)
    assert len({slots[0] for slots in plan.offsets}) == 4


@pytest.mark.parametrize("dear", [(0, 1), (1, 2), (0, 2)])
def test_the_cheap_pairs_share(dear: tuple[int, int]):
    """Three in turn, room for two: whoever shares, the dear pair does not."""
    buffers = tuple(Buffer(str(i), i, i + 1, 64, align=32) for i in range(3))
    prices = {pair: 100.0 if pair == dear else 1.0 for pair in ((0, 1), (1, 2), (0, 2))}
    problem = Problem(buffers, capacity=128)
    plan = allocate_priced(problem, prices, 100)
    validate(problem, plan)
    assert cost(problem, plan.offsets, prices) == 1.0


def test_slots_pins_taken_bytes_and_pairs_in_place_are_kept():
    buffers = (
        Buffer("ring", 0, 4, 64, align=32, slots=2),
        Buffer("result", 3, 6, 64, align=32, slots=2),
        Buffer("pinned", 0, 9, 32, align=32, pinned=(96,)),
        Buffer("late", 6, 9, 64, align=32),
    )
    problem = Problem(buffers, capacity=288, taken=64, in_place=((0, 1),))
    plan = allocate_priced(problem, {(0, 3): 5.0, (1, 3): 7.0}, 1000)
    validate(problem, plan)
    assert plan.offsets[0] == plan.offsets[1] and plan.offsets[2] == (96,)


def test_what_does_not_fit_says_so():
    buffers = tuple(Buffer(str(i), 0, 2, 64) for i in range(3))
    assert allocate_priced(Problem(buffers, capacity=128), {}, 100).status == "impossible"
