"""`tile.move`: an operand of a product that was computed in UB, on its way to L1.

A core with both units moves it itself, blocks of K one after the other. On split chips the Vector cores beside a Cube
core compute the operand of a step, in turns, and put it where `feed` says: a workspace in GM, from which the Cube core
reads it, or L1 itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from xdsl.ir import Operation

from ....dialects import tile
from ....dialects.tile import BLOCK, TileType, tile_type
from ...support.indices import Idx
from ..base.place import Place, blocked_dim, ceil_to, physical
from ..vector.vector import emit_vector

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def moved_operand(product: tile.ContractOp) -> tile.MoveOp | None:
    """The left operand of a product, if it is computed in the kernel."""
    last = product.body.block.last_op
    assert isinstance(last, tile.YieldOp)
    owner = last.values[0].owner
    return owner if isinstance(owner, tile.MoveOp) else None


def computes_operand(op: Operation) -> bool:
    """Whether an op of a product's body works in UB."""
    return (
        len(op.results) == 1
        and isinstance(op.results[0].type, TileType)
        and (tile_type(op.results[0]).space.data == "ub")
    )


def operand_elements(kind: TileType) -> int:
    """Elements of L1 that an operand takes, rows in whole fractals."""
    return physical(kind, BLOCK)[0]


def resident_type(product: tile.ContractOp) -> TileType:
    """A computed left operand that stays in L1: all of K."""
    moved = moved_operand(product)
    assert moved is not None
    kind = tile_type(moved.result)
    depth, shape = kind.blocked, list(kind.get_shape())
    assert depth is not None
    shape[depth] = product.schedule.k
    if product.schedule.rows is not None:
        shape[depth - 1] = product.schedule.m_shape[-1]
    return TileType.get(shape, kind.element_type, "l1", kind.get_order(), depth)


def lower_move(k: LoweringContext, op: tile.MoveOp) -> Place | None:
    """Emit the move; the operand's place in L1, None on a core that has none."""
    emit, kind, feed = k.emit, tile_type(op.result), k.feed
    parent = op.parent_op()
    product = parent if isinstance(parent, tile.ContractOp) else None
    by_rows = product is not None and product.schedule.rows is not None
    elements, strides = physical(kind, 1 if by_rows else BLOCK)
    assert op.parent is not None
    first = 0 if product is None or product.schedule.resident is None else 2
    at, depth = (k.index[argument] for argument in op.parent.args[first : first + 2])
    if by_rows and product is not None:
        depth = product.schedule.k
    assert isinstance(depth, int), "a step of K has a static size"
    blocks, run = -(-depth // BLOCK), strides[blocked_dim(kind)]
    base, offset, pitch = None, 0, run
    if k.resident is not None and product is not None:
        _, whole = physical(resident_type(product), BLOCK)
        base, pitch = k.resident, whole[blocked_dim(kind)]
        offset = emit.mul(at if by_rows else emit.div(at, BLOCK), BLOCK if by_rows else pitch)
        offset = offset if feed is None else emit.add(feed.room(), offset)
    elif feed is not None and feed.direct:
        base, offset = feed.workspace, feed.slot()
    place = None
    if k.core != "aiv":
        shape = kind.get_shape()
        base = base or emit.fresh(elements, kind.element_type, "l1", "lhs")
        place = Place(
            base, kind.element_type, shape, shape, strides, kind.get_order(), blocked_dim(kind), offset
        )
    if k.core == "aic":
        assert place is not None and feed is not None
        if not feed.direct:
            count = 1 if pitch == run else blocks
            read = emit.view(feed.workspace, [count, blocks * run // count], [run, 1], feed.slot())
            emit.copy(read, emit.view(place.base, [count, blocks * run // count], [pitch, 1], offset))
        return place
    source = _in_blocks(k, op, k.places[op.source], 1 if by_rows else BLOCK)
    source = source if by_rows else _whole_rows(k, source)
    read = emit.view(source.base, [blocks, run], [source.strides[source.block], 1], source.offset)
    if base is None or (k.core == "aiv" and feed is not None and not feed.direct):
        assert feed is not None
        base, offset, pitch = feed.workspace, feed.slot(), run
    emit.copy(read, emit.view(base, [blocks, run], [pitch, 1], offset))
    return place


def whole_rows_before(k: LoweringContext, product: tile.ContractOp, op: Operation) -> None:
    """If `op` is the Vector instruction that gives the left operand, have it write rows of each block in whole
    fractals."""
    moved = moved_operand(product)
    if moved is None or not isinstance(op, tile.VecOp) or moved.source is not op.result:
        return
    kind = tile_type(op.result)
    if _in_rows(kind.get_order(), blocked_dim(kind)):
        return
    if _rows(kind.get_shape(), kind.get_order(), blocked_dim(kind)) % BLOCK:
        k.results[op.result] = _with_whole_rows(k, kind, kind.get_shape())


def _rows(shape: Sequence[int], order: Sequence[int], block: int) -> int:
    """Rows of a block of columns."""
    return prod(shape[d] for d in order[order.index(block) + 1 :])


def _in_rows(order: Sequence[int], block: int) -> bool:
    """Whether blocks of a row's columns lie side by side, outside of those of the next one."""
    return order[-1] == block


def _in_blocks(k: LoweringContext, op: tile.MoveOp, place: Place, rows: int) -> Place:
    """A tile in rows as the operand that it is: rows inside of blocks of columns, as many of them as `rows` divides."""
    *others, last = op.dim_list
    one_row = rows == 1 and prod(place.shape[d] for d in others) == 1
    if not others or one_row or not _in_rows(place.order, place.block):
        return place
    order = (*(d for d in place.order if d not in op.dim_list), last, *others)
    kind = TileType.get(place.shape, place.dtype, "ub", order, last)
    if _rows(kind.get_shape(), order, last) % rows:
        blocks = _with_whole_rows(k, kind, place.sizes)
    else:
        blocks = k.new_place(kind, place.sizes, "rows")
    emit_vector(k.emit, "vcopy", [place], replace(blocks, sizes=place.sizes))
    return blocks


def _with_whole_rows(k: LoweringContext, kind: TileType, sizes: Sequence[Idx]) -> Place:
    """A place for a tile with the rows of each block in whole fractals; those that do not exist are zero."""
    rows = _rows(kind.get_shape(), kind.get_order(), blocked_dim(kind))
    whole = k.new_place(kind, sizes, "rows", rows=BLOCK)
    count, step = ceil_to(rows, BLOCK) - rows, whole.strides[whole.block]
    shape = (kind.get_shape()[whole.block], count)
    missing = Place(whole.base, whole.dtype, shape, shape, (step, BLOCK), (0, 1), 0, rows * BLOCK)
    emit_vector(k.emit, "vdup", [], missing, 0.0)
    return whole


def _whole_rows(k: LoweringContext, place: Place) -> Place:
    """The tile with the rows of each block in whole fractals."""
    rows = _rows(place.shape, place.order, place.block)
    if rows % BLOCK == 0 or place.strides[place.block] == ceil_to(rows, BLOCK) * BLOCK:
        return place
    kind = TileType.get(place.shape, place.dtype, "ub", place.order, place.block)
    whole = _with_whole_rows(k, kind, place.sizes)
    emit_vector(k.emit, "vcopy", [place], replace(whole, sizes=place.sizes))
    return whole
