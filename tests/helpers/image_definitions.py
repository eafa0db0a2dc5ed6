"""Ops on images as their definitions say, tap by tap in f64: what results are compared with that no reference
implementation of the project gives."""

from collections.abc import Sequence

import numpy as np

Array = np.ndarray


def conv2d(
    x: Array,
    w: Array,
    strides: Sequence[int] = (1, 1),
    pads: Sequence[int] = (0, 0, 0, 0),
    dilations: Sequence[int] = (1, 1),
    groups: int = 1,
) -> Array:
    """Convolution of x [N, C, H, W] with w [O, C / groups, kh, kw]; pads are top, left, bottom, right."""
    top, left, bottom, right = pads
    x = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (top, bottom), (left, right)))
    filters, depth, kh, kw = w.shape
    (sh, sw), (dh, dw) = strides, dilations
    rows = (x.shape[2] - dh * (kh - 1) - 1) // sh + 1
    columns = (x.shape[3] - dw * (kw - 1) - 1) // sw + 1
    result = np.zeros((x.shape[0], filters, rows, columns))
    each = filters // groups
    for o in range(filters):
        group = o // each
        for c in range(depth):
            plane = x[:, group * depth + c]
            for i in range(kh):
                for j in range(kw):
                    seen = plane[
                        :,
                        i * dh : i * dh + (rows - 1) * sh + 1 : sh,
                        j * dw : j * dw + (columns - 1) * sw + 1 : sw,
                    ]
                    result[:, o] += seen * float(w[o, c, i, j])
    return result


def conv_transpose2d(
    x: Array,
    w: Array,
    strides: Sequence[int] = (1, 1),
    pads: Sequence[int] = (0, 0, 0, 0),
    output_pads: Sequence[int] = (0, 0),
    dilations: Sequence[int] = (1, 1),
    groups: int = 1,
) -> Array:
    """Transposed convolution of x [N, C, H, W] with w [C, O / groups, kh, kw]: each pixel adds its multiple of the
    filters, `strides` apart; pads are cut off, `output_pads` come after the end."""
    n, channels, h, wide = x.shape
    _, each, kh, kw = w.shape
    (sh, sw), (dh, dw), (top, left, bottom, right) = strides, dilations, pads
    rows = (h - 1) * sh + dh * (kh - 1) + 1 + output_pads[0]
    columns = (wide - 1) * sw + dw * (kw - 1) + 1 + output_pads[1]
    result = np.zeros((n, each * groups, rows, columns))
    for c in range(channels):
        group = c // (channels // groups)
        for o in range(each):
            for i in range(kh):
                for j in range(kw):
                    taps = result[:, group * each + o, i * dh :: sh, j * dw :: sw][:, :h, :wide]
                    taps += x[:, c].astype(np.float64) * float(w[c, o, i, j])
    return result[:, :, top : rows - bottom, left : columns - right]


def pool2d(x: Array, kernel: Sequence[int], strides: Sequence[int] = (1, 1), mean: bool = False) -> Array:
    """The largest element, or the mean, of each window of x [N, C, H, W], without padding."""
    rows = (x.shape[2] - kernel[0]) // strides[0] + 1
    columns = (x.shape[3] - kernel[1]) // strides[1] + 1
    result = np.zeros((*x.shape[:2], rows, columns))
    for i in range(rows):
        for j in range(columns):
            at = i * strides[0], j * strides[1]
            window = x[:, :, at[0] : at[0] + kernel[0], at[1] : at[1] + kernel[1]].astype(np.float64)
            result[:, :, i, j] = window.mean((2, 3)) if mean else window.max((2, 3))
    return result


def relative_error(found: Array, want: Array) -> float:
    """Relative L2 error; infinite where something found is not finite."""
    found = np.asarray(found, np.float64)
    assert found.shape == want.shape
    if not np.isfinite(found).all():
        return float("inf")
    return float(np.linalg.norm(found - want) / max(np.linalg.norm(want), 1e-30))
