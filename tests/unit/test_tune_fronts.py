"""Fronts of time and workspace: bytes alive at once, points that no other beats, kernels and groups that need less."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest
from tuned_graphs import LAYERS, bare_launch, compiling

from ascend_opt.compiler.tune.front import front
from ascend_opt.compiler.tune.held import Held
from ascend_opt.compiler.tune.kernel_trials import Timed
from ascend_opt.compiler.tune.memory import peak_bytes
from ascend_opt.compiler.tune.problem import Launch, Prepared, Uses
from ascend_opt.compiler.tune.session import Budget, Session
from ascend_opt.compiler.tune.timed_plan import TimedPlan, front_of
from ascend_opt.compiler.workers.pool import workers
from ascend_opt.passes.plans.plan import Plan
from ascend_opt.passes.plans.store import Store, kernel_key

pytest.importorskip("optuna")


def test_bytes_between_kernels_are_those_alive_at_once() -> None:
    """a is read by b and d, b by c, c by d: with c there are a, b and c."""
    kernels = [
        bare_launch("a", (0,), 10),
        bare_launch("b", (1,), 200),
        bare_launch("c", (2,), 3000),
        bare_launch("d", (3,), 40000),
    ]
    readers = {0: frozenset({1, 3}), 1: frozenset({2}), 2: frozenset({3}), 3: frozenset[int]()}
    uses = Uses(readers, frozenset({3}))
    assert peak_bytes(kernels, uses) == 3210
    assert peak_bytes([bare_launch("ab", (0, 1), 200), *kernels[2:]], uses) == 3200
    assert peak_bytes([bare_launch("all", (0, 1, 2, 3), 40000)], uses) == 0
    assert peak_bytes(kernels, uses, {"a": 4000, "b": 100}) == 4010


def test_a_front_has_what_no_other_beats() -> None:
    plan = Plan("ascend910b", "0", {})
    points = [(5.0, 30), (4.0, 50), (6.0, 30), (4.5, 50), (9.0, 10)]
    front = front_of([TimedPlan(plan, us, Held(held)) for us, held in points], ("workspace",))
    assert [(one.us, one.held.workspace) for one in front] == [(4.0, 50), (5.0, 30), (9.0, 10)]


def test_a_front_has_kernels_with_less_workspace() -> None:
    """Each point has the fastest known tilings that stay below its peak; those that others beat are no points."""
    program = compiling(LAYERS)(None)
    assert program.plan is not None and program.graph_module is not None
    prepared = Prepared(program.graph_module, "f", "ascend910b")
    with workers(1) as pool:
        session = Session(prepared, program.plan, pool, Budget(0))
        for kernel in session.kernels(program.plan):
            session.known[kernel.text] = {
                str(us): Timed({"tiles": [us]}, us, held=Held(held))
                for us, held in ((4.0, 10**6), (5.0, 10**6), (6.0, 10**5), (7.0, 0))
            }
        points = front(session, program.plan)
    count, live = len(session.kernels(program.plan)), points[-1][2]
    assert [(us / count, held - live) for _, us, held in points] == [(4.0, 10**6), (6.0, 10**5), (7.0, 0)]
    assert [one.functions["f"].kernels[0].tiling for one, _, _ in points] == [
        {"tiles": [4.0]}, {"tiles": [6.0]}, {"tiles": [7.0]},
    ]  # fmt: skip


def test_a_front_times_all_tilings_of_kernels_with_workspace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ascend_opt.compiler.tune.session.SPACE", 6)
    program = compiling(LAYERS.replace("256", "128"))(None)
    assert program.plan is not None and program.graph_module is not None
    prepared = Prepared(program.graph_module, "f", "ascend910b")
    with workers(1) as pool:
        session = Session(prepared, program.plan, pool, Budget(200, patience=1))
        session.begin()
        launches = session.launches(program.plan)
        held = {text for text in session.known if (one := session.best_of(text)) and one.held.workspace}
        assert held
        session.widen(launches)
        assert all(len(session.known[text]) == len(session.spaces[text]) > 4 for text in held)


def test_a_front_has_groups_with_less_workspace(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel of a product with gelu needs workspace here, each of them alone does not."""
    program = compiling(LAYERS)(None)
    assert program.plan is not None and program.graph_module is not None
    prepared = Prepared(program.graph_module, "f", "ascend910b")
    with workers(1) as pool:
        session = Session(prepared, program.plan, pool, Budget())

        def timed(texts: Sequence[str]) -> None:
            for text in texts:
                held = 10**6 if "graph.gelu" in text and "graph.matmul" in text else 0
                session.known[text] = {"": Timed({"tiles": [1]}, 4.0, held=Held(held))}

        def nothing(launches: Sequence[Launch], kind: str) -> None:
            pass

        monkeypatch.setattr(session, "try_", timed)
        monkeypatch.setattr(session, "widen", nothing)
        timed([kernel.text for kernel in session.kernels(program.plan)])
        points = front(session, program.plan)
    assert points[0][2] > 10**6 > points[-1][2]
    assert len(points[-1][0].functions["f"].kernels) > len(program.plan.functions["f"].kernels)


def test_a_store_keeps_the_bytes_of_kernels(tmp_path: Path) -> None:
    """In a file of before, too, whose trials say nothing of it: these are not taken."""
    path = tmp_path / "kernels.db"
    with sqlite3.connect(path) as data:
        data.execute(
            "create table trials (key text, chip text, version integer, tiling text, time_us real, text text, "
            "primary key (key, chip, version, tiling))"
        )
        data.execute("insert into trials values (?, '0', 1, '{}', 1.0, 'k')", (kernel_key("k"),))
    store = Store(path, "0")
    assert store.trials("k") == []
    store.add("k", {"tiles": [1]}, 2.0, (4096, 512, 64))
    assert Store(path, "0").trials("k") == [({"tiles": [1]}, 2.0, (4096, 512, 64))]
    program = compiling(LAYERS)(None)
    assert program.plan is not None and program.graph_module is not None
    prepared = Prepared(program.graph_module, "f", "ascend910b")
    with workers(1) as pool:
        session = Session(prepared, program.plan, pool, Budget(), store=store)
        session.remember(["k"])
    best = session.best_of("k")
    assert best is not None and best.held == Held(4096, 512, 64)
