"""How a row-wise op is computed of rows that no tile holds in full: the rows are read part by part, first for what is
to be known of all of them, then again for the results.

    softmax     state m, l of each row        m1 = max(m, max x)    l1 = l exp(m - m1) + sum of exp(x - m1)
                settled, once a row           m, 1 / l
                result of a part              exp(x - m) / l
"""

from collections.abc import Callable

from xdsl.ir import SSAValue

from ..records import dataclass
from ..tiling import VectorBuilder
from .row_computes import LEAST_F32, Rows, State, scale_and_shift, share, softmax_part, stored, summable


@dataclass(frozen=True)
class Parts:
    """A row-wise op on rows that are met part by part.

    `start` fills the tiles of the first state, which are f32 (of i32: i32), one element a row. `meet(b, rows, state, x,
    **values)` gives the state after one more part `x` of the first operand; `rows` counts the elements of a row in that
    part. `settle(b, rows, state, **values)` is called once every part was met, with the elements of whole rows, and
    gives what results are computed of: one tile for each of the state, or fewer. `finish(b, settled, *tiles, **values)`
    gives the results of one part; of an op that reduces its rows, their only results, where no tile is given.
    """

    start: tuple[float, ...]
    meet: Callable[..., State]
    settle: Callable[..., State]
    finish: Callable[..., SSAValue]


def _settled(b: VectorBuilder, rows: Rows, state: State, **_: object) -> State:
    return state


# Reductions: the state is the result so far


def _result(b: VectorBuilder, settled: State, *_tiles: SSAValue, **_: object) -> SSAValue:
    return settled[0]


def _meet_sum(b: VectorBuilder, rows: Rows, state: State, x: SSAValue, **_: object) -> State:
    return (b.add(state[0], b.reduce(summable(b, x), "add", rows.dims)),)


def _meet_product(b: VectorBuilder, rows: Rows, state: State, x: SSAValue, **_: object) -> State:
    return (b.mul(state[0], b.reduce(summable(b, x), "mul", rows.dims)),)


def _meet_largest(b: VectorBuilder, rows: Rows, state: State, x: SSAValue, **_: object) -> State:
    return (b.max(state[0], summable(b, b.reduce(x, "max", rows.dims))),)


def _meet_least(b: VectorBuilder, rows: Rows, state: State, x: SSAValue, **_: object) -> State:
    return (b.min(state[0], summable(b, b.reduce(x, "min", rows.dims))),)


def _settle_mean(b: VectorBuilder, rows: Rows, state: State, **_: object) -> State:
    return (b.mul(state[0], 1.0 / rows.count),)


SUM = Parts((0.0,), _meet_sum, _settled, _result)
MEAN = Parts((0.0,), _meet_sum, _settle_mean, _result)
PRODUCT = Parts((1.0,), _meet_product, _settled, _result)
LARGEST = Parts((float("-inf"),), _meet_largest, _settled, _result)
LEAST = Parts((float("inf"),), _meet_least, _settled, _result)


# Softmax


def _meet_softmax(b: VectorBuilder, rows: Rows, state: State, x: SSAValue, **_: object) -> State:
    return softmax_part(b, rows, state, x)[0]


def _settle_softmax(b: VectorBuilder, rows: Rows, state: State, axis: int, masked: bool) -> State:
    return state[0], share(b, state[1], masked)


def _finish_softmax(b: VectorBuilder, settled: State, x: SSAValue, **_: object) -> SSAValue:
    raised = b.exp(b.sub(summable(b, x), settled[0]))
    return stored(b, b.mul(raised, settled[1]), b.dtype(x))


def _settle_log_softmax(b: VectorBuilder, rows: Rows, state: State, axis: int) -> State:
    return state[0], b.ln(state[1])


def _finish_log_softmax(b: VectorBuilder, settled: State, x: SSAValue, axis: int) -> SSAValue:
    return stored(b, b.sub(b.sub(summable(b, x), settled[0]), settled[1]), b.dtype(x))


SOFTMAX = Parts((LEAST_F32, 0.0), _meet_softmax, _settle_softmax, _finish_softmax)
LOG_SOFTMAX = Parts((LEAST_F32, 0.0), _meet_softmax, _settle_log_softmax, _finish_log_softmax)


# Norms


def _meet_norm(b: VectorBuilder, rows: Rows, state: State, x: SSAValue, **_: object) -> State:
    """How many elements were met, their mean, and the sum of squares of what is left of them without it. The same of
    one part, in which no digits are lost, is put together with that of all before (Chan, Golub, LeVeque: Updating
    formulae and a pairwise algorithm for computing sample variances, 1979)."""
    count, mean, squares = state
    wide = summable(b, x)
    own = b.mul(b.reduce(wide, "add", rows.dims), 1.0 / rows.count)
    left = b.sub(wide, own)
    added = b.reduce(b.mul(left, left), "add", rows.dims)
    total = b.add(count, float(rows.count))
    share = b.mul(b.reciprocal(total), float(rows.count))
    apart = b.sub(own, mean)
    step = b.mul(apart, share)
    between = b.mul(b.mul(apart, step), count)
    return total, b.add(mean, step), b.add(b.add(squares, added), between)


def _settle_norm(b: VectorBuilder, rows: Rows, state: State, *, epsilon: float, axis: int = 0) -> State:
    return state[1], b.rsqrt(b.add(b.mul(state[2], 1.0 / rows.count), epsilon))


def _finish_norm(
    b: VectorBuilder, settled: State, x: SSAValue, *vectors: SSAValue, epsilon: float, axis: int = 0
) -> SSAValue:
    left = b.sub(summable(b, x), settled[0])
    return stored(b, scale_and_shift(b, b.mul(left, settled[1]), vectors), b.dtype(x))


def _meet_squares(b: VectorBuilder, rows: Rows, state: State, x: SSAValue, **_: object) -> State:
    wide = summable(b, x)
    return (b.add(state[0], b.reduce(b.mul(wide, wide), "add", rows.dims)),)


def _settle_squares(b: VectorBuilder, rows: Rows, state: State, *, epsilon: float, axis: int) -> State:
    return (b.rsqrt(b.add(b.mul(state[0], 1.0 / rows.count), epsilon)),)


def _finish_rms(
    b: VectorBuilder, settled: State, x: SSAValue, *vectors: SSAValue, epsilon: float, axis: int
) -> SSAValue:
    return stored(b, scale_and_shift(b, b.mul(summable(b, x), settled[0]), vectors), b.dtype(x))


LAYER_NORM = Parts((0.0, 0.0, 0.0), _meet_norm, _settle_norm, _finish_norm)
RMS_NORM = Parts((0.0,), _meet_squares, _settle_squares, _finish_rms)
