"""Loads that move elements: slices with a step, padding, transposes, and the parts of a concatenation.

Rows come by DMA to the place where they belong, whatever order the tensor has them in. Where that is not enough,
because the last dimension of the tile is another one than the tensor's, or is read in steps, or begins between two
32 B blocks, they are staged in UB and go through block transposes:

    lanes turned:          [16 rows][columns] of the tensor  --transpose-->  [columns][16 lanes] of the tile
    lanes shifted, spread: [16 rows][columns]  --transpose-->  [columns][16 rows], where columns have an address each,
                           --transpose-->  [16 rows][columns of the tile]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from xdsl.ir import Attribute, SSAValue

from ...dialects import ascend, tile
from ...dialects.ascend.memory import BLOCK_BYTES, lanes_of, memref_type
from ...dialects.tile import BLOCK, TileType, tile_type
from ...dialects.tiling import Along
from .emitter import Emitter, Generation, Idx
from .narrow import fetch
from .place import Place, blocked_dim, ceil_to
from .taken import Taken, clipped, if_any, reaches_past, taken_of
from .transfers import Run
from .vector import emit_vector

if TYPE_CHECKING:
    from .kernel import KernelLowering


Part = Callable[[int], tuple[list[Taken], Idx]]
"""What a joined tile takes of the tensor of one of its loads, as `taken_of` gives it."""


def moves_elements(k: KernelLowering, op: tile.LoadOp, kind: TileType) -> bool:
    """Whether a load of a row-major tile does more than take a region as it lies in GM, or has rows that are padded."""
    entries = [e for e in op.maps if isinstance(e, Along)]
    last = len(kind.get_shape()) - 1
    dims = [e.dim for e in entries]
    if kind.blocked is not None or op.lead is not None or op.packed is not None or last not in dims:
        return False
    steps = any(e.thin for e in entries)
    rows = entries[dims.index(last)]
    if any(e.is_windowed for e in entries):
        return False
    sizes = memref_type(k.tensors[op.tensor]).get_shape()
    size = next(n for e, n in zip(op.maps, sizes, strict=True) if isinstance(e, Along) and e.dim == last)
    extent = k.extents[last]
    past = isinstance(extent, int) and (extent - 1) * rows.stride - rows.pad >= size
    return steps or dims != sorted(dims) or rows.pad > 0 or past


def joined_later(op: tile.LoadOp) -> bool:
    """Whether a load is of use to a `tile.join` only, or several, each of which has it put in place."""
    uses = [use.operation for use in op.result.uses]
    return bool(uses) and all(isinstance(user, tile.JoinOp) for user in uses) and _comes_in_rows(op)


def _comes_in_rows(op: tile.LoadOp) -> bool:
    """Whether a load follows the lanes of its tile in UB, and picks nothing."""
    kind = tile_type(op.result)
    follows = any(isinstance(e, Along) and e.dim == blocked_dim(kind) for e in op.maps)
    return follows and op.indices is None and kind.space.data == "ub"


def load_moved(
    k: KernelLowering, ops: Sequence[tile.LoadOp], kind: TileType, part: Part | None = None
) -> Place:
    """A row-major tile of what the loads take, each its own part of it (`part`), or of the one load. What none gives
    has the fill value."""
    emit = k.emit
    shape, last = kind.get_shape(), blocked_dim(kind)
    sources = [(op, *(taken_of(k, op) if part is None else part(i))) for i, op in enumerate(ops)]
    complete = part is not None or all(t.whole for _, taken, _ in sources for t in taken)
    value = 0.0 if ops[0].fill is None else ops[0].fill.value.data
    lanes = [next(t for t in taken if t.dim == last) for _, taken, _ in sources]
    follows = [taken[-1].dim == last for _, taken, _ in sources]
    end = _sizes(kind, k, ops[0])[last]
    direct = [_direct(t, end, i == len(lanes) - 1) for i, t in enumerate(lanes)]
    shifted = all(follows) and not all(direct)
    rows = ceil_to(prod(shape[:-1]), BLOCK if shifted else 1)  # block transposes write 16 of them
    room = rows * ceil_to(shape[-1], BLOCK)
    place = tile_place(kind, emit.fresh(room, kind.element_type, "ub", "operand"), k, ops[0])
    if not complete:
        _set(emit, place.base, place.dtype, 0, room, value)
    if shifted:
        _shifted(k, place, [(k.tensors[op.tensor], taken, at) for op, taken, at in sources], complete, value)
        return place
    if complete and any(follows):
        from .narrow import clear_row_tails

        clear_row_tails(k, place)
    for op, taken, at in sources:
        if any(t.count == 0 for t in taken):
            continue
        with if_any(emit, taken):
            if taken[-1].dim == last:
                _by_dma(k, place, k.tensors[op.tensor], taken, at)
            else:
                _turned(k, place, k.tensors[op.tensor], taken, at)
    return place


def tile_place(kind: TileType, base: Generation, k: KernelLowering, op: tile.LoadOp) -> Place:
    """Where a row-major tile is in `base`: rows of whole blocks, one after the other."""
    shape = kind.get_shape()
    pitch = ceil_to(shape[-1], BLOCK)
    strides = (*(prod(shape[d + 1 : -1]) * pitch for d in range(len(shape) - 1)), BLOCK)
    sizes, order = _sizes(kind, k, op), tuple(range(len(shape)))
    return Place(base, kind.element_type, shape, sizes, strides, order, len(shape) - 1)


def _sizes(kind: TileType, k: KernelLowering, op: tile.LoadOp) -> tuple[Idx, ...]:
    """How much of a tile there is, dimension by dimension."""
    followed = {entry.dim for entry in op.maps if isinstance(entry, Along)}
    return tuple(k.idx(op.sizes[d]) if d in followed else 1 for d in range(len(kind.get_shape())))


def _direct(lane: Taken, end: Idx, final: bool) -> bool:
    """Whether DMA can put the lanes where they belong: on a block, and whole blocks of them, or all up to the `end`."""
    on_block = isinstance(lane.before, int) and lane.before % BLOCK == 0
    ends = lane.whole or (
        isinstance(lane.count, int) and (lane.count % BLOCK == 0 or _to_end(lane, end, final))
    )
    return lane.step == 1 and on_block and ends


def _to_end(lane: Taken, end: Idx, final: bool) -> bool:
    reach = lane.before + lane.count if isinstance(lane.before, int) and isinstance(lane.count, int) else -1
    return final and reach == end


def _offset(emit: Emitter, place: Place, taken: Sequence[Taken]) -> Idx:
    """Where in `place` what is taken begins, lanes left out."""
    at = place.offset
    for t in taken:
        if t.dim != place.block:
            at = emit.add(at, emit.mul(t.before, place.strides[t.dim]))
    return at


def _by_dma(k: KernelLowering, place: Place, tensor: SSAValue, taken: Sequence[Taken], at: Idx) -> None:
    *outer, lane = taken
    runs = [Run(t.count, t.stride * t.step, place.strides[t.dim]) for t in outer]
    to = k.emit.add(_offset(k.emit, place, taken), lane.before)
    fetch(k, tensor, at, runs, lane.count, place.own, to)


def _set(
    emit: Emitter, base: Generation | SSAValue, dtype: Attribute, at: Idx, count: Idx, value: float
) -> None:
    """Set `count` elements, whole blocks of 16."""
    if count == 0:
        return
    vector, width = emit.target.vector, lanes_of(dtype)
    step = vector.max_repeat * vector.bytes_per_repeat * width // BLOCK_BYTES
    with emit.loop(0, count, step) as done:
        piece = emit.min(emit.sub(count, done), step)
        emit.insert(ascend.VecOp("vdup", [], emit.view(base, [piece], [1], emit.add(at, done)), value))


def _transposes(
    emit: Emitter,
    source: tuple[Generation | SSAValue, Idx, int],
    result: tuple[Generation | SSAValue, Idx, int],
    dtype: Attribute,
    walks: Sequence[tuple[Idx, int, int]],
) -> None:
    """Blocks of 16 rows and one 32 B block each, at every point of `walks` (count, step in source and result). Sources
    and results are a base, an offset and the distance of their rows."""
    width, most = lanes_of(dtype), emit.target.vector.max_repeat
    (read_base, read_at, read_row), (write_base, write_at, write_row) = source, result
    known = [w for w in walks if w[0] != 1]
    repeats = max(known, key=lambda w: w[0] if isinstance(w[0], int) else most + 1, default=(1, 0, 0))
    rest = [w for w in known if w is not repeats]

    def walk(left: list[tuple[Idx, int, int]], read_from: Idx, write_to: Idx) -> None:
        if left:
            count, near, far = left[0]
            with emit.loop(0, count) as i:
                walk(left[1:], emit.add(read_from, emit.mul(i, near)), emit.add(write_to, emit.mul(i, far)))
            return
        count, near, far = repeats
        with emit.loop(0, count, most) as first:
            piece = (
                min(most, count)
                if isinstance(count, int) and count <= most
                else emit.min(most, emit.sub(count, first))
            )
            read_here, write_here = (
                emit.add(read_from, emit.mul(first, near)),
                emit.add(write_to, emit.mul(first, far)),
            )
            read = emit.view(read_base, [piece, BLOCK, width], [near, read_row, 1], read_here)
            write = emit.view(write_base, [piece, width, BLOCK], [far, write_row, 1], write_here)
            emit.insert(ascend.TransposeOp(read, write))

    walk(rest, read_at, write_at)


def _turned(k: KernelLowering, place: Place, tensor: SSAValue, taken: Sequence[Taken], at: Idx) -> None:
    """The tensor's last dimension is another one of the tile: rows of it, staged lane by lane, are transposed."""
    emit, dtype, width = k.emit, place.dtype, lanes_of(place.dtype)
    *outer, inner = taken
    lane = next(t for t in taken if t.dim == place.block)
    lanes = ceil_to(place.shape[place.block], BLOCK)
    span = (place.shape[inner.dim] - 1) * inner.step + 1
    columns = ceil_to(span, BLOCK)
    others = [t for t in outer if t is not lane]
    steps = {
        t: prod(place.shape[o.dim] for o in others[i + 1 :]) * lanes * columns for i, t in enumerate(others)
    }
    count = prod(place.shape[t.dim] for t in others)
    staged = emit.fresh(count * lanes * columns, dtype, "ub", "rows")
    if not (lane.whole and lane.count == lanes and inner.whole and isinstance(inner.count, int)):
        _set(emit, staged, dtype, 0, count * lanes * columns, 0.0)
    runs = [Run(t.count, t.stride * t.step, columns if t is lane else steps[t]) for t in outer]
    length = emit.add(emit.mul(emit.sub(inner.count, 1), inner.step), 1)
    if not isinstance(inner.count, int) or inner.step > 1:
        length = emit.max(length, 0)
    fetch(k, tensor, at, runs, length, staged, emit.mul(lane.before, columns))
    turned = emit.fresh(count * lanes * columns, dtype, "ub", "turned")
    each: list[tuple[Idx, int, int]] = [(count, lanes * columns, lanes * columns)]
    if any(t.count != place.shape[t.dim] for t in others):  # what no row came to is not turned
        each = [(t.count, steps[t], steps[t]) for t in others]
    walks = [
        *each,
        (lanes // BLOCK, BLOCK * columns, BLOCK),
        (-(-span // width), width, width * lanes),
    ]
    _transposes(emit, (staged, 0, columns), (turned, 0, lanes), dtype, walks)
    strides, sizes, shape = [0] * len(place.shape), [1] * len(place.shape), [1] * len(place.shape)
    strides[place.block] = BLOCK
    sized: list[Idx] = [*sizes]
    for t in taken:
        shape[t.dim] = place.shape[t.dim]
        sized[t.dim] = t.count
        strides[t.dim] = BLOCK if t is lane else inner.step * lanes if t is inner else steps[t]
    # whole blocks of lanes: those before and after the taken ones are zero, or another part's
    low = emit.div(lane.before, BLOCK)
    begin = emit.mul(low, BLOCK)
    sized[place.block] = emit.sub(emit.add(lane.before, lane.count), begin)
    source = Place(turned, dtype, tuple(shape), tuple(sized), tuple(strides), place.order, place.block, begin)
    to = replace(
        place, shape=tuple(shape), sizes=tuple(sized), offset=emit.add(_offset(emit, place, taken), begin)
    )
    emit_vector(emit, "vcopy", [source], to)


def _shifted(
    k: KernelLowering,
    place: Place,
    sources: Sequence[tuple[SSAValue, Sequence[Taken], Idx]],
    complete: bool,
    value: float,
) -> None:
    """Lanes that begin between blocks, or are read in steps: to [columns][16 rows], where a column has an address of
    its own, and back."""
    emit, dtype, width = k.emit, place.dtype, lanes_of(place.dtype)
    shape, lanes = place.shape, ceil_to(place.shape[place.block], BLOCK)
    rows = ceil_to(prod(shape[:-1]), BLOCK)
    groups = rows // BLOCK
    (single,) = [*sources] if len(sources) == 1 else (None,)
    step = 1 if single is None else single[1][-1].step
    spread = single is not None and single[1][-1].whole  # read in steps by the second transpose
    room = lanes * step if spread else lanes
    columns = emit.fresh(groups * room * BLOCK, dtype, "ub", "columns")
    if not (complete and spread and ceil_to((shape[-1] - 1) * step + 1, BLOCK) == room):
        _set(emit, columns, dtype, 0, groups * room * BLOCK, value)

    def bring(tensor: SSAValue, taken: Sequence[Taken], at: Idx) -> None:
        *outer, lane = taken
        span = (shape[lane.dim] - 1) * lane.step + 1
        pitch = ceil_to(span, BLOCK)
        staged = emit.fresh(rows * pitch, dtype, "ub", "rows")
        steps = {t.dim: place.strides[t.dim] // lanes * pitch for t in outer}
        runs = [Run(t.count, t.stride * t.step, steps[t.dim]) for t in outer]
        start: Idx = 0
        for t in outer:
            start = emit.add(start, emit.mul(t.before, steps[t.dim]))
        full = all(t.whole and t.count == shape[t.dim] for t in outer) and prod(shape[:-1]) == rows
        full = full and lane.whole and lane.count == shape[lane.dim] and span == pitch
        if not full:
            _set(emit, staged, dtype, 0, rows * pitch, value)
        length = emit.max(emit.add(emit.mul(emit.sub(lane.count, 1), lane.step), 1), 0)
        if isinstance(lane.count, int) and lane.count <= 0:
            length = 0
        fetch(k, tensor, at, runs, length, staged, start)
        walks: list[tuple[Idx, int, int]] = [
            (groups, BLOCK * pitch, (room if spread else pitch) * BLOCK),
            (pitch // width, width, width * BLOCK),
        ]
        if spread:
            _transposes(emit, (staged, 0, pitch), (columns, 0, BLOCK), dtype, walks)
            return
        narrow = emit.fresh(groups * pitch * BLOCK, dtype, "ub", "turned")
        walks[0] = (groups, BLOCK * pitch, pitch * BLOCK)
        _transposes(emit, (staged, 0, pitch), (narrow, 0, BLOCK), dtype, walks)
        dims, order = (groups, shape[lane.dim], BLOCK), (0, 1, 2)
        sizes = (groups, lane.count, BLOCK)
        near = Place(narrow, dtype, dims, sizes, (pitch * BLOCK, lane.step * BLOCK, BLOCK), order, 2)
        far = Place(
            columns, dtype, dims, sizes, (room * BLOCK, BLOCK, BLOCK), order, 2, emit.mul(lane.before, BLOCK)
        )
        emit_vector(emit, "vcopy", [near], far)

    for source in sources:
        with if_any(emit, source[1]):
            bring(*source)
    taken_step = step if spread else 1
    for part in range(0, BLOCK, width):
        walks = [
            (groups, room * BLOCK, BLOCK * lanes),
            (lanes // BLOCK, BLOCK * BLOCK * taken_step, BLOCK),
        ]
        _transposes(
            emit,
            (columns, part, BLOCK * taken_step),
            (place.base, part * lanes, lanes),
            dtype,
            walks,
        )


def lower_join(k: KernelLowering, op: tile.JoinOp) -> Place:
    """The tiles' parts in one place: those that come from GM go there at once, others are copied. What begins between
    two 32 B blocks no instruction copies: it comes from GM here even if its tile is of use elsewhere."""
    emit, kind = k.emit, tile_type(op.result)
    dim, starts = op.dim.value.data, op.start_list
    between = dim == blocked_dim(kind) and any(start % BLOCK for start in starts)
    at, ends = k.idx(op.at), (*starts[1:], max(k.source.extent_list[dim], starts[-1]))
    loads: list[tile.LoadOp] = []
    bounds: list[tuple[int, int]] = []
    for source, its in zip(op.sources, zip(starts, ends, strict=True), strict=True):
        if not isinstance(source.owner, tile.LoadOp) or not _comes_in_rows(source.owner):
            continue
        if not between and not joined_later(source.owner):
            continue
        lane = next(t for t in taken_of(k, source.owner)[0] if t.dim == blocked_dim(kind))
        if dim == blocked_dim(kind) or (lane.step == 1 and lane.whole):
            loads.append(source.owner)
            bounds.append(its)
        else:  # goes through groups of 16 rows, which other parts may share
            k.places[source] = load_moved(k, [source.owner], kind)

    def within(start: int, end: int, size: Idx) -> tuple[Idx, Idx]:
        low, high = (emit.min(emit.max(emit.sub(n, at), 0), size) for n in (start, end))
        return low, high

    def part(index: int) -> tuple[list[Taken], Idx]:
        load, (start, end) = loads[index], bounds[index]
        taken, begin = taken_of(k, load)
        if not reaches_past(k, load, dim, start, end):
            return taken, begin
        return clipped(emit, taken, begin, dim, *within(start, end, k.idx(load.sizes[dim])))

    if loads:
        place = load_moved(k, loads, kind, part)
    else:
        place = k.new_place(kind, k.places[op.sources[0]].sizes, "operand")
    for source, start, end in zip(op.sources, starts, ends, strict=True):
        if source.owner in loads:
            continue
        held, size = k.places[source], place.sizes[dim]
        low, high = within(start, end, size)
        sizes = tuple(emit.sub(high, low) if d == dim else n for d, n in enumerate(place.sizes))
        count = sizes[dim]
        if count == 0:
            continue
        step = [emit.mul(low, p.strides[dim]) for p in (held, place)]
        if dim == place.block:
            step = [low, low]
        near = replace(held, sizes=sizes, offset=emit.add(held.offset, step[0]))
        far = replace(place, sizes=sizes, offset=emit.add(place.offset, step[1]))
        if isinstance(count, int):
            emit_vector(emit, "vcopy", [near], far)
            continue
        with emit.condition("sge", count, 1):
            emit_vector(emit, "vcopy", [near], far)
    return place


__all__ = ["joined_later", "load_moved", "lower_join", "moves_elements"]
