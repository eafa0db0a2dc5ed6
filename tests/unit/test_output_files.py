"""No tool writes what it makes over what it reads, nor two outputs into one file."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ascend_opt.compiler.drivers import run_driver, tune_driver
from ascend_opt.compiler.text.output_files import OutputError, check_output_files
from ascend_opt.tools.ascend_run import main as ascend_run
from ascend_opt.tools.ascend_tune import main as ascend_tune

Run = Callable[..., Any]
GRAPH = "graph @g(%x: tensor<32xf16>) {\n  %y = relu(%x)\n  return %y\n}\n"


@pytest.fixture
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "g.mlir"
    path.write_text(GRAPH)
    return path


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (["-o", "g.mlir"], "-o"),
        (["-o", "./link.mlir"], "-o"),
        (["--report=g.mlir"], "--report"),
        (["--report-json=g.mlir"], "--report-json"),
    ],
)
def test_ascend_opt_leaves_its_input_as_it_is(
    ascend_opt: Run, graph: Path, arguments: list[str], option: str
) -> None:
    Path("link.mlir").symlink_to(graph)
    done = ascend_opt("g.mlir", "--fuse", *arguments)
    assert (done.code, done.output) == (1, "")
    assert done.errors == f"error: {option} would overwrite the input g.mlir\n"
    assert graph.read_text() == GRAPH


def test_a_page_does_not_take_the_place_of_an_input_of_its_name(ascend_opt: Run, graph: Path) -> None:
    graph.rename("report.html")
    done = ascend_opt("report.html", "--fuse", "--report=html")
    assert (done.code, done.errors) == (1, "error: --report would overwrite the input report.html\n")
    assert Path("report.html").read_text() == GRAPH


@pytest.mark.parametrize("option", ["--json", "--trace", "--outputs"])
def test_ascend_run_leaves_its_input_as_it_is(
    graph: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    assert ascend_run(["g.mlir", option, str(graph)]) == 1
    assert capsys.readouterr() == ("", f"error: {option} would overwrite the input g.mlir\n")
    assert graph.read_text() == GRAPH


def test_a_table_of_runs_leaves_its_inputs_as_they_are(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("h.mlir").write_text(GRAPH)
    assert ascend_run(["h.mlir", "g.mlir", "--table", "--json", "g.mlir"]) == 1
    assert capsys.readouterr() == ("", "error: --json would overwrite the input g.mlir\n")
    assert graph.read_text() == GRAPH


def test_inputs_and_outputs_of_a_run_are_two_files(graph: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("x.npz").write_bytes(b"")
    assert ascend_run(["g.mlir", "--inputs", "x.npz", "--outputs", "x.npz"]) == 1
    assert capsys.readouterr().err == "error: --outputs would overwrite the input x.npz\n"


def test_a_chip_is_an_input_where_it_is_a_file(ascend_opt: Run, graph: Path) -> None:
    Path("chip.toml").write_text('extends = "ascend910"\nname = "mine"\n')
    done = ascend_opt("g.mlir", "--target", "chip.toml", "-o", "chip.toml")
    assert done.errors == "error: -o would overwrite the input chip.toml\n"
    assert ascend_opt("g.mlir", "--target", "ascend910", "-o", "ascend910").code == 0


def test_two_outputs_are_two_files(ascend_opt: Run, graph: Path) -> None:
    done = ascend_opt("g.mlir", "--fuse", "-o", "out", "--report-json=./out")
    assert (done.code, done.errors) == (1, "error: -o and --report-json are one file: ./out\n")
    assert not Path("out").exists()


def test_stdout_and_devices_are_no_files(graph: Path) -> None:
    check_output_files(["-", None], {"-o": "-", "--report": "-", "--json": None})
    check_output_files(["/dev/null"], {"-o": "/dev/null", "--report": "/dev/null"})
    with pytest.raises(OutputError, match="-o would overwrite the input g"):
        check_output_files(["g.mlir"], {"-o": str(graph)})


@pytest.mark.parametrize("path", ["", "there_is_none/x", "folder"])
@pytest.mark.parametrize("option", ["--json", "--trace", "--outputs", "--save-plan", "--save-plan-apart"])
def test_what_cannot_be_written_is_told_before_the_run(
    option: str, path: str, graph: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("folder").mkdir()
    monkeypatch.setattr(run_driver, "_run", None)
    assert ascend_run([graph.name, option, path]) == 1
    why = "Is a directory" if path == "folder" else "No such file or directory"
    assert capsys.readouterr().err == f"error: cannot open '{path}': {why}\n"


@pytest.mark.parametrize("path", ["", "there_is_none/x"])
@pytest.mark.parametrize("option", ["-o", "--json", "--store"])
def test_a_search_begins_where_its_plan_can_be_written(
    option: str, path: str, graph: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tune_driver, "tune", None)
    assert ascend_tune([graph.name, "--jobs", "1", option, path]) == 1
    assert capsys.readouterr().err == f"error: cannot open '{path}': No such file or directory\n"


def test_a_saved_plan_takes_the_place_of_no_input(ascend_opt: Run, graph: Path) -> None:
    done = ascend_opt(graph.name, "--fuse", "--save-plan", graph.name)
    assert (done.code, done.errors) == (1, f"error: --save-plan would overwrite the input {graph.name}\n")
    assert ascend_opt(graph.name, "--fuse", "--save-plan", "p.json").code == 0
    plan = Path("p.json").read_text()
    done = ascend_opt(graph.name, "--fuse", "--plan", "p.json", "-o", "p.json")
    assert (done.code, done.errors) == (1, "error: -o would overwrite the input p.json\n")
    assert Path("p.json").read_text() == plan


def test_a_plan_without_a_name_is_not_there(ascend_opt: Run, graph: Path) -> None:
    done = ascend_opt(graph.name, "--fuse", "--plan", "")
    assert (done.code, done.errors) == (1, "error: cannot read plan '': No such file or directory\n")
