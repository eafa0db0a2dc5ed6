"""Tasks run by workers, each by one of them; what is lost with a worker is run again.

    with workers(jobs=2) as pool:                        # or dask="tcp://host:8786"
        for index, time in pool.results(measure, tilings):
            ...                                          # as they come
        times = pool.map(measure, tilings)               # in order

Functions are those of a module, tasks and results can be pickled. With one job all runs in this process.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from typing import Any, TypeVar

from ...dialects.records import dataclass
from .lanes import DaskLane, ExecutorLane, Lane, ProcessLane, WorkersLost

Task = TypeVar("Task")
Result = TypeVar("Result")

MOST_DEATHS = 3
"""Processes that may end with one task."""
LOOK_SECONDS = 1.0
"""How long nothing may end before it is asked whether lanes are still there."""


@dataclass
class _Call:
    """A task on its way: its number, its lane, the processes that ended with it."""

    index: int
    task: Any
    lane: Lane
    deaths: int = 0


class Workers:
    """Runs functions on tasks through lanes; without any in this process. `size`: tasks that run at once."""

    def __init__(self, lanes: Sequence[Lane] = ()):
        self._lanes = lanes
        self.size = sum(lane.width for lane in lanes) or 1

    def results(
        self, function: Callable[[Task], Result], tasks: Iterable[Task]
    ) -> Iterator[tuple[int, Result]]:
        """Each task's number and result, as they come. A task is taken from `tasks` when a worker is free for it.

        Raises what the function raises, and `WorkersLost` where tasks cannot be finished."""
        if not self._lanes:
            for index, task in enumerate(tasks):
                yield index, function(task)
            return
        running: dict[Future[Any], _Call] = {}
        more = enumerate(tasks)
        try:
            for lane in self._lanes:
                _fill(lane, lane.width, function, more, running)
            while running:
                for future in _first(running):
                    call = running.pop(future)
                    try:
                        result = future.result()
                    except BrokenExecutor:
                        again = _again(call)
                        running[again.lane.submit(function, again.task)] = again
                        continue
                    except CancelledError:
                        raise WorkersLost(call.lane.lost) from None
                    except call.lane.given_up as error:
                        raise WorkersLost(_ended(call.index, "every worker")) from error
                    yield call.index, result
                    _fill(call.lane, 1, function, more, running)
        finally:
            for future, call in running.items():
                call.lane.leave(future)

    def map(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> list[Result]:
        """The results in the order of the tasks."""
        found = dict(self.results(function, tasks))
        return [found[index] for index in range(len(found))]


def _first(running: Mapping[Future[Any], _Call]) -> set[Future[Any]]:
    """What ends first. `WorkersLost` where a lane is gone that nothing comes from any more."""
    while True:
        done = wait(running, LOOK_SECONDS, FIRST_COMPLETED).done
        if done:
            return done
        for call in running.values():
            if call.lane.gone:
                raise WorkersLost(call.lane.lost)


def _fill(
    lane: Lane,
    room: int,
    function: Callable[[Any], Any],
    more: Iterator[tuple[int, Any]],
    running: dict[Future[Any], _Call],
) -> None:
    for _ in range(room):
        following = next(more, None)
        if following is None:
            return
        running[lane.submit(function, following[1])] = _Call(*following, lane)


def _again(call: _Call) -> _Call:
    """A call whose process ended, once more in a new one."""
    deaths = call.deaths + 1
    if deaths == MOST_DEATHS:
        raise WorkersLost(_ended(call.index, f"{deaths} processes"))
    call.lane.restart()
    return _Call(call.index, call.task, call.lane, deaths)


def _ended(index: int, what: str) -> str:
    return f"task {index} ended {what} that it ran in; is there memory for it?"


@contextmanager
def workers(jobs: int = 1, dask: str | None = None, executor: Executor | None = None) -> Generator[Workers]:
    """`jobs` processes, or the Dask cluster whose scheduler is at an address. They end with the context; at once where
    that ends with an exception. An `executor` that is handed in gets `jobs` tasks at once, and stays.

    Raises `ValueError` for fewer than one job, `WorkersLost` where no such scheduler answers."""
    if jobs < 1:
        raise ValueError(f"jobs is 1 or more, not {jobs}")
    lanes: list[Lane] = []
    at_once = True
    try:
        if executor is not None:
            lanes.append(ExecutorLane(executor, jobs))
        elif dask is not None:
            lanes.append(DaskLane(dask))
        elif jobs > 1:
            lanes += [ProcessLane() for _ in range(jobs)]
        yield Workers(lanes)
        at_once = False
    finally:
        for lane in lanes:
            lane.close(at_once)


__all__ = ["Workers", "WorkersLost", "workers"]
