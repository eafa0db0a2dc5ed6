"""Which products may be one kernel, beside each other or one behind the other, and which ops on rows and windows may
be in one with a product."""

from dataclasses import replace

import pytest
from xdsl.utils.exceptions import VerifyException

import ascend_opt
from ascend_opt.compiler.api import compile_until
from ascend_opt.compiler.pipeline.read_module import choose_function, read_module
from ascend_opt.dialects.tile import ContractOp
from ascend_opt.passes.regions.compose_group import group_regions
from ascend_opt.passes.regions.compose_maps import NotFusableError
from ascend_opt.passes.regions.regions import Regions
from ascend_opt.passes.support.module import kernel_ops

IMAGES = (
    "%x: tensor<1x16x9x9xf16>, %z: tensor<1x16x9x9xf16>, %w: tensor<16x16x3x3xf16>, %v: tensor<16x16x3x3xf16>, "
    "%g: tensor<16x8x3x3xf16>"
)
MATRICES = (
    "%x: tensor<64x64xf16>, %w: tensor<64x64xf16>, %u: tensor<64x64xf16>, %n: tensor<64x1xf16>, "
    "%b: tensor<4x64x64xf16>, %r: tensor<1x64xf16>"
)
CHANNELS_LAST = "%x: tensor<2x8x9x18xf16>, %w: tensor<16x32xf16>"
SAME = "pads = [1, 1, 1, 1]"


def regions(arguments: str, *ops: str) -> Regions:
    text = "\n".join([f"graph @f({arguments}) {{", *ops, "  return %y\n}"])
    return group_regions(kernel_ops(choose_function(read_module(text).module, None)))


def test_two_products_of_one_left_operand():
    assert regions(MATRICES, "%0 = matmul(%x, %w)", "%1 = matmul(%x, %u)", "%y = add(%0, %1)").siblings


def test_two_convolutions_with_elements_between():
    ops = f"%0 = conv2d(%x, %w) {{{SAME}}}", "%1 = add(%0, %z)", f"%y = conv2d(%1, %v) {{{SAME}}}"
    assert regions(IMAGES, *ops).back_to_back


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
    "columns before a product": (
        MATRICES,
        ("%0 = softmax(%x) {axis = 0}", "%y = matmul(%0, %w)"),
        "graph.softmax needs more than the rows of what a product multiplies",
    ),
    "columns behind a product": (
        MATRICES,
        ("%0 = matmul(%x, %w)", "%y = softmax(%0) {axis = 0}"),
        "graph.softmax needs more than the columns of what a product gives in parts",
    ),
    "rows that are reduced": (
        MATRICES,
        ("%0 = matmul(%x, %w)", "%y = reduce_sum(%0) {axes = [1]}"),
        "graph.reduce_sum reduces what a product gives, whose tiles are stored with all columns",
    ),
    "a window along what is reduced": (
        CHANNELS_LAST,
        ("%0 = max_pool2d(%x) {kernel = [3, 3]}", "%y = matmul(%0, %w)"),
        "a window runs along what graph.matmul reduces",
    ),
    "a window along columns": (
        CHANNELS_LAST.replace("18", "16"),
        ("%0 = matmul(%x, %w)", "%y = max_pool2d(%0) {kernel = [1, 3]}"),
        "a window runs along the columns of what graph.matmul gives",
    ),
    "elements between rows and their product": (
        MATRICES,
        ("%0 = matmul(%x, %w)", "%1 = softmax(%0)", "%2 = relu(%1)", "%y = matmul(%2, %u)"),
        "what follows graph.softmax is no product",
    ),
    "columns of a product that feeds another": (
        MATRICES,
        ("%0 = matmul(%x, %w) {transpose_a = true}", "%1 = softmax(%0)", "%y = matmul(%1, %u)"),
        "graph.matmul feeds a product, and reads no plain rows itself",
    ),
    "a convolution that feeds a product": (
        "%x: tensor<1x16x9x16xf16>, %w: tensor<16x16x3x3xf16>, %u: tensor<16x32xf16>",
        (f"%0 = conv2d(%x, %w) {{{SAME}}}", "%1 = softmax(%0)", "%y = matmul(%1, %u)"),
        "graph.conv2d feeds a product, and reads no plain rows itself",
    ),
    "a product that feeds a convolution": (
        "%x: tensor<1x16x9x9xf16>, %z: tensor<1x16x9x9xf16>, %w: tensor<16x16x1x1xf16>",
        ("%0 = matmul(%x, %z)", "%y = conv2d(%0, %w)"),
        "a convolution takes no operand whose rows come part by part",
    ),
    "a computed operand of a product that feeds another": (
        MATRICES,
        ("%0 = exp(%x)", "%1 = matmul(%0, %w)", "%2 = softmax(%1)", "%y = matmul(%2, %u)"),
        "an operand of graph.matmul is computed, and so is that of the product it feeds",
    ),
    "one row for all": (
        MATRICES,
        ("%0 = matmul(%r, %w)", "%1 = add(%0, %x)", "%2 = softmax(%1)", "%y = matmul(%2, %u)"),
        "graph.matmul feeds a product through a window or a broadcast",
    ),
    "one matrix for a batch of rows": (
        MATRICES,
        ("%0 = matmul(%x, %w)", "%1 = add(%0, %b)", "%2 = softmax(%1)", "%y = matmul(%2, %u)"),
        "rows of graph.matmul are not those of the product it feeds",
    ),
}


def test_one_matrix_for_a_batch():
    """The batch is that of the product which takes the rows."""
    ops = "%0 = matmul(%x, %w)", "%1 = add(%0, %b)", "%2 = softmax(%1)", "%y = matmul(%2, %b)"
    assert regions(MATRICES, *ops).stream


def test_a_window_along_rows():
    small = "%x: tensor<2x8x9x16xf16>, %w: tensor<16x32xf16>"
    assert regions(small, "%0 = max_pool2d(%x) {kernel = [3, 1]}", "%y = matmul(%0, %w)").prologue


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str):
    arguments, ops, reason = REFUSED[name]
    with pytest.raises(NotFusableError, match=reason):
        regions(arguments, *ops)


def test_parts_of_rows_lie_one_behind_the_other():
    """Each part of a left operand in L1 is one run: no dimension of rows lies outside of them."""
    text = """graph @f(%x: tensor<96x64xf16>, %g: tensor<64xf16>, %b: tensor<64xf16>, %w: tensor<64x64xf16> {weight}) {
  %0 = layer_norm(%x, %g, %b)
  %y = matmul(%0, %w)
  return %y
}"""
    program = ascend_opt.compile(text, "ascend910b", tune=1)
    product = next(op for op in compile_until(program, "tile").walk() if isinstance(op, ContractOp))
    assert product.schedule.rows is not None and product.schedule.rows < product.schedule.m_shape[-1]
    product.schedule = replace(product.schedule, m_shape=(1, 16))
    product.verify_()
    with pytest.raises(
        VerifyException, match=r"8 of the last rows of \[2, 16\] do not lie one behind the other"
    ):
        product.schedule = replace(product.schedule, m_shape=(2, 16))
