"""`tile.store`: a tile in UB to its tensor in GM, in bursts of whole 32 B blocks that never leave the tile's rows.

Blocked tiles are first put back into the tensor's order: by strided copies where the columns are contiguous in GM, by
transposes where the rows of the matrix are (NCHW). Rows that are no multiple of 32 B are packed into one run where they
lie end to end in GM and are short; longer ones are written as two bursts that overlap, the second one ending where the
row ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from math import gcd, prod
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ...dialects import ascend, tile
from ...dialects.ascend.memory import lanes_of, memref_type
from ...dialects.tile import BLOCK, layout_of
from ..grid_rules import apart
from ..run_size import OPEN
from .emitter import Emitter, Generation, Idx
from .moves import fill, gm_offset, is_part, move, row_major
from .narrow import converted, store_grain
from .pack_rows import Rows, merge_run, pack_rows, packs, row_ends
from .place import Place, ceil_to
from .spans import store_in_span
from .store_blocks import store_blocks
from .store_circular import store_circular
from .transfers import Run
from .vector import emit_vector
from .without_lanes import without_lanes, without_ones

if TYPE_CHECKING:
    from .kernel import KernelLowering


@dataclass(frozen=True)
class Owned:
    """Along one dimension: the first element of the tile that this grid point writes, how many, and whether their
    number is a multiple of `multiple`, a fact that holds of every grid point."""

    low: Idx
    count: Idx
    multiple: int


def lower_store(k: KernelLowering, op: tile.StoreOp) -> None:
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
    place = k.places[op.tile]
    tensor = k.tensors[op.tensor]
    offsets = [k.idx(o) for o in op.offsets]
    sizes = [k.idx(s) for s in op.sizes]
    dtype = memref_type(tensor).element_type
    # rows leave in blocks of 32 B; from blocks of 16 channels positions come 16 at a time
    grain = lanes_of(dtype) if place.block == len(offsets) - 1 else store_grain(dtype)
    owned = [
        Owned(0, sizes[d], 1)
        if is_part(at)
        else owned_part(k, d, offsets[d], sizes[d], place.shape[d], grain)
        for d, at in enumerate(op.offsets)
    ]
    if op.lead is not None:
        store_blocks(k, place, tensor, offsets, (owned[0].low, owned[0].count))
        return
    starts = [k.emit.add(o, w.low) for o, w in zip(offsets, owned, strict=True)]
    offset = gm_offset(k.emit, tensor, starts)
    last = len(offsets) - 1
    strides = row_major(tensor)
    nd = place.order == tuple(
        range(last + 1)
    )  # not a product's, whose blocks hold columns that nobody stores
    rows = without_ones(memref_type(tensor).get_shape())
    if nd and place.block == last and rows is not None and prod(place.shape[rows:]) == 1:
        place = without_lanes(k, place, rows)
        last = rows - 1
        del owned[rows:]
    if place.block == last:
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
        store = partial(store_rows, k, tensor, multiple=owned[last].multiple, offsets=op.offsets)
        if k.span is None:
            store(offset, rows, strides[:last])
        else:
            if isinstance(rows.columns, int):  # a chunk of columns goes past the row's end
                rows = replace(rows, most=rows.columns)
            several = any(n > 1 for n in rows.shape)
            packed = _packed(k, rows, strides[:last]) if several else None
            run = (rows, strides[:last]) if packed is None else (packed, ())
            store_in_span(k, tensor, offset, *run, store, _behind_tile(k, offsets))
    else:
        _store_channels(k, place, tensor, offset, owned)


def owned_part(k: KernelLowering, dim: int, offset: Idx, size: Idx, most: int, grain: int = BLOCK) -> Owned:
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


def _behind_tile(k: KernelLowering, offsets: Sequence[Idx]) -> Idx:
    """How far behind the current tile a part of it starts."""
    emit, behind = k.emit, 0
    grid = k.source.body.block.args[len(k.tensors) :]
    for at, start in zip(offsets, grid, strict=False):
        if at is not k.idx(start):
            behind = emit.add(behind, emit.sub(at, k.idx(start)))
    return behind


def _start_on_blocks(k: KernelLowering, tensor: SSAValue, offsets: Sequence[SSAValue]) -> bool:
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


def store_rows(
    k: KernelLowering,
    tensor: SSAValue,
    offset: Idx,
    rows: Rows,
    strides: tuple[int, ...],
    multiple: int,
    offsets: Sequence[SSAValue] = (),
) -> None:
    """Write rows whose distances in GM are `strides`; rows are known to be multiples of `multiple` elements. `offsets`:
    where the tile starts, if it may be part of one of the grid."""
    emit = k.emit
    single = next((d for d, n in enumerate(rows.shape) if n == 1 and rows.counts[d] != 1), None)
    if single is not None:  # one row, which may be another tile's
        counts = tuple(1 if d == single else count for d, count in enumerate(rows.counts))
        with emit.condition("slt", 0, rows.counts[single]):
            store_rows(k, tensor, offset, replace(rows, counts=counts), strides, multiple, offsets)
        return
    dtype = memref_type(tensor).element_type
    unit, width = lanes_of(dtype), store_grain(dtype)
    columns = rows.columns
    if isinstance(columns, int):  # of a tile that goes past its tensor's end, fewer than there are
        rows = replace(rows, most=columns)
    aligned = columns % unit == 0 if isinstance(columns, int) else multiple % unit == 0
    aligned = aligned or k.target.dma.unaligned
    if aligned:
        rows = converted(k, rows, dtype)
        move(emit, tensor, offset, _runs(rows, strides), columns, rows.base, rows.first(emit), to_gm=True)
        return
    if all(n == 1 for n in rows.shape):
        run = replace(rows, start=rows.first(emit), lows=(), counts=(), shape=(), pitches=())
        _store_run(k, tensor, offset, run, _start_on_blocks(k, tensor, offsets))
        return
    packed = _packed(k, rows, strides)
    if packed is not None:
        _store_run(k, tensor, offset, packed, _start_on_blocks(k, tensor, offsets))
        return
    if rows.most < width:  # rows that lie end to end leave together
        with emit.loop(0, rows.counts[0]) as i:
            at = emit.add(offset, emit.mul(i, strides[0]))
            store_rows(k, tensor, at, rows.inner(emit, i), strides[1:], multiple, offsets)
        return
    whole = emit.mul(emit.div(columns, unit), unit)
    out = converted(k, rows, dtype)
    _alternating(k, tensor, offset, _runs(out, strides), whole, out.base, out.first(emit))
    steps = tuple(prod(rows.shape[d + 1 :]) * width for d in range(len(rows.shape)))
    lows = (0,) * len(rows.shape)
    ends = replace(
        rows, base=row_ends(k, rows, width), start=0, lows=lows, pitches=steps, columns=width, most=width
    )
    ends = converted(k, ends, dtype)
    at = emit.add(offset, emit.sub(columns, width))
    _alternating(k, tensor, at, _runs(ends, strides), width, ends.base, 0)


def _packed(k: KernelLowering, rows: Rows, strides: tuple[int, ...]) -> Rows | None:
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


def _store_run(k: KernelLowering, tensor: SSAValue, offset: Idx, run: Rows, on_block: bool) -> None:
    """Write one run. Where every run starts on a 32 B block the last block may be written whole: what follows is the
    tensor's padding, or is written later. Elsewhere the run ends with a burst that overlaps, or is merged with what is
    in GM."""
    emit, count, dtype = k.emit, run.columns, memref_type(tensor).element_type
    unit, width = lanes_of(dtype), store_grain(dtype)
    if on_block:
        run = converted(k, run, dtype)
        move(emit, tensor, offset, [], count, run.base, run.start, to_gm=True)
    elif run.most >= width:
        whole, out = emit.mul(emit.div(count, unit), unit), converted(k, run, dtype)
        move(emit, tensor, offset, [], whole, out.base, out.start, to_gm=True)
        at = emit.add(offset, emit.sub(count, width))
        end = replace(run, base=row_ends(k, run, width), start=0, columns=width, most=width)
        move(emit, tensor, at, [], width, converted(k, end, dtype).base, 0, to_gm=True)
    else:
        # not before the block of the run's start, which may be another core's
        at = emit.max(emit.sub(emit.add(offset, count), width), emit.mul(emit.div(offset, unit), unit))
        # nor past the block of its end, behind which another core's may begin
        end = emit.ceil_to(emit.add(offset, count), unit)
        length = width if unit == width else emit.min(width, emit.sub(end, at))
        merged = merge_run(k, tensor, at, length, run, emit.sub(offset, at), width)
        end = replace(run, base=merged, start=0, columns=length, most=width)
        move(emit, tensor, at, [], length, converted(k, end, dtype).base, 0, to_gm=True)


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


def _alternating(
    k: KernelLowering,
    tensor: SSAValue,
    offset: Idx,
    runs: list[Run],
    length: Idx,
    base: Generation,
    start: Idx,
) -> None:
    """Write rows that may meet their neighbours in a 32 B block: every other one first, which do not."""
    emit = k.emit
    *outer, rows = runs
    if rows.gm % lanes_of(memref_type(tensor).element_type) == 0 or rows.count == 1:
        move(emit, tensor, offset, runs, length, base, start, to_gm=True)
        return
    for odd in range(2):
        count = emit.div(emit.add(rows.count, 1 - odd), 2)
        half = Run(count, 2 * rows.gm, 2 * rows.ub)
        moved = emit.add(offset, odd * rows.gm), emit.add(start, odd * rows.ub)
        move(emit, tensor, moved[0], [*outer, half], length, base, moved[1], to_gm=True)


def _to_rows(k: KernelLowering, place: Place) -> Place:
    """The same tile row-major, rows padded to whole blocks."""
    rank = len(place.shape)
    columns = ceil_to(place.shape[-1], BLOCK)
    strides = [0] * rank
    strides[-1] = BLOCK
    step = columns
    for d in reversed(range(rank - 1)):
        strides[d] = step
        step *= place.shape[d]
    base = k.emit.fresh(step, place.dtype, "ub", "rows")
    flat = replace(place, base=base, strides=tuple(strides), order=tuple(range(rank)), offset=0)
    emit_vector(k.emit, "vcopy", [replace(place, order=flat.order)], flat)
    return flat


def _store_channels(
    k: KernelLowering, place: Place, tensor: SSAValue, offset: Idx, owned: list[Owned]
) -> None:
    """[.., c, h, w] in GM from blocks of c: a transpose for each block, then channel rows by DMA."""
    emit, block = k.emit, place.block
    strides = row_major(tensor)
    inner = range(block + 1, len(owned))
    extents = k.source.extent_list
    whole_lines = all(place.shape[d] == extents[d] for d in inner[1:])
    if not whole_lines:
        _store_lines(k, place, tensor, offset, owned)
        return
    low: Idx = 0
    count: Idx = 1
    for d in inner:
        low = emit.add(emit.mul(low, place.shape[d]), owned[d].low)
        count = emit.mul(count, owned[d].count)
    positions = prod(place.shape[d] for d in inner)
    line = prod(place.shape[d] for d in inner[1:])
    grain = store_grain(memref_type(tensor).element_type)
    multiple = gcd(positions, extents[inner[0]] * line, grain)
    rows = _channel_rows(k, place, owned, low, count, positions, multiple)
    store_rows(k, tensor, offset, rows, strides[: block + 1], multiple)


def _channel_rows(
    k: KernelLowering, place: Place, owned: list[Owned], low: Idx, count: Idx, positions: int, multiple: int
) -> Rows:
    """[.., c][position]: `count` positions (at most `positions`, a multiple of `multiple`) from position `low` of every
    channel."""
    emit, block = k.emit, place.block
    blocks = -(-place.shape[block] // BLOCK)
    pitch = ceil_to(positions, BLOCK)
    outer = place.shape[:block]
    planes = prod(outer)
    base = emit.fresh(planes * blocks * BLOCK * pitch, place.dtype, "ub", "channels")
    steps = [prod(outer[d + 1 :]) * blocks * BLOCK * pitch for d in range(block)]
    first = emit.add(place.offset, emit.mul(low, BLOCK))
    origins: list[tuple[Idx, int]] = [(first, 0)]
    for d, n in enumerate(outer):
        origins = [
            (emit.add(at, i * place.strides[d]), to + i * steps[d]) for at, to in origins for i in range(n)
        ]
    groups = emit.div(count, BLOCK)
    # a number that varies may still be known to be a multiple of 16
    varies = k.target.dma.unaligned or multiple % BLOCK > 0
    rest: Idx = emit.rem(count, BLOCK) if isinstance(count, int) or varies else 0
    for at, to in origins:
        if groups != 0:
            with emit.loop(0, blocks) as c1:
                read = replace(place, offset=emit.add(at, emit.mul(c1, place.strides[block])))
                _turn(
                    emit,
                    read,
                    BLOCK * BLOCK,
                    base,
                    emit.add(to, emit.mul(c1, BLOCK * pitch)),
                    BLOCK,
                    pitch,
                    groups,
                )
        if isinstance(rest, int) and not rest:
            continue
        with emit.unless_none(rest):
            done = emit.mul(groups, BLOCK)
            tail = _tail(k, place, emit.add(at, emit.mul(done, BLOCK)), blocks, rest)
            _turn(emit, tail, BLOCK * BLOCK, base, emit.add(to, done), BLOCK * pitch, pitch, blocks)
    return Rows(
        base,
        place.dtype,
        0,
        (*outer, place.shape[block]),
        tuple(w.low for w in owned[: block + 1]),
        tuple(w.count for w in owned[: block + 1]),
        (*steps, pitch),
        count,
        positions,
    )


def _turn(
    emit: Emitter,
    place: Place,
    read_step: int,
    base: Generation,
    to: Idx,
    write_step: int,
    pitch: int,
    groups: Idx,
) -> None:
    """[16 positions][16 channels] to [16 channels][16 positions], `groups` times; channels are `pitch` apart."""
    unit = lanes_of(place.dtype)
    for part in range(0, BLOCK, unit):
        at = emit.add(place.offset, part)
        read = emit.view(place.base, [groups, BLOCK, unit], [read_step, BLOCK, 1], at)
        into = emit.add(to, part * pitch)
        write = emit.view(base, [groups, unit, BLOCK], [write_step, pitch, 1], into)
        emit.insert(ascend.TransposeOp(read, write))


def _tail(k: KernelLowering, place: Place, start: Idx, blocks: int, rest: Idx) -> Place:
    """The last `rest` positions of each block of channels, zeros after them up to 16: a transpose reads all 16."""
    base = k.emit.fresh(blocks * BLOCK * BLOCK, place.dtype, "ub", "last_positions")
    fill(k, base, 0, blocks * BLOCK * BLOCK, place.dtype)
    shape, sizes = (blocks, rest if isinstance(rest, int) else BLOCK, BLOCK), (blocks, rest, BLOCK)
    strides = (place.strides[place.block], BLOCK, BLOCK)
    source = Place(place.base, place.dtype, shape, sizes, strides, (0, 1, 2), 2, start)
    result = Place(base, place.dtype, shape, sizes, (BLOCK * BLOCK, BLOCK, BLOCK), (0, 1, 2), 2)
    emit_vector(k.emit, "vcopy", [source], result)
    return result


def _store_lines(k: KernelLowering, place: Place, tensor: SSAValue, offset: Idx, owned: list[Owned]) -> None:
    """A tile of part of the image's width: each line of it is stored on its own."""
    emit, block = k.emit, place.block
    strides = row_major(tensor)
    *lines, width = range(block + 1, len(owned))
    shape = tuple(1 if d in lines else n for d, n in enumerate(place.shape))
    start, at = place.offset, offset
    with ExitStack() as loops:
        for d in lines:
            i = loops.enter_context(emit.loop(0, owned[d].count))
            start = emit.add(start, emit.mul(emit.add(owned[d].low, i), place.strides[d]))
            at = emit.add(at, emit.mul(i, strides[d]))
        line = replace(place, shape=shape, offset=start)
        across = owned[width]
        rows = _channel_rows(k, line, owned, across.low, across.count, place.shape[width], across.multiple)
        store_rows(k, tensor, at, rows, strides[: block + 1], across.multiple)
