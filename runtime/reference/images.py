"""Resizing and transposed convolution from their definitions, pixel by pixel."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .registry import reference

Array = NDArray[Any]


def _places(size: int, sizes: int, coordinates: str) -> Array:
    """Where the pixels of the result lie among those of the operand (ONNX Resize)."""
    pixels = np.arange(sizes, dtype=np.float64)
    if coordinates == "align_corners":
        return np.zeros(1) if sizes == 1 else pixels * ((size - 1) / (sizes - 1))
    if coordinates == "asymmetric":
        return pixels * size / sizes
    if coordinates == "pytorch_half_pixel" and sizes == 1:
        return np.zeros(1)
    return (2 * pixels + 1) * size / (2 * sizes) - 0.5


def _nearest(places: Array, rounding: str) -> Array:
    low, high = np.floor(places), np.ceil(places)
    if rounding in ("floor", "ceil"):
        return low if rounding == "floor" else high
    middle = low if rounding == "round_prefer_floor" else high
    return np.where(places - low == 0.5, middle, np.rint(places))


@reference("graph.resize")
def resize(x: Array, sizes: tuple[int, ...], mode: str, coordinates: str, rounding: str) -> Array:
    y = x.astype(np.float64)
    for axis, count in ((2, sizes[0]), (3, sizes[1])):
        size = y.shape[axis]
        if size == count:
            continue
        places = _places(size, count, coordinates)
        if mode == "nearest":
            y = np.take(y, np.clip(_nearest(places, rounding), 0, size - 1).astype(int), axis)
            continue
        places = np.clip(places, 0, size - 1)
        low = np.floor(places).astype(int)
        share = (places - low).reshape([-1 if d == axis else 1 for d in range(4)])
        y = np.take(y, low, axis) * (1 - share) + np.take(y, np.minimum(low + 1, size - 1), axis) * share
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
