"""Normalisations."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from .builder import Builder, Node, converts, widely
from .unsupported import Unsupported

if TYPE_CHECKING:
    from .builder import Value


@converts("BatchNormalization")
def _batch_norm(b: Builder, n: Node) -> Value:
    if n.get("training_mode", 0) or any(n.used[1:]):
        raise Unsupported("batch normalisation of training")
    return b.op("batch_norm", *(n[i] for i in range(5)), epsilon=n.get("epsilon", 1e-5))


@converts("InstanceNormalization")
def _instance_norm(b: Builder, n: Node) -> Value:
    return b.op("instance_norm", n[0], [n[1], n[2]], epsilon=n.get("epsilon", 1e-5))


@converts("GroupNormalization")
def _group_norm(b: Builder, n: Node) -> Value:
    """Scale and bias are of groups before opset 21, of channels since."""
    groups, scale, bias = n.get("num_groups"), n[1], n[2]
    if n.version < 21:
        share = b.shape(n[0])[1] // groups
        scale, bias = (_repeated(b, value, share) for value in (scale, bias))
    return b.op("group_norm", n[0], [scale, bias], groups=groups, epsilon=n.get("epsilon", 1e-5))


def _repeated(b: Builder, x: Value, times: int) -> Value:
    """Each element `times` times."""
    if isinstance(x, np.ndarray):
        return b.renamed(x, x.repeat(times))
    (size,) = b.shape(x)
    return b.reshape(b.op("broadcast", b.reshape(x, [size, 1]), shape=[size, times]), [size * times])


@converts("LayerNormalization")
def _layer_norm(b: Builder, n: Node) -> list[Value]:
    """A result of its own are mean and inverse deviation, where they are read."""
    shape = b.shape(n[0])
    axis = n.get("axis", -1) % len(shape)
    affine = [value for value in (n.input(1), n.input(2)) if value is not None]
    epsilon = n.get("epsilon", 1e-5)
    if affine and any(b.shape(value) != shape[axis:] for value in affine):
        plain = b.op("layer_norm", n[0], [], axis=axis, epsilon=epsilon)
        made: Value = b.op("mul", plain, affine[0])
        made = b.op("add", made, affine[1]) if len(affine) > 1 else made
    else:
        made = b.op("layer_norm", n[0], affine, axis=axis, epsilon=epsilon)
    if not any(n.used[1:]):
        return [made]
    axes = list(range(axis, len(shape)))
    mean = b.op("reduce_mean", n[0], axes=axes, keep_dims=True)
    variance = b.op("reduce_mean", b.op("square", b.op("sub", n[0], mean)), axes=axes, keep_dims=True)
    return [made, mean, b.op("rsqrt", b.op("add", variance, epsilon))]


@converts("RMSNormalization")
def _rms_norm(b: Builder, n: Node) -> Value:
    shape = b.shape(n[0])
    axis, epsilon = n.get("axis", -1) % len(shape), n.get("epsilon", 1e-5)
    if b.shape(n[1]) == shape[axis:]:
        return b.op("rms_norm", n[0], [n[1]], axis=axis, epsilon=epsilon)
    return b.op("mul", b.op("rms_norm", n[0], [], axis=axis, epsilon=epsilon), n[1])


@converts("LpNormalization")
@widely
def _lp_norm(b: Builder, n: Node) -> Value:
    axis = n.get("axis", -1)
    if n.get("p", 2) == 1:
        total = b.op("reduce_sum", b.op("abs", n[0]), axes=[axis], keep_dims=True)
    else:
        total = b.op("sqrt", b.op("reduce_sum", b.op("square", n[0]), axes=[axis], keep_dims=True))
    return b.op("div", n[0], b.op("maximum", total, 1e-7))  # zeros stay zeros


@converts("MeanVarianceNormalization")
@widely
def _mean_variance(b: Builder, n: Node) -> Value:
    """(x - mean) / sqrt(variance), the latter with 1e-9 beside it, over `axes`."""
    axes = n.get("axes", [0, 2, 3])
    apart = b.op("sub", n[0], b.op("reduce_mean", n[0], axes=axes, keep_dims=True))
    deviation = b.op("sqrt", b.op("reduce_mean", b.op("square", apart), axes=axes, keep_dims=True))
    return b.op("div", apart, b.op("add", deviation, 1e-9))


@converts("LRN")
@widely
def _lrn(b: Builder, n: Node) -> Value:
    """x / (bias + alpha / size * the sum of squares of `size` channels) ^ beta; the sum is a pool over channels."""
    size, alpha = n.get("size"), n.get("alpha", 1e-4)
    beta, bias = n.get("beta", 0.75), n.get("bias", 1.0)
    batch, channels, *image = b.shape(n[0])
    rows = b.reshape(b.op("square", n[0]), [batch, 1, channels, prod(image)])
    before = (size - 1) // 2
    mean = b.op(
        "avg_pool2d", rows, kernel=[size, 1], pads=[before, 0, size - 1 - before, 0], count_include_pad=True
    )
    mean = b.reshape(mean, b.shape(n[0]))
    base = b.op("add", b.op("mul", mean, alpha), bias)
    return b.op("mul", n[0], b.op("pow", base, -beta))
