"""The engine: bounds, then heuristics, then exact search, as far as the limit goes."""

import time
from dataclasses import dataclass, field

from .bounds import Bound, live_bound
from .greedy import ORDERS, lowest, pins_conflict
from .model import Model, build
from .problem import Callback, Plan, Problem, Progress, Status


@dataclass
class Clock:
    """CPU seconds and steps against their limits. Without a limit in seconds nothing depends on the time."""

    seconds: float | None
    steps: int | None
    progress: Callback | None = None
    begun: float = field(default_factory=time.process_time)
    done: int = 0

    @property
    def spent(self) -> float:
        return time.process_time() - self.begun

    @property
    def over(self) -> bool:
        if self.steps is not None and self.done >= self.steps:
            return True
        return self.seconds is not None and self.spent >= self.seconds

    def tell(self, peak: int, bound: int, phase: str) -> None:
        if self.progress is not None:
            self.progress(Progress(self.spent, self.done, peak, bound, phase))


def allocate(
    problem: Problem,
    *,
    seconds: float | None = None,
    steps: int | None = None,
    progress: Callback | None = None,
) -> Plan:
    """The best layout within a limit of CPU `seconds`, of search `steps`, or of both; without either, heuristics alone.

    With a capacity the first layout within it will do; without, the peak is made as small as possible. With a limit in
    steps alone the plan depends on the problem alone. `progress` is called now and then.
    """
    model = build(problem)
    bound = live_bound(model)
    clash = pins_conflict(model)
    if clash is not None:
        names = " and ".join(problem.buffers[model.owner[k]].name for k in clash)
        return _plan(
            model, bound, None, bound.least, "impossible", reason=f"{names} are pinned to the same bytes"
        )
    clock = Clock(seconds, steps, progress)
    best: tuple[int, list[int], str] | None = None
    goal = max(bound.least, problem.capacity or 0)
    for name, key in ORDERS:
        order = sorted(range(len(model.owner)), key=lambda k: (key(model, k), k))
        offsets = lowest(model, order)
        assert offsets is not None
        peak = model.peak(offsets)
        clock.done += 1
        if best is None or peak < best[0]:
            best = peak, offsets, f"lowest offset by {name}"
            clock.tell(peak, bound.least, best[2])
        if peak <= goal:
            break
    assert best is not None
    peak, offsets, method = best
    least = bound.least
    if problem.capacity is None or peak <= problem.capacity:
        return _plan(model, bound, offsets, least, "fits", clock.done, method)
    if least > problem.capacity:
        return _plan(
            model, bound, offsets, least, "impossible", clock.done, method, _too_much(problem, bound)
        )
    reason = f"the limit ended the search at a peak of {peak} B"
    return _plan(model, bound, offsets, least, "undecided", clock.done, method, reason)


def _too_much(problem: Problem, bound: Bound) -> str:
    return (
        f"{problem.space} needs {bound.least} B at time {bound.point}, the capacity is {problem.capacity} B: "
        f"{bound.least - (problem.capacity or 0)} B too many"
    )


def _plan(
    model: Model,
    bound: Bound,
    offsets: list[int] | None,
    least: int,
    status: Status,
    steps: int = 0,
    method: str = "",
    reason: str = "",
) -> Plan:
    return Plan(
        status,
        () if offsets is None else model.addresses(offsets),
        0 if offsets is None else model.peak(offsets),
        least,
        bound.alive_bytes,
        bound.point,
        bound.alive,
        steps,
        method,
        reason,
    )
