"""Products and the light ops behind them, which are one kernel before other fusions are weighed."""

import pytest
from xdsl.dialects.func import FuncOp

from ascend_opt.compiler.pipeline.read_module import choose_function, read_module
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes.cost.group_trace import GroupTrace
from ascend_opt.passes.cost.rule_trace import trace_group
from ascend_opt.passes.fusion import cost_model as costs
from ascend_opt.passes.fusion.cost_model import cost_model
from ascend_opt.passes.fusion.plan import FusionPlan, plan_fusion
from ascend_opt.passes.regions.regions import Regions
from ascend_opt.passes.rewrites.prepare_graph import prepare_graph
from ascend_opt.passes.support.module import kernel_ops

CHIPS = ("ascend910", "ascend310p", "ascend910b", "ascend950")
CONVOLUTION = """graph @f(%x: tensor<1x64x28x28xf16>, %w: tensor<96x64x3x3xf16> {weight}, %b: tensor<96xf16> {weight}) {
  %c = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
  %s = bias_add(%c, %b)
  %y = relu(%s)
  return %y
}"""
RESIDUAL = """graph @f(%x: tensor<1x64x28x28xf16>, %r: tensor<1x96x28x28xf16>, %w: tensor<96x64x1x1xf16> {weight},
    %b: tensor<96xf16> {weight}, %v: tensor<32x96x1x1xf16> {weight}) {
  %c = conv2d(%x, %w)
  %s = bias_add(%c, %b)
  %a = add(%s, %r)
  %y = relu(%a)
  %z = conv2d(%y, %v)
  %t = tanh(%z)
  return %y, %t
}"""
LINEAR = """graph @f(%x: tensor<200x72xf16>, %w: tensor<72x144xf16>, %b: tensor<144xf16>, %v: tensor<144x48xf16>) {
  %p = matmul(%x, %w)
  %s = bias_add(%p, %b)
  %y = gelu(%s)
  %q = matmul(%y, %v)
  %z = clip(%q) {min = 0.0, max = 6.0}
  return %z
}"""
TEXTS = {"convolution": CONVOLUTION, "residual": RESIDUAL, "linear": LINEAR}


def _function(text: str, chip: Target) -> FuncOp:
    found = choose_function(read_module(text).module, None)
    prepare_graph(found, chip)
    return found


def _names(plan: FusionPlan) -> list[list[str]]:
    return [[op.name for op in group] for group in plan.groups]


@pytest.mark.sweep(5)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", TEXTS)
def test_an_explained_plan_is_the_same(name: str, chip: str) -> None:
    target = load_target(chip)
    explained = plan_fusion(_function(TEXTS[name], target), target)
    bare = plan_fusion(_function(TEXTS[name], target), target, explain=False)
    assert _names(explained) == _names(bare)
    assert [c and c.time_us for c in explained.costs] == [c and c.time_us for c in bare.costs]
    assert explained.before and not bare.before
    assert len(explained.candidates) >= len(bare.candidates)


@pytest.fixture
def priced(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The names of the ops of each group whose price is looked for."""
    found: list[tuple[str, ...]] = []

    def spy(regions: Regions, target: Target) -> GroupTrace:
        found.append(tuple(op.name.removeprefix("graph.") for op in regions.ops))
        return trace_group(regions, target)

    monkeypatch.setattr(costs, "trace_group", spy)
    return found


def test_parts_of_a_unit_are_priced_for_reports_alone(priced: list[tuple[str, ...]]) -> None:
    target = load_target("ascend910b")
    plan = plan_fusion(_function(CONVOLUTION, target), target, explain=False)
    assert len(plan.groups) == 1
    assert ("conv2d",) not in priced and ("conv2d", "bias_add") not in priced
    priced.clear()
    explained = plan_fusion(_function(CONVOLUTION, target), target)
    assert ("conv2d",) in priced and ("conv2d", "bias_add") in priced
    assert [c.consumer for c in explained.candidates] == [("graph.bias_add",), ("graph.relu",)]
    assert all(c.taken and c.time_after < c.time_before for c in explained.candidates)


@pytest.mark.sweep(5)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", TEXTS)
def test_no_kernel_is_predicted_faster_than_its_floor(name: str, chip: str) -> None:
    target = load_target(chip)
    function = _function(TEXTS[name], target)
    model = cost_model(function, target)
    for op in kernel_ops(function):
        cost = model.known((op,))
        assert cost is not None
        assert 0 < model.floor_us(op) <= cost.time_us


def test_a_depthwise_convolution_takes_in_what_follows_it_first(priced: list[tuple[str, ...]]) -> None:
    """Behind another convolution it is then weighed once, not with each op behind it."""
    target = load_target("ascend910b")
    text = """graph @f(%x: tensor<1x64x28x28xf16>, %w: tensor<64x64x1x1xf16> {weight},
                        %d: tensor<64x1x3x3xf16> {weight}, %b: tensor<64xf16> {weight}) {
      %0 = conv2d(%x, %w)
      %1 = relu(%0)
      %2 = conv2d(%1, %d) {pads = [1, 1, 1, 1], groups = 64}
      %3 = bias_add(%2, %b)
      %4 = relu(%3)
      return %4
    }"""
    plan_fusion(_function(text, target), target, explain=False)
    both = ("conv2d", "relu", "conv2d")
    assert (*both, "bias_add", "relu") in priced and both not in priced and (*both, "bias_add") not in priced
