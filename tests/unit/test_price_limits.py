"""Prices up to a limit: what is left at that it is above is above, and plans are those of full prices."""

from math import inf
from pathlib import Path

import pytest
from xdsl.ir import Operation

import ascend_opt
from ascend_opt.compiler.pipeline.read_module import choose_function, read_module
from ascend_opt.dialects.graph.arguments import weight_values
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.fusion import layouts
from ascend_opt.passes.fusion.cost_model import CostModel
from ascend_opt.passes.fusion.group_cost import Found, GroupCost, Obstacle, Slower
from ascend_opt.passes.rewrites.prepare_graph import prepare_graph
from ascend_opt.passes.support.module import kernel_ops

ROOT = Path(__file__).parents[2]
PRODUCT = """
graph @f(%x: tensor<512x768xf16>, %w: tensor<768x1024xf16> {weight}) {
  %y = matmul(%x, %w)
  return %y
}
"""

CHAIN = """
graph @f(%x: tensor<1x64x28x28xf16>, %v: tensor<96x64x1x1xf16> {weight}, %w: tensor<64x96x3x3xf16> {weight}) {
  %0 = conv2d(%x, %v)
  %1 = conv2d(%0, %w) {pads = [1, 1, 1, 1]}
  return %1
}
"""


def model_of(text: str, chip: str) -> tuple[CostModel, tuple[Operation, ...]]:
    target = load_target(chip)
    function = choose_function(read_module(text).module, None)
    prepare_graph(function, target)
    return CostModel(target, frozenset(weight_values(function))), tuple(kernel_ops(function))


@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", ["ascend910", "ascend310p", "ascend910b", "ascend950"])
def test_a_limit_below_the_time_is_told_and_one_above_changes_nothing(chip: str) -> None:
    exact, ops = model_of(PRODUCT, chip)
    cost = exact.cost(ops)
    assert isinstance(cost, GroupCost)
    model, ops = model_of(PRODUCT, chip)
    slower = model.cost_within(ops, cost.time_us / 4)
    assert isinstance(slower, Slower)
    assert cost.time_us / 4 <= slower.than_us <= cost.time_us
    # it is kept for lower limits, and found out for higher ones
    assert model.cost_within(ops, cost.time_us / 8) is slower
    found = model.cost_within(ops, cost.time_us)
    assert isinstance(found, GroupCost)
    assert (found.time_us, found.tiling) == (cost.time_us, cost.tiling)
    assert model.cost_within(ops, 0.0) is found


@pytest.mark.sweep(4)
@pytest.mark.parametrize("chip", ["ascend310p", "ascend910b"])
@pytest.mark.parametrize(
    "graph", ["examples/networks/resnet_bottleneck.mlir", "benchmarks/graphs/fire_concat.mlir"]
)
def test_programs_are_those_of_full_prices(graph: str, chip: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, honest, left = (ROOT / graph).read_text(), CostModel.cost_within, list[Found]()

    def limited(self: CostModel, ops: tuple[Operation, ...], most_us: float) -> Found:
        found = honest(self, ops, most_us)
        left.append(found)
        return found

    def full(self: CostModel, ops: tuple[Operation, ...], most_us: float) -> Found:
        found = honest(self, ops, inf)
        assert isinstance(found, GroupCost | Obstacle)
        return found

    monkeypatch.setattr(CostModel, "cost_within", limited)
    quick = str(ascend_opt.compile(text, target=chip).module)
    monkeypatch.setattr(CostModel, "cost_within", full)
    assert str(ascend_opt.compile(text, target=chip).module) == quick
    assert left


@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", ["ascend910", "ascend310p", "ascend910b", "ascend950"])
def test_times_of_kernels_around_a_tensor_are_the_same_up_to_a_limit(chip: str) -> None:
    """What one kernel leaves of the limit is what the others take at least: no more."""

    def time(share: float) -> float | None:
        model, ops = model_of(CHAIN, chip)
        return layouts._time(model, [(op,) for op in ops], whole * share)  # pyright: ignore[reportPrivateUsage]

    model, ops = model_of(CHAIN, chip)
    costs = [model.cost((op,)) for op in ops]
    whole = sum(cost.time_us for cost in costs if isinstance(cost, GroupCost))
    assert len(costs) == 2
    assert time(1 + 1e-6) == whole
    assert time(0.5) == inf
