"""Boxes that are decoded before they are transposed: two kernels, and the values of numpy."""

import numpy as np
import pytest

import ascend_opt

DECODE = """graph @decode(%c: tensor<1x63x12x20xf16>, %grid: tensor<12x20x2xf16> {weight},
                      %sizes: tensor<3x1x1x2xf16> {weight}) {
  %two = constant() {value = 2.0} : tensor<f16>
  %x = reshape(%c) {shape = [1, 3, 21, 12, 20]}
  %t = transpose(%x) {perm = [0, 1, 3, 4, 2]}
  %s = sigmoid(%t)
  %a = slice(%s) {starts = [0], ends = [2], axes = [-1]}
  %b = slice(%s) {starts = [2], ends = [4], axes = [-1]}
  %d = slice(%s) {starts = [4], ends = [21], axes = [-1]}
  %a2 = mul(%a, %two)
  %a3 = add(%a2, %grid)
  %b2 = mul(%b, %b)
  %b3 = mul(%b2, %sizes)
  %z = concat(%a3, %b3, %d) {axis = -1}
  %y = reshape(%z) {shape = [1, 720, 21]}
  return %y
}"""


@pytest.mark.parametrize("chip", ["ascend910", "ascend310p", "ascend910b"])
def test_boxes_are_decoded_as_planes(chip: str) -> None:
    rng = np.random.default_rng(0)
    c = rng.standard_normal((1, 63, 12, 20)).astype(np.float16)
    grid, sizes = (rng.random(shape).astype(np.float16) for shape in ((12, 20, 2), (3, 1, 1, 2)))
    program = ascend_opt.compile(DECODE, target=chip, tune=1)
    program.bind(grid=grid, sizes=sizes)
    result = program.run(c=c)
    s = 1 / (1 + np.exp(-c.astype(np.float64).reshape(1, 3, 21, 12, 20).transpose(0, 1, 3, 4, 2)))
    parts = (s[..., :2] * 2 + grid, s[..., 2:4] ** 2 * sizes, s[..., 4:])
    want = np.concatenate(parts, -1).reshape(1, 720, 21)
    (found,) = result.outputs.values()
    assert np.linalg.norm(found - want) <= 2e-3 * np.linalg.norm(want)
    assert len(result.profile.kernels) == 2
