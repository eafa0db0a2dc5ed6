"""Attention from its definition."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .registry import reference

Array = NDArray[Any]

_HOLDS = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
    "ge": np.greater_equal,
}  # fmt: skip


@reference("graph.keep_where")
def keep_where(x: Array, a: Array, b: Array, direction: str, value: float) -> Array:
    return np.where(_HOLDS[direction](a, b), x, np.asarray(value, x.dtype))


@reference("graph.attention")
def attention(
    q: Array, k: Array, v: Array, mask: Array | None = None, *, scale: float | None, causal: bool
) -> Array:
    """Scores that do not count have no weight; a row of which none counts weighs all alike, as a mask of the least
    number would make it."""
    if k.shape[:-2] != q.shape[:-2]:
        repeat = q.shape[-3] // k.shape[-3]
        k, v = np.repeat(k, repeat, -3), np.repeat(v, repeat, -3)
    factor = q.shape[-1] ** -0.5 if scale is None else scale
    scores: Array = (q @ np.swapaxes(k, -1, -2)) * np.asarray(factor, q.dtype)
    least = np.finfo(np.float32).min / 4
    if mask is not None:
        if mask.dtype.kind == "b":
            scores = np.where(np.asarray(mask, np.bool_), scores, least)
        else:
            scores = scores + mask
    if causal:
        rows, columns = scores.shape[-2:]
        scores = np.where(np.tri(rows, columns, dtype=np.bool_), scores, least)
    raised = np.exp(scores - scores.max(-1, keepdims=True))
    return (raised / raised.sum(-1, keepdims=True)) @ v
