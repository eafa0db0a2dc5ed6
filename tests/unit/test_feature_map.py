"""How a convolution's input is loaded."""

import pytest
from fused_graphs import check
from xdsl.ir import Attribute

import ascend_opt
from ascend_opt.compiler.api import compile_until
from ascend_opt.dialects import tile
from ascend_opt.dialects.target_types import Target
from ascend_opt.dialects.tile import BLOCK
from ascend_opt.passes.lowering.transfers import feature_map

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
    """Tiles of 32 of 36 columns take parts of rows of 144 B, which the DMA brings to UB in whole 32 B blocks; each core
    meets the last positions of an image more than once."""
    text = """graph @f(%x: tensor<4x16x11x36xf32>, %w: tensor<4x16x5x5xf32>) {
      %y = conv2d(%x, %w) {pads = [2, 2, 2, 2]}
      return %y
    }"""
    program, _ = check(text, "ascend910b1", "f32")
    (kernel,) = [op for op in compile_until(program, "tile").walk() if isinstance(op, tile.KernelOp)]
    assert kernel.tile_sizes[3] == 32 and kernel.grid[3] == 2


@pytest.mark.parametrize(("channels", "image"), [(32, "50x60"), (64, "56x56"), (200, "16x16")])
def test_channels_of_a_step_pass_through_ub_in_groups(
    channels: int, image: str, monkeypatch: pytest.MonkeyPatch
):
    """Where UB holds a part of the step's channels at once, each group goes to its own blocks of L1; the last one ends
    with the tensor's channels."""
    original, groups = feature_map.staging_groups, set[tuple[int, int]]()

    def staging(target: Target, height: int, width: int, count: int, dtype: Attribute) -> int:
        together = original(target, height, width, count, dtype)
        groups.add((count, together))
        return together

    monkeypatch.setattr(feature_map, "staging_groups", staging)
    text = f"""graph @f(%x: tensor<1x{channels}x{image}xf16>, %w: tensor<128x{channels}x3x3xf16> {{weight}}) {{
      %y = conv2d(%x, %w)
      return %y
    }}"""
    check(text, "ascend910")
    assert channels % BLOCK or all(together < count for count, together in groups)
