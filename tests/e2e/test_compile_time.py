"""Compile time: in proportion to the number of blocks that differ, and spent once on those that are alike."""

import sys
from collections.abc import Callable
from dataclasses import replace
from types import FrameType

import numpy as np
import pytest
from chains import elementwise_chain, layers, norm_chain, product_chain
from fused_graphs import check
from xdsl.ir import Operation

import ascend_opt
from ascend_opt.compiler.pipeline.read_module import choose_function, read_module
from ascend_opt.dialects.ascend import KernelOp, LaunchOp
from ascend_opt.dialects.target import load_target
from ascend_opt.passes import ascend_insert_sync, tile_to_ascend
from ascend_opt.passes.fusion import plan as fusion_plan
from ascend_opt.passes.fusion.cost_model import CostModel
from ascend_opt.passes.fusion.group_cost import GroupCost
from ascend_opt.passes.kernels import forms as kernels
from ascend_opt.passes.memory.space_plan import Lifetime, MemoryProblem, plan_smallest
from ascend_opt.passes.memory.validate import check_reuse

CHIP = load_target("ascend910b")
BAR = 1.3


def calls(action: Callable[[], object]) -> int:
    """How many Python functions an action calls: a measure of time that is the same every time."""
    count = 0

    def profile(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(profile)
    try:
        action()
    finally:
        sys.setprofile(None)
    return count


def growth(action: Callable[[int], object], few: int, more: int, most: int) -> float:
    """What one more costs between `more` and `most`, over what it costs between `few` and `more`."""
    action(2)  # what is done once
    a, b, c = (calls(lambda count=count: action(count)) for count in (few, more, most))
    return (c - b) / (most - more) * (more - few) / (b - a)


@pytest.mark.full
@pytest.mark.sweep(2)
@pytest.mark.parametrize("chain", [product_chain, norm_chain])
def test_a_chain_of_blocks_that_differ(chain: Callable[[int], str]) -> None:
    assert growth(lambda count: ascend_opt.compile(chain(count), tune=1), 2, 4, 8) <= BAR


@pytest.mark.parametrize("gain", [True, False])
def test_the_plan_of_a_chain(monkeypatch: pytest.MonkeyPatch, gain: bool) -> None:
    """With groups of at most four ops, whose price is not looked for, so that only the planning counts."""
    monkeypatch.setattr(fusion_plan, "MOST_OPS", 4)
    whole = CostModel(CHIP, frozenset())
    op = choose_function(read_module(elementwise_chain(1)).module, None).body.block.first_op
    assert op is not None
    one = whole.cost((op,))
    assert isinstance(one, GroupCost)

    def price(model: CostModel, ops: tuple[Operation, ...], most_us: float) -> GroupCost:
        return one if gain else replace(one, time_us=one.time_us * len(ops) ** 2)

    monkeypatch.setattr(CostModel, "_price", price)

    def plan(count: int) -> None:
        function = choose_function(read_module(elementwise_chain(count)).module, None)
        fusion_plan.plan_fusion(function, CHIP)

    assert growth(plan, 20, 50, 110) <= BAR


def test_the_plan_of_a_workspace() -> None:
    def plan(count: int) -> None:
        buffers = tuple(Lifetime(str(i), 512 * (1 + i % 7), i, i + 3) for i in range(count))
        problem = MemoryProblem("gm", 1 << 30, 512, buffers)
        found = plan_smallest(problem)
        check_reuse(problem, found)
        assert found.peak <= 4 * 7 * 512

    assert growth(plan, 50, 150, 450) <= BAR


@pytest.mark.parametrize("fuse", [True, False])
def test_equal_layers_are_compiled_once(monkeypatch: pytest.MonkeyPatch, fuse: bool) -> None:
    counts: dict[str, int] = {}

    def counted(module: object, name: str) -> None:
        honest = getattr(module, name)

        def count(*arguments: object) -> object:
            counts[name] = counts.get(name, 0) + 1
            return honest(*arguments)

        monkeypatch.setattr(module, name, count)

    counted(kernels, "_choose")
    counted(tile_to_ascend, "lower_kernel")
    counted(ascend_insert_sync, "synchronise")

    def counts_of(layers_: int) -> tuple[ascend_opt.Program, dict[str, int]]:
        counts.clear()
        return ascend_opt.compile(layers(layers_), tune=1, fuse=fuse), dict(counts)

    one, once = counts_of(1)
    _, two = counts_of(2)
    six, often = counts_of(6)
    assert often == two  # the first one reads what no kernel has left in L2, so its tiles are chosen apart
    assert {**often, "_choose": 0} == {**once, "_choose": 0}
    ops = [list(program.module.walk()) for program in (one, six)]
    assert len({sum(isinstance(op, KernelOp) for op in found) for found in ops}) == 1
    launches = [sum(isinstance(op, LaunchOp) for op in found) for found in ops]
    assert launches[1] == 6 * launches[0]


def test_equal_layers_have_weights_of_their_own() -> None:
    program, result = check(layers(3), "ascend910b")
    names = [kernel.name for kernel in result.profile.kernels]
    assert len(names) == 3 * len(set(names))
    weights = {name: np.ones(tensor.shape, np.float16) for name, tensor in program.inputs.items()}
    other = program.run({**weights, "d2": np.zeros(program.inputs["d2"].shape, np.float16)})
    assert not np.array_equal(other.outputs["output0"], program.run(weights).outputs["output0"])
