"""Quantisation with one scale; bytes without a sign are stored less 128, and are whole numbers wherever they are not
dequantised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from .builder import Builder, Node, converts
from .unsupported import Unsupported

if TYPE_CHECKING:
    from .builder import Value


def _steps(b: Builder, n: Node) -> tuple[float, int, int]:
    """The scale, the zero point as stored, and what is taken off bytes without a sign."""
    scale = b.known(n.input(1), "the scale")
    if scale.size != 1:
        raise Unsupported("a scale for each channel")
    zero = n.input(2)
    if zero is None:  # 0 of bytes without a sign, or of what is dequantised
        given = n[0]
        made = b.bytes.get(given, 0) if isinstance(given, SSAValue) else 0
        shift = made if n.op == "DequantizeLinear" else 128
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
    scale, zero, shift = _steps(b, n)
    x = n[0]
    if isinstance(x, SSAValue) and x in b.bytes:
        if b.bytes[x] != shift:
            raise Unsupported("bytes with and without a sign are mixed")
        return b.op("dequantize", x, scale=scale, zero_point=zero, to=b.float_type)
    point = zero + shift
    apart = b.op("sub", x, point) if point else x
    return b.op("mul", b.op("cast", b.tensor(apart), to=b.float_type), scale)
