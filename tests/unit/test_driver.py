"""The `ascend-opt` driver: both syntaxes, options, output files, and one clear message for every mistake."""

import io
import json
import random
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest
from xdsl.context import Context
from xdsl.dialects import test
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ascend_opt.compiler.drivers.driver import AscendOptMain
from ascend_opt.compiler.pipeline import universe
from ascend_opt.compiler.reports.target_list import target_list
from ascend_opt.dialects import target as targets
from ascend_opt.dialects import target_files
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_files import known_targets, target_names
from ascend_opt.passes.support.report import add_report, reports_wanted

GRAPH = "graph @f(%x: tensor<4xf16>) {\n  %y = relu(%x)\n  return %y\n}\n"
MLIR = "func.func @f() {\n  func.return\n}\n"
LOCATED = re.compile(r"^[^\n]*:\d+:\d+: error: \S[^\n]*\n[^\n]*\n *\^~*$")


class Outcome(Protocol):
    @property
    def code(self) -> int: ...
    @property
    def output(self) -> str: ...
    @property
    def errors(self) -> str: ...


Run = Callable[..., Outcome]


def write(directory: Path, text: str | bytes, name: str = "t.mlir") -> Path:
    path = directory / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_the_first_keyword_tells_the_syntax(ascend_opt: Run, tmp_path: Path) -> None:
    graph = ascend_opt(write(tmp_path, "// comment\n\n" + GRAPH))
    mlir = ascend_opt(write(tmp_path, "// graph @comment\n" + MLIR))
    assert (graph.code, mlir.code) == (0, 0)
    assert "graph.relu" in graph.output and "func.func @f()" in mlir.output


def test_f_forces_a_syntax(ascend_opt: Run, tmp_path: Path) -> None:
    assert "unknown operation 'graph'" in ascend_opt(write(tmp_path, GRAPH), "-f", "mlir").errors
    assert "expected 'graph'" in ascend_opt(write(tmp_path, MLIR), "-f", "graph").errors
    assert ascend_opt(write(tmp_path, GRAPH, "t.txt"), "-f", "graph").code == 0


@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_standard_input(ascend_opt: Run, monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GRAPH.replace("relu", "rleu").encode())))
    outcome = ascend_opt(*arguments)
    assert outcome.errors.startswith("<stdin>:2:8: error: unknown operation 'rleu'; did you mean 'relu'?")


def test_a_model_is_a_file(ascend_opt: Run) -> None:
    for arguments in (["-f", "onnx"], ["-f", "onnx", "-"]):
        outcome = ascend_opt(*arguments)
        assert outcome.code == 1
        assert outcome.errors == (
            "error: -f onnx takes a file: a model is not read from stdin; see ascend-opt --help\n"
        )


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", ":1:1: error: the file is empty"),
        (b"// only a comment\n", ":1:18: error: the file is empty"),
        (b"\x7fELF\x00\x01\x01\x00\x00", ":1:5: error: found a zero byte; this is a binary file"),
        (b"\x08\x00\x00\x04onnx", ":1:1: error: found byte 0x08; this is a binary file, not text\n....onnx"),
        (
            b"\x08\x07\x12\x04onnx",
            "not text; if it is an ONNX model, name it .onnx, or give ascend-opt -f onnx\n",
        ),
        (GRAPH.encode() + b"// caf\xe9\n", ":5:7: error: found byte 0xE9, which is not UTF-8 text"),
        (GRAPH.encode()[:40], ":2:11: error: expected '(', found the end of the file"),
        (MLIR.encode()[:17], ":1:17: error: the text ends too early"),
        (b"\xef\xbb\xbf" + GRAPH.replace("relu", "rely").encode(), ":2:8: error: unknown operation"),
        (b"hello", ":1:1: error: unknown operation 'hello'"),
        (b'"' + b"a" * 1000, ":1:1: error: this string is not closed"),
        (b"graph " * 1000, ":1:7: error: expected a graph name"),
        (b"builtin.module {" * 3000, "nested too deeply"),
        (b"func.func @f() -> tensor<" + b"9" * 5000 + b"xf16>", "error: "),
    ],
)
def test_files_that_are_no_program(ascend_opt: Run, tmp_path: Path, content: bytes, expected: str) -> None:
    outcome = ascend_opt(write(tmp_path, content))
    assert outcome.code == 1 and not outcome.output
    assert expected in outcome.errors
    assert LOCATED.search(outcome.errors.rstrip("\n")), outcome.errors
    assert len(outcome.errors) < 5000


@pytest.mark.parametrize(
    "garbage",
    [
        random.Random(0).randbytes(10_000_000),
        b"a" * 10_000_000,
        b"graph @f(" * 1_200_000,
        b"[" * 10_000_000,
        b'"' * 10_000_000,
    ],
    ids=["random", "letters", "graphs", "brackets", "quotes"],
)
def test_ten_megabytes_of_garbage(ascend_opt: Run, tmp_path: Path, garbage: bytes) -> None:
    path = write(tmp_path, garbage)
    start = time.process_time()
    outcome = ascend_opt(path)
    assert time.process_time() - start < 20
    assert outcome.code == 1 and not outcome.output
    assert LOCATED.search(outcome.errors.rstrip("\n")) and len(outcome.errors) < 5000


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            ["-p", "graph-canonicalise"],
            "unknown pass 'graph-canonicalise'; did you mean 'graph-canonicalize'?",
        ),
        (["-p", "graph-canonicalize{x=1}"], "pass 'graph-canonicalize' has no option 'x'"),
        (["-p", "graph-canonicalize{x"], "-p:1:21: error: Expected equals"),
        (["--target", "ascend9100"], "unknown target 'ascend9100'; did you mean 'ascend910'?"),
        (["--target", "no-such-file.toml"], "no-such-file.toml"),
        (["-t", "no-such-output"], "invalid choice: 'no-such-output'"),
        (["--fues"], "unrecognized arguments: --fues"),
        (["-f", "python"], "invalid choice: 'python'"),
        (["-o", "/no/such/directory/out.mlir"], "/no/such/directory/out.mlir"),
        (["--report=/no/such/directory/report.txt"], "/no/such/directory/report.txt"),
        (["--report", "/no/such/directory/report.txt"], "/no/such/directory/report.txt"),
        (["--report-json", "other.mlir"], "and other.mlir; a report is written to --report-json=FILE"),
        (["--fuse", "--library"], "--fuse and --library exclude each other"),
        (["--library", "-p", "graph-cse", "--fuse", "--lower"], "--fuse and --library exclude each other"),
        (["--dynamic-sizes", "1,8"], "dynamic sizes are given, but no dimension of @f is dynamic (?)"),
    ],
)
def test_wrong_options(ascend_opt: Run, tmp_path: Path, arguments: list[str], expected: str) -> None:
    outcome = ascend_opt(write(tmp_path, MLIR), *arguments)
    assert outcome.code == 1 and list(tmp_path.iterdir()) == [tmp_path / "t.mlir"]
    assert expected in outcome.errors
    assert "Traceback" not in outcome.errors and "internal error" not in outcome.errors


def test_files_that_cannot_be_opened(ascend_opt: Run, tmp_path: Path) -> None:
    missing = ascend_opt(tmp_path / "missing.mlir")
    assert missing.code == 1 and "missing.mlir': No such file or directory" in missing.errors
    assert "Is a directory" in ascend_opt(tmp_path).errors


def test_every_mistake_of_the_lit_tests_fails_alone(
    ascend_opt: Run, repository: Path, tmp_path: Path
) -> None:
    chunks = [
        chunk
        for folder in ("parse-errors", "verify-errors")
        for path in sorted((repository / "tests/lit" / folder).glob("*.mlir"))
        for chunk in path.read_text().split("// -----\n")
    ]
    assert len(chunks) >= 25
    messages: set[str] = set()
    for chunk in chunks:
        outcome = ascend_opt(write(tmp_path, chunk), "-o", tmp_path / "out.mlir")
        assert outcome.code == 1, chunk
        assert LOCATED.search(outcome.errors.rstrip("\n")), outcome.errors
        assert not (tmp_path / "out.mlir").exists()
        messages.add(outcome.errors.splitlines()[0].partition("error: ")[2])
    assert len(messages) >= 25


def test_an_output_file_is_complete_or_untouched(ascend_opt: Run, tmp_path: Path) -> None:
    out = write(tmp_path, "precious", "out.mlir")
    assert ascend_opt(write(tmp_path, GRAPH + "graph"), "-o", out).code == 1
    assert out.read_text() == "precious"
    split = write(tmp_path, MLIR + "// -----\n" + "nonsense")
    assert ascend_opt(split, "--split-input-file", "-o", out).code == 1
    assert out.read_text() == "precious"
    assert ascend_opt(write(tmp_path, GRAPH), "-o", out).output == ""
    assert "graph.relu" in out.read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.mlir", "t.mlir"]


def test_locations_of_split_files_are_those_of_the_file(ascend_opt: Run, tmp_path: Path) -> None:
    wrong = 'func.func @g() {\n  %0 = "graph.relu"() : () -> tensor<4xf16>\n  func.return\n}\n'
    path = write(tmp_path, MLIR + "// -----\n" + wrong)
    errors = ascend_opt(path, "--split-input-file").errors
    assert ":6:8: error: " in errors and errors.endswith("       ^~~~~~~~~~~~\n")
    path = write(tmp_path, GRAPH + "// -----\n" + GRAPH.replace("relu", "rleu"))
    assert ":7:8: error: unknown operation" in ascend_opt(path, "--split-input-file").errors


def test_list_targets(ascend_opt: Run) -> None:
    outcome = ascend_opt("--list-targets")
    assert outcome.code == 0
    lines = outcome.output.splitlines()
    assert [line.split()[0] for line in lines] == list(target_names())
    chip = load_target("ascend310p")
    (line,) = (line for line in lines if line.startswith("ascend310p "))
    assert re.split("  +", line) == [
        "ascend310p",
        chip.description,
        "8 cores",
        "1060 MHz",
        " ".join(chip.storage),
    ]
    assert len({line.rindex(" MHz") for line in lines}) == len({line.rindex(" core") for line in lines}) == 1


def test_help_shows_that_the_file_of_a_report_comes_after_an_equals_sign(ascend_opt: Run) -> None:
    outcome = ascend_opt("--help")
    assert outcome.code == 0
    for option in ("--report", "--report-json"):
        assert outcome.output.count(f"{option}[=FILE]") == 2  # usage and description
        assert f"{option} FILE" not in outcome.output


def test_a_chip_that_cannot_be_used_is_listed_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "odd.toml").write_text("cores = 2\n")
    sources = {"odd": str(tmp_path / "odd.toml"), "ascend910": known_targets()["ascend910"]}
    for module in (targets, target_files):
        monkeypatch.setattr(module, "known_targets", lambda: sources)
    good, bad = target_list().splitlines()
    assert good.startswith("ascend910  Ascend 910A: ")
    assert re.fullmatch(r"odd        cannot be used: .*odd.toml: missing key 'dma'", bad)


def test_report_does_not_swallow_the_input_file(ascend_opt: Run, tmp_path: Path) -> None:
    path = write(tmp_path, MLIR)
    outcome = ascend_opt("--report", path)
    assert outcome.code == 0 and "no pass reported anything" in outcome.errors
    assert path.read_text() == MLIR


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


def test_failures_in_passes_are_located(ascend_opt: Run, tmp_path: Path) -> None:
    path = write(tmp_path, GRAPH)
    out = tmp_path / "out.mlir"
    outcome = ascend_opt(path, "-p", "test-failing", "-o", out)
    assert outcome.errors == f"{path}:2:8: error: no relu here\n  %y = relu(%x)\n       ^~~~\n"
    assert outcome.code == 1 and not out.exists()
    broken = ascend_opt(path, "-p", "test-failing{how=invalid}")
    assert broken.code == 1 and f"{path}:" in broken.errors
    crash = ascend_opt(path, "-p", "test-failing{how=crash}")
    assert crash.errors.startswith("error: internal error in pass 'test-failing': KeyError: 'boom'")
    assert "Traceback" not in crash.errors
    assert "Traceback" in ascend_opt(path, "-p", "test-failing{how=crash}", "--debug").errors


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


def test_xdsl_output_targets_still_work_as_target(ascend_opt: Run, tmp_path: Path) -> None:
    assert ascend_opt(write(tmp_path, GRAPH), "--target", "graph-text").output == GRAPH


def test_fixture_dialect_is_known(ascend_opt: Run, tmp_path: Path) -> None:
    outcome = ascend_opt(write(tmp_path, f'"{test.TestOp.name}"() : () -> ()\n'))
    assert outcome.code == 0


def test_a_pipeline_leaves_the_levels_behind_it_as_they_are(ascend_opt: Run, tmp_path: Path):
    """A pass that finds nothing to do says nothing, as in `mlir-opt`."""
    lowered = ascend_opt(write(tmp_path, GRAPH), "--fuse", "--lower")
    assert lowered.code == 0
    again = ascend_opt(write(tmp_path, lowered.output, "lowered.mlir"), "--fuse", "--lower")
    assert (again.code, again.output, again.errors) == (0, lowered.output, "")
