"""Left operands are priced once for all tiles with the same rows: what they cost by themselves is the same."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from product_tilings import product_tilings

import ascend_opt
from ascend_opt.passes.kernels.product import footprint, operand_costs
from ascend_opt.passes.kernels.product import search as product_search
from ascend_opt.passes.kernels.product.load_costs import LoadCosts
from ascend_opt.passes.kernels.product.operands import rows_of
from ascend_opt.passes.kernels.product.problem import Problem, Tile
from ascend_opt.passes.regions.tiling import ProductTiling

DEPTHWISE = """graph @f(%x: tensor<1x32x14x14xf16>, %d: tensor<32x1x3x3xf16> {weight},
                      %w: tensor<96x32x1x1xf16> {weight}) {
  %0 = conv2d(%x, %d) {pads = [1, 1, 1, 1], groups = 32, fuse = "a"}
  %1 = relu(%0) {fuse = "a"}
  %2 = conv2d(%1, %w) {fuse = "a"}
  return %2
}"""
ROWS = """graph @f(%x: tensor<200x320xf16>, %w: tensor<320x640xf16> {weight}) {
  %0 = layer_norm(%x) {fuse = "a"}
  %1 = matmul(%0, %w) {fuse = "a"}
  return %1
}"""
PICKED = """graph @f(%t: tensor<1000x64xf16>, %i: tensor<96xi32>, %w: tensor<64x128xf16> {weight}) {
  %0 = gather(%t, %i) {axis = 0, fuse = "a"}
  %1 = matmul(%0, %w) {fuse = "a"}
  return %1
}"""
GROUPED = """graph @f(%x: tensor<1x64x14x14xf16>, %w: tensor<128x16x3x3xf16> {weight}) {
  %0 = conv2d(%x, %w) {pads = [1, 1, 1, 1], groups = 4}
  return %0
}"""
IMAGES = """graph @f(%x: tensor<2x48x15x15xf16>, %w: tensor<80x48x3x3xf16> {weight}) {
  %0 = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
  return %0
}"""


def problems(graph: str, chip: str, patch: pytest.MonkeyPatch) -> list[Problem]:
    found = list[Problem]()
    nodes = product_search.rough_nodes

    def spy(those: Any) -> Iterator[Any]:
        found.extend(those)
        return nodes(those)

    patch.setattr(product_search, "rough_nodes", spy)
    ascend_opt.compile(graph, target=chip, tune=1)
    return found


@pytest.mark.sweep(7)
@pytest.mark.parametrize("chip", ["ascend910", "ascend310p", "ascend910b", "ascend950"])
@pytest.mark.parametrize("graph", [DEPTHWISE, ROWS, PICKED, GROUPED, IMAGES])
def test_tiles_with_the_same_rows_have_operands_that_cost_the_same(
    graph: str, chip: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tilings = [(p, *one) for p in problems(graph, chip, monkeypatch) for one in product_tilings(p)]
    assert any(rows_of(p, tile) is not tile for p, _, tile in tilings)
    shared = [costs(p, tiling, tile) for p, tiling, tile in tilings]
    for module in (operand_costs, footprint):
        monkeypatch.setattr(module, "rows_of", itself)
    fresh = {id(p): replace(p) for p, _, _ in tilings}
    assert shared == [costs(fresh[id(p)], tiling, tile) for p, tiling, tile in tilings]


def itself(p: Problem, tile: Tile) -> Tile:
    return tile


def costs(p: Problem, tiling: ProductTiling, tile: Tile) -> tuple[LoadCosts, int]:
    """What a step's left operand takes of pipes, and both operands of UB."""
    room = footprint.ub_of_operands(p, tile, tiling.resident or tiling.step, tiling.rows)
    return operand_costs.left_cost(p, tiling, tile), room
