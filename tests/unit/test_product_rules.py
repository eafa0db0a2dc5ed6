"""Which products may be one kernel: beside each other, or one behind the other."""

import pytest

from ascend_opt.compiler.read_module import choose_function, read_module
from ascend_opt.passes.graph_module import kernel_ops
from ascend_opt.passes.regions import NotFusableError, Regions, group_regions

IMAGES = (
    "%x: tensor<1x16x9x9xf16>, %z: tensor<1x16x9x9xf16>, %w: tensor<16x16x3x3xf16>, %v: tensor<16x16x3x3xf16>, "
    "%g: tensor<16x8x3x3xf16>"
)
MATRICES = (
    "%x: tensor<64x64xf16>, %w: tensor<64x64xf16>, %u: tensor<64x64xf16>, %n: tensor<64x1xf16>, "
    "%b: tensor<4x64x64xf16>"
)
SAME = "pads = [1, 1, 1, 1]"


def regions(arguments: str, *ops: str) -> Regions:
    text = "\n".join([f"graph @f({arguments}) {{", *ops, "  return %y\n}"])
    return group_regions(kernel_ops(choose_function(read_module(text).module, None)))


def test_two_products_of_one_left_operand():
    assert regions(MATRICES, "%0 = matmul(%x, %w)", "%1 = matmul(%x, %u)", "%y = add(%0, %1)").twins


def test_two_convolutions_with_elements_between():
    ops = f"%0 = conv2d(%x, %w) {{{SAME}}}", "%1 = add(%0, %z)", f"%y = conv2d(%1, %v) {{{SAME}}}"
    assert regions(IMAGES, *ops).chain


TWO = "two products need two accumulators"
REFUSED = {
    "one is transposed": (
        MATRICES,
        ("%0 = matmul(%x, %w)", "%1 = matmul(%x, %u) {transpose_b = true}", "%y = add(%0, %1)"),
        TWO,
    ),
    "results at other places": (
        MATRICES,
        (
            "%0 = matmul(%x, %w)",
            "%1 = matmul(%x, %u)",
            "%2 = transpose(%1) {perm = [1, 0]}",
            "%y = add(%0, %2)",
        ),
        TWO,
    ),
    "a result of one column": (
        MATRICES,
        ("%0 = matmul(%x, %w)", "%1 = matmul(%x, %n)", "%y = add(%0, %1)"),
        TWO,
    ),
    "a batch beside a matrix": (
        MATRICES,
        ("%0 = matmul(%x, %w)", "%1 = matmul(%x, %b)", "%y = add(%0, %1)"),
        TWO,
    ),
    "two convolutions of one image": (
        IMAGES,
        (f"%0 = conv2d(%x, %w) {{{SAME}}}", f"%1 = conv2d(%x, %v) {{{SAME}}}", "%y = add(%0, %1)"),
        TWO,
    ),
    "whole rows before two products": (
        MATRICES,
        ("%p = softmax(%x)", "%0 = matmul(%p, %w)", "%1 = matmul(%p, %u)", "%y = add(%0, %1)"),
        "a product that takes its operand part by part has no other beside it",
    ),
    "a grouped convolution behind": (
        IMAGES,
        (f"%0 = conv2d(%x, %w) {{{SAME}}}", f"%y = conv2d(%0, %g) {{{SAME}, groups = 2}}"),
        "a grouped graph.conv2d is one of two products",
    ),
    "a grouped convolution before": (
        IMAGES,
        (f"%0 = conv2d(%x, %g) {{{SAME}, groups = 2}}", f"%y = conv2d(%0, %w) {{{SAME}}}"),
        "a grouped graph.conv2d is one of two products",
    ),
    "a window between": (
        IMAGES,
        (
            f"%0 = conv2d(%x, %w) {{{SAME}}}",
            "%1 = max_pool2d(%0) {kernel = [3, 3]}",
            f"%y = conv2d(%1, %v) {{{SAME}}}",
        ),
        "graph.conv2d between two products is no op on elements",
    ),
    "an op before both": (
        IMAGES,
        ("%0 = exp(%x)", f"%1 = conv2d(%0, %w) {{{SAME}}}", f"%y = conv2d(%1, %v) {{{SAME}}}"),
        "graph.exp between two products is no op on elements",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str):
    arguments, ops, reason = REFUSED[name]
    with pytest.raises(NotFusableError, match=reason):
        regions(arguments, *ops)
