"""How a convolution's input is loaded."""

import pytest

import ascend_opt

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
