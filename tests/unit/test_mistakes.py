"""What users get wrong, each answered by one located message and exit code 1, by both tools."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from module_texts import X, graph, mlir

from ascend_opt.tools.ascend_opt import main as opt
from ascend_opt.tools.ascend_run import main as run

IMAGE = "%x: tensor<1x16x8x8xf16>, %w: tensor<16x16x3x3xf16>"


MISTAKES: dict[str, tuple[str | bytes, str, str]] = {
    "graph not closed": ("graph @f(%x: tensor<4xf16>) {\n  return %x\n", "2:12", "found the end of the file"),
    "keyword": ("grpah @f(%x: tensor<4xf16>) {\n  return %x\n}\n", "1:1", "did you mean 'graph'?"),
    "no return": ("graph @f(%x: tensor<4xf16>) {\n  %y = relu(%x)\n}\n", "3:1", "returns nothing"),
    "returns what is not there": (graph("%z = relu(%x)"), "3:10", "unknown value '%y'"),
    "defined twice": (graph("%y = relu(%x)\n  %y = neg(%x)"), "3:3", "first defined on line 2"),
    "argument defined again": (graph("%x = relu(%x)"), "2:3", "redefinition of value '%x'"),
    "used before it is defined": (graph("%y = relu(%z)\n  %z = relu(%x)"), "2:13", "unknown value '%z'"),
    "two graphs of one name": (graph("%y = relu(%x)") * 2, "5:7", "redefinition of graph '@f'"),
    "operation": (graph("%y = rleu(%x)"), "2:8", "unknown operation 'rleu'; did you mean 'relu'?"),
    "element type": (graph("%y = relu(%x)", "%x: tensor<4xf17>"), "1:23", "did you mean 'f16'?"),
    "negative dimension": (graph("%y = relu(%x)", "%x: tensor<-4xf16>"), "1:21", "expected a shape"),
    "image of no pixels": (graph("%y = conv2d(%x, %x)", "%x: tensor<1x4x0x4xf16>"), "2:8", "image has no pixels"),
    "dimension past counting": (graph("%y = relu(%x)", f"%x: tensor<{9**30}xf16>"), "1:21", "too large"),
    "dynamic dimension": (graph("%y = relu(%x)", "%x: tensor<4x?xf16>"), "1:7", "first dimension"),
    "more than GM holds": (
        graph("%y = relu(%x)", "%x: tensor<1000000x1000000xf16>"), "2:8", "68719476736 B of GM",
    ),
    "K differs": (
        graph("%y = matmul(%x, %w)", f"{X}, %w: tensor<32x64xf16>"), "2:8", "differ in K: 64 and 32",
    ),
    "element types differ": (
        graph("%y = matmul(%x, %w)", f"{X}, %w: tensor<64x64xf32>"), "2:8", "one element type, got f16, f32",
    ),
    "shapes do not broadcast": (
        graph("%y = add(%x, %b)", f"{X}, %b: tensor<63xf16>"), "2:8", "shapes 64x64 and 63 do not broadcast",
    ),
    "image of rank 2": (
        graph("%y = conv2d(%x, %w)", f"{X}, %w: tensor<64x64xf16>"), "2:8", "x must be [N, C, H, W]",
    ),
    "two pads": (graph("%y = conv2d(%x, %w) {pads = [1, 1]}", IMAGE), "2:24", "pads needs 4 values"),
    "negative pad": (graph("%y = conv2d(%x, %w) {pads = [-1, 1, 1, 1]}", IMAGE), "2:24", "0 or more"),
    "stride of 0": (graph("%y = conv2d(%x, %w) {strides = [0, 1]}", IMAGE), "2:24", "1 or more, got [0, 1]"),
    "filter past every tile": (
        graph("%y = conv2d(%x, %w)", "%x: tensor<1x16x200x200xf16>, %w: tensor<16x16x150x150xf16>"),
        "2:8", "error: graph.conv2d: no tile fits",
    ),
    "kernel larger than the image": (
        graph("%y = conv2d(%x, %w)", "%x: tensor<1x16x2x2xf16>, %w: tensor<16x16x3x3xf16>"),
        "2:8", "the padded input has only 2 + 0",
    ),
    "attribute that the op lacks": (graph("%y = relu(%x) {alpha = 0.1}"), "2:18", "has no attribute 'alpha'"),
    "attribute of another type": (graph('%y = leaky_relu(%x) {alpha = "big"}'), "2:32", "must be a number"),
    "attribute twice": (graph("%y = leaky_relu(%x) {alpha = 0.1, alpha = 0.2}"), "2:37", "is given twice"),
    "too many operands": (graph("%y = relu(%x, %x)"), "2:8", "takes 1 operand (x), found 2"),
    "too few operands": (graph("%y = add(%x)"), "2:8", "takes 2 operands (a, b), found 1"),
    "stated type": (graph("%y = relu(%x) : tensor<32x64xf16>"), "2:19", "but it is tensor<64x64xf16>"),
    "constant of another file": (
        graph('%y = constant() {file = "nope.npy"} : tensor<4xf16>'), "2:27", "cannot read 'nope.npy'",
    ),
    "constant without a type": (graph("%y = constant() {value = [1.0]}"), "2:20", "needs its type"),
    "lists without end": (
        graph(f"%y = leaky_relu(%x) {{alpha = {'[' * 5000}{']' * 5000}}}"), "2:", "nested deeper than 32",
    ),
    "i8 to the Vector": (graph("%y = relu(%x)", "%x: tensor<4xi8>"), "2:8", "relu: no unit computes in i8"),
    "i8 to the Cube": (
        graph("%y = matmul(%x, %x)", "%x: tensor<16x16xi8>"), "2:8",
        "no load of L0 turns i8 over; the right operand is one matrix of weights",
    ),
    "i8 compared": (graph("%y = relu(%x)", "%x: tensor<4xi8>"), "2:8", "quantize and cast give it"),
    "exp of i32": (graph("%y = exp(%x)", "%x: tensor<4xi32>"), "2:8", "no unit computes in i32; only arithmetic"),
    "i8 backwards": (
        graph("%y = slice(%x) {starts = [-1], ends = [-9], steps = [-1]}", "%x: tensor<4xi8>"), "2:8",
        "slice: no unit computes in i8",
    ),
    "i64 made": (graph("%y = cast(%x) {to = i64}"), "2:8", "ascend910b has no i64"),
    "indices of f16": (graph("%y = gather(%x, %x)"), "2:8", "indices must be i32, got f16"),
    "a table of i8": (
        graph("%y = gather(%x, %i)", "%x: tensor<4xi8>, %i: tensor<4xi32>"), "2:8",
        "x must be f16, bf16, f32, i1 or i32, got i8",
    ),
    "picked along no axis": (
        graph("%y = gather(%x, %i) {axis = 1}", "%x: tensor<4xf16>, %i: tensor<4xi32>"), "2:24", "axis 1 must lie in",
    ),
    "bags without a table": (
        graph("%y = embedding_bag(%x, %i)", "%x: tensor<4xf16>, %i: tensor<2x2xi32>"), "2:8", "needs a table of rows",
    ),
    "one hot of nothing": (graph("%y = one_hot(%i) {depth = 0}", "%i: tensor<4xi32>"), "2:21", "depth must be 1 to"),
    "the largest of masks": (
        graph("%y = argmax(%x)", "%x: tensor<4xi1>"), "2:8", "floating-point numbers along axis 0",
    ),
    "more than there are": (
        graph("%y, %i = topk(%x) {k = 5}", "%x: tensor<4xf16>"), "2:22", "k = 5 must be 1 to the 4",
    ),
    "updates of another shape": (
        graph("%y = scatter(%x, %i, %x)", "%x: tensor<4xf16>, %i: tensor<2xi32>"), "2:8",
        "updates 4 must be indices 2 and a row of x 4",
    ),
    "groups that do not divide": (
        graph("%y = group_norm(%x) {groups = 2}", "%x: tensor<1x3x4xf16>"), "2:24", "groups = 2 does not divide 3",
    ),
    "an odd row turned": (
        graph("%y = rope(%x, %x, %x)", "%x: tensor<2x3xf16>"), "2:8", "do not broadcast to half the rows of x 2x3",
    ),
    "an image of three dimensions": (
        graph("%y = resize(%x) {sizes = [2, 2]}", "%x: tensor<3x4x4xf16>"), "2:8", "x must be [N, C, H, W]",
    ),
    "resized by an unknown mode": (
        graph('%y = resize(%x) {sizes = [2, 2], mode = "lanczos"}', "%x: tensor<1x3x4x4xf16>"), "2:43",
        "must be nearest, bilinear or cubic",
    ),
    "more cut off than there is": (
        graph("%y = conv_transpose2d(%x, %w) {pads = [3, 3, 3, 3]}",
              "%x: tensor<1x2x2x2xf16>, %w: tensor<2x1x2x2xf16>"), "2:34", "leave nothing",
    ),
    "steps of nothing": (graph("%y = quantize(%x) {scale = 0}"), "2:22", "scale must be a positive number"),
    "steps downwards": (graph("%y = quantize(%x) {scale = -1.0}"), "2:22", "got -1.0"),
    "steps without end": (graph("%y = quantize(%x) {scale = inf}"), "2:22", "scale must be"),
    "no steps": (graph("%y = quantize(%x)"), "2:8", "needs attribute 'scale'"),
    "zero outside of i8": (
        graph("%y = quantize(%x) {scale = 1, zero_point = 128}"), "2:33", "zero_point must be an i8",
    ),
    "i8 quantised": (
        graph("%y = quantize(%x) {scale = 1}", "%x: tensor<4xi8>"), "2:8", "x must be f16, bf16 or f32, got i8",
    ),
    "f16 dequantised": (graph("%y = dequantize(%x) {scale = 1}"), "2:8", "x must be i8 or i32, got f16"),
    "dequantised to integers": (
        graph("%y = dequantize(%x) {scale = 1, to = i32}", "%x: tensor<4xi8>"), "2:35", "to must be f16",
    ),
    "element type that the chip lacks": (graph("%y = relu(%x)", "%x: tensor<4xf64>"), "2:8", "has no f64"),
    "byte that is no text": (graph("%y = relu(%x) // caf\xe9").encode("latin-1"), "2:23", "0xE9"),
    "UTF-16": (graph("%y = relu(%x)").encode("utf-16"), "1:", "binary file"),
    "zero byte": (graph("%y = relu(%x)\0").encode(), "2:16", "binary file"),
    "binary": (random.Random(0).randbytes(5000), "1:2", "binary file"),
    "nothing": ("", "1:1", "the file is empty"),
    "a comment alone": ("// nothing\n", "1:11", "the file is empty"),
    "10 MB of one word": ("graph @f( " * 1_000_000, "1:11", "expected ')' or a value name"),
    "truncated MLIR": (mlir("%y = graph.relu(%x) : (tensor<4x").split("\n  }")[0], "3:", "error: "),
    "unknown MLIR operation": (
        mlir('%y = "graph.rleu"(%x) : (tensor<4xf16>) -> tensor<4xf16>\n    func.return %y : tensor<4xf16>'),
        "3:", "unknown operation 'graph.rleu'",
    ),
    "operand of another kind": (
        mlir('%y = "graph.relu"(%x) : (i32) -> i32\n    func.return %y : i32', "(%x: i32) -> i32"),
        "3:", "operand",
    ),
    "operation of another dialect": (
        mlir(
            "%y = arith.addf %x, %x : tensor<4xf32>\n    func.return %y : tensor<4xf32>",
            "(%x: tensor<4xf32>) -> tensor<4xf32>",
        ),
        "3:10", "arith.addf",
    ),
    "several blocks": (
        mlir("cf.br ^a\n  ^a:\n    func.return %x : tensor<4xf16>"), "2:3", "@f has 2 blocks; a graph is one block",
    ),
}  # fmt: skip


@pytest.mark.parametrize("tool", [opt, run], ids=["opt", "run"])
@pytest.mark.parametrize("name", MISTAKES)
def test_one_located_message(
    name: str,
    tool: Callable[[list[str]], int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    content, place, message = MISTAKES[name]
    monkeypatch.chdir(tmp_path)
    Path("m.mlir").write_bytes(content if isinstance(content, bytes) else content.encode())
    options = ["--fuse", "--lower"] if tool is opt else ["--tune", "1"]
    assert tool(["m.mlir", *options]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    first, *_ = captured.err.splitlines()
    assert first.startswith(f"m.mlir:{place}"), captured.err
    assert ": error: " in first
    assert message in captured.err
    assert "internal error" not in captured.err and "Traceback" not in captured.err
    assert captured.err.count("error:") == 1 and len(captured.err) < 2000


def test_there_are_many_distinct_ones():
    assert len(MISTAKES) >= 40


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-p", "tile-fuse{max-occupancy=2.0}"], "max-occupancy is a share from 0 to 1, not 2"),
        (["-p", "tile-fuse{min-gain=-1}"], "min-gain is a share from 0 to 1, not -1"),
        (["-p", "tile-group{min-gain=2}"], "min-gain is a share from 0 to 1, not 2"),
        (["-p", "tile-fuse{min-gain=true}"], "takes a number, not true"),
        (["-p", "tile-fuse{min-gain=much}"], "takes a number, not much"),
        (["-p", "ascend-plan-memory{reuse=all}"], "reuse is none, no-stall or max, not 'all'"),
        (["-p", "ascend-multi-buffer{slots=0}"], "slots is 1 or more, not 0"),
        (["-p", "graph-fold-constants{overflow=wrap}"], "overflow is inf or saturate, not 'wrap'"),
        (["-p", "graph-fold-constants{max-bytes=-1}"], "max-bytes is 0 or more, not -1"),
        (["-p", "graph-size-variants{ends=5}"], "ends are of the parts of a range, and none is given"),
        (["--fuse", "--target", "ascend911"], "unknown target 'ascend911'; did you mean 'ascend910'?"),
    ],
)
def test_options_that_make_no_sense(
    options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "m.mlir").write_text(graph("%y = relu(%x)"))
    assert opt([str(tmp_path / "m.mlir"), *options]) == 1
    error = capsys.readouterr().err
    assert message in error and "internal error" not in error


@pytest.mark.parametrize("option", ["min-gain=1", "min-gain=0.5", "max-occupancy=1"])
def test_a_number_may_be_written_without_a_point(option: str, tmp_path: Path):
    (tmp_path / "m.mlir").write_text(graph("%y = relu(%x)"))
    assert opt([str(tmp_path / "m.mlir"), "-p", f"tile-fuse{{{option}}}"]) == 0


MOST = {"--min-gain": 100, "--max-occupancy": 100, "--max-loss": 1000}
"""Shares, with the most that each may be in percent."""


@pytest.mark.parametrize("tool", [opt, run])
@pytest.mark.parametrize("option", MOST)
@pytest.mark.parametrize("value", ["-1", "2", "much", "nan", "%", "2000%"])
def test_shares_that_make_no_sense(
    tool: Callable[[list[str]], int], option: str, value: str, capsys: pytest.CaptureFixture[str]
):
    assert tool(["m.mlir", f"{option}={value}"]) == 1
    tool_name = tool.__module__.rpartition(".")[2].replace("_", "-")
    assert capsys.readouterr().err == (
        f"error: argument {option}: a share is 0.1 or 10%, from 0% to {MOST[option]}%, not '{value}'; "
        f"see {tool_name} --help\n"
    )


def test_a_share_may_be_a_percentage(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "m.mlir").write_text(graph("%1 = relu(%x)\n  %2 = exp(%1)\n  %y = tanh(%2)"))
    found: list[str] = []
    for values in ("10%", "5%"), ("0.1", "0.05"):
        gain, occupancy = values
        limits = ["--min-gain", gain, "--max-occupancy", occupancy]
        assert opt([str(tmp_path / "m.mlir"), "--fuse", *limits]) == 0
        found.append(capsys.readouterr().out)
    assert found[0] == found[1]
