"""Casts of results stand in front of reshapes: no kernel of their own, and the values of numpy."""

import numpy as np
import pytest

import ascend_opt

CHIPS = ("ascend910", "ascend310p", "ascend910b")


@pytest.mark.parametrize("chip", CHIPS)
def test_a_cast_of_a_result_is_in_the_kernel_of_a_mean(chip: str) -> None:
    text = """graph @classifier(%x: tensor<1x48x13x13xf16>) {
  %m = reduce_mean(%x) {axes = [2, 3], keep_dims = true}
  %r = reshape(%m) {shape = [1, 48]}
  %y = cast(%r) {to = f32}
  return %y
}"""
    x = np.random.default_rng(0).standard_normal((1, 48, 13, 13)).astype(np.float16)
    result = ascend_opt.compile(text, target=chip, tune=1).run(x=x)
    (found,) = result.outputs.values()
    assert found.dtype == np.float32
    assert found.shape == (1, 48)
    want = x.astype(np.float64).mean((2, 3))
    assert np.linalg.norm(found - want) <= 2e-3 * np.linalg.norm(want)
    assert len(result.profile.kernels) == 1
