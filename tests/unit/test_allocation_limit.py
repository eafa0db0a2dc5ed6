"""Time limits of the allocation engine: kept with any number of buffers, and there is always a layout."""

import gc
import random
import time
from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sweeps import ALL

from ascend_opt.passes.memory.allocation import Buffer, Problem, Progress, allocate, solve, validate
from ascend_opt.passes.memory.allocation.best_fit import best_fit
from ascend_opt.passes.memory.allocation.bounds import live_bound
from ascend_opt.passes.memory.allocation.model import build


def many(count: int, life: int, seed: int = 1) -> Problem:
    """Buffers that begin at any time and live up to `life` points; `life` / 4 of them are alive at once."""
    draw = random.Random(seed)
    starts = [draw.randrange(2 * count) for _ in range(count)]
    return Problem(
        tuple(
            Buffer(f"b{i}", start, start + 1 + draw.randrange(life), 32 * draw.randrange(1, 4096))
            for i, start in enumerate(starts)
        )
    )


def hard() -> Problem:
    """One that heuristics do not solve."""
    draw = random.Random(0)
    return Problem(
        tuple(
            Buffer(
                f"b{i}",
                (start := draw.randrange(400)),
                start + draw.randrange(20, 200),
                draw.randrange(1, 99),
            )
            for i in range(400)
        )
    )


@pytest.fixture
def own_garbage() -> Iterator[None]:
    """What other tests have left is no part of a collection, which would take CPU seconds of this one."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.sweep(2)
@pytest.mark.usefixtures("own_garbage")
@pytest.mark.parametrize(("life", "seconds"), [(4000, 2.0), (200, 0.01)])
def test_a_time_limit_is_kept_with_20000_buffers(life: int, seconds: float) -> None:
    """CPU seconds, validation included, beside those that the model and a layout take without any search on this
    machine."""
    problem, told = many(20_000, life), list[Progress]()
    begun = time.process_time()
    validate(problem, allocate(problem, seconds=0.0))
    least, begun = time.process_time() - begun, time.process_time()
    plan = allocate(problem, seconds=seconds, progress=told.append)
    validate(problem, plan)
    assert time.process_time() - begun <= 1.2 * seconds + 2 * least
    assert plan.status == "fits"
    assert plan.peak <= 1.2 * plan.bound
    assert told


@pytest.mark.parametrize("slower", [1, 3])
def test_the_model_and_what_follows_a_search_count(slower: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a clock that goes on by what is done: 0.1 s for the model, times `slower`, and as much behind the search."""
    now, real = [0.0], solve.build

    def slow_build(problem: Problem) -> object:
        now[0] += 0.1 * slower
        return real(problem)

    def tick() -> float:
        now[0] += 0.001
        return now[0]

    monkeypatch.setattr(solve, "build", slow_build)
    monkeypatch.setattr(solve.time, "process_time", tick)
    plan = allocate(hard(), seconds=1.0)
    assert plan.status == "fits" and 0.95 - 0.1 * slower <= now[0] <= 1.01 - 0.1 * slower


@pytest.mark.parametrize("pinned", [None, (64,)])
def test_no_time_at_all_gives_a_layout(pinned: tuple[int, ...] | None) -> None:
    problem = Problem((Buffer("a", 0, 4, 32), Buffer("b", 2, 6, 32, pinned=pinned)))
    plan = allocate(problem, seconds=0.0)
    validate(problem, plan)
    assert plan.status == "fits"


def test_more_time_gives_a_better_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a clock that goes on by 1 ms when it is read, whatever else this machine does."""
    now = count(step=0.001)
    monkeypatch.setattr(solve.time, "process_time", lambda: next(now))
    problem = many(3000, 300)
    peaks = [allocate(problem, seconds=seconds).peak for seconds in (0.001, 50.0)]
    assert peaks[1] < peaks[0]


def test_time_that_is_over_in_a_search_keeps_the_best() -> None:
    """The end comes somewhere in the exact search of a problem that heuristics do not solve."""
    problem = hard()
    begun = time.process_time()
    plan = allocate(problem, seconds=0.5)
    assert time.process_time() - begun <= 1.6
    validate(problem, plan)
    assert plan.peak <= allocate(problem).peak


buffers = st.tuples(
    st.integers(0, 12),
    st.integers(1, 8),
    st.integers(1, 9),
    st.sampled_from((1, 2, 4)),
    st.sampled_from((1, 2)),
)


@settings(deadline=None)
@given(st.lists(buffers, min_size=1, max_size=12), st.sampled_from((0, 3)))
def test_best_fit_lays_out_anything(drawn: list[tuple[int, int, int, int, int]], taken: int) -> None:
    problem = Problem(
        tuple(
            Buffer(f"b{i}", start, start + life, size, align, slots)
            for i, (start, life, size, align, slots) in enumerate(drawn)
        ),
        taken=taken,
    )
    model = build(problem)
    offsets = best_fit(model)
    for k in range(len(offsets)):
        assert offsets[k] >= model.floor and offsets[k] % model.align[k] == 0
        for j in model.meets[k]:
            assert offsets[k] >= offsets[j] + model.size[j] or offsets[j] >= offsets[k] + model.size[k]


@settings(deadline=None, max_examples=100 if ALL else 25)
@given(st.lists(buffers, min_size=1, max_size=12), st.sampled_from((0, 3)))
def test_the_bound_is_that_of_the_worst_section(
    drawn: list[tuple[int, int, int, int, int]], taken: int
) -> None:
    """Bytes alive, counted point by point; a bound by alignment may be above them, never below."""
    problem = Problem(
        tuple(
            Buffer(f"b{i}", start, start + life, size, align, slots)
            for i, (start, life, size, align, slots) in enumerate(drawn)
        ),
        taken=taken,
    )
    bound = live_bound(build(problem))
    alive = {t: taken + sum(b.total for b in problem.buffers if b.start <= t < b.end) for t in range(12 + 8)}
    assert bound.least >= max(alive.values())
    assert bound.alive_bytes == alive[bound.point]
    assert allocate(problem, steps=3000).peak >= bound.least
