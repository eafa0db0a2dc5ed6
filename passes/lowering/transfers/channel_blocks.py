"""Channels of an image in GM, [.., c, h, w], to tiles in UB blocked at c: [c1][h][w][16].

DMA of channel rows, then a transpose for each block of channels. Where the tile has more than what is in the tensor,
the transposes write lines of whole blocks each to its place, or all positions end to end, and copies put them in their
place; around them the tile holds the load's fill value. A tile that needs no padding (`clipping`) has the positions end
to end. Weights that were packed are read as they lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ....dialects import ascend, tile
from ....dialects.ascend.memory import memref_type
from ....dialects.attributes import tensor_type
from ....dialects.element_types import lanes_of
from ....dialects.records import dataclass
from ....dialects.tile import BLOCK, TileType
from ....dialects.tiling import Along
from ...selection.transfers import Run
from ...support.indices import Idx
from ..base.dma import GmRegion, fill, fill_rows, move, row_major
from ..base.emitter import Generation
from ..base.part import Part
from ..base.place import Place, blocked_dim, ceil_to
from ..vector.vector import emit_vector
from ..vector.window import inside_of, needs_no_padding
from .channel_borders import Axis, fill_columns, fill_lines, outside
from .narrow_types import fetch

if TYPE_CHECKING:
    from ..base.context import LoweringContext


@dataclass(frozen=True)
class Positions:
    """How the positions of one channel lie where DMA puts them: steps of each dimension, how many there are at most,
    how many there are, and whether they lie as in GM."""

    steps: tuple[int, ...]
    most: int
    count: Idx
    contiguous: bool


def _positions(k: LoweringContext, inner: list[Axis]) -> Positions:
    whole = all(isinstance(a.part.count, int) and a.part.count == a.extent for a in inner[1:])
    sizes = [a.extent if whole and i else a.most for i, a in enumerate(inner)]
    if inner and not whole:
        sizes[-1] = ceil_to(sizes[-1], BLOCK)
    steps = tuple(prod(sizes[i + 1 :]) for i in range(len(inner)))
    contiguous = all(a.stride == step for a, step in zip(inner, steps, strict=True))
    most = prod(sizes)
    count = k.emit.mul(inner[0].part.count, steps[0]) if inner and contiguous else most
    return Positions(steps, most, count, contiguous)


def _most(size: int, extent: int) -> int:
    """What a tile of `size` has at most of a tensor's dimension, which may be dynamic."""
    return size if extent < 0 else min(size, extent)


@dataclass(frozen=True)
class ChannelRows:
    """Channels of `parts` of a tensor, from `offset` in GM on, and the place of a tile, whose offset is where the first
    element inside the tensor belongs."""

    place: Place
    parts: Sequence[Part]
    offset: Idx


@dataclass(frozen=True)
class StagedChannels:
    """Rows of channels in UB, `pitch` elements each: 16 for each of `groups`, whose positions take `repeats` repeats of
    a transpose."""

    base: Generation
    pitch: int
    groups: int
    repeats: Idx


@dataclass(frozen=True)
class _Staged:
    """Channel rows in UB: `base` has `pitch` elements for each of 16 channels of so many blocks."""

    place: Place
    inner: list[Axis]
    positions: Positions
    base: Generation
    pitch: int
    blocks: int
    lines: bool
    """Whether each line of an image goes to its place by itself."""

    def channels(self, k: LoweringContext) -> StagedChannels:
        """What is transposed."""
        lanes = lanes_of(self.place.dtype)
        repeats = k.emit.div(k.emit.add(self.positions.count, lanes - 1), lanes)
        return StagedChannels(self.base, self.pitch, self.blocks, repeats)


def blocks_from_channels(
    k: LoweringContext, op: tile.LoadOp, own: ChannelRows, others: Sequence[ChannelRows] = ()
) -> None:
    """Fill the place of `own`. `others` are further rows of the tile, where there are any: the rows around its own stay
    as they are."""
    emit, value = k.emit, 0.0 if op.fill is None else op.fill.value.data
    # of all DMA the tile's own is the last, and the only one that always is
    beside = [_stage(k, op, rows, True) for rows in others]
    staged = _stage(k, op, own, False)
    place, inner = staged.place, staged.inner
    if staged.lines:
        _turn_lines(k, staged.base, staged.pitch, staged.positions.steps[0], place, inner, staged.blocks)
    elif place.inside or _fits(place, inner, staged.positions):
        transpose_channels(k, staged.channels(k), place)
        if place.inside and not place.inside[inner[0].dim]:
            fill_lines(k, place, inner[0], inner[1].extent, value)
    else:
        _copy_positions(k, staged)
    for rows in beside:
        with emit.condition("slt", 0, rows.inner[0].part.count):
            _copy_positions(k, rows)


def _stage(k: LoweringContext, op: tile.LoadOp, rows: ChannelRows, beside: bool) -> _Staged:
    """DMA of channel rows, and what is around them in the tile, unless these are `beside` others."""
    emit, place, parts = k.emit, rows.place, rows.parts
    tensor = k.tensors[op.tensor]
    axes = [
        Axis(
            part,
            stride,
            extent,
            entry.dim,
            _most(place.shape[entry.dim], extent),
            *outside(k, entry, part, extent),
        )
        for entry, part, stride, extent in zip(
            op.maps, parts, row_major(tensor), memref_type(tensor).get_shape(), strict=True
        )
        if isinstance(entry, Along)
    ]
    at = next(i for i, axis in enumerate(axes) if axis.dim == place.block)
    channels, inner = axes[at], axes[at + 1 :]
    known = channels.part.count
    around = all(axis.part.complete for axis in axes[:at]) and len(inner) == 2
    lines = around and isinstance(known, int) and not place.inside and _line_by_line(place, inner)
    incomplete = any(not axis.part.complete for axis in (*axes[:at], *inner))
    if incomplete and not place.inside and not beside:
        _fill_around(k, op, place, inner, around)
    positions = _positions(k, inner)
    most = known if isinstance(known, int) else place.shape[place.block]
    pitch, blocks = ceil_to(positions.most, BLOCK), -(-most // BLOCK)
    base = emit.fresh(blocks * BLOCK * pitch, place.dtype, "ub", "channels")
    with emit.condition("slt", 0, inner[0].part.count) if beside else nullcontext():
        written = lines or _written(inner, positions, lanes_of(place.dtype), k.target.dma.unaligned)
        if not written:
            fill(k, base, 0, blocks * BLOCK * pitch, place.dtype)
        elif isinstance(known, int) and known % BLOCK:
            fill(k, base, known * pitch, (blocks * BLOCK - known) * pitch, place.dtype)
        _read(k, op, tensor, channels, inner, positions, base, rows.offset, pitch)
        if written and not isinstance(known, int):
            # behind the DMA, which then waits for nothing that the Vector does before
            fill_rows(k, base, known, blocks * BLOCK, pitch, place.dtype)
    return _Staged(place, inner, positions, base, pitch, blocks, lines and not beside)


def _fill_around(k: LoweringContext, op: tile.LoadOp, place: Place, inner: list[Axis], around: bool) -> None:
    """The load's fill value in a tile, `around` the rows and columns that there are or everywhere."""
    value = 0.0 if op.fill is None else op.fill.value.data
    if around:
        fill_lines(k, place, inner[0], place.shape[inner[1].dim], value)
        fill_columns(k, place, inner[0], inner[1], value)
        return
    (elements,) = memref_type(place.own.buffer.result).get_shape()
    fill(k, place.base, 0, elements, place.dtype, value)


def _copy_positions(k: LoweringContext, staged: _Staged) -> None:
    """All positions end to end, and each line of them to its place."""
    place, pitch = staged.place, staged.pitch
    strides = [0] * len(place.shape)
    shape, sizes = [1] * len(place.shape), list[Idx](place.sizes)
    shape[place.block] = place.shape[place.block]
    strides[place.block] = pitch * BLOCK
    for axis, step in zip(staged.inner, staged.positions.steps, strict=True):
        strides[axis.dim], shape[axis.dim], sizes[axis.dim] = step * BLOCK, axis.most, axis.part.count
    base = k.emit.fresh(staged.blocks * pitch * BLOCK, place.dtype, "ub", "positions")
    source = replace(
        place, base=base, shape=tuple(shape), sizes=tuple(sizes), strides=tuple(strides), offset=0
    )
    transpose_channels(k, staged.channels(k), source)
    emit_vector(k.emit, "vcopy", [source], replace(place, shape=tuple(shape), sizes=tuple(sizes)))


def line_by_line(line: int, held: int) -> bool:
    """Whether lines of `line` positions go to their place in lines of `held` positions each by itself: transposes write
    whole groups of 16."""
    return line % BLOCK == 0 and line < held


def _line_by_line(place: Place, inner: list[Axis]) -> bool:
    rows, line = inner
    count = line.part.count
    whole = isinstance(count, int) and count == line.extent and isinstance(line.part.before, int)
    dense = place.strides[rows.dim] == place.shape[line.dim] * BLOCK
    return whole and dense and line_by_line(line.extent, place.shape[line.dim])


Inside = tuple[tuple[int, int] | None, ...]


def unpadded(
    k: LoweringContext, op: tile.LoadOp, kind: TileType, parts: Sequence[Part], turned: bool = True
) -> tuple[TileType, Inside]:
    """What a tile of an image holds where its padding is not needed, and the padding that is left out: beside its
    lines, which are whole, and above and below where every tile has the same. Where transposes write the tile
    (`turned`) nothing is left out of lines of whole blocks."""
    extents = tensor_type(op.tensor).get_shape()
    followed = [
        (e.dim, part, n) for e, part, n in zip(op.maps, parts, extents, strict=True) if isinstance(e, Along)
    ]
    at = next(i for i, (d, _, _) in enumerate(followed) if d == blocked_dim(kind))
    inner, shape = followed[at + 1 :], list(kind.get_shape())
    if len(inner) != 2 or any(not part.complete for _, part, _ in followed[: at + 1]):
        return kind, ()
    (h, rows, _), (w, line, width) = inner
    if (
        inside_of(line) is None
        or line.count != width
        or rows.count == 0
        or (turned and line_by_line(width, shape[w]))
        or not needs_no_padding(op)
    ):
        return kind, ()
    inside: list[tuple[int, int] | None] = [None] * len(shape)
    inside[w], shape[w] = inside_of(line), width
    if k.source.rows is None and (kept := inside_of(rows)) is not None:
        inside[h], shape[h] = kept, kept[1]
    elif turned and not rows.complete:
        shape[h] += spilled_rows(width)
    return TileType.get(shape, kind.element_type, "ub", kind.get_order(), blocked_dim(kind)), tuple(inside)


def spilled_rows(width: int) -> int:
    """Rows that a tile has more where transposes, which write 16 positions, may go past its last one."""
    return -(-(BLOCK - 1) // width)


def _turn_lines(
    k: LoweringContext,
    staged: Generation,
    pitch: int,
    step: int,
    place: Place,
    inner: list[Axis],
    groups: int,
) -> None:
    """Every line of [c][line][position], lines `step` apart, to its place."""
    emit, width, (rows, line) = k.emit, lanes_of(place.dtype), inner
    plane, apart = place.strides[place.block], place.strides[rows.dim]
    pieces = ceil_to(line.most, BLOCK) // width

    def turn(repeats: Idx, read_step: int, write_step: int, read_at: Idx, write_at: Idx) -> None:
        read = emit.view(staged, [repeats, BLOCK, width], [read_step, pitch, 1], read_at)
        write = emit.view(place.base, [repeats, width, BLOCK], [write_step, BLOCK, 1], write_at)
        emit.insert(ascend.TransposeOp(read, write))

    with emit.loop(0, groups) as group:
        source, to = emit.mul(group, BLOCK * pitch), emit.add(place.offset, emit.mul(group, plane))
        if pieces < rows.most:  # a line is a repeat
            for i in range(pieces):
                turn(
                    rows.part.count, step, apart, emit.add(source, i * width), emit.add(to, i * width * BLOCK)
                )
            return
        with emit.loop(0, rows.part.count) as row:
            turn(
                pieces,
                width,
                width * BLOCK,
                emit.add(source, emit.mul(row, step)),
                emit.add(to, emit.mul(row, apart)),
            )


def _written(inner: list[Axis], positions: Positions, lanes: int, exact: bool) -> bool:
    """Whether DMA, which writes whole blocks of `lanes` elements or `exact` bytes, writes all positions that the
    transposes read."""
    if positions.contiguous:
        return not exact or (isinstance(positions.count, int) and positions.count % lanes == 0)
    if exact:
        return False
    last = inner[-1]
    whole = isinstance(last.part.count, int) and ceil_to(last.part.count, lanes) == ceil_to(last.most, BLOCK)
    return whole and all(a.part.count == a.most for a in inner[:-1])


def _fits(place: Place, inner: list[Axis], positions: Positions) -> bool:
    """Whether positions end to end are where the tile has them, whose blocks are whole groups of 16 positions."""
    return all(
        axis.part.complete and place.strides[axis.dim] == step * BLOCK
        for axis, step in zip(inner, positions.steps, strict=True)
    )


def _read(
    k: LoweringContext,
    op: tile.LoadOp,
    tensor: SSAValue,
    channels: Axis,
    inner: list[Axis],
    positions: Positions,
    staged: Generation,
    offset: Idx,
    pitch: int,
) -> None:
    """DMA of the rows of all channels; a channel that serves several results is read for each of them."""
    emit = k.emit
    runs = [
        Run(a.part.count, a.stride, step, a.most)
        for a, step in zip(inner[:-1], positions.steps, strict=False)
    ]
    length = inner[-1].part.count if inner else 1
    entry = next(e for e in op.maps if isinstance(e, Along) and e.dim == channels.dim)
    if entry.repeat == 1:
        fetch(
            k,
            GmRegion(tensor, offset, [Run(channels.part.count, channels.stride, pitch), *runs], length),
            staged,
        )
        return
    with emit.loop(0, channels.part.count) as i:
        channel = emit.div(emit.add(channels.part.first, i), entry.repeat)
        at = emit.add(offset, emit.mul(channel, channels.stride))
        fetch(k, GmRegion(tensor, at, runs, length), staged, emit.mul(i, pitch))


def transpose_channels(k: LoweringContext, rows: StagedChannels, place: Place, lanes: int = BLOCK) -> None:
    """[c][position] to [c1][position][lanes], 16 channels at a time."""
    emit, width, pitch, repeats = k.emit, lanes_of(place.dtype), rows.pitch, rows.repeats
    plane = place.strides[place.block]
    sizes, strides = [repeats, width, BLOCK], [width * BLOCK, BLOCK, 1]
    if lanes != BLOCK:
        sizes, strides = [repeats, BLOCK // lanes, width, lanes], [width * lanes, plane, lanes, 1]
    with emit.loop(0, rows.groups) as group:
        at = emit.mul(group, BLOCK * pitch)
        read = emit.view(rows.base, [repeats, BLOCK, width], [width, pitch, 1], at)
        target = emit.add(place.offset, emit.mul(group, plane * BLOCK // lanes))
        write = emit.view(place.base, sizes, strides, target)
        emit.insert(ascend.TransposeOp(read, write))


def load_blocks(k: LoweringContext, op: tile.LoadOp, kind: TileType) -> Place:
    """Packed weights [c1, .., 16] from the first block of the region on, which lie in GM as in the tile."""
    emit, tensor = k.emit, k.tensors[op.tensor]
    entry = op.maps[0]
    assert isinstance(entry, Along)
    place = k.new_place(kind, kind.get_shape(), "operand")
    plane = place.strides[place.block]
    first = emit.div(k.idx(op.offsets[entry.dim]), BLOCK)
    count = -(-kind.get_shape()[place.block] // BLOCK) * plane
    move(emit, GmRegion(tensor, emit.mul(first, plane), [], count), place.base)
    return place
