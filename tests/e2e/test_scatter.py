"""Scatter by value: rows that are put in place, added, multiplied and compared, at indices that repeat."""

# pyright: basic

import re

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import CompileError
from ascend_opt.dialects.storage_types import numpy_dtype

CHIPS = ("ascend910", "ascend310p", "ascend910b1", "ascend950")
COMBINE = {
    "none": lambda _, new: new, "add": lambda old, new: old + new, "mul": lambda old, new: old * new, "max": max,
    "min": min,
}  # fmt: skip
ROUNDED = {"f16": 2e-3, "bf16": 1.5e-2, "f32": 1e-6}
SIZES = {"rows": ((10, 37), 7), "one update": ((7, 16), 1), "elements": ((5,), 9), "planes": ((6, 3, 8), 5)}


def graph(shape: tuple[int, ...], count: int, reduction: str, dtype: str) -> str:
    rows, (_, *row) = "x".join(map(str, shape)), shape
    updates = "x".join(map(str, (count, *row)))
    return f"""graph @f(%x: tensor<{rows}x{dtype}>, %i: tensor<{count}xi32>, %u: tensor<{updates}x{dtype}>) {{
  %y = scatter(%x, %i, %u) {{reduction = "{reduction}"}}
  return %y
}}"""


def wanted(x: np.ndarray, i: np.ndarray, u: np.ndarray, reduction: str) -> np.ndarray:
    """Element by element, update after update."""
    y = x.astype(np.float64)
    for index, row in zip(i, u.astype(np.float64), strict=True):
        for at in np.ndindex(row.shape):
            y[(index, *at)] = COMBINE[reduction](y[(index, *at)], row[at])
    return y


@pytest.mark.sweep(9)
@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize("dtype", ["f16", "f32", "bf16"])
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("reduction", COMBINE)
@pytest.mark.parametrize("size", SIZES)
def test_values(size: str, reduction: str, chip: str, dtype: str, fuse: bool):
    shape, count = SIZES[size]
    if dtype == "bf16" and chip in CHIPS[:2]:
        pytest.skip("the chip has no bf16")
    program = ascend_opt.compile(graph(shape, count, reduction, dtype), target=chip, fuse=fuse, tune=1)
    rng, kind = np.random.default_rng(3), numpy_dtype(program.inputs["x"].element_type)
    x, u = (rng.standard_normal(s).astype(kind) for s in (shape, (count, *shape[1:])))
    i = rng.integers(-3, 3, count)
    (found,) = program.run(x=x, i=i, u=u).outputs.values()
    expected = wanted(x, i, u, reduction)
    if reduction in ("none", "max", "min"):
        np.testing.assert_array_equal(found.astype(np.float64), expected)
    else:
        assert np.linalg.norm(found - expected) <= ROUNDED[dtype] * np.linalg.norm(expected)


@pytest.mark.parametrize("reduction", ["none", "max", "min"])
@pytest.mark.parametrize(
    ("chip", "dtype"), [("ascend910", "f16"), ("ascend910", "f32"), ("ascend910b1", "f32")]
)
def test_infinities_stay_where_they_are_put(chip: str, dtype: str, reduction: str):
    program = ascend_opt.compile(graph((4, 8), 4, reduction, dtype), target=chip, tune=1)
    x, u, i = np.zeros((4, 8)), np.ones((4, 8)), np.array([1, 1, 3, 2])
    x[0], x[2, 2], u[0, 3], u[2, 4] = -np.inf, np.inf, np.inf, -np.inf
    (found,) = program.run(x=x, i=i, u=u).outputs.values()
    np.testing.assert_array_equal(found.astype(np.float64), wanted(x, i, u, reduction))


@pytest.mark.sweep(7)
@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("reduction", COMBINE)
@pytest.mark.parametrize("size", SIZES)
def test_whole_numbers_keep_all_their_bits(size: str, reduction: str, chip: str, fuse: bool):
    """Sums and products keep the low 32 bits."""
    shape, count = SIZES[size]
    program = ascend_opt.compile(graph(shape, count, reduction, "i32"), target=chip, fuse=fuse, tune=1)
    rng = np.random.default_rng(4)
    x, u = (rng.integers(-(2**31), 2**31, s) for s in (shape, (count, *shape[1:])))
    i = rng.integers(-3, 3, count)
    (found,) = program.run(x=x, i=i, u=u).outputs.values()
    y = [[int(n) for n in row] for row in x.reshape(shape[0], -1)]
    for index, row in zip(i, u.reshape(count, -1), strict=True):
        y[index] = [COMBINE[reduction](old, int(new)) for old, new in zip(y[index], row, strict=True)]
    low = np.array([[n % 2**32 for n in row] for row in y], np.uint32)
    np.testing.assert_array_equal(found, low.view(np.int32).reshape(shape))


@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("size", SIZES)
def test_masks(size: str, chip: str):
    shape, count = SIZES[size]
    program = ascend_opt.compile(graph(shape, count, "none", "i1"), target=chip, tune=1)
    rng = np.random.default_rng(5)
    x, u = (rng.integers(0, 2, s).astype(bool) for s in (shape, (count, *shape[1:])))
    i = rng.integers(-3, 3, count)
    (found,) = program.run(x=x, i=i, u=u).outputs.values()
    for index, row in zip(i, u, strict=True):
        x[index] = row
    np.testing.assert_array_equal(found, x)


@pytest.mark.parametrize(
    ("dtype", "reduction", "said"),
    [
        ("i1", "max", "x of i1 has no reduction, got max"),
        ("i8", "none", "i32, i1 or of floats, got i8 and i8"),
    ],
)
def test_what_no_rows_are_of(dtype: str, reduction: str, said: str):
    with pytest.raises(CompileError, match=said):
        ascend_opt.compile(graph((4, 8), 2, reduction, dtype), target="ascend910", tune=1)


def test_an_unknown_reduction():
    message = "attribute 'reduction' must be none, add, mul, max or min, found mean"
    with pytest.raises(CompileError, match=re.escape(f"2:41: error: {message}")):
        ascend_opt.compile(graph((4, 8), 2, "mean", "f16"), target="ascend910", tune=1)
