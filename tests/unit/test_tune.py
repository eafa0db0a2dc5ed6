"""The search for plans: never slower than the default, the same for a seed, resumed from a store, ended at any time."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.tune.moves import moves_of
from ascend_opt.compiler.tune.problem import Prepared
from ascend_opt.compiler.tune.session import Budget, State
from ascend_opt.compiler.tune.studies import KernelStudy
from ascend_opt.compiler.tune.tuned import Goal, Tuned, tune
from ascend_opt.compiler.workers.pool import workers
from ascend_opt.passes.plans.plan import Plan, digest_of
from ascend_opt.passes.plans.store import Store, StoreError
from ascend_opt.tools.ascend_tune import main

pytest.importorskip("optuna")

LAYERS = """
graph @f(%x: tensor<64x256xf16>, %w: tensor<256x256xf16> {weight}, %v: tensor<256x256xf16> {weight}) {
  %a = matmul(%x, %w)
  %g = gelu(%a)
  %b = matmul(%g, %v)
  %s = add(%b, %x)
  %y = softmax(%s) {axis = 1}
  return %y
}"""


def compiling(text: str, target: str = "ascend910b") -> Callable[[Plan | None], ascend_opt.Program]:
    return lambda plan: ascend_opt.compile(text, target, plan=plan)


def tuned(text: str = LAYERS, trials: int = 30, jobs: int = 1, **options: object) -> Tuned:
    with workers(jobs) as pool:
        return tune(compiling(text), pool, Budget(trials), **options)  # pyright: ignore[reportArgumentType]


@pytest.fixture(scope="module")
def found() -> Tuned:
    return tuned()


def test_the_plan_is_right_and_no_slower(found: Tuned) -> None:
    program = compiling(LAYERS)(found.plan)
    assert program.time().total_us == found.best_us <= found.default_us
    rng = np.random.default_rng(0)
    inputs = {name: rng.standard_normal(kind.shape) / 16 for name, kind in program.inputs.items()}
    given = program.run(inputs).outputs["output0"].astype(np.float32)
    wanted = program.reference(inputs)["output0"]
    assert np.linalg.norm(given - wanted) <= 3e-3 * np.linalg.norm(wanted)


def test_what_changed_says_why() -> None:
    text = """
    graph @f(%x: tensor<256x1024xf16>, %w: tensor<1024x768xf16> {weight}, %r: tensor<256x768xf16>) {
      %a = matmul(%x, %w)
      %s = add(%a, %r)
      %y = gelu(%s)
      return %y
    }"""
    found = tuned(text, 40)
    assert found.best_us < found.default_us
    assert found.changes
    for change in found.changes:
        assert "->" in change.reason
    assert sum(change.before_us - change.after_us for change in found.changes) > 0


def test_the_same_seed_finds_the_same(found: Tuned) -> None:
    again = tuned(jobs=2)
    assert again.plan == found.plan
    assert again.trials == found.trials


def test_a_store_spares_trials(found: Tuned, tmp_path: Path) -> None:
    target = ascend_opt.compile(LAYERS, "ascend910b").target
    store = Store(tmp_path / "kernels.db", digest_of(target))
    first = tuned(store=store)
    assert first.plan.functions == found.plan.functions
    again = tuned(store=store)
    assert again.trials <= found.trials // 4
    assert again.best_us <= found.best_us
    by_store = ascend_opt.compile(LAYERS, "ascend910b", store=tmp_path / "kernels.db")
    assert by_store.time().total_us <= ascend_opt.compile(LAYERS, "ascend910b").time().total_us
    assert Store(tmp_path / "kernels.db", "another chip").all_trials() == []


def test_ctrl_c_keeps_the_best() -> None:
    def stop(state: State) -> None:
        if state.trials >= 6:
            raise KeyboardInterrupt

    ended = tuned(watch=stop)
    assert ended.trials <= 7
    assert ended.best_us <= ended.default_us


def test_a_front_has_plans_that_are_better_in_one() -> None:
    front = tuned(trials=60, goal=Goal("pareto")).front
    assert front
    times, held = [us for _, us, _ in front], [bytes_ for _, _, bytes_ in front]
    assert times == sorted(times)
    assert held == sorted(held, reverse=True)
    assert len(set(held)) == len(held)


def test_memory_is_saved_within_the_share() -> None:
    """One kernel less between which tensors lie, for as much time as is allowed."""
    found = tuned(trials=60, goal=Goal("memory", slower=0.5))
    assert found.best_bytes <= found.default_bytes
    assert found.best_us <= 1.5 * found.default_us


def test_moves_join_and_part_alike_kernels_together() -> None:
    text = """
    graph @f(%x: tensor<64x256xf16>, %w: tensor<256x256xf16> {weight}) {
      %a = matmul(%x, %w)
      %b = relu(%a)
      %c = matmul(%b, %w)
      %y = relu(%c)
      return %y
    }"""
    program = ascend_opt.compile(text, "ascend910b")
    assert program.plan is not None
    assert program.graph_module is not None
    prepared = Prepared(program.graph_module, "f", "ascend910b")
    kernels, function = prepared.kernels(program.plan), program.plan.functions["f"]
    moves = moves_of(kernels, function, prepared.uses)
    parts = [move for move in moves if move.kind == "part"]
    assert len(kernels) == 2
    assert sum(len(move.changes) for move in parts) == 2
    changed = function
    for move in parts:
        changed = move.applied(changed)
    assert [len(one.ops) for one in changed.kernels] == [1, 1, 1, 1]
    joins = [move for move in moves if move.kind == "join"]
    assert [one.ops for one in joins[0].applied(function).kernels] == [(0, 1, 2, 3)]


def test_a_study_tries_each_once() -> None:
    study = KernelStudy(12, seed=0, patience=100)
    times = [5.0 + (index - 7) ** 2 for index in range(12)]
    asked: list[int] = []
    while not study.ended:
        for index in study.ask(3, range(3)):
            asked.append(index)
            study.tell(index, times[index])
    assert sorted(asked) == list(range(12))
    assert asked[:3] == [0, 1, 2]
    assert study.best == 7
    assert asked.index(7) < 11


def test_the_tool_writes_a_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph, plan = tmp_path / "f.mlir", tmp_path / "f.plan.json"
    graph.write_text(LAYERS, encoding="utf-8")
    assert main([str(graph), "--trials", "8", "--jobs", "1", "-o", str(plan)]) == 0
    assert "on the clock" in capsys.readouterr().out
    assert ascend_opt.compile(graph, plan=plan).time().total_us > 0


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--goal", "throughput"], "--goal throughput and --batches go together"),
        (["--minutes", "0"], "is not a number of minutes"),
        (["--trials", "0"], "is not a whole number"),
        (["-o", "INPUT"], "would overwrite the input"),
    ],
)
def test_mistakes_are_one_line(
    options: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph = tmp_path / "f.mlir"
    graph.write_text(LAYERS, encoding="utf-8")
    given = [str(graph) if option == "INPUT" else option for option in options]
    assert main([str(graph), *given]) == 1
    err = capsys.readouterr().err
    assert reason in err
    assert err.count("\n") == 1


def test_what_is_no_store_is_said(tmp_path: Path) -> None:
    path = tmp_path / "kernels.db"
    path.write_text("this is no database, but a text of more than sixteen bytes", encoding="utf-8")
    with pytest.raises(StoreError, match="cannot use store"):
        Store(path, "0")
