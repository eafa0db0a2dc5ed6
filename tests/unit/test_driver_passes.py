"""Passes that `ascend-opt` runs: their order, their failures, and where their reports go."""

import io
import json
import re
import sys
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from driver_runs import GRAPH, MLIR, Run, write
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ascend_opt.compiler.drivers import registered
from ascend_opt.compiler.drivers.driver import AscendOptMain
from ascend_opt.compiler.pipeline import universe
from ascend_opt.passes.support.report import add_report, reports_wanted


@dataclass(frozen=True)
class Note:
    name: str
    text: str

    def to_text(self) -> str:
        return self.text

    def to_json(self) -> Any:
        return {"text": self.text}


@dataclass(frozen=True)
class Reporting(ModulePass):
    """Reports its options and the functions it sees."""

    name = "test-reporting"
    target: str = "default"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        assert reports_wanted()
        for function in op.body.block.ops:
            assert isinstance(function, FuncOp)
            add_report(Note("test-reporting", f"{function.sym_name.data} on {self.target}"))


@dataclass(frozen=True)
class Failing(ModulePass):
    """Fails at the first graph op, or in the way that `how` says."""

    name = "test-failing"
    how: str = "error"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in op.walk():
            if inner.name == "graph.relu":
                match self.how:
                    case "error":
                        inner.emit_error("no relu here", PassFailedException("no relu here"))
                    case "invalid":
                        inner.results[0].replace_all_uses_with(inner.operands[0])
                        block = inner.parent
                        assert block is not None and block.last_op is not None
                        inner.detach()
                        block.add_op(inner)
                    case "value":
                        raise ValueError("nothing of this kind is there")
                    case _:
                        raise KeyError("boom")


@pytest.fixture(autouse=True)
def extra_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passes of these tests, as another package would register them."""
    register = AscendOptMain.register_all_passes

    def register_all_passes(self: AscendOptMain) -> None:
        register(self)
        self.register_pass("test-reporting", lambda: Reporting)
        self.register_pass("test-failing", lambda: Failing)

    monkeypatch.setattr(AscendOptMain, "register_all_passes", register_all_passes)


def test_report_does_not_swallow_the_input_file(ascend_opt: Run, tmp_path: Path) -> None:
    path = write(tmp_path, MLIR)
    outcome = ascend_opt("--report", path)
    assert outcome.code == 0 and "no pass reported anything" in outcome.errors
    assert path.read_text() == MLIR


def test_help_shows_that_the_file_of_a_report_comes_after_an_equals_sign(ascend_opt: Run) -> None:
    outcome = ascend_opt("--help")
    assert outcome.code == 0
    for option in ("--report", "--report-json"):
        assert outcome.output.count(f"{option}[=FILE]") == 2  # usage and description
        assert f"{option} FILE" not in outcome.output


@pytest.mark.parametrize("option", ["--report", "--report-json"])
def test_a_report_goes_to_the_file_that_follows_it_where_the_input_is_named_too(
    ascend_opt: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.mlir").write_text(GRAPH)
    run = ("-p", "test-reporting", "-o", "out.mlir")
    wanted = ascend_opt("f.mlir", *run, f"{option}=-").output
    assert "f on default" in wanted
    for arguments in (["f.mlir", *run, option, "r.txt"], [option, "r.txt", *run, "f.mlir"]):
        outcome = ascend_opt(*arguments)
        assert (outcome.code, outcome.output, outcome.errors) == (0, "", "")
        assert Path("r.txt").read_text() == wanted
        Path("r.txt").unlink()
    dashed = ascend_opt("f.mlir", *run, option, "-")
    assert (dashed.code, dashed.output, dashed.errors) == (0, wanted, "")


def test_a_dash_after_report_is_stdout_where_the_input_is_stdin(
    ascend_opt: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GRAPH.encode())))
    outcome = ascend_opt("-p", "test-reporting", "-o", "out.mlir", "--report", "-")
    assert (outcome.code, outcome.output, outcome.errors) == (0, "f on default\n", "")


def test_a_dash_is_stdout(ascend_opt: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.mlir").write_text(GRAPH)
    assert ascend_opt("f.mlir", "-o", "-").output == ascend_opt("f.mlir").output != ""
    done = ascend_opt("f.mlir", "--fuse", "--report-json=-", "-o", "out.mlir")
    assert "tile-fuse" in json.loads(done.output) and not done.errors
    assert "kernel relu" in ascend_opt("f.mlir", "--fuse", "--report=-", "-o", "out.mlir").output
    assert "kernel relu" in ascend_opt("f.mlir", "--fuse", "--report", "-o", "out.mlir").errors
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f.mlir", "out.mlir"]


def test_reports(ascend_opt: Run, tmp_path: Path) -> None:
    path = write(tmp_path, GRAPH)
    outcome = ascend_opt(path, "-p", "test-reporting", "--report", "--report-json", "--target", "ascend310p")
    assert (
        outcome.errors == 'f on ascend310p\n{\n  "test-reporting": {\n    "text": "f on ascend310p"\n  }\n}\n'
    )
    out = tmp_path / "report.txt"
    data = tmp_path / "report.json"
    quiet = ascend_opt(path, "-p", "test-reporting{target=own}", f"--report={out}", f"--report-json={data}")
    assert quiet.errors == ""
    assert out.read_text() == "f on own\n"
    assert json.loads(data.read_text()) == {"test-reporting": {"text": "f on own"}}


def test_failures_in_passes_are_located(
    ascend_opt: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, GRAPH)
    out = tmp_path / "out.mlir"
    outcome = ascend_opt(path, "-p", "test-failing", "-o", out)
    assert outcome.errors == f"{path}:2:8: error: no relu here\n  %y = relu(%x)\n       ^~~~\n"
    assert outcome.code == 1 and not out.exists()
    broken = ascend_opt(path, "-p", "test-failing{how=invalid}")
    assert broken.code == 1 and f"{path}:" in broken.errors
    crash = ascend_opt(path, "-p", "test-failing{how=crash}")
    package = __name__.partition(".")[0]
    assert crash.errors.startswith(f"error: pass 'test-failing' of {package} failed: KeyError: 'boom'")
    assert "Traceback" not in crash.errors
    assert "Traceback" in ascend_opt(path, "-p", "test-failing{how=crash}", "--debug").errors
    refused = ascend_opt(path, "-p", "test-failing{how=value}")
    assert refused.errors == "error: pass 'test-failing': nothing of this kind is there\n"
    monkeypatch.setattr(Failing, "__module__", "ascend_opt.passes.failing")
    for how in ("crash", "value"):
        ours = ascend_opt(path, "-p", f"test-failing{{how={how}}}")
        assert ours.errors.startswith("error: internal error in pass 'test-failing': ")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("no_such_module:UNIVERSE", "does not load: No module named 'no_such_module'"),
        ("math:pi", "is no Universe"),
    ],
)
def test_what_another_package_registers_wrongly_is_named(
    ascend_opt: Run, monkeypatch: pytest.MonkeyPatch, value: str, reason: str
) -> None:
    point = EntryPoint("theirs", value, "xdsl.universe")

    def entry_points(group: str) -> list[EntryPoint]:
        return [point] if group == "xdsl.universe" else []

    monkeypatch.setattr("importlib.metadata.entry_points", entry_points)
    monkeypatch.setattr(registered, "entry_points", entry_points)
    registered.everything.cache_clear()
    try:
        outcome = ascend_opt("--list-targets")
    finally:
        registered.everything.cache_clear()
    where = f"entry point theirs = {value} of a package, for xdsl.universe, "
    assert (outcome.code, outcome.errors) == (1, f"error: {where}{reason}\n")


def test_order_of_stages_is_that_of_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ascend_opt.compiler.pipeline import pipelines

    monkeypatch.setitem(pipelines.PIPELINES, "fuse", (("test-reporting", {"target": ("fuse",)}),))
    monkeypatch.setitem(pipelines.PIPELINES, "lower", (("test-reporting", {"target": ("lower",)}),))
    driver = AscendOptMain(["x.mlir", "-p", "cse", "--fuse", "-p", "dce", "--lower"])
    names = [getattr(one, "target", one.name) for one in driver.pipeline.passes]
    assert names == ["cse", "fuse", "dce", "lower"]


def test_each_pass_is_where_its_name_says(repository: Path) -> None:
    passes = universe.UNIVERSE.all_passes
    missing = [name for name in passes if not (repository / f"passes/{name.replace('-', '_')}.py").exists()]
    assert not missing, "registered but not there"
    for name, factory in passes.items():
        assert factory().name == name
    for path in (repository / "passes").glob("*.py"):
        if re.search(r"^class \w+\(ModulePass\)", path.read_text(), re.MULTILINE):
            assert path.stem.replace("_", "-") in passes, f"{path.name} is not registered"


def test_a_pipeline_leaves_the_levels_behind_it_as_they_are(ascend_opt: Run, tmp_path: Path):
    """A pass that finds nothing to do says nothing, as in `mlir-opt`."""
    lowered = ascend_opt(write(tmp_path, GRAPH), "--fuse", "--lower")
    assert lowered.code == 0
    again = ascend_opt(write(tmp_path, lowered.output, "lowered.mlir"), "--fuse", "--lower")
    assert (again.code, again.output, again.errors) == (0, lowered.output, "")
