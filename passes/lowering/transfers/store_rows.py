"""Rows of a tile in UB to a tensor in GM: in bursts of whole 32 B blocks, or such that end where the rows end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import gcd, prod
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ....dialects import tile
from ....dialects.ascend.memory import memref_type
from ....dialects.element_types import lanes_of
from ....dialects.records import dataclass
from ....dialects.tile import BLOCK
from ...selection.store_grain import apart
from ...selection.transfers import Run
from ...support.indices import Idx
from ...support.run_size import OPEN
from ..base.dma import GmRegion, is_part, move
from ..base.emitter import Generation
from .narrow_types import converted, store_grain
from .pack_rows import merge_run, pack_rows, packs, row_ends
from .rows import GmRows, Rows

if TYPE_CHECKING:
    from ..base.context import LoweringContext


@dataclass(frozen=True)
class Owned:
    """Along one dimension: the first element of the tile that this grid point writes, how many, and whether their
    number is a multiple of `multiple`, a fact that holds of every grid point."""

    low: Idx
    count: Idx
    multiple: int


def owned_part(k: LoweringContext, dim: int, offset: Idx, size: Idx, most: int, grain: int = BLOCK) -> Owned:
    """What this grid point writes of `size` elements from `offset`; `most` is the largest size. `grain`: of which
    number it may be a multiple."""
    emit = k.emit
    extent = k.extents[dim]
    multiple = gcd(extent if isinstance(extent, int) else k.source.factor, most, grain)
    if dim in k.left_to_last:
        return Owned(0, k.inside[dim], multiple)
    first = k.firsts[dim]
    if first is not None:
        low = emit.min(emit.max(emit.sub(first, offset), 0), size)
        return Owned(low, emit.sub(size, low), multiple)
    if isinstance(size, int):
        moving = dim in k.covered or k.source.tile_sizes[dim] % size
        beyond = not isinstance(offset, int) and moving
        past = isinstance(extent, int) and (
            size > extent or (isinstance(offset, int) and offset + size > extent)
        )
        if beyond or past:
            return Owned(0, emit.max(emit.min(size, emit.sub(extent, offset)), 0), multiple)
    return Owned(0, size, multiple)


def behind_tile(k: LoweringContext, offsets: Sequence[Idx]) -> Idx:
    """How far behind the current tile a part of it starts."""
    emit, behind = k.emit, 0
    grid = k.source.body.block.args[len(k.tensors) :]
    for at, start in zip(offsets, grid, strict=False):
        if at is not k.idx(start):
            behind = emit.add(behind, emit.sub(at, k.idx(start)))
    return behind


def store_rows(k: LoweringContext, out: GmRows, multiple: int, offsets: Sequence[SSAValue] = ()) -> None:
    """Write rows, which are known to be multiples of `multiple` elements. `offsets`: where the tile starts, if it may
    be part of one of the grid."""
    emit, rows, tensor, offset, strides = k.emit, out.rows, out.tensor, out.offset, out.strides
    single = next((d for d, n in enumerate(rows.shape) if n == 1 and rows.counts[d] != 1), None)
    if single is not None:  # one row, which may be another tile's
        counts = tuple(1 if d == single else count for d, count in enumerate(rows.counts))
        with emit.condition("slt", 0, rows.counts[single]):
            store_rows(k, replace(out, rows=replace(rows, counts=counts)), multiple, offsets)
        return
    dtype = memref_type(tensor).element_type
    unit = lanes_of(dtype)
    columns = rows.columns
    if isinstance(columns, int):  # of a tile that goes past its tensor's end, fewer than there are
        rows = replace(rows, most=columns)
    aligned = columns % unit == 0 if isinstance(columns, int) else multiple % unit == 0
    if aligned or k.target.dma.unaligned:
        rows = converted(k, rows, dtype)
        gm = GmRegion(tensor, offset, _runs(rows, strides), columns)
        move(emit, gm, rows.base, rows.first(emit), to_gm=True)
        return
    if all(n == 1 for n in rows.shape):
        run = replace(rows, start=rows.first(emit), lows=(), counts=(), shape=(), pitches=())
        _store_run(k, tensor, offset, run, _start_on_blocks(k, tensor, offsets))
        return
    packed = packed_rows(k, rows, strides)
    if packed is not None:
        _store_run(k, tensor, offset, packed, _start_on_blocks(k, tensor, offsets))
        return
    if rows.most < store_grain(dtype):  # rows that lie end to end leave together
        with emit.loop(0, rows.counts[0]) as i:
            store_rows(k, replace(out, rows=rows).inner(emit, i), multiple, offsets)
        return
    _store_ragged(k, replace(out, rows=rows))


def _store_ragged(k: LoweringContext, out: GmRows) -> None:
    """Write rows whose length is no multiple of 32 B: whole blocks of each, then its end, which overlaps."""
    emit, rows, tensor = k.emit, out.rows, out.tensor
    dtype, columns = memref_type(tensor).element_type, rows.columns
    unit, width = lanes_of(dtype), store_grain(dtype)
    whole = emit.mul(emit.div(columns, unit), unit)
    blocks = converted(k, rows, dtype)
    gm = GmRegion(tensor, out.offset, _runs(blocks, out.strides), whole)
    _alternating(k, gm, blocks.base, blocks.first(emit))
    steps = tuple(prod(rows.shape[d + 1 :]) * width for d in range(len(rows.shape)))
    lows = (0,) * len(rows.shape)
    ends = replace(
        rows, base=row_ends(k, rows, width), start=0, lows=lows, pitches=steps, columns=width, most=width
    )
    ends = converted(k, ends, dtype)
    at = emit.add(out.offset, emit.sub(columns, width))
    _alternating(k, GmRegion(tensor, at, _runs(ends, out.strides), width), ends.base, 0)


def packed_rows(k: LoweringContext, rows: Rows, strides: tuple[int, ...]) -> Rows | None:
    """Short rows that lie end to end in GM as one run; None for others."""
    columns = rows.columns
    if not (isinstance(columns, int) and _end_to_end(rows, strides, columns) and packs(columns)):
        return None
    count: Idx = columns
    for c in rows.counts:
        count = k.emit.mul(count, c)
    most = count if isinstance(count, int) else prod(rows.shape) * columns
    return Rows(pack_rows(k, rows), rows.dtype, 0, (), (), (), (), count, most)


def _runs(rows: Rows, strides: tuple[int, ...]) -> list[Run]:
    """The dimensions of `rows` with more than one, `strides` apart in GM."""
    dims = zip(rows.counts, strides, rows.pitches, rows.shape, strict=True)
    return [Run(count, gm, ub, n) for count, gm, ub, n in dims if n > 1]


def _store_run(k: LoweringContext, tensor: SSAValue, offset: Idx, run: Rows, on_block: bool) -> None:
    """Write one run. Where every run starts on a 32 B block the last block may be written whole: what follows is the
    tensor's padding, or is written later. Elsewhere the run ends with a burst that overlaps, or is merged with what is
    in GM."""
    emit, count, dtype = k.emit, run.columns, memref_type(tensor).element_type
    unit, width = lanes_of(dtype), store_grain(dtype)
    if on_block:
        run = converted(k, run, dtype)
        move(emit, GmRegion(tensor, offset, [], count), run.base, run.start, to_gm=True)
    elif run.most >= width:
        whole, out = emit.mul(emit.div(count, unit), unit), converted(k, run, dtype)
        move(emit, GmRegion(tensor, offset, [], whole), out.base, out.start, to_gm=True)
        at = emit.add(offset, emit.sub(count, width))
        end = replace(run, base=row_ends(k, run, width), start=0, columns=width, most=width)
        move(emit, GmRegion(tensor, at, [], width), converted(k, end, dtype).base, 0, to_gm=True)
    else:
        # not before the block of the run's start, which may be another core's
        at = emit.max(emit.sub(emit.add(offset, count), width), emit.mul(emit.div(offset, unit), unit))
        # nor past the block of its end, behind which another core's may begin
        end = emit.ceil_to(emit.add(offset, count), unit)
        length = width if unit == width else emit.min(width, emit.sub(end, at))
        gm = GmRegion(tensor, at, [], length)
        merged = merge_run(k, gm, run, emit.sub(offset, at), width)
        end = replace(run, base=merged, start=0, columns=length, most=width)
        move(emit, gm, converted(k, end, dtype).base, 0, to_gm=True)


def _end_to_end(rows: Rows, strides: tuple[int, ...], columns: int) -> bool:
    """Whether the rows lie in GM one after the other without gaps."""
    step: Idx = columns
    for n, count, stride in zip(rows.shape[::-1], rows.counts[::-1], strides[::-1], strict=True):
        if n == 1:
            continue
        if step != stride:
            return False
        step = stride * n if count == n else -1
    return True


def _alternating(k: LoweringContext, gm: GmRegion, base: Generation, start: Idx) -> None:
    """Write rows that may meet their neighbours in a 32 B block: every other one first, which do not."""
    emit = k.emit
    *outer, rows = gm.runs
    if rows.gm % lanes_of(memref_type(gm.tensor).element_type) == 0 or rows.count == 1:
        move(emit, gm, base, start, to_gm=True)
        return
    for odd in range(2):
        count = emit.div(emit.add(rows.count, 1 - odd), 2)
        half = Run(count, 2 * rows.gm, 2 * rows.ub)
        at, to = emit.add(gm.offset, odd * rows.gm), emit.add(start, odd * rows.ub)
        move(emit, replace(gm, offset=at, runs=[*outer, half]), base, to, to_gm=True)


def _start_on_blocks(k: LoweringContext, tensor: SSAValue, offsets: Sequence[SSAValue]) -> bool:
    """Whether every tile that is stored at `offsets` starts on a 32 B block of its tensor: those of the grid, or parts
    of them."""
    kind = memref_type(tensor)
    stored = tuple(OPEN if n < 0 else n for n in kind.get_shape())
    steps = list(map(min, k.source.tile_sizes, stored))
    for d, at in enumerate(offsets):
        if is_part(at):
            parts = at.owner.parent_op()
            assert isinstance(parts, tile.StreamOp)
            first, end, step = (one.value.data for one in (parts.first, parts.end, parts.step))
            steps[d] = gcd(first, step if end - first > step else 0) or stored[d]
    return apart(stored, steps, lanes_of(kind.element_type))
