"""Chains of convolutions, and windows behind a product, that come apart where layouts make that faster."""

# pyright: basic

from dataclasses import replace

import pytest

from ascend_opt.compiler.pipeline.read_module import choose_function, read_module
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.fusion import regroup as regrouping
from ascend_opt.passes.fusion.cost_model import cost_model
from ascend_opt.passes.fusion.plan import plan_fusion
from ascend_opt.passes.fusion.regroup import regroup
from ascend_opt.passes.fusion.weigh import Limits

BOTTLENECK = """graph @bottleneck(%x: tensor<1x64x8x8xf16>, %u: tensor<16x64x1x1xf16> {weight},
    %v: tensor<16x16x3x3xf16> {weight}, %w: tensor<64x16x1x1xf16> {weight}) {
  %1 = conv2d(%x, %u)
  %2 = relu(%1)
  %3 = conv2d(%2, %v) {pads = [1, 1, 1, 1]}
  %4 = relu(%3)
  %5 = conv2d(%4, %w)
  %6 = add(%5, %x)
  %7 = relu(%6)
  return %7
}"""
GREEDY = (2, 3, 2)
"""Ops of each kernel: conv1 with its relu, the chain of two convolutions, the sum with its relu."""
APART, FED = (2, 2, 3), (4, 3)


def planned(mark: str = "", chip: str = "ascend910b"):
    """The greedy plan, as it is taken where the chain saves some bytes, and the model of its costs."""
    text = BOTTLENECK.replace("%7 = relu(%6)", f"%7 = relu(%6){mark}")
    target = load_target(chip)
    function = choose_function(read_module(text).module, None)
    model = cost_model(function, target)
    plan = plan_fusion(function, target, Limits(), model)
    starts = [sum(GREEDY[:i]) for i in range(len(GREEDY))]
    groups = tuple(plan.ops[at : at + size] for at, size in zip(starts, GREEDY, strict=True))
    return replace(plan, groups=groups, costs=tuple(map(model.known, groups))), model


def sizes(plan) -> tuple[int, ...]:
    return tuple(len(group) for group in plan.groups)


@pytest.mark.parametrize(
    "times, want",
    [
        ({GREEDY: 10.0, APART: 9.0, FED: 8.0}, FED),
        ({GREEDY: 10.0, APART: 8.0, FED: 9.0}, APART),
        ({GREEDY: 10.0, APART: 9.95, FED: 9.95}, GREEDY),
        ({GREEDY: 10.0, APART: 11.0, FED: 12.0}, GREEDY),
    ],
)
def test_the_grouping_that_is_clearly_faster(times, want) -> None:
    plan, model = planned()
    found = regroup(plan, model, lambda one: times[sizes(one)])
    assert sizes(found) == want
    assert all(cost is not None for cost in found.costs)
    if want == GREEDY:
        assert found is plan
        return
    (change,) = found.searched[len(plan.searched) :]
    assert (change.time_before, change.time_after) == (10.0, times[want])
    assert change.after[-1] == ("graph.conv2d", "graph.add", "graph.relu")


def test_marks_are_kept() -> None:
    plan, model = planned(" {nofuse}")
    assert regroup(plan, model, lambda one: 10.0 if one is plan else 1.0) is plan


def test_coupled_chips_keep_their_chains() -> None:
    plan, model = planned(chip="ascend910")
    assert regroup(plan, model, lambda one: 10.0 if one is plan else 1.0) is plan


STEM = """graph @stem(%x: tensor<1x3x224x224xf16>, %w: tensor<64x3x7x7xf16> {weight}) {
  %1 = conv2d(%x, %w) {strides = [2, 2], pads = [3, 3, 3, 3]}
  %2 = relu(%1)
  %3 = max_pool2d(%2) {kernel = [3, 3], strides = [2, 2]}
  return %3
}"""


PAIR = """graph @pair(%x: tensor<1x1024x14x14xf16>, %w: tensor<256x1024x1x1xf16> {weight},
    %v: tensor<256x256x3x3xf16> {weight}) {
  %1 = conv2d(%x, %w)
  %2 = relu(%1)
  %3 = conv2d(%2, %v) {pads = [1, 1, 1, 1]}
  return %3
}"""
"""The windows are those of another product."""


def stem(mark: str = "", chip: str = "ascend910b", graph: str = STEM):
    """A product with windows behind it in one kernel, and the model of its costs."""
    target = load_target(chip)
    text = graph.replace("strides = [2, 2]}\n  return", f"strides = [2, 2]{mark}}}\n  return")
    function = choose_function(read_module(text).module, None)
    model = cost_model(function, target)
    plan = plan_fusion(function, target, Limits(), model)
    return replace(plan, groups=(plan.ops,), costs=(model.known(plan.ops),)), model


@pytest.mark.parametrize("graph", [STEM, PAIR], ids=["pool", "product"])
@pytest.mark.parametrize("apart, want", [(0.9, (2, 1)), (0.995, (3,)), (1.1, (3,))])
def test_windows_come_apart_where_that_is_clearly_faster(graph: str, apart: float, want) -> None:
    """With the layouts, of the time that their kernel takes: whatever the rest of the graph does."""
    plan, model = stem(graph=graph)
    (cost,) = plan.costs
    assert cost is not None and cost.recomputed > 0
    rest = 1000.0
    found = regroup(plan, model, lambda one: rest + cost.time_us * (1 if one is plan else apart))
    assert sizes(found) == want
    assert all(one is not None for one in found.costs)


def test_windows_that_are_marked_or_on_coupled_cores_stay() -> None:
    for plan, model in (stem(", nofuse"), stem(chip="ascend910")):
        assert regroup(plan, model, lambda one, plan=plan: 10.0 if one is plan else 1.0) is plan


def test_windows_far_slower_apart_are_not_planned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Row-major kernels that take much longer than the one are not weighed with layouts."""
    monkeypatch.setattr(regrouping, "NEAR", 0.5)
    plan, model = stem()
    assert regroup(plan, model, lambda one: 10.0 if one is plan else 1.0) is plan
