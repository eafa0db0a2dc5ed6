"""Plans are scored by launches as they run: kernels that one launch runs are timed together."""

from dataclasses import replace
from pathlib import Path

import pytest
from tuned_graphs import bare_launch, compiling

import ascend_opt
from ascend_opt.compiler.tune.beside import Beside, improved
from ascend_opt.compiler.tune.kernel_trials import SpaceTask, Timed
from ascend_opt.compiler.tune.launch_trials import tilings_of_launch
from ascend_opt.compiler.tune.launches import Kernel, Launch, fields_of, has_several, parts_of
from ascend_opt.compiler.tune.memory import live_bytes
from ascend_opt.compiler.tune.problem import Prepared, Uses
from ascend_opt.compiler.tune.session import Budget, Session
from ascend_opt.compiler.tune.tables import tables_of
from ascend_opt.compiler.tune.tuned import Tuned, returned, settled, tune
from ascend_opt.compiler.workers.pool import Workers, workers
from ascend_opt.passes.plans.plan import Plan
from ascend_opt.passes.plans.store import Store

pytest.importorskip("optuna")
NETWORKS = Path(__file__).parents[2] / "examples" / "networks"
PRODUCTS = """
graph @f(%x: tensor<64x256xf16>, %y: tensor<64x256xf16>, %w: tensor<256x256xf16> {weight},
         %v: tensor<256x128xf16> {weight}) {
  %a = matmul(%x, %w)
  %b = matmul(%y, %v)
  %g = gelu(%b)
  %e = softmax(%x) {axis = 1}
  return %a, %g, %e
}"""
"""Three kernels, one launch."""
MIXED = """
graph @f(%x: tensor<64x256xf16>, %w: tensor<256x256xf16> {weight}, %v: tensor<256x128xf16> {weight}) {
  %t = tanh(%x)
  %s = softmax(%t) {axis = 1}
  %p = matmul(%x, %w)
  %q = matmul(%t, %v)
  %m = reduce_max(%x) {axes = [1]}
  return %s, %p, %q, %m
}"""

GRAPHS = {"products": PRODUCTS, "mixed": MIXED, "mla": (NETWORKS / "mla_prolog.mlir").read_text()}


def searching(program: ascend_opt.Program, pool: Workers, budget: Budget) -> Session:
    assert program.graph_module is not None and program.plan is not None
    chip = program.target_name or ""
    return Session(Prepared(program.graph_module, program.name, chip), program.plan, pool, budget)


@pytest.mark.parametrize("chip", ["ascend910", "ascend310p", "ascend910b"])
def test_the_score_of_the_default_is_the_time_of_its_run(chip: str) -> None:
    """One launch, which begins cold: its score is exact. Three kernels by themselves take three launches."""
    program = compiling(PRODUCTS, chip)(None)
    with workers(1) as pool:
        session = searching(program, pool, Budget(1))
        (launch,) = session.launches(program.plan or session.default)
        assert len(launch.kernels) == 3
        assert session.begin() == pytest.approx(program.time().total_us, abs=1e-3)
        assert session.trials == 1
        apart = _alone(session)
    assert apart > 1.3 * program.time().total_us


def _alone(session: Session) -> float:
    """What the kernels of the default plan take by themselves."""
    prepared = Prepared(session.prepared.module, session.prepared.name, session.prepared.target, join=False)
    return Session(prepared, session.default, session.pool, Budget()).begin()


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b", "ascend950"])
@pytest.mark.parametrize("name", GRAPHS)
def test_launches_are_those_of_the_program(name: str, chip: str) -> None:
    """On the last chip Cube and Vector cores of some kernels meet in a memory of theirs: no launch has others."""
    program = compiling(GRAPHS[name], chip)(None)
    with workers(1) as pool:
        session = searching(program, pool, Budget(0))
        found = [len(launch.kernels) for launch in session.launches(session.default)]
    assert found == [max(1, len(kernel.parts)) for kernel in program.time().kernels]


def test_without_joined_launches_kernels_are_timed_alone() -> None:
    found: list[Tuned] = []
    with workers(1) as pool:
        for join in (True, False):

            def compiled(plan: Plan | None, join: bool = join) -> ascend_opt.Program:
                return ascend_opt.compile(PRODUCTS, "ascend910b", plan=plan, join_launches=join)

            found.append(tune(compiled, pool, Budget(4)))
    assert [one.trials for one in found] == [4, 4]
    assert all(kernel.timed_us is None for kernel in found[0].plan.functions["f"].kernels)
    assert all(kernel.timed_us is not None for kernel in found[1].plan.functions["f"].kernels)


def test_kernels_of_a_launch_are_tuned_beside_each_other() -> None:
    """By themselves none of them is faster with other tilings, on half of the cores together they are."""
    graph = """
    graph @f(%x: tensor<1x192x28x28xf16>, %a: tensor<64x192x1x1xf16> {weight}, %b: tensor<32x192x1x1xf16> {weight},
             %c: tensor<128x96x3x3xf16> {weight}, %y: tensor<1x96x28x28xf16>) {
      %p = conv2d(%x, %a)
      %q = conv2d(%y, %c) {pads = [1, 1, 1, 1]}
      %r = conv2d(%x, %b)
      return %p, %q, %r
    }"""
    compile_with = compiling(graph)
    with workers(1) as pool:
        found = tune(compile_with, pool, Budget(24))
    assert found.best_us < 0.97 * found.default_us
    assert compile_with(found.plan).time().total_us == found.best_us


def test_a_store_has_launches_and_jobs_find_the_same(tmp_path: Path) -> None:
    path = tmp_path / "launches.db"
    with workers(1) as pool:
        first = tune(compiling(MIXED), pool, Budget(9), store=path)
    with workers(2) as pool:
        assert tune(compiling(MIXED), pool, Budget(9)).plan == first.plan
        again = tune(compiling(MIXED), pool, Budget(2), store=path)
    assert again.best_us <= first.best_us
    store = Store(path, first.plan.digest)
    assert len(store.all_trials()) == first.trials + again.trials == 11  # nothing is timed twice
    assert any(has_several(text) for _, text, _, _ in store.all_trials())
    assert not any(has_several(table.text) for table in tables_of(path, ["ascend910b"]))


def test_a_change_of_one_kernel_times_its_launch_alone() -> None:
    program = compiling(MIXED)(None)
    with workers(1) as pool:
        session = searching(program, pool, Budget())
        session.begin()
        plan, before = session.default, session.trials
        function = session.function(plan)
        last = function.kernels[-1]
        parted = replace(last, name="other", ops=last.ops)
        changed = session.with_function(plan, replace(function, kernels=(*function.kernels[:-1], parted)))
        session.try_([launch.text for launch in session.launches(changed)])
        assert session.trials == before == len(session.launches(plan))


def test_tilings_of_a_launch_begin_with_those_of_the_pass() -> None:
    """Then the same with one kernel other, which may have more cores or fewer."""
    program = compiling(PRODUCTS)(None)
    with workers(1) as pool:
        session = searching(program, pool, Budget(0))
        (launch,) = session.launches(session.default)
    found = tilings_of_launch(SpaceTask(launch.text, "ascend910b", 24))
    stated = session.function(session.default).kernels
    assert [part[0] for part in parts_of(found[0])] == [kernel.tiling for kernel in stated]
    first = parts_of(found[0])
    others = [sum(a != b for a, b in zip(parts_of(one), first, strict=True)) for one in found[1:]]
    assert len(found) == 24 and others.count(1) >= 22
    again = tilings_of_launch(SpaceTask(launch.text, "ascend910b", 24, base=found[5]))
    assert again[0] == found[5]


def test_a_kernel_comes_apart_where_a_part_of_it_runs_beside_another() -> None:
    """The output gate of an LSTM cell needs nothing of its new state: in a launch of its own it is not worth it."""
    program = compiling((NETWORKS / "lstm_cell.mlir").read_text())(None)
    assert program.graph_module is not None and program.plan is not None
    saved: list[float] = []
    with workers(1) as pool:
        for join in (True, False):
            prepared = Prepared(program.graph_module, program.name, "ascend910b", join)
            session = Session(prepared, program.plan, pool, Budget())
            session.begin()
            saved.append(max(us for move, us in session.possible(program.plan) if move.kind == "part"))
    assert saved[0] > 0.5 and saved[1] < 0


def test_what_made_a_launch_faster_is_done_together() -> None:
    def launch(*numbers: int) -> dict[str, object]:
        return dict(fields_of([({"tiles": [number]}, None) for number in numbers]))

    base = Timed(launch(1, 1), 10.0)
    timed = [base, Timed(launch(2, 1), 9.0), Timed(launch(3, 1), 11.0), Timed(launch(1, 2), 8.0)]
    assert improved(base, [*timed, Timed(launch(5, 5), 1.0)]) == launch(2, 2)


def test_results_of_a_launch_are_alive_together() -> None:
    a, b, c = (bare_launch(name, (i,), 10**i) for i, name in enumerate("abc"))
    uses = Uses({0: frozenset({2}), 1: frozenset({2}), 2: frozenset[int]()}, frozenset({2}))
    assert live_bytes([a, b, c], uses) == [1, 11, 11]
    assert live_bytes([Launch((*a.kernels, *b.kernels), "ab"), c], uses) == [11, 11]


def test_kernels_that_go_back_run_where_they_did() -> None:
    """Where kernels of a launch run depends on what they are predicted to take."""
    compile_with = compiling(PRODUCTS)
    program = compile_with(None)
    assert program.plan is not None
    function = program.plan.functions["f"]
    slow = tuple(replace(one, tiling={"tiles": [16, 16]}, predicted_us=99.0) for one in function.kernels[:1])
    plan = replace(program.plan, functions={"f": replace(function, kernels=(*slow, *function.kernels[1:]))})
    default, profile = program.time(), compile_with(plan).time()
    assert profile.total_us > default.total_us
    assert returned(program.plan, default, plan, profile, "f") == program.plan
    assert settled(program.plan, default, plan, compile_with, "f") == (program.plan, default)


def test_kernels_of_other_launches_begin_as_in_the_best_plan() -> None:
    a, b, c = (Kernel(name, (i,), f"text of {name}", 0) for i, name in enumerate("abc"))
    best = fields_of([({"cores": 4}, 1.0), ({"cores": 8}, 2.0)])
    first = fields_of([({"cores": 16}, 3.0), ({"cores": 2}, 4.0)])
    beside = Beside()
    beside.meet([Launch((a, b), "ab"), Launch((b, c), "bc")])
    beside.keep(Launch((a, b), "ab"), Timed(best, 5.0))
    assert beside.as_before("bc", [first]) == [fields_of([({"cores": 8}, 2.0), ({"cores": 2}, 4.0)])]
    assert beside.as_before("text of a", [{"cores": 16}]) == []
