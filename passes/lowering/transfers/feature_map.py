"""A convolution's input: [C, H, W] in GM to [C1, H, W, C0] in L1, rows clipped at the image's border.

Sixteen channels at a time: DMA of channel rows to UB, a transpose that puts the channels innermost, UB -> L1. Lanes of
channels that do not exist are zero. Padding is not stored: the image-to-column load supplies it.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from xdsl.ir import Attribute, SSAValue

from ....dialects import tile
from ....dialects.ascend.memory import memref_type
from ....dialects.attributes import integers, tensor_type
from ....dialects.element_types import ELEMENT_BYTES, lanes_of
from ....dialects.target_types import Target
from ....dialects.tile import BLOCK, TileType, tile_type
from ....dialects.tiling import Along
from ...selection.transfers import Run
from ...support.indices import Idx
from ..base.circular_rows import Piece, goes_round, pieces_of, rows_of
from ..base.dma import fill, gm_offset, move
from ..base.emitter import Generation
from ..base.place import Place, ceil_to, physical
from ..vector.vector import emit_vector
from .channel_blocks import transpose_channels

if TYPE_CHECKING:
    from ..base.context import LoweringContext, OperandFeed


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
    assert isinstance(product, tile.ContractOp) and product.window is not None
    return integers(product.window)[3]


def stored_width(span: int, pad: int, extent: int, step: int, cut: bool) -> int:
    """Columns that a row takes on chip, of which `span` are needed, from `pad` before an image `extent` wide on, or
    fewer where tiles at its border need less: rows that are `cut` by tiles begin on whole blocks, whole ones lie end to
    end. `step`: from one window of the convolution to the next. Of an image one column wide, which no window may meet,
    all is stored."""
    whole = extent == 1 or (pad >= 0 and extent - (span - pad) < step)
    return extent if whole and not cut else ceil_to(min(span, extent), BLOCK)


def feature_map_elements(product: tile.ContractOp) -> int:
    """Elements of L1 that the feature map of one step of a convolution takes."""
    last = product.body.block.last_op
    assert isinstance(last, tile.YieldOp)
    load = last.values[0].owner
    assert isinstance(load, tile.LoadOp)
    return physical(stored_type(load, tile_type(load.result)))[0]


def load_feature_map(k: LoweringContext, op: tile.LoadOp, kind: TileType) -> Place | None:
    """Emit the load; `Place.sizes` holds the stored rows and columns, `Place.pads` what the load from L1 adds. Where
    Vector cores lay the map out for a Cube core, each side emits its part; for the Vector core there is no place."""
    emit = k.emit
    tensor = k.tensors[op.tensor]
    offsets, sizes = [k.idx(o) for o in op.offsets], [k.idx(s) for s in op.sizes]
    image, channel, *_ = op.maps
    assert isinstance(channel, Along)
    extents = memref_type(tensor).get_shape()
    rows, columns = clips(k, op)
    at: Idx = offsets[image.dim] if isinstance(image, Along) else 0
    c_start, c_count = offsets[channel.dim], sizes[channel.dim]
    whole_rows = columns.count == extents[3]
    stored = stored_type(op, kind)
    height, width = stored.get_shape()[2:]
    assert width == extents[3] or not whole_rows
    elements, strides = physical(stored)
    c0 = kind.lanes
    feed = k.feed
    sizes = (1, c_count, 1, 1)
    if feed is not None and feed.direct and k.core == "aic":
        shape, order = stored.get_shape(), kind.get_order()
        place = Place(feed.workspace, kind.element_type, shape, sizes, strides, order, 1, feed.slot())
        return clipped(place, rows, columns)
    base = None if k.core == "aiv" else emit.fresh(elements, kind.element_type, "l1", "feature_map")
    assert isinstance(c_count, int)
    plane = extents[2] * extents[3]
    group = staging_rows(k.target, height, width, kind.element_type)
    for_blocks = -(-c_count // c0)
    if base is not None:
        place = Place(base, kind.element_type, stored.get_shape(), sizes, strides, kind.get_order(), 1)
        place = clipped(place, rows, columns)
        if feed is not None:
            lines = [for_blocks, emit.mul(emit.mul(rows.count, width), c0)]
            read = emit.view(feed.workspace, lines, [strides[1], 1], feed.slot())
            emit.copy(read, emit.view(base, lines, [strides[1], 1]))
            return place
    else:
        place = None
    groups = -(-c_count // BLOCK)
    together = staging_groups(k.target, height, width, groups, kind.element_type)
    begin, step = (0, together) if feed is None else feed.share(groups, together)
    into = destination(base, feed)
    slot: Idx = 0 if feed is None else feed.slot()
    with emit.loop(begin, groups, step) as at_group:
        first = emit.add(c_start, emit.mul(at_group, BLOCK))
        lanes: Idx = min(together * BLOCK, c_count)
        if extents[1] % min(BLOCK, c_count) or c_count % min(BLOCK, c_count):
            lanes = emit.min(lanes, emit.sub(extents[1], first))
        c1 = emit.mul(at_group, BLOCK // c0)
        planes: Idx = together * BLOCK // c0
        if for_blocks * c0 % BLOCK:
            planes = emit.min(planes, emit.sub(for_blocks, c1))
        target = emit.mul(c1, strides[1])
        if goes_round(k, op.maps[2]):
            pixels = _pixels_around(k, op, (at, first, lanes), together, (height, width))
            lines = [planes, height * width * c0]
            read = emit.view(pixels, lines, [_around_pitch(height, width) * c0, 1])
            emit.copy(read, emit.view(into, lines, [strides[1], 1], emit.add(slot, target)))
        else:
            with emit.loop(0, rows.count if group < height else 1, group) as row:
                count = emit.min(group, emit.sub(rows.count, row)) if group < height else rows.count
                offset = gm_offset(emit, tensor, [at, first, emit.add(rows.start, row), columns.start])
                pitch = ceil_to(min(group, height) * width, BLOCK)
                positions = emit.mul(count, width)
                staged = _stage(
                    k,
                    tensor,
                    offset,
                    (lanes, plane),
                    (count, extents[3]),
                    (columns.count, width),
                    (together * BLOCK, pitch),
                )
                pixels = emit.fresh(together * pitch * BLOCK, kind.element_type, "ub", "pixels")
                room = (together * BLOCK, pitch)
                local = Place(pixels, kind.element_type, room, room, (pitch * c0, c0), (0, 1), 0)
                unit = lanes_of(kind.element_type)
                repeats = emit.div(emit.add(positions, unit - 1), unit)
                transpose_channels(k, staged, pitch, local, together, repeats, c0)
                length = emit.mul(positions, c0)
                inside = emit.add(slot, emit.add(target, emit.mul(row, strides[2])))
                if planes == 1:
                    emit.copy(emit.view(pixels, [length], [1]), emit.view(into, [length], [1], inside))
                else:
                    read = emit.view(pixels, [planes, length], [pitch * c0, 1])
                    emit.copy(read, emit.view(into, [planes, length], [strides[1], 1], inside))
    return place


def _around_pitch(height: int, width: int) -> int:
    """Pixels that rows take in UB where pieces of them are transposed, 16 pixels at a time, from any pixel on."""
    return ceil_to(height * width, BLOCK) + BLOCK


def _pixels_around(
    k: LoweringContext,
    op: tile.LoadOp,
    start: tuple[Idx, Idx, Idx],
    together: int,
    room: tuple[int, int],
) -> Generation:
    """[group of channels][pixel][16] of an image's rows that go round, with zeros where there are none. `start`: the
    image, the first channel, how many there are; `room`: rows and columns."""
    emit, tensor, rows_map = k.emit, k.tensors[op.tensor], op.maps[2]
    (image, channel, lanes), (height, width) = start, room
    assert isinstance(rows_map, Along)
    _, _, extent, columns = memref_type(tensor).get_shape()
    offset, size = k.idx(op.offsets[rows_map.dim]), k.idx(op.sizes[rows_map.dim])
    assert isinstance(size, int), "tiles of rows that go round are whole"
    dtype, pitch = memref_type(tensor).element_type, _around_pitch(height, width)
    pixels = emit.fresh(together * pitch * BLOCK, dtype, "ub", "pixels")
    whole = Place(pixels, dtype, (together, pitch), (together, pitch), (pitch * BLOCK, BLOCK), (0, 1), 0)

    def clear(row: Idx, count: Idx) -> None:
        with emit.condition("slt", 0, count):
            shape, sizes = (together, height * width, BLOCK), (together, emit.mul(count, width), BLOCK)
            strides, first = (pitch * BLOCK, BLOCK, BLOCK), emit.mul(row, width * BLOCK)
            emit_vector(
                emit, "vdup", [], Place(pixels, dtype, shape, sizes, strides, (0, 1, 2), 2, first), 0.0
            )

    def stage(piece: Piece) -> Generation:
        rows, at = piece.rows, [emit.sub(image, piece.back), channel, piece.rows.start, 0]
        room = together * BLOCK, ceil_to(piece.most * width, BLOCK)
        plane, line = (lanes, extent * columns), (rows.count, columns)
        return _stage(
            k, tensor, gm_offset(emit, tensor, at), plane, line, (columns, width), room, piece.beside
        )

    def turn(piece: Piece, staged: Generation) -> None:
        rows, unit = piece.rows, lanes_of(dtype)
        repeats = emit.div(emit.add(emit.mul(rows.count, width), unit - 1), unit)
        to = replace(whole, offset=emit.mul(rows.before, width * BLOCK))
        with emit.condition("slt", 0, rows.count) if piece.beside else nullcontext():
            transpose_channels(k, staged, ceil_to(piece.most * width, BLOCK), to, together, repeats)

    rows = rows_of(k, rows_map, offset, size, extent)
    own = Piece(rows, min(height, extent), beside=False)
    *lead, behind = pieces_of(k, rows_map, offset, size, extent, image)
    # of all DMA that of the own rows is the last, and the only one that always is
    staged = [stage(piece) for piece in (*lead, behind, own)]
    clear(0, rows.before)
    for piece, base in zip(lead, staged, strict=False):  # its transposes go past its last pixel
        turn(piece, base)
        end = emit.mul(emit.min(piece.rows.count, 1), emit.add(piece.rows.before, piece.rows.count))
        clear(end, emit.sub(rows.before, end))
    turn(own, staged[-1])
    end = emit.add(rows.before, rows.count)
    clear(end, emit.sub(height, end))
    turn(behind, staged[-2])
    return pixels


def destination(base: Generation | None, feed: OperandFeed | None) -> Generation | SSAValue:
    """Where an operand is laid out: in L1, by a core that has it, or in a workspace."""
    if base is not None:
        return base
    assert feed is not None, "an operand that a Vector core lays out goes to a workspace"
    return feed.workspace


def staging_rows(target: Target, height: int, width: int, dtype: Attribute) -> int:
    """Rows of the feature map that pass through UB at once: an eighth of it for one slot of one buffer."""
    row = width * BLOCK * ELEMENT_BYTES[str(dtype)]
    return max(1, min(height, target.spaces["ub"].bytes // 8 // row))


def staging_groups(target: Target, height: int, width: int, groups: int, dtype: Attribute) -> int:
    """Groups of 16 channels that pass through UB at once: as many as divide `groups` and fit an eighth of it."""
    group = ceil_to(height * width, BLOCK) * BLOCK * ELEMENT_BYTES[str(dtype)]
    most = target.spaces["ub"].bytes // 8 // group
    return max((n for n in range(1, most + 1) if groups % n == 0), default=1)


def _stage(
    k: LoweringContext,
    tensor: SSAValue,
    offset: Idx,
    channels: tuple[Idx, int],
    rows: tuple[Idx, int],
    columns: tuple[Idx, int],
    room: tuple[int, int],
    if_any: bool = False,
) -> Generation:
    """Channel rows in UB, with room for `room` channels and positions: count and stride of channels and image rows,
    count and room of columns. Channels that do not exist are zero. `if_any`: there may be no rows."""
    emit = k.emit
    dtype = memref_type(tensor).element_type
    most, pitch = room
    staged = emit.fresh(most * pitch, dtype, "ub", "channels")
    lanes = channels[0]
    whole_rows = columns[0] == rows[1] == columns[1]
    with emit.condition("slt", 0, rows[0]) if if_any else nullcontext():
        if not whole_rows or not isinstance(lanes, int):
            fill(k, staged, 0, most * pitch, dtype)
        elif lanes < most:
            fill(k, staged, lanes * pitch, (most - lanes) * pitch, dtype)
        if whole_rows:
            move(
                emit, tensor, offset, [Run(lanes, channels[1], pitch)], emit.mul(rows[0], columns[1]), staged
            )
        else:
            runs = [Run(lanes, channels[1], pitch), Run(rows[0], rows[1], columns[1])]
            move(emit, tensor, offset, runs, columns[0], staged)
    return staged
