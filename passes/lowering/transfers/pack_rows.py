"""Rows in UB whose length is no multiple of 32 B, made storable: the DMA writes whole 32 B blocks only.

`lowering.transfers.pack_rows` drops the padding between rows, so that many rows leave as one run. `row_ends` copies the
last 16 elements of every row to an aligned place, so that a row leaves as two bursts that overlap. Both go through
transposes: sixteen rows become the lanes of 32 B blocks, one block for each column, and blocks may be moved freely.
"""

from __future__ import annotations

from dataclasses import replace
from math import gcd, prod
from typing import TYPE_CHECKING

from ....dialects import ascend
from ....dialects.element_types import lanes_of
from ....dialects.tile import BLOCK
from ...support.indices import Idx
from ..base.dma import GmRegion, fill
from ..base.emitter import Generation
from ..base.place import Place, ceil_to
from ..vector.vector import emit_vector, expand_lanes
from .narrow_types import fetch
from .rows import Rows

if TYPE_CHECKING:
    from ..base.context import LoweringContext

PACKED_ELEMENTS = 1024
"""Rows are packed when a lane's share of them, a multiple of 16 elements, is no longer than this."""


def rows_a_lane(columns: int) -> int:
    """The fewest rows that fill whole blocks of 16."""
    return BLOCK // gcd(columns, BLOCK)


def packs(columns: int) -> bool:
    """Whether rows of `columns` elements are packed into one run."""
    return rows_a_lane(columns) * columns <= PACKED_ELEMENTS


def store_scratch(rows: int, columns: int, width: int = BLOCK, whole: bool = True) -> int:
    """Elements of UB that a store of ragged rows, in bursts of `width` elements at least, needs beside them; `whole`:
    they lie end to end in the tensor."""
    wide = ceil_to(columns, BLOCK)
    if not whole or not packs(columns):
        return (2 + 3 * width // BLOCK) * BLOCK * ceil_to(rows, BLOCK)
    share = rows_a_lane(columns)
    padded = ceil_to(rows, BLOCK * share)
    return padded * (wide + columns) + share * (columns + BLOCK) * BLOCK


def span_scratch(width: int = BLOCK) -> int:
    """Elements of UB that a store of tiles in spans needs beside `store_scratch`, in bursts of `width` elements at
    least: a row without its first elements, its end, and the block that the span before begins."""
    ends = BLOCK * (3 * width + 2 * BLOCK)
    merged = width * (1 + 3 * BLOCK)
    return 2 * ends + merged


def _padded(
    k: LoweringContext, rows: Rows, multiple: int, skip: Idx, wide: int
) -> tuple[Generation, Idx, int]:
    """`wide` columns from `skip` on of the rows that are stored, with zero rows up to a multiple of `multiple`: base,
    start and pitch."""
    emit, total = k.emit, prod(rows.shape)
    if rows.whole and rows.dense and total % multiple == 0:
        return rows.base, emit.add(rows.start, skip), rows.pitch
    count = ceil_to(total, multiple) * wide
    base = emit.fresh(count, rows.dtype, "ub", "padded")
    fill(k, base, 0, count, rows.dtype)
    steps = tuple(prod(rows.shape[d + 1 :]) * wide for d in range(len(rows.shape)))
    shape, sizes = (*rows.shape, wide), (*rows.counts, wide)
    order = tuple(range(len(shape)))
    start = emit.add(rows.first(emit), skip)
    source = Place(rows.base, rows.dtype, shape, sizes, (*rows.pitches, BLOCK), order, len(shape) - 1, start)
    result = Place(base, rows.dtype, shape, sizes, (*steps, BLOCK), order, len(shape) - 1)
    emit_vector(emit, "vcopy", [source], result)
    return base, 0, wide


def pack_rows(k: LoweringContext, rows: Rows) -> Generation:
    """The stored rows end to end; `rows.columns` is known.

    Lane `l` of 16 takes rows `l * share` up to `(l + 1) * share`, a multiple of 16 elements in all.
    """
    emit, dtype = k.emit, rows.dtype
    columns, unit = rows.most, lanes_of(rows.dtype)
    share = rows_a_lane(columns)
    batch, run = BLOCK * share, share * columns
    base, start, pitch = _padded(k, rows, batch, 0, ceil_to(columns, BLOCK))
    batches = -(-prod(rows.shape) // batch)
    full, rest = divmod(columns, BLOCK)
    apart = emit.fresh(share * BLOCK * BLOCK, dtype, "ub", "apart") if rest else None
    close = emit.fresh(run * BLOCK, dtype, "ub", "close")
    packed = emit.fresh(batches * batch * columns, dtype, "ub", "packed")
    with emit.loop(0, batches) as b:
        origin = emit.add(start, emit.mul(b, batch * pitch))
        for part in range(0, BLOCK, unit):
            for j in range(share if full else 0):
                read = emit.view(
                    base, [full, BLOCK, unit], [BLOCK, share * pitch, 1], emit.add(origin, j * pitch + part)
                )
                at = (j * columns + part) * BLOCK
                write = emit.view(close, [full, unit, BLOCK], [BLOCK * BLOCK, BLOCK, 1], at)
                emit.insert(ascend.TransposeOp(read, write))
            if apart is not None and part < rest:
                at = emit.add(origin, full * BLOCK + part)
                read = emit.view(base, [share, BLOCK, unit], [pitch, share * pitch, 1], at)
                write = emit.view(apart, [share, unit, BLOCK], [BLOCK * BLOCK, BLOCK, 1], part * BLOCK)
                emit.insert(ascend.TransposeOp(read, write))
        if apart is not None:
            shape = (share, rest, BLOCK)
            source = Place(apart, dtype, shape, shape, (BLOCK * BLOCK, BLOCK, BLOCK), (0, 1, 2), 2)
            strides = (columns * BLOCK, BLOCK, BLOCK)
            result = Place(close, dtype, shape, shape, strides, (0, 1, 2), 2, full * BLOCK * BLOCK)
            emit_vector(emit, "vcopy", [source], result)
        for part in range(0, BLOCK, unit):
            read = emit.view(close, [run // BLOCK, BLOCK, unit], [BLOCK * BLOCK, BLOCK, 1], part)
            at = emit.add(emit.mul(b, batch * columns), part * run)
            write = emit.view(packed, [run // BLOCK, unit, BLOCK], [BLOCK, run, 1], at)
            emit.insert(ascend.TransposeOp(read, write))
    return packed


def row_ends(k: LoweringContext, rows: Rows, width: int = BLOCK) -> Generation:
    """[row][width]: the last `width` elements, whole blocks, of every stored row; rows have at least so many."""
    emit, dtype = k.emit, rows.dtype
    unit = lanes_of(dtype)
    groups = -(-prod(rows.shape) // BLOCK)
    columns = rows.columns
    most = width + BLOCK
    blocks = min(most // BLOCK, -(-rows.most // BLOCK))
    skip = emit.max(emit.sub(emit.ceil_to(columns, BLOCK), most), 0)
    base, start, pitch = _padded(k, rows, BLOCK, skip, blocks * BLOCK)
    turned = emit.fresh(groups * most * BLOCK, dtype, "ub", "turned")
    ends = emit.fresh(groups * BLOCK * width, dtype, "ub", "row_ends")
    for part in range(0, blocks * BLOCK, unit):
        at = emit.add(start, part)
        read = emit.view(base, [groups, BLOCK, unit], [BLOCK * pitch, pitch, 1], at)
        write = emit.view(turned, [groups, unit, BLOCK], [most * BLOCK, BLOCK, 1], part * BLOCK)
        emit.insert(ascend.TransposeOp(read, write))
    first = emit.sub(emit.sub(columns, width), skip)
    for block in range(0, width, BLOCK):
        for part in range(0, BLOCK, unit):
            at = emit.add(emit.mul(emit.add(first, block), BLOCK), part)
            read = emit.view(turned, [groups, BLOCK, unit], [most * BLOCK, BLOCK, 1], at)
            into = part * width + block
            write = emit.view(ends, [groups, unit, BLOCK], [BLOCK * width, width, 1], into)
            emit.insert(ascend.TransposeOp(read, write))
    return ends


def merge_run(k: LoweringContext, gm: GmRegion, run: Rows, lead: Idx, width: int = BLOCK) -> Generation:
    """Elements of a tensor that lie end to end, at most `width`, with those of `run` in the place of those from `lead`
    on. Each element becomes a block of its own, because blocks can be moved by any distance."""
    emit, dtype = k.emit, run.dtype
    unit = lanes_of(dtype)
    old = emit.fresh(width, dtype, "ub", "old")
    fill(k, old, 0, width, dtype)
    fetch(k, gm, old)
    shape, strides = (width, BLOCK), (BLOCK, BLOCK)
    line = Place(old, dtype, shape, shape, strides, (0, 1), 1)
    blocks = replace(line, base=emit.fresh(width * BLOCK, dtype, "ub", "old_blocks"))
    expand_lanes(emit, line, blocks, width)
    fresh = replace(line, base=emit.fresh(width * BLOCK, dtype, "ub", "new_blocks"))
    expand_lanes(
        emit, replace(line, base=run.base, offset=run.start), fresh, min(width, ceil_to(run.most, BLOCK))
    )
    sizes = (run.columns, BLOCK)
    into = replace(blocks, shape=(run.most, BLOCK), sizes=sizes, offset=emit.mul(lead, BLOCK))
    emit_vector(emit, "vcopy", [replace(fresh, shape=into.shape, sizes=sizes)], into)
    merged = emit.fresh(unit * width, dtype, "ub", "merged")
    read = emit.view(blocks.base, [width // BLOCK, BLOCK, unit], [BLOCK * BLOCK, BLOCK, 1])
    write = emit.view(merged, [width // BLOCK, unit, BLOCK], [BLOCK, width, 1])
    emit.insert(ascend.TransposeOp(read, write))
    return merged
