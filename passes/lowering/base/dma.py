"""Moves between GM and UB: runs of a tensor as few DMA instructions as its pitch allows.

A burst is a multiple of 32 B and so is the pitch of an instruction with several bursts. Rows whose pitch is not are
moved in turns: every 16th row, or so, is a whole number of blocks away, so 16 instructions move any number of rows. A
read may round its last burst up: what follows belongs to the tensor, its padding or its guard block. Which instructions
these are `transfers.py` says, which the tile search asks too.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, BlockArgument, SSAValue

from ....dialects import ascend, tile
from ....dialects.ascend.memory import memref_type
from ....dialects.attributes import tensor_type
from ....dialects.element_types import BLOCK_BYTES, lanes_of
from ....dialects.records import dataclass
from ....dialects.tiling import Along
from ...selection.transfers import Run, bursts_last, fold, merge_runs, turns_of
from ...support.indices import Idx
from .circular_rows import goes_round, rows_of
from .emitter import Emitter, Generation
from .part import Part

if TYPE_CHECKING:
    from .context import LoweringContext


def row_major(tensor: SSAValue) -> tuple[int, ...]:
    """Strides of a tensor in GM, in elements."""
    kind: MemRefType[Attribute] = memref_type(tensor)
    shape = kind.get_shape()
    return tuple(prod(shape[d + 1 :]) for d in range(len(shape)))


def sizes_of(k: LoweringContext, tensor: SSAValue) -> tuple[Idx, ...]:
    """The shape of a tensor in GM: a dynamic first dimension is that of the kernel."""
    return tuple(k.extents[0] if n < 0 else n for n in memref_type(tensor).get_shape())


def region(k: LoweringContext, op: tile.LoadOp) -> list[Part]:
    """The part of each dimension of a load's tensor that its region needs; of rows that go round those of its own
    image."""
    parts: list[Part] = []
    shape = (k.extents[0] if n < 0 else n for n in tensor_type(op.tensor).get_shape())
    for entry, extent in zip(op.maps, shape, strict=True):
        if isinstance(entry, Along):
            offset, size = k.idx(op.offsets[entry.dim]), k.idx(op.sizes[entry.dim])
            if goes_round(k, entry):
                assert isinstance(size, int) and isinstance(extent, int), (
                    "sizes of rows that go round are known"
                )
                parts.append(rows_of(k, entry, offset, size, extent))
                continue
            parts.append(part_of(k, entry, offset, size, extent, is_part(op.offsets[entry.dim])))
        else:
            parts.append(Part(0, 1, 0, 1, True))
    return parts


def is_part(offset: SSAValue) -> bool:
    """Whether an offset is that of a part of a stream: all parts are within the dimension."""
    return isinstance(offset, BlockArgument) and isinstance(offset.owner.parent_op(), tile.StreamOp)


def part_of(
    k: LoweringContext, entry: Along, offset: Idx, size: Idx, extent: Idx, within: bool = False
) -> Part:
    """What `size` results from `offset` need of a dimension of `extent` elements. `within`: no result lies outside of
    the kernel's."""
    emit = k.emit
    if entry.repeat > 1:
        inside = (
            emit.min(size, emit.sub(emit.mul(extent, entry.repeat), offset))
            if entry.dim in k.covered
            else size
        )
        return Part(0, inside, 0, size, entry.dim not in k.covered, offset)
    reach = (entry.window - 1) * entry.dilation + 1
    span = emit.add(emit.mul(emit.sub(size, 1), entry.stride), reach)
    first = emit.sub(emit.mul(offset, entry.stride), entry.pad)
    inside = entry.pad == 0
    if entry.dim < len(k.extents):
        results, tiles = k.extents[entry.dim], k.source.tile_sizes[entry.dim]
        if isinstance(results, int) and isinstance(extent, int):  # a dynamic one is the same for both
            inside = inside and (results - 1) * entry.stride + reach <= extent
        past = isinstance(size, int) and tiles % size and not within
        inside = inside and entry.dim not in k.covered and not past
    if inside:
        return Part(first, span, 0, span, True)
    end = emit.add(first, span)
    after = emit.min(emit.max(emit.sub(end, extent), 0), span)
    before = emit.min(emit.max(emit.sub(0, first), 0), span) if entry.pad else 0
    count = emit.sub(emit.sub(span, before), after)
    return Part(emit.max(first, 0) if entry.pad else first, count, before, span, count == span)


def fill(
    k: LoweringContext,
    base: Generation | SSAValue,
    start: Idx,
    count: int,
    dtype: Attribute,
    value: float = 0.0,
) -> None:
    """Set `count` elements of a buffer to `value`."""
    vector = k.target.vector
    most = vector.max_repeat * vector.bytes_per_repeat * lanes_of(dtype) // BLOCK_BYTES
    for done in range(0, count, most):
        view = k.emit.view(base, [min(most, count - done)], [1], k.emit.add(start, done))
        k.emit.insert(ascend.VecOp("vdup", [], view, value))


def fill_rows(
    k: LoweringContext, base: Generation | SSAValue, first: Idx, rows: int, pitch: int, dtype: Attribute
) -> None:
    """Set rows `first` to `rows` of a buffer, `pitch` elements each, to zero."""
    vector, emit = k.target.vector, k.emit
    most = vector.max_repeat * vector.bytes_per_repeat * lanes_of(dtype) // BLOCK_BYTES // pitch
    assert most > 0, "a row is set by one instruction"
    for done in range(0, rows, most):
        start = emit.max(first, done)
        count = emit.max(emit.sub(min(rows, done + most), start), 0)
        view = emit.view(base, [emit.mul(count, pitch)], [1], emit.mul(start, pitch))
        emit.insert(ascend.VecOp("vdup", [], view, 0.0))


def gm_offset(emit: Emitter, tensor: SSAValue, starts: Sequence[Idx]) -> Idx:
    offset: Idx = 0
    for start, stride in zip(starts, row_major(tensor), strict=True):
        offset = emit.add(offset, emit.mul(start, stride))
    return offset


@dataclass(frozen=True)
class GmRegion:
    """A region of a tensor in GM: `length` contiguous elements at `offset` and at every step of `runs`, outermost
    first, which say too how far apart these lie in UB."""

    tensor: SSAValue
    offset: Idx
    runs: Sequence[Run]
    length: Idx


def move(
    emit: Emitter, gm: GmRegion, place: Generation | SSAValue, start: Idx = 0, to_gm: bool = False
) -> None:
    """DMA a region between GM and element `start` of `place` in UB; lengths are multiples of 32 B when writing."""
    tensor = gm.tensor
    unit = lanes_of(memref_type(tensor).element_type)
    target = emit.target
    rest, length = merge_runs(emit.mul, gm.runs, gm.length)
    rest, exact = merge_runs(emit.mul, rest, length if target.dma.unaligned else emit.ceil_to(length, unit))
    rest = fold(emit.mul, rest, target, BLOCK_BYTES // unit)
    if isinstance(exact, int):
        rest = bursts_last(rest, exact, target, BLOCK_BYTES // unit)

    def issue(bursts: Run | None, gm_at: Idx, ub_at: Idx) -> None:
        if bursts is None:
            outside = emit.view(tensor, [exact], [1], gm_at)
            inside = emit.view(place, [exact], [1], ub_at)
        else:
            outside = emit.view(tensor, [bursts.count, exact], [bursts.gm, 1], gm_at)
            inside = emit.view(place, [bursts.count, exact], [bursts.ub, 1], ub_at)
        emit.copy(inside, outside) if to_gm else emit.copy(outside, inside)

    def in_turns(rows: Run, turns: int, gm_at: Idx, ub_at: Idx) -> None:
        """Of every `turns` rows the first, then of every `turns` rows the second, and so on."""
        with emit.loop(0, turns if isinstance(rows.count, int) else emit.min(turns, rows.count)) as turn:
            at = emit.add(gm_at, emit.mul(turn, rows.gm)), emit.add(ub_at, emit.mul(turn, rows.ub))
            count = emit.div(emit.add(emit.sub(rows.count, turn), turns - 1), turns)
            if isinstance(rows.count, int) and rows.count % turns == 0:
                count = rows.count // turns
            issue(Run(count, turns * rows.gm, turns * rows.ub), *at)

    def walk(remaining: Sequence[Run], gm_at: Idx, ub_at: Idx) -> None:
        if not remaining:
            issue(None, gm_at, ub_at)
            return
        here, *inner = remaining
        turns = turns_of(target, here.gm, unit)
        if not inner and turns == 1:
            issue(here, gm_at, ub_at)
            return
        if not inner and (not isinstance(here.count, int) or here.count > turns):
            in_turns(here, turns, gm_at, ub_at)
            return
        with emit.loop(0, here.count) as i:
            walk(inner, emit.add(gm_at, emit.mul(i, here.gm)), emit.add(ub_at, emit.mul(i, here.ub)))

    walk(rest, gm.offset, start)
