"""Vector functions: what joined instructions take, and which chips have them."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects import arith, builtin, func, scf
from xdsl.parser import Parser

from ascend_opt.dialects.ascend import Ascend
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import Target
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.machine.costs import vec_cost
from ascend_opt.runtime.support.hazard import HazardError

CHIP = load_target("ascend950")
ELEMENTS = 2048  # 16 repeats of f16

MODULE = """
ascend.kernel @twice cores 1 : i64 attributes {{core = "aiv"}} {{
^bb0(%x: memref<{n}xf16, "gm">, %y: memref<{n}xf16, "gm">):
  %c0 = arith.constant 0 : index
  %a = ascend.buffer {{addresses = array<i64: 0>}} : memref<{n}xf16, "ub">
  ascend.copy %x, %a : memref<{n}xf16, "gm">, memref<{n}xf16, "ub">
  ascend.set_flag "MTE2" -> "V", %c0
  ascend.wait_flag "MTE2" -> "V", %c0
  ascend.vec "vabs"(%a) -> %a : (memref<{n}xf16, "ub">) -> memref<{n}xf16, "ub">
  ascend.barrier "V" {barrier}
  ascend.vec "vadds"(%a) -> %a scalar 1.0 : f32 {joined} : (memref<{n}xf16, "ub">) -> memref<{n}xf16, "ub">
  ascend.set_flag "V" -> "MTE3", %c0
  ascend.wait_flag "V" -> "MTE3", %c0
  ascend.copy %a, %y : memref<{n}xf16, "ub">, memref<{n}xf16, "gm">
  ascend.end
}}
func.func @net(%x: memref<{n}xf16, "gm"> {{ascend.name = "x"}}) -> memref<{n}xf16, "gm"> {{
  %y = ascend.gm_alloc : memref<{n}xf16, "gm">
  ascend.launch @twice(%x, %y) : memref<{n}xf16, "gm">, memref<{n}xf16, "gm">
  func.return %y : memref<{n}xf16, "gm">
}}
"""


def run(target: Target, joined: bool) -> Any:
    context = Context()
    for dialect in (builtin.Builtin, arith.Arith, scf.Scf, func.Func, Ascend):
        context.load_dialect(dialect)
    mark = "{joined}" if joined else ""
    text = MODULE.format(n=ELEMENTS, joined=mark, barrier=mark)
    x = np.linspace(-3, 3, ELEMENTS).astype(np.float16)
    result = Emulator(Parser(context, text).parse_module(), target).run(None, {"x": x})
    np.testing.assert_array_equal(result.outputs[0], np.abs(x) + np.float16(1))
    return result.profile


def test_a_function_starts_once_and_drains_once():
    """The second instruction needs no start, and the barrier before it waits for the store alone."""
    vector = CHIP.vector
    apart, joined = (run(CHIP, j).total_us for j in (False, True))
    saved = (apart - joined) * CHIP.clock_mhz
    assert saved == pytest.approx(vector.startup + vector.drain)
    assert vector.inner_latency == vector.latency - vector.drain > 0


def test_a_loop_of_a_function_takes_a_few_cycles_at_least():
    vector = CHIP.vector
    assert vec_cost(CHIP, "vadds", "f16", 1, joined=True).busy == vector.loop > vector.issue
    assert vec_cost(CHIP, "vadds", "f16", 100, joined=True).busy == 100
    assert vec_cost(CHIP, "vadds", "f16", 100).busy == vector.startup + 100
    assert vec_cost(CHIP, "vadd", "f16", 4, 4.0, joined=True).conflict == 4 * 5 - 4 * 2


def test_chips_without_functions_know_none():
    chip = replace(CHIP, vector=replace(CHIP.vector, loop=0.0))
    assert vec_cost(chip, "vadds", "f16", 1, joined=True) == vec_cost(chip, "vadds", "f16", 1)
    with pytest.raises(HazardError, match="no vector functions"):
        run(chip, True)
