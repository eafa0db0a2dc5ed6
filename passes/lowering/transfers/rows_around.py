"""Rows of an image that go round, as channel rows that a tile in UB has beside its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ....dialects import tile
from ....dialects.ascend.memory import memref_type
from ....dialects.tiling import Along
from ...support.indices import Idx
from ..base.circular_rows import goes_round, pieces_of
from ..base.dma import gm_offset
from ..base.part import Part
from ..base.place import Place
from .channel_blocks import ChannelRows

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def rows_around(
    k: LoweringContext, op: tile.LoadOp, place: Place, parts: Sequence[Part]
) -> list[ChannelRows]:
    """Of rows that go round those that are not between the first and the last one of the tile's own image."""
    emit, tensor, found = k.emit, k.tensors[op.tensor], list[ChannelRows]()
    for i, entry in enumerate(op.maps):
        if not goes_round(k, entry) or not isinstance(entry, Along):
            continue
        offset, size = k.idx(op.offsets[entry.dim]), k.idx(op.sizes[entry.dim])
        assert isinstance(size, int), "tiles of rows that go round are whole"
        extent = memref_type(tensor).get_shape()[i]
        for piece in pieces_of(k, entry, offset, size, extent, parts[0].start):
            image = replace(parts[0], start=emit.sub(parts[0].start, piece.back))
            there = [image, *parts[1:i], piece.rows, *parts[i + 1 :]]
            at: Idx = 0
            for e, part in zip(op.maps, there, strict=True):
                if (
                    isinstance(e, Along)
                    and e.dim != place.block
                    and not (place.inside and place.inside[e.dim])
                ):
                    at = emit.add(at, emit.mul(part.before, place.strides[e.dim]))
            shape = tuple(piece.most if d == entry.dim else n for d, n in enumerate(place.shape))
            start = gm_offset(emit, tensor, [p.start for p in there])
            found.append(ChannelRows(replace(place, shape=shape, offset=at), there, start))
    return found
