"""How a convolution's input is loaded."""

import pytest
from fused_graphs import check

import ascend_opt
from ascend_opt.compiler.api import compile_until
from ascend_opt.dialects import tile

CONV = """graph @f(%x: tensor<1x16x16x{width}xf16>, %w: tensor<16x16x1x1xf16>) {{
  %y = conv2d(%x, %w) {{strides = [{stride}, {stride}]}}
  return %y
}}
"""


@pytest.mark.parametrize(
    ("width", "stride", "unused"), [(17, 2, 0), (16, 2, 1), (17, 3, 1), (18, 3, 2), (18, 4, 1), (20, 4, 3)]
)
def test_whole_rows_are_loaded_where_the_last_columns_are_unused(width: int, stride: int, unused: int):
    """One run of all rows for the feature map and one for the filter; else each row is a burst of its own."""
    assert (width - 1) % stride == unused
    text = CONV.format(width=width, stride=stride)
    kernel = ascend_opt.compile(text, target="ascend910", tune=1).time().kernels[0]
    assert kernel.pipes["MTE2"].instructions == 2 * kernel.cores


def test_rows_that_tiles_cut_begin_on_blocks():
    """Tiles of 16 of 20 columns take parts of rows of 80 B, which the DMA brings to UB in whole 32 B blocks; each core
    meets the last positions of an image more than once."""
    text = """graph @f(%x: tensor<4x16x11x20xf32>, %w: tensor<4x16x5x5xf32>) {
      %y = conv2d(%x, %w) {pads = [2, 2, 2, 2]}
      return %y
    }"""
    program, _ = check(text, "ascend910b1", "f32")
    (kernel,) = [op for op in compile_until(program, "tile").walk() if isinstance(op, tile.KernelOp)]
    assert kernel.tile_sizes[3] == 16 and kernel.grid[3] == 2
