"""Tiles that begin at different steps of K: the values of a product in order, and less waiting for L2."""

import re
from pathlib import Path

import numpy as np
import pytest

import ascend_opt
from ascend_opt.runtime.reference.elementwise import gelu
from ascend_opt.tools.ascend_opt import main as opt

CHIP = "ascend910b1"


def _tile_level(tmp_path: Path, shape: tuple[int, ...], more: str = "") -> Path:
    *batch, m, n, k = shape
    lead = "".join(f"{b}x" for b in batch)
    graph = tmp_path / "product.mlir"
    graph.write_text(
        f"graph @product(%a: tensor<{lead}{m}x{k}xf16>, %b: tensor<{lead}{k}x{n}xf16>) {{\n"
        f"  %y = matmul(%a, %b)\n{more}  return %{'z' if more else 'y'}\n}}\n"
    )
    tiles = tmp_path / "tiles.mlir"
    assert opt([str(graph), f"--target={CHIP}", "--fuse", "-o", str(tiles)]) == 0
    return tiles


@pytest.mark.parametrize(
    ("shape", "more"),
    [
        pytest.param((384, 640, 1024), "", id="whole steps"),
        pytest.param((300, 700, 1000), "", id="ragged"),
        pytest.param((256, 512, 1100), "  %z = gelu(%y)\n", id="ragged K, two kinds of cores"),
        pytest.param((5, 100, 300, 520), "", id="batches"),
    ],
)
def test_values(tmp_path: Path, shape: tuple[int, ...], more: str):
    tiles = _tile_level(tmp_path, shape, more)
    assert "stagger" in tiles.read_text()
    *batch, m, n, k = shape
    rng = np.random.default_rng(1)
    a = rng.standard_normal((*batch, m, k)).astype(np.float16)
    b = (rng.standard_normal((*batch, k, n)) / k**0.5).astype(np.float16)
    (result,) = ascend_opt.compile(tiles).run(a=a, b=b).outputs.values()
    expected = a.astype(np.float64) @ b.astype(np.float64)
    if more:
        expected = gelu(expected, "none")
    error = np.linalg.norm(result - expected) / np.linalg.norm(expected)
    assert error < 1e-3


def test_cores_that_begin_apart_are_about_as_fast(tmp_path: Path):
    """Cores in step wait for a line that another one fetches until HBM has served it, and not for that core's port."""
    tiles = _tile_level(tmp_path, (1008, 1792, 1792))
    text = tiles.read_text()
    in_step = tmp_path / "in_step.mlir"
    in_step.write_text(re.sub(r", stagger = \[\d+, \d+\]", "", text))
    assert in_step.read_text() != text
    apart, together = (ascend_opt.compile(path).time().kernels[0] for path in (tiles, in_step))
    assert apart.time_us < 1.03 * together.time_us
    assert apart.pipes["M"].busy_us == pytest.approx(together.pipes["M"].busy_us)
