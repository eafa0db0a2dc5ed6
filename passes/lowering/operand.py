"""`tile.move`: an operand of a product that was computed in UB, on its way to L1.

A core with both units moves it itself, blocks of K one after the other. On split chips the Vector cores beside a Cube
core compute the operand of a step, in turns, and put it where `feed` says: a workspace in GM, from which the Cube core
reads it, or L1 itself.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from xdsl.ir import Operation

from ...dialects import tile
from ...dialects.tile import BLOCK, TileType, tile_type
from .emitter import Idx
from .loads import fill
from .place import Place, blocked_dim, ceil_to, physical
from .vector import emit_vector

if TYPE_CHECKING:
    from .kernel import KernelLowering


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


def column_of(k: KernelLowering) -> Idx:
    """Which of the tiles of columns that share an operand in L1 the current one is."""
    inner = k.source.inner
    assert inner is not None
    return k.coordinates[inner.value.data]


def resident_type(product: tile.ContractOp) -> TileType:
    """A computed left operand that stays in L1: all of K."""
    moved = moved_operand(product)
    assert moved is not None
    kind = tile_type(moved.result)
    depth, shape = kind.blocked, list(kind.get_shape())
    assert depth is not None
    shape[depth] = product.k.value.data
    return TileType.get(shape, kind.element_type, "l1", kind.get_order(), depth)


def lower_move(k: KernelLowering, op: tile.MoveOp) -> Place | None:
    """Emit the move; the operand's place in L1, None on a core that has none."""
    emit, kind, feed = k.emit, tile_type(op.result), k.feed
    elements, strides = physical(kind, BLOCK)
    assert op.parent is not None
    at, depth = (k.index[argument] for argument in op.parent.args[-2:])
    assert isinstance(depth, int), "a step of K has a static size"
    blocks, run = -(-depth // BLOCK), strides[blocked_dim(kind)]
    place = None
    if k.core != "aiv":
        shape, base, offset = kind.get_shape(), None, 0
        if feed is not None and feed.direct:
            base, offset = feed.workspace, feed.slot()
        elif k.resident is not None:
            base, offset = k.resident, emit.mul(emit.div(at, BLOCK), run)
        base = base or emit.fresh(elements, kind.element_type, "l1", "lhs")
        place = Place(
            base, kind.element_type, shape, shape, strides, kind.get_order(), blocked_dim(kind), offset
        )
    if k.core == "aic":
        assert place is not None and feed is not None
        if not feed.direct:
            read = emit.view(feed.workspace, [blocks * run], [1], feed.slot())
            emit.copy(read, emit.view(place.base, [blocks * run], [1], place.offset))
        return place
    source = _whole_rows(k, k.places[op.source])
    read = emit.view(source.base, [blocks, run], [source.strides[source.block], 1], source.offset)
    if place is not None:
        emit.copy(read, emit.view(place.base, [blocks, run], [run, 1], place.offset))
    else:
        assert feed is not None
        emit.copy(read, emit.view(feed.workspace, [blocks, run], [run, 1], feed.slot()))
    return place


def _whole_rows(k: KernelLowering, place: Place) -> Place:
    """The tile with the rows of each block in whole fractals; those that do not exist are zero."""
    inner = place.order[place.order.index(place.block) + 1 :]
    rows = prod(place.shape[d] for d in inner)
    if rows % BLOCK == 0:
        return place
    kind = TileType.get(place.shape, place.dtype, "ub", place.order, place.block)
    whole = k.new_place(kind, place.sizes, "rows", rows=BLOCK)
    blocks = -(-place.shape[place.block] // BLOCK)
    step = whole.strides[place.block]
    for b in range(blocks):
        fill(k, whole.base, b * step + rows * BLOCK, (ceil_to(rows, BLOCK) - rows) * BLOCK, place.dtype)
    emit_vector(k.emit, "vcopy", [place], replace(whole, sizes=place.sizes))
    return whole
