"""Products of a batch whose right operands are weights: each matrix is packed before the first run. Values by numpy,
hazards on; ASCEND_OPT_ALL=1 runs every shape on every chip."""

import numpy as np
import pytest
from any_tiling import MANY, any_of, chosen
from sweeps import ALL

import ascend_opt
from ascend_opt.compiler.api import compile_until
from ascend_opt.dialects import ascend

CHIPS = ["ascend910b", "ascend910", "ascend310p", "ascend950"]
SHAPES = [
    ((3,), 40, 70, 50), ((8,), 16, 256, 64), ((2, 3), 33, 48, 100), ((5,), 1, 17, 16), ((4,), 128, 33, 40),
    ((1, 6), 7, 96, 33),
]  # fmt: skip
"""Batch, and M, N, K."""


def product(
    batch: tuple[int, ...], m: int, n: int, k: int, dtype: str, transposed: bool, after: str = "relu"
) -> str:
    def kind(*shape: int) -> str:
        return f"tensor<{'x'.join(map(str, (*batch, *shape)))}x{dtype}>"

    w, stated = (kind(n, k), " {transpose_b = true}") if transposed else (kind(k, n), "")
    line = f"  %y = {after}(%p)\n" if after else ""
    return (
        f"graph @f(%x: {kind(m, k)}, %w: {w} {{weight}}) {{\n  %p = matmul(%x, %w){stated}\n{line}"
        f"  return %{'y' if after else 'p'}\n}}"
    )


@pytest.mark.parametrize("chip", CHIPS if ALL else CHIPS[:2])
@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("shape", SHAPES if ALL else SHAPES[:3])
@pytest.mark.parametrize("tune", [1, MANY])
def test_values(shape: tuple[tuple[int, ...], int, int, int], transposed: bool, chip: str, tune: int) -> None:
    batch, m, n, k = shape
    rng = np.random.default_rng(4)
    x = rng.standard_normal((*batch, m, k)).astype(np.float16)
    w = rng.standard_normal((*batch, n, k) if transposed else (*batch, k, n)).astype(np.float16)
    text = product(batch, m, n, k, "f16", transposed)
    with chosen(any_of(m * n + k)):
        program = ascend_opt.compile(text, target=chip, tune=tune)
    packs = [op for op in compile_until(program, "tile").walk() if isinstance(op, ascend.PackOp)]
    assert len(packs) == 1
    (found,) = program.run(x=x, w=w).outputs.values()
    right = np.swapaxes(w, -1, -2) if transposed else w
    wanted = np.maximum(x.astype(np.float64) @ right.astype(np.float64), 0)
    assert np.linalg.norm(found - wanted) <= 1e-3 * np.linalg.norm(wanted)


@pytest.mark.parametrize(("dtype", "transposed"), [("f32", False), ("f32", True), ("i8", True)])
def test_values_in_f32_and_of_whole_numbers(dtype: str, transposed: bool) -> None:
    """Matrices of i8 are stored with K last: no load turns them over."""
    rng = np.random.default_rng(5)
    shapes = (3, 17, 20), ((3, 29, 20) if transposed else (3, 20, 29))
    if dtype == "f32":
        x, w = (rng.standard_normal(shape).astype(np.float32) for shape in shapes)
    else:
        x, w = (rng.integers(-99, 99, shape).astype(np.int8) for shape in shapes)
    program = ascend_opt.compile(
        product((3,), 17, 29, 20, dtype, transposed, ""), target="ascend910b", tune=1
    )
    (found,) = program.run(x=x, w=w).outputs.values()
    right = np.swapaxes(w, -1, -2) if transposed else w
    wanted = x.astype(np.float64) @ right.astype(np.float64)
    assert np.linalg.norm(found - wanted) <= 1e-5 * np.linalg.norm(wanted)


def test_a_matrix_that_the_batch_shares_is_packed_once() -> None:
    text = """graph @f(%x: tensor<3x40x50xf16>, %w: tensor<50x70xf16> {weight}) {
      %y = matmul(%x, %w)
      return %y
    }"""
    program = ascend_opt.compile(text, target="ascend910b", tune=1)
    packs = [op for op in compile_until(program, "tile").walk() if isinstance(op, ascend.PackOp)]
    assert [tuple(op.result.type.get_shape())[-2:] for op in packs] == [(16, 16)]
