"""`tile.reduce`: dimensions without lanes are folded in halves; rows of lanes too, halves that do not meet in banks
(`selection.fold_halves`), until one instruction can reduce what is left of each to one element, which is then repeated
over a block of 16 lanes, as a tile without that dimension lies.

    [rows][1000]  vadd halves  ->  [rows][62, 64, ..]  vcadd  ->  [rows] elements  vtranspose  ->  [rows] blocks

Lanes behind the end of a row are never read: what a block holds of it is an instruction of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from ....dialects import ascend, tile
from ....dialects.element_types import BLOCK_BYTES, bytes_of, lanes_of, name_of
from ....dialects.records import dataclass
from ....dialects.tile import BLOCK, TileType, tile_type
from ...selection.fold_halves import blocks_at_once, larger_halves
from ...support.indices import Idx
from ..base.dma import fill
from ..base.emitter import Emitter, Generation
from ..base.place import Place, ceil_to
from .turned_rows import LaneRows, turned_rows
from .vector import emit_vector, expand_lanes

if TYPE_CHECKING:
    from ..base.context import LoweringContext

_ROWS = 240
"""Rows that an instruction reduces at most: a multiple of 16, so that the next one's elements start on a block."""


def lower_reduce(k: LoweringContext, op: tile.ReduceOp) -> Place:
    """Emit the reduction; the place of its result."""
    place, kind = k.places[op.source], op.kind.data
    if not isinstance(place.offset, int):
        whole = k.new_place(tile_type(op.source), place.sizes, "rows")
        emit_vector(k.emit, "vcopy", [place], whole)
        place = whole
    source = place
    lanes = place.block
    for d in op.dim_list:
        if d != lanes:
            place = _folded(k, f"v{kind}", place, d)
    if lanes in op.dim_list:
        return _across(k, kind, place, tile_type(op.result))
    if place is not source:
        return place
    result = k.new_place(tile_type(op.result), place.sizes, "rows")
    emit_vector(k.emit, "vcopy", [place], result)
    return result


def part_of(place: Place, dim: int, start: int, count: int) -> Place:
    """`count` steps along a dimension from `start`; of the dimension with the lanes, blocks."""
    size = count * BLOCK if dim == place.block else count
    at = place.offset
    shape = tuple(size if d == dim else n for d, n in enumerate(place.shape))
    sizes = tuple(size if d == dim else n for d, n in enumerate(place.sizes))

    def moved(offset: Idx) -> Place:
        return replace(place, shape=shape, sizes=sizes, offset=offset)

    return moved(at + start * place.strides[dim]) if isinstance(at, int) else moved(at)


def _folded(k: LoweringContext, instruction: str, place: Place, dim: int) -> Place:
    """Halves combined along a dimension without lanes until one step is left, an odd one with the first."""
    emit, steps = k.emit, place.shape[dim]
    assert isinstance(place.offset, int), "a tile that is reduced starts where its buffer does"
    room = _scratch(k, part_of(place, dim, 0, steps // 2)) if steps > 1 else place
    while steps > 1:
        half = steps // 2
        first = part_of(room, dim, 0, half)
        emit_vector(emit, instruction, [part_of(place, dim, 0, half), part_of(place, dim, half, half)], first)
        if steps % 2:
            one = part_of(room, dim, 0, 1)
            emit_vector(emit, instruction, [one, part_of(place, dim, 2 * half, 1)], one)
        place, steps = first, half
    return place


def _folded_blocks(k: LoweringContext, instruction: str, place: Place, until: int) -> Place:
    """Halves combined of the whole blocks along the dimension with the lanes until `until` or fewer are left. What the
    larger half has more stays as it is."""
    emit, dim = k.emit, place.block
    steps = place.shape[dim] // BLOCK
    folds = larger_halves(k.target, steps, place.strides[dim] * bytes_of(place.dtype), until)
    room = _scratch(k, part_of(place, dim, 0, folds[0])) if folds else place
    for near in folds:
        far = steps - near
        if near > far and place.base is not room.base:
            more = far, near - far
            emit_vector(emit, "vcopy", [part_of(place, dim, *more)], part_of(room, dim, *more))
        halves = [part_of(place, dim, 0, far), part_of(place, dim, near, far)]
        emit_vector(emit, instruction, halves, part_of(room, dim, 0, far))
        place, steps = part_of(room, dim, 0, near), near
    return place


def _scratch(k: LoweringContext, like: Place) -> Place:
    kind = TileType.get(like.shape, like.dtype, "ub", like.order, like.block)
    return k.new_place(kind, like.sizes, "partial")


@dataclass(frozen=True)
class _Lines:
    """Rows to reduce: lines of `count` rows (at most `most`) along dimension `dim` (None: one row) and those outside it
    that lie end to end; `outer` are the dimensions that number the lines."""

    count: Idx
    most: int
    dim: int | None
    outer: tuple[int, ...]
    sizes: tuple[Idx, ...]
    shape: tuple[int, ...]

    @property
    def pitch(self) -> int:
        """Elements of a line's results."""
        return ceil_to(self.most, BLOCK)

    @property
    def elements(self) -> int:
        """Of all lines' results."""
        return prod(self.shape[d] for d in self.outer) * self.pitch

    def stride(self, place: Place) -> int:
        """Between the rows of a line."""
        return BLOCK if self.dim is None else place.strides[self.dim]

    def walk(self, emit: Emitter, place: Place, start: Idx, body: Callable[[Idx, Idx], None]) -> None:
        """`body(row, result)` for every line: where it starts in `place`, and where its results do."""

        def inside(dims: tuple[int, ...], row: Idx, result: Idx) -> None:
            if not dims:
                body(row, result)
                return
            d, *rest = dims
            step = prod(self.shape[e] for e in rest) * self.pitch
            with emit.loop(0, self.sizes[d]) as i:
                moved = emit.add(row, emit.mul(i, place.strides[d])), emit.add(result, emit.mul(i, step))
                inside(tuple(rest), *moved)

        inside(self.outer, start, 0)


def _lines(k: LoweringContext, place: Place, result: Place) -> _Lines:
    """All dimensions but that with the lanes, those that lie end to end on both sides as one."""
    dims = [d for d in place.order if d != place.block and place.shape[d] > 1]
    if not dims:
        return _Lines(1, 1, None, (), place.sizes, place.shape)
    *others, last = dims
    count, most = place.sizes[last], place.shape[last]
    outer: list[int] = []
    for d in reversed(others):
        joined = all(p.strides[d] == p.strides[last] * most for p in (place, result))
        if not outer and isinstance(count, int) and count == most and joined:
            count, most = k.emit.mul(place.sizes[d], count), most * place.shape[d]
        else:
            outer.insert(0, d)
    return _Lines(count, most, last, tuple(outer), place.sizes, place.shape)


def _across(k: LoweringContext, kind: str, place: Place, result_type: TileType) -> Place:
    """Each row of lanes to one element, repeated over a block."""
    emit, lanes = k.emit, lanes_of(place.dtype)
    dim = place.block
    columns = place.shape[dim]
    whole, tail = divmod(columns, BLOCK)
    most = k.target.vector.bytes_per_repeat // BLOCK_BYTES * lanes // BLOCK
    if not _has(k, kind, place):
        most = 1
    elif place.strides[dim] != BLOCK:
        pitch = place.strides[dim] * bytes_of(place.dtype)
        most = blocks_at_once(k.target, kind, name_of(place.dtype), whole, pitch, most)
    sizes = tuple(1 if d == dim else n for d, n in enumerate(place.sizes))
    result = k.new_place(result_type, sizes, "rows", whole_blocks=True)
    lines = _lines(k, place, result)
    pieces: list[tuple[Place, int, int, int]] = []  # place, its first element, blocks of 32 B, lanes
    if whole:
        left = _folded_blocks(k, f"v{kind}", place, most)
        blocks = (whole if left is place else left.shape[dim] // BLOCK) * BLOCK // lanes
        pieces.append((left, 0, blocks, lanes))
    at = whole * place.strides[dim]
    for start in range(0, tail, lanes):
        pieces.append((place, at + start, 1, min(lanes, tail - start)))
    dense = [_dense(k, kind, *piece, lines) for piece in pieces]
    for other in dense[1:]:
        _combine(k, f"v{kind}", dense[0], other, lines.elements)

    def repeat(into: Idx, source: Idx) -> None:
        read = replace(place, base=dense[0], offset=source)
        expand_lanes(emit, read, replace(result, offset=into), lines.count)

    lines.walk(emit, result, result.offset, repeat)
    return result


def _dense(
    k: LoweringContext, kind: str, place: Place, first: int, blocks: int, lanes: int, lines: _Lines
) -> Generation:
    """One element for each row of a piece, line by line, zeros behind the end of a line."""
    emit = k.emit
    block, between = lanes_of(place.dtype), lines.stride(place)
    step = place.strides[place.block] if block == BLOCK else block
    whole = isinstance(lines.count, int) and lines.count % BLOCK == 0

    def walk(body: Callable[[Idx, Idx, Idx], None]) -> None:
        def line(row: Idx, result: Idx) -> None:
            for start in range(0, lines.most, _ROWS):
                count: Idx = min(_ROWS, lines.most - start)
                if not isinstance(lines.count, int):
                    count = emit.max(emit.min(emit.sub(lines.count, start), count), 0)
                body(emit.add(row, start * between), emit.add(result, start), count)

        lines.walk(emit, place, emit.add(place.offset, first), line)

    if not _has(k, kind, place):
        shape = LaneRows(between, lines.elements, blocks, lanes, whole)
        return turned_rows(k, f"v{kind}", place, walk, shape)
    base = emit.fresh(lines.elements, place.dtype, "ub", "sums")
    if not whole:
        fill(k, base, 0, lines.elements, place.dtype)

    def reduce(row: Idx, result: Idx, count: Idx) -> None:
        read = emit.view(place.base, [count, blocks, lanes], [between, step, 1], row)
        write = emit.view(base, [count, 1, 1], [1, 1, 1], result)
        emit.insert(ascend.VecOp(f"vc{kind}", [read], write))

    walk(reduce)
    return base


def _has(k: LoweringContext, kind: str, place: Place) -> bool:
    """Whether an instruction reduces lanes of the place's type."""
    return k.target.vector.computes(f"vc{kind}", name_of(place.dtype))


def _combine(
    k: LoweringContext, instruction: str, base: Generation, other: Generation, elements: int
) -> None:
    """Element by element, all lines at once."""
    emit, vector = k.emit, k.target.vector
    most = vector.max_repeat * vector.bytes_per_repeat // 4
    for start in range(0, elements, most):
        views = [emit.view(b, [min(most, elements - start)], [1], start) for b in (base, other)]
        emit.insert(ascend.VecOp(instruction, views, views[0]))
