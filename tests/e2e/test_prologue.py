"""Ops that compute a product's left operand, tile by tile, in the kernel of the product."""

import itertools

import pytest
from fused_graphs import check
from sweeps import ALL

CHIPS = ("ascend910", "ascend310p", "ascend910b1", "ascend950")
SHAPES = (
    {"m": 256, "k": 512, "n": 256, "h": 14, "w": 14},
    {"m": 33, "k": 100, "n": 70, "h": 7, "w": 9},
    {"m": 1, "k": 16, "n": 16, "h": 1, "w": 1},
    {"m": 130, "k": 17, "n": 1000, "h": 56, "w": 56},
    {"m": 7, "k": 1000, "n": 7, "h": 5, "w": 40},
)
X, W = "%x: tensor<{m}x{k}xf16>", "%w: tensor<{k}x{n}xf16> {{weight}}"
GRAPHS = {
    "one op": (f"{X}, {W}", "%0 = relu(%x)", "%y = matmul(%0, %w)"),
    "no weight": (f"{X}, %w: tensor<{{k}}x{{n}}xf16>", "%0 = relu(%x)", "%y = matmul(%0, %w)"),
    "two tensors": (f"{X}, %z: tensor<{{m}}x{{k}}xf16>, {W}", "%0 = add(%x, %z)", "%y = matmul(%0, %w)"),
    "a row": (f"{X}, %z: tensor<{{k}}xf16>, {W}", "%0 = add(%x, %z)", "%1 = exp(%0)", "%y = matmul(%1, %w)"),
    "a column": (f"{X}, %z: tensor<{{m}}x1xf16>, {W}", "%0 = mul(%x, %z)", "%y = matmul(%0, %w)"),
    "epilogue": (
        f"{X}, %b: tensor<{{n}}xf16>, {W}",
        "%0 = silu(%x)", "%1 = matmul(%0, %w)", "%2 = add(%1, %b)", "%y = gelu(%2)",
    ),
    "transposed": (
        f"{X}, %w: tensor<{{n}}x{{k}}xf16> {{{{weight}}}}", "%0 = relu(%x)",
        "%y = matmul(%0, %w) {{transpose_b = true}}",
    ),
    "batch": (
        "%x: tensor<3x{m}x{k}xf16>, %w: tensor<3x{k}x{n}xf16>", "%0 = relu(%x)", "%y = matmul(%0, %w)"
    ),
    "rows of a batch": (f"%x: tensor<3x{{m}}x{{k}}xf16>, {W}", "%0 = relu(%x)", "%y = matmul(%0, %w)"),
    "pixels": (
        "%x: tensor<2x{k}x{h}x{w}xf16>, %w: tensor<{n}x{k}x1x1xf16> {{weight}}",
        "%0 = silu(%x)", "%y = conv2d(%0, %w)",
    ),
    "channels": (
        "%x: tensor<2x{k}x{h}x{w}xf16>, %s: tensor<{k}xf16>, %w: tensor<{n}x{k}x1x1xf16>",
        "%0 = bias_add(%x, %s)", "%1 = relu(%0)", "%2 = conv2d(%1, %w)", "%y = relu(%2)",
    ),
    "depthwise": (
        (
            "%x: tensor<2x{k}x{h}x{w}xf16>, %w0: tensor<{k}x1x3x3xf16> {{weight}}, %s: tensor<{k}xf16> {{weight}}, "
            "%w: tensor<{n}x{k}x1x1xf16> {{weight}}, %b: tensor<{n}xf16> {{weight}}"
        ),
        "%0 = conv2d(%x, %w0) {{pads = [1, 1, 1, 1], groups = {k}}}", "%1 = bias_add(%0, %s)", "%2 = relu(%1)",
        "%3 = conv2d(%2, %w)", "%4 = bias_add(%3, %b)", "%y = relu(%4)",
    ),
    "depthwise of stride 2": (
        (
            "%x: tensor<2x{k}x{h}x{w}xf16>, %w0: tensor<{k}x1x3x3xf16> {{weight}}, "
            "%w: tensor<{n}x{k}x1x1xf16> {{weight}}"
        ),
        "%0 = conv2d(%x, %w0) {{pads = [1, 1, 1, 1], strides = [2, 2], groups = {k}}}",
        "%1 = clip(%0) {{min = 0.0, max = 6.0}}", "%y = conv2d(%1, %w)",
    ),
}  # fmt: skip
EVERY = [*itertools.product(GRAPHS, SHAPES, CHIPS)]


def text_of(name: str, shape: dict[str, int]) -> str:
    arguments, *lines = GRAPHS[name]
    body = "\n  ".join(line.format(**shape) for line in lines)
    return f"graph @f({arguments.format(**shape)}) {{\n  {body}\n  return %y\n}}"


@pytest.mark.sweep(8)
@pytest.mark.parametrize("name", GRAPHS)
def test_values(name: str):
    """Every graph on every chip; by default each chip sees some of the shapes."""
    chosen = [(s, c) for n, s, c in EVERY if n == name]
    if not ALL:
        first = [*GRAPHS].index(name)
        chosen = [one for i, one in enumerate(chosen) if (i + first) % 14 == 0]
    for shape, chip in chosen:
        check(text_of(name, shape), chip)


@pytest.mark.parametrize("chip", ["ascend910", "ascend950"])
def test_padding_behind_a_computed_image(chip: str):
    """What is computed of nothing is not the padding."""
    check(
        """graph @f(%x: tensor<1x16x6x9xf16>, %w: tensor<16x16x1x1xf16> {weight}) {
          %v = exp(%x)
          %y = conv2d(%v, %w) {pads = [0, 0, 3, 1]}
          return %y
        }""",
        chip,
    )


def test_a_computed_operand_of_less_than_half_a_block():
    """K is 7, a row of f32 one piece of DMA and half a block of the tile."""
    check(
        """graph @f(%x: tensor<1x7xf32>, %z: tensor<10x1xf32>, %w: tensor<10x7xf16>) {
          %s = add(%x, %z)
          %c = cast(%s) {to = f16}
          %y = matmul(%c, %w) {transpose_b = true}
          return %y
        }""",
        "ascend910b",
    )
