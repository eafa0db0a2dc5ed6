"""Comparisons and selections: bit i of byte j of a mask is for element 8 j + i."""

# pyright: basic

import numpy as np
import pytest
from ascend_programs import Program

from ascend_opt.dialects.storage_types import numpy_dtype
from ascend_opt.dialects.tiling import DIRECTIONS
from ascend_opt.runtime.support.hazard import HazardError

CHIP = "ascend310p"
NAMES = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
}  # fmt: skip


def numbers(count: int, dtype: str) -> np.ndarray:
    """Whole numbers, many of them equal, and NaN."""
    rng = np.random.default_rng(count)
    values = rng.integers(-2, 3, count).astype(np.float64)
    values[rng.random(count) < 0.1] = np.nan
    return values.astype(numpy_dtype(dtype))


def compare(name: str, x: np.ndarray, y: np.ndarray, dtype: str, scalar: float | None) -> np.ndarray:
    p = Program(target=CHIP)
    a, b, out = (
        p.input("x", x.shape, dtype),
        p.input("y", y.shape, dtype),
        p.output("m", (len(x) // 8,), "i8"),
    )
    ub = [p.buffer(n, "ub", x.shape, i * 8192, dtype=dtype) for i, n in enumerate("ab")]
    mask = p.buffer("m", "ub", (len(x) // 8,), 16384, dtype="i8")
    p.copy(a, ub[0])
    p.copy(b, ub[1])
    p.flag("MTE2", "V")
    p.vec(name, *ub[: 2 if scalar is None else 1], to=mask, scalar=scalar)
    p.flag("V", "MTE3")
    p.copy(mask, out)
    return np.unpackbits(p.run(x=x, y=y).outputs[0].view(np.uint8), bitorder="little").astype(bool)


@pytest.mark.parametrize("count", [1, 13, 64])
def test_bits_behind_the_last_element_are_not_of_it(count: int):
    x, y = numbers(count, "f32"), numbers(count, "f32")[::-1].copy()
    p = Program(target="ascend910b", core="aiv")
    a, b, out = p.input("x", x.shape, "f32"), p.input("y", y.shape, "f32"), p.output("z", x.shape, "f32")
    ub = [p.buffer(n, "ub", x.shape, i * 8192, dtype="f32") for i, n in enumerate("abz")]
    mask = p.buffer("m", "ub", (-(-count // 8),), 32768, dtype="i8")
    p.copy(a, ub[0])
    p.copy(b, ub[1])
    p.flag("MTE2", "V")
    p.vec("vcmpv_lt", *ub[:2], to=mask)
    p.barrier("V")
    p.vec("vsel", mask, *ub[:2], to=ub[2])
    p.flag("V", "MTE3")
    p.copy(ub[2], out)
    np.testing.assert_array_equal(p.run(x=x, y=y).outputs[0], np.where(x < y, x, y))


@pytest.mark.parametrize("dtype", ["f16", "f32"])
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_comparison(direction: str, dtype: str):
    x, y = numbers(1024, dtype), numbers(512, dtype).repeat(2)
    np.testing.assert_array_equal(compare(f"vcmpv_{direction}", x, y, dtype, None), NAMES[direction](x, y))
    np.testing.assert_array_equal(compare(f"vcmpvs_{direction}", x, y, dtype, 1.0), NAMES[direction](x, 1.0))


def select(chip: str, dtype: str, count: int, mask_at: int = 0, mask_bytes: int | None = None) -> tuple:
    x, y = numbers(count, dtype), numbers(count, dtype)[::-1].copy()
    bits = np.random.default_rng(1).random(8 * (mask_bytes or count // 8)) < 0.5
    stored = np.zeros(64 + len(bits) // 8, np.int8)
    stored[mask_at : mask_at + len(bits) // 8] = np.packbits(bits, bitorder="little").view(np.int8)
    stored = np.concatenate([stored, np.zeros(-len(stored) % 32, np.int8)])
    p = Program(target=chip)
    a, b, m = p.input("x", x.shape, dtype), p.input("y", y.shape, dtype), p.input("m", stored.shape, "i8")
    out = p.output("z", x.shape, dtype)
    ub = [p.buffer(n, "ub", x.shape, i * 8192, dtype=dtype) for i, n in enumerate("abz")]
    mask = p.buffer("m", "ub", stored.shape, 32768, dtype="i8")
    for source, destination in ((a, ub[0]), (b, ub[1]), (m, mask)):
        p.copy(source, destination)
    p.flag("MTE2", "V")
    p.vec("vsel", p.view(mask, [len(bits) // 8], offset=mask_at), ub[0], ub[1], to=ub[2])
    p.flag("V", "MTE3")
    p.copy(ub[2], out)
    return p.run(x=x, y=y, m=stored).outputs[0], np.where(bits[:count], x, y)


@pytest.mark.parametrize(
    ("chip", "dtype", "count", "at"),
    [
        (CHIP, "f16", 1024, 0),
        (CHIP, "f32", 1024, 32),
        ("ascend910", "f16", 128, 16),
    ],
)
def test_selection(chip: str, dtype: str, count: int, at: int):
    found, wanted = select(chip, dtype, count, at)
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(
    ("chip", "dtype", "count", "at", "mask_bytes", "message"),
    [
        ("ascend910", "f16", 256, 0, None, "2 repeats of f16; the mask register serves one of f16"),
        ("ascend910", "f32", 64, 0, None, "1 repeats of f32"),
        ("ascend910", "f16", 128, 8, None, "is not a multiple of 16"),
        (CHIP, "f16", 256, 16, None, "is not a multiple of 32"),
        (CHIP, "f16", 256, 0, 16, r"a mask of \(16,\) B for 256 elements"),
    ],
)
def test_what_no_chip_can_select(
    chip: str, dtype: str, count: int, at: int, mask_bytes: int | None, message: str
):
    with pytest.raises(HazardError, match=message):
        select(chip, dtype, count, at, mask_bytes)
