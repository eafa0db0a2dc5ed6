"""Tilings that are seldom the best: they compile, without hazards, and values are right."""

from collections.abc import Sequence

import pytest
from any_tiling import MANY, chosen
from fused_graphs import check

from ascend_opt.passes.kernels.common.form import Tiling
from ascend_opt.passes.regions.tiling import ProductTiling, VectorTiling


def test_rows_that_are_stepped_over_take_no_room():
    """Rows come to their places by DMA; only those that block transposes write are in groups of 16."""
    text = """graph @f(%x: tensor<4x16x128x5xf32>) {
      %a = elu(%x)
      %y = slice(%a) {starts = [0], ends = [4], axes = [0], steps = [3]}
      return %y
    }"""

    def largest(tilings: Sequence[Tiling]) -> Tiling:
        return max(tilings, key=lambda tiling: tiling.tiles)

    with chosen(largest):
        check(text, "ascend910", "f32", tune=MANY)


def test_a_bias_that_comes_part_by_part_ends_between_two_blocks_of_columns():
    """Tiles of 336 columns, whose last one has 328: in L1 its bias ends with them."""
    text = """graph @f(%x: tensor<512x64xf32>, %w: tensor<64x1000xf32> {weight}, %b: tensor<1000xf32> {weight}) {
      %p = matmul(%x, %w)
      %y = bias_add(%p, %b) {axis = -1}
      return %y
    }"""

    def wide(tilings: Sequence[Tiling]) -> Tiling:
        return next(one for one in tilings if isinstance(one, ProductTiling) and one.tiles[1] == 336)

    with chosen(wide):
        check(text, "ascend910b", "f32", tune=1000)


@pytest.mark.parametrize(("part", "dtype"), [((1, 64), "f32"), ((1, 500), "f32"), ((1, 64), "f16")])
def test_the_last_part_of_a_row_ends_with_the_tensor(part: tuple[int, ...], dtype: str):
    """Rows that begin between two 32 B blocks, the last of which ends on one: no part may be written up to a block."""
    text = f"""graph @f(%x: tensor<500x500x{dtype}>, %b: tensor<1x500x{dtype}>) {{
      %s = minimum(%x, %b)
      %y = layer_norm(%s) {{axis = 0}}
      return %y
    }}"""

    def parts(tilings: Sequence[Tiling]) -> Tiling:
        return next(one for one in tilings if isinstance(one, VectorTiling) and one.part == part)

    with chosen(parts):
        check(text, "ascend310p", dtype, tune=MANY)


def test_what_is_turned_ends_in_a_row_that_is_set_on_one_core_alone():
    """Of five lines of 40 positions 13 blocks of 16 are turned, of four or six whole blocks: only where one line lies
    below the image do they end in a line that is set."""
    text = """graph @f(%x: tensor<2x64x7x40xf16>, %w: tensor<64x1x5x5xf16> {weight}, %b: tensor<64xf16> {weight},
                     %v: tensor<48x64x3x1xf16> {weight}) {
      %c = conv2d(%x, %w, %b) {pads = [2, 2, 2, 2], groups = 64}
      %s = add(%c, %x)
      %y = conv2d(%s, %v) {pads = [1, 2, 2, 2], strides = [1, 2], dilations = [3, 1]}
      return %y
    }"""

    def two_lines(tilings: Sequence[Tiling]) -> Tiling:
        return next((one for one in tilings if one.tiles == (1, 16, 2, 40)), tilings[0])

    with chosen(two_lines):
        check(text, "ascend910", tune=MANY)


def test_a_condition_that_first_holds_after_thousands_of_tiles():
    """Two images of padding come first, of 2060 tiles each, in which nothing is read."""
    text = """graph @f(%x: tensor<1x1030x66xf16>) {
      %y = pad(%x) {pads = [2, 0, 1, 1, 0, 0], value = 0.5}
      return %y
    }"""

    def one_row(tilings: Sequence[Tiling]) -> Tiling:
        return next(one for one in tilings if one.tiles == (1, 1, 64))

    with chosen(one_row):
        check(text, "ascend310p", tune=MANY)


def test_single_rows_of_a_tile_that_another_tile_stores():
    """The last tile of 48 rows starts early; its softmax goes row by row, and the first of them are not its own."""
    text = """graph @f(%x: tensor<100x64xf16>, %w: tensor<512x64xf16>) {
      %p = matmul(%x, %w) {transpose_b = true}
      %y = softmax(%p)
      return %y
    }"""

    def row_by_row(tilings: Sequence[Tiling]) -> Tiling:
        cube = (one for one in tilings if isinstance(one, ProductTiling))
        return next(one for one in cube if one.part == 1 and 100 % one.tiles[0])

    with chosen(row_by_row):
        check(text, "ascend910", tune=MANY)
