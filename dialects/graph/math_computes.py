"""How powers, roundings and circular functions of a tile are computed, from the instructions that every chip has."""

import math

from xdsl.ir import SSAValue

from ..element_types import HELD_AS
from ..tiling import VectorBuilder
from .computes import Tile, in_f32, polynomial, tile_of

MOST_PRODUCTS = 64
"""Largest whole exponent that is computed by squaring; past it exp(b ln a) takes fewer instructions."""
ENDLESS = 2.0**127
"""Stands for an infinite logarithm: times any exponent from 1e-36 on, exp of it is 0 or infinite."""
EVEN = 2.0**22
"""From twice this number on, every f32 is a whole number."""
PI = (3.140625, 0.00096702575683593750, 6.2783294e-07)
"""Parts of pi: the first two have 8 and 9 bits, so their products with whole numbers below 2^15 are exact in f32."""
SIN = tuple((-1.0) ** k / math.factorial(2 * k + 1) for k in range(1, 6))
"""sin(r) = r + r^3 (SIN[0] + SIN[1] r^2 + ..): an error of 6e-8 at pi / 2."""


def square(b: VectorBuilder, x: SSAValue) -> SSAValue:
    return b.mul(x, x)


def power(b: VectorBuilder, x: Tile, y: Tile) -> SSAValue:
    """x to the power of y: by products and roots where y is a number that has them, else exp(y ln x)."""
    if isinstance(x, float | int):
        log = min(math.log(x), ENDLESS) if x > 0 else -ENDLESS if x == 0 else math.nan
        return in_f32(_power_of)(b, tile_of(y), log=log)
    if not isinstance(y, float | int):
        return in_f32(_exp_log)(b, x, y)
    y = float(y)
    short = {0.5: b.sqrt, -0.5: b.rsqrt, -1.0: b.reciprocal}.get(y)
    if short is not None:
        return short(x)
    if y == 0:
        return b.add(b.min(b.max(x, 0.0), 0.0), 1.0)
    if y in (1.0, 2.0):
        return x if y == 1.0 else b.mul(x, x)
    if y.is_integer() and abs(y) <= MOST_PRODUCTS:
        return in_f32(_products)(b, x, exponent=int(y))
    return in_f32(_number_power)(b, x, exponent=y)


def _power_of(b: VectorBuilder, y: SSAValue, log: float) -> SSAValue:
    return b.exp(b.mul(y, log))


def _exp_log(b: VectorBuilder, x: SSAValue, y: SSAValue) -> SSAValue:
    """The logarithms of 0 and of infinity are numbers, whose product with 0 is 0."""
    log = b.min(b.max(b.ln(x), -ENDLESS), ENDLESS)
    return b.exp(b.mul(log, y))


def _products(b: VectorBuilder, x: SSAValue, exponent: int) -> SSAValue:
    """By squaring; a negative power is the power of the reciprocal, which neither overflows nor vanishes early."""
    if exponent < 0:
        x = b.reciprocal(x)
    result: SSAValue | None = None
    rest = abs(exponent)
    while True:
        if rest % 2:
            result = x if result is None else b.mul(result, x)
        rest //= 2
        if not rest:
            assert result is not None
            return result
        x = b.mul(x, x)


def _number_power(b: VectorBuilder, x: SSAValue, exponent: float) -> SSAValue:
    if not exponent.is_integer():
        return b.exp(b.mul(b.ln(x), exponent))
    magnitude = b.exp(b.mul(b.ln(b.abs(x)), exponent))
    return b.mul(magnitude, sign(b, x)) if exponent % 2 else magnitude


def sign(b: VectorBuilder, x: SSAValue) -> SSAValue:
    """x, so enlarged that every number but 0 leaves [-1, 1], limited to [-1, 1]."""
    if b.dtype(x) == "i32":
        return b.min(b.max(x, -1.0), 1.0)
    large = 2.0**15 if b.dtype(x) == "f16" else 2.0**100
    return b.min(b.max(b.mul(b.mul(x, large), large), -1.0), 1.0)


def _nearest_small(b: VectorBuilder, x: SSAValue) -> SSAValue:
    """The nearest whole number where |x| <= EVEN: a sum of 1.5 x 2^23 has no digits after the point."""
    return b.add(b.add(x, 3 * EVEN), -3 * EVEN)


def cast_to(b: VectorBuilder, x: SSAValue, to: object) -> SSAValue:
    """Conversion; to i1 a comparison with 0, from i1 the numbers 0 and 1, to i32 the whole numbers in f32, to i8 those
    that storing converts."""
    if str(to) == "i1":
        return b.compare(x, 0.0, "ne")
    held = HELD_AS.get(str(to), str(to))
    if b.dtype(x) == "i1":
        x = b.numbers(x)
    elif b.dtype(x) == "i32":
        pass
    elif held == "i32":
        storage = b.dtype(x)
        x = _trunc(b, x if storage == "f32" else b.cast(x, "f32"), storage)
    elif held != str(to):
        x = in_f32(_trunc)(b, x, storage=b.dtype(x))
    return x if b.dtype(x) == held else b.cast(x, held)


def _off(b: VectorBuilder, x: SSAValue, storage: str) -> SSAValue:
    """What is missing from x to the nearest whole number, half to even; 0 where x is infinite.

    x is cut into what lies in [-EVEN, EVEN] and what exceeds that, which f16 has not and f32 may end in a half.
    """
    near = b.min(b.max(x, -EVEN), EVEN)
    off = b.sub(_nearest_small(b, near), near)
    if storage == "f16":
        return off
    rest = b.min(b.max(b.sub(x, near), -EVEN), EVEN)
    return b.add(off, b.sub(_nearest_small(b, rest), rest))


def nearest(b: VectorBuilder, x: SSAValue) -> SSAValue:
    """x and what is missing to the nearest whole number, half to even."""
    return in_f32(_nearest)(b, x, storage=b.dtype(x))


def floor(b: VectorBuilder, x: SSAValue) -> SSAValue:
    """The nearest whole number, less 1 where it lies above x."""
    return in_f32(_floor)(b, x, storage=b.dtype(x))


def ceil(b: VectorBuilder, x: SSAValue) -> SSAValue:
    """The nearest whole number, more 1 where it lies below x."""
    return in_f32(_ceil)(b, x, storage=b.dtype(x))


def _nearest(b: VectorBuilder, x: SSAValue, storage: str) -> SSAValue:
    return b.add(x, _off(b, x, storage))


def _floor(b: VectorBuilder, x: SSAValue, storage: str) -> SSAValue:
    off = _off(b, x, storage)
    return b.sub(b.add(x, off), sign(b, b.max(off, 0.0)))


def _ceil(b: VectorBuilder, x: SSAValue, storage: str) -> SSAValue:
    off = _off(b, x, storage)
    return b.sub(b.add(x, off), sign(b, b.min(off, 0.0)))


def _trunc(b: VectorBuilder, x: SSAValue, storage: str) -> SSAValue:
    return b.mul(_floor(b, b.abs(x), storage), sign(b, x))


def sin(b: VectorBuilder, x: SSAValue) -> SSAValue:
    """sin(x) = (-1)^k sin(x - k pi) with the nearest k. Digits are lost from |x| = 2^16 on."""
    k = _nearest_small(b, b.mul(x, 1.0 / math.pi))
    return _sin_of_rest(b, x, k, k)


def cos(b: VectorBuilder, x: SSAValue) -> SSAValue:
    """cos(x) = sin(x + pi / 2) = (-1)^k sin(x - (k - 1/2) pi)."""
    k = _nearest_small(b, b.add(b.mul(x, 1.0 / math.pi), 0.5))
    return _sin_of_rest(b, x, b.add(k, -0.5), k)


def _sin_of_rest(b: VectorBuilder, x: SSAValue, turns: SSAValue, k: SSAValue) -> SSAValue:
    """(-1)^k sin(x - turns pi). Where |x| is so large that k is not near, the rest is limited to what has a sine."""
    for part in PI:
        x = b.sub(x, b.mul(turns, part))
    x = b.min(b.max(x, -0.51 * math.pi), 0.51 * math.pi)
    u = b.mul(x, x)
    sine = b.add(b.mul(b.mul(polynomial(b, u, SIN), u), x), x)
    odd = b.sub(k, b.mul(_nearest_small(b, b.mul(k, 0.5)), 2.0))
    return b.mul(sine, b.add(b.mul(b.mul(odd, odd), -2.0), 1.0))
