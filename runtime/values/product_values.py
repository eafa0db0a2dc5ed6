"""Products on the Cube: what `mmad` computes, and when its sums reach the bytes of l0c."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..machine.memory import Array, CoreMemory, View
from .widening import scratch, widened_rows

_DEEPEST = 64
"""Fractals along K that are summed in one go."""
_EXACT = 1024
"""Products of two i8 of which f32 holds every sum: none is more than 2^14, and 2^24 is exact."""


class Sum:
    """A product being summed: the l0c tile that it belongs to, its [m, n] values, and operands that wait.

    Each `mmad` only sets its fractals aside; what has gathered is multiplied at once, when there is much of it or
    something needs the bytes: converting and multiplying are faster on large arrays.
    """

    __slots__ = ("lhs", "ready", "rhs", "sums", "tile", "together", "used", "values", "waiting")

    def __init__(self, tile: View, m: int, n: int, lhs: Array, rhs: Array):
        """`lhs` [M1, K1, 16, k0] and `rhs` [K1, N1, 16, k0]: operands of the first product."""
        self.tile = tile
        self.sums = np.int32 if lhs.dtype == np.int8 else np.float32
        self.values = np.empty((m, n), self.sums)
        deepest = max(_DEEPEST, lhs.shape[1])
        self.together = _EXACT // lhs.shape[3] if self.sums == np.int32 else deepest
        """Fractals along K that are multiplied in one go: of whole numbers so many that f32 holds their sums."""
        self.lhs = np.empty((deepest, lhs.shape[0], *lhs.shape[2:]), lhs.dtype)
        self.rhs = np.empty((deepest, *rhs.shape[1:]), rhs.dtype)
        self.waiting = 0  # fractals along K
        self.used = 0  # lanes of them that count
        self.ready = False  # whether `values` hold a sum

    def start(self, bias: Array | None = None) -> None:
        """Begin a new sum, from zero or from `bias` in every row."""
        self.waiting, self.used, self.ready = 0, 0, False
        if bias is not None:
            self.values[...] = bias
            self.ready = True

    def add(self, lhs: Array, rhs: Array, k: int) -> None:
        """Set fractals aside, of which lanes below `k` count."""
        k1, k0 = lhs.shape[1], lhs.shape[3]
        at = self.waiting
        if self.used != at * k0 or at + k1 > len(self.lhs):
            self.flush()
            at = 0
            if k1 > len(self.lhs):
                self.lhs, self.rhs = (np.empty((k1, *o.shape[1:]), o.dtype) for o in (self.lhs, self.rhs))
        self.lhs[at : at + k1] = lhs.transpose(1, 0, 2, 3)
        self.rhs[at : at + k1] = rhs
        self.waiting, self.used = at + k1, at * k0 + k

    def flush(self) -> None:
        """Multiply what waits."""
        if not self.waiting:
            return
        m, n = self.values.shape
        k0 = self.lhs.shape[-1]
        for at in range(0, self.waiting, self.together):
            k1 = min(self.together, self.waiting - at)
            used = min(self.used - at * k0, k1 * k0)
            left = widened_rows("lhs", self.lhs[at : at + k1])[:m, :used]
            right = widened_rows("rhs", self.rhs[at : at + k1])[:n, :used].T
            if self.ready or self.sums == np.int32:
                product = scratch("product", m * n).reshape(m, n)
                np.matmul(left, right, out=product)
                if not self.ready:
                    self.values[...] = 0
                np.add(self.values, product.astype(self.sums, copy=False), out=self.values)
            else:
                np.matmul(left, right, out=self.values)
            self.ready = True
        self.waiting, self.used = 0, 0


def bind_mmad(
    memory: CoreMemory,
    a: View,
    b: View,
    c: View,
    m: int,
    n: int,
    k: int,
    init: bool,
    bias: View | None = None,
) -> Callable[[], Any]:
    """`c (+)= a @ b` on lanes below m, n, k; with `init`, which starts from zero or from `bias` [n], the other lanes of
    touched fractals become nan, those of i32 the least number.

    The sum of a tile stays in a plain [M, N] array until something else needs its bytes (`settle`).
    """
    k0 = a.sizes[3]
    m1, n1, k1 = -(-m // 16), -(-n // 16), -(-k // k0)
    lhs, rhs = memory.array(a)[:m1, :k1], memory.array(b)[:k1, :n1]
    tile = c.part(n1, m1 * 16, 16)
    name = (c.address, c.strides[0], m, n)
    row = None if bias is None else memory.array(bias)
    l0c: dict[Any, Sum] = memory.sums

    def run() -> None:
        total = l0c.get(name)
        if total is None:
            settle(memory, tile)
            total = l0c[name] = Sum(tile, m, n, lhs, rhs)
            if not init:
                np.copyto(total.values, _rows(memory, tile)[:m].reshape(m, -1)[:, :n])
                total.ready = True
        if init:
            total.start(row)
        total.add(lhs, rhs, k)

    return run


def _rows(memory: CoreMemory, tile: View) -> Array:
    """An l0c tile [N1, M, 16] as [M, N1, 16]."""
    return memory.array(tile).transpose(1, 0, 2)


def settle(memory: CoreMemory, view: View) -> None:
    """Write the sums whose tiles meet `view` to their bytes in l0c."""
    sums: dict[Any, Sum] = memory.sums
    for name in [n for n, s in sums.items() if s.tile.address < view.end and view.address < s.tile.end]:
        total = sums.pop(name)
        total.flush()
        rows = _rows(memory, total.tile)
        m, n = total.values.shape
        if (m, n) == (rows.shape[0], rows.shape[1] * 16):
            np.copyto(rows, total.values.reshape(rows.shape))
            continue
        nothing = np.nan if total.sums == np.float32 else np.iinfo(np.int32).min
        padded = np.full((rows.shape[0], rows.shape[1] * 16), nothing, total.sums)
        padded[:m, :n] = total.values
        np.copyto(rows, padded.reshape(rows.shape))
