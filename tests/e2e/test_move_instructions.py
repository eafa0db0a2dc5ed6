"""Instructions that moves take: what DMA brings alone, and what the Vector unit sets or converts for them."""

import numpy as np
import pytest
from fused_graphs import check

import ascend_opt
from ascend_opt.dialects import ascend
from ascend_opt.passes.lowering.product.prefetch import buffer_of


def _vector_work(text: str, chip: str) -> list[tuple[str, str]]:
    """Instructions of the Vector unit, each with the label of the buffer that it writes."""
    found: list[tuple[str, str]] = []
    for op in ascend_opt.compile(text, target=chip, tune=1).module.walk():
        if isinstance(op, ascend.VecOp | ascend.TransposeOp):
            buffer = buffer_of(op.destination)
            label = "" if buffer is None or buffer.label is None else buffer.label.data
            found.append((op.instruction.data if isinstance(op, ascend.VecOp) else "transpose", label))
    return found


@pytest.mark.parametrize("shapes", ["1024x48, 1024x5", "256x16, 256x16", "40x16, 40x32, 40x11"])
def test_parts_that_begin_on_blocks_come_by_dma_alone(shapes: str):
    """The last one may end anywhere."""
    parts = shapes.split(", ")
    arguments = ", ".join(f"%x{i}: tensor<{shape}xf16>" for i, shape in enumerate(parts))
    names = ", ".join(f"%x{i}" for i in range(len(parts)))
    text = f"graph @f({arguments}) {{\n  %y = concat({names}) {{axis = 1}}\n  return %y\n}}"
    assert _vector_work(text, "ascend910b") == []
    check(text, "ascend910b")


def test_what_a_transpose_writes_whole_is_not_set_before():
    text = "graph @f(%x: tensor<40x48xf32>) {\n  %t = transpose(%x) {perm = [1, 0]}\n  %y = abs(%t)\n  return %y\n}"
    assert ("vdup", "operand") not in _vector_work(text, "ascend910b")


def test_what_is_set_around_a_tensor_is_set_once():
    """The whole tile is, so the ends of its rows, of which DMA leaves half a block, are not set again."""
    text = "graph @f(%x: tensor<64x32xf32>) {\n  %y = pad(%x) {pads = [0, 0, 0, 5]}\n  return %y\n}"
    assert _vector_work(text, "ascend910b").count(("vdup", "operand")) == 1
    check(text, "ascend910b", "f32")


@pytest.mark.parametrize("rows", [1, 5, 15])
def test_few_rows_take_one_instruction_each(rows: int):
    """Rows whose pitch is no multiple of 32 B: where there are fewer than lie between two that are whole blocks apart,
    no instruction is for none."""
    text = f"graph @f(%x: tensor<{rows}x7xf16>) {{\n  %y = reduce_sum(%x) {{axes = [0]}}\n  return %y\n}}"
    _, result = check(text, "ascend910")
    (kernel,) = result.profile.kernels
    assert kernel.cores == 1 and kernel.pipes["MTE2"].instructions == rows


@pytest.mark.parametrize("chip", ["ascend910b", "ascend950"])
def test_parts_of_a_type_that_is_converted_to_be_computed(chip: str):
    """Elements are moved in the type in which they are stored."""
    text = """graph @f(%x: tensor<8x17x1xbf16>, %z: tensor<8x17x7xbf16>) {
      %y = concat(%x, %x, %z, %x) {axis = 2}
      return %y
    }"""
    program = ascend_opt.compile(text, target=chip, tune=1)
    x, z = (np.arange(8 * 17 * n).reshape(8, 17, n) for n in (1, 7))
    found = program.run(x=x, z=z).outputs["output0"]
    x, z = (a.astype(found.dtype) for a in (x, z))
    assert np.array_equal(found, np.concatenate([x, x, z, x], axis=2))
    assert not any(name == "vconv" for name, _ in _vector_work(text, chip))
