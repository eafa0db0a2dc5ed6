"""The program of a Vector core that lays operands out for the Cube core beside it, and does its epilogues."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...dialects import tile
from ...dialects.tile import tile_type
from .contract import yielded
from .emitter import Idx
from .feature_map import load_feature_map
from .filters import load_filters
from .operand import computes_operand

if TYPE_CHECKING:
    from .kernel import KernelLowering


def work_and_feed(k: KernelLowering, op: tile.ContractOp, core: Idx, cores: int, points: Idx) -> None:
    """A Vector core that lays operands out for a Cube core: those of a tile come before the epilogue of the tile
    before, so that the Cube core need not wait for it."""
    emit, feed, exchange = k.emit, k.feed, k.hand_over
    assert feed is not None and exchange is not None
    with emit.loop(core, emit.add(points, cores), cores) as point:
        turn = emit.div(point, cores)
        with emit.condition("slt", point, points):
            k.grid_point(point, {})
            feed.turn = turn
            _produce(k, op)
        with emit.condition("sge", point, cores):
            k.grid_point(emit.sub(point, cores), {})
            exchange.turn = emit.sub(turn, 1)
            k.epilogue(op, None)


def _produce(k: KernelLowering, op: tile.ContractOp) -> None:
    """Lay out the left operand of every step of K of the current tile."""
    emit, feed, block = k.emit, k.feed, op.body.block
    assert feed is not None
    depth, step = op.k.value.data, op.step.value.data

    def one(at: Idx, size: int) -> None:
        feed.step = emit.div(at, step)
        k.index[block.args[0]], k.index[block.args[1]] = at, size
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

    whole = depth // step * step
    if whole:
        with emit.loop(0, whole, step) as at:
            one(at, step)
    if whole < depth:
        one(whole, depth - whole)
