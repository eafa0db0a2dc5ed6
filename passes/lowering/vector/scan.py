"""`tile.scan`: in step s each index adds the one s before it, for s = 1, 2, 4, ..: the sums of 2, 4, 8, .. up to it.

    [n, lanes]   vcopy [0, s)   vadd [s, n) = [s, n) + [0, n - s)   ->   [n, lanes]   log2(n) times

Two buffers take turns, as an instruction may not write what it still has to read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....dialects import tile
from ....dialects.tile import tile_type
from ..base.place import Place
from .reduce import part_of
from .vector import emit_vector

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def lower_scan(k: LoweringContext, op: tile.ScanOp) -> Place:
    """Emit the sums; the place of the result."""
    kind, dim, place = tile_type(op.result), op.dim.value.data, k.places[op.source]
    if not isinstance(place.offset, int):
        whole = k.new_place(kind, place.sizes, "rows")
        emit_vector(k.emit, "vcopy", [place], whole)
        place = whole
    count, step = place.shape[dim], 1
    rooms: list[Place] = []
    while step < count:
        if len(rooms) < 2:
            rooms.append(k.new_place(kind, place.sizes, "sums"))
        result = rooms[-1] if place is not rooms[-1] else rooms[0]
        early, late = part_of(place, dim, 0, count - step), part_of(place, dim, step, count - step)
        kept, summed = (count - step, 0) if op.reverse is not None else (0, step)
        emit_vector(k.emit, "vcopy", [part_of(place, dim, kept, step)], part_of(result, dim, kept, step))
        emit_vector(k.emit, "vadd", [late, early], part_of(result, dim, summed, count - step))
        place, step = result, 2 * step
    return place
