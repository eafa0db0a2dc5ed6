"""The last two pieces of K of a core's only tile, by columns: what follows the product begins with the first chunk
while the Cube still works on the others.

    for each step:  MTE1: both pieces of K to L0      M: their products, but for the last step
    tile.chunks:    M: the last step's products for the chunk's columns      V: the chunk out of L0C, ...

Only where no other tile's products wait for the L0 that these pieces hold.
"""

from __future__ import annotations

from ....dialects import tile
from ....dialects.element_types import bytes_of
from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ....dialects.tile import BLOCK, tile_type
from ..base.place import blocked_dim, ceil_to
from ..base.products import products_of
from .computed_operand import moved_operand
from .l0_pieces import AHEAD
from .used_part import yielded


@dataclass(frozen=True)
class LastStep:
    """The last step of a product: its rows and columns, its K, that of a piece in L0 (`l0_k`) and the columns of a
    chunk; an element's bytes."""

    rows: int
    columns: int
    step: int
    l0_k: int
    chunk: int
    item: int


def may_end_by_columns(target: Target, last: LastStep) -> bool:
    """Whether a step of K in two pieces may be multiplied chunk by chunk of the columns."""
    rows, columns, chunk = ceil_to(last.rows, BLOCK), last.columns, last.chunk
    if last.step != AHEAD * last.l0_k or chunk >= columns or columns % chunk or chunk % BLOCK:
        return False
    fractals = rows // BLOCK * (chunk // BLOCK)
    if fractals < target.cube.accumulate_overlap:  # sums of few wait for each other
        return False
    sizes = {"l0a": rows * last.step * last.item, "l0b": columns * last.step * last.item}
    return all(size <= target.spaces[space].bytes for space, size in sizes.items())


def ends_by_columns(source: tile.KernelOp, op: tile.ContractOp, target: Target) -> bool:
    """Whether the only product of a kernel can, whose left operand its core computes: of the core's only tile."""
    chunks = [use.operation.parent_op() for use in op.result.uses]
    if len(products_of(source)) != 1:
        return False
    if (
        moved_operand(op) is None
        or op.schedule.resident is not None
        or op.bias is not None
        or len(yielded(op)) != 2
    ):
        return False
    if len(chunks) != 1 or not isinstance(chunks[0], tile.ChunksOp) or chunks[0].parent_op() is not source:
        return False
    walked, kind, depth = chunks[0], tile_type(op.result), op.schedule.k
    step, n = min(op.schedule.step, depth), op.schedule.n
    if walked.dim.value.data != blocked_dim(kind) or depth % step or n != walked.size.value.data:
        return False
    item = bytes_of(tile_type(yielded(op)[0]).element_type)
    l0_k, chunk = op.schedule.l0_k, walked.step.value.data
    return may_end_by_columns(target, LastStep(op.schedule.m, n, step, l0_k, chunk, item))
