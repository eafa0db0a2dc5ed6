"""Results whose last dimensions have one element: what the tile search counts is what the lowering places, and values
are those of numpy."""

from collections.abc import Callable

import numpy as np
import pytest

import ascend_opt
from ascend_opt.dialects import ascend

CHIPS = ("ascend910", "ascend310p", "ascend910b", "ascend950")
TYPES = {"f16": np.float16, "f32": np.float32}
MOVES: dict[str, tuple[tuple[int, ...], list[str], Callable[[np.ndarray], np.ndarray]]] = {
    "two at the end": (
        (33, 4, 15, 32),
        [
            "transpose(%x) {perm = [3, 0, 2, 1]}",
            "slice(%0) {starts = [3, 14], ends = [4, 15], axes = [3, 2], steps = [3, 2]}",
        ],
        lambda x: x.transpose(3, 0, 2, 1)[:, :, 14:15, 3:4],
    ),
    "behind one of many": (
        (5, 4, 700),
        ["transpose(%x) {perm = [2, 1, 0]}", "slice(%0) {starts = [1, 2], ends = [2, 3], axes = [1, 2]}"],
        lambda x: x.transpose(2, 1, 0)[:, 1:2, 2:3],
    ),
    "behind many of one": (
        (1, 900, 3, 9),
        ["slice(%x) {starts = [1, 4], ends = [2, 5], axes = [2, 3]}"],
        lambda x: x[:, :, 1:2, 4:5],
    ),
    "behind short rows": (
        (1500, 3, 5),
        ["slice(%x) {starts = [3], ends = [4], axes = [2]}"],
        lambda x: x[:, :, 3:4],
    ),
    "turned behind short rows": (
        (3, 5, 1500),
        ["transpose(%x) {perm = [2, 0, 1]}", "slice(%0) {starts = [2], ends = [3], axes = [2]}"],
        lambda x: x.transpose(2, 0, 1)[:, :, 2:3],
    ),
    "turned behind ragged rows": (
        (33, 6, 160),
        ["transpose(%x) {perm = [2, 0, 1]}", "slice(%0) {starts = [3], ends = [4], axes = [2]}"],
        lambda x: x.transpose(2, 0, 1)[:, :, 3:4],
    ),
}  # fmt: skip


def _text(name: str, dtype: str) -> str:
    shape, ops, _ = MOVES[name]
    lines = "".join(f"  %{i} = {op}\n" for i, op in enumerate(ops))
    sizes = "x".join(map(str, shape))
    return f"graph @g(%x: tensor<{sizes}x{dtype}>) {{\n{lines}  return %{len(ops) - 1}\n}}"


@pytest.mark.sweep(3)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", MOVES)
def test_moves(name: str, chip: str, dtype: str):
    shape, _, by_numpy = MOVES[name]
    x = np.random.default_rng(1).standard_normal(shape).astype(TYPES[dtype])
    program = ascend_opt.compile(_text(name, dtype), target=chip, tune=1)
    (found,) = program.run({"x": x}).outputs.values()
    assert np.array_equal(np.asarray(found), by_numpy(x))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("chip", ["ascend910", "ascend910b"])
def test_columns_of_one_together_leave_the_lanes_once(chip: str, dtype: str):
    program = ascend_opt.compile(_text("two at the end", dtype), target=chip, tune=1)
    buffers = [op for op in program.module.walk() if isinstance(op, ascend.BufferOp)]
    assert sum(op.label is not None and op.label.data == "padded_rows" for op in buffers) == 1


@pytest.mark.parametrize(
    ("chip", "dtype"),
    [
        (chip, dtype)
        for chip in CHIPS
        for dtype in TYPES
        if dtype == "f16" or chip in ("ascend910b", "ascend950")
    ],
)
def test_a_product_behind_it(chip: str, dtype: str):
    text = f"""graph @g(%a: tensor<33x4x15x32x{dtype}>, %w: tensor<32x33x5x1x{dtype}> {{weight}}) {{
  %0 = transpose(%a) {{perm = [3, 0, 2, 1]}}
  %1 = slice(%0) {{starts = [3, 14], ends = [4, 15], axes = [3, 2], steps = [3, 2]}}
  %2 = matmul(%1, %w) {{transpose_a = true, transpose_b = true}}
  %3 = transpose(%2) {{perm = [2, 1, 3, 0]}}
  return %3
}}"""
    rng = np.random.default_rng(2)
    a = rng.standard_normal((33, 4, 15, 32)).astype(TYPES[dtype])
    w = rng.standard_normal((32, 33, 5, 1)).astype(TYPES[dtype])
    (found,) = ascend_opt.compile(text, target=chip, tune=1).run({"a": a, "w": w}).outputs.values()
    lhs = a.transpose(3, 0, 2, 1)[:, :, 14:15, 3:4].astype(np.float64)
    expected = np.einsum("bckm,bcnk->mcnb", lhs, w.astype(np.float64))
    assert np.allclose(np.asarray(found, np.float64), expected, rtol=2e-3, atol=1e-4)
