"""Slices with negative steps by value: numpy's own indexing is the oracle."""

# pyright: basic

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import CompileError
from ascend_opt.dialects.storage_types import numpy_dtype

CHIPS = ("ascend910", "ascend310p", "ascend910b1", "ascend950")
FIRST = -(2**63)
BACK = f"starts = [-1], ends = [{FIRST}], steps = [-1]"


def graph(x: str, *lines: str) -> str:
    return f"graph @f(%x: tensor<{x}>) {{\n" + "\n".join(f"  {line}" for line in lines) + "\n  return %y\n}"


CASES = {
    "columns": (graph("4x8xf16", "%y = slice(%x) {starts = [7], ends = [-9], axes = [1], steps = [-1]}"),
                lambda x: x[:, ::-1]),
    "rows, held to the tensor": (graph("9x37xf16", "%0 = slice(%x) {starts = [100], ends = [-100], steps = [-2]}",
                                       "%y = relu(%0)"), lambda x: np.maximum(x[8::-2], 0)),
    "start before the first": (graph("9x37xf16", "%y = slice(%x) {starts = [-40], ends = [-50], steps = [-1]}"),
                               lambda x: x[:1]),
    "channels before a window": (graph("2x3x14x20xf16", f"%0 = slice(%x) {{{BACK}, axes = [1]}}",
                                       "%y = max_pool2d(%0) {kernel = [2, 2], strides = [2, 2]}"),
                                 lambda x: x[:, ::-1].reshape(2, 3, 7, 2, 10, 2).max((3, 5))),
    "image before a window": (graph("2x3x14x20xf16", f"%0 = slice(%x) {{{BACK}, axes = [3]}}",
                                    "%y = max_pool2d(%0) {kernel = [2, 2], strides = [2, 2]}"),
                              lambda x: x[..., ::-1].reshape(2, 3, 7, 2, 10, 2).max((3, 5))),
    "several axes": (graph("6x9x20xf16", "%y = slice(%x) {starts = [5, 1, -2], ends = [0, 8, -100], "
                           "axes = [0, 1, 2], steps = [-2, 3, -3]}"), lambda x: x[5:0:-2, 1:8:3, -2::-3]),
    "through transposes": (graph("20x64xf16", "%0 = transpose(%x) {perm = [1, 0]}",
                                 "%1 = slice(%0) {starts = [-3], ends = [5], axes = [0], steps = [-1]}",
                                 "%y = transpose(%1) {perm = [1, 0]}"), lambda x: x[:, -3:5:-1]),
    "vector": (graph("1000xf16", "%y = slice(%x) {starts = [-1], ends = [-9999], steps = [-7]}"),
               lambda x: x[::-7]),
    "one element": (graph("9x37xf16", "%y = slice(%x) {starts = [3], ends = [2], axes = [1], steps = [-1]}"),
                    lambda x: x[:, 3:4]),
    "twice": (graph("4x40xf16", f"%0 = slice(%x) {{{BACK}, axes = [1]}}", f"%y = slice(%0) {{{BACK}, axes = [1]}}"),
              lambda x: x),
    "f32": (graph("9x37xf32", "%y = slice(%x) {starts = [30, 8], ends = [2, 1], axes = [1, 0], steps = [-3, -1]}"),
            lambda x: x[8:1:-1, 30:2:-3]),
    "mask": (graph("9x37xi1", "%0 = slice(%x) {starts = [30, 8], ends = [2, 1], axes = [1, 0], steps = [-3, -1]}",
                   "%y = logical_not(%0)"), lambda x: ~x[8:1:-1, 30:2:-3]),
}  # fmt: skip


@pytest.mark.sweep(2)
@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", CASES)
def test_values(name: str, chip: str, fuse: bool):
    text, wanted = CASES[name]
    program = ascend_opt.compile(text, target=chip, fuse=fuse, tune=1)
    kind = program.inputs["x"]
    x = np.random.default_rng(0).standard_normal(kind.shape)
    x = x > 0 if str(kind.element_type) == "i1" else x.astype(numpy_dtype(kind.element_type))
    (found,) = program.run(x=x).outputs.values()
    np.testing.assert_array_equal(found, wanted(x))


@pytest.mark.parametrize("chip", CHIPS)
def test_operands_of_a_product(chip: str):
    """K of both sides backwards is the product itself; the weight is turned before the first run."""
    text = f"""graph @f(%x: tensor<20x64xf16>, %w: tensor<64x48xf16> {{weight}}) {{
  %0 = slice(%x) {{{BACK}, axes = [1]}}
  %1 = slice(%w) {{{BACK}, axes = [0]}}
  %y = matmul(%0, %1)
  return %y
}}"""
    rng = np.random.default_rng(0)
    x, w = (rng.standard_normal(s).astype(np.float16) for s in ((20, 64), (64, 48)))
    (found,) = ascend_opt.compile(text, target=chip, tune=1).run(x=x, w=w).outputs.values()
    wanted = x.astype(np.float64) @ w
    assert np.linalg.norm(found - wanted) <= 1e-3 * np.linalg.norm(wanted)


@pytest.mark.parametrize("axis", [1, 3])
@pytest.mark.parametrize("chip", CHIPS[::2])
def test_any_size(chip: str, axis: int):
    text = graph("?x3x16x20xf16", f"%0 = slice(%x) {{{BACK}, axes = [{axis}]}}", "%y = relu(%0)")
    program = ascend_opt.compile(text, target=chip, tune=1)
    for size in (1, 5):
        x = np.random.default_rng(size).standard_normal((size, 3, 16, 20)).astype(np.float16)
        (found,) = program.run(x=x).outputs.values()
        np.testing.assert_array_equal(found, np.maximum(np.flip(x, axis), 0))


def test_the_dynamic_dimension_has_no_end():
    with pytest.raises(CompileError, match=r"2:8: error: graph.slice: results depend on all of the dynamic"):
        ascend_opt.compile(graph("?x8xf16", f"%y = slice(%x) {{{BACK}}}"), target="ascend910b1", tune=1)


@pytest.mark.parametrize("chip", ["ascend910b", "ascend310p"])
def test_the_dynamic_dimension_at_each_size_of_a_range(chip: str):
    """A slice that goes forwards behind it, and an op next to it, know that it turns the rows."""
    lines = (
        f"%0 = slice(%x) {{{BACK}}}",
        "%1 = slice(%0) {starts = [1], ends = [6], axes = [1]}",
        "%2 = slice(%x) {starts = [1], ends = [6], axes = [1]}",
        "%y = sub(%1, %2)",
    )
    program = ascend_opt.compile(graph("?x7xf16", *lines), target=chip, tune=1, dynamic_range=(1, 10))
    for size in range(1, 11):
        x = np.random.default_rng(size).standard_normal((size, 7)).astype(np.float16)
        (found,) = program.run(x=x).outputs.values()
        np.testing.assert_array_equal(found, x[::-1, 1:6] - x[:, 1:6])
