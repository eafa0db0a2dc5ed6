"""Pooling over images from its definition: one window position after the other."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .registry import reference

Array = NDArray[Any]
Pair = tuple[int, int]
Pads = tuple[int, int, int, int]


def _size(size: int, pads: Pair, kernel: int, stride: int, dilation: int, ceil_mode: bool) -> int:
    """Output positions; with `ceil_mode` one more where elements are left over, if it starts in front of the image's
    end."""
    rest = size + sum(pads) - dilation * (kernel - 1) - 1
    count = rest // stride + 1
    more = ceil_mode and rest % stride > 0 and count * stride < size + pads[0]
    return count + int(more)


def _taps(
    x: Array, fill: float, kernel: Pair, strides: Pair, pads: Pads, dilations: Pair, ceil_mode: bool
) -> list[Array]:
    """What each position of the window meets, [N, C, Ho, Wo]; around the image, its padding and beyond, is `fill`."""
    around, outputs = [(0, 0), (0, 0)], list[int]()
    for d, before, after in ((0, pads[0], pads[2]), (1, pads[1], pads[3])):
        size, span = x.shape[2 + d], dilations[d] * (kernel[d] - 1) + 1
        outputs.append(_size(size, (before, after), kernel[d], strides[d], dilations[d], ceil_mode))
        end = (outputs[d] - 1) * strides[d] + span
        around.append((before, max(end - size - before, 0)))
    padded = np.pad(x, around, constant_values=fill)
    rows, columns = outputs
    return [
        padded[:, :, i * dilations[0] :: strides[0], j * dilations[1] :: strides[1]][:, :, :rows, :columns]
        for i in range(kernel[0])
        for j in range(kernel[1])
    ]


@reference("graph.max_pool2d")
def max_pool2d(x: Array, kernel: Pair, strides: Pair, pads: Pads, dilations: Pair, ceil_mode: bool) -> Array:
    return np.maximum.reduce(_taps(x, -np.inf, kernel, strides, pads, dilations, ceil_mode))


@reference("graph.avg_pool2d")
def avg_pool2d(
    x: Array,
    kernel: Pair,
    strides: Pair,
    pads: Pads,
    dilations: Pair,
    ceil_mode: bool,
    count_include_pad: bool,
) -> Array:
    """The sum over the number of elements: those of the image, with `count_include_pad` those of the padding too."""
    top, left, bottom, right = pads
    padded = np.pad(x, ((0, 0), (0, 0), (top, bottom), (left, right)))
    ones = np.ones((1, 1, *x.shape[2:]), x.dtype)
    counted = np.pad(
        ones, ((0, 0), (0, 0), (top, bottom), (left, right)), constant_values=float(count_include_pad)
    )
    taps = _taps(x, 0.0, kernel, strides, pads, dilations, ceil_mode)
    rows, columns = taps[0].shape[2:]
    none = (0, 0, 0, 0)

    def total(image: Array) -> Array:
        whole = _taps(image, 0.0, kernel, strides, none, dilations, True)
        return np.add.reduce([tap[:, :, :rows, :columns] for tap in whole])

    return total(padded) / total(counted)
