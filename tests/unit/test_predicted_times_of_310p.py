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


def product(left: str, right: str, tile: str, tiling: str) -> str:
    """A product of two tensors of f16 with a stated tiling."""
    return (
        f"graph @f(%x: tensor<{left}xf16>, %y: tensor<{right}xf16>) {{\n"
        f'  %z = matmul(%x, %y) {{tile = [{tile}], tiling = "{tiling}"}}\n  return %z\n}}\n'
    )


SAME_ROWS = product("2048x1024", "1024x1024", "192, 128", "swizzle=1,step=512,chunk=192").replace(
    "1024xf16>)", "1024xf16> {weight})"
)
"""All cores wait for the same rows, and so none of them is ahead of the others."""
MANY_TILES = product("24x512x64", "24x64x512", "1, 64, 32", "swizzle=2,step=64,chunk=64")
"""HBM has more to write than to read, and what is read waits for that."""
MANY_COLUMNS = product("8x512x64", "8x64x4096", "1, 64, 64", "swizzle=1,step=64")
"""The same, of tiles of which one in eight begins with new rows."""
TWO_TILES = product("8x64x64", "8x64x512", "1, 64, 256", "swizzle=8,step=64,chunk=32")
"""The operands of a core's second tile come behind what other cores write of their first."""
BANDS = """graph @f(%x: tensor<4096x512xf16>, %w: tensor<512x1024xf16> {weight}, %b: tensor<1024xf16> {weight}) {
  %p = matmul(%x, %w)
  %s = bias_add(%p, %b)
  %y = gelu(%s) {tile = [80, 128], tiling = "swizzle=4,step=256,chunk=80"}
  return %y
}
"""
"""One tile of four begins with new rows."""
PARTS_OF_ROWS = product("1000x96", "96x200", "128, 80", "step=96,chunk=128").replace(
    "200xf16>)", "200xf16> {weight})"
)
"""Rows are no whole blocks, which two tiles would share: the Vector unit moves and clears more than the tile."""


def off(text: str) -> float:
    """What a program is predicted to take, over what it takes."""
    program = ascend_opt.compile(text, target="ascend310p", tune=1)
    (report,) = (one for one in program.reports if isinstance(one, FusionReport))
    return sum(plan["time_us_after"] for plan in report.to_json()) / program.time().total_us


@pytest.mark.parametrize("text", [COLUMNS_BESIDE_BLOCKS, BLOCKS, STATED], ids=["columns", "blocks", "bias"])
def test_prediction_is_near(text: str):
    assert off(text) == pytest.approx(1, abs=0.08)


@pytest.mark.parametrize(
    ("text", "within"),
    [(SAME_ROWS, 0.02), (MANY_TILES, 0.05), (MANY_COLUMNS, 0.02), (TWO_TILES, 0.03), (BANDS, 0.045)],
    ids=["same rows", "many tiles", "many columns", "two tiles", "bands"],
)
def test_what_is_read_waits_for_what_is_written(text: str, within: float):
    assert off(text) == pytest.approx(1, abs=within)


def test_parts_of_rows_are_moved_and_cleared():
    assert off(PARTS_OF_ROWS) == pytest.approx(1, abs=0.04)


def test_tiles_whose_bias_waits_for_writes_are_not_taken():
    """5.26 us with those above, 3.76 with the best ones."""
    taken = (
        ascend_opt.compile(BIAS.replace("MARK", ""), target="ascend310p", tune=1).time().kernels[0].time_us
    )
    best = ascend_opt.compile(BIAS.replace("MARK", " {tile = [192, 96]}"), target="ascend310p", tune=1)
    assert taken <= 1.02 * best.time().kernels[0].time_us
