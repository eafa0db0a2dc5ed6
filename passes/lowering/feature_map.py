"""A convolution's input: [C, H, W] in GM to [C1, H, W, 16] in L1, rows clipped at the image's border.

Sixteen channels at a time: DMA of channel rows to UB, a transpose that puts the channels innermost, UB -> L1. Lanes of
channels that do not exist are zero. Padding is not stored: the image-to-column load supplies it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...dialects import tile
from ...dialects.tile import BLOCK, TileType
from ...dialects.tiling import Along
from .emitter import Idx
from .loads import fill, transpose_channels
from .moves import Run, gm_offset, granule, move
from .place import Place, ceil_to, physical

if TYPE_CHECKING:
    from .kernel import KernelLowering


@dataclass(frozen=True)
class Clip:
    """Rows (or columns) of a tile: where they start in the tensor, how many there are, padding before and after."""

    start: Idx
    count: Idx
    before: Idx
    after: Idx


def clip(k: KernelLowering, entry: Along, offset: Idx, size: int, extent: int) -> Clip:
    """What `size` results from `offset` need of a dimension of `extent`, split into stored part and padding."""
    emit = k.emit
    first = emit.sub(emit.mul(offset, entry.stride), entry.pad)
    span = entry.span(size)
    start = first if entry.pad == 0 else emit.max(first, 0)
    end = emit.add(first, span)
    stop = emit.min(end, extent)
    before = emit.sub(start, first)
    after = emit.sub(end, stop)
    return Clip(start, emit.sub(stop, start), before, after)


def load_feature_map(k: KernelLowering, op: tile.LoadOp, kind: TileType) -> Place:
    """Emit the load; `Place.sizes` holds the stored rows and columns. `Place.pads` what the load from L1 adds around them."""
    emit = k.emit
    tensor = k.tensors[op.tensor]
    offsets, sizes = [k.idx(o) for o in op.offsets], [k.idx(s) for s in op.sizes]
    image, channel, rows_map, columns_map = op.maps
    assert isinstance(rows_map, Along) and isinstance(columns_map, Along) and isinstance(channel, Along)
    extents = tensor.type.get_shape()  # type: ignore[union-attr]
    row_size, column_size = sizes[rows_map.dim], sizes[columns_map.dim]
    assert isinstance(row_size, int) and isinstance(column_size, int)
    rows = clip(k, rows_map, offsets[rows_map.dim], row_size, extents[2])
    columns = clip(k, columns_map, offsets[columns_map.dim], column_size, extents[3])
    pads = (rows.before, columns.before, rows.after, columns.after)
    at: Idx = offsets[image.dim] if isinstance(image, Along) else 0
    c_start, c_count = offsets[channel.dim], sizes[channel.dim]
    shape = kind.get_shape()
    whole_rows = columns.count == extents[3]
    height = min(shape[2], extents[2])
    width = extents[3] if whole_rows else ceil_to(min(shape[3], extents[3]), BLOCK)
    stored = TileType.get((1, shape[1], height, width), kind.element_type, "l1", range(4), 1)
    elements, strides = physical(stored)
    blocks = -(-shape[1] // BLOCK)
    base = emit.fresh(elements, kind.element_type, "l1", "feature_map")
    counts = (1, c_count, rows.count, columns.count)
    place = Place(
        base, kind.element_type, stored.get_shape(), counts, strides, kind.get_order(), 1, pads=pads
    )
    assert isinstance(c_count, int)
    plane = extents[2] * extents[3]
    pitch = ceil_to(height * width, BLOCK)
    unit = granule(kind.element_type)
    positions = emit.mul(rows.count, width)
    repeats = emit.div(emit.add(positions, unit - 1), unit)
    with emit.loop(0, blocks if c_count == shape[1] else -(-c_count // BLOCK)) as c1:
        first = emit.add(c_start, emit.mul(c1, BLOCK))
        lanes: Idx = BLOCK if extents[1] % BLOCK == 0 else emit.min(BLOCK, emit.sub(extents[1], first))
        staged = emit.fresh(BLOCK * pitch, kind.element_type, "ub", "channels")
        lines = emit.fresh(pitch * BLOCK, kind.element_type, "ub", "pixels")
        if lanes != BLOCK or not whole_rows:
            fill(k, staged, 0, BLOCK * pitch, place)
        offset = gm_offset(emit, tensor, [at, first, rows.start, columns.start])
        if whole_rows:
            move(emit, tensor, offset, [Run(lanes, plane, pitch)], positions, staged)
        else:
            runs = [Run(lanes, plane, pitch), Run(rows.count, extents[3], width)]
            move(emit, tensor, offset, runs, columns.count, staged)
        local = Place(lines, kind.element_type, (BLOCK, pitch), (BLOCK, pitch), (0, BLOCK), (0, 1), 0)
        transpose_channels(k, staged, pitch, local, 1, repeats)
        length = emit.mul(positions, BLOCK)
        emit.copy(emit.view(lines, [length], [1]), emit.view(base, [length], [1], emit.mul(c1, strides[1])))
    return place
