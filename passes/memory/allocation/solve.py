"""The engine: bounds, then heuristics, then exact search, as far as the limit goes. The searches are imported when
heuristics are not enough, which is seldom."""

import time
from contextlib import suppress
from dataclasses import field, replace
from typing import TYPE_CHECKING

from ....dialects.records import dataclass
from .best_fit import best_fit
from .bounds import Bound, live_bound
from .deadline import Check, OutOfTimeError, endless
from .greedy import pins_conflict
from .local_search import Heuristics, Layout
from .model import Model, build
from .pieces import Pieces, make_pieces
from .problem import Callback, Plan, Problem, Progress

if TYPE_CHECKING:
    from .joined_search import JoinedSearch
    from .order_search import OrderSearch
    from .restarts import Restarts

FIRST_BUDGET = 2000
"""Steps for a peak before the next larger one is tried."""
JOINED = 8
"""Steps of the search for joined rectangles, which are short, for each of the search for all pieces."""
MOVE = 100
"""Steps of the search for each move of the local search: about the same time."""


@dataclass
class Clock:
    """CPU seconds and steps against their limits. Without a limit in seconds nothing depends on the time. `kept`: the
    seconds before the limit that what follows a search takes."""

    seconds: float | None
    steps: int | None
    progress: Callback | None = None
    begun: float = field(default_factory=time.process_time)
    kept: float = 0.0
    done: int = 0
    peak: int = 0
    bound: int = 0
    phase: str = "heuristics"
    told: int = 0

    @property
    def limited(self) -> bool:
        """Whether there is a limit."""
        return self.seconds is not None or self.steps is not None

    @property
    def spent(self) -> float:
        return time.process_time() - self.begun

    @property
    def late(self) -> bool:
        """Whether no CPU seconds are left."""
        return self.seconds is not None and self.spent + self.kept >= self.seconds

    def over(self, running: int = 0) -> bool:
        """Whether a limit is reached, `running` steps into a search."""
        if self.steps is not None and self.done + running >= self.steps:
            return True
        self.tell("search", running)
        return self.late

    def check(self) -> None:
        """`OutOfTimeError` when no CPU seconds are left."""
        self.tell(self.phase)
        if self.late:
            raise OutOfTimeError

    def left(self, most: int) -> int:
        """Steps that are left, `most` at most."""
        return most if self.steps is None else min(most, self.steps - self.done)

    def tell(self, phase: str, running: int = 0) -> None:
        if self.progress is not None:
            self.told = max(self.told, self.done + running)
            self.progress(Progress(self.spent, self.told, self.peak, self.bound, phase))


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

    The limit counts from the call. The search ends before it by the time that it began after the call: the plan, and
    its validation, take about as long as the model and its bound.
    """
    begun = time.process_time()
    model = build(problem)
    bound = live_bound(model)
    clash = pins_conflict(model)
    if clash is not None:
        names = " and ".join(problem.buffers[model.owner[k]].name for k in clash)
        return _plan(model, bound, None, replace_reason=f"{names} are pinned to the same bytes")
    clock = Clock(seconds, steps, progress, begun, time.process_time() - begun, bound=bound.least)
    if not model.owner:
        return _plan(model, bound, Layout([], problem.taken, "no buffers"))
    search = _Search(model, bound, clock, exact)
    if not clock.limited:
        search.first()
    else:
        with suppress(OutOfTimeError):
            if seconds is not None and model.plain:
                search.at_once()
                clock.check()
            search.run()
        if not search.found:
            search.first()  # where items are pinned there is no layout in next to no time
    return replace(_plan(model, search.bound, search.best), steps=clock.done)


class _Search:
    """Heuristics, then exact search. `best` and `bound` hold what was found, whenever the time ends it."""

    def __init__(self, model: Model, bound: Bound, clock: Clock, exact: bool):
        self.bound = bound
        self._model, self._clock, self._exact = model, clock, exact
        self._capacity = model.problem.capacity
        self._goal = bound.least if self._capacity is None else max(bound.least, self._capacity)
        self._quick: Layout | None = None
        self._heuristics: Heuristics | None = None

    @property
    def found(self) -> bool:
        """Whether there is a layout."""
        return self._quick is not None or (self._heuristics is not None and self._heuristics.found)

    @property
    def best(self) -> Layout:
        """The best layout so far; there is one after `at_once` or `first`."""
        known = self._heuristics is not None and self._heuristics.found
        best = self._heuristics.best if self._heuristics is not None and known else self._quick
        assert best is not None
        return best

    def at_once(self) -> None:
        """A layout in next to no time, for a model without pins and pairs apart."""
        offsets = best_fit(self._model)
        self._quick = Layout(offsets, self._model.peak(offsets), "best fit")
        self._clock.peak = self._quick.peak

    def first(self, check: Check = endless) -> Heuristics:
        """A few orders."""
        clock = self._clock
        heuristics = self._heuristics = Heuristics(self._model, self._goal, check)
        if self._quick is not None:
            heuristics.keep(self._quick.offsets, self._quick.method)
        for layout in heuristics.first():
            clock.done += 1
            clock.peak = min(clock.peak or layout.peak, layout.peak)
            clock.tell("heuristics")
            if clock.limited and clock.over():
                break
        return heuristics

    def run(self) -> None:
        """All of it, as far as the limits go. Raises OutOfTimeError."""
        clock = self._clock
        heuristics = self.first(clock.check)
        if self._capacity is not None and self.bound.least > self._capacity:
            return
        clock.phase = "search"
        if not self._exact:
            _improve(heuristics, self._goal, clock, 1 << 60)
        elif self.best.peak > self._goal and not clock.over():
            pieces = make_pieces(self._model, clock.check)
            if self._capacity is None:
                self._smallest(pieces, heuristics)
            else:
                self._within(pieces, heuristics, self._capacity)

    def _within(self, pieces: Pieces, heuristics: Heuristics, capacity: int) -> None:
        """Search for a layout within the capacity, in turns with moves of the local search; the bound if there is
        none."""
        clock = self._clock
        search = _searcher(pieces, capacity, [0.0] * pieces.sections)
        joined = _joined(pieces.model, clock)
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
                self.bound = replace(self.bound, least=_next_peak(pieces.model, capacity))
                return
            else:
                _improve(heuristics, capacity, clock, budget // MOVE)
            budget *= 2

    def _smallest(self, pieces: Pieces, heuristics: Heuristics) -> None:
        """Search for peaks from the bound upwards: one that is refuted raises the bound, one that is reached is the
        best, and one that takes too many steps is left for one half way to the best. Then local search, and all of it
        again with more steps."""
        clock, weight = self._clock, [0.0] * pieces.sections
        searches: dict[int, Restarts | OrderSearch] = {}
        joined = _joined(pieces.model, clock)
        budget = FIRST_BUDGET
        while self.bound.least < heuristics.best.peak and not clock.over():
            _join(joined, heuristics, clock, budget)
            target = self.bound.least
            while target < heuristics.best.peak and not clock.over():
                search = searches.setdefault(target, _searcher(pieces, target, weight))
                found = search.run(clock.left(budget), clock.over)
                clock.done += search.steps
                if isinstance(found, list):
                    heuristics.keep(found, "exact search")
                    target = self.bound.least
                elif found is False:
                    self.bound = replace(self.bound, least=_next_peak(pieces.model, target))
                    target = self.bound.least
                else:
                    target = _round_up(pieces.model, (target + heuristics.best.peak) // 2 + 1)
                clock.peak, clock.bound = heuristics.best.peak, self.bound.least
            searches = {at: s for at, s in searches.items() if self.bound.least <= at < heuristics.best.peak}
            _improve(heuristics, self.bound.least, clock, budget // MOVE)
            budget *= 2


def _improve(heuristics: Heuristics, goal: int, clock: Clock, moves: int) -> None:
    """Local search until the goal is reached."""
    for _ in range(moves):
        if heuristics.best.peak <= goal or clock.over():
            return
        heuristics.improve()
        clock.done += 1
        clock.peak = heuristics.best.peak


def _joined(model: Model, clock: Clock) -> "JoinedSearch | None":
    """The search for joined rectangles, where they are all of a problem."""
    if not model.plain:
        return None
    from .joined_search import JoinedSearch

    return JoinedSearch(model, clock.check)


def _join(joined: "JoinedSearch | None", heuristics: Heuristics, clock: Clock, budget: int) -> None:
    """Search on for a layout of joined rectangles."""
    if joined is not None:
        for offsets, method in joined.run(clock.left(JOINED * budget), clock.over):
            heuristics.keep(offsets, method)
            clock.peak = heuristics.best.peak
        clock.done += joined.steps
        clock.tell("search")


def _searcher(pieces: Pieces, capacity: int, weight: list[float]) -> "Restarts | OrderSearch":
    from .order_search import OrderSearch
    from .restarts import Restarts

    return Restarts(pieces, capacity, weight) if pieces.model.plain else OrderSearch(pieces, capacity)


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
