"""Moves whose rows are staged, on chips whose DMA moves blocks and whose L2 keeps the lines that cores share."""

import pytest

import ascend_opt
from ascend_opt.passes.fusion.report import FusionReport

PAD = "graph @f(%x: tensor<1000x1000xf16>) {\n  %y = pad(%x) {pads = [0, 0, 24, 24]MARK}\n  return %y\n}\n"
"""Rows go beyond the tensor: they are set before the DMA writes its part, and nothing of the tile overlaps."""
STEPS = """graph @f(%x: tensor<1000x300xf16>) {
  %y = slice(%x) {starts = [0], ends = [300], axes = [1], steps = [3]MARK}
  return %y
}
"""
"""Tiles are cut; so it is with these."""
WHOLE_ROWS = STEPS.replace("1000", "1024")
"""What is read of a row goes beyond it, to the next whole block."""
WHOLE_TILES = STEPS.replace("1000", "1024").replace("300", "384")
"""Nothing of these is cut, and tiles overlap."""
TURNED = "graph @f(%x: tensor<1024x1024xf16>) {\n  %y = transpose(%x) {perm = [1, 0]MARK}\n  return %y\n}\n"
"""Each line of L2 has columns of several tiles, which cores beside each other compute."""


def times(text: str, chip: str, tile: str = "") -> tuple[float, float]:
    """Predicted and emulated us of a graph that is one kernel, with tiles that it states."""
    program = ascend_opt.compile(text.replace("MARK", f", tile = [{tile}]" if tile else ""), chip, tune=1)
    (report,) = (one for one in program.reports if isinstance(one, FusionReport))
    return sum(plan["time_us_after"] for plan in report.to_json()), program.time().total_us


@pytest.mark.parametrize(
    ("text", "chip", "tile", "within"),
    [
        (PAD, "ascend910", "32, 512", 0.13),
        (PAD, "ascend310p", "128, 128", 0.02),
        (STEPS, "ascend910", "32, 64", 0.05),
        (STEPS, "ascend310p", "32, 100", 0.04),
        (WHOLE_ROWS, "ascend310p", "32, 100", 0.04),
        (WHOLE_TILES, "ascend310p", "32, 64", 0.03),
        (TURNED, "ascend910", "16, 1024", 0.13),
        (TURNED, "ascend310p", "16, 1024", 0.03),
    ],
)
def test_staged_rows_are_predicted(text: str, chip: str, tile: str, within: float) -> None:
    predicted, emulated = times(text, chip, tile)
    assert predicted / emulated == pytest.approx(1, abs=within)


@pytest.mark.parametrize(
    ("text", "chip", "before"),
    [
        (PAD, "ascend910", "32, 512"),
        (PAD, "ascend310p", "32, 512"),
        (STEPS, "ascend910", "32, 64"),
        (TURNED, "ascend910", "64, 256"),
        (TURNED, "ascend310p", "64, 256"),
    ],
)
def test_tiles_that_seem_to_overlap_are_not_taken(text: str, chip: str, before: str) -> None:
    """With those that were taken before, these moves take up to 19 % longer."""
    assert 1.02 * times(text, chip)[1] < times(text, chip, before)[1]
