"""Tensors in GM of a type that UB does not hold (i8): their rows are converted beside the DMA.

    tile.load   GM --MTE2--> rows of i8 --vconv--> f16, laid out as any tile
    tile.store  f16, rows as they lie in GM --vconv--> rows of i8 --MTE3--> GM

A 32 B block holds 32 elements of i8 and 16 of f16, so a row of i8 that starts on a block may take as many bytes as its
row of f16.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from xdsl.ir import Attribute

from ....dialects.ascend.memory import memref_type
from ....dialects.element_types import lanes_of
from ....dialects.tile import BLOCK
from ...selection.transfers import merge_runs
from ...support.indices import Idx
from ..base.dma import GmRegion, move
from ..base.emitter import Generation
from ..base.place import Place, ceil_to
from ..vector.vector import emit_vector

if TYPE_CHECKING:
    from ..base.context import LoweringContext
    from .rows import Rows


def store_grain(dtype: Attribute | str) -> int:
    """Elements of `dtype` that a store of part of a row writes at least: whole 32 B blocks, and whole blocks of a
    tile."""
    return max(BLOCK, lanes_of(dtype))


def fetch(k: LoweringContext, gm: GmRegion, base: Generation, start: Idx = 0) -> None:
    """`move` from GM to UB, converted where the tensor's type is not that of `base`."""
    emit, source = k.emit, memref_type(gm.tensor).element_type
    buffer = memref_type(base.buffer.result)
    if source == buffer.element_type:
        move(emit, gm, base, start)
        return
    (elements,) = buffer.get_shape()
    lanes = lanes_of(source)
    rest, length = merge_runs(emit.mul, gm.runs, gm.length)
    aligned = isinstance(start, int) and start % lanes == 0 and all(run.ub % lanes == 0 for run in rest)
    apart = 1 if aligned else 2
    narrow = emit.fresh(ceil_to(elements * apart, store_grain(source)), source, "ub", "narrow")
    spread = [replace(run, ub=run.ub * apart) for run in rest]
    sizes = (*(run.count for run in rest), length)
    room = (*(elements // run.ub for run in rest), min((run.ub for run in rest), default=elements))
    shape = tuple(n if isinstance(n, int) else most for n, most in zip(sizes, room, strict=True))
    order, last = tuple(range(len(shape))), len(rest)
    read, write = ((*(run.ub for run in part), BLOCK) for part in (spread, rest))
    near = Place(narrow, source, shape, sizes, read, order, last, emit.mul(start, apart))
    far = Place(base, buffer.element_type, shape, sizes, write, order, last, start)
    clear_row_tails(k, near)
    move(emit, replace(gm, runs=spread, length=length), narrow, near.offset)
    emit_vector(emit, "vconv", [near], far)


def clear_row_tails(k: LoweringContext, place: Place) -> None:
    """The last block of each row where DMA, which moves 32 B pieces, leaves half of it: whole blocks are computed."""
    size = place.sizes[place.block]
    if lanes_of(place.dtype) >= BLOCK:
        return
    one = tuple(1 if d == place.block else n for d, n in enumerate(place.shape))
    if isinstance(size, int) and ceil_to(size, lanes_of(place.dtype)) % BLOCK == 0:
        return
    whole = k.emit.div(k.emit.max(k.emit.sub(size, 1), 0), BLOCK)
    tail = replace(
        place,
        shape=one,
        sizes=one,
        offset=k.emit.add(place.offset, k.emit.mul(whole, place.strides[place.block])),
    )
    emit_vector(k.emit, "vdup", [], tail, 0.0)


def converted(k: LoweringContext, rows: Rows, dtype: Attribute) -> Rows:
    """The stored rows in the type of the tensor that they go to, those of another type in a buffer of their own."""
    if rows.dtype == dtype:
        return rows
    emit = k.emit
    wide = ceil_to(rows.most, store_grain(dtype))
    steps = tuple(prod(rows.shape[d + 1 :]) * wide for d in range(len(rows.shape)))
    base = emit.fresh(prod(rows.shape) * wide, dtype, "ub", "narrow")
    shape, sizes = (*rows.shape, rows.most), (*rows.counts, rows.columns)
    order, last = tuple(range(len(shape))), len(rows.shape)
    source = Place(rows.base, rows.dtype, shape, sizes, (*rows.pitches, BLOCK), order, last, rows.first(emit))
    result = Place(base, dtype, shape, sizes, (*steps, BLOCK), order, last)
    emit_vector(emit, "vconv", [source], result)
    return replace(rows, base=base, dtype=dtype, start=0, lows=(0,) * len(rows.shape), pitches=steps)
