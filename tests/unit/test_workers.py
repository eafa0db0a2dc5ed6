"""Tasks through workers: what is lost with a worker is run again, what cannot be finished is one clear error."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from unittest.mock import Mock

import pytest
from dask_clusters import Cluster, dask_cluster
from worker_tasks import killed, killed_once, process, square, wrong

from ascend_opt.compiler.workers import pool as pools
from ascend_opt.compiler.workers.lanes import ProcessLane
from ascend_opt.compiler.workers.pool import Workers, WorkersLost, workers


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_in_order(jobs: int) -> None:
    with workers(jobs) as pool:
        assert pool.size == jobs
        assert pool.map(square, range(5)) == [0, 1, 4, 9, 16]
        assert sorted(pool.results(square, [3, 2])) == [(0, 9), (1, 4)]


@pytest.mark.parametrize("kind", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_an_executor_of_somebody_else(kind: type[ThreadPoolExecutor] | type[ProcessPoolExecutor]) -> None:
    """It stays when the workers are gone."""
    executor: Executor
    with kind(2) as executor:
        with workers(3, executor=executor) as pool:
            assert pool.size == 3
            assert pool.map(square, range(5)) == [0, 1, 4, 9, 16]
            with pytest.raises(KeyError):
                pool.map(wrong, [1])
        assert executor.submit(square, 7).result() == 49


def test_an_executor_that_is_broken() -> None:
    with ProcessPoolExecutor(1) as executor, workers(2, executor=executor) as pool:
        with pytest.raises(WorkersLost, match="the executor that tasks go through is broken"):
            pool.map(killed, [3])
        with pytest.raises(WorkersLost, match="the executor takes no more tasks"):
            pool.map(square, [1])


def test_workers_stay_and_end() -> None:
    with workers(2) as pool:
        first, second = set(pool.map(process, range(8))), set(pool.map(process, range(8)))
        assert len(first) == 2 and first == second and os.getpid() not in first
    assert not first & {child.pid for child in multiprocessing.active_children()}


def test_tasks_are_taken_when_a_worker_is_free() -> None:
    known: list[int] = []

    def asked() -> Iterator[int]:
        for number in range(6):
            assert number < len(known) + 2, "a task was taken that nobody had a hand for"
            yield number

    with workers(2) as pool:
        for _, result in pool.results(square, asked()):
            known.append(result)
    assert sorted(known) == [0, 1, 4, 9, 16, 25]


def test_a_task_whose_worker_is_killed_runs_again(tmp_path: Path) -> None:
    mark = tmp_path / "killed"
    with workers(2) as pool:
        assert pool.map(killed_once, [(number, mark) for number in range(8)]) == list(range(8))
    assert mark.exists()


def test_a_worker_that_is_killed_between_tasks() -> None:
    with workers(2) as pool:
        for one in set(pool.map(process, range(8))):
            os.kill(one, signal.SIGKILL)
        assert pool.map(square, range(4)) == [0, 1, 4, 9]


def test_a_task_that_kills_every_worker_is_an_error() -> None:
    found: list[int] = []
    with pytest.raises(WorkersLost, match="task 3 ended 3 processes"), workers(2) as pool:
        for _, result in pool.results(killed, range(20)):
            found.append(result)
    assert set(found) >= {0, 1, 2}


@pytest.mark.parametrize("jobs", [1, 2])
def test_errors_of_tasks_are_theirs(jobs: int) -> None:
    with pytest.raises(KeyError), workers(jobs) as pool:
        pool.map(wrong, [1])


def test_no_jobs() -> None:
    with pytest.raises(ValueError, match="jobs is 1 or more, not 0"), workers(0):
        pass


_SLOW = """
import os, signal, sys, time
from ascend_opt.compiler.workers.pool import workers
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets what runs in the background ignore it
def slow(_):
    os.write(1, f"{os.getpid()}\\n".encode())  # whole lines, whoever else writes
    time.sleep(60)
with workers(2) as pool:
    pool.map(slow, range(4))
"""


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_who_started_them(by: signal.Signals) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", _SLOW],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert parent.stdout is not None
    started = [int(parent.stdout.readline()) for _ in range(2)]
    if by is signal.SIGINT:
        os.killpg(parent.pid, by)  # as a terminal does
    else:
        parent.send_signal(by)
    parent.communicate(timeout=20)
    until = time.monotonic() + 10
    while any(map(_runs, started)):
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_worker_that_has_just_begun_ends_at_once() -> None:
    lane = ProcessLane()
    running = lane.submit(time.sleep, 60)
    begun = time.monotonic()
    lane.close(at_once=True)
    assert running.done() and time.monotonic() - begun < 20


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with dask_cluster() as one:
        yield one


@pytest.mark.slow
def test_a_dask_cluster(cluster: Cluster, tmp_path: Path) -> None:
    """Same results, a killed worker, and a lost scheduler, on one cluster: it takes seconds to start."""
    address, scheduler = cluster.address, cluster.scheduler
    with workers(dask=address) as pool:
        assert pool.map(square, range(5)) == [0, 1, 4, 9, 16]
        assert pool.map(killed_once, [(number, tmp_path / "killed") for number in range(8)]) == [*range(8)]
    found: list[int] = []
    with (
        pytest.raises(WorkersLost, match=f"the Dask scheduler at {address} was lost"),
        workers(dask=address) as pool,
    ):
        for _, result in pool.results(process, range(1000)):
            found.append(result)
            if len(found) == 3:
                scheduler.kill()
    assert len(found) >= 3


class Silent:
    """A lane whose tasks never end; after the first one it is gone."""

    width, lost, given_up = 1, "the lane was lost", ()

    def __init__(self):
        self.gone = False

    def submit(self, function: object, task: object) -> Future[int]:
        self.gone, task_ = True, Future[int]()
        late = threading.Timer(5, task_.set_exception, [TimeoutError()])  # for who would wait for ever
        late.daemon = True
        late.start()
        return task_

    def restart(self) -> None: ...

    def leave(self, future: object) -> None: ...

    def close(self, at_once: bool) -> None: ...


def test_a_lane_that_is_gone_and_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "LOOK_SECONDS", 0.01)
    with pytest.raises(WorkersLost, match="the lane was lost"):
        Workers([Silent()]).map(square, range(3))


def test_no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("ascend_opt.compiler.workers.lanes.CONNECT_SECONDS", 0.5)
    with pytest.raises(WorkersLost, match="no Dask scheduler answers"), workers(dask="tcp://127.0.0.1:1"):
        pass


@pytest.mark.parametrize("address", ["foo", "tcp://foo", "foo:bar", "nowhere://foo:1"])
def test_no_address(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not even tried: a client is never made."""
    distributed = pytest.importorskip("distributed")
    client = Mock()
    monkeypatch.setattr(distributed, "Client", client)
    with pytest.raises(WorkersLost, match=f"no Dask scheduler answers at {address}: "), workers(dask=address):
        pass
    assert not client.called


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(WorkersLost, match=r"pip install 'ascend-opt\[dask\]'"),
        workers(dask="tcp://localhost:1"),
    ):
        pass


def test_a_task_that_nobody_waits_for_is_no_error_of_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where its process is killed before the task has begun."""
    errors: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", errors.append)
    lane = ProcessLane()
    pid, first = lane.submit(process, 0).result(), lane.submit(time.sleep, 60)
    waiting = [lane.submit(square, number) for number in range(4)]
    while not waiting[0].running():  # the executor has looked at all of them, and has no room for the last
        time.sleep(0.01)
    for future in waiting:
        lane.leave(future)
    os.kill(pid, signal.SIGKILL)
    assert isinstance(first.exception(60), BrokenExecutor)
    lane.close(at_once=False)
    assert not errors
