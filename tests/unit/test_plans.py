"""Plans: what a compilation decided, as a file that gives the same program again, or is refused with the reason."""

import copy
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import ascend_opt
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_parser import parse_target
from ascend_opt.dialects.target_text import text_of
from ascend_opt.passes.plans.plan import FunctionPlan, PlanError, digest_of, plan_of_text, read_plan
from ascend_opt.tools.ascend_opt import main as opt

BLOCK = """
graph @f(%x: tensor<1x64x28x28xf16>, %w: tensor<64x64x1x1xf16> {weight}, %v: tensor<64x64x3x3xf16> {weight}) {
  %a = conv2d(%x, %w)
  %r = relu(%a)
  %c = conv2d(%r, %v) {pads = [1, 1, 1, 1]}
  %y = add(%c, %x)
  return %y
}"""
MOVES = """
graph @f(%x: tensor<8x128x64xf16>, %c: tensor<8x128x32xf16>) {
  %lo = slice(%x) {starts = [0], ends = [32], axes = [2]}
  %hi = slice(%x) {starts = [32], ends = [64], axes = [2]}
  %n = neg(%hi)
  %turned = concat(%n, %lo) {axis = 2}
  %m = mul(%lo, %c)
  %k = mul(%hi, %c)
  %s = add(%m, %k)
  %t = transpose(%s) {perm = [0, 2, 1]}
  return %turned, %t
}"""


def compiled(text: str, target: str = "ascend910b", **options: Any) -> ascend_opt.Program:
    return ascend_opt.compile(text, target, **options)


OPEN = """
graph @f(%x: tensor<?x256xf16>, %w: tensor<256x128xf16> {weight}, %b: tensor<128xf16> {weight}) {
  %0 = matmul(%x, %w)
  %1 = bias_add(%0, %b)
  %2 = relu(%1)
  %y = softmax(%2)
  return %y
}"""
TAKEN = """
graph @f(%a: tensor<1x4x28x28x16xf16>, %w: tensor<64x64x1x1xf16> {weight}) {
  %t = transpose(%a) {perm = [0, 1, 4, 2, 3]}
  %x = reshape(%t) {shape = [1, 64, 28, 28]}
  %y = conv2d(%x, %w)
  return %y
}"""
UNFOLDED = """
graph @f(%a: tensor<1x4x28x28x16xf16>) {
  %t = transpose(%a) {perm = [0, 1, 4, 2, 3]}
  %x = reshape(%t) {shape = [1, 64, 28, 28]}
  %y = softmax(%x) {axis = 3}
  return %y
}"""
PARTS = """
graph @f(%x: tensor<1x96x16x24xf16>, %v: tensor<32x48x1x1xf16> {weight}, %w: tensor<32x48x1x1xf16> {weight}) {
  %p = max_pool2d(%x) {kernel = [2, 2], strides = [2, 2]}
  %a = slice(%p) {starts = [0], ends = [48], axes = [1]}
  %b = slice(%p) {starts = [48], ends = [96], axes = [1]}
  %y = conv2d(%a, %v)
  %z = conv2d(%b, %w)
  return %y, %z
}"""
NETWORKS = Path(__file__).parents[2] / "examples" / "networks"


@cache
def network(name: str) -> ascend_opt.Program:
    """One worker compiles each once for all tests of the group."""
    return compiled(str(NETWORKS / f"{name}.mlir"))


@pytest.mark.full
@pytest.mark.xdist_group("plans of networks")
def test_what_plans_hold_is_met_somewhere() -> None:
    """Copies of moves, joined tensors, blocks, and views that kernels take apart: all are in a plan of these tests."""
    programs = *map(network, ("mla_prolog", "yolov5_blocks")), *map(compiled, (UNFOLDED, PARTS))
    functions = [one for program in programs for one in _functions(program)]
    assert any(kernel.reads for one in functions for kernel in one.kernels)
    for part in ("joined", "blocked", "unfolded", "views"):
        assert any(getattr(one, part) for one in functions), part


def _functions(program: ascend_opt.Program) -> list[FunctionPlan]:
    assert program.plan is not None
    return list(program.plan.functions.values())


@pytest.mark.parametrize("text", [TAKEN, UNFOLDED, PARTS], ids=["taken", "unfolded", "parts"])
def test_tensors_lie_as_a_plan_says(text: str) -> None:
    program = compiled(text)
    again = compiled(text, plan=program.plan)
    assert str(again.module) == str(program.module)
    assert again.plan == program.plan


@pytest.mark.xdist_group("plans of networks")
@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", ["mla_prolog", "yolov5_blocks"])
def test_a_plan_of_a_network_gives_the_same_program(name: str) -> None:
    program = network(name)
    again = compiled(str(NETWORKS / f"{name}.mlir"), plan=program.plan)
    assert str(again.module) == str(program.module)
    assert again.plan == program.plan


@pytest.mark.sweep(4)
@pytest.mark.parametrize("text", [BLOCK, MOVES, OPEN], ids=["block", "moves", "open"])
@pytest.mark.parametrize("target", ["ascend910b", "ascend910", "ascend950"])
def test_a_plan_gives_the_same_program(text: str, target: str, tmp_path: Path) -> None:
    program = compiled(text, target)
    assert program.plan is not None
    path = tmp_path / "f.plan.json"
    program.plan.save(path)
    again = compiled(text, target, plan=path)
    assert str(again.module) == str(program.module)
    assert again.plan == program.plan == read_plan(path)


def test_a_changed_plan_gives_another_program() -> None:
    """Groups and tiles are those of the plan, not those that fusion would choose."""
    program = compiled(BLOCK)
    assert program.plan is not None
    data = program.plan.to_json()
    data["functions"]["f"]["kernels"] = [{"name": f"k{i}", "ops": [i]} for i in range(4)]
    data["functions"]["f"].pop("blocked", None)
    parted = compiled(BLOCK, plan=plan_of_text(json.dumps(data)))
    assert [kernel.name.split("_")[0] for kernel in parted.time().kernels] == ["k0", "k1", "k2", "k3"]
    data["functions"]["f"]["kernels"][1]["tiling"] = {"tiles": [1024], "cores": 3}
    other = compiled(BLOCK, plan=plan_of_text(json.dumps(data)))
    assert [kernel.cores for kernel in other.time().kernels][1] == 3


@pytest.mark.parametrize("backwards", [False, True])
def test_fields_stand_in_one_order_wherever_they_came_from(backwards: bool, tmp_path: Path) -> None:
    """As a store has them, by name, and as somebody may write them; so do those of groups in IR."""
    data = json.loads(block_plan())
    for kernel in _kernels(data):
        tiling = kernel["tiling"]
        kernel["tiling"] = {name: tiling[name] for name in sorted(tiling, reverse=backwards)}
    assert plan_of_text(json.dumps(data)).to_text() == block_plan()
    (tmp_path / "f.mlir").write_text(BLOCK)
    grouped: list[str] = []
    for name, text in (("as it was", block_plan()), ("turned", json.dumps(data))):
        (tmp_path / "f.plan.json").write_text(text)
        stages = f'graph-canonicalize,tile-group{{plan="{tmp_path / "f.plan.json"}"}}'
        assert opt([str(tmp_path / "f.mlir"), "-p", stages, "-o", str(tmp_path / name)]) == 0
        grouped.append((tmp_path / name).read_text())
    assert grouped[0] == grouped[1] and "tile.tiling" in grouped[0]


@cache
def block_plan() -> str:
    """The text of a plan."""
    program = compiled(BLOCK)
    assert program.plan is not None
    return program.plan.to_text()


def change(data: dict[str, Any], name: str, value: Any) -> None:
    data["functions"]["f"][name] = value


def _kernels(data: dict[str, Any]) -> list[dict[str, Any]]:
    return data["functions"]["f"]["kernels"]


REFUSALS: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda data: data.update(version=0), "is a plan of version 0"),
    (lambda data: data["chip"].update(name="ascend910"), "is a plan for ascend910, not for ascend910b"),
    (lambda data: data["chip"].update(digest="0"), "when numbers of ascend910b were others"),
    (lambda data: data.pop("functions"), "it has no functions"),
    (
        lambda data: change(data, "ops", data["functions"]["f"]["ops"][:-1]),
        "it has 4 ops here, and 3 in the plan",
    ),
    (
        lambda data: data["functions"]["f"]["ops"].__setitem__(1, "graph.exp"),
        "op 1 is graph.relu 1x64x28x28xf16 -> 1x64x28x28xf16",
    ),
    (lambda data: _kernels(data)[-1].update(ops=[3]), "is in no kernel"),
    (lambda data: _kernels(data)[0].update(ops=[0, 9]), "has op 9, which there is none of"),
    (lambda data: _kernels(data)[0].update(ops=[]), "has no ops"),
    (lambda data: _kernels(data)[-1].update(tiling={"tiles": [3, 3]}), "no legal tiling"),
    (
        lambda data: change(data, "kernels", [{"name": "k", "ops": [0, 2, 3]}, {"name": "l", "ops": [1]}]),
        "in group 'k'",
    ),
]


@pytest.mark.parametrize(("edit", "reason"), REFUSALS)
def test_what_does_not_fit_is_refused(edit: Callable[[dict[str, Any]], Any], reason: str) -> None:
    data = json.loads(block_plan())
    edit(data)
    with pytest.raises((PlanError, ascend_opt.CompileError), match=r".*") as error:
        compiled(BLOCK, plan=plan_of_text(json.dumps(data)))
    assert reason in str(error.value)


def test_what_is_no_json_says_where(tmp_path: Path) -> None:
    path = tmp_path / "f.plan.json"
    path.write_text('{"version": 1,\n "chip" }', encoding="utf-8")
    with pytest.raises(ascend_opt.CompileError, match=r"f\.plan\.json:2:9: no plan"):
        compiled(BLOCK, plan=path)


def test_what_is_wrong_with_a_file_is_at_no_place_of_the_graph(tmp_path: Path) -> None:
    with pytest.raises(ascend_opt.CompileError) as error:
        compiled(BLOCK, plan=tmp_path / "none.plan.json")
    assert str(error.value).startswith("error: cannot read plan ")


def test_a_plan_of_another_graph_is_refused() -> None:
    other = compiled(BLOCK.replace("@f", "@g")).plan
    with pytest.raises(ascend_opt.CompileError, match="is a plan of @g, not of @f"):
        compiled(BLOCK, plan=other)


def test_a_plan_says_which_dimensions_are_of_the_run_time_size() -> None:
    """So it holds whatever sizes tiles are chosen for, and the difference from one for a single size is plain."""
    text = "graph @f(%x: tensor<?x64xf16>, %w: tensor<64x32xf16> {weight}) { %y = matmul(%x, %w) return %y }"
    plan = compiled(text, dynamic_sizes=(2, 4)).plan
    assert plan is not None and plan.functions["f"].ops[0].startswith(
        "graph.matmul ?x64xf16, 64x32xf16 -> ?x32xf16 #"
    )
    assert compiled(text, plan=plan, dynamic_sizes=(100, 200)).plan == plan
    one = compiled(text, dims={"x:0": 32}).plan
    said = r"op 0 is graph.matmul \?x64xf16, .* here, and graph.matmul 32x64xf16, .* in the plan"
    with pytest.raises(ascend_opt.CompileError, match=said):
        compiled(text, plan=one)


def test_equal_chips_have_one_digest() -> None:
    """Files state the same numbers in another order, and whole ones as `830` or `830.0`."""
    chip = load_target("ascend910")
    text = text_of(chip)
    tables = text.split("\n\n")
    turned = parse_target("\n\n".join([tables[0], *reversed(tables[1:])]), "f.toml")
    assert text_of(turned) != text and digest_of(turned) == digest_of(chip)
    rate = '"hbm_chip" = 1024\n'
    assert rate in text
    same, other = (text.replace(rate, rate.replace("1024", n)) for n in ("1024.0", "99"))
    assert (
        digest_of(parse_target(same, "f.toml")) == digest_of(chip) != digest_of(parse_target(other, "f.toml"))
    )


def test_a_plan_with_nonsense_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, plan = tmp_path / "g.mlir", tmp_path / "g.plan.json"
    path.write_text("graph @f(%x: tensor<16x64xf16>, %w: tensor<64x32xf16>) {\n  %m = matmul(%x, %w)\n"
                    "  %s = softmax(%m)\n  %y = neg(%x)\n  return %s, %y\n}\n")  # fmt: skip
    assert opt([str(path), "--fuse", "--lower", "--save-plan", str(plan)]) == 0
    right = json.loads(plan.read_text())
    edits: dict[str, tuple[Callable[[Any], object], str]] = {
        "no tensor": (lambda f: f.update(unfolded=[-3]), "there is no tensor -3 in blocks"),
        "two of one name": (lambda f: f["kernels"][1].update(name=f["kernels"][0]["name"]), "two kernels are called"),
        "no concatenation": (lambda f: f.update(joined=[0]), "op 0 is no graph.concat that is in no kernel"),
        "no slice": (lambda f: f.update(views=[-1]), "op -1 is no graph.slice that is in no kernel"),
        "joined and in no kernel": (
            lambda f: (f["kernels"].pop(), f.update(joined=[2])), "op 2 is no graph.concat that is in no kernel"
        ),
        "no operand": (lambda f: f["kernels"][0].update(reads={"x": 0}), "has the operand 'x'"),
        "an operand of no other op": (lambda f: f["kernels"][0].update(reads={"0.0": 0}), "has the operand '0.0'"),
        "a text for a time": (lambda f: f["kernels"][0].update(predicted_us="2"), "'predicted_us' is \"2\", and"),
        "a number for sizes": (lambda f: f["kernels"][0]["tiling"].update(tiles=3), "no legal tiling of"),
        "no numbers": (lambda f: f["kernels"][0]["tiling"].update(tiles=[None, None]), "no legal tiling of"),
        "sizes of sizes": (lambda f: f["kernels"][0]["tiling"].update(tiles=[[1], [2]]), "no legal tiling of"),
    }  # fmt: skip
    for edit, reason in edits.values():
        data = copy.deepcopy(right)
        edit(data["functions"]["f"])
        plan.write_text(json.dumps(data))
        capsys.readouterr()
        assert opt([str(path), "--fuse", "--lower", "--plan", str(plan)]) == 1
        said = capsys.readouterr().err
        assert reason in said and "internal" not in said
    mistakes: list[tuple[dict[str, Any], str]] = [
        ({"about": 5}, "is no plan: 'about' is no dictionary"),
        ({"chip": "ascend910b"}, "is no plan: 'chip' is no dictionary"),
        ({"functions": []}, "is no plan: it has no functions"),
    ]
    for wrong, reason in mistakes:
        plan.write_text(json.dumps(right | wrong))
        assert opt([str(path), "--fuse", "--lower", "--plan", str(plan)]) == 1
        assert capsys.readouterr().err == f"error: {plan} {reason}\n"
    plan.write_text(f'{{"version": {"9" * 5000}, "functions": {{}}}}')
    assert opt([str(path), "--fuse", "--lower", "--plan", str(plan)]) == 1
    assert "is no plan" in capsys.readouterr().err


GRAPH = "graph @f(%x: tensor<64x64xf16>) {\n  %y = relu(%x)\n  return %y\n}\n"


def test_reports_count_the_ops_of_planned_and_tiled_graphs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph, plan, tiled = (str(tmp_path / name) for name in ("g.mlir", "g.plan.json", "t.mlir"))
    Path(graph).write_text(
        GRAPH.replace("%y = relu(%x)", "%1 = relu(%x)\n  %2 = exp(%1)\n  %y = softmax(%2)")
    )
    assert opt([graph, "--fuse", "--save-plan", plan, "--report", "-", "-o", tiled]) == 0
    assert "fusion of @f: 3 ops -> 1 kernel" in capsys.readouterr().out
    assert opt([graph, "--fuse", "--plan", plan, "--report", "-", "-o", tiled]) == 0
    assert "fusion of @f: 3 ops -> 1 kernel; tile sizes" in capsys.readouterr().out
    assert opt([tiled, "--fuse", "--report", "-", "-o", str(tmp_path / "o.mlir")]) == 0
    assert "fusion of" not in capsys.readouterr().out
    assert opt([tiled, "--fuse", "--analyze"]) == 1
    assert capsys.readouterr().err.startswith("error: there is nothing to analyse")


def test_a_tiling_that_no_kernel_has_is_the_fault_of_the_plan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the field that stands against it alone."""
    monkeypatch.chdir(tmp_path)
    Path("g.mlir").write_text(GRAPH)
    assert opt(["g.mlir", "--fuse", "--save-plan", "p.plan.json", "-o", "t.mlir"]) == 0
    plan = json.loads(Path("p.plan.json").read_text())
    _kernels(plan)[0]["tiling"]["cores"] = 999
    Path("p.plan.json").write_text(json.dumps(plan))
    assert opt(["g.mlir", "--fuse", "--plan", "p.plan.json"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("error: p.plan.json: kernel 'f_0': no legal tiling has cores 999: cores may be ")
    assert said.count("\n") == 1
