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


def test_marked_moves_are_not_copied() -> None:
    marked = HALVES.replace("perm = [1, 0, 2]", "perm = [1, 0, 2], nofuse")
    program, _ = check(marked, "ascend910b1")
    assert names(program)[0] == "transpose"
    assert names(program).count("transpose") == 1
