"""Resizing and transposed convolution from their definitions, pixel by pixel."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .registry import reference

Array = NDArray[Any]


def _places(size: int, sizes: int, scale: float | None, coordinates: str) -> Array:
    """Where the pixels of the result lie among those of the operand (ONNX Resize)."""
    pixels = np.arange(sizes, dtype=np.float64)
    if coordinates == "align_corners":
        return np.zeros(1) if sizes == 1 else pixels * ((size - 1) / (sizes - 1))
    if coordinates == "asymmetric":
        return pixels * size / sizes if scale is None else pixels / scale
    if coordinates == "pytorch_half_pixel" and sizes == 1:
        return np.zeros(1)
    if scale is None:
        return (2 * pixels + 1) * size / (2 * sizes) - 0.5
    shift = size / 2 * (1 - sizes / (scale * size)) if coordinates == "half_pixel_symmetric" else 0
    return shift + (pixels + 0.5) / scale - 0.5


def _nearest(places: Array, rounding: str) -> Array:
    """What is a whole number but for rounding is that."""
    places = places.round(9)
    low, high = np.floor(places), np.ceil(places)
    if rounding in ("floor", "ceil"):
        return low if rounding == "floor" else high
    middle = low if rounding == "round_prefer_floor" else high
    return np.where(places - low == 0.5, middle, np.rint(places))


def _kernel(apart: Array, mode: str, a: float) -> Array:
    if mode == "bilinear":
        return np.maximum(1 - apart, 0)
    near = (a + 2) * apart**3 - (a + 3) * apart**2 + 1
    far = a * (apart**3 - 5 * apart**2 + 8 * apart - 4)
    return np.where(apart <= 1, near, np.where(apart < 2, far, 0))


@reference("graph.resize")
def resize(
    x: Array,
    sizes: tuple[int, ...] | None,
    scales: tuple[float, ...] | None,
    mode: str,
    coordinates: str,
    rounding: str,
    antialias: bool,
    cubic_a: float,
    exclude_outside: bool,
) -> Array:
    """Of means, an image with as many of its last pixels beyond each border as any result pixel sees."""
    y = x.astype(np.float64)
    for axis in (2, 3):
        size = y.shape[axis]
        scale = None if scales is None else scales[axis - 2]
        count = sizes[axis - 2] if sizes is not None else int(np.float32(size * (scale or 0)))
        if size == count and scale in (None, 1):
            continue
        places = _places(size, count, scale, coordinates)
        if mode == "nearest":
            y = np.take(y, np.clip(_nearest(places, rounding), 0, size - 1).astype(int), axis)
            continue
        narrow = min(count / size if scale is None else scale, 1) if antialias else 1
        furthest = max(-float(places.min()), float(places.max()) - size, 0.0)
        beyond = math.ceil(2 / narrow) + math.ceil(furthest) + 2
        pixels = np.arange(-beyond, size + beyond, dtype=np.float64)
        shares = _kernel(np.abs(places[:, None] - pixels) * narrow, mode, cubic_a)
        if exclude_outside:
            shares[:, (pixels < 0) | (pixels >= size)] = 0
        shares /= shares.sum(1, keepdims=True)
        wide = np.pad(y, [(beyond, beyond) if d == axis else (0, 0) for d in range(4)], mode="edge")
        y = np.moveaxis(np.tensordot(shares, wide, ([1], [axis])), 0, axis)
    return y


@reference("graph.conv_transpose2d")
def conv_transpose2d(
    x: Array,
    w: Array,
    bias: Array | None = None,
    *,
    strides: tuple[int, ...],
    pads: tuple[int, ...],
    output_pads: tuple[int, ...],
    dilations: tuple[int, ...],
    groups: int,
) -> Array:
    (n, c, height, width), (_, filters, kh, kw) = x.shape, w.shape
    (sh, sw), (dh, dw) = strides, dilations
    top, left, bottom, right = pads
    rows, columns = (height - 1) * sh + (kh - 1) * dh + 1, (width - 1) * sw + (kw - 1) * dw + 1
    y = np.zeros((n, groups * filters, rows + output_pads[0], columns + output_pads[1]))
    for group in range(groups):
        channels = slice(group * c // groups, (group + 1) * c // groups)
        target = y[:, group * filters : (group + 1) * filters]
        for i in range(kh):
            for j in range(kw):
                added = np.einsum("nchw,co->nohw", x[:, channels], w[channels, :, i, j], dtype=np.float64)
                below, beside = i * dh, j * dw
                target[
                    :,
                    :,
                    below : below + (height - 1) * sh + 1 : sh,
                    beside : beside + (width - 1) * sw + 1 : sw,
                ] += added
    y = y[:, :, top : y.shape[2] - bottom, left : y.shape[3] - right]
    return y if bias is None else y + bias.reshape(1, -1, 1, 1)
