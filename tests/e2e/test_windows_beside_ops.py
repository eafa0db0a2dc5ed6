"""Values of windows over an image beside other ops: what is fused with them, what they read of operands that others
compute or that all channels share, and what reads their results; hazards on."""

import pytest
from window_graphs import Window, check, convolution, pool


def test_batch_norm_and_relu_join_a_depthwise_convolution():
    vectors = ", ".join(f"%{name}: tensor<17xf16>" for name in ("s", "m", "positive"))
    text = convolution(
        2, 17, 17, 17, (13, 13), Window((3, 3), (1, 1), (1, 1, 1, 1)), "f16", "{weight}",
        "batch_norm(%0, %s, %b, %m, %positive)", "relu(%1)",
    )  # fmt: skip
    text = text.replace("(%x:", f"({vectors}, %x:")
    _, kernels = check(text, "ascend910")
    assert kernels == [("conv2d", "batch_norm", "relu")]
    folded = text.replace("tensor<17xf16>", "tensor<17xf16> {weight}")
    _, kernels = check(folded, "ascend910")
    assert kernels == [("conv2d", "bias_add", "relu")]


def test_batch_norm_folds_into_grouped_weights():
    vectors = ", ".join(f"%{name}: tensor<8xf16> {{weight}}" for name in ("s", "m", "positive"))
    text = convolution(
        1, 12, 8, 4, (9, 9), Window((3, 3)), "f16", "{weight}", "batch_norm(%0, %s, %b, %m, %positive)"
    )
    text = text.replace("%b: tensor<8xf16>", "%b: tensor<8xf16> {weight}").replace("(%x:", f"({vectors}, %x:")
    _, kernels = check(text, "ascend910")
    assert kernels == [("conv2d", "bias_add")]


def test_what_regions_allow_is_fused():
    window = Window((2, 2), (2, 2))
    _, kernels = check(
        pool("max_pool2d", (1, 17, 12, 12), window, before=("mul(%x, %x)", "neg(%0)")), "ascend910"
    )
    assert kernels == [("mul", "neg", "max_pool2d")]


@pytest.mark.parametrize(
    ("window", "more"),
    [
        (Window((3, 3), (2, 2), (1, 1, 1, 1)), ""),
        (Window((2, 2), (2, 2), (0, 0, 1, 1)), ""),
        (Window((2, 2), (2, 2)), ", ceil_mode = true"),
    ],
)
def test_a_computed_operand_is_padded(window: Window, more: str):
    text = pool("max_pool2d", (1, 17, 13, 13), window, "f16", more, ("mul(%x, %x)", "neg(%0)"))
    _, kernels = check(text, "ascend910")
    assert kernels == [("mul", "neg", "max_pool2d")]


def test_one_operand_padded_with_two_values():
    attributes = "{kernel = [3, 3], pads = [1, 1, 1, 1]"
    text = (
        "graph @f(%x: tensor<1x5x9x9xf16>) {\n"
        f"  %0 = max_pool2d(%x) {attributes}}}\n"
        f"  %1 = avg_pool2d(%x) {attributes}, count_include_pad = true}}\n"
        "  %2 = add(%0, %1)\n  return %2\n}"
    )
    _, kernels = check(text, "ascend910")
    assert len(kernels) == 2


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b"])
def test_an_image_for_all_channels_beside_a_window(chip: str):
    """Its rows in GM follow each other, those of the tile have a halo between them."""
    check(
        """graph @f(%x: tensor<1x16x6x5xf16>, %c: tensor<1x1x6x5xf16>, %w: tensor<16x1x3x2xf16> {weight}) {
          %m = mul(%x, %c)
          %y = conv2d(%m, %w) {strides = [1, 2], pads = [1, 1, 1, 1], groups = 16}
          return %y
        }""",
        chip,
    )


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b"])
def test_a_pool_that_leaves_a_convolutions_last_column(chip: str):
    """Of the columns of the image that no pixel needs some would be more pixels."""
    check(
        """graph @f(%x: tensor<1x16x8x52xf16>, %w: tensor<16x16x2x2xf16> {weight}) {
          %c = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
          %y = max_pool2d(%c) {kernel = [3, 3], strides = [3, 3]}
          return %y
        }""",
        chip,
    )


@pytest.mark.parametrize("chip", ["ascend910", "ascend950"])
def test_several_channels_of_each_that_a_convolution_gives(chip: str):
    check(
        """graph @f(%x: tensor<1x3x11x31xf16>, %w: tensor<17x3x1x1xf16> {weight}, %v: tensor<34x1x3x1xf16> {weight}) {
          %c = conv2d(%x, %w)
          %y = conv2d(%c, %v) {groups = 17}
          return %y
        }""",
        chip,
    )


@pytest.mark.parametrize("chip", ["ascend910", "ascend950"])
def test_the_border_of_an_image_for_all_channels(chip: str):
    """Each pixel is expanded to lines of channels, which may not reach over what is around the image."""
    check(
        """graph @f(%x: tensor<1x64x2x2xf16>, %c: tensor<1x1x2x2xf16>) {
          %p = max_pool2d(%c) {kernel = [2, 2], strides = [2, 2], pads = [1, 1, 1, 1]}
          %y = maximum(%p, %x)
          return %y
        }""",
        chip,
    )


@pytest.mark.parametrize("pads", ["[3, 0, 1, 1]", "[0, 1, 2, 1]"])
def test_rows_around_an_image_that_no_window_spans(pads: str):
    """The kernel is one row high, so that padding is all that a result of it needs."""
    check(
        f"""graph @f(%x: tensor<1x17x18x14xf16>, %b: tensor<14xf16>, %w: tensor<17x1x1x3xf16> {{weight}}) {{
          %s = bias_add(%x, %b) {{axis = 3}}
          %y = conv2d(%s, %w) {{pads = {pads}, groups = 17}}
          return %y
        }}""",
        "ascend910",
    )


def test_a_vector_of_channels_that_several_are_computed_from():
    """A lane of the vector would serve two of the tile's, which no load does."""
    check(
        """graph @f(%x: tensor<1x8x18x46xf16>, %b: tensor<8xf16>, %w: tensor<16x1x3x3xf16> {weight}) {
          %s = bias_add(%x, %b)
          %y = conv2d(%s, %w) {pads = [1, 1, 1, 1], groups = 8}
          return %y
        }""",
        "ascend910",
    )


def test_a_window_on_the_product_of_a_transposed_operand():
    """Rows of the product are lanes of its operand, which no load shifts."""
    check(
        """graph @f(%x: tensor<2x17x3x8xf16>, %m: tensor<3x1xf16> {weight}, %w: tensor<17x1x3x1xf16> {weight}) {
          %p = matmul(%x, %m) {transpose_a = true}
          %y = conv2d(%p, %w) {pads = [3, 0, 1, 0], groups = 17}
          return %y
        }""",
        "ascend910",
    )


def test_lines_of_several_dimensions_of_a_tile_of_part_of_the_width():
    check(
        """graph @f(%a: tensor<4x1x1x1xf32>, %x: tensor<4x2x1x2018xf32>) {
          %0 = sub(%a, %x)
          %y = max_pool2d(%0) {kernel = [1, 1], strides = [3, 2]}
          return %y
        }""",
        "ascend950",
    )


@pytest.mark.parametrize("chip", ["ascend310p", "ascend910b1"])
def test_softmax_over_the_channels_of_a_grouped_convolution(chip: str):
    """A tile has columns of one group, softmax takes those of all."""
    check(
        """graph @f(%x: tensor<1x32x8x16xf16>, %w: tensor<32x16x3x3xf16> {weight}) {
          %0 = conv2d(%x, %w) {pads = [1, 1, 1, 1], groups = 2}
          %y = softmax(%0) {axis = 1}
          return %y
        }""",
        chip,
    )
