"""Ops that move elements, by numpy's own indexing."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .registry import reference

Array = NDArray[Any]


@reference("graph.transpose")
def transpose(x: Array, perm: tuple[int, ...]) -> Array:
    return x.transpose(perm)


@reference("graph.slice")
def slice_(
    x: Array,
    starts: tuple[int, ...],
    ends: tuple[int, ...],
    axes: tuple[int, ...] | None,
    steps: tuple[int, ...] | None,
) -> Array:
    for i, (start, end) in enumerate(zip(starts, ends, strict=True)):
        axis, step = i if axes is None else axes[i], 1 if steps is None else steps[i]
        size = x.shape[axis]
        if step < 0 and start < -size:
            start = 0  # held to the first element, where numpy would take nothing
        x = np.moveaxis(np.moveaxis(x, axis, 0)[start:end:step], 0, axis)
    return x


@reference("graph.concat")
def concat(*parts: Array, axis: int) -> Array:
    return np.concatenate(parts, axis)


@reference("graph.split")
def split(x: Array, axis: int, sizes: tuple[int, ...]) -> Any:
    parts = np.split(x, np.cumsum(sizes)[:-1], axis)
    return parts if len(parts) > 1 else parts[0]


@reference("graph.pad")
def pad(x: Array, pads: tuple[int, ...], value: float) -> Array:
    widths = list(zip(pads[: x.ndim], pads[x.ndim :], strict=True))
    return np.pad(x, widths, constant_values=value)


@reference("graph.broadcast")
def broadcast(x: Array, shape: tuple[int, ...]) -> Array:
    given = (*(1,) * (len(shape) - x.ndim), *x.shape)
    return np.broadcast_to(x, [n if m == -1 else m for n, m in zip(given, shape, strict=True)])


@reference("graph.tile")
def tile(x: Array, repeats: tuple[int, ...]) -> Array:
    return np.tile(x, repeats)


@reference("graph.space_to_depth")
def space_to_depth(x: Array, block: int) -> Array:
    pixels = [x[:, :, i::block, j::block] for i in range(block) for j in range(block)]
    return np.concatenate(pixels, 1)


@reference("graph.depth_to_space")
def depth_to_space(x: Array, block: int, mode: str) -> Array:
    n, c, h, w = x.shape
    depth = c // (block * block)
    result = np.empty((n, depth, h * block, w * block), x.dtype)
    for i in range(block):
        for j in range(block):
            place = i * block + j
            channels = (
                slice(place * depth, (place + 1) * depth)
                if mode == "DCR"
                else slice(place, None, block * block)
            )
            result[:, :, i::block, j::block] = x[:, channels]
    return result
