"""How one tile is computed where an op is not one vector instruction.

The functions of exp are formed in f32 whatever the storage type: f16 has neither the range (exp
overflows at 11.1) nor the digits. None of them subtracts nearly equal numbers without correcting it,
and none divides infinity by infinity, so every finite input gives a number.
"""

import math
from collections.abc import Callable

from xdsl.ir import SSAValue

from ..tiling import VectorBuilder

Tile = SSAValue | float

ERF_F16 = (1.12831378, 0.103642228, -0.00161635979)
"""q of erf(x) = tanh(x q(min(x^2, ERF_F16_BOUND))), least-maximum fit of the relative error: 6e-5."""
ERF_F16_BOUND = 13.0
ERF_F32 = (1.12837495425, 0.102851943793, -0.00040794028027, -0.000446347285337, 3.54545715855e-05)
"""The same to 4e-6; q grows, so x needs no bound."""


def in_f32(function: Callable[..., SSAValue]) -> Callable[..., SSAValue]:
    """`function` with its tiles converted to f32 and its result converted back to the storage type."""

    def wrapped(b: VectorBuilder, *tiles: SSAValue, **attributes: object) -> SSAValue:
        storage = b.dtype(tiles[0])
        if storage == "f32":
            return function(b, *tiles, **attributes)
        wide = [b.cast(tile, "f32") for tile in tiles]
        return b.cast(function(b, *wide, **attributes), storage)

    return wrapped


def _commute(x: Tile, y: Tile) -> tuple[SSAValue, Tile]:
    """The operands of a commutative instruction, a number last."""
    if not isinstance(x, float | int):
        return x, y
    return tile_of(y), x


def tile_of(x: Tile) -> SSAValue:
    if isinstance(x, float | int):
        raise ValueError(f"an op on constants alone ({x}) is folded before tiling")
    return x


def add(b: VectorBuilder, x: Tile, y: Tile) -> SSAValue:
    return b.add(*_commute(x, y))


def sub(b: VectorBuilder, x: Tile, y: Tile) -> SSAValue:
    if isinstance(x, float | int):
        return b.add(b.mul(tile_of(y), -1.0), x)
    return b.sub(x, y)


def mul(b: VectorBuilder, x: Tile, y: Tile) -> SSAValue:
    return b.mul(*_commute(x, y))


def maximum(b: VectorBuilder, x: Tile, y: Tile) -> SSAValue:
    return b.max(*_commute(x, y))


def minimum(b: VectorBuilder, x: Tile, y: Tile) -> SSAValue:
    return b.min(*_commute(x, y))


def div(b: VectorBuilder, x: Tile, y: Tile) -> SSAValue:
    """Division; by a constant it is a product, in f32 unless the constant is a power of two. Of i32 it is division."""
    tile = y if isinstance(x, float | int) else x
    assert not isinstance(tile, float | int), "an op on constants alone is folded before tiling"
    if b.dtype(tile) == "i32":
        x, y = (b.fill(v, tile) if isinstance(v, float | int) else v for v in (x, y))
        return b.div(x, y)
    if isinstance(x, float | int):
        return in_f32(_quotient_of)(b, tile_of(y), dividend=x)
    if not isinstance(y, float | int):
        return b.div(x, y)
    factor = math.copysign(math.inf, y) if y == 0.0 else 1.0 / y
    exact = abs(math.frexp(y)[0]) == 0.5 and 2.0**-15 <= abs(y) <= 2.0**24
    if exact or factor == 0.0 or not math.isfinite(factor):
        return b.mul(x, factor)
    return in_f32(_times)(b, x, factor=factor)


def _quotient_of(b: VectorBuilder, x: SSAValue, dividend: float) -> SSAValue:
    return b.mul(b.reciprocal(x), dividend)


def _times(b: VectorBuilder, x: SSAValue, factor: float) -> SSAValue:
    return b.mul(x, factor)


def neg(b: VectorBuilder, x: SSAValue) -> SSAValue:
    return b.mul(x, -1.0)


def prelu(b: VectorBuilder, x: SSAValue, slope: SSAValue) -> SSAValue:
    """max(x, 0) + slope min(x, 0)."""
    return b.add(b.relu(x), b.mul(b.min(x, 0.0), slope))


def clip(b: VectorBuilder, x: SSAValue, min: float | None, max: float | None) -> SSAValue:
    """max(x, min), then min(., max); an absent bound costs nothing."""
    if min is not None:
        x = b.max(x, min)
    return x if max is None else b.min(x, max)


def batch_norm(
    b: VectorBuilder,
    x: SSAValue,
    scale: SSAValue,
    bias: SSAValue,
    mean: SSAValue,
    var: SSAValue,
    epsilon: float,
) -> SSAValue:
    """x a + (bias - mean a) with a = scale / sqrt(var + epsilon), formed on the channel vectors."""
    factor = b.mul(scale, b.rsqrt(b.add(var, epsilon)))
    shift = b.sub(bias, b.mul(mean, factor))
    return b.add(b.mul(x, factor), shift)


def polynomial(b: VectorBuilder, u: SSAValue, coefficients: tuple[float, ...]) -> SSAValue:
    """Horner's scheme, lowest coefficient first."""
    *low, second, first = coefficients
    result = b.add(b.mul(u, first), second)
    for coefficient in reversed(low):
        result = b.add(b.mul(result, u), coefficient)
    return result


def _one_plus_exp(b: VectorBuilder, x: SSAValue) -> SSAValue:
    return b.add(b.exp(x), 1.0)


def sigmoid(b: VectorBuilder, x: SSAValue) -> SSAValue:
    """1 / (1 + exp(-x)); where exp overflows the reciprocal is 0, as it should be."""
    return b.reciprocal(_one_plus_exp(b, b.mul(x, -1.0)))


def silu(b: VectorBuilder, x: SSAValue) -> SSAValue:
    """x / (1 + exp(-x))."""
    return b.div(x, _one_plus_exp(b, b.mul(x, -1.0)))


def _tanh_of_half(b: VectorBuilder, x2: SSAValue) -> SSAValue:
    """tanh(x2 / 2) = 1 - 2 / (1 + exp(x2)); near zero its absolute error is 6e-8, its relative one is not."""
    return b.add(b.mul(b.reciprocal(_one_plus_exp(b, x2)), -2.0), 1.0)


def between(b: VectorBuilder, y: SSAValue, p: SSAValue, q: SSAValue) -> SSAValue:
    return b.min(b.max(y, b.min(p, q)), b.max(p, q))


def tanh(b: VectorBuilder, x: SSAValue) -> SSAValue:
    """1 - 2 / (1 + exp(2x)), kept between x - x^3/3 and x, which pins its digits near zero."""
    y = _tanh_of_half(b, b.mul(x, 2.0))
    cubic = b.mul(b.add(b.mul(b.mul(x, x), -1.0 / 3.0), 1.0), x)
    return between(b, y, cubic, x)


def _erf_argument(b: VectorBuilder, x: SSAValue, u: SSAValue, storage: str, scale: float) -> SSAValue:
    """`2 z` with tanh(z) = erf(scale x), from x and u = x^2."""
    square = scale * scale
    table = ERF_F16 if storage == "f16" else ERF_F32
    if storage == "f16":
        u = b.min(u, ERF_F16_BOUND / square)
    coefficients = tuple(2.0 * scale * c * square**k for k, c in enumerate(table))
    return b.mul(polynomial(b, u, coefficients), x)


def erf(b: VectorBuilder, x: SSAValue, storage: str = "f32") -> SSAValue:
    """tanh of an odd polynomial, kept between the first two partial sums of its series."""
    slope = 2.0 / math.sqrt(math.pi)
    u = b.mul(x, x)
    y = _tanh_of_half(b, _erf_argument(b, x, u, storage, 1.0))
    line = b.mul(x, slope)
    cubic = b.mul(b.add(b.mul(u, -slope / 3.0), slope), x)
    return between(b, y, cubic, line)


def gelu_none(b: VectorBuilder, x: SSAValue, storage: str = "f32") -> SSAValue:
    """x (1 + erf(x / sqrt 2)) / 2 = x / (1 + exp(-2z)) with tanh(z) = erf(x / sqrt 2)."""
    z = _erf_argument(b, x, b.mul(x, x), storage, -math.sqrt(0.5))
    return b.div(x, _one_plus_exp(b, z))


def gelu_tanh(b: VectorBuilder, x: SSAValue) -> SSAValue:
    """x (1 + tanh(z)) / 2 = x / (1 + exp(-2z)) with z = sqrt(2/pi) (x + 0.044715 x^3)."""
    slope = -2.0 * math.sqrt(2.0 / math.pi)
    z = b.mul(polynomial(b, b.mul(x, x), (slope, 0.044715 * slope)), x)
    return b.div(x, _one_plus_exp(b, z))


def erf_by_storage(b: VectorBuilder, x: SSAValue) -> SSAValue:
    return in_f32(erf)(b, x, storage=b.dtype(x))


ROUND_F32 = 1.5 * 2.0**23
"""Added to a number of f32 and taken away again, it leaves the nearest integer, half to even: the sum has no
fractions. Holds up to 2^22."""


def quantize(b: VectorBuilder, x: SSAValue, scale: float, zero_point: int) -> SSAValue:
    """Whole numbers of f16, which the conversion to i8 holds to its range. They are formed in f32, where x / scale is
    rounded once: in f16 it would be rounded to 2^-4 first, next to 100."""
    steps = b.mul(x if b.dtype(x) == "f32" else b.cast(x, "f32"), 1.0 / scale)
    return b.cast(b.add(b.add(steps, ROUND_F32), zero_point - ROUND_F32), "f16")


def dequantize(
    b: VectorBuilder,
    x: SSAValue,
    scales: SSAValue | None = None,
    *,
    scale: float,
    zero_point: int,
    axis: int,
    to: object,
) -> SSAValue:
    """In f32 from i32, or from i8, which comes as f16."""
    wide = b.cast(x, "f32")
    steps = b.add(wide, float(-zero_point)) if zero_point else wide
    if scales is None:
        return b.mul(steps, scale)
    return b.mul(steps, scales if scale == 1.0 else b.mul(scales, scale))


def gelu(b: VectorBuilder, x: SSAValue, approximate: str) -> SSAValue:
    if approximate == "tanh":
        return in_f32(gelu_tanh)(b, x)
    return in_f32(gelu_none)(b, x, storage=b.dtype(x))
