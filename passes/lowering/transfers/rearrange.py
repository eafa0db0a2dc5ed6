"""Loads that move elements: slices with a step, padding, transposes, and the parts of a concatenation (`join`).

Rows come by DMA to the place where they belong, whatever order the tensor has them in. Where that is not enough,
because the last dimension of the tile is another one than the tensor's, or is read in steps, or begins between two
32 B blocks, they are staged in UB and go through block transposes:

    lanes turned:          [16 rows][columns] of the tensor  --transpose-->  [columns][16 lanes] of the tile
    lanes shifted, spread: [16 rows][columns]  --transpose-->  [columns][16 rows], where columns have an address each,
                           --transpose-->  [16 rows][columns of the tile]
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ....dialects import tile
from ....dialects.ascend.memory import memref_type
from ....dialects.tile import BLOCK, TileType
from ....dialects.tiling import Along
from ...selection.transfers import Run
from ...support.indices import Idx
from ..base.clip_region import ClippedDim, clipped_dims, if_any
from ..base.dma import GmRegion
from ..base.emitter import Generation
from ..base.place import Place, blocked_dim, ceil_to
from .narrow_types import fetch
from .shift_lanes import shifted_lanes
from .sources import Source, clip_offset, fill_sources
from .turn_lanes import turned_lanes

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def moves_elements(k: LoweringContext, op: tile.LoadOp, kind: TileType) -> bool:
    """Whether a load of a row-major tile does more than take a region as it lies in GM, or has rows that are padded."""
    entries = [e for e in op.maps if isinstance(e, Along)]
    last = len(kind.get_shape()) - 1
    dims = [e.dim for e in entries]
    if kind.blocked is not None or op.lead is not None or op.packed is not None or last not in dims:
        return False
    steps = any(e.thin for e in entries)
    rows = entries[dims.index(last)]
    if any(e.is_windowed for e in entries):
        return False
    sizes = memref_type(k.tensors[op.tensor]).get_shape()
    size = next(n for e, n in zip(op.maps, sizes, strict=True) if isinstance(e, Along) and e.dim == last)
    extent = k.extents[last]
    past = isinstance(extent, int) and (extent - 1) * rows.stride - rows.pad >= size
    return steps or dims != sorted(dims) or rows.pad > 0 or past


def load_moved(k: LoweringContext, op: tile.LoadOp, kind: TileType) -> Place:
    """A row-major tile of what a load takes; elsewhere it has the fill value."""
    clip, at = clipped_dims(k, op)
    return load_parts(k, [Source(op, clip, at, all(t.whole for t in clip))], kind)


def load_parts(k: LoweringContext, sources: Sequence[Source], kind: TileType) -> Place:
    """A row-major tile of what the sources give, each its part of it. What its tensor does not give of its part has the
    source's fill value."""
    emit, first = k.emit, sources[0].op
    shape, last = kind.get_shape(), blocked_dim(kind)
    complete = all(source.complete for source in sources)
    lanes = [next(t for t in source.clip if t.dim == last) for source in sources]
    follows = [source.clip[-1].dim == last for source in sources]
    end = _sizes(kind, k, first)[last]
    direct = [_direct(t, end, i == len(lanes) - 1) for i, t in enumerate(lanes)]
    shifted = all(follows) and not all(direct)
    rows = ceil_to(prod(shape[:-1]), BLOCK if shifted else 1)  # block transposes write 16 of them
    room = rows * ceil_to(shape[-1], BLOCK)
    place = tile_place(kind, emit.fresh(room, kind.element_type, "ub", "operand"), k, first)
    fill_sources(k, place, sources, room)
    if shifted:
        shifted_lanes(k, place, sources, complete)
        return place
    if complete and any(follows):
        from .narrow_types import clear_row_tails

        clear_row_tails(k, place)
    for source in sources:
        clip, tensor = source.clip, k.tensors[source.op.tensor]
        if any(t.count == 0 for t in clip):
            continue
        with if_any(emit, clip):
            if clip[-1].dim == last:
                _by_dma(k, place, tensor, clip, source.at)
            else:
                turned_lanes(k, place, tensor, source)
    return place


def tile_place(kind: TileType, base: Generation, k: LoweringContext, op: tile.LoadOp) -> Place:
    """Where a row-major tile is in `base`: rows of whole blocks, one after the other."""
    shape = kind.get_shape()
    pitch = ceil_to(shape[-1], BLOCK)
    strides = (*(prod(shape[d + 1 : -1]) * pitch for d in range(len(shape) - 1)), BLOCK)
    sizes, order = _sizes(kind, k, op), tuple(range(len(shape)))
    return Place(base, kind.element_type, shape, sizes, strides, order, len(shape) - 1)


def _sizes(kind: TileType, k: LoweringContext, op: tile.LoadOp) -> tuple[Idx, ...]:
    """How much of a tile there is, dimension by dimension."""
    followed = {entry.dim for entry in op.maps if isinstance(entry, Along)}
    return tuple(k.idx(op.sizes[d]) if d in followed else 1 for d in range(len(kind.get_shape())))


def _direct(lane: ClippedDim, end: Idx, final: bool) -> bool:
    """Whether DMA can put the lanes where they belong: on a block, and whole blocks of them, or all up to the `end`."""
    on_block = isinstance(lane.before, int) and lane.before % BLOCK == 0
    ends = lane.whole or (
        isinstance(lane.count, int) and (lane.count % BLOCK == 0 or _to_end(lane, end, final))
    )
    return lane.step == 1 and on_block and ends


def _to_end(lane: ClippedDim, end: Idx, final: bool) -> bool:
    reach = lane.before + lane.count if isinstance(lane.before, int) and isinstance(lane.count, int) else -1
    return final and reach == end


def _by_dma(k: LoweringContext, place: Place, tensor: SSAValue, clip: Sequence[ClippedDim], at: Idx) -> None:
    *outer, lane = clip
    runs = [Run(t.count, t.stride * t.step, place.strides[t.dim], place.shape[t.dim]) for t in outer]
    to = k.emit.add(clip_offset(k.emit, place, clip), lane.before)
    fetch(k, GmRegion(tensor, at, runs, lane.count), place.own, to)
