"""An average pool goes before a 1x1 convolution where Cube and Vector are cores of their own: one kernel there, and the
values of numpy in the order of the graph."""

import numpy as np
import pytest

import ascend_opt

TRANSITION = """graph @transition(%x: tensor<1x48x32x24xf16>, %scale: tensor<48x1x1xf16> {weight},
                          %shift: tensor<48xf16> {weight}, %w: tensor<32x48x1x1xf16> {weight},
                          %b: tensor<32xf16> {weight}) {
  %m = mul(%x, %scale)
  %a = bias_add(%m, %shift)
  %r = relu(%a)
  %c = conv2d(%r, %w)
  %s = bias_add(%c, %b)
  %y = avg_pool2d(%s) {kernel = [2, 2], strides = [2, 2]}
  return %y
}"""


@pytest.mark.parametrize("chip", ["ascend910", "ascend310p", "ascend910b"])
def test_a_transition(chip: str) -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((1, 48, 32, 24)).astype(np.float16)
    scale, shift, bias = (rng.standard_normal(n).astype(np.float16) for n in ((48, 1, 1), 48, 32))
    w = (rng.standard_normal((32, 48, 1, 1)) / 7).astype(np.float16)
    program = ascend_opt.compile(TRANSITION, target=chip, tune=1)
    program.bind(scale=scale, shift=shift, w=w, b=bias)
    result = program.run(x=x)
    scaled, shifted, filters, added = (
        one.astype(np.float64) for one in (scale, shift[:, None, None], w[:, :, 0, 0], bias[:, None, None])
    )
    before = np.maximum(x * scaled + shifted, 0)
    convolved = np.einsum("oc,nchw->nohw", filters, before) + added
    want = convolved.reshape(1, 32, 16, 2, 12, 2).mean((3, 5))
    (found,) = result.outputs.values()
    assert np.linalg.norm(found - want) <= 3e-3 * np.linalg.norm(want)
    assert len(result.profile.kernels) == (1 if chip == "ascend910b" else 2)
