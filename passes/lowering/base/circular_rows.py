"""Rows of an image that go round (`tile.Circular`): which rows of a tile are which rows of an image in GM.

Behind the last row, past the gap, come the first ones again; before the first row those at the end of the image before.
A tile that has some of them loads them by themselves; what is between them is zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....dialects.records import dataclass
from ....dialects.tiling import Along, DimMap
from ...support.indices import Idx
from .part import Part

if TYPE_CHECKING:
    from .context import LoweringContext


@dataclass(frozen=True)
class Piece:
    """Rows of a tile that are loaded by themselves, at most `most` of them; `back`: how many images before the tile's
    they are in; `beside`: they are beside the tile's own, if there are any."""

    rows: Part
    most: int
    back: int = 0
    beside: bool = True


def goes_round(k: LoweringContext, entry: DimMap) -> bool:
    """Whether a dimension of a tensor follows the rows that go round."""
    rows = k.source.rows
    return rows is not None and isinstance(entry, Along) and entry.dim == rows.dim and entry.stride > 0


def rows_of(k: LoweringContext, entry: Along, offset: Idx, size: int, extent: int) -> Part:
    """The rows of its own image that a tile needs, of `size` rows of the result from `offset`, which may be below 0."""
    first = k.emit.sub(k.emit.mul(offset, entry.stride), entry.pad)
    return _part(k, first, entry.span(size), extent, entry.span(size))


def pieces_of(
    k: LoweringContext, entry: Along, offset: Idx, size: int, extent: int, image: Idx
) -> list[Piece]:
    """Those at the end of the image before number `image`, if the first tile needs them, and the first ones again."""
    emit, circular = k.emit, k.source.rows
    assert circular is not None
    height, span = k.source.extent_list[circular.dim], entry.span(size)
    most = min(entry.span(circular.halo), extent)
    first = emit.sub(emit.mul(offset, entry.stride), entry.pad)
    found: list[Piece] = []
    if circular.lead:
        moved = emit.add(first, entry.stride * (circular.lead + height - circular.halo))
        rows = _part(k, moved, span, extent, most)
        there = emit.mul(rows.count, emit.min(image, 1))
        found.append(Piece(Part(rows.start, there, rows.before, rows.size, False), most, 1))
    moved = emit.sub(first, entry.stride * (height + circular.gap))
    return [*found, Piece(_part(k, moved, span, extent, most), most)]


def _part(k: LoweringContext, first: Idx, span: int, extent: int, most: int) -> Part:
    """What there is of `span` rows from row `first` of an image, `most` rows at most."""
    emit = k.emit
    start = emit.max(first, 0)
    end = emit.min(emit.add(first, span), extent)
    count = emit.min(emit.max(emit.sub(end, start), 0), most)
    return Part(start, count, emit.sub(start, first), span, False)
