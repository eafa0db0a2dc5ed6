"""`tile.join`: parts of several tiles as one, each of which begins where the one before it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ....dialects import tile
from ....dialects.tile import BLOCK, tile_type
from ....dialects.tiling import Along
from ...support.indices import Idx
from ..base.clip_region import clipped, clipped_dims, is_padded, reaches_past
from ..base.place import Place, blocked_dim
from ..vector.vector import emit_vector
from .rearrange import load_moved, load_parts
from .sources import Source

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def joined_later(op: tile.LoadOp) -> bool:
    """Whether a load is of use to a `tile.join` only, or several, each of which has it put in place."""
    uses = [use.operation for use in op.result.uses]
    return bool(uses) and all(isinstance(user, tile.JoinOp) for user in uses) and _comes_in_rows(op)


def _comes_in_rows(op: tile.LoadOp) -> bool:
    """Whether a load follows the lanes of its tile in UB, and picks nothing."""
    kind = tile_type(op.result)
    follows = any(isinstance(e, Along) and e.dim == blocked_dim(kind) for e in op.maps)
    return follows and op.indices is None and kind.space.data == "ub"


def _common_sizes(places: Sequence[Place]) -> tuple[Idx, ...]:
    """How much of a tile there is, of which parts have been computed: one that was computed whole may have no more of
    its elements there than the others."""
    each = zip(*(place.sizes for place in places), strict=True)
    return tuple(next((size for size in sizes if not isinstance(size, int)), sizes[0]) for sizes in each)


def lower_join(k: LoweringContext, op: tile.JoinOp) -> Place:
    """The tiles' parts in one place: those that come from GM go there at once, others are copied. What begins between
    two 32 B blocks no instruction copies: it comes from GM here even if its tile is of use elsewhere."""
    emit, kind = k.emit, tile_type(op.result)
    dim, starts = op.dim.value.data, (0, *op.start_list[1:])  # what lies before the first part is its fill
    between = dim == blocked_dim(kind) and any(start % BLOCK for start in starts)
    at, ends = k.idx(op.at), (*starts[1:], max(k.source.extent_list[dim], starts[-1]))
    loads: list[tile.LoadOp] = []
    bounds: list[tuple[int, int]] = []
    for source, its in zip(op.sources, zip(starts, ends, strict=True), strict=True):
        if not isinstance(source.owner, tile.LoadOp) or not _comes_in_rows(source.owner):
            continue
        if not between and not joined_later(source.owner):
            continue
        lane = next(t for t in clipped_dims(k, source.owner)[0] if t.dim == blocked_dim(kind))
        if dim == blocked_dim(kind) or (lane.step == 1 and lane.whole):
            loads.append(source.owner)
            bounds.append(its)
        else:  # goes through groups of 16 rows, which other parts may share
            k.places[source] = load_moved(k, source.owner, kind)

    def within(start: int, end: int, size: Idx) -> tuple[Idx, Idx]:
        low, high = (emit.min(emit.max(emit.sub(n, at), 0), size) for n in (start, end))
        return low, high

    def part(load: tile.LoadOp, start: int, end: int) -> Source:
        clip, begin = clipped_dims(k, load)
        low, high = within(start, end, k.idx(load.sizes[dim]))
        complete = not is_padded(k, load, dim, start, end)
        if reaches_past(k, load, dim, start, end):
            clip, begin = clipped(emit, clip, begin, dim, low, high)
        return Source(load, clip, begin, complete, dim, low, high)

    if loads:
        place = load_parts(k, [part(load, *its) for load, its in zip(loads, bounds, strict=True)], kind)
    else:
        place = k.new_place(kind, _common_sizes([k.places[source] for source in op.sources]), "operand")
    for source, start, end in zip(op.sources, starts, ends, strict=True):
        if source.owner in loads:
            continue
        held, size = k.places[source], place.sizes[dim]
        low, high = within(start, end, size)
        sizes = tuple(emit.sub(high, low) if d == dim else n for d, n in enumerate(place.sizes))
        count = sizes[dim]
        if count == 0:
            continue
        step = [emit.mul(low, p.strides[dim]) for p in (held, place)]
        if dim == place.block:
            step = [low, low]
        near = replace(held, sizes=sizes, offset=emit.add(held.offset, step[0]))
        far = replace(place, sizes=sizes, offset=emit.add(place.offset, step[1]))
        if isinstance(count, int):
            emit_vector(emit, "vcopy", [near], far)
            continue
        with emit.condition("sge", count, 1):
            emit_vector(emit, "vcopy", [near], far)
    return place
