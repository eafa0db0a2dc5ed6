"""Attention over a batch whose size is known when the program runs: one kernel, against numpy by definition."""

from typing import Any

import numpy as np
import pytest
from sized_inputs import inputs_at
from sweeps import ALL

import ascend_opt
from ascend_opt.compiler.api import Program

CHIPS = ("ascend910b", "ascend950", "ascend310p", "ascend910")
"""Those with cores of two kinds first; of all cases the first and the last one run by default."""
Arrays = dict[str, np.ndarray[Any, Any]]
HEADS = """graph @f(%q: tensor<?x3x200x48xf16>, %k: tensor<?x3x260x48xf16>, %v: tensor<?x3x260x48xf16>,
                %m: tensor<?x1x1x260xf16>) {
  %0 = matmul(%q, %k) {transpose_b = true}
  %1 = add(%0, %m)
  %2 = softmax(%1)
  %y = matmul(%2, %v)
  return %y
}"""
MATRICES = """graph @f(%q: tensor<?x196x64xf16>, %k: tensor<?x196x64xf16>, %v: tensor<?x196x64xf16>) {
  %0 = matmul(%q, %k) {transpose_b = true}
  %1 = softmax(%0)
  %y = matmul(%1, %v)
  return %y
}"""
ENCODER = """graph @f(%x: tensor<?x64x256xf16>, %q: tensor<256x256xf16> {weight}, %k: tensor<256x256xf16> {weight},
                %v: tensor<256x256xf16> {weight}, %o: tensor<256x256xf16> {weight}) {
  %0 = matmul(%x, %q)
  %1 = matmul(%x, %k)
  %2 = matmul(%x, %v)
  %3 = matmul(%0, %1) {transpose_b = true}
  %4 = softmax(%3)
  %5 = matmul(%4, %2)
  %6 = matmul(%5, %o)
  %y = add(%6, %x)
  return %y
}"""


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, mask: np.ndarray | float = 0.0) -> np.ndarray:
    scores = q @ k.swapaxes(-1, -2) + mask
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v


def expected(given: Arrays) -> np.ndarray:
    x = {name: array.astype(np.float64) for name, array in given.items()}
    if "o" not in x:
        return attention(x["q"], x["k"], x["v"], x.get("m", 0.0))
    return attention(*(x["x"] @ x[name] for name in "qkv")) @ x["o"] + x["x"]


def is_right(program: Program, size: int) -> bool:
    """Whether the result at a size is near what numpy finds; the run raises where it meets a hazard."""
    given = inputs_at(program, size, 0.3)
    (found,) = program.run(given).outputs.values()
    wanted = expected(given)
    error = float(np.linalg.norm(found - wanted) / np.linalg.norm(wanted))
    return found.shape == wanted.shape and error <= 4e-3


@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", CHIPS)
def test_one_kernel_serves_every_batch(chip: str) -> None:
    program = ascend_opt.compile(MATRICES, target=chip, tune=1)
    assert len(program.time(3).kernels) == 1, program.report()
    assert all(is_right(program, size) for size in (1, 3, 26))


@pytest.mark.full
@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", CHIPS)
def test_heads_beside_the_batch(chip: str) -> None:
    """Masks that all heads share, last tiles of rows and of keys that are smaller."""
    program = ascend_opt.compile(HEADS, target=chip, tune=1)
    assert all(is_right(program, size) for size in (1, 2, 9))


@pytest.mark.full
@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", CHIPS)
def test_a_layer_is_as_fast_as_for_its_size_alone(chip: str) -> None:
    """Queries, keys and values are one product, whose columns attention reads."""
    for size in (1, 5) if ALL else (5,):
        program = ascend_opt.compile(ENCODER, target=chip, tune=1, dynamic_sizes=(size,))
        alone = ascend_opt.compile(ENCODER.replace("?", str(size)), target=chip, tune=1).time()
        time = program.time(size)
        assert len(time.kernels) == len(alone.kernels), program.report()
        assert time.total_us <= 1.1 * alone.total_us
        assert is_right(program, size)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", CHIPS)
def test_one_query_of_each(chip: str) -> None:
    """Of which no size may be too few for keys in parts."""
    text = """graph @f(%q: tensor<?x4x1x64xf16>, %k: tensor<?x4x1024x64xf16>, %v: tensor<?x4x1024x64xf16>) {
      %y = attention(%q, %k, %v) {scale = 1.0}
      return %y
    }"""
    program = ascend_opt.compile(text, target=chip, tune=1)
    assert all(is_right(program, size) for size in (1, 3))


def test_rows_that_are_dynamic_are_read_by_two_kernels() -> None:
    """A tile of rows may have fewer than are computed at once."""
    text = """graph @f(%q: tensor<?x64xf16>, %k: tensor<200x64xf16>, %v: tensor<200x64xf16>) {
      %0 = matmul(%q, %k) {transpose_b = true}
      %1 = softmax(%0)
      %y = matmul(%1, %v)
      return %y
    }"""
    program = ascend_opt.compile(text, target="ascend910b", tune=1)
    assert len(program.time(3).kernels) == 2
    assert all(is_right(program, size) for size in (1, 70))
