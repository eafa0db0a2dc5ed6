"""Ops of index arithmetic, whose attributes and types are made once."""

from collections.abc import Callable
from functools import cache

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Operation, SSAValue

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
    given, kind = dict(example.properties), _bit()
    return lambda a, b: arith.CmpiOp.create(operands=[a, b], result_types=[kind], properties=given.copy())


@cache
def _bit() -> Attribute:
    return IntegerType(1)


__all__ = ["Arithmetic", "arithmetic", "comparison", "index_constant"]
