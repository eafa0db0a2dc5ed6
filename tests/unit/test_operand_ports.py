"""What a core's port takes for a part of an operand, and in which order cores take tiles."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

import ascend_opt
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.kernels.product.load_costs import LoadCosts
from ascend_opt.passes.kernels.product.operand_reads import port_cycles, port_of

CHIP = load_target("ascend910b")


def held(load: LoadCosts, request_port: float) -> float:
    """Cycles of a part that L2 holds but for lines that end inside a sector, where a request takes so long."""
    target = replace(CHIP, memory=replace(CHIP.memory, request_port=request_port))
    problem = cast(Any, SimpleNamespace(target=target, from_gm=target.path("gm", "l1")))
    return port_cycles(problem, load, port_of(problem, load), 0.0, False)


def test_lines_that_end_inside_a_sector_are_asked_for_though_l2_holds_the_rest() -> None:
    whole = LoadCosts(1, 8192, 1, 0.0, 0.0, 1e6, requests=16)
    cut = whole._replace(cut=4.0)
    assert held(whole, 100.0) == held(whole, 200.0)
    assert held(cut, 200.0) - held(cut, 100.0) == pytest.approx(4 * 100.0)


def test_cores_with_one_tile_each_take_them_in_the_order_of_the_grid() -> None:
    text = """graph @f(%a: tensor<128x1024xf16>, %b: tensor<1024x1024xf16> {weight}) {
      %y = matmul(%a, %b)
      return %y
    }"""
    plan = ascend_opt.compile(text, "ascend910b").plan
    assert plan is not None
    (kernel,) = plan.functions["f"].kernels
    tiling = kernel.tiling or {}
    m, n = tiling["tiles"]
    assert -(-128 // m) > 1 < -(-1024 // n)
    assert -(-128 // m) * -(-1024 // n) <= tiling["cores"]
    assert tiling["swizzle"] == 1
