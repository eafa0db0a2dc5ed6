"""The numbers between which a computed index lies are those that it takes."""

from itertools import product
from typing import Any

import pytest
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, SSAValue

from ascend_opt.passes.index_arithmetic import function_of
from ascend_opt.passes.index_ranges import ANY, range_of

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


def trips(end: int, step: int = 1) -> SSAValue:
    """The index of a loop."""
    body = Block(arg_types=[IndexType()])
    scf.ForOp(constant(0), constant(end), constant(step), [], body)
    return body.args[0]


@pytest.mark.parametrize("kind", KINDS)
def test_all_that_an_op_computes_is_in_its_range(kind: Any):
    """Both ends are reached, but by a remainder."""
    for right in (constant(3), *([] if kind in KINDS[5:] else [trips(4)])):
        op = kind(trips(6), right, IndexType())
        others = [3] if isinstance(right.owner, arith.ConstantOp) else range(4)
        found = [function_of(op)(a, b) for a, b in product(range(6), others)]
        assert range_of(op.results[0]) == (min(found), max(found))


def test_rows_that_a_tile_keeps():
    """5 lines less those that the next tile begins early with, of which there are one at most."""
    left = arith.MinSIOp(trips(100), constant(1)).result
    lines = arith.SubiOp(constant(5), left).result
    assert range_of(arith.MuliOp(lines, constant(14)).result) == (56, 70)


def test_what_comes_from_elsewhere_may_be_anything():
    (number,) = Block(arg_types=[IndexType()]).args
    assert range_of(number) == ANY
    assert range_of(arith.MaxSIOp(number, constant(0)).result)[0] == 0
    assert range_of(arith.DivUIOp(arith.MaxSIOp(number, constant(0)).result, constant(2)).result)[0] == 0
    assert range_of(arith.MuliOp(number, constant(2)).result) == ANY
    assert range_of(arith.DivUIOp(constant(7), number).result) == ANY
