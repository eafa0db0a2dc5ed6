"""Windows along one and three dimensions from their definitions: one tap after the other."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .registry import reference

Array = NDArray[Any]
Ints = tuple[int, ...]


def _sizes(image: Ints, kernel: Ints, strides: Ints, pads: Ints, dilations: Ints, ceil_mode: bool) -> Ints:
    """Positions of a window along each dimension; with `ceil_mode` one more where elements are left over, if it starts
    in front of the image's end."""
    found: list[int] = []
    for d, size in enumerate(image):
        rest = size + pads[d] + pads[d + len(image)] - dilations[d] * (kernel[d] - 1) - 1
        count = rest // strides[d] + 1
        more = ceil_mode and rest % strides[d] > 0 and count * strides[d] < size + pads[d]
        found.append(count + int(more))
    return tuple(found)


def _taps(
    x: Array, fill: float, kernel: Ints, strides: Ints, pads: Ints, dilations: Ints, sizes: Ints
) -> Iterator[tuple[Ints, Array]]:
    """Each place in the window, and what `sizes` positions meet there; outside of x [N, C, ...] is `fill`."""
    around = [(0, 0), (0, 0)]
    for d, size in enumerate(x.shape[2:]):
        end = (sizes[d] - 1) * strides[d] + dilations[d] * (kernel[d] - 1) + 1
        around.append((pads[d], max(end - size - pads[d], 0)))
    padded = np.pad(x, around, constant_values=fill)
    for tap in np.ndindex(*kernel):
        first = [i * n for i, n in zip(tap, dilations, strict=True)]
        cut = [slice(f, f + (n - 1) * s + 1, s) for f, n, s in zip(first, sizes, strides, strict=True)]
        yield tap, padded[(slice(None), slice(None), *cut)]


@reference("graph.conv1d")
@reference("graph.conv3d")
def conv(
    x: Array,
    w: Array,
    bias: Array | None = None,
    *,
    strides: Ints,
    pads: Ints,
    dilations: Ints,
    groups: int,
) -> Array:
    (n, c), o, kernel = x.shape[:2], w.shape[0], w.shape[2:]
    sizes = _sizes(x.shape[2:], kernel, strides, pads, dilations, False)
    places = int(np.prod(sizes))
    result = np.zeros((n, groups, o // groups, places), x.dtype)
    for tap, met in _taps(x, 0.0, kernel, strides, pads, dilations, sizes):
        filters = w[(slice(None), slice(None), *tap)].reshape(groups, o // groups, w.shape[1])
        result += filters @ met.reshape(n, groups, c // groups, places)
    result = result.reshape(n, o, *sizes)
    return result if bias is None else result + bias.reshape(-1, *(1,) * len(sizes))


@reference("graph.conv_transpose1d")
def conv_transpose1d(
    x: Array,
    w: Array,
    bias: Array | None = None,
    *,
    strides: Ints,
    pads: Ints,
    output_pads: Ints,
    dilations: Ints,
    groups: int,
) -> Array:
    (n, c, length), (_, filters, taps) = x.shape, w.shape
    (stride,), (dilation,) = strides, dilations
    whole = (length - 1) * stride + (taps - 1) * dilation + 1 + output_pads[0]
    y = np.zeros((n, groups * filters, whole))
    for group in range(groups):
        channels = slice(group * c // groups, (group + 1) * c // groups)
        for tap in range(taps):
            added = np.einsum("ncl,co->nol", x[:, channels], w[channels, :, tap], dtype=np.float64)
            first = tap * dilation
            y[
                :, group * filters : (group + 1) * filters, first : first + (length - 1) * stride + 1 : stride
            ] += added
    y = y[:, :, pads[0] : whole - pads[1]]
    return y if bias is None else y + bias[:, None]


@reference("graph.max_pool1d")
@reference("graph.max_pool3d")
def max_pool(x: Array, kernel: Ints, strides: Ints, pads: Ints, dilations: Ints, ceil_mode: bool) -> Array:
    sizes = _sizes(x.shape[2:], kernel, strides, pads, dilations, ceil_mode)
    return np.maximum.reduce([met for _, met in _taps(x, -np.inf, kernel, strides, pads, dilations, sizes)])


@reference("graph.avg_pool1d")
@reference("graph.avg_pool3d")
def avg_pool(
    x: Array,
    kernel: Ints,
    strides: Ints,
    pads: Ints,
    dilations: Ints,
    ceil_mode: bool,
    count_include_pad: bool,
) -> Array:
    """The sum over the number of elements: those of x, with `count_include_pad` those of the padding too."""
    image = x.shape[2:]
    around = [(0, 0), (0, 0), *zip(pads[: len(image)], pads[len(image) :], strict=True)]
    sizes = _sizes(image, kernel, strides, pads, dilations, ceil_mode)
    counted = np.pad(np.ones((1, 1, *image)), around, constant_values=float(count_include_pad))
    none = (0,) * len(image)

    def total(padded: Array) -> Array:
        return np.add.reduce([met for _, met in _taps(padded, 0.0, kernel, strides, none, dilations, sizes)])

    return total(np.pad(x, around)) / total(counted)
