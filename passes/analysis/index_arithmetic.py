"""What ops on indices do, for numbers and for arrays of them: those that say where the views of a kernel lie."""

from collections.abc import Callable
from operator import add, eq, ge, gt, le, lt, mod, mul, ne, sub
from typing import Any

from xdsl.dialects import arith
from xdsl.ir import Operation

_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "arith.addi": add,
    "arith.subi": sub,
    "arith.muli": mul,
    "arith.divui": lambda a, b: a // b,
    "arith.remui": mod,
    "arith.minsi": min,
    "arith.maxsi": max,
}

_PREDICATES: tuple[Callable[[int, int], bool], ...] = (eq, ne, lt, le, gt, ge, lt, le, gt, ge)
"""Of `arith.cmpi`, in the order of its predicates; indices are never negative when compared as unsigned."""

COMPUTED = frozenset((*_ARITHMETIC, "arith.cmpi"))
"""The names of these ops."""


def function_of(op: Operation) -> Callable[[int, int], int]:
    """What an op in `COMPUTED` does with its operands."""
    return _PREDICATES[op.predicate.value.data] if isinstance(op, arith.CmpiOp) else _ARITHMETIC[op.name]


def at_once(function: Callable[[int, int], int]) -> Callable[..., Any]:
    """The same for arrays."""
    import numpy as np

    others: dict[Callable[..., Any], Callable[..., Any]] = {min: np.minimum, max: np.maximum}
    return others.get(function, function)
