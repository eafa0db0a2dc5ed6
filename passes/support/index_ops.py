"""Ops of index arithmetic, whose attributes and types are made once."""

from collections.abc import Callable
from functools import cache

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, SSAValue

from ...dialects.shared_attributes import INDEX, index_attribute

Arithmetic = Callable[[SSAValue, SSAValue], Operation]
"""Makes an op of two indices."""


def index_constant(value: int) -> arith.ConstantOp:
    """A number as a value."""
    return arith.ConstantOp.create(result_types=[INDEX], properties={"value": index_attribute(value)})


@cache
def arithmetic(kind: type[arith.SignlessIntegerBinaryOperation]) -> Arithmetic:
    """What makes ops of a kind; one result, an index."""
    zero = index_constant(0).result
    given = dict(kind(zero, zero).properties)
    return lambda a, b: kind.create(operands=[a, b], result_types=[INDEX], properties=given.copy())


@cache
def comparison(predicate: str) -> Arithmetic:
    """What makes comparisons of indices."""
    zero = index_constant(0).result
    example = arith.CmpiOp(zero, zero, predicate)
    given = dict(example.properties)
    return lambda a, b: arith.CmpiOp.create(operands=[a, b], result_types=[i1], properties=given.copy())


__all__ = ["Arithmetic", "arithmetic", "comparison", "index_constant"]
