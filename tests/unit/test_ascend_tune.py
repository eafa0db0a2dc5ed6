"""The tool: the plan that it writes, options, and mistakes in one line."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tuned_graphs import LAYERS

import ascend_opt
from ascend_opt.compiler.drivers import tune_driver
from ascend_opt.compiler.drivers.tune_driver import TuneOptions, tune_model
from ascend_opt.compiler.tune.session import Budget, State
from ascend_opt.compiler.tune.tuned import tune
from ascend_opt.compiler.workers.pool import workers
from ascend_opt.passes.plans.plan import Plan
from ascend_opt.passes.plans.store import Store, StoreError
from ascend_opt.tools.ascend_order import main as order
from ascend_opt.tools.ascend_tune import main

pytest.importorskip("optuna")


@pytest.mark.full
def test_the_tool_writes_a_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph, plan = tmp_path / "f.mlir", tmp_path / "f.plan.json"
    graph.write_text(LAYERS, encoding="utf-8")
    assert main([str(graph), "--trials", "8", "--jobs", "1", "-o", str(plan)]) == 0
    assert "on the clock" in capsys.readouterr().out
    assert ascend_opt.compile(graph, plan=plan).time().total_us > 0


def test_the_fastest_of_the_allowed_precisions_is_tuned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model is read once in each."""
    onnx = pytest.importorskip("onnx")
    from onnx_models import model, node

    read: list[object] = []

    def noted(*file: str, **how: Any) -> object:
        read.append(how["precision"])
        return ascend_opt.from_onnx(*file, **how)

    monkeypatch.setattr(tune_driver, "from_onnx", noted)

    x, w = np.ones((512, 1024), np.float32), np.full((1024, 512), 0.01, np.float32)
    nodes = [node("MatMul", "x w", "p"), node("Relu", "p", "y")]
    path, plan = tmp_path / "net.onnx", tmp_path / "net.plan.json"
    onnx.save(model(nodes, {"x": x}, ["y"], w=w), path)
    options = ["--precisions", "f32,f16", "--trials", "2", "--jobs", "1", "-o", str(plan)]
    assert main([str(path), *options]) == 0
    assert read == ["f32", "f16"]
    out = capsys.readouterr().out
    assert "tuned: --precision f16" in out
    assert out.index("f32: ") < out.index("f16: ")
    assert json.loads(plan.read_text(encoding="utf-8"))["about"]["precision"] == "f16"
    tuned_program = ascend_opt.compile(path, plan=plan, precision="f16")
    assert tuned_program.time().total_us <= ascend_opt.compile(path, precision="f16").time().total_us


def test_a_precision_that_the_chip_refuses_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    onnx = pytest.importorskip("onnx")
    from onnx_models import model, node

    x, w = np.ones((32, 64), np.float32), np.full((64, 32), 0.01, np.float32)
    path, plan = tmp_path / "net.onnx", tmp_path / "net.plan.json"
    onnx.save(model([node("MatMul", "x w", "y")], {"x": x}, ["y"], w=w), path)
    options = ["--target", "ascend910", "--trials", "1", "--jobs", "1", "-o", str(plan)]
    assert main([str(path), *options, "--precisions", "f32,f16"]) == 0
    found = capsys.readouterr()
    assert "tuned: --precision f16" in found.out and "f32: " not in found.out
    assert (
        "note: --precisions: f32 is left out: graph.matmul: the Cube of ascend910 does not mul" in found.err
    )
    assert main([str(path), *options, "--precisions", "f32"]) == 1
    assert "error: graph.matmul: the Cube of ascend910 does not multiply f32" in capsys.readouterr().err


def test_options_of_models_are_noted_on_a_graph(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph = tmp_path / "f.mlir"
    graph.write_text(LAYERS, encoding="utf-8")
    options = ["--precisions", "f16,f32", "--trials", "2", "--jobs", "1", "-o", str(tmp_path / "f.plan.json")]
    assert main([str(graph), *options]) == 0
    found = capsys.readouterr()
    assert found.err.splitlines()[0] == "note: --precisions has no effect: the input is no ONNX model"
    assert "Warning" not in found.err and "--precision" not in found.out


def test_sizes_of_a_graph_are_swept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph, plan, found = tmp_path / "f.mlir", tmp_path / "f.plan.json", tmp_path / "found.json"
    graph.write_text(LAYERS.replace("%x: tensor<64x", "%x: tensor<?x"), encoding="utf-8")
    options = ["--goal", "throughput", "--batches", "x:0=1,16,64", "--trials", "2", "--jobs", "1"]
    assert main([str(graph), *options, "-o", str(plan), "--json", str(found)]) == 0
    sizes = {one["dims"]["x:0"]: one["us"] for one in json.loads(found.read_text(encoding="utf-8"))}
    assert list(sizes) == [64, 16, 1]
    rows = [line for line in capsys.readouterr().out.splitlines() if "a second" in line]
    assert [row.split(":")[1] for row in rows] == ["0 = 64", "0 = 16", "0 = 1"]
    assert json.loads(plan.read_text(encoding="utf-8"))["about"]["dims"] == {"x:0": 64}
    assert ascend_opt.compile(graph, plan=plan, dims={"x:0": 64}).time().total_us == sizes[64]
    with pytest.raises(
        ascend_opt.CompileError, match=r"json \(made for x:0=64\) is a plan of another @f: op 0"
    ):
        ascend_opt.compile(graph, plan=plan)


def test_a_front_is_of_all_sizes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """16 rows are soon through, of 1024 are more a second."""
    graph, plan, found = tmp_path / "f.mlir", tmp_path / "f.plan.json", tmp_path / "found.json"
    graph.write_text(LAYERS.replace("%x: tensor<64x", "%x: tensor<?x"), encoding="utf-8")
    options = ["--goal", "pareto", "--batches", "x:0=16,1024", "--trials", "8", "--jobs", "1"]
    assert main([str(graph), *options, "-o", str(plan), "--json", str(found)]) == 0
    fronts = {one["dims"]["x:0"]: one["front"] for one in json.loads(found.read_text(encoding="utf-8"))}
    assert min(one["us"] for one in fronts[16]) < min(one["us"] for one in fronts[1024])
    for one in fronts[1024]:  # no point of fewer rows has as many a second
        assert all(one["us"] / 1024 < other["us"] / 16 for other in fronts[16])
    rows = [line for line in capsys.readouterr().out.splitlines() if "front: " in line]
    assert len(rows) == len(fronts[16]) + len(fronts[1024])
    for i, row in enumerate(rows):
        one = json.loads((tmp_path / f"f.front{i}.plan.json").read_text(encoding="utf-8"))["about"]
        assert row.startswith(f"  front: x:0 = {one['dims']['x:0']}, ") and " a second, workspace " in row
        timed = ascend_opt.compile(graph, plan=tmp_path / f"f.front{i}.plan.json", dims=one["dims"]).time()
        assert round(timed.total_us, 3) == one["us"]
    assert json.loads(plan.read_text(encoding="utf-8"))["about"]["dims"] == {"x:0": 16}


def test_a_graph_without_such_a_dimension_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph = tmp_path / "f.mlir"
    graph.write_text(LAYERS, encoding="utf-8")
    for batches, reason in (
        ("x:0=1,8", "dimension 'x:0' is 64 in the graph, not 1; only one that is ? takes other sizes"),
        ("batch=1,8", "no graph has a dimension 'batch': none of @f is dynamic (?)"),
    ):
        assert main([str(graph), "--goal", "throughput", "--batches", batches, "--trials", "2"]) == 1
        assert capsys.readouterr().err == f"error: {reason}\n"


@pytest.mark.parametrize("goal", ["latency", "memory", "pareto"])
@pytest.mark.parametrize(
    "text",
    [
        "graph @f(%x: tensor<37x5xf16>) { return %x }",
        "graph @f(%x: tensor<0x5xf16>, %w: tensor<5x7xf16>) { %y = matmul(%x, %w) return %y }",
        "graph @f(%x: tensor<7x0xf16>, %w: tensor<0x5xf16>) { %y = matmul(%x, %w) return %y }",
    ],
    ids=["alone", "empty", "sums of nothing"],
)
def test_a_graph_without_kernels_is_one_line(
    goal: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graph, plan = tmp_path / "f.mlir", tmp_path / "f.plan.json"
    graph.write_text(text, encoding="utf-8")
    assert main([str(graph), "--goal", goal, "--trials", "2", "--jobs", "1", "-o", str(plan)]) == 1
    assert capsys.readouterr().err == "error: nothing to tune: @f has no kernels\n"
    assert not plan.exists()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--goal", "throughput"], "--goal throughput needs --batches"),
        (["--batches", "x:0=1,8"], "--batches goes with --goal throughput or pareto"),
        (["--slower", "5%"], "--slower goes with --goal memory"),
        (["--goal", "pareto", "--slower", "0"], "--slower goes with --goal memory"),
        (["--memory", "workspace"], "--memory goes with --goal memory or pareto"),
        (["--precisions", "f16,f8"], "'f8' is none of f16, bf16, f32"),
        (["--precisions", "f16", "--precision", "f16"], "--precisions and --precision do not go together"),
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


@pytest.mark.parametrize("when", ["in a search", "between searches"])
def test_ctrl_c_ends_a_sweep(
    when: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the plans of the sizes that are done."""
    graph, plan = tmp_path / "f.mlir", tmp_path / "f.plan.json"
    graph.write_text(LAYERS.replace("%x: tensor<64x", "%x: tensor<?x"), encoding="utf-8")
    honest, done = tune_driver.tune, list[Any]()

    def tune(*arguments: Any, **options: Any) -> Any:
        if len(done) == 1 and when == "between searches":
            raise KeyboardInterrupt
        assert len(done) < 2
        done.append(honest(*arguments, **options))
        return replace(done[-1], interrupted=len(done) == 2)

    monkeypatch.setattr(tune_driver, "tune", tune)
    options = ["--goal", "throughput", "--batches", "x:0=1,16,64,128", "--trials", "4", "--jobs", "1"]
    assert main([str(graph), *options, "-o", str(plan)]) == 0
    sizes, said = 1 + (when == "in a search"), capsys.readouterr().out.splitlines()
    assert sum("a second" in line for line in said) == sizes
    assert said[-1] == "interrupted: the best plan so far"
    assert plan.exists()


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    "goal",
    [[], ["--goal", "memory"], ["--goal", "pareto"], ["--goal", "throughput", "--batches", "x:0=16,64"]],
)
def test_an_interrupted_search_says_so(
    goal: list[str],
    jobs: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph, plan = tmp_path / "f.mlir", tmp_path / "f.plan.json"
    graph.write_text(LAYERS.replace("%x: tensor<64x", "%x: tensor<?x" if len(goal) > 2 else "%x: tensor<64x"))
    options = [str(graph), *goal, "--jobs", str(jobs), "--trials", "6", "-o", str(plan)]
    assert main(options) == 0
    assert "interrupted:" not in capsys.readouterr().out

    def stop(_: object, state: State) -> None:
        if state.trials >= 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(tune_driver._Watch, "tell", stop)  # pyright: ignore[reportPrivateUsage]
    assert main(options) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == "interrupted: the best plan so far" and f"plan: {plan}" in said


def test_a_front_beside_a_plan_on_the_standard_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("f.mlir").write_text(LAYERS, encoding="utf-8")
    options = ["f.mlir", "--goal", "pareto", "--trials", "4", "--jobs", "1", "-o", "-"]
    assert main([*options, "--json", "-"]) == 1
    assert "only one of them can be the standard output" in capsys.readouterr().err
    assert main(options) == 0
    assert "functions" in json.loads(capsys.readouterr().out)
    assert list(tmp_path.glob("f.front*.plan.json")) and not list(tmp_path.glob("-*"))


def test_ctrl_c_after_the_search_is_said_too() -> None:
    """While the plan that was found is compiled as a whole program."""

    def compile_with(plan: Plan | None) -> ascend_opt.Program:
        if plan is not None:
            raise KeyboardInterrupt
        return ascend_opt.compile(LAYERS)

    with workers(1) as pool:
        found = tune(compile_with, pool, Budget(2))
    assert found.interrupted and found.best_us == found.default_us


def test_ctrl_c_before_there_is_a_plan_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    graph, plan = tmp_path / "f.mlir", tmp_path / "f.plan.json"
    graph.write_text(LAYERS, encoding="utf-8")

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tune_driver, "compile", stop)
    assert main([str(graph), "--jobs", "1", "-o", str(plan)]) == 130
    note = "note: interrupted before the default program was timed: there is no plan to write\n"
    assert capsys.readouterr().err == note and not plan.exists()


@pytest.mark.parametrize("value", ["-1", "x", str(2**32)])
@pytest.mark.parametrize("tool", [main, order])
def test_a_seed_is_a_number_that_a_search_takes(
    tool: Callable[[list[str]], int], value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tool(["f.mlir", f"--seed={value}"]) == 1
    assert f"argument --seed: '{value}' is not a whole number from 0 to 4294967295" in capsys.readouterr().err


def test_a_sweep_says_what_it_was_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The plan has its goal; a size that is named twice is tuned once."""
    graph, plan = tmp_path / "f.mlir", tmp_path / "f.plan.json"
    graph.write_text(LAYERS.replace("%x: tensor<64x", "%x: tensor<?x"), encoding="utf-8")
    options = ["--goal", "throughput", "--batches", "x:0=16,16", "--trials", "2", "--jobs", "1"]
    assert main([str(graph), *options, "-o", str(plan)]) == 0
    assert capsys.readouterr().out.count("a second") == 1
    assert json.loads(plan.read_text())["about"]["goal"] == "throughput"


def test_one_launch_is_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph, plan = tmp_path / "f.mlir", tmp_path / "f.plan.json"
    graph.write_text("graph @f(%x: tensor<16x256xf16>) { %y = exp(%x) return %y }", encoding="utf-8")
    assert main([str(graph), "--trials", "1", "--jobs", "1", "-o", str(plan)]) == 0
    assert "; 1 launch timed in " in capsys.readouterr().out


def test_an_executor_of_somebody_else_gives_the_same_plan(tmp_path: Path) -> None:
    graph = tmp_path / "f.mlir"
    graph.write_text(LAYERS, encoding="utf-8")

    def plan(**how: Any) -> bytes:
        options = TuneOptions(
            str(graph), target="ascend910", trials=6, output=str(tmp_path / "p.json"), **how
        )
        tune_model(options).write()
        return (tmp_path / "p.json").read_bytes()

    alone = plan()
    with ThreadPoolExecutor(2) as executor:
        assert plan(jobs=2, executor=executor) == alone
