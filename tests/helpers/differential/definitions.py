"""Ops or options that ONNX does not have, or that onnxruntime computes to few digits, by their definition in numpy."""

# pyright: basic

from collections.abc import Callable, Sequence
from math import ceil, floor
from typing import Any

import ml_dtypes
import numpy as np

Attributes = dict[str, Any]
Array = np.ndarray
RANGES = {"i8": (-128, 127), "i32": (-(2**31), 2**31 - 1)}


def _windows(a: Attributes, x: Array) -> tuple[Array, Array]:
    """[N, C, places.., kernel..] of x [N, C, sizes..]: the elements under each place of the kernel, and what they are:
    0 in the image, 1 in the padding, 2 past it."""
    kernel, n = a["kernel"], x.ndim - 2
    pads, strides, dilations = (
        a.get("pads", (0,) * 2 * n),
        a.get("strides", (1,) * n),
        a.get("dilations", (1,) * n),
    )
    taken, what = x, np.zeros((1,) * 2 * n, int)
    index: list[Array] = []
    for d in range(n):
        size, padded = x.shape[2 + d], x.shape[2 + d] + pads[d] + pads[d + n]
        room = (padded - dilations[d] * (kernel[d] - 1) - 1) / strides[d]
        if room < 0:
            raise ValueError("the kernel is larger than the image")
        count = (ceil(room) if a.get("ceil_mode") else floor(room)) + 1
        if a.get("ceil_mode") and (count - 1) * strides[d] >= size + pads[d]:
            count -= 1
        places = np.arange(count)[:, None] * strides[d] - pads[d] + np.arange(kernel[d]) * dilations[d]
        sizes = [1] * 2 * n
        sizes[d], sizes[n + d] = places.shape
        places = places.reshape(sizes)
        beside = np.where(places >= size + pads[d + n], 2, (places < 0) | (places >= size))
        what = np.maximum(what, beside)
        index.append(np.clip(places, 0, size - 1))
    return taken[(slice(None), slice(None), *index)], what


def max_pool(a: Attributes, x: Array) -> list[Array]:
    taken, what = _windows(a, x)
    places = tuple(range(x.ndim, taken.ndim))
    return [np.where(what == 0, taken, -np.inf).max(axis=places).astype(np.float32)]


def avg_pool(a: Attributes, x: Array) -> list[Array]:
    taken, what = _windows(a, x)
    counted = what < 2 if a.get("count_include_pad") else what == 0
    places = tuple(range(x.ndim - 2, what.ndim))
    total = np.where(what == 0, taken.astype(np.float64), 0).sum(axis=tuple(d + 2 for d in places))
    return [(total / counted.sum(axis=places)).astype(np.float32)]


def attention(a: Attributes, q: Array, k: Array, v: Array, mask: Array | None = None) -> list[Array]:
    """The scores, weights and values of each head."""
    q, k, v = (one.astype(np.float64) for one in (q, k, v))
    if q.ndim > 2 and q.shape[-3] != k.shape[-3]:
        k, v = (np.repeat(one, q.shape[-3] // one.shape[-3], axis=-3) for one in (k, v))
    scale = a.get("scale")
    scores = q @ np.swapaxes(k, -1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    counts = np.ones(scores.shape, bool)
    if mask is not None and mask.dtype == bool:
        counts &= mask
    elif mask is not None:
        scores = scores + mask
    if a.get("causal"):
        counts &= np.arange(scores.shape[-2])[:, None] >= np.arange(scores.shape[-1])
    some = counts.any(axis=-1, keepdims=True)  # a row of which none counts is zeros
    scores = np.where(counts | ~some, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return [(np.where(some, weights / weights.sum(axis=-1, keepdims=True), 0) @ v).astype(np.float32)]


def softmax_matmul(a: Attributes, s: Array, v: Array) -> list[Array]:
    """Weights of each row, and the logarithm of what they were divided by."""
    s, v = s.astype(np.float64), v.astype(np.float64)
    most = s.max(axis=-1, keepdims=True)
    weights = np.exp(s - most)
    total = weights.sum(axis=-1, keepdims=True)
    given = weights / total @ v
    return [
        np.concatenate([given, np.broadcast_to(most + np.log(total), given.shape)], -1).astype(np.float32)
    ]


def _normed(x: Array, axes: tuple[int, ...], epsilon: float, centred: bool = True) -> Array:
    """In f64: onnxruntime forms norms as x a + b, which loses the digits of a mean that is large."""
    x = x.astype(np.float64)
    x = x - x.mean(axis=axes, keepdims=True) if centred else x
    return x / np.sqrt((x * x).mean(axis=axes, keepdims=True) + epsilon)


def _affine(x: Array, shape: Sequence[int], affine: Sequence[Array]) -> list[Array]:
    gamma, beta = [*(one.reshape(shape) for one in affine), *(1.0, 0.0)[len(affine) :]]
    return [(x * gamma + beta).astype(np.float32)]


def layer_norm(a: Attributes, x: Array, *affine: Array, centred: bool = True) -> list[Array]:
    axis = a.get("axis", -1) % x.ndim
    normed = _normed(x, tuple(range(axis, x.ndim)), a.get("epsilon", 1e-5), centred)
    return _affine(normed, x.shape[axis:], affine)


def rms_norm(a: Attributes, x: Array, *affine: Array) -> list[Array]:
    return layer_norm(a, x, *affine, centred=False)


def group_norm(a: Attributes, x: Array, *affine: Array) -> list[Array]:
    parts = x.reshape(x.shape[0], a["groups"], -1)
    normed = _normed(parts, (2,), a.get("epsilon", 1e-5)).reshape(x.shape)
    return _affine(normed, (-1, *(1,) * (x.ndim - 2)), affine)


def instance_norm(a: Attributes, x: Array, *affine: Array) -> list[Array]:
    return group_norm({**a, "groups": x.shape[1]}, x, *affine)


def batch_norm(a: Attributes, x: Array, scale: Array, bias: Array, mean: Array, var: Array) -> list[Array]:
    wide = [v.astype(np.float64).reshape(-1, *(1,) * (x.ndim - 2)) for v in (scale, bias, mean, var)]
    return [
        ((x - wide[2]) / np.sqrt(wide[3] + a.get("epsilon", 1e-5)) * wide[0] + wide[1]).astype(np.float32)
    ]


def rope(a: Attributes, x: Array, cos: Array, sin: Array) -> list[Array]:
    """Each pair of elements is turned by its angle."""
    if a.get("interleaved"):
        one, other = x[..., 0::2], x[..., 1::2]
    else:
        one, other = np.split(x, 2, axis=-1)
    turned = one * cos - other * sin, one * sin + other * cos
    if a.get("interleaved"):
        return [np.stack(turned, axis=-1).reshape(x.shape)]
    return [np.concatenate(turned, axis=-1)]


def scatter(a: Attributes, x: Array, indices: Array, updates: Array) -> list[Array]:
    """One update after the other: of several at one index the last one stays."""
    how = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}.get(
        a.get("reduction", "none")
    )
    y = x.astype(np.float64)
    for at in np.ndindex(indices.shape):
        row = updates[at].astype(np.float64)
        y[indices[at]] = row if how is None else how(y[indices[at]], row)
    return [y.astype(np.float32)]


def quantize(a: Attributes, x: Array) -> list[Array]:
    steps = np.round(x.astype(np.float64) / a["scale"]) + a.get("zero_point", 0)
    return [np.clip(np.nan_to_num(steps, nan=0.0), -128, 127).astype(np.int8)]


def dequantize(a: Attributes, x: Array, scales: Array | None = None) -> list[Array]:
    steps = (x.astype(np.float64) - a.get("zero_point", 0)) * a["scale"]
    if scales is not None:
        steps = np.swapaxes(np.swapaxes(steps, a.get("axis", -1), -1) * scales, a.get("axis", -1), -1)
    return [steps.astype(np.float32)]


def cast(a: Attributes, x: Array) -> list[Array]:
    to = a["to"]
    if to == "i1":
        return [x != 0]
    if to in RANGES:
        whole = np.trunc(np.nan_to_num(x.astype(np.float64), nan=0.0, posinf=2.0**40, neginf=-(2.0**40)))
        return [np.clip(whole, *RANGES[to]).astype({"i8": np.int8, "i32": np.int32}[to])]
    types = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32}
    return [x.astype(np.float32).astype(types[to]).astype(np.float32)]


def reshape(a: Attributes, x: Array) -> list[Array]:
    return [x.reshape(a["shape"])]


def broadcast(a: Attributes, x: Array) -> list[Array]:
    shape = list(a["shape"])
    behind = len(shape) - x.ndim
    return [np.broadcast_to(x, [x.shape[d - behind] if n == -1 else n for d, n in enumerate(shape)]).copy()]


def _wrapped(function: Callable[..., Array]) -> Callable[..., list[Array]]:
    """A reduction that keeps the low 32 bits."""

    def reduce(a: Attributes, x: Array) -> list[Array]:
        axes = tuple(a.get("axes") or range(x.ndim))
        return [function(x, axis=axes, keepdims=bool(a.get("keep_dims", False)), dtype=np.int32)]

    return reduce


OF_I32: dict[str, Callable[..., Sequence[Array]]] = {
    "reduce_prod": _wrapped(np.prod), "reduce_sum": _wrapped(np.sum),
}  # fmt: skip
"""What onnxruntime holds to the range of i32, which ONNX leaves open, and numpy wraps around."""
BY_DEFINITION: dict[str, Callable[..., Sequence[Array]]] = {
    "attention": attention,
    **{f"avg_pool{n}d": avg_pool for n in (1, 2, 3)},
    "batch_norm": batch_norm,
    "broadcast": broadcast,
    "cast": cast,
    "dequantize": dequantize,
    "group_norm": group_norm,
    "instance_norm": instance_norm,
    "layer_norm": layer_norm,
    **{f"max_pool{n}d": max_pool for n in (1, 2, 3)},
    "quantize": quantize,
    "reshape": reshape,
    "rms_norm": rms_norm,
    "rope": rope,
    "scatter": scatter,
    "softmax_matmul": softmax_matmul,
}
