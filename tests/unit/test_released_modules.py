"""What is compiled is released with the program: nothing that compilation remembers keeps ops alive."""

import gc

from sweeps import ALL
from xdsl.dialects.builtin import TensorType, f16, i32
from xdsl.dialects.test import TestOp

import ascend_opt
from ascend_opt.dialects.graph import GatherOp
from ascend_opt.dialects.graph.base import GraphOp
from ascend_opt.dialects.tiling import Picked
from ascend_opt.passes.support.values import iteration_of

TEXT = """graph @f(%t: tensor<99x64xf16>, %i: tensor<64xi32>, %w: tensor<64x64xf16> {weight}) {
  %x = gather(%t, %i) {axis = 0}
  %a = relu(%x)
  %p = matmul(%a, %w)
  %y = neg(%p)
  return %y
}"""


def _alive() -> int:
    gc.collect()
    return sum(isinstance(one, GraphOp) for one in gc.get_objects())


def test_no_op_outlives_its_program() -> None:
    ascend_opt.compile(TEXT, tune=1)  # what is made once
    before = _alive()
    for _ in range(3 if ALL else 1):
        ascend_opt.compile(TEXT, tune=1)
    assert _alive() == before


def test_indices_are_those_that_an_op_has_now() -> None:
    types = [TensorType(f16, [99, 64]), TensorType(i32, [64]), TensorType(i32, [64])]
    table, first, second = TestOp(result_types=types).results
    op = GatherOp(table, first, axis=0)
    for indices in (first, second):
        op.operands[1] = indices
        (entry, _) = iteration_of(op).operands[0]
        assert isinstance(entry, Picked) and entry.by is indices
