"""The engine: bounds, then heuristics, then exact search, as far as the limit goes."""

import time
from dataclasses import dataclass, field, replace

from .bounds import Bound, live_bound
from .greedy import pins_conflict
from .joined_search import JoinedSearch
from .local_search import Heuristics, Layout
from .model import Model, build
from .order_search import OrderSearch
from .pieces import Pieces, make_pieces
from .problem import Callback, Plan, Problem, Progress
from .restarts import Restarts

FIRST_BUDGET = 2000
"""Steps for a peak before the next larger one is tried."""
JOINED = 8
"""Steps of the search for joined rectangles, which are short, for each of the search for all pieces."""
MOVE = 100
"""Steps of the search for each move of the local search: about the same time."""


@dataclass
class Clock:
    """CPU seconds and steps against their limits. Without a limit in seconds nothing depends on the time."""

    seconds: float | None
    steps: int | None
    progress: Callback | None = None
    begun: float = field(default_factory=time.process_time)
    done: int = 0
    peak: int = 0
    bound: int = 0

    @property
    def spent(self) -> float:
        return time.process_time() - self.begun

    def over(self, running: int = 0) -> bool:
        """Whether a limit is reached, `running` steps into a search."""
        if self.steps is not None and self.done + running >= self.steps:
            return True
        self.tell("search", running)
        return self.seconds is not None and self.spent >= self.seconds

    def left(self, most: int) -> int:
        """Steps that are left, `most` at most."""
        return most if self.steps is None else min(most, self.steps - self.done)

    def tell(self, phase: str, running: int = 0) -> None:
        if self.progress is not None:
            self.progress(Progress(self.spent, self.done + running, self.peak, self.bound, phase))


def allocate(
    problem: Problem,
    *,
    seconds: float | None = None,
    steps: int | None = None,
    exact: bool = True,
    progress: Callback | None = None,
) -> Plan:
    """The best layout within a limit of CPU `seconds`, of `steps` (layouts tried by heuristics and decisions of
    searches), or of both; without either, that of a few orders alone.

    With a capacity the first layout within it will do; without, the peak is made as small as possible. With a limit
    in steps alone the plan depends on the problem alone. Without `exact`, heuristics have the whole time. `progress`
    is called now and then.
    """
    model = build(problem)
    bound = live_bound(model)
    clash = pins_conflict(model)
    if clash is not None:
        names = " and ".join(problem.buffers[model.owner[k]].name for k in clash)
        return _plan(model, bound, None, replace_reason=f"{names} are pinned to the same bytes")
    clock = Clock(seconds, steps, progress, bound=bound.least)
    if not model.owner:
        return _plan(model, bound, Layout([], problem.taken, "no buffers"))
    goal = bound.least if problem.capacity is None else max(bound.least, problem.capacity)
    heuristics = Heuristics(model, goal)
    for layout in heuristics.first():
        clock.done += 1
        clock.peak = min(clock.peak or layout.peak, layout.peak)
        clock.tell("heuristics")
        if (seconds is not None or steps is not None) and clock.over():
            break
    possible = problem.capacity is None or bound.least <= problem.capacity
    if (seconds is not None or steps is not None) and possible:
        if not exact:
            _improve(heuristics, goal, clock, 1 << 60)
        elif problem.capacity is None:
            bound = _smallest(make_pieces(model), bound, heuristics, clock)
        else:
            bound = _within(make_pieces(model), bound, heuristics, clock, problem.capacity)
    return replace(_plan(model, bound, heuristics.best), steps=clock.done)


def _improve(heuristics: Heuristics, goal: int, clock: Clock, moves: int) -> None:
    """Local search until the goal is reached."""
    for _ in range(moves):
        if heuristics.best.peak <= goal or clock.over():
            return
        heuristics.improve()
        clock.done += 1
        clock.peak = heuristics.best.peak


def _join(joined: JoinedSearch | None, heuristics: Heuristics, clock: Clock, budget: int) -> None:
    """Search on for a layout of joined rectangles."""
    if joined is not None:
        for offsets, method in joined.run(clock.left(JOINED * budget), clock.over):
            heuristics.keep(offsets, method)
            clock.peak = heuristics.best.peak
        clock.done += joined.steps
        clock.tell("search")


def _searcher(pieces: Pieces, capacity: int, weight: list[float]) -> Restarts | OrderSearch:
    return Restarts(pieces, capacity, weight) if pieces.model.plain else OrderSearch(pieces, capacity)


def _within(pieces: Pieces, bound: Bound, heuristics: Heuristics, clock: Clock, capacity: int) -> Bound:
    """Search for a layout within the capacity, in turns with moves of the local search; the bound if there is none."""
    search = _searcher(pieces, capacity, [0.0] * pieces.sections)
    joined = JoinedSearch(pieces.model) if pieces.model.plain else None
    budget = FIRST_BUDGET
    while heuristics.best.peak > capacity and not clock.over():
        _join(joined, heuristics, clock, budget)
        if heuristics.best.peak <= capacity:
            break
        found = search.run(clock.left(budget), clock.over)
        clock.done += search.steps
        if isinstance(found, list):
            heuristics.keep(found, "exact search")
        elif found is False:
            return replace(bound, least=_next_peak(pieces.model, capacity))
        else:
            _improve(heuristics, capacity, clock, budget // MOVE)
        budget *= 2
    return bound


def _smallest(pieces: Pieces, bound: Bound, heuristics: Heuristics, clock: Clock) -> Bound:
    """Search for peaks from the bound upwards: one that is refuted raises the bound, one that is reached is the best,
    and one that takes too many steps is left for one half way to the best. Then local search, and all of it again with
    more steps. The best bound is returned."""
    weight = [0.0] * pieces.sections
    searches: dict[int, Restarts | OrderSearch] = {}
    joined = JoinedSearch(pieces.model) if pieces.model.plain else None
    budget = FIRST_BUDGET
    while bound.least < heuristics.best.peak and not clock.over():
        _join(joined, heuristics, clock, budget)
        target = bound.least
        while target < heuristics.best.peak and not clock.over():
            search = searches.setdefault(target, _searcher(pieces, target, weight))
            found = search.run(clock.left(budget), clock.over)
            clock.done += search.steps
            if isinstance(found, list):
                heuristics.keep(found, "exact search")
                target = bound.least
            elif found is False:
                bound = replace(bound, least=_next_peak(pieces.model, target))
                target = bound.least
            else:
                target = _round_up(pieces.model, (target + heuristics.best.peak) // 2 + 1)
            clock.peak, clock.bound = heuristics.best.peak, bound.least
        searches = {at: s for at, s in searches.items() if bound.least <= at < heuristics.best.peak}
        _improve(heuristics, bound.least, clock, budget // MOVE)
        budget *= 2
    return bound


def _next_peak(model: Model, peak: int) -> int:
    """The least peak above `peak` that some item can end at."""
    return _round_up(model, peak + 1)


def _round_up(model: Model, peak: int) -> int:
    """The least peak from `peak` on that some item can end at."""
    ends = {(model.origin + model.problem.buffers[i].size) % model.unit for i in model.owner}
    return min(peak + (end - peak) % model.unit for end in ends)


def _plan(model: Model, bound: Bound, layout: Layout | None, replace_reason: str = "") -> Plan:
    problem, capacity = model.problem, model.problem.capacity
    status, reason = "fits", replace_reason
    peak = problem.taken if layout is None else layout.peak
    if layout is None:
        status = "impossible"
    elif capacity is not None and peak > capacity:
        status = "impossible" if bound.least > capacity else "undecided"
        if bound.alive_bytes > capacity:
            reason = (
                f"{problem.space} needs {bound.alive_bytes} B at time {bound.point}, the capacity is {capacity} B: "
                f"{bound.alive_bytes - capacity} B too many"
            )
        elif status == "impossible":
            reason = (
                f"no layout of {problem.space} is within {capacity} B although at most {bound.alive_bytes} B are "
                f"alive at once (time {bound.point}): offsets do not come out"
            )
        else:
            reason = f"the limit ended the search; the best layout found needs {peak} B of {capacity} B"
    return Plan(
        status,
        () if layout is None else model.addresses(layout.offsets),
        peak,
        bound.least,
        bound.alive_bytes,
        bound.point,
        bound.alive,
        0,
        "" if layout is None else layout.method,
        reason,
    )
