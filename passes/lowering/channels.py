"""Channels of an image in GM, [.., c, h, w], to tiles in UB blocked at c: [c1][h][w][16].

DMA of channel rows, then a transpose for each block of channels. Where the tile has more than what is in the tensor,
the transposes write each line to its place (`line_by_line`), or the positions end to end, and copies put them in their
place; around them the tile holds the load's fill value. Weights that were packed are read as they lie.

    a line in UB    x0 .. x13 ? ?                    DMA reads whole blocks: 16 positions
    of the tile     0 x0 .. x13 0 | 0 x0 ..          16 positions from the first one inside; then the zeros are set
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ...dialects import ascend, tile
from ...dialects.ascend.memory import lanes_of, memref_type
from ...dialects.target import Target
from ...dialects.tile import BLOCK, TileType
from ...dialects.tiling import Along
from .emitter import Generation, Idx
from .moves import Part, Run, fill, move, row_major
from .narrow import fetch
from .place import Place, ceil_to
from .vector import emit_vector

if TYPE_CHECKING:
    from .kernel import KernelLowering


@dataclass(frozen=True)
class _Axis:
    """A dimension of the tensor: what is read of it, its pitch and extent in GM, the tile's dimension, the most that is
    stored."""

    part: Part
    stride: int
    extent: int
    dim: int
    most: int
    before: int
    """The most positions before the tensor that a tile has."""
    after: int
    """The most behind it."""


@dataclass(frozen=True)
class Positions:
    """How the positions of one channel lie where DMA puts them: steps of each dimension, how many there are at most,
    how many there are, and whether they lie as in GM."""

    steps: tuple[int, ...]
    most: int
    count: Idx
    contiguous: bool


def _positions(k: KernelLowering, inner: list[_Axis], lines: bool) -> Positions:
    """`lines`: whether each line is to begin on a block."""
    whole = not lines and all(isinstance(a.part.count, int) and a.part.count == a.extent for a in inner[1:])
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


def blocks_from_channels(
    k: KernelLowering, op: tile.LoadOp, place: Place, parts: list[Part], offset: Idx
) -> None:
    """Fill `place`, whose offset is where the first element inside the tensor belongs, from `offset` in GM on."""
    emit, tensor = k.emit, k.tensors[op.tensor]
    axes = [
        _Axis(
            part,
            stride,
            extent,
            entry.dim,
            _most(place.shape[entry.dim], extent),
            *_outside(k, entry, part, extent),
        )
        for entry, part, stride, extent in zip(
            op.maps, parts, row_major(tensor), memref_type(tensor).get_shape(), strict=True
        )
        if isinstance(entry, Along)
    ]
    at = next(i for i, axis in enumerate(axes) if axis.dim == place.block)
    channels, inner = axes[at], axes[at + 1 :]
    value = 0.0 if op.fill is None else op.fill.value.data
    known = channels.part.count
    around = all(axis.part.complete for axis in axes[:at]) and len(inner) == 2
    plain = memref_type(tensor).element_type == place.dtype
    lines = around and isinstance(known, int) and _line_by_line(k, place, inner, plain)
    spills = lines and inner[-1].extent % BLOCK != 0
    if any(not axis.part.complete for axis in (*axes[:at], *inner)) and not spills:
        if around:
            _fill_around(k, place, inner, value)
        else:
            (elements,) = memref_type(place.own.buffer.result).get_shape()
            fill(k, place.base, 0, elements, place.dtype, value)
    positions = _positions(k, inner, lines)
    most = known if isinstance(known, int) else place.shape[place.block]
    pitch, blocks = ceil_to(positions.most, BLOCK), -(-most // BLOCK)
    staged = emit.fresh(blocks * BLOCK * pitch, place.dtype, "ub", "channels")
    if not isinstance(known, int) or not (
        lines or _written(inner, positions, lanes_of(place.dtype), k.target.dma.unaligned)
    ):
        fill(k, staged, 0, blocks * BLOCK * pitch, place.dtype)
    elif known % BLOCK:
        fill(k, staged, known * pitch, (blocks * BLOCK - known) * pitch, place.dtype)
    _read(k, op, tensor, channels, inner, positions, staged, offset, pitch)
    if lines:
        _turn_lines(k, staged, pitch, positions.steps[0], place, inner, blocks)
        if spills:
            _fill_around(k, place, inner, value)
        return
    repeats = emit.div(emit.add(positions.count, lanes_of(place.dtype) - 1), lanes_of(place.dtype))
    if _fits(place, inner, positions, pitch):
        transpose_channels(k, staged, pitch, place, blocks, repeats)
        return
    strides = [0] * len(place.shape)
    shape, sizes = [1] * len(place.shape), list[Idx](place.sizes)
    shape[place.block] = place.shape[place.block]
    strides[place.block] = pitch * BLOCK
    for axis, step in zip(inner, positions.steps, strict=True):
        strides[axis.dim], shape[axis.dim], sizes[axis.dim] = step * BLOCK, axis.most, axis.part.count
    base = emit.fresh(blocks * pitch * BLOCK, place.dtype, "ub", "positions")
    source = replace(
        place, base=base, shape=tuple(shape), sizes=tuple(sizes), strides=tuple(strides), offset=0
    )
    transpose_channels(k, staged, pitch, source, blocks, repeats)
    emit_vector(emit, "vcopy", [source], replace(place, shape=tuple(shape), sizes=tuple(sizes)))


def _outside(k: KernelLowering, entry: Along, part: Part, extent: int) -> tuple[int, int]:
    """The most elements of a tile before the tensor's dimension, and behind it."""
    size = part.size if isinstance(part.size, int) else -1
    if part.complete:
        return 0, 0
    before = part.before if isinstance(part.before, int) else min(entry.pad, size) if size >= 0 else entry.pad
    if isinstance(part.before, int) and isinstance(part.count, int) and size >= 0:
        return before, size - before - part.count
    results = k.extents[entry.dim] if entry.dim < len(k.extents) else -1
    if entry.dim in k.covered or not isinstance(results, int) or extent < 0 or size < 0:
        return before, max(size, 0) or extent
    return before, max(0, min(size, (results - 1) * entry.stride + entry.span(1) - entry.pad - extent))


def line_by_line(line: int, held: int, whole: bool, target: Target) -> bool:
    """Whether lines of `line` positions go to their place in lines of `held` positions each by itself: transposes write
    whole groups of 16, and what they write too much must be padding. Lines that are no whole blocks are read one by one,
    which pays where these are whole planes (`whole`), whose lines are all one distance apart."""
    blocks = line % BLOCK == 0 or (whole and not target.dma.unaligned)
    return blocks and line < held and ceil_to(line, BLOCK) <= held


def _line_by_line(k: KernelLowering, place: Place, inner: list[_Axis], plain: bool) -> bool:
    """`plain`: whether DMA brings the lines as they are in UB, so that it writes all that a transpose reads."""
    rows, line = inner
    count, whole = line.part.count, isinstance(rows.part.count, int) and rows.part.count == rows.extent
    return (
        isinstance(count, int)
        and count == line.extent
        and (count if not plain else ceil_to(count, lanes_of(place.dtype))) % BLOCK == 0
        and isinstance(line.part.before, int)
        and place.strides[line.dim] == BLOCK
        and line_by_line(count, place.strides[rows.dim] // BLOCK, whole, k.target)
    )


def _turn_lines(
    k: KernelLowering,
    staged: Generation,
    pitch: int,
    step: int,
    place: Place,
    inner: list[_Axis],
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


def _fill_around(k: KernelLowering, place: Place, inner: list[_Axis], value: float) -> None:
    """The rows above and below what is in the tensor, and the columns beside it, of every block of channels."""
    emit, (rows, line) = k.emit, inner
    (h, w), blocks = (rows.dim, line.dim), -(-place.shape[place.block] // BLOCK)
    height, width = place.shape[h], place.shape[w]
    apart, plane = place.strides[h], place.strides[place.block]

    def dup(sizes: tuple[Idx, ...], most: tuple[int, ...], strides: tuple[int, ...], at: Idx) -> None:
        """Blocks of 16 along each of the dimensions."""
        if all(n != 0 for n in sizes):
            order = tuple(range(len(most) + 1))
            shape, steps = (*most, BLOCK), (*strides, BLOCK)
            part = Place(place.base, place.dtype, shape, (*sizes, BLOCK), steps, order, len(most), at)
            emit_vector(emit, "vdup", [], part, value)

    def lines(first: Idx, count: Idx, most: int) -> None:
        if most:
            with emit.loop(0, count) as i:
                dup((blocks, width), (blocks, width), (plane, BLOCK), emit.mul(emit.add(first, i), apart))

    above, beside = rows.part.before, line.part.before
    below = emit.sub(rows.part.size, emit.add(above, rows.part.count))
    lines(0, above, rows.before)
    lines(emit.add(above, rows.part.count), below, rows.after)
    right = emit.sub(line.part.size, emit.add(beside, line.part.count))
    last = emit.mul(emit.add(beside, line.part.count), BLOCK)
    if isinstance(beside, int) and isinstance(right, int) and beside and right:
        # what is right of a line is followed by what is left of the next one
        planes, count = (1, blocks * height) if plane == height * apart else (blocks, height)
        both = beside + right
        dup((planes, count - 1, both), (planes, count - 1, both), (plane, apart, BLOCK), last)
        dup((planes, beside), (planes, beside), (plane, BLOCK), 0)
        end = emit.add(last, (count - 1) * apart)
        dup((planes, right), (planes, right), (plane, BLOCK), end)
        return
    for at, count, most in ((0, beside, line.before), (last, right, line.after)):
        if most:
            dup((blocks, height, count), (blocks, height, most), (plane, apart, BLOCK), at)


def _written(inner: list[_Axis], positions: Positions, lanes: int, exact: bool) -> bool:
    """Whether DMA, which writes whole blocks of `lanes` elements or `exact` bytes, writes all positions that the
    transposes read."""
    if positions.contiguous:
        return not exact or (isinstance(positions.count, int) and positions.count % lanes == 0)
    if exact:
        return False
    last = inner[-1]
    whole = isinstance(last.part.count, int) and ceil_to(last.part.count, lanes) == ceil_to(last.most, BLOCK)
    return whole and all(a.part.count == a.most for a in inner[:-1])


def _fits(place: Place, inner: list[_Axis], positions: Positions, pitch: int) -> bool:
    """Whether positions end to end are where the tile has them."""
    if any(not axis.part.complete for axis in inner):
        return False
    same = all(place.strides[a.dim] == s * BLOCK for a, s in zip(inner, positions.steps, strict=True))
    return same and place.strides[place.block] == pitch * BLOCK


def _read(
    k: KernelLowering,
    op: tile.LoadOp,
    tensor: SSAValue,
    channels: _Axis,
    inner: list[_Axis],
    positions: Positions,
    staged: Generation,
    offset: Idx,
    pitch: int,
) -> None:
    """DMA of the rows of all channels; a channel that serves several results is read for each of them."""
    emit = k.emit
    runs = [Run(a.part.count, a.stride, step) for a, step in zip(inner[:-1], positions.steps, strict=False)]
    length = inner[-1].part.count if inner else 1
    entry = next(e for e in op.maps if isinstance(e, Along) and e.dim == channels.dim)
    if entry.repeat == 1:
        fetch(
            k, tensor, offset, _few(k, Run(channels.part.count, channels.stride, pitch), runs), length, staged
        )
        return
    with emit.loop(0, channels.part.count) as i:
        channel = emit.div(emit.add(channels.part.first, i), entry.repeat)
        at = emit.add(offset, emit.mul(channel, channels.stride))
        fetch(k, tensor, at, runs, length, staged, emit.mul(i, pitch))


def _few(k: KernelLowering, channels: Run, lines: list[Run]) -> list[Run]:
    """Channels and the lines of each, as one dimension where lines of a channel follow those of the one before."""
    if len(lines) != 1:
        return [channels, *lines]
    (line,) = lines
    if isinstance(line.count, int) and (line.count * line.gm, line.count * line.ub) == (
        channels.gm,
        channels.ub,
    ):
        return [replace(line, count=k.emit.mul(channels.count, line.count))]
    return [channels, line]


def transpose_channels(
    k: KernelLowering,
    staged: Generation,
    pitch: int,
    place: Place,
    groups: int,
    repeats: Idx,
    lanes: int = BLOCK,
) -> None:
    """[c][position] with `pitch` elements a channel to [c1][position][lanes], 16 channels at a time."""
    emit = k.emit
    width = lanes_of(place.dtype)
    plane = place.strides[place.block]
    sizes, strides = [repeats, width, BLOCK], [width * BLOCK, BLOCK, 1]
    if lanes != BLOCK:
        sizes, strides = [repeats, BLOCK // lanes, width, lanes], [width * lanes, plane, lanes, 1]
    with emit.loop(0, groups) as group:
        read = emit.view(staged, [repeats, BLOCK, width], [width, pitch, 1], emit.mul(group, BLOCK * pitch))
        target = emit.add(place.offset, emit.mul(group, plane * BLOCK // lanes))
        write = emit.view(place.base, sizes, strides, target)
        emit.insert(ascend.TransposeOp(read, write))


def load_blocks(k: KernelLowering, op: tile.LoadOp, kind: TileType) -> Place:
    """Packed weights [c1, .., 16] from the first block of the region on, which lie in GM as in the tile."""
    emit, tensor = k.emit, k.tensors[op.tensor]
    entry = op.maps[0]
    assert isinstance(entry, Along)
    place = k.new_place(kind, kind.get_shape(), "operand")
    plane = place.strides[place.block]
    first = emit.div(k.idx(op.offsets[entry.dim]), BLOCK)
    count = -(-kind.get_shape()[place.block] // BLOCK) * plane
    move(emit, tensor, emit.mul(first, plane), [], count, place.base)
    return place
