"""Of tilings of a product the one is taken that is fastest with the start of its cores."""

from itertools import islice

import pytest

from ascend_opt.compiler.pipeline.read_module import choose_function, read_module
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.kernels.product.search import in_order, problems_in_order, product_time, rough_nodes
from ascend_opt.passes.regions.compose_group import group_regions
from ascend_opt.passes.rewrites.prepare_graph import prepare_graph
from ascend_opt.passes.support.module import kernel_ops
from ascend_opt.runtime.machine.costs import launch_us

TEXT = """graph @f(%x: tensor<16x14336xf16>, %w: tensor<14336x1024xf16> {weight}) {
  %y = matmul(%x, %w)
  return %y
}"""


@pytest.mark.parametrize("chip", ["ascend910b", "ascend950"])
def test_tilings_are_in_the_order_of_their_times_with_launches(chip: str) -> None:
    """16 cores or 22 take nearly as long for this product; starting six more takes 0.09 us."""
    target, function = load_target(chip), choose_function(read_module(TEXT).module, None)
    prepare_graph(function, target)
    regions = group_regions(tuple(kernel_ops(function)))
    problem, _ = next(problems_in_order(regions, True, target))
    found = [leaf.candidate.tiling for _, leaf in islice(in_order(rough_nodes([problem])), 12)]
    times = [
        target.microseconds(product_time(regions, one, True, target)) + launch_us(target, one.cores)
        for one in found
    ]
    assert len({one.cores for one in found}) > 1
    assert times == sorted(times)
