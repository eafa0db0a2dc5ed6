"""Loads of rows that indices pick: the scalar unit reads each index from GM, one DMA brings its row.

%t = tile.load %x … by %i    =>    scf.for %r = 0 to rows {
                                     %row = ascend.load_index %i at %r
                                     ascend.copy (row %row of %x), (row %r of the tile)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....dialects import ascend, tile
from ....dialects.ascend.memory import memref_type
from ....dialects.tile import TileType
from ....dialects.tiling import Along, Picked
from ...selection.transfers import Run
from ...support.indices import Idx
from ..base.dma import GmRegion, fill, gm_offset, region, row_major, sizes_of
from ..base.place import Place, blocked_dim
from .narrow_types import clear_row_tails, fetch

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def load_picked(k: LoweringContext, op: tile.LoadOp, kind: TileType) -> Place:
    """A row-major tile, row by row."""
    emit, tensor = k.emit, k.tensors[op.tensor]
    assert op.indices is not None
    table = k.tensors[op.indices]
    at = next(i for i, e in enumerate(op.maps) if isinstance(e, Picked))
    entry = op.maps[at]
    assert isinstance(entry, Picked)
    extent, stride = memref_type(tensor).get_shape()[at], row_major(tensor)[at]
    parts, strides = region(k, op), row_major(tensor)
    along = [(e.dim, parts[i], strides[i]) for i, e in enumerate(op.maps) if isinstance(e, Along)]
    sizes: list[Idx] = [1] * len(kind.get_shape())
    for d, part, _ in along:
        sizes[d] = part.size
    for d in entry.dims:
        sizes[d] = k.idx(op.sizes[d])
    place = k.new_place(kind, sizes, "operand")
    *outer, (last, row, _) = along
    assert last == blocked_dim(kind), "the lanes are a dimension of the rows"
    if all(part.complete for part in parts):
        clear_row_tails(k, place)
    else:  # rows past the last one of a dimension that indices do not pick
        (elements,) = memref_type(place.own.buffer.result).get_shape()
        fill(k, place.base, 0, elements, place.dtype)
    runs = [Run(part.count, step, place.strides[d]) for d, part, step in outer]
    begin = gm_offset(emit, tensor, [part.start for part in parts])
    steps, counts = row_major(table), sizes_of(k, table)

    def walk(dims: tuple[int, ...], position: Idx, to: Idx) -> None:
        if not dims:
            index = emit.insert(ascend.LoadIndexOp(table, emit.value(position), extent)).result
            fetch(
                k, GmRegion(tensor, emit.add(begin, emit.mul(index, stride)), runs, row.count), place.own, to
            )
            return
        d, *rest = dims
        number = len(entry.dims) - len(dims)
        with emit.loop(0, sizes[d]) as i:
            picked = emit.add(k.idx(op.offsets[d]), i)
            if d in k.covered:  # a row past the last one is that again
                picked = emit.min(picked, emit.sub(counts[number], 1))
            walk(
                tuple(rest),
                emit.add(position, emit.mul(picked, steps[number])),
                emit.add(to, emit.mul(i, place.strides[d])),
            )

    walk(entry.dims, 0, 0)
    return place


__all__ = ["load_picked"]
