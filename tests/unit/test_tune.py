"""The search for plans: never slower than the default, the same for a seed, resumed from a store, ended at any time."""

import json
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sweeps import ALL
from tuned_graphs import LAYERS, compiling

import ascend_opt
from ascend_opt.compiler.tune.kernel_trials import SpaceTask, Timed, TimeTask, tilings_of, time_kernel
from ascend_opt.compiler.tune.problem import Prepared
from ascend_opt.compiler.tune.session import Budget, Session, State
from ascend_opt.compiler.tune.studies import KernelStudy
from ascend_opt.compiler.tune.tuned import Change, Goal, Tuned, changes_of, is_slower, returned, settled, tune
from ascend_opt.compiler.workers.pool import workers
from ascend_opt.dialects.ascend import KernelOp
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes import ascend_insert_sync
from ascend_opt.passes.plans.plan import KernelPlan, Plan, digest_of, plan_of_text
from ascend_opt.passes.plans.store import Store
from ascend_opt.passes.sync import kept_plans
from ascend_opt.passes.sync.report import KernelSync
from ascend_opt.runtime.profile.profile import Profile

pytest.importorskip("optuna")
TRIALS = 30 if ALL else 16
SMALL = "graph @f(%x: tensor<16x64xf16>) { %a = exp(%x) %y = neg(%a) return %y }"


def tuned(text: str = LAYERS, trials: int = 30, jobs: int = 1, **options: object) -> Tuned:
    with workers(jobs) as pool:
        return tune(compiling(text), pool, Budget(trials), **options)  # pyright: ignore[reportArgumentType]


@pytest.fixture(scope="module")
def found() -> Tuned:
    return tuned(trials=TRIALS)


def test_what_is_gained_is_less_and_what_is_paid_is_more(found: Tuned) -> None:
    times = [replace(found, default_us=10.0, best_us=us).in_words for us in (9.0, 10.0, 11.5)]
    assert times == ["10.0% less", "0.0% less", "15.0% more"]


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
    found = tuned(text, 16 if ALL else 8)
    assert found.best_us < found.default_us
    assert found.changes
    for change in found.changes:
        assert "->" in change.reason
    assert sum(change.before_us - change.after_us for change in found.changes) > 0


def test_a_kernel_that_comes_apart_is_one_change() -> None:
    """Its time by default counts once, and the times of its parts together."""
    text = "graph @f(%x: tensor<64x256xf16>) { %e = exp(%x) %t = tanh(%e) %y = sqrt(%t) return %y }"
    whole = ascend_opt.compile(text, "ascend910b")
    apart = ascend_opt.compile(text.replace("tanh(%e)", "tanh(%e) {nofuse}"), "ascend910b")
    assert whole.plan is not None and apart.plan is not None
    before, after = whole.time(), apart.time()
    (change,) = changes_of("f", whole.plan, before, apart.plan, after)
    assert change.before_us == pytest.approx(before.total_us) and change.after_us == pytest.approx(
        after.total_us
    )
    assert change.name == "f_0 and f_1 and f_2" and change.reason.startswith("other groups: f_0 of 3 ops (")
    (back,) = changes_of("f", apart.plan, after, whole.plan, before)
    assert (back.before_us, back.after_us) == (change.after_us, change.before_us)
    assert not changes_of("f", whole.plan, before, whole.plan, before)


def test_what_changed_is_in_the_order_of_plans() -> None:
    """Wherever a tiling came from: stores have the fields of theirs by name."""
    old, new = {"tiles": [16], "cores": 4, "step": 1}, {"cores": 2, "step": 2, "tiles": [32]}
    change = Change((KernelPlan("k", (0,), old),), (KernelPlan("k", (0,), new),), 2.0, 1.0)
    assert change.reason == "tiles 16 -> 32, cores 4 -> 2, step 1 -> 2"


def test_the_same_seed_finds_the_same(found: Tuned) -> None:
    again = tuned(trials=TRIALS, jobs=2)
    assert again.plan == found.plan
    assert again.trials == found.trials


@pytest.mark.parametrize(
    "text", [SMALL, pytest.param(LAYERS, marks=pytest.mark.full)], ids=["small", "layers"]
)
def test_a_store_spares_trials(text: str, tmp_path: Path) -> None:
    store, found = tmp_path / "kernels.db", tuned(text)
    first = tuned(text, store=store)
    assert first.plan.functions == found.plan.functions
    again = tuned(text, store=store)
    assert again.trials <= found.trials // 4
    assert again.best_us <= found.best_us


def test_a_compilation_takes_what_the_store_knows(tmp_path: Path) -> None:
    """The tiling that was fastest, whatever is predicted; on the chip that it was timed for."""
    text = "graph @f(%x: tensor<64x1024xf16>) { %y = exp(%x) return %y }"
    program = ascend_opt.compile(text, "ascend910b")
    assert program.plan is not None
    assert program.graph_module is not None
    (kernel,) = Prepared(program.graph_module, "f", "ascend910b").kernels(program.plan)
    stated = ascend_opt.compile(text.replace("exp(%x)", "exp(%x) {tile = [4096]}"), "ascend910b").plan
    assert stated is not None
    tiling = stated.functions["f"].kernels[0].tiling
    assert tiling is not None
    path = tmp_path / "kernels.db"
    known = Store(path, digest_of(program.target))
    known.add(kernel.text, tiling, 1.0)
    known.add(kernel.text, {**tiling, "tiles": [1024]}, 2.0)
    again = ascend_opt.compile(text, "ascend910b", store=path).plan
    assert again is not None
    assert again.functions["f"].kernels[0].tiling == tiling != program.plan.functions["f"].kernels[0].tiling
    other = ascend_opt.compile(text, "ascend910", store=path).plan
    assert other == ascend_opt.compile(text, "ascend910").plan
    assert Store(path, "another chip").all_trials() == []


def test_ctrl_c_keeps_the_best() -> None:
    def stop(state: State) -> None:
        if state.trials >= 6:
            raise KeyboardInterrupt

    ended = tuned(watch=stop)
    assert ended.trials <= 7 and ended.interrupted
    assert ended.best_us <= ended.default_us


@pytest.mark.full
def test_memory_is_saved_within_the_share() -> None:
    """By default each op is a kernel here; of other plans those are better in which less lies between kernels."""
    text = """
    graph @f(%x: tensor<64x256xf16>, %w: tensor<256x256xf16> {weight}) {
      %a = matmul(%x, %w)
      %g = gelu(%a)
      %y = softmax(%g) {axis = 1}
      return %y
    }"""
    fused = ascend_opt.compile(text, "ascend910b").plan
    assert fused is not None
    data = fused.to_json()
    data["functions"]["f"]["kernels"] = [{"name": f"k{i}", "ops": [i]} for i in range(3)]
    apart = plan_of_text(json.dumps(data))

    def compile_with(plan: Plan | None) -> ascend_opt.Program:
        return ascend_opt.compile(text, "ascend910b", plan=plan or apart)

    with workers(1) as pool:
        found = tune(compile_with, pool, Budget(30), goal=Goal("memory", slower=1.0))
    assert found.best_held.workspace < found.default_held.workspace
    assert found.best_us <= 2 * found.default_us
    assert found.front[-1].held == found.best_held


def test_marks_of_the_graph_hold_in_the_search() -> None:
    text = "graph @f(%x: tensor<16x64xf16>) { %a = exp(%x) {nofuse} %y = neg(%a) {nofuse} return %y }"
    found = tuned(text, trials=30)
    assert len(found.plan.functions["f"].kernels) == 2


def test_tilings_that_are_tried_have_what_the_graph_states(tmp_path: Path) -> None:
    text = """
    graph @f(%x: tensor<256x256xf16>, %w: tensor<256x512xf16> {weight}) {
      %a = matmul(%x, %w)
      %y = relu(%a) {tile = [64, 128], cores = 8}
      return %y
    }"""
    notes: list[str] = []

    def compiled(plan: Plan | None) -> ascend_opt.Program:
        return ascend_opt.compile(text, plan=plan, warn=lambda note: notes.append(note.message))

    with workers(1) as pool:
        found = tune(compiled, pool, Budget(12), store=tmp_path / "s.db")
    tried = [tiling for _, _, tiling, _ in Store(tmp_path / "s.db", found.plan.digest).all_trials()]
    assert len(tried) > 1
    assert all(tiling["tiles"] == [64, 128] and tiling["cores"] == 8 for tiling in tried)
    assert not notes


def test_other_orders_of_tiles_are_those_that_the_graph_states() -> None:
    graph = """
    graph @f(%x: tensor<2048x256xf16>, %w: tensor<256x2048xf16> {weight}) {
      %y = matmul(%x, %w) MARK
      return %y
    }"""
    orders: list[set[int]] = []
    for mark in ("{tile = [128, 256]}", '{tile = [128, 256], tiling = "swizzle=4"}'):
        program = ascend_opt.compile(graph.replace("MARK", mark), "ascend910b")
        assert program.graph_module is not None and program.plan is not None
        prepared = Prepared(program.graph_module, "f", "ascend910b")
        with workers(1) as pool:
            (kernel,) = Session(prepared, program.plan, pool, Budget(0)).kernels(program.plan)
        found = tilings_of(SpaceTask(kernel.text, "ascend910b", 8))
        orders.append({tiling["swizzle"] for tiling in found})
    assert len(orders[0]) > 1 and orders[1] == {4}


def test_tiles_of_a_few_elements_are_not_tried() -> None:
    """Of a tensor of 512 KiB they are 16,384 tiles, which take far longer than a few large ones."""
    text = "graph @f(%x: tensor<512x512xf16>) { %y = exp(%x) return %y }"
    program = ascend_opt.compile(text, "ascend910b")
    assert program.graph_module is not None and program.plan is not None
    prepared = Prepared(program.graph_module, "f", "ascend910b")
    with workers(1) as pool:
        (kernel,) = Session(prepared, program.plan, pool, Budget(0)).kernels(program.plan)
    found = tilings_of(SpaceTask(kernel.text, "ascend910b", 64))
    timed = [time_kernel(TimeTask(kernel.text, "ascend910b", one)) for one in found]
    times = [one.time_us for one in timed if one is not None]
    assert len(times) == len(found) > 4
    assert max(times) < 6 * min(times)


def test_kernels_that_are_slower_in_the_program_go_back() -> None:
    """A kernel with another tiling is slower than by default, whatever it took alone."""
    text = "graph @f(%x: tensor<64x1024xf16>) { %a = exp(%x) {nofuse} %y = neg(%a) {nofuse} return %y }"
    compile_with = compiling(text)
    program = compile_with(None)
    assert program.plan is not None
    data = program.plan.to_json()
    first = data["functions"]["f"]["kernels"][0]
    first["tiling"] = {"tiles": [16384], "cores": 1}
    slow = plan_of_text(json.dumps(data))
    default = program.time()
    back = returned(program.plan, default, slow, compile_with(slow).time(), "f").functions["f"].kernels
    assert back[0].tiling == program.plan.functions["f"].kernels[0].tiling
    best, profile = settled(program.plan, default, slow, compile_with, "f")
    assert profile.total_us <= default.total_us
    assert best.functions["f"].kernels[0].tiling != first["tiling"]


def test_a_plan_that_is_no_program_leaves_the_default() -> None:
    text = "graph @f(%x: tensor<64x1024xf16>) { %a = exp(%x) return %a }"
    compile_with = compiling(text)
    program = compile_with(None)
    assert program.plan is not None
    data = program.plan.to_json()
    data["functions"]["f"]["kernels"][0]["tiling"] = {"tiles": [3], "cores": 1}
    impossible = plan_of_text(json.dumps(data))
    default = program.time()
    assert settled(program.plan, default, impossible, compile_with, "f") == (program.plan, default)


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


def test_a_study_asks_for_no_more_than_there_is() -> None:
    study = KernelStudy(2, seed=0, patience=100)
    assert study.ask(4, range(4)) == [0, 1]
    study.tell(0, 2.0)
    assert study.ask(4, range(4)) == [1]


def test_long_trials_come_first_within_the_budget() -> None:
    """Kernels with small tiles run more instructions; which trials there are is decided by the order as it was."""
    program = compiling(LAYERS)(None)
    assert program.graph_module is not None and program.plan is not None
    prepared = Prepared(program.graph_module, program.name, "ascend910b")
    with workers(1) as pool:
        session = Session(prepared, program.plan, pool, Budget(trials=3))
        known = Timed({"tiles": [64, 64]}, 1.0, instructions=100)
        session.known = {"a": {"": known}, "b": {"": Timed({"tiles": [64]}, 1.0, instructions=300)}}
        tasks = [
            TimeTask("a", "ascend910b", {"tiles": [64, 64]}),
            TimeTask("a", "ascend910b", {"tiles": [16, 32]}),
            TimeTask("b", "ascend910b", {"tiles": [64]}),
            TimeTask("b", "ascend910b", {"tiles": [1]}),
        ]
        ordered = session._longest_first(tasks)  # pyright: ignore[reportPrivateUsage]
        assert [tasks.index(one) for one in ordered] == [1, 2, 0, 3]
        session.budget = Budget(seconds=3.0)
        assert session._longest_first(tasks) == tasks  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize("jobs", [1, 2])
def test_flags_of_kernels_that_stay_are_planned_once(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that another process planned, too."""
    decided: list[str] = []
    decide = ascend_insert_sync.decide

    def counted(kernel: KernelOp, target: Target) -> KernelSync:
        decided.append(kernel.sym_name.data)
        return decide(kernel, target)

    monkeypatch.setattr(ascend_insert_sync, "decide", counted)
    kept_plans._KEPT.clear()  # pyright: ignore[reportPrivateUsage]
    with kept_plans.keep_plans():
        ascend_opt.compile(LAYERS, "ascend910b", jobs=jobs)
        first = list(decided)
        ascend_opt.compile(LAYERS, "ascend910b")
    assert (first or jobs > 1) and decided == first


def test_workers_time_kernels_while_the_default_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first run on the clock, of the default, goes on until a kernel is timed."""
    timed, runs = threading.Event(), list[bool]()
    run = ascend_opt.Program.time

    def waits(self: ascend_opt.Program) -> Profile:
        runs.append(not timed.is_set() and timed.wait(60))
        return run(self)

    def watch(_: State) -> None:
        timed.set()

    monkeypatch.setattr(ascend_opt.Program, "time", waits)
    tuned(SMALL, trials=2, jobs=2, watch=watch)
    assert runs[0]


def test_a_store_that_is_lost_ends_the_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the best so far."""
    honest, added = Store.add, list[str]()

    def add(self: Store, text: str, *said: object) -> None:
        if len(added) == 3:
            self._data.close()  # pyright: ignore[reportPrivateUsage]
        added.append(text)
        honest(self, text, *said)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(Store, "add", add)
    found = tuned(trials=TRIALS, store=tmp_path / "s.db")
    assert len(added) == 4
    assert found.lost.startswith(f"cannot use store '{tmp_path / 's.db'}': ")
    assert found.best_us <= found.default_us
    assert compiling(LAYERS)(found.plan).time().total_us == found.best_us


def test_tilings_at_a_run_time_size_are_searched() -> None:
    """Each kernel is timed at all sizes that tiles are chosen for, and the plan is slower at none of them."""
    text = """
    graph @f(%x: tensor<?x256xf16>, %w: tensor<256x512xf16> {weight}) {
      %a = matmul(%x, %w) {fuse = "g"}
      %y = gelu(%a) {fuse = "g"}
      return %y
    }"""
    found, default = tuned(text, 8), compiling(text)(None)
    assert found.trials == 8
    assert not is_slower(compiling(text)(found.plan), default)
    few = compiling(text.replace('%y = gelu(%a) {fuse = "g"', '%y = gelu(%a) {fuse = "g", cores = 1'))(None)
    assert is_slower(few, default)
