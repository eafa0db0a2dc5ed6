"""f16 and bf16 to f32; f16 several times as fast as numpy converts; and the work arrays that it and others use."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..machine.memory import Array

_scratch: dict[tuple[str, np.dtype[Any]], Array] = {}


def scratch(name: str, count: int, dtype: Any = np.float32) -> Array:
    """A reusable work array of `count` elements of `dtype`; its content is not kept."""
    key = name, np.dtype(dtype)
    found = _scratch.get(key)
    if found is None or found.size < count:
        found = _scratch[key] = np.empty(max(count, 65536), dtype)
    return found[:count]


def bind_widen(source: Array, result: Array) -> Callable[[], Any]:
    """`result[...] = source`, f16 or bf16 to f32: f16 by shifting bits, 4 times faster than numpy's conversion.

    An f16 bit pattern moved to f32's place is the number times 2**-112, subnormals included. Exponent 31
    (inf and nan) is the exception; operands that hold it are converted by numpy. A bf16 is the upper half of an
    f32; ml_dtypes copies it faster than numpy shifts.
    """
    if source.dtype != np.float16:
        return partial(np.copyto, result, source)
    bits = source.view(np.uint16)
    signed = source.view(np.int16)
    wide = scratch("wide", source.size, np.uint32).reshape(source.shape)
    exponent = scratch("exponent", source.size, np.uint16).reshape(source.shape)
    numbers = wide.view(np.float32)
    scale = np.float32(2.0**112)

    def run() -> None:
        np.bitwise_and(bits, 0x7C00, out=exponent)
        if exponent.max() == 0x7C00:
            np.copyto(result, source)
            return
        np.copyto(wide, signed, casting="unsafe")
        np.left_shift(wide, 13, out=wide)
        np.bitwise_and(wide, 0x8FFFE000, out=wide)
        np.multiply(numbers, scale, out=result)

    return run


_PIECE = 65536
_ROOM = 1 << 21
"""Elements of results under one name that are kept."""
_Key = tuple[int, ...]


class _Known:
    """The latest fractals under a name and what they are as rows of f32, both one behind the other in rooms that are
    used again and again: the pages of new arrays would cost more than the conversion."""

    def __init__(self, dtype: Any):
        self.rows, self.fractals = np.empty(_ROOM, np.float32), np.empty(_ROOM, dtype)
        self.found: dict[_Key, tuple[int, int]] = {}
        """From where to where, by the size of the fractals and some of their bits; the oldest first."""
        self.end = 0

    def get(self, key: _Key, fractals: Array) -> Array | None:
        """The rows of such fractals, if they are there."""
        start, end = self.found.get(key, (0, 0))
        if end and np.array_equal(self.fractals[start:end].view(np.uint64), fractals.view(np.uint64)):
            return self.rows[start:end]
        return None

    def room(self, key: _Key, fractals: Array) -> Array:
        """Where the rows of fractals go that are not there yet; what lies there is forgotten."""
        count = fractals.size
        if count > _ROOM:
            return np.empty(count, np.float32)
        start = self.end if self.end + count <= _ROOM else 0
        end = self.end = start + count
        self.found.pop(key, None)
        for other in [other for other, (low, high) in self.found.items() if low < end and start < high]:
            del self.found[other]
        self.found[key] = start, end
        self.fractals[start:end] = fractals
        return self.rows[start:end]


_known: dict[str, _Known] = {}


@lru_cache(maxsize=64)
def _by_row(k1: int, r1: int) -> NDArray[np.intp]:
    """The places of the rows of fractals [k1, r1, 16] in the order [r1, 16, k1]."""
    return np.ascontiguousarray(np.arange(k1 * r1 * 16).reshape(k1, r1, 16).transpose(1, 2, 0)).reshape(-1)


def widened_rows(name: str, fractals: Array) -> Array:
    """Fractals [K1, R1, 16, k0], contiguous, as a matrix [R1 * 16, K1 * k0] of f32; not to be written, and good until
    the next one under `name`.

    Cores read the same operands, so the latest results are kept: comparing bytes is ten times as fast as converting
    them.
    """
    k1, r1, rows, k0 = fractals.shape
    flat = fractals.reshape(-1)
    bits = flat.view(np.uint64)
    known = _known.get(f"{name} {fractals.dtype}")
    if known is None:
        known = _known[f"{name} {fractals.dtype}"] = _Known(fractals.dtype)
    key = (k1, r1, int(bits[0]), int(bits[bits.size // 2]), int(bits[-1]))
    kept = known.get(key, flat)
    if kept is None:
        kept = known.room(key, flat)
        words = bits.reshape(k1 * r1 * rows, -1)
        turned = scratch("turned", bits.size, np.uint64)
        words.take(_by_row(k1, r1), axis=0, out=turned.reshape(words.shape), mode="clip")
        halves = turned.view(fractals.dtype)
        for start in range(0, flat.size, _PIECE):
            bind_widen(halves[start : start + _PIECE], kept[start : start + _PIECE])()
    return kept.reshape(r1 * rows, k1 * k0)
