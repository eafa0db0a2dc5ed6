"""Rows for the tables beside the Cube, on their way through L1: a bias, slopes, scales."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....dialects import tile
from ....dialects.ascend.memory import TABLES, memref_type
from ....dialects.element_types import lanes_of
from ....dialects.tile import BLOCK, TileType, tile_type
from ....dialects.tiling import Along
from ...support.indices import Idx
from ..base.dma import gm_offset, region
from ..base.emitter import Generation
from ..base.part import Part
from ..base.place import Place, blocked_dim, physical

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def is_row(op: tile.LoadOp) -> bool:
    """Whether it brings a row to a table beside the Cube, or to L1 because it is longer than that."""
    return tile_type(op.result).space.data in TABLES or any(
        isinstance(use.operation, tile.ContractOp) for use in op.result.uses
    )


def load_whole_rows(k: LoweringContext) -> None:
    """Bring all of the rows that are `hoisted` to L1, in front of the loop over tiles. Before the operands of the first
    step they find HBM free; behind them they would wait until it has served all cores."""
    emit = k.emit
    for op in k.tables:
        if op.hoisted is None:
            continue
        emit.location = op.location
        tensor = k.tensors[op.tensor]
        kind = memref_type(tensor)
        columns = max(kind.get_shape())
        row = emit.fresh(columns, kind.element_type, "l1", "row")
        emit.copy(emit.view(tensor, [columns], [1]), emit.view(row, [columns], [1]))
        k.whole_rows[op] = row


def to_table(k: LoweringContext, op: tile.LoadOp, kind: TileType) -> Place:
    """A row through L1 to a table, in f32. A row that is longer than the table stays in L1."""
    emit, shape = k.emit, kind.get_shape()
    parts = region(k, op)
    (row,) = [p for p, e in zip(parts, op.maps, strict=True) if isinstance(e, Along)]
    elements, _ = physical(kind, 1)
    if op in k.whole_rows:
        base, at, length = k.whole_rows[op], row.start, row.count
    else:
        base = emit.fresh(elements, memref_type(k.tensors[op.tensor]).element_type, "l1", "row")
        at, length = 0, _stage(k, op, parts, row.count, base)
    if kind.space.data in TABLES:
        table = emit.fresh(elements, kind.element_type, kind.space.data, "row")
        emit.copy(emit.view(base, [length], [1], at), emit.view(table, [length], [1]))
        base = table
    ones = (1,) * len(shape)
    return Place(base, kind.element_type, shape, tuple(shape), ones, kind.get_order(), blocked_dim(kind))


def _stage(k: LoweringContext, op: tile.LoadOp, parts: list[Part], count: Idx, staged: Generation) -> Idx:
    """`count` elements of a row to L1, where what is behind its end is zero up to a block; how many that makes. FixPipe
    reads slopes of all 16 columns of a fractal: where half of them are behind the row they are those of its beginning,
    for columns that nobody stores."""
    emit, kind, tensor = k.emit, tile_type(op.result), k.tensors[op.tensor]
    offset = gm_offset(emit, tensor, [p.start for p in parts])
    width, (elements, _) = lanes_of(memref_type(tensor).element_type), physical(kind, 1)

    def stage(count: Idx, to: Idx) -> Idx:
        """The first `count` elements of the row to L1 at `to`; how many blocks they take."""
        blocks = emit.div(emit.add(count, width - 1), width)
        if isinstance(count, int) and count % width == 0:
            emit.copy(emit.view(tensor, [count], [1], offset), emit.view(staged, [count], [1], to))
            return blocks
        read = emit.view(tensor, [1, count], [count if isinstance(count, int) else elements, 1], offset)
        emit.copy(read, emit.view(staged, [blocks, 1, width], [width, width, 1], to), nd2nz=True)
        return blocks

    blocks = stage(count, 0)
    length, half = emit.mul(blocks, width), emit.rem(blocks, BLOCK // width)
    if kind.space.data == "fb" and half != 0:
        with emit.unless_none(half):
            stage(emit.min(count, width), length)
        length = emit.ceil_to(length, BLOCK)
    return length


__all__ = ["is_row", "load_whole_rows", "to_table"]
