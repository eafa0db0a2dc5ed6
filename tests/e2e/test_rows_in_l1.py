"""Rows for the tables beside the Cube (a bias, slopes) come through L1: tilings that fill it leave room for them."""

from collections.abc import Sequence

import pytest
from any_tiling import chosen

import ascend_opt
from ascend_opt.passes.kernels.common.form import Tiling
from ascend_opt.passes.regions.tiling import ProductTiling

pytestmark = pytest.mark.sweep(3)

CHIPS = ("ascend910b1", "ascend950")
EPILOGUES = {
    "bias": "  %y = bias_add(%p, %b) {axis = 1}",
    "bias and more": "  %q = bias_add(%p, %b) {axis = 1}\n  %y = gelu(%q)",
    "slopes": "  %y = prelu(%p, %s)",
    "bias and slopes": "  %q = bias_add(%p, %b) {axis = 1}\n  %y = prelu(%q, %s)",
}
SHAPES = {
    "matrix": ("512x1024", "1024x640", "640", "640"),
    "image": ("1x64x28x28", "640x64x3x3", "640", "640x1x1"),
}


def fullest(tilings: Sequence[Tiling]) -> Tiling:
    """The one that takes most of L1 for its operands."""

    def taken(one: Tiling) -> int:
        return sum(one.tiles) * one.step if isinstance(one, ProductTiling) else 0

    return max(tilings, key=taken)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("epilogue", EPILOGUES)
@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("dtype", ("f16", "f32"))
def test_operands_that_fill_l1(chip: str, epilogue: str, kind: str, dtype: str) -> None:
    x, w, b, s = SHAPES[kind]
    product = "matmul(%x, %w)" if kind == "matrix" else "conv2d(%x, %w) {pads = [1, 1, 1, 1]}"
    text = (
        f"graph @f(%x: tensor<{x}x{dtype}>, %w: tensor<{w}x{dtype}> {{weight}},\n"
        f"         %b: tensor<{b}x{dtype}> {{weight}}, %s: tensor<{s}x{dtype}> {{weight}}) {{\n"
        f"  %p = {product}\n{EPILOGUES[epilogue]}\n  return %y\n}}\n"
    )
    with chosen(fullest):
        ascend_opt.compile(text, target=chip, tune=100000)


@pytest.mark.parametrize("chip", CHIPS)
def test_a_wide_linear_layer(chip: str) -> None:
    """Two steps of both operands would fill all of L1."""
    text = """graph @f(%x: tensor<4096x1024xf16>, %w: tensor<1024x4096xf16> {weight}, %b: tensor<4096xf16> {weight}) {
      %p = matmul(%x, %w)
      %q = bias_add(%p, %b) {axis = 1}
      %y = gelu(%q)
      return %y
    }"""
    ascend_opt.compile(text, target=chip, tune=1)
