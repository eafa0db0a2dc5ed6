"""Executors that tasks go through: processes of this machine, one for each lane; a Dask cluster, or what somebody hands
in, as a wide lane.

A process that is killed takes the one task with it that it had, so it is known which one: that runs again in a new
process. Processes end with the one that started them, however that ends. A Dask cluster has retries of its own.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from importlib import import_module
from multiprocessing.context import BaseContext
from multiprocessing.process import parent_process
from typing import Any, Protocol

from xdsl.utils.exceptions import DiagnosticException

CONNECT_SECONDS = 10
"""How long a Dask scheduler may take to answer."""


WORKER_SECONDS = 60
"""How long the first worker of a Dask cluster may take to join."""


QUIET = "distributed", "distributed.client", "tornado.application", "asyncio"
"""Who would tell what goes wrong in the threads of a Dask client, too: it is said once, by who takes results."""


class WorkersLost(DiagnosticException):
    """Tasks cannot be finished: their scheduler is gone, or one of them ends every process that it runs in."""


class Lane(Protocol):
    """Takes up to `width` tasks at once. `lost`: what to say where a task is cancelled that nobody cancelled;
    `given_up`: errors of tasks that it has tried often enough."""

    width: int
    lost: str
    given_up: tuple[type[Exception], ...]

    def submit(self, function: Callable[[Any], Any], task: Any) -> Future[Any]: ...

    def leave(self, future: Future[Any]) -> None:
        """Do without a result: its task need not begin."""

    @property
    def gone(self) -> bool:
        """Whether tasks that it was given will never end, though nobody says so."""
        ...

    def restart(self) -> None:
        """Go on after `BrokenExecutor`."""

    def close(self, at_once: bool) -> None:
        """Give back what the lane has; `at_once`: without waiting for tasks that run."""


class ProcessLane:
    """One process, which stays from task to task."""

    width = 1
    lost = "a task was cancelled"
    given_up: tuple[type[Exception], ...] = ()
    gone = False
    """What ends with a process is told by its executor."""

    def __init__(self):
        self._context = _context()
        self.restart()

    def restart(self) -> None:
        self._executor: Executor = ProcessPoolExecutor(1, self._context, _begin)
        self._process: Future[int] = self._executor.submit(os.getpid)

    def submit(self, function: Callable[[Any], Any], task: Any) -> Future[Any]:
        try:
            return self._executor.submit(function, task)
        except BrokenExecutor:  # it ended while it had nothing to do
            self.restart()
            return self._executor.submit(function, task)

    def leave(self, future: Future[Any]) -> None:
        """Nothing: where a cancelled task's process is killed, a thread of Python's executor ends in an error."""

    def close(self, at_once: bool) -> None:
        if at_once and self._process.exception() is None:  # its first task: it answers soon, or is dead
            for process in multiprocessing.active_children():
                if process.pid == self._process.result():
                    process.kill()
        self._executor.shutdown(wait=True, cancel_futures=True)


def _context() -> BaseContext:
    """How processes start: as copies of this one, with all that it has imported, where the system can."""
    can_fork = "fork" in multiprocessing.get_all_start_methods()
    return multiprocessing.get_context("fork" if can_fork else None)


def _begin() -> None:
    """In a new process: ctrl-C is for its parent, and it ends when that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class DaskLane:
    """The workers of a Dask cluster. Its own executor and retries; threads of one worker process take turns."""

    def __init__(self, address: str):
        try:
            distributed: Any = import_module("distributed")
        except ImportError as error:
            message = "a Dask cluster needs the extra 'dask': pip install 'ascend-opt[dask]'"
            raise WorkersLost(message) from error
        self.lost = f"the Dask scheduler at {address} was lost"
        for name in QUIET:
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            # a client of an address that is none is left half made: it complains when it goes
            distributed.comm.resolve_address(address)
            self._client: Any = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise WorkersLost(f"no Dask scheduler answers at {address}: {error}") from error
        try:
            self._client.wait_for_workers(1, timeout=WORKER_SECONDS)
        except TimeoutError as error:
            self._client.close(timeout=1)
            raise WorkersLost(f"no worker has joined the Dask scheduler at {address}") from error
        self._executor: Executor = self._client.get_executor(pure=False)
        self.given_up: tuple[type[Exception], ...] = (distributed.KilledWorker,)
        self.width = max(1, sum(self._client.nthreads().values()))

    def restart(self) -> None:
        raise WorkersLost(self.lost)

    def submit(self, function: Callable[[Any], Any], task: Any) -> Future[Any]:
        try:
            return self._executor.submit(_alone, function, task)
        except Exception as error:
            if self._running and not isinstance(error, RuntimeError):
                raise
            raise WorkersLost(self.lost) from error

    def leave(self, future: Future[Any]) -> None:
        future.cancel()

    @property
    def gone(self) -> bool:
        """A task that is given just when the connection breaks may be forgotten."""
        return self._client.status in ("closing", "closed")

    @property
    def _running(self) -> bool:
        """Whether the scheduler is still there."""
        return self._client.status == "running"

    def close(self, at_once: bool) -> None:
        try:
            self._executor.shutdown(wait=self._running and not at_once)
            self._client.close(timeout=1)
        except Exception:
            if self._running:  # else there is nobody to be told
                raise


class ExecutorLane:
    """An executor that somebody else has, who ends it; it is given `width` tasks at once."""

    lost = "the executor cancelled a task"
    given_up: tuple[type[Exception], ...] = ()
    gone = False

    def __init__(self, executor: Executor, width: int):
        self._executor, self.width = executor, width

    def restart(self) -> None:
        raise WorkersLost("the executor that tasks go through is broken")

    def submit(self, function: Callable[[Any], Any], task: Any) -> Future[Any]:
        try:
            return self._executor.submit(_alone, function, task)
        except RuntimeError as error:  # broken, or shut down
            raise WorkersLost(f"the executor takes no more tasks: {error}") from error

    def leave(self, future: Future[Any]) -> None:
        future.cancel()

    def close(self, at_once: bool) -> None:
        """Nothing: it is not ours."""


_turn = threading.Lock()


def _alone(function: Callable[[Any], Any], task: Any) -> Any:
    """The function's result, while no other thread of this process computes one: compiler and emulator are made for
    one."""
    with _turn:
        return function(task)


__all__ = ["DaskLane", "ExecutorLane", "Lane", "ProcessLane", "WorkersLost"]
