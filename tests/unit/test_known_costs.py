"""Costs of groups are kept for one module and one chip, and not where sizes are dynamic."""

import pytest

from ascend_opt.compiler.pipeline.read_module import read_module
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.fusion.group_cost import Obstacle
from ascend_opt.passes.fusion.known_costs import known_costs
from ascend_opt.passes.support.module import functions_of

TEXT = """graph @f(%x: tensor<{rows}x64xf16>) {{
  %0 = relu(%x)
  return %0
}}"""
KNOWN = Obstacle("loops", "known"), ()


@pytest.mark.parametrize("rows", [4, "?"])
def test_whose_costs_are_known(rows: int | str):
    module, other = (read_module(TEXT.format(rows=rows)).module for _ in range(2))
    chip, another = load_target("ascend910b"), load_target("ascend910")
    (function,) = functions_of(module)
    known_costs([function], chip)["a group",] = KNOWN
    assert (known_costs([function], chip) == {("a group",): KNOWN}) == (rows == 4)
    assert not known_costs([function], another)
    assert not known_costs(functions_of(other), chip)
