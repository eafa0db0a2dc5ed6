"""The solvers of the allocation engine: against every layout of tiny problems, cut rectangles, the hard instances."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from allocation_problems import known_problem, least_peak
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_opt.passes.memory.allocation import Buffer, Problem, Progress, allocate, validate
from ascend_opt.passes.memory.allocation.table import read_table

MOST = 40
"""No least peak of a tiny problem is above this."""


@st.composite
def tiny_problems(draw: st.DrawFn, generic: bool = False) -> Problem:
    """Up to five buffers with alignments, slots and pairs in place; `generic` ones also with pins and pairs apart."""
    points, buffers = draw(st.integers(2, 6)), list[Buffer]()
    aligns = draw(st.sampled_from([(1,), (1, 2), (1, 2, 4), (2, 3), (4,)]))
    for number in range(draw(st.integers(2, 4 if generic else 5))):
        start = draw(st.integers(0, points - 1))
        align = draw(st.sampled_from(aligns))
        slots = draw(st.sampled_from((1, 1, 1, 1, 2)))
        pinned = None
        if generic and draw(st.integers(0, 3)) == 0:
            pinned = tuple(align * draw(st.integers(0, 4)) for _ in range(slots))
        end = draw(st.integers(start + 1, points))
        buffers.append(Buffer(f"b{number}", start, end, draw(st.integers(1, 4)), align, slots, pinned))
    pairs = [(i, j) for i in range(len(buffers)) for j in range(i)]
    over = [
        (i, j) if buffers[i].start <= buffers[j].start else (j, i)
        for i, j in pairs
        if buffers[i].slots == buffers[j].slots and draw(st.integers(0, 4)) == 0
    ]
    apart = [
        p for p in pairs if generic and p not in over and p[::-1] not in over and draw(st.integers(0, 5)) == 0
    ]
    return Problem(tuple(buffers), None, draw(st.sampled_from((0, 0, 3))), tuple(over), tuple(apart))


def limited(problem: Problem, capacity: int) -> Problem:
    return Problem(problem.buffers, capacity, problem.taken, problem.in_place, problem.apart)


def check_against_every_layout(problem: Problem) -> None:
    least = least_peak(problem, MOST)
    if least is None:
        assert allocate(problem, steps=5000).status == "impossible"
        return
    quick = allocate(problem)
    validate(problem, quick)
    assert quick.bound <= least <= quick.peak
    plan = allocate(problem, steps=5000)
    validate(problem, plan)
    assert (plan.peak, plan.optimal) == (least, True)
    fits = allocate(limited(problem, least), steps=5000)
    validate(limited(problem, least), fits)
    assert fits.status == "fits"
    refused = allocate(limited(problem, least - 1), steps=5000)
    validate(limited(problem, least - 1), refused)
    assert refused.status == "impossible"


@settings(max_examples=70, deadline=None, derandomize=True)
@given(tiny_problems())
def test_the_search_by_gaps_finds_the_least_peak(problem: Problem) -> None:
    check_against_every_layout(problem)


@settings(max_examples=70, deadline=None, derandomize=True)
@given(tiny_problems(generic=True))
def test_the_search_by_offsets_finds_the_least_peak(problem: Problem) -> None:
    check_against_every_layout(problem)


def test_a_refusal_by_search_says_so() -> None:
    """7 bytes are alive at most, but three offsets that are multiples of 4 need 9."""
    sizes = ((2, 5, 2, 4), (1, 3, 2, 4), (1, 3, 1, 4), (1, 4, 1, 1), (1, 6, 1, 1))
    buffers = tuple(Buffer(f"b{i}", *row) for i, row in enumerate(sizes))
    plan = allocate(Problem(buffers), steps=1000)
    assert (plan.peak, plan.alive_bytes, plan.optimal) == (9, 7, True)
    refused = allocate(Problem(buffers, 8), steps=1000)
    assert refused.status == "impossible"
    assert refused.reason == (
        "no layout of memory is within 8 B although at most 7 B are alive at once (time 2): offsets do not come out"
    )


@pytest.mark.parametrize(
    ("count", "align", "in_place"), [(50, 1, 0.0), (50, 32, 0.2), (100, 1, 0.0), (100, 32, 0.2)]
)
def test_cut_rectangles_are_put_together_again(count: int, align: int, in_place: float) -> None:
    for seed in range(2):
        problem, height = known_problem(count, seed, align, in_place, slack=0.0)
        plan = allocate(problem, steps=20_000)
        validate(problem, plan)
        assert (plan.status, problem.capacity) == ("fits", height)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", "ABCDEFGHIJK")
def test_hard_instances_are_solved(repository: Path, name: str) -> None:
    path = repository / "benchmarks" / "data" / "minimalloc" / f"{name}.1048576.csv"
    problem = read_table(path.read_text(), path.name, 1048576).problem
    plan = allocate(problem, steps=5000)
    validate(problem, plan)
    assert plan.status == "fits"


def test_heuristics_alone_come_near(repository: Path) -> None:
    """The bar of the benchmark is 1.35 x the bytes alive in 100 ms; steps do not depend on the machine."""
    for name in "AEI":
        path = repository / "benchmarks" / "data" / "minimalloc" / f"{name}.1048576.csv"
        problem = read_table(path.read_text(), path.name).problem
        plan = allocate(problem, steps=20, exact=False)
        validate(problem, plan)
        assert plan.peak <= 1.2 * plan.alive_bytes


def test_a_limit_leaves_it_undecided_and_progress_is_told(repository: Path) -> None:
    path = repository / "benchmarks" / "data" / "minimalloc" / "E.1048576.csv"
    problem = read_table(path.read_text(), path.name, 1048576).problem
    told: list[Progress] = []
    plan = allocate(problem, steps=200, progress=told.append)
    validate(problem, plan)
    assert plan.status == "undecided"
    assert "the limit ended the search" in plan.reason
    assert plan.steps <= 210
    assert told[-1].peak == plan.peak
    assert [p.steps for p in told] == sorted(p.steps for p in told)


SCRIPT = """
from allocation_problems import known_problem
from ascend_opt.passes.memory.allocation import allocate
for slack in (None, 0.0):
    print(allocate(known_problem(40, 3, 32, 0.3, slack)[0], steps=3000))
"""


def test_with_a_limit_in_steps_the_plan_depends_on_the_problem_alone(repository: Path) -> None:
    outputs: set[str] = set()
    for seed in ("0", "1"):
        path = str(repository / "tests" / "helpers")
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            capture_output=True,
            text=True,
            env=environment,
            timeout=60,
            check=True,
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1
