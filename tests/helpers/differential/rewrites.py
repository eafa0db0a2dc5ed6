"""The same graph written in another way: moves that cancel, ops in another order, ops as what they are made of.

REWRITES["transposed twice"](program, rng)      a program of the same results, or None where it has no place for it
"""

# pyright: basic

import random
from collections.abc import Callable
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np

from differential.program import FLOATS, Call, Program, Value, rounded
from differential.replaying import replayed

Rewrite = Callable[[Program, random.Random], Program | None]
Made = tuple[list[Call], Value]


class _Calls:
    """New calls whose results are not computed yet."""

    def __init__(self, prefix: str):
        self.prefix, self.calls = prefix, list[Call]()

    def __call__(self, op: str, *operands: Value, results: int = 1, **attributes: Any) -> Any:
        made = tuple(replace(operands[0], name=self._name(i)) for i in range(results))
        self.calls.append(Call(op, tuple(o.name for o in operands), attributes, made))
        return made[0] if results == 1 else made

    def number(self, value: float, like: Value) -> Value:
        stored = rounded(np.array(value), like.dtype)
        made = Value(self._name(0), like.dtype, stored, stored)
        self.calls.append(Call("constant", (), {}, (made,)))
        return made

    def _name(self, index: int) -> str:
        return f"{self.prefix}{len(self.calls)}_{index}"


def _values(program: Program, rank: int = 1) -> list[Value]:
    """Floating-point values that ops give and other ops take."""
    taken = {name for call in program.calls for name in call.operands}
    made = (v for call in program.calls if call.op != "constant" for v in call.results)
    return [v for v in made if v.name in taken and v.dtype in FLOATS and v.rank >= rank and not v.batched]


def _between(program: Program, value: Value, calls: list[Call], last: Value) -> Program | None:
    """The program whose ops take `last` in the place of `value`."""
    made: list[Call] = []
    seen = False
    for call in program.calls:
        operands = tuple(last.name if seen and o == value.name else o for o in call.operands)
        made.append(replace(call, operands=operands))
        if any(v.name == value.name for v in call.results):
            made += calls
            seen = True
    return replayed(replace(program, calls=tuple(made)))


def _round_trip(rank: int, moves: Callable[[_Calls, Value, random.Random], Value | None]) -> Rewrite:
    def rewritten(program: Program, rng: random.Random) -> Program | None:
        values = _values(program, rank)
        if not values:
            return None
        value, do = rng.choice(values), _Calls("r")
        last = moves(do, value, rng)
        return None if last is None else _between(program, value, do.calls, last)

    return rewritten


def _transposed(do: _Calls, x: Value, rng: random.Random) -> Value:
    perm = list(range(x.rank))
    rng.shuffle(perm)
    back = tuple(perm.index(d) for d in range(x.rank))
    return do("transpose", do("transpose", x, perm=tuple(perm)), perm=back)


def _reshaped(do: _Calls, x: Value, rng: random.Random) -> Value:
    shape = rng.choice(((-1,), (x.shape[0], -1), (1, *x.shape)))
    return do("reshape", do("reshape", x, shape=shape), shape=x.shape)


def _split(do: _Calls, x: Value, rng: random.Random) -> Value | None:
    axes = [d for d, n in enumerate(x.shape) if n > 1]
    if not axes:
        return None
    axis = rng.choice(axes)
    first = rng.randint(1, x.shape[axis] - 1)
    parts = do("split", x, results=2, axis=axis, sizes=(first, x.shape[axis] - first))
    return do("concat", *parts, axis=axis)


def _padded(do: _Calls, x: Value, rng: random.Random) -> Value:
    before, after = ([rng.choice((0, 1, 3)) for _ in x.shape] for _ in range(2))
    wide = do("pad", x, pads=(*before, *after), value=rng.choice((0.0, 1.0)))
    ends = tuple(b + n for b, n in zip(before, x.shape, strict=True))
    return do("slice", wide, starts=tuple(before), ends=ends)


def reordered(program: Program, rng: random.Random) -> Program | None:
    """Ops in another order that has each after what it takes."""
    waiting, calls = list(program.calls), list[Call]()
    known = {a.name for a in program.arguments}
    while waiting:
        call = rng.choice([c for c in waiting if known >= set(c.operands)])
        waiting.remove(call)
        calls.append(call)
        known |= {v.name for v in call.results}
    return replace(program, calls=tuple(calls)) if tuple(calls) != program.calls else None


def _gelu(do: _Calls, x: Value, a: dict[str, Any]) -> Value | None:
    if a.get("approximate") == "tanh":
        return None
    turned = do("add", do("erf", do("mul", x, do.number(sqrt(0.5), x))), do.number(1.0, x))
    return do("mul", do("mul", x, do.number(0.5, x)), turned)


def _softmax(do: _Calls, x: Value, a: dict[str, Any]) -> Value:
    axes = {"axes": (a.get("axis", -1),), "keep_dims": True}
    powers = do("exp", do("sub", x, do("reduce_max", x, **axes)))
    return do("div", powers, do("reduce_sum", powers, **axes))


def _layer_norm(do: _Calls, x: Value, a: dict[str, Any], *affine: Value) -> Value:
    axis = a.get("axis", -1) % x.rank
    axes = {"axes": tuple(range(axis, x.rank)), "keep_dims": True}
    centred = do("sub", x, do("reduce_mean", x, **axes))
    variance = do("reduce_mean", do("square", centred), **axes)
    result = do("mul", centred, do("rsqrt", do("add", variance, do.number(a.get("epsilon", 1e-5), x))))
    for op, one in zip(("mul", "add"), affine, strict=False):
        result = do(op, result, one)
    return result


def _rms_norm(do: _Calls, x: Value, a: dict[str, Any], *affine: Value) -> Value:
    axes = {"axes": tuple(range(a.get("axis", -1) % x.rank, x.rank)), "keep_dims": True}
    mean = do("reduce_mean", do("square", x), **axes)
    result = do("mul", x, do("rsqrt", do("add", mean, do.number(a.get("epsilon", 1e-5), x))))
    return do("mul", result, affine[0]) if affine else result


def _clip(do: _Calls, x: Value, a: dict[str, Any]) -> Value:
    for op, bound in (("maximum", a.get("min")), ("minimum", a.get("max"))):
        if bound is not None:
            x = do(op, x, do.number(bound, x))
    return x


PARTS: dict[str, Callable[..., Value | None]] = {
    "gelu": _gelu,
    "softmax": _softmax,
    "layer_norm": _layer_norm,
    "rms_norm": _rms_norm,
    "clip": _clip,
    "silu": lambda do, x, a: do("mul", x, do("sigmoid", x)),
    "square": lambda do, x, a: do("mul", x, x),
    "rsqrt": lambda do, x, a: do("reciprocal", do("sqrt", x)),
    "div": lambda do, x, a, y: do("mul", x, do("reciprocal", y)),
    "sub": lambda do, x, a, y: do("add", x, do("neg", y)),
    "log_softmax": lambda do, x, a: do("log", _softmax(do, x, a)),
    "leaky_relu": lambda do, x, a: (
        do("maximum", x, do("mul", x, do.number(a.get("alpha", 0.01), x)))
        if a.get("alpha", 0.01) <= 1
        else None
    ),
}
"""Ops by what they are made of."""


def taken_apart(program: Program, rng: random.Random) -> Program | None:
    """An op as the ops that it is made of."""
    found = [c for c in program.calls if c.op in PARTS and c.results[0].dtype in FLOATS]
    if not found:
        return None
    call, do, values = rng.choice(found), _Calls("d"), program.values()
    x, *others = (values[o] for o in call.operands)
    last = PARTS[call.op](do, x, call.attributes, *others)
    if last is None or not do.calls:
        return None
    last_call = do.calls[-1]
    calls = [*do.calls[:-1], replace(last_call, results=call.results)]
    at = program.calls.index(call)
    return replayed(replace(program, calls=(*program.calls[:at], *calls, *program.calls[at + 1 :])))


REWRITES: dict[str, Rewrite] = {
    "transposed twice": _round_trip(2, _transposed),
    "reshaped twice": _round_trip(1, _reshaped),
    "split and joined": _round_trip(1, _split),
    "padded and cut": _round_trip(1, _padded),
    "reordered": reordered,
    "taken apart": taken_apart,
}
