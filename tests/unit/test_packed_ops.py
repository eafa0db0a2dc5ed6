"""Ops that go from one process to another are the same ones there."""

import pickle

import pytest
from xdsl.dialects.func import FuncOp

import ascend_opt
from ascend_opt.compiler.pipeline.read_module import read_module
from ascend_opt.dialects import ascend
from ascend_opt.passes.support.packed_ops import packed, unpacked

GRAPHS = {
    "product": """
graph @f(%x: tensor<100x300xf16>, %w: tensor<300x200xf16>, %b: tensor<200xf16>) {
  %1 = matmul(%x, %w)
  %2 = bias_add(%1, %b)
  %3 = gelu(%2)
  return %3
}""",
    "run-time sizes": """
graph @f(%x: tensor<?x300xf16>) {
  %1 = softmax(%x)
  return %1
}""",
}


@pytest.mark.parametrize("name", GRAPHS)
def test_programs_come_back_as_they_were(name: str) -> None:
    module = ascend_opt.compile(GRAPHS[name], "ascend910b").module
    parts = [op for op in module.body.ops if isinstance(op, ascend.KernelOp | FuncOp)]
    data = pickle.loads(pickle.dumps(packed(parts)))
    again = unpacked(data)
    assert [str(op) for op in again] == [str(op) for op in parts]
    for old, new in zip(parts, again, strict=True):
        assert [op.location for op in new.walk()] == [op.location for op in old.walk()]
        assert not {*new.walk()} & {*old.walk()}


def test_values_from_outside_are_no_part_of_it() -> None:
    module = read_module(GRAPHS["product"]).module
    function = next(op for op in module.body.ops if isinstance(op, FuncOp))
    first = function.body.block.first_op
    assert first is not None
    with pytest.raises(KeyError):
        packed([first])
