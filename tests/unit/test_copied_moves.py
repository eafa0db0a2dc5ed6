"""Moves with several users: addresses in the kernels of all of them, or one kernel."""

import pytest
from fused_graphs import check

from ascend_opt.compiler.api import Program

HALVES = """graph @g(%x: tensor<8x40x64xf16>, %c: tensor<40x32xf16>, %s: tensor<40x32xf16>) {
  %t = transpose(%x) {perm = [1, 0, 2]}
  %a = slice(%t) {starts = [0], ends = [32], axes = [2]}
  %b = slice(%t) {starts = [32], ends = [64], axes = [2]}
  %0 = reshape(%c) {shape = [40, 1, 32]}
  %1 = reshape(%s) {shape = [40, 1, 32]}
  %2 = mul(%a, %0)
  %3 = mul(%b, %1)
  %4 = sub(%2, %3)
  %5 = mul(%b, %0)
  %6 = mul(%a, %1)
  %7 = add(%5, %6)
  %y = concat(%4, %7) {axis = 2}
  return %y
}"""
SHARED = """graph @g(%x: tensor<4x48x32xf16>, %w: tensor<4x32x16xf16>, %v: tensor<48x32x16xf16>) {
  %t = transpose(%x) {perm = [1, 0, 2]}
  %0 = matmul(%x, %w)
  %1 = matmul(%t, %v)
  return %0, %1, %t, %t
}"""


def names(program: Program) -> list[str]:
    lines = program.report().splitlines()
    return [line.split(":")[0].removeprefix("  kernel ") for line in lines if line.startswith("  kernel ")]


@pytest.mark.parametrize("chip", ["ascend910", "ascend310p", "ascend910b1", "ascend950"])
def test_rotary_embedding_of_transposed_heads_is_one_kernel(chip: str) -> None:
    program, _ = check(HALVES, chip)
    (name,) = names(program)
    assert name.startswith("transpose + slice + slice + mul"), "each move is named once"
    assert "13 ops -> 1 kernel" not in program.report() and "10 ops -> 1 kernel" in program.report()


def test_what_stays_apart_is_one_kernel() -> None:
    """A transpose that a product takes as an address and the graph returns twice."""
    program, _ = check(SHARED, "ascend910b1")
    assert names(program).count("transpose") == 1
    assert len(names(program)) == 3


RETURNED = """graph @g(%x: tensor<1x56x30x26xf16>, %z: tensor<1x8x30x26xf16>) {
  %a = exp(%x)
  %b = concat(%a, %z) {axis = 1}
  %c = slice(%b) {starts = [5], ends = [60], axes = [1]}
  %y = max_pool2d(%c) {kernel = [3, 3], strides = [2, 2]}
  return %y, %c
}"""


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b"])
def test_a_move_that_no_user_takes_joins_what_it_moves(chip: str) -> None:
    """A window does not take the slice, and the graph returns it: copies would each be another user of what is
    sliced."""
    program, _ = check(RETURNED, chip)
    assert names(program) == ["exp + concat + slice", "max_pool2d"]
    assert "its result is also used by graph" not in program.report()


TAKEN_ONCE = """graph @g(%x: tensor<64x96xf16>, %z: tensor<96x64xf16>) {
  %a = exp(%x)
  %t = transpose(%a) {perm = [1, 0]}
  %0 = mul(%t, %z)
  %1 = softmax(%t) {axis = 0}
  return %0, %1, %t, %t
}"""


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b"])
def test_users_that_take_a_move_keep_their_copy(chip: str) -> None:
    program, _ = check(TAKEN_ONCE, chip)
    assert sum("transpose" in name for name in names(program)) >= 2


def test_marked_moves_are_not_copied() -> None:
    marked = HALVES.replace("perm = [1, 0, 2]", "perm = [1, 0, 2], nofuse")
    program, _ = check(marked, "ascend910b1")
    assert names(program)[0] == "transpose"
    assert names(program).count("transpose") == 1
