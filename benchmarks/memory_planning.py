"""Memory planning: the eleven hard instances of MiniMalloc one by one, heuristics alone, and problems with a known
least peak. `python benchmarks/memory_planning.py [A B ...]` prints every instance, solved or not.

Seconds are CPU seconds of this process on this machine, so other load changes them little; the published ones are wall
seconds of the C++ solver on its authors' machine.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from math import exp, inf, log
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tests" / "helpers"))

from allocation_problems import known_problem
from measure import Row

from ascend_opt.passes.memory.allocation import Plan, Problem, allocate, validate
from ascend_opt.passes.memory.allocation.table import read_table

DATA = Path(__file__).parent / "data" / "minimalloc"
CAPACITY = 1048576
PUBLISHED = {
    "A": 7.5,
    "B": 5.9,
    "C": 0.8,
    "D": 3.9,
    "E": 4.2,
    "F": 7.9,
    "G": 1.2,
    "H": 1.6,
    "I": 3.4,
    "J": 1.4,
    "K": 0.6,
}
"""Seconds of the C++ solver (Moffitt, ASPLOS 2023)."""
LIMIT = 60.0
MANY = 3
"""Problems of 2000 pieces of each kind."""


def instance(name: str, capacity: int | None = CAPACITY) -> Problem:
    """One of the hard instances."""
    path = DATA / f"{name}.{CAPACITY}.csv"
    return read_table(path.read_text(), str(path), capacity).problem


def timed(problem: Problem, seconds: float, exact: bool = True) -> tuple[Plan, float]:
    """The plan within a limit, validated, and the CPU seconds it took."""
    begun = time.process_time()
    plan = allocate(problem, seconds=seconds, exact=exact)
    spent = time.process_time() - begun
    validate(problem, plan)
    return plan, spent


def mean(ratios: Sequence[float]) -> float:
    """The geometric mean."""
    return exp(sum(map(log, ratios)) / len(ratios))


def rows() -> Iterator[Row]:
    solved: dict[str, float] = {}
    for name, published in PUBLISHED.items():
        plan, seconds = timed(instance(name), LIMIT)
        if plan.status == "fits":
            solved[name] = seconds
        note = (
            f"{plan.status}, peak {plan.peak}, {plan.peak / plan.alive_bytes:.3f} x alive, {plan.steps} steps"
        )
        ratio = seconds / published if plan.status == "fits" else inf
        yield Row(f"minimalloc {name}", seconds, published, "s", "published C++", ratio, 2, note=note)
    total = sum(PUBLISHED.values())
    yield Row(
        "minimalloc, solved",
        sum(solved.values()),
        total,
        "s",
        "published C++",
        len(solved),
        11,
        at_least=True,
    )
    for seconds, worst, average in ((0.1, 1.35, 1.25), (10.0, None, 1.15)):
        plans = [timed(instance(name, None), seconds, exact=False)[0] for name in PUBLISHED]
        ratios = [plan.peak / plan.alive_bytes for plan in plans]
        name = f"heuristics, {seconds:g} s"
        if worst is not None:
            yield Row(f"{name}, the worst", max(ratios), 1, "x", "most bytes alive", max(ratios), worst)
        yield Row(f"{name}, the mean", mean(ratios), 1, "x", "most bytes alive", mean(ratios), average)
    for count, limit in ((50, 1.0), (100, 10.0)):
        for align, share in ((1, 0.0), (32, 0.2)):
            yield _exact(count, limit, align, share)
    for align, share, slack, left_out, bar in (
        (1, 0.0, None, 0.0, 1.3),
        (32, 0.2, None, 0.0, 1.3),
        (1, 0.0, None, 0.1, 1.1),
        (32, 0.2, None, 0.1, 1.1),
        (1, 0.0, 0.1, 0.0, 1.1),
        (32, 0.2, 0.1, 0.0, 1.1),
    ):
        yield _many(align, share, slack, left_out, bar)


def _many(align: int, share: float, slack: float | None, left_out: float, bar: float) -> Row:
    """Problems of 2000 pieces in 5 s each: the highest peak of some."""
    worst, tops, methods = 0.0, (0, 1), set[str]()
    for seed in range(MANY):
        problem, height = known_problem(2000, seed, align, share, slack, left_out)
        plan, _ = timed(problem, 5.0)
        methods.add(plan.method)
        if plan.peak / height > worst:
            worst, tops = plan.peak / height, (plan.peak, height)
    name = f"2000 cut pieces{', in place' if share else ''}"
    name += ", 10 % of them left out" if left_out else ", capacity 10 % larger" if slack else ""
    note = f"the worst of {MANY}; {', '.join(sorted(methods))}"
    return Row(name, *tops, "B", "least peak", worst, bar, note=note)


def _exact(count: int, limit: float, align: int, share: float) -> Row:
    """Problems cut from a full rectangle, all to be laid out within it; aligned ones have sizes that are no multiples
    of the alignment."""
    worst, done, problems = 0.0, 0, 10
    for seed in range(problems):
        plan, seconds = timed(known_problem(count, seed, align, share, 0.0)[0], limit)
        worst, done = max(worst, seconds), done + (plan.status == "fits")
    name = f"{count} cut pieces{', aligned, in place' if share else ''}"
    return Row(name, worst, limit, "s", "limit", done / problems, 1, True, note=f"{done} of {problems} exact")


def main(names: Sequence[str]) -> None:
    """Print a table of instances."""
    print("instance  buffers      peak  x alive      status    steps   CPU s  C++ s  ratio")
    for name in names or PUBLISHED:
        problem = instance(name)
        plan, seconds = timed(problem, LIMIT)
        print(
            f"{name:8} {len(problem.buffers):8} {plan.peak:9} {plan.peak / plan.alive_bytes:8.3f} {plan.status:>11} "
            f"{plan.steps:8} {seconds:7.2f} {PUBLISHED[name]:6.1f} {seconds / PUBLISHED[name]:6.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
