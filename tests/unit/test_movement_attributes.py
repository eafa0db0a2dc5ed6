"""Ops that move elements: shapes that are inferred, attributes that make no sense, what canonicalisation drops."""

import re

import pytest

import ascend_opt
from ascend_opt.compiler.api import CompileError, compile_until
from ascend_opt.dialects.graph.slicing import slice_parts


def _text(operation: str, shape: str = "4x6xf16") -> str:
    return f"graph @f(%x: tensor<{shape}>) {{\n  %y = {operation}\n  return %y\n}}"


MISTAKES = {
    "transpose(%x) {perm = [0, 0]}": "perm [0, 0] must name each dimension of 4x6 once",
    "transpose(%x) {perm = [1]}": "perm [1] must name each dimension of 4x6 once",
    "slice(%x) {starts = [0, 1], ends = [2]}": "of one length, got 2 starts, 1 ends",
    "slice(%x) {starts = [0], ends = [2], axes = [2]}": "axes [2] must name dimensions in [-2, 2)",
    "slice(%x) {starts = [0, 0], ends = [2, 2], axes = [0, -2]}": "each once",
    "slice(%x) {starts = [0], ends = [2], steps = [0]}": "step 0 along axis 0 must be positive or negative",
    "split(%x) {axis = 1, sizes = [7, -1]}": "sizes [7, -1] must be 0 or more",
    "concat(%x, %x) {axis = 2}": "axis 2 must lie in [-2, 2)",
    "split(%x) {axis = 1, sizes = [2, 3]}": "add up to the 6 elements of axis 1",
    "pad(%x) {pads = [1, 1]}": "pads [1, 1] must be two sizes of 0 or more",
    "pad(%x) {pads = [0, -1, 0, 0]}": "pads [0, -1, 0, 0] must be two sizes of 0 or more",
    "broadcast(%x) {shape = [4, 5]}": "4x6 does not broadcast to shape [4, 5]",
    "tile(%x) {repeats = [2]}": "repeats [2] must be 0 or more for each dimension",
    "space_to_depth(%x) {block = 2}": "x must be [N, C, H, W], got 4x6",
    "depth_to_space(%x) {block = 2}": "x must be [N, C, H, W], got 4x6",
}


@pytest.mark.parametrize("operation", MISTAKES)
def test_attributes_that_make_no_sense(operation: str):
    with pytest.raises(CompileError, match=re.escape(MISTAKES[operation])) as error:
        ascend_opt.compile(_text(operation), "ascend910", tune=1)
    assert str(error.value).startswith("<string>:2:")


def test_operands_that_do_not_join():
    text = "graph @f(%x: tensor<4x6xf16>, %z: tensor<3x6xf16>) {\n  %y = concat(%x, %z) {axis = 1}\n  return %y\n}"
    with pytest.raises(CompileError, match="operand 1 is 3x6, which does not join 4x6 along axis 1"):
        ascend_opt.compile(text, "ascend910", tune=1)


@pytest.mark.parametrize(
    ("start", "end", "step", "expected"),
    [
        (0, 2**63 - 1, 1, (0, 10, 1)),
        (-3, 2**63 - 1, 1, (7, 3, 1)),
        (-(2**63), -1, 4, (0, 3, 4)),
        (2, -1, 3, (2, 3, 3)),
        (9, 100, 7, (9, 1, 7)),
        (9, -11, -1, (9, 10, -1)),
        (100, -(2**63), -4, (9, 3, -4)),
        (-2, 3, -2, (8, 3, -2)),
        (4, 3, -1, (4, 1, 1)),
    ],
)
def test_slice_bounds_as_in_onnx(start: int, end: int, step: int, expected: tuple[int, int, int]):
    attributes = {"starts": (start,), "ends": (end,), "axes": (-1,), "steps": (step,)}
    assert slice_parts((2, 10), attributes) == [(0, 2, 1), expected]
    assert len(range(10)[start:end:step]) == expected[1]


def test_a_backward_slice_starts_within_the_dimension():
    """As in ONNX, where numpy takes nothing."""
    attributes = {"starts": (-100,), "ends": (-200,), "axes": (1,), "steps": (-1,)}
    assert slice_parts((2, 10), attributes)[1] == (0, 1, 1)


IDLE = [
    "transpose(%x) {perm = [0, 1]}",
    "slice(%x) {starts = [0, -6], ends = [4, 9223372036854775807]}",
    "concat(%x) {axis = 0}",
    "pad(%x) {pads = [0, 0, 0, 0], value = 3.0}",
    "broadcast(%x) {shape = [4, 6]}",
]


@pytest.mark.parametrize("operation", IDLE)
def test_moves_that_change_nothing_are_dropped(operation: str):
    text = _text(operation).replace("return %y", "%z = relu(%y)\n  return %z")
    program = ascend_opt.compile(text, "ascend910", tune=1)
    kernels = [op for op in compile_until(program, "tile").walk() if op.name == "tile.kernel"]
    assert len(kernels) == 1


def test_a_whole_slice_backwards_is_none_of_them():
    text = _text("slice(%x) {starts = [-1], ends = [-9], axes = [1], steps = [-1]}")
    program = ascend_opt.compile(text, "ascend910", tune=1)
    assert "tile.kernel" in [op.name for op in compile_until(program, "tile").walk()]


def test_two_transposes_are_one_and_single_dimensions_move_for_nothing():
    back = _text("transpose(%x) {perm = [1, 0]}\n  %z = transpose(%y) {perm = [1, 0]}\n  %r = relu(%z)")
    moved = _text("transpose(%x) {perm = [0, 2, 1]}", "3x1x8xf16")
    for text, count in ((back.replace("return %y", "return %r"), 1), (moved, 0)):
        program = ascend_opt.compile(text, "ascend910", tune=1)
        kernels = [op for op in compile_until(program, "tile").walk() if op.name == "tile.kernel"]
        assert len(kernels) == count
        assert "transpose" not in str(kernels)
