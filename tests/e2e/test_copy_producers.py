"""What two kernels read is computed in both: one kernel fewer, and the values of numpy."""

import numpy as np
import pytest

import ascend_opt

FIRST_STEP = """graph @first_step(%x: tensor<64x512xf16>, %f: tensor<4x128xf16>, %o: tensor<4x128xf16>) {
  %i = slice(%x) {starts = [0, 0], ends = [4, 128], axes = [0, 1]}
  %g = slice(%x) {starts = [0, 384], ends = [4, 512], axes = [0, 1]}
  %s = sigmoid(%i)
  %t = tanh(%g)
  %c = mul(%s, %t)
  %u = tanh(%c)
  %h = mul(%o, %u)
  %d = mul(%f, %c)
  return %h, %d
}"""


@pytest.mark.parametrize("chip", ["ascend910", "ascend310p", "ascend910b"])
def test_the_state_of_a_first_step(chip: str) -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((64, 512)).astype(np.float16)
    f, o = (rng.random((4, 128)).astype(np.float16) for _ in range(2))
    program = ascend_opt.compile(FIRST_STEP, target=chip, tune=1)
    result = program.run(x=x, f=f, o=o)
    wide = x[:4].astype(np.float64)
    state = np.tanh(wide[:, 384:]) / (1 + np.exp(-wide[:, :128]))
    for found, want in zip(result.outputs.values(), (o * np.tanh(state), f * state), strict=True):
        assert np.linalg.norm(found - want) <= 2e-3 * np.linalg.norm(want)
    assert len(program.kernel_sources) == 2


TRANSPOSED = """graph @f(%a: tensor<2x1x1x1xf32>, %b: tensor<2x2x1x1x1xf32>, %w: tensor<1x1x2x2xf32>) {
  %s = rsqrt(%a)
  %p = prelu(%b, %s)
  %c = conv_transpose2d(%s, %w) {strides = [2, 1], pads = [0, 1, 1, 0], output_pads = [1, 0]}
  %y = relu(%c)
  return %p, %y
}"""


def test_a_producer_of_a_product_that_is_seen_in_another_shape() -> None:
    """The convolution that the transposed one becomes is followed by a view, which no kernel computes."""
    rng = np.random.default_rng(0)
    a = rng.random((2, 1, 1, 1), np.float32) + 0.5
    b, w = (rng.standard_normal(shape).astype(np.float32) for shape in ((2, 2, 1, 1, 1), (1, 1, 2, 2)))
    found, product = ascend_opt.compile(TRANSPOSED, "ascend910b").run(a=a, b=b, w=w).outputs.values()
    s = 1 / np.sqrt(a.astype(np.float64))
    np.testing.assert_allclose(found, np.where(b < 0, s * b, b), rtol=1e-5)  # pyright: ignore
    whole = np.zeros((2, 1, 3, 2))
    whole[:, :, :2] = s * w  # the row behind it is what output_pads adds
    np.testing.assert_allclose(product, np.maximum(whole[:, :, :2, 1:], 0), rtol=1e-4, atol=1e-6)  # pyright: ignore


@pytest.mark.parametrize("chip", ["ascend910", "ascend310p"])
def test_products_that_the_cube_has_not_are_refused(chip: str) -> None:
    with pytest.raises(ascend_opt.CompileError, match=f"the Cube of {chip} does not multiply f32"):
        ascend_opt.compile(TRANSPOSED, chip)
