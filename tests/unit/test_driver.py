"""The `ascend-opt` driver: both syntaxes, options, output files, and one clear message for every mistake."""

import io
import random
import re
import sys
import time
from pathlib import Path

import pytest
from driver_runs import GRAPH, MLIR, Run, write
from xdsl.dialects import test

from ascend_opt.compiler.reports.target_list import target_list
from ascend_opt.dialects import target as targets
from ascend_opt.dialects import target_files
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_files import known_targets, target_names

LOCATED = re.compile(r"^[^\n]*:\d+:\d+: error: \S[^\n]*\n[^\n]*\n *\^~*$")


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


def test_xdsl_output_targets_still_work_as_target(ascend_opt: Run, tmp_path: Path) -> None:
    assert ascend_opt(write(tmp_path, GRAPH), "--target", "graph-text").output == GRAPH


def test_fixture_dialect_is_known(ascend_opt: Run, tmp_path: Path) -> None:
    outcome = ascend_opt(write(tmp_path, f'"{test.TestOp.name}"() : () -> ()\n'))
    assert outcome.code == 0
