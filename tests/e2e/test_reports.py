"""Reports of all passes, as text and as JSON, for programs of many kinds: whatever was planned can be told."""

import json
from pathlib import Path

import pytest

from ascend_opt.tools.ascend_opt import main

CHIPS = ("ascend910", "ascend310p", "ascend910b", "ascend950")
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("**/*.mlir"))
GRAPHS = (
    # a buffer that an instruction writes over keeps fewer slots than the one that lies over it
    """graph @rope(%x: tensor<128x2048xf16>, %cos: tensor<128x32xf16>, %sin: tensor<128x32xf16>) {
      %q1 = reshape(%x) {shape = [128, 32, 64]}
      %q2 = transpose(%q1) {perm = [1, 0, 2]}
      %q = rope(%q2, %cos, %sin)
      return %q
    }""",
    """graph @chain(%x: tensor<300x515xf16>, %z: tensor<515xf16>) {
      %0 = add(%x, %z)
      %1 = softmax(%0) {axis = 1}
      %2 = transpose(%1) {perm = [1, 0]}
      %3 = gelu(%2)
      return %3, %1
    }""",
    """graph @open(%x: tensor<?x64xf16>, %w: tensor<64x33xf16> {weight}) {
      %0 = matmul(%x, %w)
      %1 = softmax(%0) {axis = 1}
      return %1
    }""",
    "graph @same(%x: tensor<3xf16>) {\n  return %x\n}",
)


def _check(text: str, chip: str, fuse: bool, tmp_path: Path):
    graph, words, numbers = (tmp_path / name for name in ("graph.mlir", "report.txt", "report.json"))
    graph.write_text(text)
    given = [str(graph), *(["--fuse"] if fuse else []), "--lower", "--target", chip]
    given += [f"--report={words}", f"--report-json={numbers}", "-o", str(tmp_path / "program.mlir")]
    assert main(given) == 0
    assert words.read_text().strip()
    found = json.loads(numbers.read_text())
    assert found


@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("text", GRAPHS)
def test_reports_of_graphs(text: str, chip: str, fuse: bool, tmp_path: Path):
    _check(text, chip, fuse, tmp_path)


@pytest.mark.sweep(13)
@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.full] if path.stem == "attention" else [])
        for path in EXAMPLES
    ],
)
def test_reports_of_examples(path: Path, chip: str, fuse: bool, tmp_path: Path):
    _check(path.read_text(), chip, fuse, tmp_path)
