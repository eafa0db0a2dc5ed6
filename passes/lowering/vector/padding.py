"""`tile.border`: the rows and columns of a tile that lie outside of its value, filled side by side.

How many there are follows from where the tile starts; a tile inside the value has none, and its instructions fill
nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ....dialects import tile
from ....dialects.records import dataclass
from ....dialects.tile import BLOCK, tile_type
from ...support.indices import Idx
from ..base.place import Place
from .vector import emit_vector

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def lower_border(k: LoweringContext, op: tile.BorderOp) -> Place:
    """Emit the fills, in the source's place where it may be overwritten."""
    source, kind, emit = k.places[op.source], tile_type(op.result), k.emit
    place = k.in_place(op, kind, [source], source.sizes)
    if place is None:
        place = k.new_place(kind, source.sizes, "border", rows=BLOCK if source.landed else 1)
        emit_vector(emit, "vcopy", [source], place)
    for (d, stride, pad, extent), offset in zip(op.sides, op.offsets, strict=True):
        first, size = emit.sub(emit.mul(k.idx(offset), stride), pad), place.sizes[d]
        before = emit.max(emit.min(emit.sub(0, first), size), 0)
        after = emit.max(emit.min(emit.sub(emit.add(first, size), extent), size), 0)
        fill_side(k, place, Side(d, 0, before, min(pad, place.shape[d])), op.fill.value.data)
        most = _most_after(k, op, d, stride, pad, extent, place.shape[d])
        fill_side(k, place, Side(d, emit.sub(size, after), after, most), op.fill.value.data)
    return place


def _most_after(
    k: LoweringContext, op: tile.BorderOp, d: int, stride: int, pad: int, extent: int, size: int
) -> int:
    """The most indices past the value's end that a tile has: those of the last one, which ends where the grid does,
    unless it goes past it."""
    source = k.source
    if d in k.covered or not isinstance(k.extents[d], int):
        return size
    last = max(0, source.extent_list[d] - source.tile_sizes[d])
    return max(0, min(size, last * stride - pad + size - extent))


@dataclass(frozen=True)
class Side:
    """`count` indices of dimension `dim` of a tile, at most `most`, from `start` on."""

    dim: int
    start: Idx
    count: Idx
    most: int


def fill_side(k: LoweringContext, place: Place, side: Side, value: float) -> None:
    """Set all elements at a side of a tile."""
    if side.most <= 0 or side.count == 0:
        return
    d = side.dim
    shape = tuple(side.most if i == d else n for i, n in enumerate(place.shape))
    sizes = tuple(side.count if i == d else n for i, n in enumerate(place.sizes))
    first = side.start if d == place.block else k.emit.mul(side.start, place.strides[d])
    offset = k.emit.add(place.offset, first)
    emit_vector(k.emit, "vdup", [], replace(place, shape=shape, sizes=sizes, offset=offset), value)
