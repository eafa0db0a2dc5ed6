"""What the search may change of groups and layouts: kernels that join and part, how results lie."""

from dataclasses import replace

import numpy as np
import pytest
from tuned_graphs import bare_kernel

import ascend_opt
from ascend_opt.compiler.tune.kernel_trials import TimeTask, time_kernel
from ascend_opt.compiler.tune.moves import Move, moves_of
from ascend_opt.compiler.tune.problem import Prepared, Uses
from ascend_opt.passes.plans.plan import FunctionPlan, KernelPlan

pytest.importorskip("optuna")


def test_moves_join_and_part_alike_kernels_together() -> None:
    text = """
    graph @f(%x: tensor<64x256xf16>, %w: tensor<256x256xf16> {weight}) {
      %a = matmul(%x, %w)
      %b = relu(%a)
      %c = matmul(%b, %w)
      %y = relu(%c)
      return %y
    }"""
    program = ascend_opt.compile(text, "ascend910b")
    assert program.plan is not None
    assert program.graph_module is not None
    prepared = Prepared(program.graph_module, "f", "ascend910b")
    kernels, function = prepared.kernels(program.plan), program.plan.functions["f"]
    moves = moves_of(kernels, function, prepared.uses)
    parts = [move for move in moves if move.kind == "part"]
    assert len(kernels) == 2
    assert sum(len(move.changes) for move in parts) == 2
    changed = function
    for move in parts:
        changed = move.applied(changed)
    assert [len(one.ops) for one in changed.kernels] == [1, 1, 1, 1]
    joins = [move for move in moves if move.kind == "join"]
    assert [one.ops for one in joins[0].applied(function).kernels] == [(0, 1, 2, 3)]


def test_moves_change_how_results_lie() -> None:
    text = """
    graph @f(%x: tensor<1x256x14x14xf16>, %w: tensor<256x256x3x3xf16> {weight}) {
      %a = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
      %b = relu(%a)
      %c = conv2d(%b, %w) {pads = [1, 1, 1, 1]}
      %d = relu(%c)
      %e = conv2d(%d, %w) {pads = [1, 1, 1, 1]}
      %y = relu(%e)
      return %y
    }"""
    program = ascend_opt.compile(text, "ascend910b")
    assert program.plan is not None and program.graph_module is not None
    prepared = Prepared(program.graph_module, "f", "ascend910b")
    function = program.plan.functions["f"]
    assert sorted(function.blocked) == [1, 3]

    default = program.plan

    def moves(kind: str, plan: FunctionPlan) -> list[Move]:
        kernels = prepared.kernels(replace(default, functions={"f": plan}))
        return [move for move in moves_of(kernels, plan, prepared.uses) if move.kind == kind]

    assert moves("blocks", function) == []  # the last result is the graph's
    rows = function
    for move in moves("rows", function):
        rows = move.applied(rows)
    assert rows.blocked == {}
    open_ = replace(rows, kernels=tuple(replace(one, tiling=None) for one in rows.kernels))
    other = ascend_opt.compile(text, "ascend910b", plan=replace(default, functions={"f": open_}))
    rng = np.random.default_rng(0)
    x = rng.standard_normal((1, 256, 14, 14)).astype(np.float16)
    w = (rng.standard_normal((256, 256, 3, 3)) * 0.02).astype(np.float16)
    ours, theirs = (one.run(x=x, w=w).outputs["output0"] for one in (program, other))
    assert np.allclose(ours, theirs, rtol=1e-2, atol=1e-2)
    again = rows
    for move in moves("blocks", rows):
        again = move.applied(again)
    assert again.blocked == function.blocked


def test_a_kernel_alone_has_the_moves_in_front_of_its_products() -> None:
    """What it reads lies as in the program, so that its tilings are those of the program's kernel."""
    text = """
    graph @f(%q: tensor<128x8x64xf16>, %k: tensor<128x8x64xf16>) {
      %a = transpose(%q) {perm = [1, 0, 2]}
      %b = transpose(%k) {perm = [1, 0, 2]}
      %s = matmul(%a, %b) {transpose_b = true}
      %y = softmax(%s)
      return %y
    }"""
    program = ascend_opt.compile(text, "ascend910b")
    assert program.plan is not None and program.graph_module is not None
    (kernel,) = Prepared(program.graph_module, "f", "ascend910b").kernels(program.plan)
    assert kernel.text.count("graph.transpose") == 2
    (planned,) = program.plan.functions["f"].kernels
    timed = time_kernel(TimeTask(kernel.text, "ascend910b", planned.tiling))
    assert timed is not None
    (launched,) = program.time().kernels
    assert timed.time_us == pytest.approx(launched.time_us + launched.launch_us, rel=1e-3)


def test_a_part_gives_one_result() -> None:
    """b and c read a, d reads both: behind b both b and a would go on, behind a nothing but a."""
    readers = {0: frozenset({1, 2}), 1: frozenset({3}), 2: frozenset({3}), 3: frozenset[int]()}
    plan = FunctionPlan(("a", "b", "c", "d"), (KernelPlan("k", (0, 1, 2, 3)),))
    moves = moves_of([bare_kernel("k", (0, 1, 2, 3), 1)], plan, Uses(readers, frozenset({3})))
    assert [move.changes[0][1] for move in moves] == [((0,), (1, 2, 3))]
    outside = moves_of([bare_kernel("k", (0, 1, 2, 3), 1)], plan, Uses(readers, frozenset({0, 3})))
    assert outside == []
