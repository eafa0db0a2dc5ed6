"""Reductions and norms from their definitions, formed in f64."""

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .registry import reference

Array = NDArray[Any]


def _sums(x: Array) -> Any:
    """The type that sums and products are formed in: integers wrap around in their own."""
    return x.dtype if x.dtype.kind == "i" else np.float64


def _axes(x: Array, axes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(axes) or tuple(range(x.ndim))


def _or_one(x: Array, axes: tuple[int, ...], value: float) -> Array:
    """x, or where there is nothing to reduce one `value` in its place."""
    if x.size:
        return x
    if x.dtype.kind == "i":
        limits = np.iinfo(x.dtype)
        value = np.clip(value, limits.min, limits.max)
    named = [axis % x.ndim for axis in _axes(x, axes)]
    return np.full([max(n, 1) if d in named else n for d, n in enumerate(x.shape)], value, x.dtype)


@reference("graph.reduce_sum")
def reduce_sum(x: Array, axes: tuple[int, ...], keep_dims: bool) -> Array:
    return np.asarray(np.sum(x, axis=_axes(x, axes), keepdims=keep_dims, dtype=_sums(x)))


@reference("graph.reduce_mean")
def reduce_mean(x: Array, axes: tuple[int, ...], keep_dims: bool) -> Array:
    total = np.asarray(np.sum(x, axis=_axes(x, axes), keepdims=keep_dims, dtype=np.float64))
    return total / np.float64(prod(x.shape[axis] for axis in _axes(x, axes)))


@reference("graph.reduce_max")
def reduce_max(x: Array, axes: tuple[int, ...], keep_dims: bool) -> Array:
    return np.max(_or_one(x, axes, -np.inf), axis=_axes(x, axes), keepdims=keep_dims)


@reference("graph.reduce_min")
def reduce_min(x: Array, axes: tuple[int, ...], keep_dims: bool) -> Array:
    return np.min(_or_one(x, axes, np.inf), axis=_axes(x, axes), keepdims=keep_dims)


@reference("graph.reduce_prod")
def reduce_prod(x: Array, axes: tuple[int, ...], keep_dims: bool) -> Array:
    return np.asarray(np.prod(x, axis=_axes(x, axes), keepdims=keep_dims, dtype=_sums(x)))


@reference("graph.cumsum")
def cumsum(x: Array, axis: int, exclusive: bool, reverse: bool) -> Array:
    wide = (np.flip(x, axis) if reverse else x).astype(_sums(x))
    sums = np.cumsum(wide, axis, dtype=wide.dtype)
    if exclusive:
        sums = np.concatenate([np.zeros_like(np.take(wide, [0], axis)), np.delete(sums, -1, axis)], axis)
    return np.flip(sums, axis) if reverse else sums


@reference("graph.group_norm")
def group_norm(x: Array, *affine: Array, groups: int, epsilon: float) -> Array:
    parts = x.reshape(x.shape[0], groups, -1)
    y = _normalised(parts, (2,), epsilon).reshape(x.shape)
    vectors = [v.reshape(-1, *(1,) * (x.ndim - 2)) for v in affine]
    y = y * vectors[0] if vectors else y
    return y + vectors[1] if len(vectors) > 1 else y


@reference("graph.softmax")
def softmax(x: Array, axis: int, masked: bool = False) -> Array:
    weights = np.exp(log_softmax(x, axis))
    return np.where((x == -np.inf).all(axis, keepdims=True), 0, weights) if masked else weights


@reference("graph.log_softmax")
def log_softmax(x: Array, axis: int) -> Array:
    shifted = x.astype(np.float64) - np.max(x, axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def _normalised(x: Array, axes: tuple[int, ...], epsilon: float) -> Array:
    wide = x.astype(np.float64)
    return (wide - wide.mean(axis=axes, keepdims=True)) / np.sqrt(
        wide.var(axis=axes, keepdims=True) + epsilon
    )


@reference("graph.layer_norm")
def layer_norm(x: Array, *affine: Array, axis: int, epsilon: float) -> Array:
    y = _normalised(x, tuple(range(axis % x.ndim, x.ndim)), epsilon)
    y = y * affine[0] if affine else y
    return y + affine[1] if len(affine) > 1 else y


@reference("graph.rms_norm")
def rms_norm(x: Array, *affine: Array, axis: int, epsilon: float) -> Array:
    wide = x.astype(np.float64)
    axes = tuple(range(axis % x.ndim, x.ndim))
    y = wide / np.sqrt(np.mean(wide * wide, axis=axes, keepdims=True) + epsilon)
    return y * affine[0] if affine else y


@reference("graph.instance_norm")
def instance_norm(x: Array, *affine: Array, epsilon: float) -> Array:
    y = _normalised(x, tuple(range(2, x.ndim)), epsilon)
    vectors = [v.reshape(-1, *(1,) * (x.ndim - 2)) for v in affine]
    y = y * vectors[0] if vectors else y
    return y + vectors[1] if len(vectors) > 1 else y
