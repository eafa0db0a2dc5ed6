"""Ops with indices, by numpy's own indexing."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Attribute

from .registry import reference

Array = NDArray[Any]


@reference("graph.gather")
def gather(x: Array, indices: Array, axis: int) -> Array:
    return np.take(x, indices, axis=axis)


@reference("graph.embedding_bag")
def embedding_bag(
    table: Array,
    indices: Array,
    offsets: Array | None = None,
    weights: Array | None = None,
    *,
    mode: str,
    include_last_offset: bool,
) -> Array:
    if offsets is None:
        return _bag(table[indices].astype(np.float64), mode)
    ends = [*offsets[1:], *([] if include_last_offset else [len(indices)])]
    shares = np.ones(len(indices)) if weights is None else weights.astype(np.float64)
    rows = table[indices].astype(np.float64) * shares[:, None]
    bags = [_bag(rows[start:end], mode) for start, end in zip(offsets, ends, strict=False)]
    return np.stack(bags) if bags else np.zeros((0, table.shape[1]))


def _bag(rows: Array, mode: str) -> Array:
    """Rows [.., items, width] as one row each; of no items 0."""
    if mode == "max" and rows.shape[-2]:
        return rows.max(axis=-2)
    return rows.sum(axis=-2) / np.float64(max(rows.shape[-2], 1) if mode == "mean" else 1)


@reference("graph.argmax")
def argmax(x: Array, axis: int, keep_dims: bool) -> Array:
    return np.argmax(x, axis=axis, keepdims=keep_dims).astype(np.int32)


@reference("graph.one_hot")
def one_hot(indices: Array, depth: int, axis: int, on: float, off: float, to: Attribute) -> Array:
    flat = indices.reshape(-1)
    rows = np.full((flat.size, depth), off)
    for row, index in zip(rows, flat, strict=True):
        if -depth <= index < depth:
            row[index] = on
    return np.moveaxis(rows.reshape(*indices.shape, depth), -1, axis)


@reference("graph.topk")
def topk(x: Array, k: int, axis: int, largest: bool) -> list[Array]:
    order = np.argsort(-x if largest else x, axis=axis, kind="stable")
    first = np.take(order, np.arange(k), axis=axis)
    return [np.take_along_axis(x, first, axis), first.astype(np.int32)]


_COMBINE = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}


@reference("graph.scatter")
def scatter(x: Array, indices: Array, updates: Array, reduction: str) -> Array:
    y = x.copy()
    if reduction in _COMBINE:
        _COMBINE[reduction].at(y, indices, updates)
    else:
        y[indices] = updates
    return y
