"""Tensors that are padded and then joined: what each lacks is its own fill value. Expected values by numpy; hazards
on."""

import itertools

import numpy as np
import pytest
from sweeps import ALL

import ascend_opt

pytestmark = pytest.mark.sweep(3)

CHIPS = ("ascend910", "ascend310p", "ascend910b1", "ascend950")
SHAPES = ((40, 3, 3), (256, 3, 3), (5, 17, 16), (3, 20, 33), (7, 1, 48))
BEFORE_AFTER = (
    ((0, 0, 0), (0, 1, 0)),
    ((0, 2, 0), (0, 0, 3)),
    ((1, 0, 5), (0, 2, 0)),
    ((0, 0, 1), (0, 0, 2)),
)
"""How much is added before each dimension of a part, and after it."""
FILLS = ((0.0, 0.0), (3.0, 3.0), (2.0, -5.0), (0.0, 7.0))


def expected(
    arrays: list[np.ndarray],
    pads: tuple[tuple[int, ...], tuple[int, ...]],
    fills: tuple[float, ...],
    axis: int,
) -> np.ndarray:
    """Each array with its fill value around it, one after the other."""
    around = list(zip(*pads, strict=True))
    padded = [np.pad(a, around, constant_values=fill) for a, fill in zip(arrays, fills, strict=True)]
    return np.concatenate(padded, axis)


def run(text: str, chip: str, *arrays: np.ndarray) -> np.ndarray:
    program = ascend_opt.compile(text, target=chip, tune=1)
    return np.asarray(program.run(dict(zip("xz", arrays, strict=False))).outputs["output0"])


CASES = list(itertools.product(SHAPES, BEFORE_AFTER, FILLS, (0, 1, 2), CHIPS))


TURNED = ((7, 1, 48), BEFORE_AFTER[0], FILLS[2], 2, "ascend910b1")
"""The second part's fill begins in lanes."""


@pytest.mark.parametrize(
    ("shape", "pads", "fills", "axis", "chip"), CASES if ALL else [TURNED, *CASES[::23]], ids=str
)
def test_parts_that_are_padded(
    shape: tuple[int, ...],
    pads: tuple[tuple[int, ...], tuple[int, ...]],
    fills: tuple[float, float],
    axis: int,
    chip: str,
) -> None:
    rng = np.random.default_rng(2)
    arrays = [rng.standard_normal(shape).astype(np.float16) for _ in range(2)]
    kind = "x".join(map(str, shape))
    added = [*pads[0], *pads[1]]
    text = (
        f"graph @f(%x: tensor<{kind}xf16>, %z: tensor<{kind}xf16>) {{\n"
        f"  %0 = pad(%x) {{pads = {added}, value = {fills[0]}}}\n"
        f"  %1 = pad(%z) {{pads = {added}, value = {fills[1]}}}\n"
        f"  %2 = concat(%0, %1) {{axis = {axis}}}\n  return %2\n}}\n"
    )
    np.testing.assert_array_equal(run(text, chip, *arrays), expected(arrays, pads, fills, axis))


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(("shape", "axis"), (((256, 3, 3), 1), ((6, 5, 35), 2), ((9, 4, 16), 0)))
def test_parts_of_one_padded_tensor_in_another_order(chip: str, shape: tuple[int, ...], axis: int) -> None:
    x = np.random.default_rng(2).standard_normal(shape).astype(np.float16)
    pads = [0] * 6
    pads[3 + axis] = 3
    half = (shape[axis] + 3) // 2
    text = (
        f"graph @f(%x: tensor<{'x'.join(map(str, shape))}xf16>) {{\n"
        f"  %0 = pad(%x) {{pads = {pads}, value = 1.5}}\n"
        f"  %1 = slice(%0) {{starts = [0], ends = [{half}], axes = [{axis}]}}\n"
        f"  %2 = slice(%0) {{starts = [{half}], ends = [{shape[axis] + 3}], axes = [{axis}]}}\n"
        f"  %3 = concat(%2, %1) {{axis = {axis}}}\n  return %3\n}}\n"
    )
    around = [(0, 3 if d == axis else 0) for d in range(3)]
    padded = np.pad(x, around, constant_values=1.5)
    first, second = np.split(padded, [half], axis)
    np.testing.assert_array_equal(run(text, chip, x), np.concatenate([second, first], axis))


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(
    ("shape", "more", "start"), (((3, 32, 1, 5), (1, 1), 0), ((64, 3, 2), (0, 2), 1), ((96, 1, 4), (1, 0), 2))
)
def test_short_rows_that_are_padded_at_their_end_and_cut(
    chip: str, shape: tuple[int, ...], more: tuple[int, int], start: int
) -> None:
    """Two elements of each row, and rows that only the padding has."""
    x = np.random.default_rng(2).standard_normal(shape).astype(np.float16)
    around = [*((0, 0) for _ in shape[:-2]), *((0, n) for n in more)]
    pads = [*(0 for _ in shape), *(after for _, after in around)]
    text = (
        f"graph @f(%x: tensor<{'x'.join(map(str, shape))}xf16>) {{\n"
        f"  %0 = pad(%x) {{pads = {pads}, value = 1.5}}\n"
        f"  %1 = slice(%0) {{starts = [{start}], ends = [{start + 2}], axes = [{len(shape) - 1}]}}\n"
        "  return %1\n}\n"
    )
    want = np.pad(x, around, constant_values=1.5)[..., start : start + 2]
    np.testing.assert_array_equal(run(text, chip, x), want)
