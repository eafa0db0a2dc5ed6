"""Several tiles of a product a core: what feeds the Cube is emitted ahead of what follows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...dialects import tile
from .contract import Contraction, streams
from .emitter import Idx

if TYPE_CHECKING:
    from .kernel import KernelLowering


def pipelined(k: KernelLowering, op: tile.ContractOp, core: Idx, cores: int, points: Idx) -> None:
    """Several tiles a core: the epilogue of a tile is emitted after the first loads of the next one, so that the
    in-order Vector and DMA queues have the Cube's next operands ready when it has finished."""
    emit = k.emit
    if streams(op, k.target):
        streamed(k, op, core, cores, points)
        return
    product = Contraction(k, op)
    with emit.loop(core, emit.add(points, cores), cores) as point:
        k.grid_point(point, {})
        emit.location = op.location
        product.begin()
        previous = product.previous()
        with emit.condition("slt", point, points):
            first = product.load_step(0)
        with emit.condition("sge", point, cores):
            k.grid_point(emit.sub(point, cores), {})
            k.epilogue(op, previous)
        emit.location = op.location
        with emit.condition("slt", point, points):
            k.grid_point(point, {})
            product.multiply_step(first, 0)
            product.rest()


def streamed(k: KernelLowering, op: tile.ContractOp, core: Idx, cores: int, points: Idx) -> None:
    """Several steps a tile: the operands of every step are loaded while the Cube works on the step before, across
    tiles too, by one piece of code, so that the ping-pong of L1 and L0 never stops. Trip `point` computes the tile
    of the trip before; the first one only loads its first step."""
    emit, product = k.emit, Contraction(k, op)
    steps = product.steps
    with emit.loop(core, emit.add(points, cores), cores) as point:
        emit.location = op.location
        product.begin()
        this = emit.sub(point, cores)
        idle = emit.sub(1, emit.min(emit.div(point, cores), 1))
        if k.tables:
            with emit.condition("sge", point, cores):
                k.grid_point(this, {})
                k.load_tables()
        with emit.loop(0, steps) as step:
            following = emit.add(step, 1)
            wraps = emit.div(following, steps)
            stays = emit.sub(1, wraps)
            ahead = emit.max(emit.sub(point, emit.mul(stays, cores)), emit.mul(emit.mul(idle, stays), points))
            k.grid_point(ahead, {})
            with emit.condition("slt", ahead, points):
                operands = product.load_step(emit.sub(following, emit.mul(wraps, steps)))
            operands = product.before(operands)
            with emit.condition("sge", point, cores):
                k.grid_point(this, {})
                product.multiply_step(product.of_this_tile(operands), step)
        with emit.condition("sge", point, cores):
            k.grid_point(this, {})
            if k.hand_over is not None:
                k.hand_over.turn = emit.sub(emit.div(point, cores), 1)
            k.epilogue(op, product.acc)
