"""What is added to the taps of a window is added to the sum that is ready first."""

import pytest

import ascend_opt
from ascend_opt.compiler.api import compile_until
from ascend_opt.dialects import tile
from ascend_opt.passes.cost.tap_sums import Instruction, barriers, exchanged, exchanges


def one(name: str, sources: str, result: str, types: str = "") -> Instruction:
    """`types`: a letter for each source, then for the result; else all are alike."""
    read = tuple(sources.split())
    return Instruction(name, read, result, tuple(types or "t" * (len(read) + 1)))


def taps(count: int) -> list[Instruction]:
    """So many taps in two sums, their total, a row that is added to it, and what reads that."""
    sums, steps = ["a0", "b0"], [one("vmul", "x w", "a0"), one("vmul", "x w", "b0")]
    for i in range(count - 2):
        name = "ab"[i % 2]
        steps.append(one("vmadd", f"x w {sums[i % 2]}", f"{name}{i + 1}"))
        sums[i % 2] = f"{name}{i + 1}"
    steps += [one("vadd", " ".join(sums), "total"), one("vadd", "total row", "sum", "trt")]
    return [*steps, one("vrelu", "sum", "result")]


def test_the_sum_with_a_tap_less_takes_the_row():
    """9 taps: it is ready a round earlier."""
    steps = taps(9)
    (found,) = exchanges(steps)
    after = exchanged(steps, found)
    assert after[-3].sources == ("b6", "row") and after[-2].sources == ("a7", "total")
    assert barriers(after) == barriers(steps) - 1


def test_sums_of_equal_length_stay():
    """Both are ready at the same time: the row would wait as long."""
    assert not exchanges(taps(8))


@pytest.mark.parametrize(
    "change",
    (
        [one("vrelu", "total", "other")],  # the total has another reader
        [one("vrelu", "row", "other")],  # and has not
    ),
)
def test_a_total_that_others_read_stays(change: list[Instruction]):
    assert bool(exchanges([*taps(9), *change])) == ("total" not in change[0].sources)


def test_a_row_that_comes_later_is_added_later():
    """And so is what is computed from the taps."""
    steps = taps(9)
    assert not exchanges([*steps[:-3], one("vrelu", "z", "row", "rr"), *steps[-3:]])


@pytest.mark.parametrize(
    ("at", "other"),
    (
        (-3, one("vmax", "a7 b6", "total")),
        (-3, one("vadd", "a7 b6", "total", "trt")),
        (-2, one("vsub", "total row", "sum", "trt")),
        (-2, one("vadd", "total row", "sum", "trr")),
        (-2, one("vadd", "total total", "sum")),
    ),
)
def test_what_is_no_sum_of_one_type_keeps_its_order(at: int, other: Instruction):
    steps = taps(9)
    assert exchanges(steps) and steps[at].result == other.result
    steps[at] = other
    assert not exchanges(steps)


def test_a_row_that_comes_between_both_sums_is_added_later():
    """The first sum would wait for it."""
    steps = taps(9)
    assert [step.result for step in steps[-5:-3]] == ["b6", "a7"]
    assert not exchanges([*steps[:-4], one("vrelu", "z", "row", "rr"), *steps[-4:]])


def test_plain_sums_keep_their_order():
    """Only taps have no order of their own."""
    steps = [one("vmul", "x w", "b"), one("vexp", "x", "c"), one("vexp", "c", "a")]
    assert not exchanges([*steps, one("vadd", "a b", "total"), one("vadd", "total row", "sum", "trt")])


GRAPH = """graph @f(%x: tensor<2x32x14x14xf16>, %w: tensor<32x1x3x3xf16> {weight}, %b: tensor<32xf16>) {
  %0 = conv2d(%x, %w) {pads = [1, 1, 1, 1], groups = 32, fuse = "a"}
  %1 = bias_add(%0, %b) {fuse = "a"}
  %y = relu(%1) {fuse = "a"}
  return %y
}"""


@pytest.mark.parametrize("chip", ("ascend910", "ascend910b1"))
def test_a_bias_behind_a_depthwise_convolution(chip: str):
    """The first of the two sums of its kernel adds the row, the second one adds up the taps."""
    program = ascend_opt.compile(GRAPH, target=chip, tune=1)
    found = [op for op in compile_until(program, "tile").walk() if isinstance(op, tile.VecOp)]
    first, second = (op for op in found if op.instruction.data == "vadd")
    assert not isinstance(first.sources[1].owner, tile.VecOp)
    assert second.sources[1] is first.result and isinstance(second.sources[0].owner, tile.VecOp)
