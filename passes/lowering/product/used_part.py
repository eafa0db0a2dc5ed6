"""What of a product's tile is computed, and which dimensions of its operands say so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ....dialects import tile
from ....dialects.tile import tile_type
from ...support.indices import Idx
from ..base.place import Place, blocked_dim

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def yielded(op: tile.ContractOp) -> Sequence[SSAValue]:
    """The operand tiles that the body gives."""
    last = op.body.block.last_op
    assert isinstance(last, tile.YieldOp)
    return last.values


def used_part(k: LoweringContext, op: tile.ContractOp) -> tuple[Idx, Idx]:
    """Rows and columns of a product that are computed. On split cores what a last tile lacks is not: operands come as
    they lie in GM, and tables beside the Cube hold what the tensors have."""
    m: Idx = op.schedule.m
    n: Idx = op.schedule.n
    if not k.target.split or _is_read_here(op):
        return m, n
    kind = tile_type(op.result)
    order, block = kind.get_order(), blocked_dim(kind)
    rows = order[order.index(block) + 1 :]
    if (op.window is None and k.covered & set(rows)) or k.left_to_last & set(rows):
        m = 1
        for d in rows:
            m = k.emit.mul(m, k.inside[d])
    return m, k.inside[block] if block in k.covered else n


def _is_read_here(op: tile.ContractOp) -> bool:
    """Whether another product of the kernel reads what a product gives: its tiles are whole."""
    users = (use.operation.parent_op() for use in op.result.uses)
    return any(isinstance(around, tile.ChunksOp) and around.held is not None for around in users)


def columns_dim(op: tile.ContractOp, rhs: Place) -> int:
    """The dimension of a right operand in L1 that the product's columns follow."""
    return 0 if op.schedule.transpose_rhs and rhs.order != (0, 1) else 1


__all__ = ["columns_dim", "used_part", "yielded"]


def part_of_k(k: LoweringContext, op: tile.ContractOp) -> tuple[Idx, Idx]:
    """Where what the current grid point sums up begins in K, and how much that is."""
    size = op.schedule.k
    if op.schedule.parts is None:
        return 0, size
    depth = op.schedule.depth
    first = k.emit.mul(k.coordinates[op.schedule.parts.dim], size)
    return first, size if depth % size == 0 else k.emit.min(size, k.emit.sub(depth, first))
