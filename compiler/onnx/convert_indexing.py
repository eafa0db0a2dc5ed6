"""Operators that take indices."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.ir import SSAValue

from .builder import Builder, Node, converts
from .unsupported import Unsupported

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .builder import Value


@converts("Gather")
def _gather(b: Builder, n: Node) -> Value:
    """Indices that follow each other are a slice."""
    axis: int = n.get("axis", 0) % max(b.rank(n[0]), 1)
    indices = n[1]
    if isinstance(indices, np.ndarray):
        shape = b.shape(n[0])
        found = _checked(indices, shape[axis])
        flat = found.reshape(-1)
        if found.size and (np.diff(flat) == 1).all():
            part = b.slice(n[0], axis, int(flat[0]), int(flat[-1]) + 1)
            return b.reshape(part, [*shape[:axis], *found.shape, *shape[axis + 1 :]])
        indices = found
    return b.op("gather", n[0], indices, axis=axis)


def _checked(indices: NDArray[Any], size: int) -> NDArray[Any]:
    """Indices counted from the front."""
    if indices.size and not (-size <= indices.min() and indices.max() < size):
        raise Unsupported(f"an index is outside the {size} elements")
    return np.where(indices < 0, indices + size, indices).astype(np.int64)


@converts("GatherElements")
def _gather_elements(b: Builder, n: Node) -> Value:
    """Elements of the flat tensor, where the indices are known."""
    shape = b.shape(n[0])
    places = _places(b, n, shape)
    return b.op("gather", b.reshape(n[0], [prod(shape)]), places, axis=0)


def _places(b: Builder, n: Node, shape: tuple[int, ...]) -> NDArray[Any]:
    """Where in row-major order the elements lie that indices along an axis name."""
    axis: int = n.get("axis", 0) % len(shape)
    indices = _checked(b.known(n.input(1), "indices"), shape[axis])
    places = np.indices(indices.shape)
    places[axis] = indices
    return np.asarray(np.ravel_multi_index(tuple(places), shape))


@converts("GatherND")
def _gather_nd(b: Builder, n: Node) -> Value:
    shape = b.shape(n[0])
    batch: int = n.get("batch_dims", 0)
    given = n[1]
    depth = b.shape(given)[-1]
    if isinstance(given, SSAValue) and depth == 1 and not batch:
        return b.op("gather", n[0], b.op("reshape", given, shape=list(b.shape(given)[:-1])), axis=0)
    indices = b.known(given, "indices")
    columns = [_checked(indices[..., i], shape[batch + i]) for i in range(depth)]
    outer = np.indices(indices.shape[:-1])[:batch]
    rows = np.ravel_multi_index((*outer, *columns), shape[: batch + depth])
    inner = shape[batch + depth :]
    flat = b.reshape(n[0], [prod(shape[: batch + depth]), *inner])
    return b.op("gather", flat, rows, axis=0)


@converts("ScatterND")
def _scatter_nd(b: Builder, n: Node) -> Value:
    shape = b.shape(n[0])
    depth = b.shape(n[1])[-1]
    given = n[1]
    rows: Any
    if isinstance(given, np.ndarray):
        columns = [_checked(given[..., i], shape[i]) for i in range(depth)]
        rows = np.ravel_multi_index(tuple(columns), shape[:depth]).reshape(-1)
    elif depth == 1:
        rows = b.op("reshape", given, shape=[prod(b.shape(given))])
    else:
        raise Unsupported("indices of several dimensions are known at run time only", given)
    inner = shape[depth:]
    count = prod(b.shape(n[1])[:-1])
    table = b.reshape(n[0], [prod(shape[:depth]), *(inner or [1])])
    updates = b.reshape(n[2], [count, *(inner or [1])])
    found = b.op("scatter", table, rows, updates, reduction=n.get("reduction", "none"))
    return b.reshape(found, shape)


@converts("ScatterElements", "Scatter")
def _scatter_elements(b: Builder, n: Node) -> Value:
    shape = b.shape(n[0])
    rows = _places(b, n, shape).reshape(-1)
    table, updates = b.reshape(n[0], [prod(shape), 1]), b.reshape(n[2], [rows.size, 1])
    return b.reshape(b.op("scatter", table, rows, updates, reduction=n.get("reduction", "none")), shape)


@converts("OneHot")
def _one_hot(b: Builder, n: Node) -> Value:
    depth = int(b.number(n.input(1), "the depth"))
    off, on = b.known(n.input(2), "the values").reshape(-1)
    indices = n[0]
    if b.is_float(indices):
        raise Unsupported("indices are whole numbers")
    made = b.op(
        "one_hot", indices, depth=depth, axis=n.get("axis", -1), on=float(on), off=float(off), to=b.float_type
    )
    return (
        made
        if np.asarray(on).dtype.kind not in "iu"
        else b.op("cast", made, to=b.element(b.tensor(np.zeros(1, np.int64))))
    )
