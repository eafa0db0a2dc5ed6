"""Tiles end to end in the result, of which neighbours may share a 32 B block that two cores may not write.

Each core takes a span of them and writes the blocks that begin in it. The block in which the span before ends is not
the core's, so its first tile is written from the next block on. The last block of its own ends in the tile behind the
span: the core computes that too, and puts what it needs of it behind what is in GM.

    blocks      |.......|.......|.......|.......|.......|
    tiles         a a a a a b b b b b c c c c c d d d d d
    cores         0 0 0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1 1 1
    written by    0 0 0 0 0 0 0 0 0 0 0 0 0 1 1 1 1 1 1 1     core 0 computes c for three elements of it

A tile may be stored part by part, in the order in which its parts lie in the result. Of the one behind the span only
the first part is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ....dialects.ascend.memory import memref_type
from ....dialects.element_types import lanes_of
from ...support.indices import Idx
from ..base.context import Span
from ..base.dma import GmRegion, move
from .narrow_types import store_grain
from .pack_rows import merge_run, row_ends
from .rows import GmRows, Rows

if TYPE_CHECKING:
    from ..base.context import LoweringContext

Store = Callable[[GmRows], None]
"""Writes rows."""


def span_of(k: LoweringContext, core: Idx, points: int) -> tuple[Idx, Idx]:
    """The first point of a core, and the one behind its last."""
    emit, cores = k.emit, k.source.schedule.cores
    return emit.div(emit.mul(core, points), cores), emit.div(emit.mul(emit.add(core, 1), points), cores)


def walk_spans(k: LoweringContext, core: Idx, points: int) -> None:
    """Each core's points, end to end, and the point behind them."""
    emit, (first, end) = k.emit, span_of(k, core, points)
    with emit.loop(first, emit.min(emit.add(end, 1), points)) as point:
        k.span = Span(point, first, end)
        k.grid_point(point, {})
        k.body(k.source.body.block)
    k.span = None


def end_in_span(k: LoweringContext, end: int, first: int) -> Idx:
    """How far the parts of the current tile go, of which the first one ends at `first` and the last one at `end`."""
    if k.span is None or end <= first:
        return end
    emit = k.emit
    whole = emit.min(emit.sub(k.span.end, k.span.point), 1)
    return emit.add(first, emit.mul(whole, end - first))


def store_in_span(k: LoweringContext, out: GmRows, store: Store, part: Idx = 0) -> None:
    """Write what is the core's of the current tile, or of a part of it that starts `part` elements of some dimension
    behind the tile; its rows lie end to end in the tensor, and `store` writes all of them."""
    emit, span = k.emit, k.span
    assert span is not None, "the tiles are dealt in spans"
    away = emit.add(emit.sub(span.point, span.first), part)
    """0 where the core's first tile starts."""
    unit = lanes_of(memref_type(out.tensor).element_type)
    skip = emit.sub(emit.ceil_to(out.offset, unit), out.offset)
    several = [d for d, n in enumerate(out.rows.shape) if n > 1]
    if len(several) == 1:
        _store_rows(k, out, skip, store, several[0], away)
    else:
        inside = emit.mul(away, emit.sub(span.end, span.point))
        with emit.condition("slt", 0, inside):
            store(out)
        with emit.condition("eq", away, 0):
            _store_first(k, out, skip, store)
    behind = emit.sub(emit.add(emit.sub(span.point, span.end), 1), part)
    with emit.condition("slt", 0, emit.mul(emit.max(behind, 0), skip)):
        _complete(k, out, skip)


def _store_rows(k: LoweringContext, out: GmRows, skip: Idx, store: Store, dim: int, away: Idx) -> None:
    """Write rows along dimension `dim`: the first one of the core's first tile without its first `skip` elements."""
    emit, span, rows = k.emit, k.span, out.rows
    assert span is not None
    first = emit.max(emit.sub(1, away), 0)
    lows = tuple(emit.add(low, first) if d == dim else low for d, low in enumerate(rows.lows))
    counts = tuple(emit.sub(n, first) if d == dim else n for d, n in enumerate(rows.counts))
    with emit.condition("slt", span.point, span.end):
        at = emit.add(out.offset, emit.mul(first, out.strides[dim]))
        store(replace(out, offset=at, rows=replace(rows, lows=lows, counts=counts)))
    with emit.condition("eq", away, 0):
        _store_line(k, out.tensor, out.offset, _first_row(k, rows), skip)


def _first_row(k: LoweringContext, rows: Rows) -> Rows:
    while rows.shape:
        rows = rows.inner(k.emit, 0)
    return rows


def _store_first(k: LoweringContext, out: GmRows, skip: Idx, store: Store) -> None:
    """Write a tile without its first `skip` elements: all rows but the first one, and that one."""
    emit, rows = k.emit, out.rows
    if not rows.shape:
        _store_line(k, out.tensor, out.offset, rows, skip)
        return
    count = emit.sub(rows.counts[0], 1)
    if count != 0:
        lows, counts = (emit.add(rows.lows[0], 1), *rows.lows[1:]), (count, *rows.counts[1:])
        with emit.unless_none(count):
            at = emit.add(out.offset, out.strides[0])
            store(replace(out, offset=at, rows=replace(rows, lows=lows, counts=counts)))
    _store_first(k, out.inner(emit, 0), skip, store)


def _store_line(k: LoweringContext, tensor: SSAValue, offset: Idx, row: Rows, skip: Idx) -> None:
    """Write one row without its first `skip` elements, fewer than a block."""
    emit = k.emit
    dtype = memref_type(tensor).element_type
    unit, width = lanes_of(dtype), store_grain(dtype)
    count = row.columns

    def write(at: Idx, columns: Idx) -> None:
        """The last block of so many columns."""
        ends = row_ends(k, replace(row, columns=columns), width)
        move(emit, GmRegion(tensor, at, [], width), ends, 0, to_gm=True)

    write(emit.add(offset, skip), emit.add(skip, width))
    rest = emit.mul(emit.div(emit.sub(count, width), unit), unit)
    start = emit.add(row.start, width)
    move(emit, GmRegion(tensor, emit.add(offset, width), [], rest), row.base, start, to_gm=True)
    write(emit.add(offset, emit.sub(count, width)), count)


def _complete(k: LoweringContext, out: GmRows, count: Idx) -> None:
    """Write the first `count` elements of a tile, fewer than a block, behind those of their block in GM."""
    emit, dtype = k.emit, memref_type(out.tensor).element_type
    unit, width = lanes_of(dtype), store_grain(dtype)
    at = emit.mul(emit.div(out.offset, unit), unit)
    lead = emit.sub(out.offset, at)
    block = GmRegion(out.tensor, at, [], unit)
    first = replace(_first_row(k, out.rows), columns=count, most=width)
    move(emit, block, merge_run(k, block, first, lead, width), 0, to_gm=True)
