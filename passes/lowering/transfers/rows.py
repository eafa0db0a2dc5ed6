"""Rows in UB on their way to GM."""

from __future__ import annotations

from dataclasses import replace

from xdsl.ir import Attribute, SSAValue

from ....dialects.records import dataclass
from ....dialects.tile import BLOCK
from ...support.indices import Idx
from ..base.emitter import Emitter, Generation
from ..base.place import ceil_to


@dataclass(frozen=True)
class Rows:
    """Rows on their way out. Of `shape[d]` rows along each dimension, `counts[d]` from `lows[d]` are stored;
    `pitches[d]` is the distance between them in UB. A row has `columns` elements, `most` at most."""

    base: Generation
    dtype: Attribute
    start: Idx
    shape: tuple[int, ...]
    lows: tuple[Idx, ...]
    counts: tuple[Idx, ...]
    pitches: tuple[int, ...]
    columns: Idx
    most: int

    @property
    def whole(self) -> bool:
        """Whether all rows are stored, in numbers known here."""
        return all(n == count for n, count in zip(self.shape, self.counts, strict=True))

    @property
    def dense(self) -> bool:
        """Whether all rows have one pitch."""
        steps = [p for p, n in zip(self.pitches, self.shape, strict=True) if n > 1]
        sizes = [n for n in self.shape if n > 1]
        return all(steps[i] == steps[i + 1] * sizes[i + 1] for i in range(len(steps) - 1))

    @property
    def pitch(self) -> int:
        wide = (p for p, n in zip(self.pitches[::-1], self.shape[::-1], strict=True) if n > 1)
        return next(wide, self.pitches[-1] if self.pitches else ceil_to(self.most, BLOCK))

    def first(self, emit: Emitter) -> Idx:
        """Where the first row that is stored starts."""
        start = self.start
        for low, pitch in zip(self.lows, self.pitches, strict=True):
            start = emit.add(start, emit.mul(low, pitch))
        return start

    def inner(self, emit: Emitter, index: Idx) -> Rows:
        """Those at one index of the first dimension, counted from the first one that is stored."""
        start = emit.add(self.start, emit.mul(emit.add(self.lows[0], index), self.pitches[0]))
        lows, counts, pitches = self.lows[1:], self.counts[1:], self.pitches[1:]
        return replace(self, start=start, shape=self.shape[1:], lows=lows, counts=counts, pitches=pitches)


@dataclass(frozen=True)
class GmRows:
    """Rows on their way out and where they go: the first one that is stored to `offset` of `tensor`, those of each
    dimension `strides` apart."""

    tensor: SSAValue
    offset: Idx
    strides: tuple[int, ...]
    rows: Rows

    def inner(self, emit: Emitter, index: Idx) -> GmRows:
        """Those at one index of the first dimension, counted from the first one that is stored."""
        at = emit.add(self.offset, emit.mul(index, self.strides[0]))
        return replace(self, offset=at, strides=self.strides[1:], rows=self.rows.inner(emit, index))
