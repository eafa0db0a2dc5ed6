"""Masks that exporters make by way of numbers: one kernel, whose values are those of the graph as written."""

import numpy as np
import pytest

import ascend_opt

CHIPS = ("ascend910", "ascend310p", "ascend910b1", "ascend950")
MASK = """graph @f(%m: tensor<{m}xi32>, %x: tensor<3x1x5x{n}xf16>) {{
  %d = constant() {{value = -65504.0}} : tensor<f16>
  %b = cast(%m) {{to = i1}}
  %f = cast(%b) {{to = f16}}
  %r = reshape(%f) {{shape = [3, 1, 1, {n}]}}
  %h = cast(%r) {{to = i1}}
  %s = select(%h, %x, %d)
  return %s
}}"""


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("n", [16, 37, 1])
def test_a_mask_of_numbers_is_one_kernel(n: int, chip: str) -> None:
    program = ascend_opt.compile(MASK.format(m=f"3x{n}", n=n), target=chip, tune=1)
    rng = np.random.default_rng(n)
    m = rng.integers(-2, 3, (3, n)).astype(np.int32)
    x = rng.standard_normal((3, 1, 5, n)).astype(np.float16)
    result = program.run({"m": m, "x": x})
    (found,) = result.outputs.values()
    np.testing.assert_array_equal(found, np.where((m != 0)[:, None, None], x, np.float16(-65504.0)))
    assert len(result.profile.kernels) == 1
