"""Kernels whose tiles compute a halo of an intermediate value again: windows behind products and other ops."""

import pytest
from fused_graphs import check

from ascend_opt.compiler.api import Program, compile_until
from ascend_opt.dialects import tile

CHIPS = ("ascend910", "ascend310p", "ascend910b1", "ascend950")


def graph(parameters: str, *ops: str) -> str:
    """A graph whose ops, but for constants, are marked to be one kernel."""
    marked = (op[:-1] + ', fuse = "a"}' if op.endswith("}") else op + ' {fuse = "a"}' for op in ops)
    last = ops[-1].split()[0]
    return "\n".join([f"graph @f({parameters}) {{", *(f"  {op}" for op in marked), f"  return {last}\n}}"])


def kernels_of(program: Program) -> list[tile.KernelOp]:
    return [op for op in compile_until(program, "tile").walk() if isinstance(op, tile.KernelOp)]


POOLS = {
    "stem": graph(
        "%x: tensor<1x3x30x34xf16>, %w: tensor<32x3x7x7xf16> {weight}, %b: tensor<32xf16> {weight}",
        "%0 = conv2d(%x, %w) {strides = [2, 2], pads = [3, 3, 3, 3]}",
        "%1 = bias_add(%0, %b)",
        "%2 = max_pool2d(%1) {kernel = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]}",
    ),
    "zeros that count": graph(
        "%x: tensor<2x5x13x11xf16>, %w: tensor<17x5x3x3xf16>",
        "%0 = conv2d(%x, %w) {pads = [2, 1, 0, 1]}",
        "%1 = exp(%0)",
        "%2 = avg_pool2d(%1) {kernel = [3, 2], pads = [2, 0, 1, 1], count_include_pad = true}",
    ),
    "past the padding": graph(
        "%x: tensor<1x16x20x22xf16>, %w: tensor<16x16x3x3xf16>, %r: tensor<1x16x20x22xf16>",
        "%0 = conv2d(%x, %w) {pads = [1, 1, 1, 1]}",
        "%1 = add(%0, %r)",
        "%2 = max_pool2d(%1) {kernel = [3, 3], strides = [2, 2], ceil_mode = true}",
    ),
    "depthwise": graph(
        "%x: tensor<1x16x14x14xf16>, %w: tensor<32x16x1x1xf16>, %b: tensor<32xf16>, %w1: tensor<32x1x3x3xf16>",
        "%0 = conv2d(%x, %w)",
        "%1 = bias_add(%0, %b)",
        "%2 = conv2d(%1, %w1) {groups = 32, pads = [1, 1, 1, 1]}",
    ),
    "no product": graph(
        "%x: tensor<1x24x18x20xf16>, %w: tensor<24x1x3x3xf16>, %w1: tensor<24x1x3x3xf16>",
        "%0 = exp(%x)",
        "%1 = conv2d(%0, %w) {groups = 24, pads = [1, 1, 1, 1]}",
        "%2 = sigmoid(%1)",
        "%3 = conv2d(%2, %w1) {groups = 24, strides = [2, 2], pads = [1, 1, 1, 1]}",
    ),
    "operand of a product": graph(
        "%x: tensor<1x32x14x14xf16>, %w: tensor<32x1x3x3xf16>, %w1: tensor<48x32x1x1xf16>",
        "%0 = exp(%x)",
        "%1 = conv2d(%0, %w) {groups = 32, pads = [1, 1, 1, 1]}",
        "%2 = conv2d(%1, %w1)",
    ),
}


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", POOLS)
def test_padding_of_what_the_kernel_computes(name: str, chip: str):
    program, _ = check(POOLS[name], chip)
    (kernel,) = kernels_of(program)
    assert any(isinstance(op, tile.BorderOp) for op in kernel.walk())


def test_a_tile_without_padding_is_untouched():
    text = graph("%x: tensor<1x16x16x16xf16>", "%0 = exp(%x)", "%1 = max_pool2d(%0) {kernel = [2, 2]}")
    (kernel,) = kernels_of(check(text, "ascend910")[0])
    assert not any(isinstance(op, tile.BorderOp) for op in kernel.walk())
