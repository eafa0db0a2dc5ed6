"""Several tiles of a product a core: what feeds the Cube is emitted ahead of what follows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....dialects import tile
from ...support.indices import Idx
from ..product.contract import Contraction
from .tile_loop import TileLoop

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def overlapped(k: LoweringContext, op: tile.ContractOp, walk: TileLoop) -> None:
    """Several tiles a core: the epilogue of a tile is emitted after the first loads of the next one, so that the
    in-order Vector and DMA queues have the Cube's next operands ready when it has finished."""
    emit = k.emit
    product = Contraction(k, op)
    with walk.trips(1) as point:
        walk.at(point)
        emit.location = op.location
        product.begin()
        previous = product.previous()
        with emit.condition("slt", point, walk.end):
            first = product.load_step(0)
        with emit.condition("sge", point, walk.stride):
            walk.at(walk.before(point))
            k.epilogue(op, previous)
        emit.location = op.location
        with emit.condition("slt", point, walk.end):
            walk.at(point)
            product.multiply_step(first, 0)
            product.rest()


def streamed(k: LoweringContext, op: tile.ContractOp, walk: TileLoop) -> None:
    """Several steps a tile: the operands of every step are loaded while the Cube works on the step before, across
    tiles too, by one piece of code, so that the ping-pong of L1 and L0 never stops. Trip `point` computes the tile
    of the trip before; the first one only loads its first step. DMA for a left operand that is computed is a step
    further ahead, and the products are issued before the Vector instructions of the next step, which fill the queue."""
    emit, product = k.emit, Contraction(k, op)
    steps, stride, end = product.steps, walk.stride, walk.end
    product.fetched = product.ahead is not None
    with walk.trips(1) as point:
        emit.location = op.location
        product.begin()
        if op.schedule.split_last:
            product.hold_last()
        this = walk.before(point)
        idle = emit.sub(1, emit.min(emit.div(point, stride), 1))
        if k.tables:
            with emit.condition("sge", point, stride):
                walk.at(this)
                k.load_tables()

        def after(step: Idx, count: int) -> tuple[Idx, Idx]:
            """The tile and the number of the step that comes `count` steps after `step` of this trip."""
            following = emit.add(step, count)
            wraps = emit.div(following, steps)
            stays = emit.sub(1, wraps)
            there = emit.max(emit.sub(point, emit.mul(stays, stride)), emit.mul(emit.mul(idle, stays), end))
            return there, emit.sub(following, emit.mul(wraps, steps))

        with emit.loop(0, steps) as step:
            ahead, number = after(step, 1)
            walk.at(ahead)
            if product.ahead is not None:
                with emit.condition("slt", ahead, end):
                    product.load_right(number)
                second, fetched = after(step, 2)
                walk.at(second)
                with emit.condition("slt", second, end):
                    product.fetch_step(fetched)
                walk.at(ahead)
            with emit.condition("slt", ahead, end) as loading:
                operands = product.load_step(number)
            operands = product.before(operands)
            with emit.condition("sge", point, stride):
                walk.at(this)
                product.multiply_step(product.of_this_tile(operands), step)
            if product.ahead is not None:
                emit.after_this(loading)
        with emit.condition("sge", point, stride):
            walk.at(this)
            if k.hand_over is not None:
                k.hand_over.turn = emit.sub(walk.turn(point), 1)
            k.epilogue(op, product.acc)


def one_by_one(k: LoweringContext, op: tile.ContractOp, walk: TileLoop) -> None:
    """A product whose left operand stays in L1: the first tile of columns computes it, step by step, or has it computed
    before its products; the others find it there."""
    emit, product = k.emit, Contraction(k, op)
    if k.core == "aic" and product.steps > 1 and op.schedule.rows is None:
        _one_by_one(k, product, walk)
        return

    def one(point: Idx, computes: bool) -> None:
        _begin(k, product, walk, point)
        product.computes = computes
        if computes and op.schedule.rows is not None:
            if k.core == "aic" and product.steps == 1:  # weights are asked for before the core waits
                product.load_right(0)
            product.compute_rows()
        product.rest(0)
        k.epilogue(op, product.acc)

    with walk.rows() as (row, columns):
        one(row, True)
        if columns > 1:
            with emit.loop(1, columns) as column:
                one(emit.add(row, column), False)
        product.release()


def _begin(k: LoweringContext, product: Contraction, walk: TileLoop, point: Idx) -> None:
    """Begin the tile `point`."""
    walk.at(point)
    for side in (k.hand_over, k.feed):
        if side is not None:
            side.turn = walk.turn(point)
    k.load_tables()
    k.emit.location = product.op.location
    product.begin()


def _one_by_one(k: LoweringContext, product: Contraction, walk: TileLoop) -> None:
    """The same on a Cube core, to which others hand the operand over: by one piece of code, so that weights are asked
    for while the core waits for the operand, and across tiles."""
    emit, op = k.emit, product.op
    product.computes = False
    with walk.trips() as point:
        _begin(k, product, walk, point)
        if op.schedule.rows is not None:
            with emit.condition("slt", emit.rem(point, walk.columns), 1):
                product.compute_rows()
        with emit.loop(0, product.steps) as step:
            operands = product.load_step(step)
            if op.schedule.rows is None:
                with emit.condition("slt", emit.rem(point, walk.columns), 1):
                    product.compute_step(step)
            product.multiply_step(operands, step)
        k.epilogue(op, product.acc)
        with emit.condition("sge", emit.rem(point, walk.columns), walk.columns - 1):
            product.release()
