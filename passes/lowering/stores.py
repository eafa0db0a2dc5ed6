"""`tile.store`: a tile in UB to its tensor in GM, in bursts of whole 32 B blocks that never leave the tile's rows.

Blocked tiles are first put back into the tensor's order: by strided copies where the columns are contiguous in GM, by
transposes where the rows of the matrix are (NCHW). Rows that are no multiple of 32 B are written as two bursts that
overlap, the second one ending where the row ends; rows shorter than a block are packed together on chip.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import gcd, prod
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ...dialects import ascend, tile
from ...dialects.ascend.memory import memref_type
from ...dialects.tile import BLOCK
from .emitter import Generation, Idx
from .loads import fill
from .moves import Run, gm_offset, granule, move, row_major
from .place import Place, ceil_to
from .vector import emit_vector

if TYPE_CHECKING:
    from .kernel import KernelLowering


@dataclass(frozen=True)
class _Owned:
    """Along one dimension: the first element of the chunk that this grid point writes, and how many."""

    low: Idx
    count: Idx


def lower_store(k: KernelLowering, op: tile.StoreOp) -> None:
    """Emit the store of one tile."""
    place = k.places[op.tile]
    tensor = k.tensors[op.tensor]
    offsets = [k.idx(o) for o in op.offsets]
    sizes = [k.idx(s) for s in op.sizes]
    owned = [_owned(k, d, offsets[d], sizes[d]) for d in range(len(offsets))]
    last = len(offsets) - 1
    if place.block == last:
        _store_rows(k, place, tensor, offsets, owned)
    else:
        _store_channels(k, place, tensor, offsets, owned)


def _owned(k: KernelLowering, dim: int, offset: Idx, size: Idx) -> _Owned:
    emit = k.emit
    extent = k.source.extent_list[dim]
    first = k.firsts[dim]
    if first is not None:
        low = emit.max(emit.sub(first, offset), 0)
        return _Owned(low, emit.max(emit.sub(size, low), 0))
    if isinstance(size, int) and (size > extent or (isinstance(offset, int) and offset + size > extent)):
        return _Owned(0, emit.sub(extent, offset))
    if isinstance(size, int) and k.source.tails.data == "shift" and extent % size:
        return _Owned(0, emit.max(emit.min(size, emit.sub(extent, offset)), 0))
    return _Owned(0, size)


def _store_rows(
    k: KernelLowering, place: Place, tensor: SSAValue, offsets: list[Idx], owned: list[_Owned]
) -> None:
    """The last dimension is the blocked one: rows of the tensor."""
    emit = k.emit
    strides = row_major(tensor)
    last = len(offsets) - 1
    unit = granule(place.dtype)
    columns = owned[last].count
    rows = prod(place.shape[:last])
    starts = [emit.add(o, w.low) for o, w in zip(offsets, owned, strict=True)]
    offset = gm_offset(emit, tensor, starts)
    ragged = last > 0 and rows > 1 and (not isinstance(columns, int) or columns % unit != 0)
    if ragged and isinstance(columns, int) and columns < BLOCK:
        _store_packed(k, place, tensor, offset, columns, rows, owned)
        return
    flat = place
    if place.order != tuple(range(last + 1)):
        flat = _to_rows(k, place)
    begin = flat.offset
    for d in range(last):
        begin = emit.add(begin, emit.mul(owned[d].low, flat.strides[d]))
    runs = [Run(owned[d].count, strides[d], flat.strides[d]) for d in range(last)]
    if not ragged:
        move(emit, tensor, offset, runs, columns, flat.base, begin, to_gm=True)
        return
    assert isinstance(columns, int)
    whole = columns // unit * unit
    move(emit, tensor, offset, runs, whole, flat.base, begin, to_gm=True)
    ends = _row_ends(k, flat, rows, columns)
    end_runs = [
        Run(r.count, r.gm, flat.strides[d] // flat.strides[last - 1] * BLOCK) for d, r in enumerate(runs)
    ]
    at: Idx = 0
    for d in range(last):
        at = emit.add(at, emit.mul(owned[d].low, end_runs[d].ub))
    move(emit, tensor, emit.add(offset, columns - BLOCK), end_runs, BLOCK, ends, at, to_gm=True)


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
    base = k.emit.fresh(ceil_to(step // columns, BLOCK) * columns, place.dtype, "ub", "rows")
    flat = replace(place, base=base, strides=tuple(strides), order=tuple(range(rank)), offset=0)
    emit_vector(k.emit, "vcopy", [replace(place, order=flat.order)], flat)
    return flat


def _row_ends(k: KernelLowering, flat: Place, rows: int, columns: int) -> Generation:
    """[rows][16]: the last 16 elements of each row, aligned, by transposing its last two blocks there and back."""
    emit = k.emit
    unit = granule(flat.dtype)
    groups = -(-rows // BLOCK)
    first = max(ceil_to(columns, BLOCK) // BLOCK - 2, 0) * BLOCK
    (elements,) = memref_type(flat.base.buffer.result).get_shape()
    if groups * BLOCK * flat.strides[-2] > elements:
        flat, first = _last_blocks(k, flat, groups, first, ceil_to(columns, BLOCK)), 0
    pitch = flat.strides[-2]
    turned = emit.fresh(groups * 2 * BLOCK * BLOCK, flat.dtype, "ub", "turned")
    ends = emit.fresh(groups * BLOCK * BLOCK, flat.dtype, "ub", "row_ends")
    for part in range(0, min(2 * BLOCK, ceil_to(columns, BLOCK)), unit):
        read = emit.view(
            flat.base, [groups, BLOCK, unit], [BLOCK * pitch, pitch, 1], emit.add(flat.offset, first + part)
        )
        write = emit.view(turned, [groups, unit, BLOCK], [2 * BLOCK * BLOCK, BLOCK, 1], part * BLOCK)
        emit.insert(ascend.TransposeOp(read, write))
    start = (columns - max(ceil_to(columns, BLOCK) - 2 * BLOCK, 0) - BLOCK) * BLOCK
    for part in range(0, BLOCK, unit):
        read = emit.view(turned, [groups, BLOCK, unit], [2 * BLOCK * BLOCK, BLOCK, 1], start + part)
        write = emit.view(ends, [groups, unit, BLOCK], [BLOCK * BLOCK, BLOCK, 1], part * BLOCK)
        emit.insert(ascend.TransposeOp(read, write))
    return ends


def _last_blocks(k: KernelLowering, flat: Place, groups: int, first: int, columns: int) -> Place:
    """The columns from `first` on in a buffer with room for whole groups of 16 rows, which a transpose reads."""
    last = len(flat.shape) - 1
    width = columns - first
    base = k.emit.fresh(groups * BLOCK * width, flat.dtype, "ub", "last_blocks")
    fill(k, base, 0, groups * BLOCK * width, flat)
    read = replace(
        flat,
        shape=(*flat.shape[:last], width),
        sizes=(*flat.sizes[:last], width),
        offset=k.emit.add(flat.offset, first),
    )
    steps = [prod(flat.shape[d + 1 : last]) * width for d in range(last)]
    moved = replace(read, base=base, strides=(*steps, BLOCK), offset=0)
    emit_vector(k.emit, "vcopy", [read], moved)
    return moved


def _store_packed(
    k: KernelLowering,
    place: Place,
    tensor: SSAValue,
    offset: Idx,
    columns: int,
    rows: int,
    owned: list[_Owned],
) -> None:
    """Rows shorter than a block: pack them into one run. Sixteen lanes each take the rows of a 32 B multiple; a
    transpose puts every element in a block of its own, a copy drops the gaps, a transpose goes back."""
    emit = k.emit
    unit = granule(place.dtype)
    per_lane = BLOCK // gcd(columns, BLOCK)
    batch = BLOCK * per_lane
    units = -(-rows // batch)
    last = len(place.shape) - 1
    row_stride = place.strides[last - 1]
    padded = place
    if rows % batch or place.offset != 0 or any(s == 0 for s in place.strides):
        base = emit.fresh(units * batch * BLOCK, place.dtype, "ub", "padded")
        fill(k, base, 0, units * batch * BLOCK, place)
        steps = [prod(place.shape[d + 1 : last]) * BLOCK for d in range(last)]
        padded = replace(place, base=base, strides=(*steps, BLOCK), order=tuple(range(last + 1)), offset=0)
        emit_vector(emit, "vcopy", [replace(place, order=padded.order)], padded)
        row_stride = BLOCK
    apart = emit.fresh(per_lane * BLOCK * BLOCK, place.dtype, "ub", "apart")
    close = emit.fresh(per_lane * columns * BLOCK, place.dtype, "ub", "close")
    packed = emit.fresh(units * batch * columns, place.dtype, "ub", "packed")
    run = per_lane * columns
    for u in range(units):
        start = u * batch * row_stride
        for part in range(0, BLOCK, unit):
            read = emit.view(
                padded.base, [per_lane, BLOCK, unit], [row_stride, per_lane * row_stride, 1], start + part
            )
            write = emit.view(apart, [per_lane, unit, BLOCK], [BLOCK * BLOCK, BLOCK, 1], part * BLOCK)
            emit.insert(ascend.TransposeOp(read, write))
        shape = (per_lane, columns, BLOCK)
        source = Place(apart, place.dtype, shape, shape, (BLOCK * BLOCK, BLOCK, BLOCK), (0, 1, 2), 2)
        emit_vector(
            emit, "vcopy", [source], replace(source, base=close, strides=(columns * BLOCK, BLOCK, BLOCK))
        )
        for part in range(0, BLOCK, unit):
            read = emit.view(close, [run // BLOCK, BLOCK, unit], [BLOCK * BLOCK, BLOCK, 1], part)
            at = u * batch * columns + part * run
            write = emit.view(packed, [run // BLOCK, unit, BLOCK], [BLOCK, run, 1], at)
            emit.insert(ascend.TransposeOp(read, write))
    count: Idx = columns
    for d in range(last):
        count = emit.mul(count, place.sizes[d] if owned[d].low == 0 else place.shape[d])
    begin = offset
    if any(w.low != 0 for w in owned):
        strides = row_major(tensor)
        for d, w in enumerate(owned):
            begin = emit.sub(begin, emit.mul(w.low, strides[d]))
    move(emit, tensor, begin, [], count, packed, 0, to_gm=True)


def _store_channels(
    k: KernelLowering, place: Place, tensor: SSAValue, offsets: list[Idx], owned: list[_Owned]
) -> None:
    """[.., c, h, w] in GM from blocks of c: a transpose for each block, then channel rows by DMA."""
    emit = k.emit
    strides = row_major(tensor)
    block = place.block
    inner = list(range(block + 1, len(offsets)))
    unit = granule(place.dtype)
    whole_rows = all(place.shape[d] == k.source.extent_list[d] for d in inner[1:])
    positions = prod(place.shape[d] for d in inner)
    low: Idx = 0
    count: Idx = 1
    for d in inner:
        low = emit.add(emit.mul(low, place.shape[d]), owned[d].low) if whole_rows else 0
        count = emit.mul(count, owned[d].count)
    starts = [emit.add(o, w.low) for o, w in zip(offsets, owned, strict=True)]
    offset = gm_offset(emit, tensor, starts)
    blocks = -(-place.shape[block] // BLOCK)
    channels = owned[block].count
    if not whole_rows:
        _store_image_rows(k, place, tensor, starts, owned, inner)
        return
    pitch = ceil_to(positions, BLOCK)
    aligned = isinstance(count, int) and count % unit == 0
    if isinstance(count, int) and count < BLOCK and not aligned:
        rows = _channel_rows(k, place, blocks, low, pitch, -(-positions // BLOCK))
        shape = (place.shape[block], positions)
        sizes = (channels, positions)
        flat = Place(rows, place.dtype, shape, sizes, (pitch, BLOCK), (0, 1), 1)
        _store_packed(
            k,
            flat,
            tensor,
            offset,
            positions,
            place.shape[block],
            [_Owned(0, channels), _Owned(0, positions)],
        )
        return
    rows = _channel_rows(k, place, blocks, low, pitch, emit.div(emit.add(count, BLOCK - 1), BLOCK))
    whole = emit.mul(emit.div(count, unit), unit)
    move(emit, tensor, offset, [Run(channels, strides[block], pitch)], whole, rows, 0, to_gm=True)
    if aligned:
        return
    end = emit.sub(emit.add(low, count), BLOCK)
    tails = _channel_rows(k, place, blocks, end, BLOCK, 1)
    at = emit.add(offset, emit.sub(count, BLOCK))
    move(emit, tensor, at, [Run(channels, strides[block], BLOCK)], BLOCK, tails, 0, to_gm=True)


def _channel_rows(
    k: KernelLowering, place: Place, blocks: int, low: Idx, pitch: int, groups: Idx
) -> Generation:
    """[c][position] with `pitch` elements a channel, from position `low`, `groups` times 16 positions."""
    emit = k.emit
    unit = granule(place.dtype)
    rows = emit.fresh(blocks * BLOCK * pitch, place.dtype, "ub", "channels")
    start = emit.add(place.offset, emit.mul(low, BLOCK))
    with emit.loop(0, blocks) as c1:
        for part in range(0, BLOCK, unit):
            at = emit.add(emit.add(start, part), emit.mul(c1, place.strides[place.block]))
            read = emit.view(place.base, [groups, BLOCK, unit], [BLOCK * BLOCK, BLOCK, 1], at)
            to = emit.add(emit.mul(c1, BLOCK * pitch), part * pitch)
            write = emit.view(rows, [groups, unit, BLOCK], [BLOCK, pitch, 1], to)
            emit.insert(ascend.TransposeOp(read, write))
    return rows


def _store_image_rows(
    k: KernelLowering,
    place: Place,
    tensor: SSAValue,
    starts: list[Idx],
    owned: list[_Owned],
    inner: list[int],
) -> None:
    """A tile of part of the image's width: each row of it is stored on its own."""
    emit = k.emit
    block = place.block
    outer, width = inner[:-1], inner[-1]
    rest = prod(place.shape[d] for d in outer)
    assert len(outer) == 1, "a tile of part of the width has one dimension of rows"
    del rest
    rows = outer[0]
    with emit.loop(0, owned[rows].count) as i:
        shift = emit.mul(emit.add(owned[rows].low, i), place.strides[rows])
        across = emit.mul(owned[width].low, place.strides[width])
        line = replace(
            place,
            shape=tuple(1 if d == rows else n for d, n in enumerate(place.shape)),
            offset=emit.add(emit.add(place.offset, shift), across),
        )
        count = owned[width].count
        unit = granule(place.dtype)
        blocks = -(-place.shape[block] // BLOCK)
        pitch = ceil_to(place.shape[width], BLOCK)
        out = _channel_rows(k, line, blocks, 0, pitch, emit.div(emit.add(count, BLOCK - 1), BLOCK))
        at = gm_offset(emit, tensor, [emit.add(s, i) if d == rows else s for d, s in enumerate(starts)])
        strides = row_major(tensor)
        whole = emit.mul(emit.div(count, unit), unit)
        runs = [Run(owned[block].count, strides[block], pitch)]
        move(emit, tensor, at, runs, whole, out, 0, to_gm=True)
        if not (isinstance(count, int) and count % unit == 0):
            end = emit.sub(count, BLOCK)
            tails = _channel_rows(k, line, blocks, end, BLOCK, 1)
            end_runs = [Run(owned[block].count, strides[block], BLOCK)]
            move(emit, tensor, emit.add(at, end), end_runs, BLOCK, tails, 0, to_gm=True)
