"""Loads that move elements: slices with a step, padding, transposes, and the parts of a concatenation (`join`).

Rows come by DMA to the place where they belong, whatever order the tensor has them in. Where that is not enough,
because the last dimension of the tile is another one than the tensor's, or is read in steps, or begins between two
32 B blocks, they are staged in UB and go through block transposes:

    lanes turned:          [16 rows][columns] of the tensor  --transpose-->  [columns][16 lanes] of the tile
    lanes shifted, spread: [16 rows][columns]  --transpose-->  [columns][16 rows], where columns have an address each,
                           --transpose-->  [16 rows][columns of the tile]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

from xdsl.ir import Attribute, SSAValue

from ....dialects import ascend, tile
from ....dialects.ascend.memory import memref_type
from ....dialects.element_types import BLOCK_BYTES, lanes_of
from ....dialects.tile import BLOCK, TileType
from ....dialects.tiling import Along
from ...selection.transfers import Run
from ...support.indices import Idx
from ..base.clip_region import ClippedDim, clipped_dims, if_any
from ..base.emitter import Emitter, Generation
from ..base.place import Place, blocked_dim, ceil_to
from ..vector.padding import fill_side
from ..vector.vector import emit_vector
from .narrow_types import fetch

if TYPE_CHECKING:
    from ..base.context import LoweringContext


@dataclass(frozen=True)
class Source:
    """What a tile takes of the tensor of a load, as `clipped_dims` gives it, and what it has where the tensor gives
    nothing (`value`). Of a joined tile, it gives the elements `low` to `high` along `dim`. `complete`: the tensor gives
    them all."""

    op: tile.LoadOp
    clip: Sequence[ClippedDim]
    at: Idx
    complete: bool
    dim: int | None = None
    low: Idx = 0
    high: Idx = 0

    @property
    def value(self) -> float:
        return 0.0 if self.op.fill is None else self.op.fill.value.data


def moves_elements(k: LoweringContext, op: tile.LoadOp, kind: TileType) -> bool:
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


def load_moved(k: LoweringContext, op: tile.LoadOp, kind: TileType) -> Place:
    """A row-major tile of what a load takes; elsewhere it has the fill value."""
    clip, at = clipped_dims(k, op)
    return load_parts(k, [Source(op, clip, at, all(t.whole for t in clip))], kind)


def load_parts(k: LoweringContext, sources: Sequence[Source], kind: TileType) -> Place:
    """A row-major tile of what the sources give, each its part of it. What its tensor does not give of its part has the
    source's fill value."""
    emit, first = k.emit, sources[0].op
    shape, last = kind.get_shape(), blocked_dim(kind)
    complete = all(source.complete for source in sources)
    lanes = [next(t for t in source.clip if t.dim == last) for source in sources]
    follows = [source.clip[-1].dim == last for source in sources]
    end = _sizes(kind, k, first)[last]
    direct = [_direct(t, end, i == len(lanes) - 1) for i, t in enumerate(lanes)]
    shifted = all(follows) and not all(direct)
    rows = ceil_to(prod(shape[:-1]), BLOCK if shifted else 1)  # block transposes write 16 of them
    room = rows * ceil_to(shape[-1], BLOCK)
    place = tile_place(kind, emit.fresh(room, kind.element_type, "ub", "operand"), k, first)
    _fill(k, place, sources, room)
    if shifted:
        _shifted(k, place, sources, complete)
        return place
    if complete and any(follows):
        from .narrow_types import clear_row_tails

        clear_row_tails(k, place)
    for source in sources:
        clip, tensor = source.clip, k.tensors[source.op.tensor]
        if any(t.count == 0 for t in clip):
            continue
        with if_any(emit, clip):
            if clip[-1].dim == last:
                _by_dma(k, place, tensor, clip, source.at)
            else:
                _turned(k, place, tensor, clip, source.at, source.value)
    return place


def _fill(k: LoweringContext, place: Place, sources: Sequence[Source], room: int) -> None:
    """Set `room` elements of a tile that some tensors do not give to fill values, each source's part to its own."""
    values = [source.value for source in sources if not source.complete]
    if not values:
        return
    _set(k.emit, place.base, place.dtype, 0, room, values[0])
    for source in sources:
        if source.dim is not None and not source.complete and source.value != values[0]:
            count, most = k.emit.sub(source.high, source.low), place.shape[source.dim]
            fill_side(k, place, source.dim, source.low, count, most, source.value)


def tile_place(kind: TileType, base: Generation, k: LoweringContext, op: tile.LoadOp) -> Place:
    """Where a row-major tile is in `base`: rows of whole blocks, one after the other."""
    shape = kind.get_shape()
    pitch = ceil_to(shape[-1], BLOCK)
    strides = (*(prod(shape[d + 1 : -1]) * pitch for d in range(len(shape) - 1)), BLOCK)
    sizes, order = _sizes(kind, k, op), tuple(range(len(shape)))
    return Place(base, kind.element_type, shape, sizes, strides, order, len(shape) - 1)


def _sizes(kind: TileType, k: LoweringContext, op: tile.LoadOp) -> tuple[Idx, ...]:
    """How much of a tile there is, dimension by dimension."""
    followed = {entry.dim for entry in op.maps if isinstance(entry, Along)}
    return tuple(k.idx(op.sizes[d]) if d in followed else 1 for d in range(len(kind.get_shape())))


def _direct(lane: ClippedDim, end: Idx, final: bool) -> bool:
    """Whether DMA can put the lanes where they belong: on a block, and whole blocks of them, or all up to the `end`."""
    on_block = isinstance(lane.before, int) and lane.before % BLOCK == 0
    ends = lane.whole or (
        isinstance(lane.count, int) and (lane.count % BLOCK == 0 or _to_end(lane, end, final))
    )
    return lane.step == 1 and on_block and ends


def _to_end(lane: ClippedDim, end: Idx, final: bool) -> bool:
    reach = lane.before + lane.count if isinstance(lane.before, int) and isinstance(lane.count, int) else -1
    return final and reach == end


def _offset(emit: Emitter, place: Place, clip: Sequence[ClippedDim]) -> Idx:
    """Where in `place` what is taken begins, lanes left out."""
    at = place.offset
    for t in clip:
        if t.dim != place.block:
            at = emit.add(at, emit.mul(t.before, place.strides[t.dim]))
    return at


def _by_dma(k: LoweringContext, place: Place, tensor: SSAValue, clip: Sequence[ClippedDim], at: Idx) -> None:
    *outer, lane = clip
    runs = [Run(t.count, t.stride * t.step, place.strides[t.dim], place.shape[t.dim]) for t in outer]
    to = k.emit.add(_offset(k.emit, place, clip), lane.before)
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


def block_transposes(
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


def _turned(
    k: LoweringContext, place: Place, tensor: SSAValue, clip: Sequence[ClippedDim], at: Idx, value: float
) -> None:
    """The tensor's last dimension is another one of the tile: rows of it, staged lane by lane, are transposed. Lanes
    that no row came to have `value`."""
    emit, dtype, width = k.emit, place.dtype, lanes_of(place.dtype)
    *outer, inner = clip
    lane = next(t for t in clip if t.dim == place.block)
    lanes = ceil_to(place.shape[place.block], BLOCK)
    span = (place.shape[inner.dim] - 1) * inner.step + 1
    columns = ceil_to(span, BLOCK)
    others = [t for t in outer if t is not lane]
    steps = {
        t: prod(place.shape[o.dim] for o in others[i + 1 :]) * lanes * columns for i, t in enumerate(others)
    }
    count = prod(place.shape[t.dim] for t in others)
    staged = emit.fresh(count * lanes * columns, dtype, "ub", "rows")
    settled = lane.whole and isinstance(lane.count, int) and inner.whole and isinstance(inner.count, int)
    if not settled:
        _set(emit, staged, dtype, 0, count * lanes * columns, value)
    elif isinstance(lane.count, int) and lane.count < lanes:  # beside what DMA writes, so neither waits
        shape = (count, lanes - lane.count, columns)
        pitches, first = (lanes * columns, columns, BLOCK), lane.count * columns
        beside = Place(staged, dtype, shape, shape, pitches, (0, 1, 2), 2, first)
        emit_vector(emit, "vdup", [], beside, value)
    runs = [Run(t.count, t.stride * t.step, columns if t is lane else steps[t]) for t in outer]
    length = emit.add(emit.mul(emit.sub(inner.count, 1), inner.step), 1)
    if not isinstance(inner.count, int) or inner.step > 1:
        length = emit.max(length, 0)
    fetch(k, tensor, at, runs, length, staged, emit.mul(lane.before, columns))
    if settled and span % width == 0 and inner.step == 1 and all(t.whole and t.before == 0 for t in clip):
        row = place.strides[inner.dim]
        walks = [
            *((t.count, steps[t], place.strides[t.dim]) for t in others),
            (lanes // BLOCK, BLOCK * columns, BLOCK),
            (span // width, width, width * row),
        ]
        block_transposes(emit, (staged, 0, columns), (place.base, place.offset, row), dtype, walks)
        return
    turned = emit.fresh(count * lanes * columns, dtype, "ub", "turned")
    each: list[tuple[Idx, int, int]] = [(count, lanes * columns, lanes * columns)]
    if any(t.count != place.shape[t.dim] for t in others):  # what no row came to is not turned
        each = [(t.count, steps[t], steps[t]) for t in others]
    walks = [
        *each,
        (lanes // BLOCK, BLOCK * columns, BLOCK),
        (-(-span // width), width, width * lanes),
    ]
    block_transposes(emit, (staged, 0, columns), (turned, 0, lanes), dtype, walks)
    strides, sizes, shape = [0] * len(place.shape), [1] * len(place.shape), [1] * len(place.shape)
    strides[place.block] = BLOCK
    sized: list[Idx] = [*sizes]
    for t in clip:
        shape[t.dim] = place.shape[t.dim]
        sized[t.dim] = t.count
        strides[t.dim] = BLOCK if t is lane else inner.step * lanes if t is inner else steps[t]
    # whole blocks of lanes: those before and after the taken ones have the fill value, or are another part's
    low = emit.div(lane.before, BLOCK)
    begin = emit.mul(low, BLOCK)
    sized[place.block] = emit.sub(emit.add(lane.before, lane.count), begin)
    source = Place(turned, dtype, tuple(shape), tuple(sized), tuple(strides), place.order, place.block, begin)
    to = replace(
        place, shape=tuple(shape), sizes=tuple(sized), offset=emit.add(_offset(emit, place, clip), begin)
    )
    emit_vector(emit, "vcopy", [source], to)


def _shifted(k: LoweringContext, place: Place, sources: Sequence[Source], complete: bool) -> None:
    """Lanes that begin between blocks, or are read in steps: to [columns][16 rows], where a column has an address of
    its own, and back."""
    emit, dtype, width = k.emit, place.dtype, lanes_of(place.dtype)
    shape, lanes = place.shape, ceil_to(place.shape[place.block], BLOCK)
    rows = ceil_to(prod(shape[:-1]), BLOCK)
    groups = rows // BLOCK
    (single,) = [*sources] if len(sources) == 1 else (None,)
    step = 1 if single is None else single.clip[-1].step
    spread = single is not None and single.clip[-1].whole  # read in steps by the second transpose
    room = lanes * step if spread else lanes
    columns = emit.fresh(groups * room * BLOCK, dtype, "ub", "columns")
    if not (complete and spread and ceil_to((shape[-1] - 1) * step + 1, BLOCK) == room):
        dims = (groups, lanes, BLOCK)
        lines = Place(columns, dtype, dims, dims, (room * BLOCK, BLOCK, BLOCK), (0, 1, 2), 2)
        along = [source if source.dim is None else replace(source, dim=1) for source in sources]
        if complete:
            _set(emit, columns, dtype, 0, groups * room * BLOCK, 0.0)
        else:
            _fill(k, lines, along, groups * room * BLOCK)

    def bring(source: Source) -> None:
        tensor, value = k.tensors[source.op.tensor], source.value
        *outer, lane = source.clip
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
        fetch(k, tensor, source.at, runs, length, staged, start)
        walks: list[tuple[Idx, int, int]] = [
            (groups, BLOCK * pitch, (room if spread else pitch) * BLOCK),
            (pitch // width, width, width * BLOCK),
        ]
        if spread:
            block_transposes(emit, (staged, 0, pitch), (columns, 0, BLOCK), dtype, walks)
            return
        narrow = emit.fresh(groups * pitch * BLOCK, dtype, "ub", "turned")
        walks[0] = (groups, BLOCK * pitch, pitch * BLOCK)
        block_transposes(emit, (staged, 0, pitch), (narrow, 0, BLOCK), dtype, walks)
        dims, order = (groups, shape[lane.dim], BLOCK), (0, 1, 2)
        sizes = (groups, lane.count, BLOCK)
        near = Place(narrow, dtype, dims, sizes, (pitch * BLOCK, lane.step * BLOCK, BLOCK), order, 2)
        far = Place(
            columns, dtype, dims, sizes, (room * BLOCK, BLOCK, BLOCK), order, 2, emit.mul(lane.before, BLOCK)
        )
        emit_vector(emit, "vcopy", [near], far)

    for source in sources:
        with if_any(emit, source.clip):
            bring(source)
    taken_step = step if spread else 1
    for part in range(0, BLOCK, width):
        walks = [
            (groups, room * BLOCK, BLOCK * lanes),
            (lanes // BLOCK, BLOCK * BLOCK * taken_step, BLOCK),
        ]
        block_transposes(
            emit,
            (columns, part, BLOCK * taken_step),
            (place.base, part * lanes, lanes),
            dtype,
            walks,
        )
