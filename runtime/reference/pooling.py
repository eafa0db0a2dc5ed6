"""Pooling over images from its definition: windows of the padded image, one output position after the other."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .registry import reference

Array = NDArray[Any]
Pair = tuple[int, int]


def _size(size: int, pads: Pair, kernel: int, stride: int, dilation: int, ceil_mode: bool) -> int:
    """Output positions; with `ceil_mode` one more where elements are left over, if it starts in front of the image's
    end."""
    rest = size + sum(pads) - dilation * (kernel - 1) - 1
    count = rest // stride + 1
    more = ceil_mode and rest % stride > 0 and count * stride < size + pads[0]
    return count + int(more)


def _windows(
    x: Array,
    fill: float,
    kernel: Pair,
    strides: Pair,
    pads: tuple[int, ...],
    dilations: Pair,
    ceil_mode: bool,
) -> tuple[Iterator[Array], Pair]:
    """What each window position meets, [N, C, Ho, Wo], and the output's size. Behind the padding stands `fill` too."""
    sides = [(pads[d], pads[d + 2]) for d in range(2)]
    out = [_size(x.shape[2 + d], sides[d], kernel[d], strides[d], dilations[d], ceil_mode) for d in range(2)]
    ends = [(out[d] - 1) * strides[d] + dilations[d] * (kernel[d] - 1) + 1 for d in range(2)]
    widths = [
        (before, max(end - n - before, 0))
        for end, n, (before, _) in zip(ends, x.shape[2:], sides, strict=True)
    ]
    padded = np.pad(x, ((0, 0), (0, 0), *widths), constant_values=fill)

    def positions() -> Iterator[Array]:
        for i in range(kernel[0]):
            for j in range(kernel[1]):
                shifted = padded[:, :, i * dilations[0] :: strides[0], j * dilations[1] :: strides[1]]
                yield shifted[:, :, : out[0], : out[1]]

    return positions(), (out[0], out[1])


@reference("graph.max_pool2d")
def max_pool2d(
    x: Array, kernel: Pair, strides: Pair, pads: tuple[int, ...], dilations: Pair, ceil_mode: bool
) -> Array:
    windows, _ = _windows(x, -np.inf, kernel, strides, pads, dilations, ceil_mode)
    return np.maximum.reduce(list(windows))


@reference("graph.avg_pool2d")
def avg_pool2d(
    x: Array,
    kernel: Pair,
    strides: Pair,
    pads: tuple[int, ...],
    dilations: Pair,
    ceil_mode: bool,
    count_include_pad: bool,
) -> Array:
    """The sum over the number of elements: those of the image, with `count_include_pad` those of the padding too."""
    counted = np.ones((1, 1, *x.shape[2:]), x.dtype)
    if count_include_pad:
        counted = np.pad(counted, ((0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])), constant_values=1)
    window, (rows, columns) = _windows(x, 0.0, kernel, strides, pads, dilations, ceil_mode)
    total = np.zeros((*x.shape[:2], rows, columns), x.dtype)
    for tap in window:
        total += tap
    unpadded = (0, 0, 0, 0) if count_include_pad else pads
    ends = [
        (n - 1) * s + d * (k - 1) + 1
        for n, s, d, k in zip((rows, columns), strides, dilations, kernel, strict=True)
    ]
    room = np.zeros(
        (
            1,
            1,
            *(
                max(end, n + unpadded[d])
                for d, (end, n) in enumerate(zip(ends, counted.shape[2:], strict=True))
            ),
        )
    )
    room[:, :, unpadded[0] : unpadded[0] + counted.shape[2], unpadded[1] : unpadded[1] + counted.shape[3]] = (
        counted
    )
    number, _ = _windows(room, 0.0, kernel, strides, (0, 0, 0, 0), dilations, False)
    return total / np.add.reduce(list(number))[:, :, :rows, :columns].astype(x.dtype)
