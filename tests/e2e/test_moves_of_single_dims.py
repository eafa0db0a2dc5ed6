"""Pads and parts of tensors with dimensions of one, carried by a transpose, against numpy by definition: dimensions
that the kernel merges may have one of size one between them in the tensor."""

# pyright: basic

import numpy as np
import pytest

import ascend_opt

CHIPS = ("ascend910", "ascend310p", "ascend910b", "ascend950")
CASES = 40


def _drawn(seed: int) -> tuple[str, np.ndarray, np.ndarray]:
    """A graph of a pad or a slice and a transpose, an input and what numpy gives for it."""
    rng = np.random.default_rng(seed)
    rank = int(rng.integers(4, 6))
    shape = [int(n) for n in rng.choice([1, 1, 2, 3], rank)]
    before, after = ([int(n) for n in rng.choice([0, 0, 0, 2], rank)] for _ in range(2))
    perm = [int(d) for d in rng.permutation(rank)]
    dims = "x".join(map(str, shape))
    x = rng.standard_normal(shape).astype(np.float32)
    padded = np.pad(x, list(zip(before, after, strict=True)), constant_values=-2.5)
    move = f"pad(%x) {{pads = {before + after}, value = -2.5}}"
    if rng.random() < 0.3:
        grown = "x".join(map(str, padded.shape))
        dims, x = grown, rng.standard_normal(padded.shape).astype(np.float32)
        ends = [lo + n for lo, n in zip(before, shape, strict=True)]
        move = f"slice(%x) {{starts = {before}, ends = {ends}, axes = {list(range(rank))}}}"
        padded = x[tuple(slice(lo, hi) for lo, hi in zip(before, ends, strict=True))]
    text = f"""graph @f(%x: tensor<{dims}xf32>) {{
      %p = {move}
      %y = transpose(%p) {{perm = {perm}}}
      return %y
    }}"""
    return text, x, padded.transpose(perm)


def _check(text: str, x: np.ndarray, expected: np.ndarray, chip: str) -> None:
    (found,) = ascend_opt.compile(text, target=chip, tune=1).run({"x": x}).outputs.values()
    assert np.array_equal(found, expected)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("seed", range(CASES))
def test_values(seed: int, chip: str):
    _check(*_drawn(seed), chip)


@pytest.mark.parametrize("chip", CHIPS)
def test_a_dimension_of_one_between_two_that_are_merged(chip: str):
    text = """graph @f(%x: tensor<3x1x3x1x2xf32>) {
      %p = pad(%x) {pads = [0, 0, 0, 2, 0, 0, 0, 0, 0, 2], value = 1.5}
      %y = transpose(%p) {perm = [1, 3, 0, 2, 4]}
      return %y
    }"""
    x = np.random.default_rng(1).standard_normal((3, 1, 3, 1, 2)).astype(np.float32)
    around = [(0, 0), (0, 0), (0, 0), (2, 0), (0, 2)]
    _check(text, x, np.pad(x, around, constant_values=1.5).transpose(1, 3, 0, 2, 4), chip)
