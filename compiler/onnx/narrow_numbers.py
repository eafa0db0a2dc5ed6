"""Whole numbers of fewer than 32 bits, which lie in i32: a cast keeps the low bits of what is out of their range."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

if TYPE_CHECKING:
    from .builder import Builder

RANGES = {"INT8": (-128, 127), "UINT8": (0, 255), "INT16": (-32768, 32767), "UINT16": (0, 65535)}
"""The least and the greatest number of each type."""


def narrowed(b: Builder, x: SSAValue, kind: str) -> SSAValue:
    """Numbers of i32 as a type of `RANGES` holds them."""
    low, high = RANGES[kind]
    least, most = b.ranges.get(x, (-(1 << 31), (1 << 31) - 1))
    if low <= least and most <= high:
        return x
    count = high - low + 1
    above = b.op("sub", x, low) if low else x  # low bits are right where this overflows
    rest = b.op("sub", above, b.op("mul", b.op("div", above, count), count))  # of the sign of `above`
    if least < low:
        negative = b.op("compare", rest, 0, direction="lt")
        rest = b.op("select", negative, b.op("add", rest, count), rest)
    found = b.op("add", rest, low) if low else rest
    b.ranges[found] = low, high
    return found


__all__ = ["RANGES", "narrowed"]
