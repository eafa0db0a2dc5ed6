"""What is compiled is released with the program: nothing that compilation remembers keeps ops alive."""

import gc

import ascend_opt
from ascend_opt.dialects.graph.base import GraphOp

TEXT = """graph @f(%x: tensor<64x64xf16>, %w: tensor<64x64xf16> {weight}) {
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
    for _ in range(3):
        ascend_opt.compile(TEXT, tune=1)
    assert _alive() == before
