"""The numbers between which a computed index lies are those that it takes."""

from itertools import product
from math import inf
from typing import Any

import pytest
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, SSAValue

from ascend_opt.passes.analysis.index_arithmetic import function_of
from ascend_opt.passes.analysis.index_ranges import ANY, range_of

KINDS = (
    arith.AddiOp,
    arith.SubiOp,
    arith.MuliOp,
    arith.MinSIOp,
    arith.MaxSIOp,
    arith.DivUIOp,
    arith.RemUIOp,
)


def constant(value: int) -> SSAValue:
    return arith.ConstantOp.from_int_and_width(value, IndexType()).result


def trips(end: int, first: SSAValue | None = None) -> SSAValue:
    """The index of a loop."""
    body = Block(arg_types=[IndexType()])
    scf.ForOp(constant(0) if first is None else first, constant(end), constant(1), [], body)
    return body.args[0]


def shifted(value: SSAValue, by: int) -> SSAValue:
    return arith.AddiOp(value, constant(by)).result


@pytest.mark.parametrize("kind", KINDS)
def test_all_that_an_op_computes_is_in_its_range(kind: Any):
    """Both ends are reached, but by a remainder."""
    for right in (constant(3), *([] if kind in KINDS[5:] else [trips(4)])):
        op = kind(trips(6), right, IndexType())
        others = [3] if isinstance(right.owner, arith.ConstantOp) else range(4)
        found = [function_of(op)(a, b) for a, b in product(range(6), others)]
        assert range_of(op.results[0]) == (min(found), max(found))


@pytest.mark.parametrize("kind", KINDS[:5])
def test_numbers_below_zero_are_in_the_range_too(kind: Any):
    """And so is what comes of them."""
    op = kind(shifted(trips(6), -3), shifted(trips(4), -2), IndexType())
    found = [function_of(op)(a, b) for a, b in product(range(-3, 3), range(-2, 2))]
    low, high = range_of(op.results[0])
    assert low <= min(found) and max(found) <= high


@pytest.mark.parametrize("kind", KINDS[5:])
def test_what_is_divided_is_no_less_than_zero_and_by_one_number(kind: Any):
    negative, several = shifted(trips(6), -3), shifted(trips(4), 1)
    assert range_of(kind(negative, constant(3), IndexType()).results[0]) == ANY
    assert range_of(kind(trips(6), several, IndexType()).results[0]) == ANY


def test_a_remainder_is_less_than_the_divisor_and_no_more_than_what_is_divided():
    assert range_of(arith.RemUIOp(trips(2), constant(3)).result) == (0, 1)
    assert range_of(arith.RemUIOp(shifted(trips(6), 2), constant(3)).result) == (0, 2)


def test_trips_begin_with_the_least_of_their_first():
    assert range_of(trips(6, shifted(trips(3), 1))) == (1, 5)


def test_what_a_loop_carries_may_be_anything():
    body = Block(arg_types=[IndexType(), IndexType()])
    scf.ForOp(constant(0), constant(4), constant(1), [constant(9)], body)
    assert range_of(body.args[0]) == (0, 3) and range_of(body.args[1]) == ANY


def test_rows_that_a_tile_keeps():
    """5 lines less those that the next tile begins early with, of which there are one at most."""
    left = arith.MinSIOp(trips(100), constant(1)).result
    lines = arith.SubiOp(constant(5), left).result
    assert range_of(arith.MuliOp(lines, constant(14)).result) == (56, 70)


def test_what_comes_from_elsewhere_may_be_anything():
    (number,) = Block(arg_types=[IndexType()]).args
    assert range_of(number) == ANY
    positive = arith.MaxSIOp(number, constant(0)).result
    assert range_of(positive) == (0, inf)
    assert range_of(arith.DivUIOp(positive, constant(2)).result) == (0, inf)
    assert range_of(arith.MuliOp(positive, trips(4)).result) == (0, inf)
    assert range_of(arith.MuliOp(positive, constant(0)).result) == (0, 0)
    assert range_of(arith.MuliOp(number, constant(2)).result) == ANY
    assert range_of(arith.DivUIOp(constant(7), number).result) == ANY
