"""What of an image a tile of a convolution needs: rows and columns clipped at its border, and the room that they take.

Padding is not stored: the image-to-column load supplies it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ....dialects import tile
from ....dialects.attributes import tensor_type
from ....dialects.records import dataclass
from ....dialects.tile import BLOCK, TileType
from ....dialects.tiling import Along
from ...support.indices import Idx
from ..base.circular_rows import goes_round
from ..base.place import Place, ceil_to

if TYPE_CHECKING:
    from ..base.context import LoweringContext


@dataclass(frozen=True)
class Clip:
    """Rows (or columns) of a tile: where they start in the tensor, how many there are, padding before and after.
    `gone` is 1 where all of it is padding; one row is then stored that no window meets."""

    start: Idx
    count: Idx
    before: Idx
    after: Idx
    gone: Idx = 0


def clip(k: LoweringContext, entry: Along, offset: Idx, size: int, extent: int) -> Clip:
    """What `size` results from `offset` need of a dimension of `extent`, split into stored part and padding."""
    emit = k.emit
    first = emit.sub(emit.mul(offset, entry.stride), entry.pad)
    span = entry.span(size)
    start = first if entry.pad == 0 else emit.max(first, 0)
    end = emit.add(first, span)
    stop = emit.min(end, extent)
    last = entry.span(k.source.extent_list[entry.dim]) - entry.pad
    if entry.pad < span and last - extent < span and not k.chained:
        return Clip(start, emit.sub(stop, start), emit.sub(start, first), emit.sub(end, stop))
    count = emit.max(emit.sub(stop, start), 0)
    gone = emit.sub(1, emit.min(count, 1))
    count = emit.max(count, 1)
    before = emit.min(emit.sub(start, first), emit.sub(span, count))
    after = emit.sub(emit.sub(span, count), before)
    return Clip(emit.min(start, extent - 1), count, before, after, gone)


def _to_the_border(columns: Clip, step: int, extent: int) -> Clip:
    """All columns, where the last ones that no window meets are fewer than a step of the convolution, which then makes
    no more pixels of them: whole rows are loaded faster."""
    start, count = columns.start, columns.count
    if start == 0 and isinstance(count, int) and columns.after == 0 and 0 < extent - count < step:
        return replace(columns, count=extent)
    return columns


def hidden(k: LoweringContext, rows: Clip, columns: Clip, span: int) -> Clip:
    """`rows`, which are below all windows where they, or the columns, are only padding."""
    emit = k.emit
    gone = emit.max(rows.gone, columns.gone)
    if gone == 0:
        return rows
    return replace(rows, before=emit.min(emit.add(rows.before, emit.mul(gone, span)), span))


def clips(k: LoweringContext, op: tile.LoadOp) -> tuple[Clip, Clip]:
    """Rows and columns that a feature map's load needs for the current grid point. Rows that go round are all stored,
    with those of the gap."""
    offsets, sizes = [k.idx(o) for o in op.offsets], [k.idx(s) for s in op.sizes]
    rows_map, columns_map = op.maps[2:]
    assert isinstance(rows_map, Along) and isinstance(columns_map, Along)
    extents = tensor_type(op.tensor).get_shape()
    row_size, column_size = sizes[rows_map.dim], sizes[columns_map.dim]
    assert isinstance(row_size, int) and isinstance(column_size, int)
    if goes_round(k, rows_map):
        rows = Clip(0, rows_map.span(row_size), 0, 0)
    else:
        rows = clip(k, rows_map, offsets[rows_map.dim], row_size, extents[2])
    columns = clip(k, columns_map, offsets[columns_map.dim], column_size, extents[3])
    columns = _to_the_border(columns, _step(op), extents[3])
    return hidden(k, rows, columns, rows_map.span(row_size)), columns


def clipped(place: Place, rows: Clip, columns: Clip) -> Place:
    """A feature map that holds these rows and columns."""
    return replace(
        place,
        sizes=(*place.sizes[:2], rows.count, columns.count),
        pads=(rows.before, columns.before, rows.after, columns.after),
    )


def stored_type(op: tile.LoadOp, kind: TileType) -> TileType:
    """The largest part of a feature map that a load keeps in L1: [1, C, height, width], blocked at C."""
    extents = tensor_type(op.tensor).get_shape()
    shape = kind.get_shape()
    columns = op.maps[3]
    assert isinstance(columns, Along)
    kernel = op.parent_op()
    while not isinstance(kernel, tile.KernelOp):
        assert kernel is not None, "loads are in kernels"
        kernel = kernel.parent_op()
    height = shape[2] if kernel.rows is not None else min(shape[2], extents[2])
    width = stored_width(shape[3], columns.pad, extents[3], _step(op), kernel.grid[columns.dim] > 1)
    return TileType.get((1, shape[1], height, width), kind.element_type, "l1", range(4), 1)


def _step(op: tile.LoadOp) -> int:
    """Columns from one window to the next of the convolution that an image is loaded for. What follows the convolution
    may need only some of its pixels, so that of the tile's results is more."""
    product = op.parent_op()
    assert isinstance(product, tile.ContractOp) and product.image is not None
    return product.image.strides[1]


def stored_width(span: int, pad: int, extent: int, step: int, cut: bool) -> int:
    """Columns that a row takes on chip, of which `span` are needed, from `pad` before an image `extent` wide on, or
    fewer where tiles at its border need less: rows that are `cut` by tiles begin on whole blocks, whole ones lie end to
    end. `step`: from one window of the convolution to the next. Of an image one column wide, which no window may meet,
    all is stored."""
    whole = extent == 1 or (pad >= 0 and extent - (span - pad) < step)
    return extent if whole and not cut else ceil_to(min(span, extent), BLOCK)
