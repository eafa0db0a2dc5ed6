"""`tile.store`: a tile in UB to its tensor in GM, in bursts of whole 32 B blocks that never leave the tile's rows.

Blocked tiles are first put back into the tensor's order: by strided copies where the columns are contiguous in GM, by
transposes where the rows of the matrix are (NCHW). Rows that are no multiple of 32 B are packed into one run where they
lie end to end in GM and are short; longer ones are written as two bursts that overlap, the second one ending where the
row ends.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import prod
from typing import TYPE_CHECKING

from ....dialects import tile
from ....dialects.ascend.memory import memref_type
from ....dialects.element_types import bytes_of, lanes_of
from ....dialects.tile import BLOCK, layout_of
from ...selection.row_pitch import row_pitch
from ...support.indices import Idx
from ..base.dma import gm_offset, is_part, row_major
from ..base.place import Place, ceil_to
from ..vector.vector import emit_vector
from .columns_of_one import without_lanes, without_ones
from .narrow_types import store_grain
from .rows import GmRows, Rows
from .spans import store_in_span
from .store_channels import store_channels
from .store_circular import store_circular
from .store_partial_rows import store_blocks
from .store_rows import Owned, behind_tile, owned_part, packed_rows, store_rows

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def lower_store(k: LoweringContext, op: tile.StoreOp) -> None:
    """Emit the store of one tile."""
    if layout_of(op.tensor.type) is not None:
        from .blocked import store_blocked

        store_blocked(k, op)
        return
    if k.source.rows is not None:
        store_circular(k, op)
        return
    if k.row_lanes:
        from .row_lanes import store_row_lanes

        store_row_lanes(k, op)
        return
    place, tensor = k.places[op.tile], k.tensors[op.tensor]
    owned = _owned(k, op, place)
    if op.lead is not None:
        offsets = [k.idx(o) for o in op.offsets]
        store_blocks(k, place, tensor, offsets, (owned[0].low, owned[0].count))
        return
    starts = [k.emit.add(k.idx(o), w.low) for o, w in zip(op.offsets, owned, strict=True)]
    first = sum(at * step for at, step in zip(op.first, row_major(tensor), strict=True))
    offset = k.emit.add(gm_offset(k.emit, tensor, starts), first)
    last = len(owned) - 1
    # not a product's, whose blocks hold columns that nobody stores
    nd = place.order == tuple(range(last + 1))
    rows = without_ones(memref_type(tensor).get_shape())
    if nd and place.block == last and rows is not None and prod(place.shape[rows:]) == 1:
        place = without_lanes(k, place, rows)
        last = rows - 1
        del owned[rows:]
    if place.block == last:
        _store_lanes(k, op, place, offset, owned)
    else:
        store_channels(k, place, tensor, offset, owned)


def _owned(k: LoweringContext, op: tile.StoreOp, place: Place) -> list[Owned]:
    """What this grid point writes of the tile, dimension by dimension. Rows leave in blocks of 32 B; from blocks of 16
    channels positions come 16 at a time."""
    dtype = memref_type(k.tensors[op.tensor]).element_type
    grain = lanes_of(dtype) if place.block == len(op.offsets) - 1 else store_grain(dtype)
    return [
        Owned(0, k.idx(size), 1)
        if is_part(at)
        else owned_part(k, d, k.idx(at), k.idx(size), place.shape[d], grain)
        for d, (at, size) in enumerate(zip(op.offsets, op.sizes, strict=True))
    ]


def _store_lanes(k: LoweringContext, op: tile.StoreOp, place: Place, offset: Idx, owned: list[Owned]) -> None:
    """Write a tile whose lanes are the last dimension of the tensor, from `offset` of it on."""
    tensor, last = k.tensors[op.tensor], len(owned) - 1
    strides = row_major(tensor)[:last]
    if place.order != tuple(range(last + 1)) and place.shape[last] > BLOCK:
        place = _to_rows(k, place)
    rows = Rows(
        place.own,
        place.dtype,
        place.offset,
        place.shape[:last],
        tuple(w.low for w in owned[:last]),
        tuple(w.count for w in owned[:last]),
        place.strides[:last],
        owned[last].count,
        place.shape[last],
    )
    store = partial(store_rows, k, multiple=owned[last].multiple, offsets=op.offsets)
    if k.span is None:
        store(GmRows(tensor, offset, strides, rows))
        return
    if isinstance(rows.columns, int):  # a chunk of columns goes past the row's end
        rows = replace(rows, most=rows.columns)
    several = any(n > 1 for n in rows.shape)
    packed = packed_rows(k, rows, strides) if several else None
    if packed is not None:
        rows, strides = packed, ()
    offsets = [k.idx(o) for o in op.offsets]
    store_in_span(k, GmRows(tensor, offset, strides, rows), store, behind_tile(k, offsets))


def _to_rows(k: LoweringContext, place: Place) -> Place:
    """The same tile row-major, rows padded to whole blocks."""
    rank = len(place.shape)
    several = prod(place.shape[:-1]) > 1
    strides = [0] * rank
    strides[-1] = BLOCK
    columns = place.shape[-1]
    step = row_pitch(k.target, columns, bytes_of(place.dtype)) if several else ceil_to(columns, BLOCK)
    for d in reversed(range(rank - 1)):
        strides[d] = step
        step *= place.shape[d]
    base = k.emit.fresh(step, place.dtype, "ub", "rows")
    flat = replace(place, base=base, strides=tuple(strides), order=tuple(range(rank)), offset=0)
    emit_vector(k.emit, "vcopy", [replace(place, order=flat.order)], flat)
    return flat
