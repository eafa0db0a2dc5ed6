"""Loads whose tensor's last dimension is another one of the tile than that with the lanes: rows are staged lane by
lane, and transposes turn them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ....dialects.element_types import lanes_of
from ....dialects.records import dataclass
from ....dialects.tile import BLOCK
from ...selection.transfers import Run
from ...support.indices import Idx
from ..base.clip_region import ClippedDim
from ..base.dma import GmRegion
from ..base.emitter import Emitter, Generation
from ..base.place import Place, ceil_to
from ..vector.vector import emit_vector
from .narrow_types import fetch
from .sources import Source, clip_offset
from .turn_blocks import block_transposes, fill_elements

if TYPE_CHECKING:
    from ..base.context import LoweringContext


@dataclass(frozen=True)
class _Turn:
    """A source whose last dimension in GM (`inner`) is another one of the tile than that with its `lane`s: rows of it,
    `columns` elements each, are staged lane by lane. Of the `others`, how far apart they are staged (`steps`)."""

    place: Place
    clip: Sequence[ClippedDim]
    lane: ClippedDim
    inner: ClippedDim
    others: list[ClippedDim]

    @staticmethod
    def of(place: Place, clip: Sequence[ClippedDim]) -> _Turn:
        *outer, inner = clip
        lane = next(t for t in clip if t.dim == place.block)
        return _Turn(place, clip, lane, inner, [t for t in outer if t is not lane])

    @cached_property
    def lanes(self) -> int:
        return ceil_to(self.place.shape[self.place.block], BLOCK)

    @cached_property
    def span(self) -> int:
        """Elements of a row from the first one that is read to the last."""
        return (self.place.shape[self.inner.dim] - 1) * self.inner.step + 1

    @cached_property
    def columns(self) -> int:
        return ceil_to(self.span, BLOCK)

    @cached_property
    def steps(self) -> dict[ClippedDim, int]:
        return {
            t: prod(self.place.shape[o.dim] for o in self.others[i + 1 :]) * self.lanes * self.columns
            for i, t in enumerate(self.others)
        }

    @cached_property
    def count(self) -> int:
        """Planes of lanes and columns."""
        return prod(self.place.shape[t.dim] for t in self.others)

    @property
    def settled(self) -> bool:
        """Whether lanes and rows are read in full, in numbers known here."""
        return all(t.whole and isinstance(t.count, int) for t in (self.lane, self.inner))

    @property
    def in_place(self) -> bool:
        """Whether transposes can leave every element where the tile has it."""
        dense = self.span % lanes_of(self.place.dtype) == 0 and self.inner.step == 1
        return self.settled and dense and all(t.whole and t.before == 0 for t in self.clip)


def turned_lanes(k: LoweringContext, place: Place, tensor: SSAValue, source: Source) -> None:
    """The tensor's last dimension is another one of the tile: rows of it, staged lane by lane, are transposed. Lanes
    that no row came to have the source's value."""
    emit, dtype, width, t = k.emit, place.dtype, lanes_of(place.dtype), _Turn.of(place, source.clip)
    staged = _stage_lanes(k, t, tensor, source)
    blocks: tuple[Idx, int, int] = (t.lanes // BLOCK, BLOCK * t.columns, BLOCK)
    if t.in_place:
        row = place.strides[t.inner.dim]
        walks = [
            *((o.count, t.steps[o], place.strides[o.dim]) for o in t.others),
            blocks,
            (t.span // width, width, width * row),
        ]
        block_transposes(emit, (staged, 0, t.columns), (place.base, place.offset, row), dtype, walks)
        return
    turned = emit.fresh(t.count * t.lanes * t.columns, dtype, "ub", "turned")
    each: list[tuple[Idx, int, int]] = [(t.count, t.lanes * t.columns, t.lanes * t.columns)]
    if any(o.count != place.shape[o.dim] for o in t.others):  # what no row came to is not turned
        each = [(o.count, t.steps[o], t.steps[o]) for o in t.others]
    walks = [*each, blocks, (-(-t.span // width), width, width * t.lanes)]
    block_transposes(emit, (staged, 0, t.columns), (turned, 0, t.lanes), dtype, walks)
    _copy_turned(emit, t, turned)


def _stage_lanes(k: LoweringContext, t: _Turn, tensor: SSAValue, source: Source) -> Generation:
    """DMA of the rows of each lane to UB, and the source's value where none come."""
    emit, dtype, lane, inner = k.emit, t.place.dtype, t.lane, t.inner
    staged = emit.fresh(t.count * t.lanes * t.columns, dtype, "ub", "rows")
    if not t.settled:
        fill_elements(emit, staged, dtype, 0, t.count * t.lanes * t.columns, source.value)
    elif isinstance(lane.count, int) and lane.count < t.lanes:  # beside what DMA writes, so neither waits
        shape = (t.count, t.lanes - lane.count, t.columns)
        pitches, first = (t.lanes * t.columns, t.columns, BLOCK), lane.count * t.columns
        beside = Place(staged, dtype, shape, shape, pitches, (0, 1, 2), 2, first)
        emit_vector(emit, "vdup", [], beside, source.value)
    runs = [Run(o.count, o.stride * o.step, t.columns if o is lane else t.steps[o]) for o in t.clip[:-1]]
    length = emit.add(emit.mul(emit.sub(inner.count, 1), inner.step), 1)
    if not isinstance(inner.count, int) or inner.step > 1:
        length = emit.max(length, 0)
    gm = GmRegion(tensor, source.at, runs, length)
    fetch(k, gm, staged, emit.mul(lane.before, t.columns))
    return staged


def _copy_turned(emit: Emitter, t: _Turn, turned: Generation) -> None:
    """What was turned to its place in the tile, in whole blocks of lanes: those before and after the taken ones have
    the fill value, or are another part's."""
    place, lane = t.place, t.lane
    strides, shape = [0] * len(place.shape), [1] * len(place.shape)
    strides[place.block] = BLOCK
    sized: list[Idx] = [1] * len(place.shape)
    for d in t.clip:
        shape[d.dim] = place.shape[d.dim]
        sized[d.dim] = d.count
        strides[d.dim] = BLOCK if d is lane else t.inner.step * t.lanes if d is t.inner else t.steps[d]
    begin = emit.mul(emit.div(lane.before, BLOCK), BLOCK)
    sized[place.block] = emit.sub(emit.add(lane.before, lane.count), begin)
    sizes = tuple(sized)
    source = Place(turned, place.dtype, tuple(shape), sizes, tuple(strides), place.order, place.block, begin)
    at = emit.add(clip_offset(emit, place, t.clip), begin)
    emit_vector(emit, "vcopy", [source], replace(place, shape=tuple(shape), sizes=sizes, offset=at))
