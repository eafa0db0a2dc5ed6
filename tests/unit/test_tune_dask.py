"""The search on a Dask cluster: the plan of a serial one, whatever becomes of workers; without a scheduler the best."""

import json
import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from dask_clusters import Cluster, dask_cluster
from tuned_graphs import LAYERS

import ascend_opt
from ascend_opt.compiler.drivers import tune_driver
from ascend_opt.compiler.tune.session import Budget, State
from ascend_opt.compiler.tune.tuned import Goal, Tuned, tune
from ascend_opt.compiler.workers.lanes import WorkersLost
from ascend_opt.compiler.workers.pool import Workers, workers
from ascend_opt.tools.ascend_tune import main

pytestmark = pytest.mark.slow
TRIALS = 16


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    pytest.importorskip("optuna")
    with dask_cluster() as one:
        yield one


def quiet(_: State) -> None:
    """Nobody looks on."""


def tuned(pool: Workers, watch: Callable[[State], None] = quiet) -> Tuned:
    def compiled(plan: Any) -> ascend_opt.Program:
        return ascend_opt.compile(LAYERS, "ascend910b", plan=plan)

    return tune(compiled, pool, Budget(TRIALS), goal=Goal("pareto"), watch=watch)


@pytest.fixture(scope="module")
def serial() -> Tuned:
    pytest.importorskip("optuna")
    with workers(1) as pool:
        return tuned(pool)


def assert_same(found: Tuned, wanted: Tuned) -> None:
    assert found.plan == wanted.plan
    assert found.trials == wanted.trials
    assert found.front == wanted.front
    assert not found.lost


@pytest.mark.full
def test_it_finds_what_a_serial_search_finds(cluster: Cluster, serial: Tuned) -> None:
    with workers(dask=cluster.address) as pool:
        assert_same(tuned(pool), serial)


def test_a_killed_worker_costs_time_alone(cluster: Cluster, serial: Tuned) -> None:
    distributed: Any = pytest.importorskip("distributed")
    killed: list[int] = []

    def kill(state: State) -> None:
        if state.trials >= TRIALS // 3 and not killed:
            with distributed.Client(cluster.address, set_as_default=False) as client:
                killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    with workers(dask=cluster.address) as pool:
        assert_same(tuned(pool, kill), serial)
    assert killed


@pytest.mark.parametrize("goal", ["latency", pytest.param("pareto", marks=pytest.mark.full)])
def test_a_lost_scheduler_is_one_error_and_the_best_so_far(
    goal: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the search for time, and in that for a front, which comes with the second half of the trials."""
    pytest.importorskip("optuna")
    most = 6 if goal == "latency" else TRIALS // 2 + 2
    graph, plan = tmp_path / "f.mlir", tmp_path / "f.plan.json"
    graph.write_text(LAYERS, encoding="utf-8")
    with dask_cluster() as one:

        def kill(watch: object, state: State) -> None:
            if state.trials >= most:
                one.scheduler.kill()

        monkeypatch.setattr(tune_driver._Watch, "tell", kill)  # pyright: ignore[reportPrivateUsage]
        options = ["--goal", goal, "--trials", str(TRIALS), "--dask", one.address, "-o", str(plan)]
        assert main([str(graph), *options]) == 1
    lost = f"error: the Dask scheduler at {one.address} was lost; the plan is the best until then\n"
    assert capsys.readouterr().err == lost
    about = json.loads(plan.read_text(encoding="utf-8"))["about"]
    assert most <= about["trials"] < TRIALS
    assert ascend_opt.compile(graph, plan=plan).time().total_us <= about["default_us"] + 0.001


def test_a_cluster_without_workers_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed: Any = pytest.importorskip("distributed")
    monkeypatch.setattr("ascend_opt.compiler.workers.lanes.WORKER_SECONDS", 0.5)
    with (
        distributed.LocalCluster(
            n_workers=0, dashboard_address=":0", processes=False, protocol="tcp"
        ) as empty,
        pytest.raises(WorkersLost, match="no worker has joined the Dask scheduler at tcp"),
        workers(dask=empty.scheduler_address),
    ):
        pass


def test_errors_of_a_client_are_said_by_who_takes_results(
    cluster: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    """A task that is cancelled as the connection breaks ends in an error of the client's own loop."""
    failed = threading.Event()

    async def fail() -> None:
        failed.set()
        raise OSError("the connection broke")

    with workers(dask=cluster.address) as pool:
        (lane,) = pool._lanes  # pyright: ignore[reportPrivateUsage]
        lane._client.loop.add_callback(fail)  # pyright: ignore
        assert failed.wait(60) and pool.map(abs, [-1]) == [1]
    assert not caplog.records
