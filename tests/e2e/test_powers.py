"""Powers whose base is 0 or infinite, against numpy's in f64."""

import numpy as np
import pytest

import ascend_opt

BASES = np.array([0, 0, 0, 0, 0, 2, 9, 5, np.inf, np.inf, 65504])
EXPONENTS = np.array([0, 2, -1, 0.001, -0.5, -1, 1.5, 0, 0, 1, 0])


@pytest.mark.parametrize("chip", ["ascend910", "ascend310p", "ascend910b1", "ascend950"])
@pytest.mark.parametrize("dtype", ["f16", "f32"])
def test_a_base_without_a_finite_logarithm(chip: str, dtype: str):
    text = f"""graph @f(%x: tensor<11x{dtype}>, %e: tensor<11x{dtype}>) {{
  %y = pow(%x, %e)
  return %y
}}"""
    program = ascend_opt.compile(text, target=chip, tune=1)
    found = program.run(x=BASES, e=EXPONENTS).outputs["output0"]
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(found.astype(np.float64), np.power(BASES, EXPONENTS), rtol=3e-3)


@pytest.mark.parametrize("base", [0.0, 2.0])
def test_a_number_to_the_power_of_a_tensor(base: float):
    text = f"""graph @f(%e: tensor<4xf32>) {{
  %b = constant() {{value = {base}}} : tensor<f32>
  %y = pow(%b, %e)
  return %y
}}"""
    exponents = np.array([0, 1, -1, 0.5])
    found = ascend_opt.compile(text, target="ascend910b1", tune=1).run(e=exponents).outputs["output0"]
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(found, np.power(base, exponents), rtol=1e-5)
