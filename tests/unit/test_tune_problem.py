"""The kernels that plans make are those of `tile-group`, whoever looks for them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from xdsl.dialects.func import FuncOp

import ascend_opt
from ascend_opt.compiler.pipeline.read_module import make_context
from ascend_opt.compiler.tune import problem
from ascend_opt.compiler.tune.launches import Launch, kernels_of
from ascend_opt.compiler.tune.moves import moves_of
from ascend_opt.compiler.tune.problem import Prepared
from ascend_opt.compiler.workers.pool import workers
from ascend_opt.dialects.graph.arguments import weight_values
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.fusion.groups import groups_of, open_group
from ascend_opt.passes.fusion.layout_rules import layout_obstacle
from ascend_opt.passes.kernels.alone import alone_text
from ascend_opt.passes.plans.plan import Plan, PlanError
from ascend_opt.passes.tile_group import TileGroup

CONVOLUTIONS = """
    graph @f(%x: tensor<1x256x14x14xf16>, %w: tensor<256x256x3x3xf16> {weight}) {
      %a = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
      %b = relu(%a)
      %c = conv2d(%b, %w) {pads = [1, 1, 1, 1]}
      %d = add(%b, %c)
      %y = relu(%d)
      return %y
    }"""
"""Some tensors lie in blocks."""

COPIED = """
    graph @f(%x: tensor<256x64xf16>, %w: tensor<256x64xf16> {weight}, %v: tensor<64x256xf16>) {
      %t = transpose(%x) {perm = [1, 0]}
      %a = matmul(%t, %w)
      %b = matmul(%t, %v) {transpose_b = true}
      %c = relu(%a)
      %d = relu(%b)
      %y = concat(%c, %d) {axis = 0}
      return %y
    }"""
"""An op that two products read, and a concatenation."""

DYNAMIC = """
    graph @f(%x: tensor<?x256xf16>, %w: tensor<256x256xf16> {weight}) {
      %a = matmul(%x, %w)
      %b = gelu(%a)
      %c = matmul(%b, %w)
      %y = softmax(%c)
      return %y
    }"""


def _prepared(text: str) -> tuple[Prepared, list[Plan]]:
    """A graph in front of its groups; its plan, one for each change of that, and two for several changes."""
    program = ascend_opt.compile(text, "ascend910b")
    assert program.plan is not None and program.graph_module is not None
    plan = program.plan
    prepared = Prepared(program.graph_module, "f", "ascend910b")
    moves = moves_of(prepared.kernels(plan), plan.functions["f"], prepared.uses)
    chosen = [[], *([move] for move in moves), moves[::2], moves[1::2]]
    plans = list[Plan]()
    for some in chosen:
        function = plan.functions["f"]
        for move in some:
            function = move.applied(function)
        plans.append(replace(plan, functions={"f": function}))
    return prepared, plans


def _by_the_pass(prepared: Prepared, plan: Plan) -> list[tuple[str, str]] | None:
    """Names and texts of the kernels of the groups that the pass makes of a plan; None where it refuses, or a kernel
    cannot read or write what lies in blocks."""
    kernels = tuple(replace(one, tiling=None) for one in plan.functions["f"].kernels)
    stated = replace(plan, functions={"f": replace(plan.functions["f"], kernels=kernels)})
    module = prepared.module.clone()
    try:
        TileGroup("ascend910b", plan=stated.to_text()).apply(make_context(), module)
    except PlanError:
        return None
    (function,) = (op for op in module.body.block.ops if isinstance(op, FuncOp))
    packable = frozenset(weight_values(function))
    opened = [open_group(group) for group in groups_of(function)]
    if any(layout_obstacle(one.ops, load_target("ascend910b"), packable) for one in opened):
        return None
    return [(one.name, alone_text(one.ops, packable)) for one in opened]


def _said(launches: Sequence[Launch] | None) -> list[tuple[str, str]] | None:
    return None if launches is None else [(one.name, one.text) for one in kernels_of(launches)]


@pytest.mark.parametrize("text", [CONVOLUTIONS, COPIED, DYNAMIC])
def test_kernels_of_plans_are_those_of_the_pass(text: str) -> None:
    prepared, plans = _prepared(text)
    here = [prepared.tried(plan) for plan in plans]
    assert [_said(one) for one in here] == [_by_the_pass(prepared, plan) for plan in plans]
    assert sum(one is not None for one in here) > 2


def test_workers_find_the_same_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared, plans = _prepared(CONVOLUTIONS)
    here = [prepared.tried(plan) for plan in plans]
    others, _ = _prepared(CONVOLUTIONS)
    with workers(2) as pool:
        others.look_up(plans, pool)
    monkeypatch.setattr(problem, "planned_groups", None)  # nothing is left to be found here
    assert [others.tried(plan) for plan in plans] == here
    assert None in here


def test_a_plan_that_cannot_be_says_why() -> None:
    prepared, (plan, *_) = _prepared(DYNAMIC)
    function = plan.functions["f"]
    one, *rest = function.kernels
    wrong = replace(function, kernels=(replace(one, ops=(*one.ops, 99)), *rest))
    with pytest.raises(PlanError, match="op 99, which there is none of"):
        prepared.kernels(replace(plan, functions={"f": wrong}))
    assert prepared.tried(replace(plan, functions={"f": wrong})) is None
