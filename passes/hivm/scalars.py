"""What the scalar unit computes: integers, floats and conditions, folded where they are known."""

from collections.abc import Callable
from math import exp, fabs, log, sqrt

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    f32,
    i1,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ..support.errors import LocatedError
from .context import Context
from .numbers import DIVIDES, FLOAT, INTEGER, Flag, Number, single, wrapped
from .refs import Ref


def width_of(value: SSAValue) -> int:
    """The bits of an integer."""
    return int(str(value.type)[1:])


def is_flag(kind: Attribute) -> bool:
    return kind == i1


def constant(context: Context, op: Operation) -> None:
    """`arith.constant` of a number."""
    assert isinstance(op, arith.ConstantOp)
    value = op.value
    if isinstance(value, FloatAttr):
        context.values[op.result] = single(float(value.value.data))
    elif isinstance(value, IntegerAttr):
        number = value.value.data
        context.values[op.result] = bool(number) if is_flag(op.result.type) else number
    else:
        raise LocatedError(op, f"arith.constant: {value} is no number")


def integer(context: Context, op: Operation) -> None:
    """Arithmetic of two integers or conditions."""
    name = op.name.removeprefix("arith.")
    result = op.results[0]
    if is_flag(result.type):
        if name not in ("andi", "ori", "xori"):
            raise LocatedError(op, f"{op.name}: not taken of conditions")
        context.values[result] = context.emit.logic(name, *(context.flag(v) for v in op.operands))
        return
    a, b = (context.index(v) for v in op.operands)
    if name in DIVIDES and b == 0:
        raise LocatedError(op, f"{op.name}: divides by 0 with the arguments of this launch")
    found = context.emit.integer(name, a, b)
    context.values[result] = wrapped(found, result.type) if isinstance(found, int) else found


def floating(context: Context, op: Operation) -> None:
    """Arithmetic of two floats."""
    name = op.name.removeprefix("arith.")
    context.values[op.results[0]] = context.emit.real(name, *(context.real(v) for v in op.operands))


def compare(context: Context, op: Operation) -> None:
    assert isinstance(op, arith.CmpiOp)
    a, b = context.number(op.lhs), context.number(op.rhs)
    context.values[op.result] = context.emit.compare(op.predicate.value.data, a, b)


def compare_floats(context: Context, op: Operation) -> None:
    assert isinstance(op, arith.CmpfOp)
    a, b = (context.emit.constant(context.real(v)) for v in op.operands)
    made = arith.CmpfOp(a, b, op.predicate.value.data)
    context.values[op.result] = context.emit.insert(made).result


def select(context: Context, op: Operation) -> None:
    """One of two numbers, or of two memrefs in one place."""
    assert isinstance(op, arith.SelectOp)
    condition = context.flag(op.cond)
    first = context.values.get(op.lhs)
    if isinstance(first, Ref):
        context.values[op.result] = either(context, op, condition, (first, context.ref(op.rhs)))
    else:
        context.values[op.result] = context.emit.select(
            condition, context.number(op.lhs), context.number(op.rhs)
        )


def either(context: Context, op: Operation, condition: Flag, refs: tuple[Ref, Ref]) -> Ref:
    """The memref that a condition chooses."""
    from dataclasses import replace

    first, second = refs
    if isinstance(condition, bool):
        return first if condition else second
    if replace(first, offset=0, slot=0) != replace(second, offset=0, slot=0):
        raise LocatedError(op, f"{op.name}: chooses between memrefs of different buffers, shapes or strides")
    offset = context.emit.select(condition, first.offset, second.offset)
    slot = None
    if first.slot is not None and second.slot is not None:
        slot = context.emit.select(condition, first.slot, second.slot)
    return replace(first, offset=offset, slot=slot)  # pyright: ignore[reportArgumentType]


def to_integer(context: Context, op: Operation) -> None:
    """Integers of one width as those of another, conditions among them."""
    source, result = op.operands[0], op.results[0]
    signed = op.name == "arith.extsi"
    if is_flag(source.type):
        flag = context.flag(source)
        context.values[result] = (
            flag if is_flag(result.type) else context.emit.select(flag, -1 if signed else 1, 0)
        )
        return
    value = context.index(source)
    if is_flag(result.type):
        low = context.emit.integer("andi", value, 1)
        context.values[result] = context.emit.compare(1, low, 0)
    elif isinstance(value, int):
        if op.name in ("arith.extui", "arith.index_castui") and isinstance(source.type, IntegerType):
            value &= (1 << width_of(source)) - 1
        context.values[result] = wrapped(value, result.type)
    else:
        context.values[result] = value


def to_float(context: Context, op: Operation) -> None:
    """An integer as a float."""
    value = context.index(op.operands[0])
    if isinstance(value, int):
        context.values[op.results[0]] = single(float(value))
        return
    narrow = context.emit.insert(arith.IndexCastOp(value, i32)).result
    context.values[op.results[0]] = context.emit.insert(arith.SIToFPOp(narrow, f32)).result


def from_float(context: Context, op: Operation) -> None:
    """A float as an integer, rounded to zero."""
    value = context.real(op.operands[0])
    if not isinstance(value, SSAValue):
        context.values[op.results[0]] = int(value)
        return
    narrow = context.emit.insert(arith.FPToSIOp(value, i32)).result
    context.values[op.results[0]] = context.emit.insert(arith.IndexCastOp(narrow, IndexType())).result


def same_number(context: Context, op: Operation) -> None:
    """A conversion of floats: those of the scalar unit are f32."""
    context.values[op.results[0]] = context.number(op.operands[0])


def negate(context: Context, op: Operation) -> None:
    value = context.real(op.operands[0])
    known = not isinstance(value, SSAValue)
    context.values[op.results[0]] = -value if known else context.emit.insert(arith.NegfOp(value)).result


def _root(x: float) -> float:
    return sqrt(x) if x >= 0 else float("nan")


_FUNCTIONS: dict[str, tuple[Callable[[SSAValue], Operation], Callable[[float], float]]] = {
    "math.sqrt": (math.SqrtOp, _root),
    "math.exp": (math.ExpOp, exp),
    "math.absf": (math.AbsFOp, fabs),
    "math.log": (math.LogOp, lambda x: log(x) if x > 0 else float("nan" if x else "-inf")),
    "math.rsqrt": (math.RsqrtOp, lambda x: 1 / _root(x) if x else float("inf")),
}


def function(context: Context, op: Operation) -> None:
    """A function of a float."""
    kind, compute = _FUNCTIONS[op.name]
    value = context.real(op.operands[0])
    if isinstance(value, SSAValue):
        context.values[op.results[0]] = context.emit.insert(kind(value)).results[0]
    else:
        context.values[op.results[0]] = single(compute(value))


def from_memory(context: Context, value: SSAValue) -> Number:
    """A number that was read, as the other numbers are: an index, or an f32."""
    if value.type == f32 or is_flag(value.type) or isinstance(value.type, IndexType):
        return value
    if isinstance(value.type, AnyFloat):
        return context.emit.insert(arith.ExtFOp(value, f32)).result
    return context.emit.insert(arith.IndexCastOp(value, IndexType())).result


def to_memory(context: Context, number: Number, kind: Attribute) -> SSAValue:
    """A number as a value of an element type."""
    if isinstance(kind, AnyFloat) and not isinstance(number, SSAValue):
        return context.emit.at_start(arith.ConstantOp(FloatAttr(float(number), kind))).result
    value = context.emit.constant(number)
    if value.type == kind:
        return value
    if isinstance(kind, AnyFloat):
        return context.emit.insert(arith.TruncFOp(value, kind)).result
    return context.emit.insert(arith.IndexCastOp(value, kind)).result


SCALARS = {
    "arith.constant": constant,
    **{f"arith.{name}": integer for name in INTEGER},
    **{f"arith.{name}": floating for name in FLOAT},
    "arith.cmpi": compare,
    "arith.cmpf": compare_floats,
    "arith.select": select,
    **dict.fromkeys(
        ("arith.index_cast", "arith.index_castui", "arith.extsi", "arith.extui", "arith.trunci"), to_integer
    ),
    "arith.sitofp": to_float,
    "arith.uitofp": to_float,
    "arith.fptosi": from_float,
    "arith.fptoui": from_float,
    "arith.extf": same_number,
    "arith.truncf": same_number,
    "arith.negf": negate,
    **dict.fromkeys(_FUNCTIONS, function),
}
