"""Attention from its definition."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .reduction import softmax
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
    """Scores that do not count are -inf; a row of which none counts gives zeros."""
    if k.shape[:-2] != q.shape[:-2]:
        repeat = q.shape[-3] // k.shape[-3]
        k, v = np.repeat(k, repeat, -3), np.repeat(v, repeat, -3)
    factor = q.shape[-1] ** -0.5 if scale is None else scale
    scores: Array = (q @ np.swapaxes(k, -1, -2)) * np.asarray(factor, q.dtype)
    if mask is not None:
        if mask.dtype.kind == "b":
            scores = np.where(np.asarray(mask, np.bool_), scores, -np.inf)
        else:
            scores = scores + mask
    if causal:
        rows, columns = scores.shape[-2:]
        scores = np.where(np.tri(rows, columns, dtype=np.bool_), scores, -np.inf)
    if not scores.size:
        return scores @ v
    return softmax(scores, -1, masked=True) @ v


@reference("graph.softmax_matmul")
def softmax_matmul(s: Array, v: Array) -> Array:
    """A row of which nothing counts has the logarithm -inf."""
    wide = s.astype(np.float64)
    most = np.maximum(wide.max(-1, keepdims=True), np.finfo(np.float64).min)
    with np.errstate(divide="ignore"):
        logs = most + np.log(np.exp(wide - most).sum(-1, keepdims=True))
    y = softmax(wide, -1, masked=True) @ v.astype(np.float64)
    return np.concatenate([y, np.broadcast_to(logs, y.shape)], -1).astype(np.float32)
