"""How much of what a kernel computes its tiles compute again, against numbers worked out by hand."""

import pytest
from xdsl.ir import Operation

from ascend_opt.compiler.pipeline.read_module import choose_function, read_module
from ascend_opt.passes.regions.compose_group import group_regions
from ascend_opt.passes.regions.recompute import computed_again, operations
from ascend_opt.passes.support.module import kernel_ops

POOL = """graph @f(%x: tensor<1x16x20x20xf16>) {
  %0 = relu(%x)
  %1 = max_pool2d(%0) {kernel = [3, 3]}
  return %1
}"""
PRODUCT = """graph @f(%x: tensor<64x32xf16>, %w: tensor<32x96xf16>) {
  %0 = exp(%x)
  %1 = matmul(%0, %w)
  return %1
}"""


def ops_of(text: str) -> list[Operation]:
    return kernel_ops(choose_function(read_module(text).module, None))


def test_operations():
    """One for each element of an element-wise op, one for each tap, two for each product."""
    assert [operations(op) for op in ops_of(POOL)] == [16 * 20 * 20, 16 * 18 * 18 * 9]
    assert [operations(op) for op in ops_of(PRODUCT)] == [64 * 32, 2 * 64 * 96 * 32]


def test_a_halo():
    """Tiles of 6 rows of 18 need 8 of 20: each row is computed 1.2 times."""
    regions = group_regions(ops_of(POOL))
    once = 16 * 20 * 20 + 16 * 18 * 18 * 9
    assert regions.kernel_extents == (16, 18, 18)
    assert computed_again(regions, (16, 18, 18)) == 0.0
    found = computed_again(regions, (16, 6, 18))
    assert found == pytest.approx(16 * 20 * 20 * 0.2 / once)


@pytest.mark.parametrize(("stays", "times"), [(False, 3), (True, 1)])
def test_an_operand_for_each_tile_of_columns(stays: bool, times: int):
    """It is computed for each of them, unless it stays in L1."""
    regions = group_regions(ops_of(PRODUCT))
    kept = regions.prologue if stays else ()
    once = 64 * 32 + 2 * 64 * 96 * 32
    assert computed_again(regions, (64, 32), kept=kept) == pytest.approx(64 * 32 * (times - 1) / once)
