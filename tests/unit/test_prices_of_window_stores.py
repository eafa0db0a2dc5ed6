"""Tiles of windows whose planes are no whole blocks are priced with what packs them, and with all that a core walks."""

import pytest

import ascend_opt
from ascend_opt.passes.fusion.report import FusionReport
from ascend_opt.passes.regions.tiling import VectorTiling

POOL = """graph @f(%x: tensor<8x256x14x14xf16>) {
  %y = avg_pool2d(%x) {kernel = [2, 2], strides = [2, 2]}
  return %y
}
"""
DEPTHWISE = """graph @f(%x: tensor<1x384x14x14xf16>, %d: tensor<384x1x3x3xf16> {weight}) {
  %0 = conv2d(%x, %d) {pads = [1, 1, 1, 1], groups = 384}
  %y = clip(%0) {min = 0.0, max = 6.0}
  return %y
}
"""


@pytest.mark.parametrize("text", [POOL, DEPTHWISE], ids=["pool", "depthwise"])
@pytest.mark.parametrize("chip", ["ascend910", "ascend310p"])
def test_prediction_of_planes_that_are_no_whole_blocks(chip: str, text: str):
    program = ascend_opt.compile(text, target=chip, tune=1)
    (report,) = (one for one in program.reports if isinstance(one, FusionReport))
    predicted = sum(plan["time_us_after"] for plan in report.to_json())
    assert predicted == pytest.approx(program.time().total_us, rel=0.08)


def test_a_core_walks_trailing_dimensions_alone():
    shared, alone = VectorTiling((32, 8, 14), 8), VectorTiling((32, 8, 14), 8, serial=2)
    assert shared.rounds((384, 14, 14)) == 3
    assert alone.rounds((384, 14, 14)) == 4
