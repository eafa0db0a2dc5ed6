"""The products of a `tile.kernel`, and how many steps of K each takes."""

from __future__ import annotations

from ....dialects import tile


def accumulator_of(kernel: tile.KernelOp) -> tile.ContractOp | None:
    """The product of a kernel whose tiles are stored, if it has one."""
    return next((op for op in reversed(products_of(kernel))), None)


def products_of(kernel: tile.KernelOp) -> list[tile.ContractOp]:
    """The products of a kernel that are in no stream; what Vector cores lay out is for the first one."""
    return [op for op in kernel.body.block.ops if isinstance(op, tile.ContractOp)]


def steps_of(product: tile.ContractOp) -> int:
    """Steps of K that a tile of a product takes; of a left operand that stays in L1, its parts."""
    if product.schedule.rows is not None:
        return product.schedule.m_shape[-1] // product.schedule.rows
    return -(-product.schedule.k // (product.schedule.resident or product.schedule.step))
