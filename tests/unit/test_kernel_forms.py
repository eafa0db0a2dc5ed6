"""What kernel forms say of groups, against numbers worked out by hand."""

import pytest
from xdsl.ir import Operation

from ascend_opt.compiler.pipeline.read_module import choose_function, read_module
from ascend_opt.dialects.graph.arguments import weight_values
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.tile import LayoutAttr
from ascend_opt.passes.fusion.cost_model import CostModel
from ascend_opt.passes.kernels.common.blocked_tensors import IMAGE
from ascend_opt.passes.kernels.common.form import Group, SizedForm
from ascend_opt.passes.kernels.forms import FORMS, form_of
from ascend_opt.passes.kernels.online.form import OnlineForm
from ascend_opt.passes.kernels.product.form import ProductForm
from ascend_opt.passes.regions.compose_group import group_regions
from ascend_opt.passes.regions.tiling import OnlineTiling, ProductTiling, VectorTiling
from ascend_opt.passes.support.module import kernel_ops

MLP = """graph @f(%x: tensor<64x32xf16>, %w: tensor<32x96xf16> {weight}) {
  %0 = exp(%x)
  %y = matmul(%0, %w)
  return %y
}"""
ATTENTION = """graph @f(%q: tensor<64x32xf16>, %k: tensor<96x32xf16>, %v: tensor<96x48xf16>) {
  %s = matmul(%q, %k) {transpose_b = true}
  %p = softmax(%s)
  %y = matmul(%p, %v)
  return %y
}"""
TWO = """graph @f(%x: tensor<1x16x8x8xf16>, %w: tensor<32x16x3x3xf16> {weight}, %v: tensor<48x32x1x1xf16> {weight}) {
  %0 = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
  %y = conv2d(%0, %v)
  return %y
}"""
ROWS = """graph @f(%x: tensor<4x200000xf32>) {
  %y = softmax(%x)
  return %y
}"""
GROUPED = """graph @f(%x: tensor<1x32x8x8xf16>, %w: tensor<32x16x3x3xf16> {weight}) {
  %y = conv2d(%x, %w) {pads = [1, 1, 1, 1], groups = 2}
  return %y
}"""


def group(text: str, chip: str = "ascend910b") -> Group:
    function = choose_function(read_module(text).module, None)
    ops: list[Operation] = kernel_ops(function)
    return Group(group_regions(ops), frozenset(weight_values(function)), load_target(chip))


@pytest.mark.parametrize(
    ("text", "name"),
    [(MLP, "Product"), (ATTENTION, "Online"), (TWO, "BackToBack"), (ROWS, "Vector"), (GROUPED, "Product")],
)
def test_one_form_computes_a_group(text: str, name: str) -> None:
    regions = group(text).regions
    assert [type(form).__name__ for form in FORMS if form.matches(regions)] == [f"{name}Form"]
    assert isinstance(form_of(regions), SizedForm) == (name in ("Product", "Vector", "Online", "SplitKeys"))


def test_work_of_a_product() -> None:
    """Each of three tiles of columns computes the left operand, unless that stays in L1."""
    given = group(MLP)
    tiling = ProductTiling((64, 32), 1, 32, 32, 32)
    work = ProductForm().work(given, tiling)
    assert work.cube_flops == 2 * 64 * 96 * 32
    again = 64 * 32 * 2 / (64 * 32 + work.cube_flops)
    assert work.recomputed == pytest.approx(again)
    stays = ProductTiling((64, 32), 1, 32, 32, 32, resident=32)
    assert ProductForm().work(given, stays).recomputed == pytest.approx(0)
    assert not work.goes_round


def test_work_of_attention() -> None:
    """Scores and sums: 64 rows, 96 keys, heads of 32 and 48 elements."""
    given = group(ATTENTION)
    (tiling,) = OnlineForm().tilings(given, 1)
    assert isinstance(tiling, OnlineTiling)
    assert OnlineForm().work(given, tiling).cube_flops == 2 * 64 * 96 * (32 + 48)


def test_work_of_two_convolutions() -> None:
    given = group(TWO)
    _, tiling = form_of(given.regions).fastest(given)
    flops = 2 * 8 * 8 * (32 * 16 * 9 + 48 * 32)
    assert form_of(given.regions).work(given, tiling).cube_flops == flops


def test_rows_that_are_read_again() -> None:
    """Rows of 200,000 numbers in parts: maximum and sum in one reading, the quotients in another."""
    given = group(ROWS)
    _, tiling = form_of(given.regions).fastest(given)
    assert isinstance(tiling, VectorTiling) and tiling.part
    assert form_of(given.regions).work(given, tiling).again == 4 * 200000 * 4


def test_planes_that_go_round() -> None:
    text = """graph @f(%x: tensor<4x16x14x14xf16>, %w: tensor<64x16x1x1xf16> {weight}) {
      %y = conv2d(%x, %w)
      return %y
    }"""
    given = group(text, "ascend910")
    tilings = [one for one in ProductForm().tilings(given, 1000) if one.circular is not None]
    assert tilings and ProductForm().work(given, tilings[0]).goes_round


def test_layouts_that_kernels_write_and_read() -> None:
    """Images in blocks of 16 channels: of two convolutions the second one's; not of grouped ones, nor of rows."""
    two, grouped, attention = group(TWO), group(GROUPED), group(ATTENTION)
    form = form_of(two.regions)
    assert form.layout_of_result(two.regions) == IMAGE and not form.cannot_write(two.regions, IMAGE)
    assert not form.cannot_read(two, two.regions.ops[0].operands[0], IMAGE)
    said = "graph.conv2d, which gives it, is grouped"
    assert form_of(grouped.regions).cannot_write(grouped.regions, IMAGE) == said
    nz, read = LayoutAttr.get(1, (1, 0)), attention.regions.ops[0].operands[0]
    assert OnlineForm().layout_of_result(attention.regions) is None
    assert "works on whole rows" in OnlineForm().cannot_write(attention.regions, nz)
    assert "takes whole rows" in OnlineForm().cannot_read(attention, read, nz)


def test_what_a_form_says_is_in_the_cost_of_a_group() -> None:
    rows, mlp = (group(text) for text in (ROWS, MLP))
    costs = [CostModel(one.target, one.packable).known(one.regions.ops) for one in (rows, mlp)]
    again, product = costs
    assert again is not None and product is not None
    once = 2 * 4 * 200000 * 4
    assert again.again == 4 * 200000 * 4 and again.bytes == once + again.again
    assert again.product_flops == 0 and product.product_flops == 2 * 64 * 96 * 32
    work = ProductForm().work(mlp, product.tiling)  # pyright: ignore[reportArgumentType]
    assert (product.live, product.recomputed) == (work.live, work.recomputed)
