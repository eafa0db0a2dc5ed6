"""Numbers of a kernel that is specialised: known ones are Python's, the others values of the IR.

An integer of any width is an `index` there, a float an f32, a condition an i1.
"""

import operator
from collections.abc import Callable
from struct import pack, unpack
from typing import Any

from xdsl.dialects import arith
from xdsl.ir import Attribute, Operation, SSAValue

Idx = int | SSAValue
Flag = bool | SSAValue
Real = float | SSAValue
Number = int | float | bool | SSAValue


def truncated_div(a: int, b: int) -> int:
    """Quotient rounded to zero."""
    return a // b if (a >= 0) == (b > 0) else -(-a // b)


def truncated_rem(a: int, b: int) -> int:
    return a - truncated_div(a, b) * b


def wrapped(value: int, kind: Attribute) -> int:
    """What an integer type of the IR holds of a number; an index has 64 bits."""
    name = str(kind)
    bits = int(name[1:]) if name.startswith("i") and name[1:].isdigit() else 64
    low = value & ((1 << bits) - 1)
    return low - (1 << bits) if bits > 1 and low >> (bits - 1) else low


def single(value: float) -> float:
    """The f32 next to a number."""
    try:
        return float(unpack("<f", pack("<f", value))[0])
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _float_div(a: float, b: float) -> float:
    if b:
        return a / b
    return float("nan") if a == 0 or a != a else float("inf") if a > 0 else float("-inf")


INTEGER: dict[str, tuple[type[Operation], Callable[[int, int], int]]] = {
    "addi": (arith.AddiOp, operator.add),
    "subi": (arith.SubiOp, operator.sub),
    "muli": (arith.MuliOp, operator.mul),
    "divsi": (arith.DivSIOp, truncated_div),
    "divui": (arith.DivUIOp, lambda a, b: a // b),
    "remsi": (arith.RemSIOp, truncated_rem),
    "remui": (arith.RemUIOp, operator.mod),
    "floordivsi": (arith.FloorDivSIOp, lambda a, b: a // b),
    "ceildivsi": (arith.CeilDivSIOp, lambda a, b: -(-a // b)),
    "ceildivui": (arith.CeilDivUIOp, lambda a, b: -(-a // b)),
    "minsi": (arith.MinSIOp, min),
    "minui": (arith.MinUIOp, min),
    "maxsi": (arith.MaxSIOp, max),
    "maxui": (arith.MaxUIOp, max),
    "andi": (arith.AndIOp, lambda a, b: a & b),
    "ori": (arith.OrIOp, lambda a, b: a | b),
    "xori": (arith.XOrIOp, lambda a, b: a ^ b),
    "shli": (arith.ShLIOp, lambda a, b: a << b),
    "shrsi": (arith.ShRSIOp, lambda a, b: a >> b),
    "shrui": (arith.ShRUIOp, lambda a, b: a >> b),
}
"""Ops on integers and what they compute; the Vector and scalar units divide by rounding to zero."""
DIVIDES = frozenset({"divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui"})
NEUTRAL = {
    "addi": 0,
    "subi": 0,
    "muli": 1,
    "divsi": 1,
    "divui": 1,
    "floordivsi": 1,
    "ceildivsi": 1,
    "ori": 0,
    "xori": 0,
}
"""Second operands that leave the first one as it is."""

FLOAT: dict[str, tuple[type[Operation], Callable[[float, float], float]]] = {
    "addf": (arith.AddfOp, operator.add),
    "subf": (arith.SubfOp, operator.sub),
    "mulf": (arith.MulfOp, operator.mul),
    "divf": (arith.DivfOp, _float_div),
    "maximumf": (arith.MaximumfOp, lambda a, b: a if a != a or a > b else b),
    "minimumf": (arith.MinimumfOp, lambda a, b: a if a != a or a < b else b),
    "maxnumf": (arith.MaxnumfOp, lambda a, b: b if a != a else a if b != b or a > b else b),
    "minnumf": (arith.MinnumfOp, lambda a, b: b if a != a else a if b != b or a < b else b),
}

PREDICATES: tuple[tuple[str, Callable[[Any, Any], bool]], ...] = (
    ("eq", operator.eq),
    ("ne", operator.ne),
    ("slt", operator.lt),
    ("sle", operator.le),
    ("sgt", operator.gt),
    ("sge", operator.ge),
    ("ult", operator.lt),
    ("ule", operator.le),
    ("ugt", operator.gt),
    ("uge", operator.ge),
)
"""Those of `arith.cmpi`, in their order; what is compared as unsigned is not negative."""
