"""What the scalar unit computes: text for whole numbers that a program computes as it goes, functions for the rest.

Whole numbers are Python's, which no program here lets grow past what the unit has. Other numbers are rounded to their
type by each op, as the unit does.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Attribute, Operation

from ..machine.memory import NUMPY_TYPES

if TYPE_CHECKING:
    import numpy as np
else:
    from ..support.late import np

Function = Callable[..., Any]

BINARY: dict[type[Operation], str] = {
    arith.AddiOp: "({0} + {1})",
    arith.SubiOp: "({0} - {1})",
    arith.MuliOp: "({0} * {1})",
    arith.AndIOp: "({0} & {1})",
    arith.OrIOp: "({0} | {1})",
    arith.XOrIOp: "({0} ^ {1})",
    arith.ShLIOp: "({0} << {1})",
    arith.ShRSIOp: "({0} >> {1})",
    arith.ShRUIOp: "({0} >> {1})",
    arith.FloorDivSIOp: "({0} // {1})",
    arith.DivUIOp: "({0} // {1})",
    arith.CeilDivSIOp: "-(-{0} // {1})",
    arith.CeilDivUIOp: "-(-{0} // {1})",
    arith.RemUIOp: "({0} % {1})",
    arith.DivSIOp: "truncated_div({0}, {1})",
    arith.RemSIOp: "truncated_rem({0}, {1})",
    arith.MinSIOp: "({0} if {0} < {1} else {1})",
    arith.MinUIOp: "({0} if {0} < {1} else {1})",
    arith.MaxSIOp: "({0} if {0} > {1} else {1})",
    arith.MaxUIOp: "({0} if {0} > {1} else {1})",
}
# arith.cmpi's predicates in order; index values here are never negative when compared as unsigned
PREDICATES = ("==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">=")
SAME = (arith.IndexCastOp, arith.ExtUIOp, arith.ExtSIOp, arith.TruncIOp)
"""Ops that leave a whole number as it is."""


def truncated_div(a: int, b: int) -> int:
    """Rounded to zero; by zero it is 0: what the unit gives is not published, and compilers choose something else."""
    if b == 0:
        return 0
    return a // b if (a >= 0) == (b > 0) else -(-a // b)


def truncated_rem(a: int, b: int) -> int:
    return a - truncated_div(a, b) * b


_ROOTS = {
    "arith.addf": "add", "arith.subf": "subtract", "arith.mulf": "multiply", "arith.divf": "divide",
    "arith.maximumf": "maximum", "arith.minimumf": "minimum", "arith.maxnumf": "fmax", "arith.minnumf": "fmin",
    "arith.negf": "negative", "math.sqrt": "sqrt", "math.absf": "absolute", "math.exp": "exp", "math.log": "log",
}  # fmt: skip
"""By the op's name, which needs no import of its dialect, numpy's name of what it computes."""
_INVERSE_ROOT = "math.rsqrt"
_CASTS = (arith.ExtFOp, arith.TruncFOp, arith.SIToFPOp, arith.UIToFPOp, arith.FPToSIOp, arith.FPToUIOp)
_ORDERED = ("equal", "greater", "greater_equal", "less", "less_equal", "not_equal")


def type_of(kind: Attribute) -> str:
    """The element type that a number of the program is kept as."""
    text = str(kind)
    return "i64" if text == "index" else text


def _made(dtype: str) -> Function:
    """Numbers of a type: whole ones wrap around."""
    made = NUMPY_TYPES[dtype]
    if dtype == "i1":
        return bool
    if not dtype.startswith("i"):
        return made
    bits = int(dtype[1:])
    half = 1 << bits - 1

    def whole(value: Any) -> int:
        number = int(value) if isinstance(value, int) or np.isfinite(value) else -half
        return (number + half & (1 << bits) - 1) - half

    return whole


def _compared(op: arith.CmpfOp) -> Function:
    number: int = op.predicate.value.data
    if number in (0, 15):
        return _always(number == 15)
    if number in (7, 14):
        return _not_a_number(number == 14)
    ordered = number < 7
    of = getattr(np, _ORDERED[(number - 1) % 7])

    def compare(a: Any, b: Any) -> bool:
        if np.isnan(a) or np.isnan(b):
            return not ordered
        return bool(of(a, b))

    return compare


def _always(answer: bool) -> Function:
    def compare(a: Any, b: Any) -> bool:
        return answer

    return compare


def _not_a_number(answer: bool) -> Function:
    def compare(a: Any, b: Any) -> bool:
        return bool(np.isnan(a) or np.isnan(b)) == answer

    return compare


def is_arithmetic(op: Operation) -> bool:
    """Whether a function gives what an op computes."""
    known = (*BINARY, *SAME, *_CASTS, arith.CmpfOp, arith.CmpiOp, arith.SelectOp)
    return type(op) in known or op.name in _ROOTS or op.name == _INVERSE_ROOT


def function_of(op: Operation) -> Function:
    """What an op computes of numbers, of the type of its result."""
    kind = type(op)
    made = _made(type_of(op.results[0].type))
    if isinstance(op, arith.CmpfOp):
        return _compared(op)
    if isinstance(op, arith.SelectOp):
        return _select
    if isinstance(op, arith.CmpiOp):
        return cast(Function, eval(f"lambda a, b: a {PREDICATES[op.predicate.value.data]} b"))
    if kind in BINARY:
        names = {"truncated_div": truncated_div, "truncated_rem": truncated_rem}
        whole: Function = eval(f"lambda a, b: {BINARY[kind].format('int(a)', 'int(b)')}", names)
        return _after(made, whole)
    if kind in SAME or kind in _CASTS:
        return made
    if op.name == _INVERSE_ROOT:
        return _after(made, _inverse_root)
    return _after(made, getattr(np, _ROOTS[op.name]))


def _select(condition: Any, a: Any, b: Any) -> Any:
    return a if condition else b


def _inverse_root(a: Any) -> Any:
    return 1.0 / np.sqrt(np.float64(a))


def _after(made: Function, function: Function) -> Function:
    def run(*operands: Any) -> Any:
        return made(function(*operands))

    return run


def constant_of(value: Any, kind: Attribute) -> Any:
    """A constant as a number of its type."""
    if isinstance(kind, AnyFloat):
        return NUMPY_TYPES[str(kind)](value)
    return value & 1 if str(kind) == "i1" else value
