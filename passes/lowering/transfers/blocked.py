"""Tensors in GM that lie in blocks of 16 elements, as tiles do on chip (`#tile.layout`): DMA alone moves them. Every
element of a dimension that is not in blocks is 32 B of its own, so regions begin and end where they like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ....dialects import tile
from ....dialects.attributes import tensor_type
from ....dialects.tile import BLOCK, TileType, layout_of, physical_strides
from ....dialects.tiling import Along
from ...selection.transfers import Run
from ..base.dma import GmRegion, fill, move, region
from ..base.place import Place, blocked_dim, physical
from .channel_blocks import unpadded
from .channel_borders import fill_around
from .drain import OwnedPart, drain, each_place
from .image_clip import clipped, clips, stored_type
from .store_rows import owned_part

if TYPE_CHECKING:
    from ...support.indices import Idx
    from ..base.context import LoweringContext
    from ..base.emitter import Generation


def _start(k: LoweringContext, tensor: SSAValue, starts: Sequence[Idx]) -> Idx:
    """Where in GM the element at `starts` of a blocked tensor is, the first one of its block."""
    emit, kind = k.emit, tensor_type(tensor)
    layout = layout_of(kind)
    assert layout is not None
    offset: Idx = 0
    for d, (start, stride) in enumerate(zip(starts, physical_strides(kind), strict=True)):
        index = emit.div(start, BLOCK) if d == layout.blocked else start
        offset = emit.add(offset, emit.mul(index, stride))
    return offset


def _runs(
    k: LoweringContext, tensor: SSAValue, counts: Sequence[Idx], dims: Sequence[int], place: Place
) -> list[Run]:
    """A run for each dimension of a tensor in the order in which it lies in GM: so many elements (blocks of the one in
    blocks), which are dimension `dims[d]` of the tile `place`."""
    kind = tensor_type(tensor)
    layout = layout_of(kind)
    assert layout is not None
    strides, runs = physical_strides(kind), list[Run]()
    for d in layout.dims:
        count = counts[d]
        if d == layout.blocked:
            count = k.emit.div(count, BLOCK)
        runs.append(Run(count, strides[d], place.strides[dims[d]]))
    return runs


def load_blocked(k: LoweringContext, op: tile.LoadOp, kind: TileType) -> Place:
    """A region of a blocked tensor to UB, in a tile that is blocked at the same dimension. Of an image that taps alone
    read, no padding is stored beside its lines (`clipping`)."""
    emit, parts = k.emit, region(k, op)
    dims = [entry.dim for entry in op.maps if isinstance(entry, Along)]
    assert len(dims) == len(op.maps), "a kernel follows every dimension of a blocked tensor"
    sizes: list[Idx] = [1] * len(kind.get_shape())
    for d, part in zip(dims, parts, strict=True):
        sizes[d] = part.size
    incomplete = any(not part.complete for part in parts)
    held, inside = unpadded(k, op, kind, parts, turned=False) if incomplete else (kind, ())
    place = replace(k.new_place(held, sizes, "operand"), shape=kind.get_shape(), inside=inside)
    value = 0.0 if op.fill is None else op.fill.value.data
    if incomplete and not fill_around(k, op, place, parts, value):
        (elements,) = place.own.buffer.result.type.get_shape()
        fill(k, place.base, 0, elements, place.dtype, value)
    at: Idx = 0
    for d, part in zip(dims, parts, strict=True):
        if d != place.block and not (inside and inside[d]):
            at = emit.add(at, emit.mul(part.before, place.strides[d]))
    runs = _runs(k, op.tensor, [part.count for part in parts], dims, place)
    offset = _start(k, op.tensor, [part.start for part in parts])
    move(emit, GmRegion(k.tensors[op.tensor], offset, runs, BLOCK), place.base, at)
    return place


def load_blocked_map(k: LoweringContext, op: tile.LoadOp, kind: TileType) -> Place:
    """A convolution's input that is NC1HWC0 in GM to L1, rows clipped at the image's border."""
    emit = k.emit
    offsets, sizes = [k.idx(o) for o in op.offsets], [k.idx(s) for s in op.sizes]
    image, channel, *_ = op.maps
    assert isinstance(channel, Along)
    rows, columns = clips(k, op)
    at: Idx = offsets[image.dim] if isinstance(image, Along) else 0
    stored = stored_type(op, kind)
    elements, strides = physical(stored)
    base = emit.fresh(elements, kind.element_type, "l1", "feature_map")
    count = sizes[channel.dim]
    place = Place(base, kind.element_type, stored.get_shape(), (1, count, 1, 1), strides, kind.get_order(), 1)
    offset = _start(k, op.tensor, [at, offsets[channel.dim], rows.start, columns.start])
    counts = (1, count, rows.count, columns.count)
    _, *runs = _runs(k, op.tensor, counts, range(4), place)  # of one image
    move(emit, GmRegion(k.tensors[op.tensor], offset, runs, BLOCK), base)
    return clipped(place, rows, columns)


def load_blocked_matrix(k: LoweringContext, op: tile.LoadOp, kind: TileType) -> Place:
    """Rows and columns of a matrix that is NZ in GM to L1."""
    emit, parts = k.emit, region(k, op)
    assert all(part.complete or part.before == 0 for part in parts), (
        "rows of a product are not padded in front"
    )
    elements, strides = physical(kind, BLOCK)
    base: Generation = emit.fresh(elements, kind.element_type, "l1", "operand")
    sizes = tuple(part.size for part in parts)
    place = Place(
        base, kind.element_type, kind.get_shape(), sizes, strides, kind.get_order(), blocked_dim(kind)
    )
    counts: list[Idx] = [part.count for part in parts]
    depth = counts[-1]
    assert isinstance(depth, int) and depth % BLOCK == 0, "K is in blocks, and so is that of a step"
    runs = _runs(k, op.tensor, counts, range(len(parts)), place)
    offset = _start(k, op.tensor, [part.start for part in parts])
    move(emit, GmRegion(k.tensors[op.tensor], offset, runs, BLOCK), base)
    return place


def store_blocked(k: LoweringContext, op: tile.StoreOp) -> None:
    """A tile in UB to a tensor that is blocked at the same dimension."""
    emit, place = k.emit, k.places[op.tile]
    offsets, sizes = [k.idx(o) for o in op.offsets], [k.idx(s) for s in op.sizes]
    rank = range(len(offsets))
    owned = [owned_part(k, d, offsets[d], sizes[d], place.shape[d]) for d in rank]
    at = place.offset
    for d in rank:
        low = emit.div(owned[d].low, BLOCK) if d == place.block else owned[d].low
        at = emit.add(at, emit.mul(low, place.strides[d]))
    runs = _runs(k, op.tensor, [part.count for part in owned], rank, place)
    starts = [emit.add(o, part.low) for o, part in zip(offsets, owned, strict=True)]
    move(
        emit,
        GmRegion(k.tensors[op.tensor], _start(k, op.tensor, starts), runs, BLOCK),
        place.base,
        at,
        to_gm=True,
    )


def store_blocked_accumulator(k: LoweringContext, op: tile.ChunksOp, store: tile.StoreOp, acc: Place) -> None:
    """What this grid point owns of the accumulator of the product whose chunks `op` walks to a blocked tensor."""
    emit, kind = k.emit, tensor_type(store.tensor)
    rank = len(k.source.extent_list)
    grid = k.source.body.block.args[len(k.tensors) :]
    offsets, sizes = ([k.idx(v) for v in part] for part in (grid[:rank], grid[rank:]))
    owned = [owned_part(k, d, offsets[d], sizes[d], acc.shape[d]) for d in range(rank)]
    to = _start(k, store.tensor, [emit.add(o, w.low) for o, w in zip(offsets, owned, strict=True)])
    strides, block = physical_strides(kind), acc.block
    columns = owned[block].count
    assert owned[block].low == 0, "tiles of columns of a blocked tensor do not overlap"
    inner = [d for d in acc.order if d != block]
    start, step = acc.offset, BLOCK
    count: Idx = 1
    while inner and acc.strides[inner[-1]] == strides[inner[-1]] == step:  # one run on both sides
        d = inner.pop()
        start = emit.add(start, emit.mul(owned[d].low, step))
        count, step = emit.mul(count, owned[d].count), step * acc.shape[d]

    def write_blocks(at: Idx, end: Idx) -> None:
        shape = [emit.div(columns, BLOCK), count, BLOCK]
        read = emit.view(acc.base, shape, [acc.strides[block], BLOCK, 1], at)
        write = emit.view(k.tensors[store.tensor], shape, [strides[block], BLOCK, 1], end)
        drain(k, op, read, write)

    each_place(k, OwnedPart(owned, acc, strides), inner, start, to, write_blocks)
