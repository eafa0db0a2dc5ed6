"""Ops that go from one process to another are the same ones there."""

import pickle

import pytest
from xdsl.dialects.func import FuncOp

import ascend_opt
from ascend_opt.compiler.pipeline.read_module import read_module
from ascend_opt.dialects import ascend
from ascend_opt.passes.support.packed_ops import Parts, packed, unpacked

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


def test_parts_that_several_kernels_have_are_one_object_again() -> None:
    two = [
        op
        for shape in ("100x300", "200x300")
        for op in ascend_opt.compile(
            f"graph @f(%x: tensor<{shape}xf16>) {{\n  %1 = relu(%x)\n  return %1\n}}", "ascend910b"
        ).module.body.ops
        if isinstance(op, ascend.KernelOp)
    ]
    here, there = Parts(), Parts()
    first, second = (unpacked(packed([kernel], here), there) for kernel in two)
    assert [str(op) for op in (*first, *second)] == [str(op) for op in two]
    kinds = [{value.type for op in one.walk() for value in op.results} for one in (*first, *second)]
    shared = kinds[0] & kinds[1]
    assert shared
    for kind in shared:
        objects = {
            id(value.type)
            for one in (*first, *second)
            for op in one.walk()
            for value in op.results
            if value.type == kind
        }
        assert len(objects) == 1
