"""How far apart values of positions may be that are as good as each other, by numbers that are known: nothing is
compiled."""

# pyright: basic

import numpy as np
import pytest

from ascend_opt.compiler.checks.ties import picks_of, settled
from ascend_opt.compiler.pipeline.read_module import choose_function, read_module

COLUMNS = 40


def function_of(body, kind="f16"):
    text = f"graph @f(%x: tensor<2x{COLUMNS}x{kind}>) {{\n  %h = mul(%x, %x)\n{body}}}\n"
    return choose_function(read_module(text).module, "f")


def accepted(function, squares, got, want):
    """Which of the given positions pass for rows whose squares are the values."""
    shape = function.body.block.last_op.operands[0].type.get_shape()
    given, wanted = (np.asarray(positions, np.int32).reshape(shape) for positions in (got, want))
    (right,) = settled(function, {"x": np.sqrt(squares)}, [given], [wanted])
    return (right == given).reshape(np.shape(got)).tolist()


def rows(*values):
    """Two rows with some values by column, and zeros."""
    found = np.zeros((2, COLUMNS))
    for row, known in zip(found, values, strict=True):
        for column, value in known.items():
            row[column] = value
    return found


@pytest.mark.parametrize(("kind", "bound"), [("f16", 3e-3), ("f32", 1e-4)])
def test_values_are_alike_up_to_twice_the_bound_of_the_larger_one(kind, bound):
    """One of 40 values is large, so it counts and not the root mean square of its row."""
    best = function_of("  %y = argmax(%h)\n  return %y\n", kind)
    near, far = 1 - 1.8 * bound, 1 - 2.2 * bound
    values = rows({7: 1.0, 3: near, 5: far}, {7: 1.0, 3: near, 5: far})
    assert accepted(best, values, [[3], [5]], [[7], [7]]) == [[True], [False]]


def test_small_values_of_a_large_row_are_alike_by_its_size():
    least = function_of("  %n = neg(%h)\n  %y = argmax(%n)\n  return %y\n")
    values = np.ones((2, COLUMNS))
    values[:, :3], values[1, 5] = [1e-3, 5e-3, 9e-3], np.inf
    assert accepted(least, values, [[1], [2]], [[0], [0]]) == [[True], [False]]


def test_infinities_are_alike_and_nothing_is_like_them():
    best = function_of("  %y = argmax(%h)\n  return %y\n")
    values = rows({3: np.inf, 9: np.inf}, {3: np.inf, 9: 1.0})
    assert accepted(best, values, [[9], [9]], [[3], [3]]) == [[True], [False]]


def test_positions_beside_the_row_are_wrong_whatever_its_ends_hold():
    best = function_of("  %y = argmax(%h)\n  return %y\n")
    values = rows({COLUMNS - 1: 1.0}, {0: 1.0})
    assert accepted(best, values, [[COLUMNS], [-1]], [[COLUMNS - 1], [0]]) == [[False], [False]]


def test_equal_positions_of_two_rows_are_no_position_given_twice():
    best = function_of("  %y = argmax(%h)\n  return %y\n")
    values = rows({0: 1.0, 1: 1.0}, {0: 1.0, 1: 1.0})
    for got in ([[1], [0]], [[0], [1]], [[1], [1]]):
        assert accepted(best, values, got, [[0], [0]]) == [[True], [True]]


def test_the_second_position_is_judged_by_the_second_value():
    two = function_of("  %v, %y = topk(%h) {k = 2}\n  return %y\n")
    values = rows({0: 1.0, 1: 0.5, 2: 0.499}, {0: 1.0, 1: 0.5, 2: 0.4})
    assert accepted(two, values, [[0, 2], [0, 2]], [[0, 1], [0, 1]]) == [[True, True], [True, False]]
    assert accepted(two, values, [[1, 0], [0, 0]], [[0, 1], [0, 1]]) == [[False, False], [True, False]]


def test_a_position_that_is_as_good_is_not_given_twice():
    two = function_of("  %v, %y = topk(%h) {k = 2}\n  return %y\n")
    values = rows({0: 1.0, 1: 1.0}, {0: 1.0, 1: 1.0})
    assert accepted(two, values, [[1, 1], [1, 0]], [[0, 1], [0, 1]]) == [[False, True], [True, True]]


@pytest.mark.parametrize(
    "after",
    [
        "%z = add(%y, %y)",
        "%k = constant() {value = [[0], [1], [2]]} : tensor<3x1xi32>\n  %z = add(%y, %k)",
        "%z = mul(%y, %y)",
    ],
    ids=["sum", "broadcast", "product"],
)
def test_what_is_computed_of_positions_is_none(after):
    function = function_of(f"  %y = argmax(%h)\n  {after}\n  return %z\n")
    assert picks_of(function) == {}


@pytest.mark.parametrize(
    ("kind", "before", "exact"),
    [
        ("f16", "%h = neg(%x)", True),
        ("f16", "%h = relu(%x)", True),
        ("f16", "%h = reshape(%x) {shape = [40, 2]}", True),
        ("f16", "%h = cast(%x) {to = f32}", True),
        ("f32", "%h = cast(%x) {to = f16}", False),
        ("f16", "%h = exp(%x)", False),
        ("f16", "%h = add(%x, %x)", False),
    ],
)
def test_what_rounds_no_value_leaves_positions_exact(kind, before, exact):
    text = f"graph @f(%x: tensor<2x40x{kind}>) {{\n  {before}\n  %y = argmax(%h)\n  return %y\n}}\n"
    picks = picks_of(choose_function(read_module(text).module, "f"))
    assert list(picks) == ([] if exact else [0])
