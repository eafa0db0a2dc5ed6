"""What follows a product: `tile.chunks` walks its accumulator, `tile.extract` brings a chunk to UB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....dialects import tile
from ....dialects.tile import BLOCK, tile_type
from ...support.indices import Idx
from ..base.place import Place
from ..base.products import accumulator_of
from ..transfers.fixpipe import store_accumulator
from ..transfers.spans import end_in_span
from .used_part import used_part

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def lower_chunks(k: LoweringContext, op: tile.ChunksOp) -> None:
    """The loop over the chunks; a Cube core of a split chip hands the accumulator over, or stores it, instead."""
    argument, emit = op.body.block.args[0], k.emit
    size, step = op.size.value.data, op.step.value.data
    exchange = k.hand_over
    if isinstance(op.parent_op(), tile.ChunksOp):  # parts of a chunk that is in UB
        with emit.loop(0, size, step) as at:
            k.index[argument] = at
            k.body(op.body.block)
        return
    if k.core == "aic":
        product = accumulator_of(k.source)
        assert product is not None
        if exchange is not None:
            exchange.give(k.places[product.result], used_part(k, product), op)
        else:
            store_accumulator(k, op, k.places[product.result])
        return
    first: Idx = 0
    end: Idx = end_in_span(k, size, step)
    if exchange is not None:
        exchange.take()
        first, end, step = exchange.share(size, step)
    with emit.loop(first, end, step) as at:
        if k.source.rows is not None:  # the last channels first: what follows them in GM is there
            at = emit.sub(size - step, at)
        if k.late is not None:
            k.late.multiply_columns(at, op.step.value.data)
        k.index[argument] = at
        k.body(op.body.block)
    if exchange is not None:
        exchange.release()


def lower_extract(k: LoweringContext, op: tile.ExtractOp) -> None:
    """A chunk of an accumulator in a buffer of its own, or a part of a tile in UB where that lies."""
    kind = tile_type(op.result)
    at, dim = k.idx(op.offset), op.dim.value.data
    if k.hand_over is not None and tile_type(op.source).space.data != "ub":
        k.places[op.result] = k.hand_over.chunk(op, at)
        return
    source = k.places[op.source]
    step = source.strides[dim]
    shift = k.emit.mul(k.emit.div(at, BLOCK) if dim == source.block else at, step)
    if tile_type(op.source).space.data == "ub":
        sizes = tuple(kind.get_shape()[d] if d == dim else size for d, size in enumerate(source.sizes))
        k.places[op.result] = Place(
            source.base, source.dtype, kind.get_shape(), sizes, source.strides, source.order, source.block,
            k.emit.add(source.offset, shift), part=dim != source.block,
        )  # fmt: skip
        return
    place = k.new_place(kind, kind.get_shape(), "result", rows=BLOCK)
    blocks = -(-kind.get_shape()[source.block] // BLOCK)
    run = place.strides[place.block]
    read = k.emit.view(source.base, [blocks, run], [source.strides[source.block], 1], shift)
    write = k.emit.view(place.base, [blocks, run], [run, 1])
    k.emit.copy(read, write)
    k.places[op.result] = place
