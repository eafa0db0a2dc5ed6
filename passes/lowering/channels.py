"""Channels of an image in GM, [.., c, h, w], to tiles in UB blocked at c: [c1][h][w][16].

DMA of channel rows, then a transpose for each block of channels. Where the tile has more than what is in the tensor, or
lines that lie apart, the transposes write the positions end to end and copies put them in their place; around them the
tile holds the load's fill value. Weights that were packed are read as they lie.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ...dialects import ascend, tile
from ...dialects.ascend.memory import lanes_of, memref_type
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


@dataclass(frozen=True)
class Positions:
    """How the positions of one channel lie where DMA puts them: steps of each dimension, how many there are at most,
    how many there are, and whether they lie as in GM."""

    steps: tuple[int, ...]
    most: int
    count: Idx
    contiguous: bool


def _positions(k: KernelLowering, inner: list[_Axis]) -> Positions:
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


def blocks_from_channels(
    k: KernelLowering, op: tile.LoadOp, place: Place, parts: list[Part], offset: Idx
) -> None:
    """Fill `place`, whose offset is where the first element inside the tensor belongs, from `offset` in GM on."""
    emit, tensor = k.emit, k.tensors[op.tensor]
    axes = [
        _Axis(part, stride, extent, entry.dim, _most(place.shape[entry.dim], extent))
        for entry, part, stride, extent in zip(
            op.maps, parts, row_major(tensor), memref_type(tensor).get_shape(), strict=True
        )
        if isinstance(entry, Along)
    ]
    at = next(i for i, axis in enumerate(axes) if axis.dim == place.block)
    channels, inner = axes[at], axes[at + 1 :]
    if any(not axis.part.complete for axis in (*axes[:at], *inner)):
        (elements,) = memref_type(place.own.buffer.result).get_shape()
        fill(k, place.base, 0, elements, place.dtype, 0.0 if op.fill is None else op.fill.value.data)
    positions = _positions(k, inner)
    known = channels.part.count
    most = known if isinstance(known, int) else place.shape[place.block]
    pitch, blocks = ceil_to(positions.most, BLOCK), -(-most // BLOCK)
    staged = emit.fresh(blocks * BLOCK * pitch, place.dtype, "ub", "channels")
    if not isinstance(known, int) or not _written(
        inner, positions, lanes_of(place.dtype), k.target.dma.unaligned
    ):
        fill(k, staged, 0, blocks * BLOCK * pitch, place.dtype)
    elif known % BLOCK:
        fill(k, staged, known * pitch, (blocks * BLOCK - known) * pitch, place.dtype)
    _read(k, op, tensor, channels, inner, positions, staged, offset, pitch)
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
        fetch(k, tensor, offset, [Run(channels.part.count, channels.stride, pitch), *runs], length, staged)
        return
    with emit.loop(0, channels.part.count) as i:
        channel = emit.div(emit.add(channels.part.first, i), entry.repeat)
        at = emit.add(offset, emit.mul(channel, channels.stride))
        fetch(k, tensor, at, runs, length, staged, emit.mul(i, pitch))


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
