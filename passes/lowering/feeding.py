"""The program of a Vector core that lays operands out for the Cube core beside it, and does its epilogues."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...dialects import tile
from ...dialects.attributes import integers
from ...dialects.tile import tile_type
from .contract import yielded
from .emitter import Idx
from .feature_map import load_feature_map
from .fetch_ahead import FetchAhead, loads_in_order
from .filters import load_filters
from .operand import computes_operand
from .walk import Walk

if TYPE_CHECKING:
    from .kernel import KernelLowering


def work_and_feed(k: KernelLowering, op: tile.ContractOp, walk: Walk) -> None:
    """A Vector core that lays operands out for a Cube core: those of a tile come before the epilogue of the tile
    before, so that the Cube core need not wait for it."""
    emit, feed, exchange = k.emit, k.feed, k.hand_over
    assert feed is not None
    if op.resident is not None:
        _feed_rows(k, op, walk)
        return
    if exchange is None:  # FixPipe writes the result
        with walk.trips() as point:
            walk.at(point)
            feed.turn = walk.turn(point)
            _produce(k, op)
        return
    with walk.trips(1) as point:
        turn = walk.turn(point)
        with emit.condition("slt", point, walk.end):
            walk.at(point)
            feed.turn = turn
            _produce(k, op)
        with emit.condition("sge", point, walk.stride):
            walk.at(walk.before(point))
            exchange.turn = emit.sub(turn, 1)
            k.epilogue(op, None)


def _feed_rows(k: KernelLowering, op: tile.ContractOp, walk: Walk) -> None:
    """The left operand of all tiles of columns, then their epilogues."""
    emit, feed, exchange = k.emit, k.feed, k.hand_over
    assert feed is not None
    with walk.rows() as (row, columns):
        walk.at(row)
        feed.turn = walk.turn(row)
        _produce(k, op)
        if exchange is None:
            return
        with emit.loop(0, columns) as column:
            point = emit.add(row, column)
            walk.at(point)
            exchange.turn = walk.turn(point)
            k.epilogue(op, None)


def _produce(k: KernelLowering, op: tile.ContractOp) -> None:
    """Lay out the left operand of every step of K of the current tile."""
    emit, feed, block = k.emit, k.feed, op.body.block
    assert feed is not None
    depth, step = op.k.value.data, (op.resident or op.step).value.data

    def one(at: Idx, size: int) -> None:
        feed.step = emit.div(at, step if op.rows is None else op.rows.value.data)
        for argument in block.args:
            k.index[argument] = at if argument.index % 2 == 0 else size
        feed.produce()
        computed = [o for o in block.ops if computes_operand(o) or isinstance(o, tile.MoveOp)]
        for inner in block.ops:
            if inner.dialect_name() == "arith":  # indices
                k.operation(inner)
        if computed:
            # a step's operand is one core's: they take steps in turns
            begin, stride = feed.share(1, 1)
            with emit.loop(begin, 1, stride):
                for inner in computed:
                    emit.location = inner.location
                    k.operation(inner)
        for inner in block.ops:
            if isinstance(inner, tile.LoadOp) and inner not in computed:
                emit.location = inner.location
                if inner.result is yielded(op)[0]:
                    load_feature_map(k, inner, tile_type(inner.result))
                elif inner.packed is None and op.window is not None:
                    load_filters(k, inner, tile_type(inner.result))
        feed.produced()

    if op.rows is not None:
        depth, step = integers(op.m_shape)[-1], op.rows.value.data
    turn = step * k.target.vectors_beside
    if depth % turn == 0 and depth > turn and loads_in_order(k, op):
        _produce_ahead(k, op, depth // turn, step)
        return
    whole = depth // step * step
    if whole:
        with emit.loop(0, whole, step) as at:
            one(at, step)
    if whole < depth:
        one(whole, depth - whole)


def _produce_ahead(k: KernelLowering, op: tile.ContractOp, rounds: int, size: int) -> None:
    """The same of a left operand that is computed, where each core has as many steps, `rounds`, of `size` of K: it asks
    for what the next one is computed from before it computes one, so that DMA does not wait for the Vector
    instructions."""
    emit, feed, block = k.emit, k.feed, op.body.block
    assert feed is not None
    beside, ahead = k.target.vectors_beside, FetchAhead(k, op)
    own = emit.rem(emit.sub(beside, k.vector), beside)
    """Which of so many steps in a row is this core's."""
    k.fetched_ahead = True

    def enter(number: Idx) -> None:
        """Make the core's step `number` the current one."""
        feed.step = emit.add(emit.mul(number, beside), own)
        at = emit.mul(feed.step, size)
        for argument in block.args:
            k.index[argument] = at if argument.index % 2 == 0 else size
        for inner in block.ops:
            if inner.dialect_name() == "arith":
                k.operation(inner)

    def others(count: Idx) -> None:
        """Steps of the other cores."""
        with emit.loop(0, count):
            feed.produce()
            feed.produced()

    with emit.loop(0, rounds + 1) as following:
        with emit.condition("slt", following, rounds):
            enter(following)
            ahead.fetch()
        with emit.condition("sge", following, 1):
            others(own)
            enter(emit.sub(following, 1))
            feed.produce()
            for inner in block.ops:
                if inner in ahead.loads:
                    ahead.load(inner)
                elif computes_operand(inner) or isinstance(inner, tile.MoveOp):
                    emit.location = inner.location
                    k.operation(inner)
            feed.produced()
            others(emit.sub(beside - 1, own))
