"""Products on a chip whose DMA lays matrices out on the way, and whose one core waits for HBM behind what it writes."""

import pytest

import ascend_opt
from ascend_opt.passes.fusion.report import FusionReport

COLUMNS_BESIDE_BLOCKS = """graph @f(%x: tensor<2048x256xf16>, %y: tensor<256x1000xf16>) {
  %z = matmul(%x, %y)
  return %z
}
"""
BLOCKS = """graph @f(%x5: tensor<1x4x56x56x16xf16>, %w: tensor<256x64x1x1xf16> {weight}, %b: tensor<256xf16> {weight}) {
  %t = transpose(%x5) {perm = [0, 1, 4, 2, 3]}
  %x = reshape(%t) {shape = [1, 64, 56, 56]}
  %c = conv2d(%x, %w) {pads = [0, 0, 0, 0], strides = [1, 1]}
  %s = bias_add(%c, %b)
  %y = relu(%s)
  return %y
}
"""


@pytest.mark.parametrize("text", [COLUMNS_BESIDE_BLOCKS, BLOCKS], ids=["columns", "blocks"])
def test_prediction_is_near(text: str):
    program = ascend_opt.compile(text, target="ascend310p", tune=1)
    (report,) = (one for one in program.reports if isinstance(one, FusionReport))
    predicted = sum(plan["time_us_after"] for plan in report.to_json())
    assert predicted == pytest.approx(program.time().total_us, rel=0.08)
