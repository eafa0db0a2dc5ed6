"""Tensors that are joined and reduced to one element in a kernel: it has no dimensions, and nor have its loads."""

import numpy as np
import pytest

import ascend_opt

JOINED = """graph @joined(%x: tensor<1x1x2x2xf32>, %y: tensor<1x1x2x2xf32>) {
  %0 = concat(%x, %y) {axis = 0}
  %1 = reduce_sum(%0) {axes = [2], keep_dims = true}
  %2 = reduce_mean(%1) {axes = [0, 3], keep_dims = true}
  return %2
}"""
NORMED = """graph @normed(%x: tensor<3x3x2x1xf32>, %y: tensor<3x1x2x1xf32>, %g: tensor<1xf32> {weight}) {
  %0 = concat(%x, %y) {axis = 1}
  %1 = reduce_mean(%0) {axes = [0, 3], keep_dims = true}
  %2 = rms_norm(%1, %g) {axis = 3, epsilon = 0.001}
  return %2
}"""


@pytest.mark.parametrize("chip", ["ascend910", "ascend310p", "ascend910b", "ascend950"])
def test_joined_and_summed(chip: str) -> None:
    x, y = (np.random.default_rng(seed).standard_normal((1, 1, 2, 2)).astype(np.float32) for seed in (0, 1))
    found = ascend_opt.compile(JOINED, target=chip).run(x=x, y=y).outputs["output0"]
    np.testing.assert_allclose(found.ravel(), (x.sum(2) + y.sum(2)).mean() / 2, rtol=1e-5)


@pytest.mark.parametrize("chip", ["ascend910", "ascend310p", "ascend910b", "ascend950"])
def test_joined_and_normed(chip: str) -> None:
    rng = np.random.default_rng(2)
    x, y = (rng.standard_normal((3, n, 2, 1)).astype(np.float32) for n in (3, 1))
    program = ascend_opt.compile(NORMED, target=chip)
    program.bind(g=np.full(1, 1.5, np.float32))
    mean = np.concatenate([x, y], axis=1).mean((0, 3), keepdims=True)
    want = mean / np.sqrt(mean**2 + 0.001) * 1.5
    np.testing.assert_allclose(program.run(x=x, y=y).outputs["output0"], want, rtol=1e-5)
