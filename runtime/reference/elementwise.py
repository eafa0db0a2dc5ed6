"""Elementwise and per-channel ops from their definitions; functions of exp are formed in f64."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .registry import reference
from .special import erf as _erf
from .special import erfc

Array = NDArray[Any]

for _name, _function in {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "neg": np.negative,
    "abs": np.abs,
    "exp": np.exp,
    "log": np.log,
    "is_nan": np.isnan,
    "logical_and": np.logical_and,
    "logical_not": np.logical_not,
    "logical_or": np.logical_or,
    "logical_xor": np.logical_xor,
    "select": np.where,
    "sqrt": np.sqrt,
    "square": np.square,
    "sign": np.sign,
    "floor": np.floor,
    "ceil": np.ceil,
    "round": np.rint,
    "tanh": np.tanh,
}.items():
    reference(f"graph.{_name}")(_function)


@reference("graph.div")
def div(a: Array, b: Array) -> Array:
    """Of integers without what is after the point, with the low bits of their type; by 0 it means nothing."""
    if a.dtype.kind != "i":
        return np.divide(a, b)
    magnitude = np.abs(a.astype(np.int64)) // np.maximum(np.abs(b.astype(np.int64)), 1)
    return (np.sign(a) * np.sign(b) * magnitude).astype(a.dtype)


@reference("graph.pow")
def power(a: Array, b: Array) -> Array:
    return np.power(a.astype(np.float64), b)


@reference("graph.sin")
def sin(x: Array) -> Array:
    return np.sin(x.astype(np.float64))


@reference("graph.cos")
def cos(x: Array) -> Array:
    return np.cos(x.astype(np.float64))


@reference("graph.rsqrt")
def rsqrt(x: Array) -> Array:
    return 1 / np.sqrt(x)


@reference("graph.reciprocal")
def reciprocal(x: Array) -> Array:
    return 1 / x


@reference("graph.erf")
def erf(x: Array) -> Array:
    return _erf(x)


@reference("graph.sigmoid")
def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x.astype(np.float64)))


@reference("graph.silu")
def silu(x: Array) -> Array:
    return x * sigmoid(x)


@reference("graph.gelu")
def gelu(x: Array, approximate: str) -> Array:
    wide = x.astype(np.float64)
    if approximate == "tanh":
        return 0.5 * wide * (1 + np.tanh(np.sqrt(2 / np.pi) * (wide + 0.044715 * wide**3)))
    return 0.5 * wide * erfc(wide / -np.sqrt(2))


@reference("graph.relu")
def relu(x: Array) -> Array:
    return np.maximum(x, 0)


@reference("graph.leaky_relu")
def leaky_relu(x: Array, alpha: float) -> Array:
    return np.where(x >= 0, x, alpha * x)


@reference("graph.prelu")
def prelu(x: Array, slope: Array) -> Array:
    return np.where(x >= 0, x, slope * x)


@reference("graph.elu")
def elu(x: Array, alpha: float) -> Array:
    return np.where(x >= 0, x, alpha * np.expm1(np.minimum(x, 0).astype(np.float64)))


@reference("graph.hard_sigmoid")
def hard_sigmoid(x: Array, alpha: float, beta: float) -> Array:
    return np.clip(alpha * x.astype(np.float64) + beta, 0, 1)


@reference("graph.hard_swish")
def hard_swish(x: Array) -> Array:
    return x * np.clip(x.astype(np.float64) + 3, 0, 6) / 6


@reference("graph.softplus")
def softplus(x: Array) -> Array:
    return np.logaddexp(0, x.astype(np.float64))


@reference("graph.mish")
def mish(x: Array) -> Array:
    return x * np.tanh(softplus(x))


@reference("graph.compare")
def compare(a: Array, b: Array, direction: str) -> Array:
    names = {"eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater"}
    return getattr(np, names.get(direction, "greater_equal"))(a, b)


@reference("graph.clip")
def clip(x: Array, min: float | None, max: float | None) -> Array:
    low = -np.inf if min is None else min
    return np.minimum(np.maximum(x, low), np.inf if max is None else max)


@reference("graph.quantize")
def quantize(x: Array, scale: float, zero_point: int) -> Array:
    steps = np.rint(x / x.dtype.type(scale)) + zero_point
    return np.clip(np.where(np.isnan(steps), 0, steps), -128, 127)


@reference("graph.dequantize")
def dequantize(
    x: Array, scales: Array | None = None, *, scale: float, zero_point: int, axis: int, to: object
) -> Array:
    steps = (x.astype(np.float64) - zero_point) * scale
    return steps if scales is None else steps * _channels(scales.astype(np.float64), axis, x.ndim)


def _channels(vector: Array, axis: int, rank: int) -> Array:
    shape = [1] * rank
    shape[axis] = vector.size
    return vector.reshape(shape)


@reference("graph.bias_add")
def bias_add(x: Array, b: Array, axis: int) -> Array:
    return x + _channels(b, axis, x.ndim)


@reference("graph.batch_norm")
def batch_norm(x: Array, scale: Array, bias: Array, mean: Array, var: Array, epsilon: float) -> Array:
    gamma, beta, mu, sigma2 = (_channels(v, 1, x.ndim) for v in (scale, bias, mean, var))
    return (x - mu) / np.sqrt(sigma2 + epsilon) * gamma + beta
