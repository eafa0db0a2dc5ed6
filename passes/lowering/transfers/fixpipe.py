"""From an accumulator in L0C straight to the result in GM, through FixPipe: rows of any pitch and length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....dialects import tile
from ....dialects.tile import BLOCK, LayoutAttr, layout_of, tile_type
from ...support.indices import Idx
from ..base.dma import gm_offset, row_major
from ..base.place import Place, blocked_dim
from .blocked import store_blocked_accumulator
from .drain import OwnedPart, drain, each_place
from .store_rows import owned_part

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def left_to_last(k: LoweringContext, product: tile.ContractOp) -> frozenset[int]:
    """Dimensions along which the tile before the last one leaves to it what both have: that is not computed twice where
    tiles leave L0C by the unit flag, because flags of what nobody stores would stay up."""
    if k.hand_over is not None or not k.by_units:
        return frozenset()
    columns = blocked_dim(tile_type(product.result))
    sizes = enumerate(zip(k.extents, k.source.tile_sizes, k.tails, strict=True))
    return frozenset(
        d
        for d, (extent, size, tail) in sizes
        if d != columns and tail == "shift" and isinstance(extent, int) and extent > size and extent % size
    )


def stores_at_once(kernel: tile.KernelOp, product: tile.ContractOp) -> bool:
    """Whether FixPipe stores a tile of a product of `kernel` in one instruction."""
    store = next(op for op in kernel.body.walk() if isinstance(op, tile.StoreOp))
    kind = tile_type(product.result)
    layout = layout_of(store.tensor.type)
    return stored_at_once(kind.get_shape(), kernel.extent_list, blocked_dim(kind), layout)


def stored_at_once(
    spans: Sequence[int], extents: Sequence[int], columns: int, layout: LayoutAttr | None
) -> bool:
    """Whether one instruction stores a tile of `spans` of a result of `extents`: its rows are of one pitch in GM, or
    in blocks end to end."""
    rows = [d for d, n in enumerate(spans) if d != columns and n > 1]
    if layout is None:
        return len(rows) <= 1
    if len(spans) != len(layout.dims):
        return False
    behind = layout.dims[layout.dims.index(layout.blocked) + 1 :]
    if any(d not in behind for d in rows):
        return False
    first = min((behind.index(d) for d in rows), default=0)
    return all(spans[d] == extents[d] for d in behind[first + 1 :])


def store_accumulator(k: LoweringContext, op: tile.ChunksOp, acc: Place) -> None:
    """Write what this grid point owns of the accumulator of the product whose chunks `op` walks."""
    emit = k.emit
    store = op.body.block.last_op
    assert isinstance(store, tile.StoreOp)
    if layout_of(store.tensor.type) is not None:
        store_blocked_accumulator(k, op, store, acc)
        return
    tensor = k.tensors[store.tensor]
    grid = k.source.body.block.args[len(k.tensors) :]
    rank = len(k.source.extent_list)
    offsets, sizes = ([k.idx(v) for v in part] for part in (grid[:rank], grid[rank:]))
    owned = [owned_part(k, d, offsets[d], sizes[d], acc.shape[d]) for d in range(rank)]
    start = gm_offset(emit, tensor, [emit.add(o, w.low) for o, w in zip(offsets, owned, strict=True)])
    pitches = row_major(tensor)
    *outer, columns = range(rank)
    rows = next((d for d in reversed(acc.order) if d != columns and acc.shape[d] > 1), rank - 2)
    outer = [d for d in outer if d != rows]
    wide, step = -(-acc.shape[columns] // BLOCK), acc.strides[columns]

    def write_rows(at: Idx, to: Idx) -> None:
        low, count = (owned[rows].low, owned[rows].count) if rank > 1 else (0, 1)
        first = emit.add(at, emit.mul(low, acc.strides[rows])) if rank > 1 else at
        read = emit.view(acc.base, [wide, count, BLOCK], [step, BLOCK, 1], first)
        write = emit.view(tensor, [count, owned[columns].count], [pitches[rows], 1], to)
        drain(k, op, read, write)

    each_place(k, OwnedPart(owned, acc, pitches), outer, acc.offset, start, write_rows)
