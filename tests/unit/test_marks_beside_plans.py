"""Marks of ops and a plan beside them: what goes first, what is kept of the other, and what is said of it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ascend_opt
from ascend_opt.compiler.text.diagnostics import Diagnostic
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.plans.plan import Plan, digest_of
from ascend_opt.passes.plans.store import Store
from ascend_opt.tools.ascend_opt import main as opt
from ascend_opt.tools.ascend_run import main as run

BLOCK = """
graph @f(%x: tensor<1x64x28x28xf16>, %w: tensor<64x64x1x1xf16> {weight}) {
  %a = conv2d(%x, %w)
  %r = relu(%a)
  return %r
}"""


def compiled(text: str, **options: Any) -> ascend_opt.Program:
    return ascend_opt.compile(text, "ascend910b", **options)


def test_marks_go_before_a_plan() -> None:
    """What the graph states is taken, and the report says what of the plan is not."""
    program = compiled(BLOCK)
    with pytest.warns(UserWarning, match="graph.relu is marked nofuse, and in kernel f_0 of the plan"):
        marked = compiled(BLOCK.replace("%r = relu(%a)", "%r = relu(%a) {nofuse}"), plan=program.plan)
    assert len(marked.time().kernels) > len(program.time().kernels)
    assert "plan: groups of @f are not those of the plan: graph.relu is marked nofuse" in marked.report()
    text = "graph @f(%x: tensor<64x1024xf16>) { %y = exp(%x) {cores = 40} return %y }"
    said = "its ops state cores, which goes before the plan"
    with pytest.warns(UserWarning, match=said):
        tiles = compiled(text.replace("40", "2"), plan=compiled(text).plan)
    assert tiles.time().kernels[-1].cores == 2
    assert said in tiles.report()


CHAIN = """
graph @f(%x: tensor<1x64x28x28xf16>, %w: tensor<64x64x3x3xf16> {weight}) {
  %a = conv2d(%x, %w) {pads = [1, 1, 1, 1], nofuse}
  %r = conv2d(%a, %w) {pads = [1, 1, 1, 1], nofuse}
  return %r
}"""


def test_a_layout_goes_before_a_plan() -> None:
    """What cannot be is refused beside a plan, too."""
    plan = compiled(CHAIN).plan
    assert plan is not None and list(plan.functions["f"].blocked) == [0]
    rows = CHAIN.replace("nofuse}", 'nofuse, layout = "rows"}', 1)
    with pytest.warns(UserWarning, match='layout = "rows", and its result lies in blocks in the plan'):
        beside = compiled(rows, plan=plan).plan
    assert beside is not None and not beside.functions["f"].blocked
    with pytest.warns(UserWarning, match='layout = "blocks", and its result lies in rows in the plan'):
        again = compiled(CHAIN.replace("nofuse}", 'nofuse, layout = "blocks"}', 1), plan=beside).plan
    assert again == plan
    last = CHAIN.replace("nofuse}\n  return", 'nofuse, layout = "blocks"}\n  return')
    with pytest.raises(ascend_opt.CompileError, match="its result cannot lie in blocks"):
        compiled(last, plan=plan)
    inside = BLOCK.replace("conv2d(%x, %w)", 'conv2d(%x, %w) {layout = "rows"}')
    with pytest.raises(ascend_opt.CompileError, match="its result stays on chip"):
        compiled(inside, plan=compiled(BLOCK).plan)


def test_what_a_mark_leaves_open_is_as_planned() -> None:
    """One field is stated beside a plan of a tiling that no search would choose: the others stay. Those that cannot are
    chosen anew, which is said."""
    graph = (
        "graph @f(%x: tensor<1000x512xf16>, %w: tensor<512x1024xf16>) {"
        "  %p = matmul(%x, %w) %y = relu(%p) {MARK} return %y }"
    )
    plan = compiled(graph.replace("MARK", 'tile = [64, 128], tiling = "step=64, l0_k=64"')).plan
    (before,) = _tilings(plan)
    said: list[str] = []

    def tell(note: Diagnostic) -> None:
        said.append(note.message)

    def beside(mark: str) -> dict[str, Any]:
        marked = graph.replace("MARK", mark)
        (found,) = _tilings(compiled(marked, plan=plan, warn=tell).plan)
        return found

    assert beside("cores = 3") == {**before, "cores": 3}
    assert said.pop() == "kernel f_0: its ops state cores, which goes before the plan"
    assert beside('tiling = "step=32"') == {**before, "step": 32, "l0_k": 32}
    assert said.pop().endswith("its ops state step, which goes before the plan; l0_k is chosen anew")
    assert not said


@pytest.mark.filterwarnings("ignore:kernel f_0")
def test_what_is_predicted_is_of_the_marks_beside_a_plan() -> None:
    """A kernel on few cores is predicted to take longer, also where the plan has more of them."""
    text = "graph @f(%x: tensor<64x1024xf16>) { %y = exp(%x) {cores = 40} return %y }"
    plan, marked = compiled(text).plan, text.replace("40", "2")
    assert _predicted(compiled(text, plan=plan).plan) == _predicted(plan)
    assert (
        _predicted(compiled(marked, plan=plan).plan) >= _predicted(compiled(marked).plan) > _predicted(plan)
    )


def _predicted(plan: Plan | None) -> float:
    assert plan is not None
    (kernel,) = plan.functions["f"].kernels
    assert kernel.predicted_us is not None
    return kernel.predicted_us


def _tilings(plan: Plan | None) -> list[dict[str, Any]]:
    assert plan is not None
    return [dict(kernel.tiling or {}) for function in plan.functions.values() for kernel in function.kernels]


@pytest.mark.parametrize("mark", ["tiles=5", "stagger=2", "stagger=0x1", "step"])
def test_a_mark_of_another_kind_is_refused(
    mark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "g.mlir"
    path.write_text(
        "graph @f(%x: tensor<256x512xf16>, %w: tensor<512x256xf16>) {\n  %y = matmul(%x, %w)\n  return %y\n}\n"
    )
    assert opt([str(path), "--fuse", "--lower", "--mark", f'%y {{tiling = "{mark}"}}']) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"{path}:2:8: error: graph.matmul: ")
    assert ("no legal tiling" in said) != (mark == "step")


@pytest.mark.parametrize("options", [["--fuse", "--lower"], ["--fuse", "--lower", "--jobs", "2"], None])
def test_tools_note_what_goes_before_a_plan(
    options: list[str] | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whether they report or not; once, whichever process finds it."""
    monkeypatch.chdir(tmp_path)
    Path("g.mlir").write_text("graph @f(%x: tensor<64x1024xf16>) {\n  %y = exp(%x)\n  return %y\n}\n")
    assert opt(["g.mlir", "--fuse", "--save-plan", "p.plan.json", "-o", "t.mlir"]) == 0
    capsys.readouterr()
    beside = ["g.mlir", "--plan", "p.plan.json", "--mark", "%y {cores = 2}"]
    assert (run(beside) if options is None else opt([*beside, *options, "-o", "o.mlir"])) == 0
    said = capsys.readouterr().err
    assert said.count("note: kernel f_0: its ops state cores, which goes before the plan\n") == 1


def test_options_that_a_plan_goes_before_are_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Reports say where tiles are from, too."""
    monkeypatch.chdir(tmp_path)
    Path("g.mlir").write_text("graph @f(%x: tensor<64x1024xf16>) {\n  %y = exp(%x)\n  return %y\n}\n")
    store = Store("s.db", digest_of(load_target("ascend910b")))
    store.add("another kernel", {"tiles": [1]}, 1.0, (0, 0, 0))
    store.close()
    assert opt(["g.mlir", "--fuse", "--save-plan", "p.plan.json", "-o", "t.mlir"]) == 0
    capsys.readouterr()

    def noted(*options: str) -> list[str]:
        assert run(["g.mlir", *options]) == 0
        return capsys.readouterr().err.splitlines()

    beside = "--plan", "p.plan.json"
    tiled = "has no effect: kernels of @f are tiled as p.plan.json says"
    assert noted(*beside, "--tune", "2", "--store", "s.db") == [f"note: tune {tiled}", f"note: store {tiled}"]
    fused = "has no effect: @f is fused as p.plan.json says"
    assert noted(*beside, "--min-gain", "10%") == [f"note: min-gain {fused}"]
    assert noted(*beside, "--no-fuse") == ["note: --plan has no effect: nothing is fused with --no-fuse"]
    marked = "--mark", "%y {cores = 2}"
    assert noted(*marked, "--no-fuse") == ["note: --mark has no effect: nothing is fused with --no-fuse"]
    for options, why in (
        (["--lower"], "nothing is fused without --fuse"),
        (["--library"], "kernels are those of --library"),
    ):
        assert opt(["g.mlir", *options, *marked, "-o", "t.mlir"]) == 0
        assert capsys.readouterr().err == f"note: --mark has no effect: {why}\n"
    said = ["note: kernel f_0: its ops state cores, which goes before the store"]
    assert noted(*marked, "--store", "s.db") == said
    assert noted(*beside) == []
    assert opt(["g.mlir", "--fuse", "--report", *beside, "-o", "t.mlir"]) == 0
    assert "; tile sizes as p.plan.json says, else predicted fastest\n" in capsys.readouterr().err
    assert run(["g.mlir", *beside]) == 0
    (line,) = [one for one in capsys.readouterr().out.splitlines() if one.startswith("  tile sizes ")]
    assert line.split()[2:] == ["as", "planned", *["predicted", "fastest"] * 2]
    Path("h.mlir").write_text(
        "graph @f(%x: tensor<64x9xf16>) {\n  %a = exp(%x)\n  %y = tanh(%a)\n  return %y\n}\n"
    )
    assert opt(["h.mlir", "--fuse", "--save-plan", "h.plan.json", "-o", "t.mlir"]) == 0
    assert run(["h.mlir", "--plan", "h.plan.json", "--mark", "%y {nofuse}"]) == 0
    assert "as planned" not in capsys.readouterr().out


def test_a_plan_that_leaves_fields_open_leaves_some_to_time(tmp_path: Path) -> None:
    """So `tune` is no option without effect."""
    graph = "graph @f(%x: tensor<64x1024xf16>) { %y = exp(%x) return %y }"
    plan = compiled(graph).plan
    assert plan is not None
    tiles = _tilings(plan)[0]["tiles"]
    partly = replace(plan, functions={"f": plan.functions["f"].with_tilings({"f_0": {"tiles": tiles}})})
    said: list[Diagnostic] = []
    compiled(graph, plan=partly, tune=2, warn=said.append)
    assert not said
