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
BIAS = """graph @f(%x: tensor<384x128xf16>, %w: tensor<128x768xf16> {weight}, %b: tensor<768xf16> {weight}) {
  %p = matmul(%x, %w)
  %s = bias_add(%p, %b)
  %y = relu(%s)MARK
  return %y
}
"""
"""With these tiles half of the cores read new columns of the bias just behind what the other half writes."""
STATED = BIAS.replace("MARK", ' {tile = [96, 128], tiling = "swizzle=4,step=128,chunk=96"}')


@pytest.mark.parametrize("text", [COLUMNS_BESIDE_BLOCKS, BLOCKS, STATED], ids=["columns", "blocks", "bias"])
def test_prediction_is_near(text: str):
    program = ascend_opt.compile(text, target="ascend310p", tune=1)
    (report,) = (one for one in program.reports if isinstance(one, FusionReport))
    predicted = sum(plan["time_us_after"] for plan in report.to_json())
    assert predicted == pytest.approx(program.time().total_us, rel=0.08)


def test_tiles_whose_bias_waits_for_writes_are_not_taken():
    """5.26 us with those above, 3.76 with the best ones."""
    taken = (
        ascend_opt.compile(BIAS.replace("MARK", ""), target="ascend310p", tune=1).time().kernels[0].time_us
    )
    best = ascend_opt.compile(BIAS.replace("MARK", " {tile = [192, 96]}"), target="ascend310p", tune=1)
    assert taken <= 1.02 * best.time().kernels[0].time_us
