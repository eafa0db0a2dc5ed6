"""Modules that a tool cannot go on with: made for another chip, lowered too far or not enough, without a graph. One
message and exit code 1."""

import os
from pathlib import Path
from typing import Any

import pytest
from module_texts import X, graph, mlir

from ascend_opt.tools.ascend_opt import main as opt
from ascend_opt.tools.ascend_run import main as run

ASCEND = 'ascend.kernel @k cores 1 : i64 {\n^bb0(%x: memref<64xf16, "gm">):\n'
COPY = '  ascend.copy %x, %x : memref<64xf16, "gm">, memref<64xf16, "gm">\n  ascend.end\n}\n'


def test_a_path_that_the_chip_lacks_is_an_error_at_the_instruction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    Path("m.mlir").write_text(ASCEND + COPY)
    assert opt(["m.mlir", "--lower"]) == 1
    assert capsys.readouterr().err.startswith(
        "m.mlir:3:3: error: ascend.copy: ascend910b has no data path from gm to gm\n"
    )
    assert run(["m.mlir"]) == 1
    assert capsys.readouterr().err.startswith(
        "m.mlir:1:1: error: the module has no graph to run: it holds ascend.kernel (@k); wanted is a func.func"
    )


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ('"ascend911"', "unknown target 'ascend911'; did you mean 'ascend910'?"),
        ("910 : i64", "ascend.target must be the name of a chip, got 910 : i64"),
    ],
)
@pytest.mark.parametrize("command", [[opt, "--fuse"], [opt, "-p", "ascend-insert-sync"], [run]])
def test_an_unknown_chip_in_the_module(
    command: list[Any],
    named: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    text = mlir("func.return %x : tensor<4xf16>").replace(
        "{", f"attributes {{ascend.target = {named}}} {{", 1
    )
    Path("m.mlir").write_text(text)
    tool, *options = command
    assert tool(["m.mlir", *options]) == 1
    first = text.splitlines()[0]
    error = capsys.readouterr().err
    assert error == f"m.mlir:1:1: error: {message}\n{first}\n^{'~' * 13}\n"


def compiled(*options: str) -> None:
    """Write m.mlir: a product compiled with these options of `ascend-opt`."""
    text = graph("%y = matmul(%x, %w)", f"{X}, %w: tensor<64x64xf16>")
    Path("g.mlir").write_text(text)
    assert opt(["g.mlir", *options, "-o", "m.mlir"]) == 0


@pytest.mark.parametrize(
    ("made", "command"),
    [
        *(
            ("tiled", command)
            for command in (
                [opt, "-p", "tile-fuse"], [opt, "-p", "tile-from-graph"], [opt, "-p", "tile-partition"], [opt], [run],
            )
        ),
        *(
            ("lowered", command)
            for command in (
                [opt, "-p", "tile-to-ascend"], [opt, "-p", "ascend-multi-buffer"],
                [opt, "-p", "ascend-plan-memory"], [opt, "-p", "ascend-insert-sync"], [opt], [run],
            )
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else value[-1] if value[1:] else value[0].__module__,
)  # fmt: skip
def test_a_module_made_for_another_chip(
    made: str,
    command: list[Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    compiled("--target", "ascend910", "--fuse", *(["--lower"] if made == "lowered" else []))
    tool, *options = command
    assert tool(["m.mlir", *options]) == 0
    capsys.readouterr()
    assert tool(["m.mlir", *options, "--target", "ascend310p"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    head, line, caret = captured.err.splitlines()
    number = int(head.removeprefix("m.mlir:").split(":")[0])
    assert line[:100] in Path("m.mlir").read_text().splitlines()[number - 1]
    assert head.endswith(
        f" error: the module was {made} for ascend910, not for ascend310p; start from its graph"
    )
    assert f"{'tile' if made == 'tiled' else 'ascend'}.kernel" in line
    assert "^~~" in caret


@pytest.mark.parametrize("name", ["ascend-multi-buffer", "ascend-plan-memory", "ascend-insert-sync"])
def test_passes_on_kernels_that_are_not_lowered(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    compiled("--fuse")
    assert opt(["g.mlir", "-p", name]) == 1
    assert capsys.readouterr().err.startswith(
        "g.mlir:2:8: error: graph.matmul is still at the graph level; --lower it first\n"
    )
    assert opt(["m.mlir", "-p", name]) == 1
    assert "error: tile.kernel is still at the tile level; --lower it first\n" in capsys.readouterr().err


def test_passes_on_a_graph_without_kernels(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """What prepare computes stays at the graph level."""
    types = "(tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>"
    body = (
        "%w = graph.neg %v : (tensor<64x64xf16>) -> tensor<64x64xf16>\n"
        f"    %y = graph.matmul %x, %w : {types}\n    func.return %y : tensor<64x64xf16>"
    )
    signature = f"({X}, %v: tensor<64x64xf16> {{graph.weight}}) -> tensor<64x64xf16>"
    (tmp_path / "m.mlir").write_text(mlir(body, signature))
    assert opt([str(tmp_path / "m.mlir"), "--lower"]) == 0
    assert "graph.neg" in capsys.readouterr().out
    (tmp_path / "n.mlir").write_text("graph @f(%x: tensor<4xf16>) {\n  return %x\n}\n")
    assert opt([str(tmp_path / "n.mlir"), "--lower"]) == 0


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("cores 4", "cores 64", "ascend.kernel", "@f_0 wants 64 aic cores, ascend910b has 24"),
        ("addresses = ", "ascend.other = ", "ascend.buffer", "has no address: run ascend-plan-memory"),
        (
            "ascend.launch @f_0",
            "ascend.launch @f_1",
            "ascend.launch",
            "launch of @f_1, which the module does not",
        ),
    ],
)
def test_programs_that_cannot_run(
    old: str,
    new: str,
    place: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    compiled("--fuse", "--lower")
    text = Path("m.mlir").read_text()
    assert old in text
    Path("m.mlir").write_text(text.replace(old, new, 1))
    assert run(["m.mlir"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    head, line, caret = captured.err.splitlines()
    assert head.startswith("m.mlir:") and ": error: " in head and message in head
    assert line.strip().startswith(place) or f"= {place}" in line
    assert caret.strip().startswith("^")


def test_a_folder_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for tool in (opt, run):
        assert tool([os.fspath(tmp_path)]) == 1
        assert "Is a directory" in capsys.readouterr().err


KERNEL = "ascend.kernel @{} cores 1 : i64 {{\n^bb0:\n  ascend.end\n}}\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("builtin.module {\n}\n", "it is empty"),
        ("func.func private @f(tensor<4xf16>)\n", "it holds a function without a body (@f)"),
        (
            "".join(KERNEL.format(name) for name in "abcde"),
            "it holds ascend.kernel 5 times (@a, @b, @c, ... 2 more)",
        ),
        (
            "func.func @f.prepare() {\n  func.return\n}\n" + KERNEL.format("k"),
            "it holds a helper function (@f.prepare), ascend.kernel (@k)",
        ),
    ],
)
def test_a_module_without_a_graph_says_what_it_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, found: str
):
    path = tmp_path / "m.mlir"
    path.write_text(text)
    assert run([str(path)]) == 1
    (first, *_) = capsys.readouterr().err.splitlines()
    assert f"error: the module has no graph to run: {found}; wanted is a func.func with a body" in first
