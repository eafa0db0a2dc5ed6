"""Matrix product and convolution, summed by BLAS in the precision of their operands."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .registry import reference

Array = NDArray[Any]


@reference("graph.matmul")
def matmul(
    a: Array, b: Array, transpose_a: bool, transpose_b: bool, out: Any = None, part: int | None = None
) -> Array:
    left = np.swapaxes(a, -1, -2) if transpose_a else a
    right = np.swapaxes(b, -1, -2) if transpose_b else b
    if part is not None:
        starts = range(0, left.shape[-1], part)
        cut = ((left[..., i : i + part], right[..., i : i + part, :]) for i in starts)
        return np.stack([matmul(*one, False, False) for one in cut])
    if a.dtype.kind == "i":  # exact in f64, which has a BLAS
        return (left.astype(np.float64) @ right.astype(np.float64)).astype(np.int64).astype(np.int32)
    return left @ right


@reference("graph.conv2d")
def conv2d(
    x: Array,
    w: Array,
    bias: Array | None = None,
    *,
    strides: tuple[int, int],
    pads: tuple[int, int, int, int],
    dilations: tuple[int, int],
    groups: int,
) -> Array:
    """Sum over the kernel's taps: each is a matrix product of w[:, :, i, j] with the pixels it meets."""
    (n, c, h, width), (o, depth, kh, kw) = x.shape, w.shape
    top, left, bottom, right = pads
    padded = np.pad(x, ((0, 0), (0, 0), (top, bottom), (left, right)))
    (sh, sw), (dh, dw) = strides, dilations
    rows = (h + top + bottom - dh * (kh - 1) - 1) // sh + 1
    columns = (width + left + right - dw * (kw - 1) - 1) // sw + 1
    taps = np.ascontiguousarray(w.transpose(2, 3, 0, 1)).reshape(kh, kw, groups, o // groups, depth)
    result = np.zeros((n, groups, o // groups, rows * columns), x.dtype)
    for i in range(kh):
        for j in range(kw):
            pixels = padded[:, :, i * dh :: sh, j * dw :: sw][:, :, :rows, :columns]
            result += taps[i, j] @ pixels.reshape(n, groups, c // groups, rows * columns)
    result = result.reshape(n, o, rows, columns)
    return result if bias is None else result + bias[:, None, None]
