"""Part of the columns of rows that are no multiple of 32 B, to GM: each tile writes whole 32 B blocks of the tensor.

Row `r` of a result of N columns starts `skew = r * N mod 16` elements past a block. A tile owns the blocks from `skew`
columns before its own first column to `skew` columns before the next tile's, so neighbours never meet in a block. What
precedes the tile's columns is its lead, 16 columns more, which before the first column hold the end of the row: of the
row before, because that is what shares the block.

Rows of one skew lie a whole number of blocks apart. They are shifted and written together: transposes make sixteen of
them the lanes of 32 B blocks, one block for each column, and transposes back start at the column that the skew says.

    columns of a tile   [lead 16 | own w ]         row r:       |..b..|..b..|..b..|
    written of a row    [16 - skew, 16 - skew + w)     columns    [----own----]
"""

from __future__ import annotations

from math import gcd, prod
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ....dialects import ascend
from ....dialects.ascend.memory import memref_type
from ....dialects.element_types import lanes_of
from ....dialects.records import dataclass
from ....dialects.tile import BLOCK
from ...support.indices import Idx
from ..base.dma import fill
from ..base.emitter import Generation
from ..base.place import Place, ceil_to
from ..vector.vector import emit_vector

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def skews(columns: int, unit: int = BLOCK) -> int:
    """How many rows of `columns` elements follow each other before one starts on a block of `unit` again."""
    return unit // gcd(columns, unit)


def blocks_scratch(rows: int, columns: int, extent: int) -> int:
    """Elements of UB that `lowering.transfers.store_partial_rows` needs for `rows` of `columns` own elements of rows of
    `extent`."""
    wide = columns + 2 * BLOCK
    padded = ceil_to(rows, BLOCK * skews(extent))
    return wide * (padded + BLOCK + padded // skews(extent))


@dataclass(frozen=True)
class _Skewed:
    """The rows of a tile that are written, `count` from `low` on, `own` columns of each from `offsets` on; `start`:
    where in the tensor the first one begins."""

    tensor: SSAValue
    offsets: list[Idx]
    low: Idx
    count: Idx
    own: int
    start: Idx

    @property
    def unit(self) -> int:
        """Elements of a 32 B block."""
        return lanes_of(memref_type(self.tensor).element_type)

    @property
    def turns(self) -> int:
        """How far apart rows of one skew are."""
        return skews(memref_type(self.tensor).get_shape()[1], self.unit)


def _ends_inside(tensor: SSAValue) -> bool:
    """Whether a tensor ends inside a block, which is shared with nobody."""
    kind = memref_type(tensor)
    return prod(kind.get_shape()) % lanes_of(kind.element_type) != 0


def store_blocks(
    k: LoweringContext,
    place: Place,
    tensor: SSAValue,
    offsets: list[Idx],
    owned: tuple[Idx, Idx],
) -> None:
    """Write the tile at `place`, lead included, whose own columns start at `offsets`; of its rows `owned` (first,
    count) are written, the first of which starts on a block."""
    emit, dtype, (low, count) = k.emit, place.dtype, owned
    _, columns = memref_type(tensor).get_shape()
    turns = skews(columns, lanes_of(dtype))
    own = place.shape[1] - BLOCK
    groups = -(-place.shape[0] // (BLOCK * turns))
    wide = own + _ends_inside(tensor) * BLOCK
    pitch = BLOCK + wide
    staged = _rows(k, place, low, count, groups * turns * BLOCK if turns > 1 else place.shape[0], pitch)
    start = emit.add(emit.mul(emit.add(offsets[0], low), columns), offsets[1])
    out = _Skewed(tensor, offsets, low, count, own, start)
    _write(k, out, _RowsOf(staged, BLOCK, turns * pitch), 0, 0)
    # where the number of rows varies a turn may find none: its DMA then has no bursts
    used = min(turns, count) if isinstance(count, int) else turns
    if used <= 1:
        return
    before = emit.sub(1, emit.min(offsets[1], 1))  # rows: the lead of the first column is in the row before
    turned = emit.fresh((pitch // BLOCK) * BLOCK * BLOCK, dtype, "ub", "turned")
    with emit.loop(1, used) as turn:
        skew = emit.rem(emit.mul(turn, columns), out.unit)
        shifted = emit.fresh(groups * BLOCK * wide, dtype, "ub", "shifted")
        with emit.loop(0, groups) as group:
            row = emit.add(turn, emit.mul(group, turns * BLOCK))
            lead = emit.mul(emit.sub(row, before), pitch)
            first = emit.add(emit.mul(row, pitch), BLOCK)
            rows_read, columns_written = (BLOCK, turns * pitch), (BLOCK * BLOCK, BLOCK)
            _turn(k, staged, lead, rows_read, turned, 0, columns_written, 1)
            _turn(k, staged, first, rows_read, turned, BLOCK * BLOCK, columns_written, wide // BLOCK)
            back, to = emit.mul(emit.sub(BLOCK, skew), BLOCK), emit.mul(group, BLOCK * wide)
            _turn(k, turned, back, columns_written, shifted, to, (BLOCK, wide), wide // BLOCK)
        _write(k, out, _RowsOf(shifted, 0, wide), turn, skew)


@dataclass(frozen=True)
class _RowsOf:
    """Rows of one skew in UB: where the first one starts, and how far apart they are."""

    base: Generation
    first: int
    distance: int


def _write(k: LoweringContext, out: _Skewed, rows: _RowsOf, turn: Idx, skew: Idx) -> None:
    """Every so many of the rows, from row `turn` on, which start `skew` elements past a block."""
    emit, tensor, offsets, unit, turns = k.emit, out.tensor, out.offsets, out.unit, out.turns
    height, columns = memref_type(tensor).get_shape()
    following = emit.rem(emit.mul(emit.add(turn, 1), columns), unit)
    here = emit.div(emit.add(emit.sub(out.count, turn), turns - 1), turns)
    length = emit.min(out.own, emit.add(emit.sub(columns, offsets[1]), emit.sub(skew, following)))
    at = emit.sub(emit.add(out.start, emit.mul(turn, columns)), skew)
    emit.copy(
        emit.view(rows.base, [here, length], [rows.distance, 1], rows.first),
        emit.view(tensor, [here, length], [turns * columns, 1], at),
    )
    if _ends_inside(tensor):
        last = emit.add(emit.add(emit.add(offsets[0], out.low), turn), emit.mul(emit.sub(here, 1), turns))
        with (
            # chunks of rows behind the last one have none
            emit.unless_none(here),
            emit.condition("sge", last, height - 1),
            emit.condition("sge", emit.add(offsets[1], out.own), columns),
        ):
            end = emit.add(emit.mul(emit.sub(here, 1), rows.distance), emit.add(length, rows.first))
            block = emit.view(rows.base, [unit], [1], end)
            emit.copy(block, emit.view(tensor, [unit], [1], height * columns // unit * unit))


def _rows(k: LoweringContext, place: Place, low: Idx, count: Idx, padded: int, pitch: int) -> Generation:
    """`count` rows of the tile from `low`, row-major, with zeros after them up to `pitch` and `padded` rows."""
    emit = k.emit
    base = emit.fresh(padded * pitch, place.dtype, "ub", "rows")
    if count != padded or pitch != place.shape[1]:
        fill(k, base, 0, padded * pitch, place.dtype)
    shape, sizes = place.shape, (count, place.shape[1])
    start = emit.add(place.offset, emit.mul(low, place.strides[0]))
    source = Place(place.base, place.dtype, shape, sizes, place.strides, (0, 1), 1, start)
    emit_vector(emit, "vcopy", [source], Place(base, place.dtype, shape, sizes, (pitch, BLOCK), (0, 1), 1))
    return base


def _turn(
    k: LoweringContext,
    source: Generation,
    start: Idx,
    read: tuple[int, int],
    result: Generation,
    to: Idx,
    written: tuple[int, int],
    repeats: int,
) -> None:
    """Sixteen blocks of sixteen elements, transposed, `repeats` times; `read` and `written` are the distances between
    repeats and between blocks."""
    emit = k.emit
    dtype = memref_type(source.buffer.result).element_type
    unit = lanes_of(dtype)
    for part in range(0, BLOCK, unit):
        inside = emit.view(source, [repeats, BLOCK, unit], [*read, 1], emit.add(start, part))
        at = emit.add(to, part * written[1])
        emit.insert(ascend.TransposeOp(inside, emit.view(result, [repeats, unit, BLOCK], [*written, 1], at)))
