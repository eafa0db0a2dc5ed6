"""How one tile of a row-wise op is computed: sums in f32 whatever the storage type, of i32 in i32. Of whole rows; of
rows that are met part by part, more than once (`row_parts.py`), or once, before a product (`Online`)."""

from collections.abc import Callable

from xdsl.ir import SSAValue

from ..records import dataclass
from ..tiling import VectorBuilder


@dataclass(frozen=True)
class Rows:
    """The iteration dimensions that a tile holds in full, and how many elements a row has along them."""

    dims: tuple[int, ...]
    count: int


State = tuple[SSAValue, ...]
"""What is known of each row so far: tiles of f32 with one element a row."""


@dataclass(frozen=True)
class Online:
    """A row-wise op on rows that come part by part, each part met once.

    The result is `weights * factor(state)`, where the weights of a part are right up to a factor a row that is known
    only when the whole row was met. `start` fills the tiles of the first state. `update(b, rows, state, x, **values)`
    gives the next state, the weights of part `x`, in f32, and what the weights of all parts before must be multiplied
    by to be right beside them. Whatever is linear in the result, a product that reduces along the row, may so be
    computed of the weights: `sum = sum * correction + weights @ v`, and at the end `sum * factor`.
    """

    start: tuple[float, ...]
    update: Callable[..., tuple[State, SSAValue, SSAValue]]
    factor: Callable[..., SSAValue]


def summable(b: VectorBuilder, x: SSAValue) -> SSAValue:
    """x in the type that sums are formed in: f32, of i32 its own."""
    return x if b.dtype(x) in ("f32", "i32") else b.cast(x, "f32")


def stored(b: VectorBuilder, x: SSAValue, storage: str) -> SSAValue:
    return x if storage == b.dtype(x) else b.cast(x, storage)


def _sum(b: VectorBuilder, rows: Rows, x: SSAValue) -> SSAValue:
    return b.reduce(x, "add", rows.dims)


def _mean(b: VectorBuilder, rows: Rows, x: SSAValue) -> SSAValue:
    return b.mul(_sum(b, rows, x), 1.0 / rows.count)


def reduce_sum(b: VectorBuilder, rows: Rows, x: SSAValue, **_: object) -> SSAValue:
    return stored(b, _sum(b, rows, summable(b, x)), b.dtype(x))


def reduce_mean(b: VectorBuilder, rows: Rows, x: SSAValue, **_: object) -> SSAValue:
    return stored(b, _mean(b, rows, summable(b, x)), b.dtype(x))


def reduce_prod(b: VectorBuilder, rows: Rows, x: SSAValue, **_: object) -> SSAValue:
    return stored(b, b.reduce(summable(b, x), "mul", rows.dims), b.dtype(x))


def reduce_max(b: VectorBuilder, rows: Rows, x: SSAValue, **_: object) -> SSAValue:
    return b.reduce(x, "max", rows.dims)


def reduce_min(b: VectorBuilder, rows: Rows, x: SSAValue, **_: object) -> SSAValue:
    return b.reduce(x, "min", rows.dims)


LEAST_F32 = -3.4028234663852886e38
"""The least finite number: exp of it less anything is 0, and it may be subtracted from itself."""


def softmax(b: VectorBuilder, rows: Rows, x: SSAValue, axis: int, masked: bool) -> SSAValue:
    """exp(x - max) / sum; the largest exponent is 0, so nothing overflows and the sum is 1 or more. A masked row of
    -inf alone has no such exponent and the sum 0: what is subtracted is finite, and 1 stands for the sum."""
    wide = summable(b, x)
    most = b.reduce(wide, "max", rows.dims)
    raised = b.exp(b.sub(wide, b.max(most, LEAST_F32) if masked else most))
    return stored(b, b.mul(raised, share(b, _sum(b, rows, raised), masked)), b.dtype(x))


def share(b: VectorBuilder, total: SSAValue, masked: bool) -> SSAValue:
    """1 / total, of rows whose sum of exponentials is 1 or more, or 0 where all of it is masked."""
    return b.reciprocal(b.max(total, 1.0) if masked else total)


def softmax_part(
    b: VectorBuilder, rows: Rows, state: State, x: SSAValue, **_: object
) -> tuple[State, SSAValue, SSAValue]:
    """The state is the largest element, or the least finite number, and the sum of exp(x - largest) so far."""
    before, total = state
    most = b.max(summable(b, b.reduce(x, "max", rows.dims)), before)  # exact in any type
    wide = summable(b, x)
    # what does not wait for each other stands together
    fallen, shifted = b.sub(before, most), b.sub(wide, most)
    correction, raised = b.exp(fallen), b.exp(shifted)
    kept, added = b.mul(total, correction), _sum(b, rows, raised)
    return (most, b.add(kept, added)), raised, correction


def _softmax_factor(b: VectorBuilder, state: State, axis: int, masked: bool) -> SSAValue:
    return share(b, state[1], masked)


SOFTMAX_ONLINE = Online((LEAST_F32, 0.0), softmax_part, _softmax_factor)


def log_softmax(b: VectorBuilder, rows: Rows, x: SSAValue, axis: int) -> SSAValue:
    """x - max - ln(sum of exp(x - max))."""
    wide = summable(b, x)
    shifted = b.sub(wide, b.reduce(wide, "max", rows.dims))
    return stored(b, b.sub(shifted, b.ln(_sum(b, rows, b.exp(shifted)))), b.dtype(x))


def scale_and_shift(b: VectorBuilder, y: SSAValue, vectors: tuple[SSAValue, ...]) -> SSAValue:
    """y gamma + beta, of which there may be the first, both or none."""
    if vectors:
        y = b.mul(y, summable(b, vectors[0]))
    return b.add(y, summable(b, vectors[1])) if len(vectors) > 1 else y


def layer_norm(
    b: VectorBuilder, rows: Rows, x: SSAValue, *affine: SSAValue, axis: int = 0, epsilon: float
) -> SSAValue:
    """(x - mean) / sqrt(variance + epsilon) gamma + beta; the variance is the mean square of what is left of x, which
    loses no digits where the mean is large."""
    wide = summable(b, x)
    left = b.sub(wide, _mean(b, rows, wide))
    factor = b.rsqrt(b.add(_mean(b, rows, b.mul(left, left)), epsilon))
    return stored(b, scale_and_shift(b, b.mul(left, factor), affine), b.dtype(x))


def rms_norm(
    b: VectorBuilder, rows: Rows, x: SSAValue, *affine: SSAValue, axis: int, epsilon: float
) -> SSAValue:
    """x / sqrt(mean square + epsilon) gamma."""
    wide = summable(b, x)
    factor = b.rsqrt(b.add(_mean(b, rows, b.mul(wide, wide)), epsilon))
    return stored(b, scale_and_shift(b, b.mul(wide, factor), affine), b.dtype(x))
