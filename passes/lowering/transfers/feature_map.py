"""A convolution's input: [C, H, W] in GM to [C1, H, W, C0] in L1, rows clipped at the image's border.

Sixteen channels at a time: DMA of channel rows to UB, a transpose that puts the channels innermost, UB -> L1. Lanes of
channels that do not exist are zero. Padding is not stored: the image-to-column load supplies it.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from xdsl.ir import Attribute, SSAValue

from ....dialects import tile
from ....dialects.ascend.memory import memref_type
from ....dialects.element_types import bytes_of, lanes_of
from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ....dialects.tile import BLOCK, TileType, tile_type
from ....dialects.tiling import Along
from ...selection.transfers import Run
from ...support.indices import Idx
from ..base.circular_rows import Piece, goes_round, pieces_of, rows_of
from ..base.dma import GmRegion, fill, gm_offset, move
from ..base.emitter import Generation
from ..base.place import Place, ceil_to, physical
from ..vector.vector import emit_vector
from .channel_blocks import StagedChannels, transpose_channels
from .image_clip import Clip, clipped, clips, stored_type

if TYPE_CHECKING:
    from ..base.context import LoweringContext, OperandFeed


def feature_map_elements(product: tile.ContractOp) -> int:
    """Elements of L1 that the feature map of one step of a convolution takes."""
    last = product.body.block.last_op
    assert isinstance(last, tile.YieldOp)
    load = last.values[0].owner
    assert isinstance(load, tile.LoadOp)
    return physical(stored_type(load, tile_type(load.result)))[0]


@dataclass(frozen=True)
class _Map:
    """What a load stores of an image, as `stored` has it in L1: its image, its first channel and how many, its rows and
    columns."""

    op: tile.LoadOp
    tensor: SSAValue
    stored: TileType
    image: Idx
    channel: Idx
    channels: Idx
    rows: Clip
    columns: Clip

    @property
    def height(self) -> int:
        return self.stored.get_shape()[2]

    @property
    def width(self) -> int:
        return self.stored.get_shape()[3]

    @property
    def strides(self) -> tuple[int, ...]:
        """Of blocks of channels, rows and columns in L1."""
        return physical(self.stored)[1]

    def place(self, base: Generation | SSAValue, order: tuple[int, ...], at: Idx = 0) -> Place:
        shape, sizes = self.stored.get_shape(), (1, self.channels, 1, 1)
        place = Place(base, self.stored.element_type, shape, sizes, self.strides, order, 1, at)
        return clipped(place, self.rows, self.columns)


def load_feature_map(k: LoweringContext, op: tile.LoadOp, kind: TileType) -> Place | None:
    """Emit the load; `Place.sizes` holds the stored rows and columns, `Place.pads` what the load from L1 adds. Where
    Vector cores lay the map out for a Cube core, each side emits its part; for the Vector core there is no place."""
    emit, feed, order = k.emit, k.feed, kind.get_order()
    image, channel, *_ = op.maps
    assert isinstance(channel, Along)
    rows, columns = clips(k, op)
    m = _Map(
        op,
        k.tensors[op.tensor],
        stored_type(op, kind),
        k.idx(op.offsets[image.dim]) if isinstance(image, Along) else 0,
        k.idx(op.offsets[channel.dim]),
        k.idx(op.sizes[channel.dim]),
        rows,
        columns,
    )
    extent = memref_type(m.tensor).get_shape()[3]
    assert m.width == extent or columns.count != extent
    if feed is not None and feed.direct and k.core == "aic":
        return m.place(feed.workspace, order, feed.slot())
    elements, _ = physical(m.stored)
    base = None if k.core == "aiv" else emit.fresh(elements, kind.element_type, "l1", "feature_map")
    assert isinstance(m.channels, int)
    if base is not None and feed is not None:
        place, plane = m.place(base, order), m.strides[1]
        lines = [-(-m.channels // kind.lanes), emit.mul(emit.mul(rows.count, m.width), kind.lanes)]
        read = emit.view(feed.workspace, lines, [plane, 1], feed.slot())
        emit.copy(read, emit.view(base, lines, [plane, 1]))
        return place
    place = None if base is None else m.place(base, order)
    _lay_out(k, m, m.channels, destination(base, feed))
    return place


@dataclass(frozen=True)
class _Group:
    """Channels that pass through UB at once: `together` groups of 16, the first channel and how many there are; the
    blocks of channels in L1 that they fill, and where the first one is."""

    together: int
    first: Idx
    lanes: Idx
    planes: Idx
    to: Idx


def _lay_out(k: LoweringContext, m: _Map, channels: int, into: Generation | SSAValue) -> None:
    """The map in blocks of channels, some groups of 16 at a time; Vector cores share the groups."""
    emit, feed, c0 = k.emit, k.feed, m.stored.lanes
    groups, blocks = -(-channels // BLOCK), -(-channels // c0)
    together = staging_groups(k.target, m.height, m.width, groups, m.stored.element_type)
    begin, step = (0, together) if feed is None else feed.share(groups, together)
    slot: Idx = 0 if feed is None else feed.slot()
    extent = memref_type(m.tensor).get_shape()[1]
    with emit.loop(begin, groups, step) as at_group:
        first = emit.add(m.channel, emit.mul(at_group, BLOCK))
        lanes: Idx = min(together * BLOCK, channels)
        if extent % min(BLOCK, channels) or channels % min(BLOCK, channels):
            lanes = emit.min(lanes, emit.sub(extent, first))
        c1 = emit.mul(at_group, BLOCK // c0)
        planes: Idx = together * BLOCK // c0
        if blocks * c0 % BLOCK:
            planes = emit.min(planes, emit.sub(blocks, c1))
        group = _Group(together, first, lanes, planes, emit.mul(c1, m.strides[1]))
        if goes_round(k, m.op.maps[2]):
            pixels = _pixels_around(k, m.op, (m.image, first, lanes), together, (m.height, m.width))
            lines = [planes, m.height * m.width * c0]
            read = emit.view(pixels, lines, [_around_pitch(m.height, m.width) * c0, 1])
            emit.copy(read, emit.view(into, lines, [m.strides[1], 1], emit.add(slot, group.to)))
        else:
            _lay_out_rows(k, m, group, into, slot)


def _lay_out_rows(k: LoweringContext, m: _Map, group: _Group, into: Generation | SSAValue, slot: Idx) -> None:
    """Some channels of all rows, as many rows at a time as pass through UB: DMA, a transpose that puts the channels
    innermost, UB -> L1."""
    emit, rows, columns, dtype = k.emit, m.rows, m.columns, m.stored.element_type
    extents, c0, together = memref_type(m.tensor).get_shape(), m.stored.lanes, group.together
    most = staging_rows(k.target, m.height, m.width, dtype)
    with emit.loop(0, rows.count if most < m.height else 1, most) as row:
        count = emit.min(most, emit.sub(rows.count, row)) if most < m.height else rows.count
        offset = gm_offset(emit, m.tensor, [m.image, group.first, emit.add(rows.start, row), columns.start])
        pitch = ceil_to(min(most, m.height) * m.width, BLOCK)
        positions, room = emit.mul(count, m.width), (together * BLOCK, pitch)
        channels, lines = (group.lanes, extents[2] * extents[3]), (count, extents[3])
        staged = _stage(k, m.tensor, offset, channels, lines, (columns.count, m.width), room)
        pixels = emit.fresh(together * pitch * BLOCK, dtype, "ub", "pixels")
        local = Place(pixels, dtype, room, room, (pitch * c0, c0), (0, 1), 0)
        unit = lanes_of(dtype)
        repeats = emit.div(emit.add(positions, unit - 1), unit)
        transpose_channels(k, StagedChannels(staged, pitch, together, repeats), local, c0)
        length = emit.mul(positions, c0)
        inside = emit.add(slot, emit.add(group.to, emit.mul(row, m.strides[2])))
        if group.planes == 1:
            emit.copy(emit.view(pixels, [length], [1]), emit.view(into, [length], [1], inside))
        else:
            read = emit.view(pixels, [group.planes, length], [pitch * c0, 1])
            emit.copy(read, emit.view(into, [group.planes, length], [m.strides[1], 1], inside))


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
            pitch = ceil_to(piece.most * width, BLOCK)
            transpose_channels(k, StagedChannels(staged, pitch, together, repeats), to)

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
    row = width * BLOCK * bytes_of(dtype)
    return max(1, min(height, target.spaces["ub"].bytes // 8 // row))


def staging_groups(target: Target, height: int, width: int, groups: int, dtype: Attribute) -> int:
    """Groups of 16 channels that pass through UB at once: as many as divide `groups` and fit an eighth of it."""
    group = ceil_to(height * width, BLOCK) * BLOCK * bytes_of(dtype)
    most = target.spaces["ub"].bytes // 8 // group
    return _largest_divisor(groups, most)


@cache
def _largest_divisor(number: int, most: int) -> int:
    """The largest divisor of a number that is at most `most`, 1 where there is none."""
    return max((n for n in range(1, most + 1) if number % n == 0), default=1)


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
                emit,
                GmRegion(tensor, offset, [Run(lanes, channels[1], pitch)], emit.mul(rows[0], columns[1])),
                staged,
            )
        else:
            runs = [Run(lanes, channels[1], pitch), Run(rows[0], rows[1], columns[1])]
            move(emit, GmRegion(tensor, offset, runs, columns[0]), staged)
    return staged
