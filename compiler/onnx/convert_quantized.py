"""Quantisation with one scale, that of weights with one for each channel too; bytes without a sign are stored less 128,
and are whole numbers wherever they are not dequantised."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.dialects.builtin import IntegerType, f32, i32
from xdsl.ir import SSAValue

from .builder import Builder, Node, converts
from .convert_products import product
from .unsupported import Unsupported

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .builder import Value

    Array = NDArray[Any]


def _steps(b: Builder, n: Node, at: int = 0, takes: bool = False) -> tuple[float, int, int]:
    """The scale, the zero point as stored, and what is taken off bytes without a sign: of what input `at` stands for,
    or, unless the node `takes` bytes, of what it gives."""
    scale = b.known(n.input(at + 1), "the scale")
    if scale.size != 1:
        raise Unsupported("a scale for each channel")
    zero = n.input(at + 2)
    if zero is None:  # 0 of bytes without a sign, or of what is dequantised
        given = n[at]
        made = b.bytes.get(given, 0) if isinstance(given, SSAValue) else 0
        shift = made if takes else 128
        return float(scale.reshape(-1)[0]), -shift, shift
    point = b.known(zero, "the zero point")
    if point.dtype.name not in ("int8", "uint8"):
        raise Unsupported(f"quantisation to {point.dtype}")
    shift = 128 if point.dtype.name == "uint8" else 0
    return float(scale.reshape(-1)[0]), int(point.reshape(-1)[0]) - shift, shift


@converts("QuantizeLinear")
def _quantize(b: Builder, n: Node) -> Value:
    scale, zero, shift = _steps(b, n)
    made = b.op("quantize", n[0], scale=scale, zero_point=zero)
    b.bytes[made] = shift
    return made


@converts("DequantizeLinear")
def _dequantize(b: Builder, n: Node) -> Value:
    return _dequantised(b, n, 0)


def _dequantised(b: Builder, n: Node, at: int, factor: float | None = None) -> Value:
    """What input `at` of a node, with the scale and the zero point behind it, stands for; with `factor` in place of the
    scale."""
    x = n[at]
    if not isinstance(x, SSAValue):
        return _known(b, n, at, x, factor)
    scale, zero, shift = _steps(b, n, at, takes=True)
    scale = scale if factor is None else factor
    if x in b.bytes:
        if b.bytes[x] != shift:
            raise Unsupported("bytes with and without a sign are mixed")
        return b.op("dequantize", x, scale=scale, zero_point=zero, to=b.float_type)
    point = zero + shift
    apart = b.op("sub", x, point) if point else x
    numbers = b.op("cast", b.tensor(apart), to=b.float_type)
    return numbers if scale == 1 else b.op("mul", numbers, scale)


def _known(b: Builder, n: Node, at: int, x: Array, factor: float | None) -> Value:
    """Whole numbers of the model, with one scale or one along the node's `axis`, or `factor` in its place. They stay
    such unless their zero points differ."""
    scale = b.known(n.input(at + 1), "the scale") if factor is None else np.full(1, factor)
    given = n.input(at + 2)
    zero = np.zeros(1, np.int64) if given is None else b.known(given, "the zero point").astype(np.int64)
    axis = n.get("axis", 1)
    if scale.size > 1 and (scale.ndim != 1 or n.get("block_size", 0)):
        raise Unsupported("a scale for each block")
    if (zero != zero.flat[0]).any() or x.dtype.name not in ("int8", "uint8", "int32"):
        along = [1] * x.ndim
        along[axis] = -1
        apart = x.astype(np.float64) - (zero.reshape(along) if zero.size > 1 else zero.flat[0])
        numbers = apart * (scale.reshape(along) if scale.size > 1 else scale.flat[0])
        return b.renamed(x, numbers.astype(np.float32))
    shift = 128 if x.dtype.name == "uint8" else 0
    stored = x if not shift else b.renamed(x, x.astype(np.int16) - shift)
    tensor = b.tensor(stored, i32 if x.dtype.name == "int32" else IntegerType(8))
    point, to = int(zero.flat[0]) - shift, b.float_type
    if scale.size == 1:
        return b.op("dequantize", tensor, scale=float(scale.flat[0]), zero_point=point, to=to)
    return b.op("dequantize", tensor, b.tensor(scale, f32), scale=1.0, zero_point=point, axis=axis, to=to)


@converts("QLinearMatMul")
def _qlinear_product(b: Builder, n: Node) -> Value:
    """A product of what both operands stand for, quantised again. Where the Cube cannot multiply the bytes, because
    those on the right have a zero point, whole numbers of the float type are multiplied: the sums are exact, too."""
    scales = [b.known(n.input(at), "the scale") for at in (1, 4)]
    zero = b.known(n.input(5), "the zero point")
    factor = 1.0
    if zero.any() and all(scale.size == 1 for scale in scales) and zero.size == 1:
        found = product(b, *[_dequantised(b, n, at, 1.0) for at in (0, 3)], out=f32)
        factor = float(scales[0].reshape(-1)[0]) * float(scales[1].reshape(-1)[0])
        b.float_type = f32  # of the node's ops from here on
    else:
        found = product(b, _dequantised(b, n, 0), _dequantised(b, n, 3))
    n.inputs.insert(6, None)  # what is quantised, its scale and its zero point
    scale, zero, shift = _steps(b, n, 6)
    made = b.op("quantize", found, scale=scale / factor, zero_point=zero)
    b.bytes[made] = shift
    return made
