"""Convolutions, pools and other operators on images of one to three dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from ...dialects.graph.windows import AvgPool2dOp, output_sizes
from ..text.diagnostics import one_of
from .builder import Builder, Node, converts, widely
from .unsupported import Unsupported

if TYPE_CHECKING:
    from .builder import Value


COORDINATES = ("half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric")
"""What places in a resized image stand for, as far as it is supported."""


def _auto_pad(n: Node) -> str:
    auto = n.get("auto_pad") or "NOTSET"
    allowed = ("NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID")
    if auto not in allowed:
        raise Unsupported(f"there is no auto_pad '{auto}': it is {one_of(allowed)}")
    return auto


def _kernel(b: Builder, n: Node) -> tuple[int, ...]:
    """The sizes of a convolution's windows, which are those of its weights."""
    kernel = b.shape(n[1])[2:]
    stated = n.get("kernel_shape")
    if stated is not None and tuple(stated) != kernel:
        raise Unsupported(f"kernel_shape is {stated}, but its weights have windows of {list(kernel)}")
    return kernel


def _pads(
    n: Node, shape: Sequence[int], kernel: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> list[int]:
    """Before and after each dimension of an image, as `pads` or `auto_pad` say."""
    count = len(kernel)
    auto = _auto_pad(n)
    if auto == "NOTSET":
        return list(n.get("pads", [0] * (2 * count)))
    if auto == "VALID":
        return [0] * (2 * count)
    before: list[int] = []
    after: list[int] = []
    for size, k, s, d in zip(shape, kernel, strides, dilations, strict=True):
        if size < 0:
            raise Unsupported(f"auto_pad {auto} of a dynamic dimension")
        total = max(0, (-(-size // s) - 1) * s + d * (k - 1) + 1 - size)
        less, more = total // 2, total - total // 2
        first, last = (less, more) if auto == "SAME_UPPER" else (more, less)
        before.append(first)
        after.append(last)
    return [*before, *after]


def _window(n: Node, image: Sequence[int], kernel: Sequence[int]) -> dict[str, list[int]]:
    """How windows of `kernel` lie on an image."""
    if len(kernel) != len(image) or len(image) > 3:
        raise Unsupported(f"windows of {len(kernel)} dimensions on an image of {len(image)}")
    strides, dilations = (n.get(name, [1] * len(image)) for name in ("strides", "dilations"))
    pads = _pads(n, image, kernel, strides, dilations)
    return {"strides": strides, "pads": pads, "dilations": dilations}


@converts("Conv")
def _conv(b: Builder, n: Node) -> Value:
    image, kernel = b.shape(n[0])[2:], _kernel(b, n)
    window = _window(n, image, kernel)
    return b.op(f"conv{len(image)}d", n[0], n[1], n.input(2), **window, groups=n.get("group", 1))


@converts("ConvTranspose")
def _conv_transpose(b: Builder, n: Node) -> Value:
    image = b.shape(n[0])[2:]
    kernel, count = _kernel(b, n), len(image)
    if count > 2:
        raise Unsupported(f"a transposed convolution of {count} dimensions")
    strides, dilations = n.get("strides", [1] * count), n.get("dilations", [1] * count)
    more = n.get("output_padding", [0] * count)
    pads = list(n.get("pads", [0] * (2 * count)))
    auto, wanted = _auto_pad(n), n.get("output_shape")
    if wanted is None and auto.startswith("SAME"):
        wanted = [size * s for size, s in zip(image, strides, strict=True)]
    if wanted is not None:
        for d in range(count):
            whole = (image[d] - 1) * strides[d] + more[d] + (kernel[d] - 1) * dilations[d] + 1
            total = whole - wanted[-count:][d]
            if total < 0:  # the rest is zeros behind the image
                more[d], total = more[d] - total, 0
            less, rest = total // 2, total - total // 2
            pads[d], pads[count + d] = (less, rest) if auto == "SAME_UPPER" else (rest, less)
    elif auto == "VALID":
        pads = [0] * (2 * count)
    return b.op(
        f"conv_transpose{count}d",
        n[0],
        n[1],
        n.input(2),
        strides=strides,
        pads=pads,
        output_pads=more,
        dilations=dilations,
        groups=n.get("group", 1),
    )


@converts("MaxPool", "AveragePool")
def _pool(b: Builder, n: Node) -> Value:
    image, kernel = b.shape(n[0])[2:], n.get("kernel_shape")
    if any(n.used[1:]):
        raise Unsupported("the indices of the largest elements are read")
    kind, more = "max", {}
    if n.op == "AveragePool":
        kind, more = "avg", {"count_include_pad": bool(n.get("count_include_pad", 0))}
    x: Value = n[0] if b.is_float(n[0]) else b.op("cast", n[0], to=b.float_type)
    window, ceil = _window(n, image, kernel), bool(n.get("ceil_mode", 0))
    pooled = b.op(f"{kind}_pool{len(image)}d", x, kernel=kernel, **window, ceil_mode=ceil, **more)
    return pooled if b.is_float(n[0]) else b.op("cast", pooled, to=b.element(b.tensor(n[0])))


@converts("GlobalAveragePool", "GlobalMaxPool")
def _global_pool(b: Builder, n: Node) -> Value:
    axes = list(range(2, b.rank(n[0])))
    kind = "mean" if n.op == "GlobalAveragePool" else "max"
    return b.op(f"reduce_{kind}", n[0], axes=axes, keep_dims=True)


def _whole_windows(window: dict[str, list[int]], image: Sequence[int], kernel: Sequence[int]) -> list[int]:
    """Pads with which rounding down gives the windows that `ceil_mode` gives."""
    positions = output_sizes(AvgPool2dOp, image, kernel, {**window, "ceil_mode": True})
    pads, count = list(window["pads"]), len(kernel)
    for d, k in enumerate(kernel):
        last = (positions[d] - 1) * window["strides"][d] - pads[d]
        pads[count + d] = max(pads[count + d], last + window["dilations"][d] * (k - 1) + 1 - image[d])
    return pads


@converts("LpPool")
@widely
def _lp_pool(b: Builder, n: Node) -> Value:
    """The mean of powers, times their number, and its root. All of a window count: those past the padding are zeros of
    a wider one."""
    p, kernel, image = n.get("p", 2), n.get("kernel_shape"), b.shape(n[0])[2:]
    if p not in (1, 2):
        raise Unsupported(f"a pool of powers {p}")
    powers = b.op("abs" if p == 1 else "square", n[0])
    window = _window(n, image, kernel)
    if n.get("ceil_mode", 0):
        window["pads"] = _whole_windows(window, image, kernel)
    mean = b.op(f"avg_pool{len(image)}d", powers, kernel=kernel, **window, count_include_pad=True)
    total = b.op("mul", mean, float(prod(kernel)))
    return total if p == 1 else b.op("sqrt", total)


@converts("Resize", "Upsample")
def _resize(b: Builder, n: Node) -> Value:
    shape = b.shape(n[0])
    scales, sizes = _target(b, n, len(shape))
    if n.has("axes"):
        axes = [axis % len(shape) for axis in n.get("axes")]
        scales = (
            None
            if scales is None
            else [dict(zip(axes, scales, strict=True)).get(d, 1.0) for d in range(len(shape))]
        )
        sizes = (
            None
            if sizes is None
            else [dict(zip(axes, sizes, strict=True)).get(d, shape[d]) for d in range(len(shape))]
        )
    if sizes is not None and n.get("keep_aspect_ratio_policy", "stretch") != "stretch":
        sizes, scales = _kept_aspect(n, shape, sizes)
    if len(shape) != 4 or any(
        (scales is not None and scales[d] != 1) or (sizes is not None and sizes[d] != shape[d])
        for d in (0, 1)
    ):
        return _of_other_shape(b, n, shape, scales, sizes)
    return _resized(b, n, n[0], scales, sizes)


def _target(b: Builder, n: Node, rank: int) -> tuple[list[float] | None, list[int] | None]:
    if n.op == "Upsample" and n.version < 9:
        return list(n.get("scales")), None
    if n.op == "Upsample" or n.version < 11:
        return [float(s) for s in b.known(n.input(1), "the scales").reshape(-1)], None
    given = n.input(2)
    if given is not None and b.shape(given) != (0,):
        return [float(s) for s in b.known(given, "the scales").reshape(-1)], None
    return None, b.ints(n.input(3), "the sizes")


def _kept_aspect(n: Node, shape: Sequence[int], sizes: Sequence[int]) -> tuple[list[int], list[float]]:
    """The sizes nearest to one factor of all axes, and that factor: pixels are as far apart along each."""
    given: Sequence[int] = n.get("axes", range(len(shape)))
    axes = [axis % len(shape) for axis in given]
    factors = [sizes[d] / shape[d] for d in axes]
    factor = min(factors) if n.get("keep_aspect_ratio_policy") == "not_larger" else max(factors)
    kept = [int(np.floor(shape[d] * factor + 0.5)) if d in axes else shape[d] for d in range(len(shape))]
    return kept, [factor if d in axes else 1.0 for d in range(len(shape))]


def _of_other_shape(
    b: Builder, n: Node, shape: Sequence[int], scales: list[float] | None, sizes: list[int] | None
) -> Value:
    """One or two dimensions of any tensor, as those of images."""
    moved = [
        d
        for d in range(len(shape))
        if (scales is not None and scales[d] != 1) or (sizes is not None and sizes[d] != shape[d])
    ]
    if not moved:
        return n[0]
    if len(moved) > 2:
        raise Unsupported(f"{len(moved)} dimensions are resized")
    others = [d for d in range(len(shape)) if d not in moved]
    image = [1] * (2 - len(moved)) + [shape[d] for d in moved]
    batch = shape[others[0]] if others else 1
    lead = [batch, prod(shape[d] for d in others[1:])]
    x = b.reshape(b.transpose(n[0], [*others, *moved]), [*lead, *image])
    pad = 2 - len(moved)
    factors = None if scales is None else [1.0, 1.0, *[1.0] * pad, *(scales[d] for d in moved)]
    wanted = None if sizes is None else [1, 1, *[1] * pad, *(sizes[d] for d in moved)]
    made = _resized(b, n, x, factors, wanted)
    new = b.shape(made)[2 + pad :]
    found = b.reshape(made, [*(shape[d] for d in others), *new])
    order = [*others, *moved]
    return b.transpose(found, [order.index(d) for d in range(len(shape))])


def _resized(b: Builder, n: Node, x: Value, scales: list[float] | None, sizes: list[int] | None) -> Value:
    old = n.op == "Upsample" or n.version < 11
    mode = n.get("mode", "nearest")
    names = {"linear": "bilinear", "bilinear": "bilinear", "nearest": "nearest", "cubic": "cubic"}
    if mode not in names:
        raise Unsupported(f"there is no mode '{mode}' of resizing: it is nearest, linear or cubic")
    coordinates = "asymmetric" if old else n.get("coordinate_transformation_mode", "half_pixel")
    if coordinates not in COORDINATES:
        raise Unsupported(f"coordinates '{coordinates}' are not supported: {one_of(COORDINATES)}")
    if coordinates == "align_corners" and scales is not None and sizes is None:
        for size, scale in zip(b.shape(x)[2:], scales[2:], strict=True):
            if abs(size * scale - round(size * scale)) > 1e-3:
                raise Unsupported(
                    "corners of an image whose size is no whole number, on which runtimes do not agree"
                )
    return b.op(
        "resize",
        x,
        scales=None if scales is None else scales[2:],
        sizes=None if sizes is None else sizes[2:],
        mode=names[mode],
        coordinates=coordinates,
        rounding="floor" if old else n.get("nearest_mode", "round_prefer_floor"),
        antialias=bool(n.get("antialias", 0)),
        cubic_a=n.get("cubic_coeff_a", -0.75),
        exclude_outside=bool(n.get("exclude_outside", 0)),
    )
