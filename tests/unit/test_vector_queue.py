"""The queue in front of the Vector unit, and how many instructions an epilogue puts there."""

import pytest

import ascend_opt
from ascend_opt.passes.kernels.product.vector_queue import BEGIN_AT_ONCE, VectorQueue

GELU = """graph @f(%x: tensor<512x1024xf16>, %w: tensor<1024x4096xf16> {weight}, %b: tensor<4096xf16> {weight}) {
  %p = matmul(%x, %w)
  %s = add(%p, %b)
  %y = gelu(%s)MARK
  return %y
}"""


def test_the_scalar_unit_goes_on_where_all_but_a_queue_have_begun():
    queue = VectorQueue(32)
    assert queue.fill(32, 100.0, 200.0) == 0.0
    queue.skip(50.0)
    # the unit has begun with all of the first ones when it begins with the others
    assert queue.fill(32, 250.0, 350.0) == 250.0
    queue = VectorQueue(32)
    assert queue.fill(32 + BEGIN_AT_ONCE, 100.0, 200.0) == 100.0
    queue = VectorQueue(32)
    assert queue.fill(64 + BEGIN_AT_ONCE, 100.0, 200.0) == pytest.approx(150.0)


@pytest.mark.parametrize("tiles", ["256, 128", "128, 256"])
def test_what_a_tile_writes_makes_the_next_one_wait(tiles: str):
    """Without that these kernels were predicted to take 5 % less than they do."""
    text = GELU.replace("MARK", f" {{tile = [{tiles}]}}")
    program = ascend_opt.compile(text, target="ascend310p")
    (report,) = (one for one in program.reports if type(one).__name__ == "FusionReport")
    predicted = sum(one["time_us_after"] for one in report.to_json())
    assert 0.97 < predicted / program.time().total_us < 1.07


PRODUCT = """graph @f(%x: tensor<8192x1024xf16>, %w: tensor<1024x1024xf16>) {
  %y = matmul(%x, %w)MARK
  return %y
}"""
LINEAR = """graph @f(%x: tensor<4096x512xf16>, %w: tensor<512x1024xf16> {weight}, %b: tensor<1024xf16> {weight}) {
  %p = matmul(%x, %w)
  %s = bias_add(%p, %b) {axis = -1}
  %y = relu(%s)MARK
  return %y
}"""


@pytest.mark.parametrize(
    ("graph", "mark"),
    [
        (GELU, ' {tile = [80, 128], tiling = "step=128"}'),
        (GELU, " {tile = [256, 128]}"),
        (PRODUCT, " {tile = [256, 128]}"),
        (LINEAR, ' {tile = [256, 256], tiling = "step=512"}'),
    ],
    ids=["gelu, 80 rows", "gelu, 256 rows", "product", "linear"],
)
def test_the_default_is_no_slower_than_what_people_state(graph: str, mark: str):
    """Short steps, whose reads wait for what the tile before writes, are not taken for faster than they are."""
    default, stated = (
        ascend_opt.compile(graph.replace("MARK", one), target="ascend310p").time().total_us
        for one in ("", mark)
    )
    assert default <= 1.001 * stated
