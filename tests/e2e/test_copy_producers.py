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
