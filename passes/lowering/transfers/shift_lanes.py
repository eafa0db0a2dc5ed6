"""Loads whose lanes begin between blocks, or are read in steps: by way of columns, each with an address of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from ....dialects.ascend.memory import memref_type
from ....dialects.element_types import lanes_of
from ....dialects.records import dataclass
from ....dialects.tile import BLOCK
from ....dialects.tiling import Along
from ...selection.transfers import Run, lead_of_steps, moved_length
from ...support.indices import Idx
from ..base.clip_region import if_any
from ..base.dma import GmRegion
from ..base.emitter import Generation
from ..base.place import Place, ceil_to
from ..vector.vector import emit_vector
from .narrow_types import fetch
from .sources import Source, fill_sources
from .turn_blocks import block_transposes, fill_elements

if TYPE_CHECKING:
    from ..base.context import LoweringContext


@dataclass(frozen=True)
class _Columns:
    """A tile of `place` as [groups of 16 rows][columns][16 rows] in UB, where a column has an address of its own. With
    `spread` it holds every element of the rows that are read in steps of `step`, which the way back picks."""

    place: Place
    step: int
    spread: bool

    @property
    def lanes(self) -> int:
        return ceil_to(self.place.shape[self.place.block], BLOCK)

    @property
    def rows(self) -> int:
        return ceil_to(prod(self.place.shape[:-1]), BLOCK)

    @property
    def groups(self) -> int:
        return self.rows // BLOCK

    @property
    def room(self) -> int:
        """Columns that there is room for."""
        return self.lanes * self.step if self.spread else self.lanes

    @property
    def filled(self) -> bool:
        """Whether elements that are read fill it, if all are there."""
        return self.spread and ceil_to((self.place.shape[-1] - 1) * self.step + 1, BLOCK) == self.room


def shifted_lanes(k: LoweringContext, place: Place, sources: Sequence[Source], complete: bool) -> None:
    """Lanes that begin between blocks, or are read in steps: to [columns][16 rows], where a column has an address of
    its own, and back."""
    emit, dtype, width = k.emit, place.dtype, lanes_of(place.dtype)
    (single,) = [*sources] if len(sources) == 1 else (None,)
    step = 1 if single is None else single.clip[-1].step
    c = _Columns(place, step, single is not None and single.clip[-1].whole)
    columns = emit.fresh(c.groups * c.room * BLOCK, dtype, "ub", "columns")
    if complete and not c.filled:
        fill_elements(emit, columns, dtype, 0, c.groups * c.room * BLOCK, 0.0)
    elif not complete:
        dims = (c.groups, c.lanes, BLOCK)
        lines = Place(columns, dtype, dims, dims, (c.room * BLOCK, BLOCK, BLOCK), (0, 1, 2), 2)
        along = [source if source.dim is None else replace(source, dim=1) for source in sources]
        fill_sources(k, lines, along, c.groups * c.room * BLOCK)
    for source in sources:
        with if_any(emit, source.clip):
            _bring(k, c, columns, source)
    back = step if c.spread else 1
    first = _lead(k, c, sources[0]) or 0
    walks: list[tuple[Idx, int, int]] = [
        (c.groups, c.room * BLOCK, BLOCK * c.lanes),
        (c.lanes // BLOCK, BLOCK * BLOCK * back, BLOCK),
    ]
    for part in range(0, BLOCK, width):
        near, far = (columns, part + first * BLOCK, BLOCK * back), (place.base, part * c.lanes, c.lanes)
        block_transposes(emit, near, far, dtype, walks)


def _bring(k: LoweringContext, c: _Columns, columns: Generation, source: Source) -> None:
    """Rows of a source to UB, and transposed to their columns."""
    emit, dtype, width, shape = k.emit, c.place.dtype, lanes_of(c.place.dtype), c.place.shape
    lane = source.clip[-1]
    pitch = ceil_to((shape[lane.dim] - 1) * lane.step + 1, BLOCK)
    staged = _stage(k, c, source, pitch)
    along: tuple[Idx, int, int] = (pitch // width, width, width * BLOCK)
    if c.spread:
        groups = c.groups, BLOCK * pitch, c.room * BLOCK
        block_transposes(emit, (staged, 0, pitch), (columns, 0, BLOCK), dtype, [groups, along])
        return
    narrow = emit.fresh(c.groups * pitch * BLOCK, dtype, "ub", "turned")
    groups = c.groups, BLOCK * pitch, pitch * BLOCK
    block_transposes(emit, (staged, 0, pitch), (narrow, 0, BLOCK), dtype, [groups, along])
    dims, order = (c.groups, shape[lane.dim], BLOCK), (0, 1, 2)
    sizes = (c.groups, lane.count, BLOCK)
    near = Place(narrow, dtype, dims, sizes, (pitch * BLOCK, lane.step * BLOCK, BLOCK), order, 2)
    at = emit.mul(lane.before, BLOCK)
    far = Place(columns, dtype, dims, sizes, (c.room * BLOCK, BLOCK, BLOCK), order, 2, at)
    emit_vector(emit, "vcopy", [near], far)


def _stage(k: LoweringContext, c: _Columns, source: Source, pitch: int) -> Generation:
    """DMA of the rows of a source to UB, `pitch` elements each, and its value where none come."""
    emit, place, shape = k.emit, c.place, c.place.shape
    *outer, lane = source.clip
    staged = emit.fresh(c.rows * pitch, place.dtype, "ub", "rows")
    steps = {t.dim: place.strides[t.dim] // c.lanes * pitch for t in outer}
    runs = [Run(t.count, t.stride * t.step, steps[t.dim]) for t in outer]
    start: Idx = 0
    for t in outer:
        start = emit.add(start, emit.mul(t.before, steps[t.dim]))
    full = all(t.whole and t.count == shape[t.dim] for t in outer) and prod(shape[:-1]) == c.rows
    full = full and lane.whole and lane.count == shape[lane.dim]
    lead, at = _lead(k, c, source), source.at
    if lead is None:
        most = (shape[lane.dim] - 1) * lane.step + 1
        length = emit.max(emit.add(emit.mul(emit.sub(lane.count, 1), lane.step), 1), 0)
        if isinstance(lane.count, int) and lane.count <= 0:
            length = 0
    else:
        most, length, at = shape[lane.dim] * lane.step, emit.mul(lane.count, lane.step), emit.sub(at, lead)
    if not full or moved_length(emit.target, most, lanes_of(place.dtype)) != pitch:
        fill_elements(emit, staged, place.dtype, 0, c.rows * pitch, source.value)
    fetch(k, GmRegion(k.tensors[source.op.tensor], at, runs, length), staged, start)
    return staged


def _lead(k: LoweringContext, c: _Columns, source: Source) -> int | None:
    """How many elements in front of the first one are read with it, so that rows are whole steps of elements."""
    lane, results = source.clip[-1], k.extents[source.clip[-1].dim]
    entry = [one for one in source.op.maps if isinstance(one, Along)][-1]
    size = memref_type(k.tensors[source.op.tensor]).get_shape()[-1]
    if not c.spread or entry.stride != lane.step or not isinstance(results, int):
        return None
    return lead_of_steps(lane.step, entry.pad, c.place.shape[-1], results, size)
