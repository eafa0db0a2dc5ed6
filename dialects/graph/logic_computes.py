"""How one tile of a comparison is computed, and what is made of masks: bit masks, or f16 tiles of 0 and 1."""

from xdsl.ir import SSAValue

from ..element_types import HELD_AS
from ..tiling import VectorBuilder
from .computes import Tile


def compare(b: VectorBuilder, x: Tile, y: Tile, direction: str) -> SSAValue:
    return b.compare(x, y, direction)


def is_nan(b: VectorBuilder, x: SSAValue) -> SSAValue:
    """NaN alone is unequal to itself."""
    return b.compare(x, x, "ne")


def select(b: VectorBuilder, cond: Tile, x: Tile, y: Tile, dtype: str) -> SSAValue:
    """By a mask; a condition that is a number takes one side, as large as both. Two numbers are of `dtype`, or of what
    it is computed in."""
    if not isinstance(cond, float | int):
        held = {"bf16": "f32", **HELD_AS}
        return b.select(cond, x, y, held.get(dtype, dtype))
    chosen, other = (x, y) if cond else (y, x)
    like = chosen if isinstance(other, float | int) else other
    assert not isinstance(like, float | int), "an op on constants alone is folded before tiling"
    return b.fill(chosen, like)


def keep_where(
    b: VectorBuilder, x: SSAValue, p: SSAValue, q: SSAValue, direction: str, value: float
) -> SSAValue:
    return b.select(b.compare(p, q, direction), x, value)


def keep_where_positions(
    b: VectorBuilder, x: SSAValue, p: SSAValue, q: SSAValue, direction: str, value: float
) -> SSAValue:
    """By the sign of p - q, which two infinities have not: differences broadcast, comparisons do not."""
    return b.select(b.compare(b.sub(p, q), 0.0, direction), x, value)


def logical_and(b: VectorBuilder, x: SSAValue, y: SSAValue) -> SSAValue:
    return b.min(b.numbers(x), b.numbers(y))


def logical_or(b: VectorBuilder, x: SSAValue, y: SSAValue) -> SSAValue:
    return b.max(b.numbers(x), b.numbers(y))


def logical_xor(b: VectorBuilder, x: SSAValue, y: SSAValue) -> SSAValue:
    return b.abs(b.sub(b.numbers(x), b.numbers(y)))


def logical_not(b: VectorBuilder, x: SSAValue) -> SSAValue:
    return b.add(b.mul(b.numbers(x), -1.0), 1.0)
