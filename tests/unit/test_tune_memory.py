"""Memory as a goal: workspace, bytes on chip and weights, as the program's profile has them, in searches and fronts."""

import json
from collections.abc import Callable
from operator import le
from pathlib import Path

import numpy as np
import pytest
from sweeps import ALL
from tuned_graphs import LAYERS, bare_launch

import ascend_opt
from ascend_opt.compiler.tune.held import KINDS, Held
from ascend_opt.compiler.tune.memory import held_by
from ascend_opt.compiler.tune.problem import Uses
from ascend_opt.compiler.tune.session import Budget, State
from ascend_opt.compiler.tune.timed_plan import TimedPlan, front_of
from ascend_opt.compiler.tune.tuned import Goal, Tuned, tune
from ascend_opt.compiler.workers.pool import workers
from ascend_opt.passes.plans.plan import Plan
from ascend_opt.tools.ascend_tune import main

WEIGHTS = """
graph @f(%x: tensor<64x100xf16>, %w: tensor<100x96xf16> {weight}, %b: tensor<96xf16> {weight},
         %r: tensor<64x96xf16>) {
  %a = matmul(%x, %w)
  %g = bias_add(%a, %b)
  %h = add(%g, %r)
  return %h
}"""


def test_weights_are_those_that_the_program_keeps() -> None:
    """A packed one is filled up to whole fractals; one that is read as it is counts as it is, and inputs do not."""
    pytest.importorskip("optuna")
    program = ascend_opt.compile(WEIGHTS, "ascend910b")
    packed = sum(
        found["bytes_out"] for r in program.reports if r.name == "tile-to-ascend" for found in r.to_json()
    )
    assert program.time().weight_bytes == packed + 96 * 2
    assert packed >= 100 * 96 * 2
    x, w, b, r = (np.zeros(shape) for shape in ((64, 100), (100, 96), (96,), (64, 96)))
    assert program.run(x=x, w=w, b=b, r=r).profile.weight_bytes == program.time().weight_bytes
    assert ascend_opt.compile(program.module).time().weight_bytes is None


def test_bytes_on_chip_are_those_of_the_kernel_with_the_most() -> None:
    profile = ascend_opt.compile(LAYERS, "ascend910b", fuse=False).time()
    each = [kernel.memory["l1"].peak_bytes + kernel.memory["ub"].peak_bytes for kernel in profile.kernels]
    assert profile.on_chip_bytes == max(each) > min(each) > 0
    assert Held.of(profile).on_chip == profile.on_chip_bytes


def test_what_kernels_hold_together() -> None:
    kernels = [bare_launch("a", (0,), 10), bare_launch("b", (1,), 200)]
    uses = Uses({0: frozenset({1}), 1: frozenset[int]()}, frozenset({1}))
    own = {"a": Held(1, 30, 500), "b": Held(2, 40, 600)}
    assert [held_by(kernels, uses, own, kind) for kind in KINDS] == [12, 40, 1100]


def test_a_front_of_kinds() -> None:
    plan = Plan("ascend910b", "0", {})
    points = [
        (5.0, Held(9, 9, 9)),
        (5.0, Held(9, 8, 9)),
        (6.0, Held(9, 7, 9)),
        (7.0, Held(9, 7, 8)),
        (8.0, Held(9, 7, 8)),
    ]
    every = [TimedPlan(plan, us, held) for us, held in points]
    assert [one.us for one in front_of(every, KINDS)] == [5.0, 6.0, 7.0]
    assert [one.us for one in front_of(every, ("workspace",))] == [5.0]
    assert [one.us for one in front_of(every, ("weights",))] == [5.0, 7.0]


def test_a_front_of_sizes_has_latency_and_throughput() -> None:
    """Of each size: us, bytes. 8 items in 12 us are more a second than 4 in 6.5; what a size of 16 adds is neither
    fewer bytes nor more items a second."""
    plan = Plan("ascend910b", "0", {})
    points = [(4, 6.5, 20), (4, 7.0, 10), (8, 12.0, 40), (8, 14.0, 20), (16, 24.0, 80), (1, 5.0, 10)]
    every = [TimedPlan(plan, us, Held(held), size) for size, us, held in points]
    kept = [(one.size, one.us) for one in front_of(every, ("workspace",))]
    assert kept == [(1, 5.0), (4, 6.5), (4, 7.0), (8, 12.0)]


def tuned(goal: Goal, watch: Callable[[State], None] = lambda state: None, trials: int = 24) -> Tuned:
    pytest.importorskip("optuna")

    def compiled(plan: Plan | None) -> ascend_opt.Program:
        return ascend_opt.compile(LAYERS, "ascend910b", plan=plan)

    with workers(1) as pool:
        return tune(compiled, pool, Budget(trials), goal=goal, watch=watch)


@pytest.mark.full
def test_fewer_bytes_on_chip() -> None:
    found = tuned(Goal("memory", slower=0.5, memory=("on-chip",)), trials=24 if ALL else 12)
    assert found.best_held.on_chip < 0.8 * found.default_held.on_chip
    assert found.best_us <= 1.5 * found.default_us
    assert Held.of(ascend_opt.compile(LAYERS, "ascend910b", plan=found.plan).time()) == found.best_held


@pytest.mark.full
def test_a_front_of_all_kinds_has_what_programs_hold() -> None:
    found = tuned(Goal("pareto"))
    assert len(found.front) >= 2
    for one in found.front:
        profile = ascend_opt.compile(LAYERS, "ascend910b", plan=one.plan).time()
        assert (profile.total_us, Held.of(profile)) == (one.us, one.held)
        better = [
            other
            for other in found.front
            if (other.us, other.held) != (one.us, one.held)
            and all(map(le, (other.us, *other.held.kinds(KINDS)), (one.us, *one.held.kinds(KINDS))))
        ]
        assert not better
    assert min(one.held.on_chip for one in found.front) < found.default_held.on_chip


@pytest.mark.full
def test_ctrl_c_keeps_the_front_so_far() -> None:
    """In the search for the front, which begins with the second half of the trials."""
    stopped: list[int] = []

    def stop(state: State) -> None:
        if state.trials >= 44:
            stopped.append(state.trials)
            raise KeyboardInterrupt

    found = tuned(Goal("pareto", memory=("on-chip", "weights")), stop, trials=80)
    assert stopped == [found.trials]
    assert found.front and found.best_us <= found.default_us


def test_the_tool_names_kinds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("optuna")
    graph, plan, found = tmp_path / "f.mlir", tmp_path / "f.plan.json", tmp_path / "found.json"
    graph.write_text(LAYERS, encoding="utf-8")
    options = ["--goal", "pareto", "--memory", "on-chip", "--trials", "16", "--jobs", "1"]
    assert main([str(graph), *options, "-o", str(plan), "--json", str(found)]) == 0
    (one,) = json.loads(found.read_text(encoding="utf-8"))
    assert one["weight_bytes"]["default"] == 2 * 256 * 256 * 2
    front, keys = one["front"], ("workspace_bytes", "on_chip_bytes", "weight_bytes")
    assert len(front) >= 2 and all({*point} == {"us", *keys} for point in front)
    sizes = [point["on_chip_bytes"] for point in front]
    assert sizes == sorted(sizes, reverse=True)
    about = json.loads((tmp_path / "f.front0.plan.json").read_text(encoding="utf-8"))["about"]
    assert about["on_chip_bytes"] == sizes[0]
    out = capsys.readouterr().out
    assert f"on-chip {one['on_chip_bytes']['default']} B -> " in out


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--memory", "on-chip"], "--memory goes with --goal memory or pareto"),
        (["--goal", "memory", "--memory", "l1"], "'l1' is none of workspace, on-chip, weights"),
    ],
)
def test_mistakes(options: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["f.mlir", *options]) == 1
    err = capsys.readouterr().err
    assert reason in err and err.count("\n") == 1
