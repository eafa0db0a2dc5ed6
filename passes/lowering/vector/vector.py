"""One vector op on tiles becomes as few vector instructions as the operands' strides allow.

Adjacent dimensions that every operand walks alike are merged. What is left as one contiguous run is one
instruction in counter mode; otherwise one dimension supplies the blocks of a repeat (at most 8), one the
repeats (at most 255), and loops or unrolled copies walk the rest.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from xdsl.ir import SSAValue

from ....dialects import ascend
from ....dialects.element_types import bytes_of, lanes_of, name_of
from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ....dialects.tile import BLOCK
from ...selection.vector_shapes import BLOCKS, Dim, Part, choose, unrolled
from ...support.indices import Idx
from ..base.emitter import Emitter
from ..base.place import MASK_RUN, Place


@dataclass(frozen=True)
class _Axis:
    """A dimension of blocks: its size, at most `most`, and each operand's stride in elements."""

    size: Idx
    most: int
    strides: tuple[int, ...]


def _axes(emit: Emitter, places: Sequence[Place]) -> list[_Axis]:
    """The dimensions of the last place, outermost first, blocks of 32 B innermost."""
    result = places[-1]
    lanes = lanes_of(result.dtype)
    axes: list[_Axis] = []
    halves: list[_Axis] = []
    for d in result.order:
        size, most = _blocks_along(emit, result, d)
        pieces = BLOCK // lanes
        if d == result.block and pieces > 1:
            halves = [_Axis(pieces, pieces, tuple(lanes for _ in places))]
        axes.append(_Axis(size, most, tuple(p.strides[d] for p in places)))
    return [a for a in [*axes, *halves] if a.size != 1]


def _blocks_along(emit: Emitter, place: Place, d: int) -> tuple[Idx, int]:
    """Steps along dimension `d`, and how many there are at most."""
    size, most = place.sizes[d], place.shape[d]
    if d != place.block:
        return size, most
    return emit.blocks(size, BLOCK), -(-most // BLOCK)


def _merge(emit: Emitter, axes: Sequence[_Axis]) -> list[_Axis]:
    merged: list[_Axis] = []
    for axis in axes:
        inner = axis.size
        if merged and isinstance(inner, int):
            outer = merged[-1]
            if all(o == i * inner for o, i in zip(outer.strides, axis.strides, strict=True)):
                merged[-1] = _Axis(emit.mul(outer.size, inner), outer.most * axis.most, axis.strides)
                continue
        merged.append(axis)
    return merged


def emit_vector(
    emit: Emitter, instruction: str, sources: Sequence[Place], result: Place, scalar: float | None = None
) -> None:
    """Emit `result = instruction(sources)` over the sizes of `result`; nothing where one of them is zero."""
    if any(isinstance(size, int) and size == 0 for size in result.sizes):
        return
    places = [*sources, result]
    if any(s.dtype != result.dtype for s in sources):
        _emit_runs(emit, instruction, places, scalar)
        return
    lanes = lanes_of(result.dtype)
    axes = _merge(emit, _axes(emit, places))
    if not axes:
        axes = [_Axis(1, 1, tuple(lanes for _ in places))]
    if len(axes) == 1 and all(s == lanes for s in axes[0].strides):
        _flat(emit, instruction, places, emit.mul(axes[0].size, lanes), axes[0].most * lanes, scalar)
        return
    _strided(emit, instruction, places, axes, lanes, scalar)


def _emit_runs(emit: Emitter, instruction: str, places: Sequence[Place], scalar: float | None) -> None:
    """Conversions, comparisons and selections, in element order, in runs that are contiguous in every operand; loops
    walk what has gaps."""
    result = places[-1]
    axes = [_Axis(*_blocks_along(emit, result, d), tuple(p.strides[d] for p in places)) for d in result.order]
    count: Idx = BLOCK
    most = BLOCK
    while axes:
        axis = axes[-1]
        if axis.size != 1 and (not isinstance(count, int) or any(s != count for s in axis.strides)):
            break
        axes.pop()
        count = emit.mul(axis.size, count)
        most *= axis.most

    def run(offsets: list[Idx]) -> None:
        moved = [replace(p, offset=offset) for p, offset in zip(places, offsets, strict=True)]
        _flat(emit, instruction, moved, count, most, scalar)

    _walk(emit, axes, [p.offset for p in places], run)


def _flat(
    emit: Emitter, instruction: str, places: Sequence[Place], count: Idx, total: int, scalar: float | None
) -> None:
    """Counter mode on `count` elements, at most `total`; a run longer than one instruction may be is cut."""
    vector = emit.target.vector
    masked = any(p.mask for p in places)
    widest = max(bytes_of(p.dtype) for p in places if not p.mask)
    repeats = 1 if vector.mask_register and instruction == "vsel" else vector.max_repeat
    most = repeats * vector.bytes_per_repeat // widest
    if masked and most > MASK_RUN:
        most -= most % MASK_RUN

    def piece_at(start: Idx, piece: Idx) -> None:
        views = [_run(emit, p, start, piece) for p in places]
        emit.insert(ascend.VecOp(instruction, views[:-1], views[-1], scalar))

    if total > 4 * most and repeats == 1:
        with emit.loop(0, count, most) as at:
            even = isinstance(count, int) and count % most == 0
            piece_at(at, most if even else emit.min(emit.sub(count, at), most))
        return
    start = 0
    while start < total:
        piece: Idx = min(most, count - start) if isinstance(count, int) else count
        if not isinstance(count, int) and total > most:
            piece = emit.max(emit.min(emit.sub(count, start), most), 0)
        if isinstance(piece, int) and piece <= 0:
            return
        piece_at(start, piece)
        start += most


def _run(emit: Emitter, place: Place, start: Idx, count: Idx) -> SSAValue:
    """`count` contiguous elements of a place; of a mask, the bytes that hold them."""
    offset = emit.add(place.offset, start)
    if place.mask:
        return emit.view(place.base, [emit.div(count, 8)], [1], emit.div(offset, 8))
    return emit.view(place.base, [count], [1], offset)


def _strided(
    emit: Emitter,
    instruction: str,
    places: Sequence[Place],
    axes: list[_Axis],
    lanes: int,
    scalar: float | None,
) -> None:
    repeat, blocks, rest = _choose(emit, instruction, places, axes)
    each = _Instruction(emit, instruction, places, lanes, scalar)
    _walk(emit, rest, [p.offset for p in places], lambda offsets: each.issue(offsets, repeat, blocks))


def _starts(target: Target, places: Sequence[Place]) -> tuple[int, ...]:
    """Where operands start within the groups of banks, if the buffers of sources start half a turn of them away from
    the result's (`memory.bank_phases`)."""
    banks = target.banks
    if banks is None:
        return (0,) * len(places)
    turn = banks.groups * banks.row
    starts: list[int] = []
    for place in places:
        start = place.offset * bytes_of(place.dtype) if isinstance(place.offset, int) else 0
        starts.append((start + (0 if place.base is places[-1].base else turn // 2)) % turn)
    return tuple(starts)


def _choose(
    emit: Emitter, instruction: str, places: Sequence[Place], axes: list[_Axis]
) -> tuple[_Axis, _Axis | None, list[_Axis]]:
    """Which axis gives the repeats and which the blocks, and what is left."""
    items = [bytes_of(p.dtype) for p in places]
    dims = tuple(
        Dim(
            a.size if isinstance(a.size, int) else a.most,
            tuple(s * n for s, n in zip(a.strides, items, strict=True)),
            isinstance(a.size, int),
        )
        for a in axes
    )
    found = choose(emit.target, instruction, name_of(places[-1].dtype), dims, _starts(emit.target, places))
    taken = {part.dim for part in (found.repeat, found.blocks) if part is not None}

    def axis(part: Part) -> _Axis:
        whole = axes[part.dim]
        if not part.size:
            return whole
        return _Axis(part.size, part.size, tuple(s * part.step for s in whole.strides))

    repeat = axis(found.repeat)
    blocks = None if found.blocks is None else repeat if found.blocks == found.repeat else axis(found.blocks)
    return repeat, blocks, [a for i, a in enumerate(axes) if i not in taken]


def _walk(
    emit: Emitter, axes: Sequence[_Axis], offsets: list[Idx], body: Callable[[list[Idx]], None]
) -> None:
    """`body` at every point of the axes, with the offset of each operand there."""
    if not axes:
        body(offsets)
        return
    axis, *rest = axes
    if isinstance(axis.size, int) and axis.size <= unrolled(emit.target):
        for i in range(axis.size):
            _walk(emit, rest, [emit.add(o, i * s) for o, s in zip(offsets, axis.strides, strict=True)], body)
        return
    with emit.loop(0, axis.size) as i:
        moved = [emit.add(o, emit.mul(i, s)) for o, s in zip(offsets, axis.strides, strict=True)]
        _walk(emit, rest, moved, body)


@dataclass(frozen=True)
class _Instruction:
    """An instruction on blocks of `lanes` elements of some places."""

    emit: Emitter
    name: str
    places: Sequence[Place]
    lanes: int
    scalar: float | None

    def issue(self, offsets: Sequence[Idx], repeat: _Axis, blocks: _Axis | None) -> None:
        """All of a plane of repeats and blocks, which begins at `offsets`. Where both are one axis, repeats are of
        eight blocks of it."""
        if blocks is None:
            self._repeats(repeat, _Axis(1, 1, tuple(self.lanes for _ in self.places)), offsets)
            return
        assert isinstance(blocks.size, int)
        if repeat is blocks:
            full, tail = divmod(blocks.size, BLOCKS)
            if full:
                eights = _Axis(full, full, tuple(s * BLOCKS for s in blocks.strides))
                self._repeats(eights, replace(blocks, size=BLOCKS), offsets)
            if tail:
                once = _Axis(1, 1, tuple(0 for _ in self.places))
                self._repeats(once, replace(blocks, size=tail), self._moved(offsets, blocks, full * BLOCKS))
            return
        for start in range(0, blocks.size, BLOCKS):
            some = replace(blocks, size=min(BLOCKS, blocks.size - start))
            self._repeats(repeat, some, self._moved(offsets, blocks, start))

    def _moved(self, offsets: Sequence[Idx], axis: _Axis, steps: Idx) -> list[Idx]:
        """So many steps of an axis further."""
        emit = self.emit
        return [emit.add(o, emit.mul(steps, s)) for o, s in zip(offsets, axis.strides, strict=True)]

    def _repeats(self, repeat: _Axis, blocks: _Axis, offsets: Sequence[Idx]) -> None:
        """At most eight blocks, repeated: as many instructions as the repeats need."""
        emit, most = self.emit, self.emit.target.vector.max_repeat
        if isinstance(repeat.size, int):
            for start in range(0, repeat.size, most):
                count = min(most, repeat.size - start)
                self._one(count, repeat, blocks, self._moved(offsets, repeat, start))
        elif repeat.most <= most:
            self._one(repeat.size, repeat, blocks, offsets)
        else:
            with emit.loop(0, repeat.size, most) as start:
                moved = self._moved(offsets, repeat, start)
                self._one(emit.min(emit.sub(repeat.size, start), most), repeat, blocks, moved)

    def _one(self, repeats: Idx, repeat: _Axis, blocks: _Axis, offsets: Sequence[Idx]) -> None:
        views = [
            self.emit.view(p.base, [repeats, blocks.size, self.lanes], [rs, bs, 1], offset)
            for p, rs, bs, offset in zip(self.places, repeat.strides, blocks.strides, offsets, strict=True)
        ]
        self.emit.insert(ascend.VecOp(self.name, views[:-1], views[-1], self.scalar))


def expand_lanes(emit: Emitter, source: Place, result: Place, count: Idx) -> None:
    """Repeat each of `count` contiguous elements over one block of 16, by transposing a block with itself 16 times."""
    lanes = lanes_of(source.dtype)
    repeats = emit.div(emit.add(count, lanes - 1), lanes)
    read = emit.view(source.base, [repeats, 16, lanes], [lanes, 0, 1], source.offset)
    write = emit.view(result.base, [repeats, lanes, 16], [lanes * 16, 16, 1], result.offset)
    emit.insert(ascend.TransposeOp(read, write))


__all__ = ["emit_vector", "expand_lanes"]
