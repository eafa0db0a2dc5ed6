"""The program of a Vector core that lays operands out for the Cube core beside it, and does its epilogues."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....dialects import tile
from ....dialects.tile import tile_type
from ...support.indices import Idx
from ..pipelining.tile_loop import TileLoop
from ..product.computed_operand import computes_operand, whole_rows_before
from ..product.contract import place_in_k
from ..product.prefetch import FetchAhead
from ..product.used_part import yielded
from ..transfers.feature_map import load_feature_map
from ..transfers.filters import from_vector_cores, load_filters
from .cube_to_vector_gm import SLOTS as HAND_OVER_SLOTS

if TYPE_CHECKING:
    from ..base.context import LoweringContext


BEHIND = HAND_OVER_SLOTS
"""Tiles that epilogues are behind operands: Vector cores that take turns lay out one each. No more than there is room
for between the cores, or operands of a tile could wait for a result that waits for its room."""


def work_and_feed(k: LoweringContext, op: tile.ContractOp, walk: TileLoop) -> None:
    """A Vector core that lays operands out for a Cube core: those of a tile come before the epilogues of tiles before,
    so that the Cube core need not wait for it."""
    emit, feed, exchange = k.emit, k.feed, k.hand_over
    assert feed is not None
    ahead = not feed.direct or op.schedule.resident is None or feed.rooms > 1
    if ahead and _rounds(k, op):
        _feed_ahead(k, op, walk)
        return
    if op.schedule.resident is not None:
        _feed_rows(k, op, walk, 1 if ahead else 0)
        return
    if exchange is None:  # FixPipe writes the result
        with walk.trips() as point:
            walk.at(point)
            feed.turn = walk.turn(point)
            _produce(k, op)
        return
    with walk.trips(BEHIND) as point:
        turn = walk.turn(point)
        with emit.condition("slt", point, walk.end):
            walk.at(point)
            feed.turn = turn
            _produce(k, op)
        with emit.condition("sge", point, BEHIND * walk.stride):
            walk.at(emit.sub(point, BEHIND * walk.stride))
            exchange.turn = emit.sub(turn, BEHIND)
            k.epilogue(op, None)


def _feed_ahead(k: LoweringContext, op: tile.ContractOp, walk: TileLoop) -> None:
    """The same where a core asks for what its next step is computed from before it computes one, across tiles too: trip
    `point` lays out the tile before, the first one only asks for its first step. Of an operand that stays in L1 a trip
    is a row of tiles."""
    emit, exchange, end = k.emit, k.hand_over, walk.end
    columns = 1 if op.schedule.resident is None else walk.columns
    rounds, steps, stride = _rounds(k, op), OwnSteps(k, op), walk.stride * columns
    with walk.trips(columns * (1 if exchange is None else 2), columns) as point:
        idle = emit.sub(1, emit.min(emit.div(point, stride), 1))
        this = emit.max(emit.sub(point, stride), emit.mul(idle, end))
        with emit.loop(0, rounds) as number:
            following = emit.add(number, 1)
            wraps = emit.div(following, rounds)
            there = emit.max(emit.sub(point, emit.mul(emit.sub(1, wraps), stride)), 0)
            there = emit.max(there, emit.mul(emit.mul(idle, emit.sub(1, wraps)), end))
            walk.at(there)
            with emit.condition("slt", there, end):
                steps.fetch(walk.turn(there), emit.sub(following, emit.mul(wraps, rounds)))
            walk.at(this)
            with emit.condition("slt", this, end):
                steps.compute(walk.turn(this), number)
        if exchange is not None:
            with emit.condition("sge", point, 2 * stride):
                _epilogues(k, op, walk, emit.sub(point, 2 * stride), columns)


def _feed_rows(k: LoweringContext, op: tile.ContractOp, walk: TileLoop, before: int) -> None:
    """The left operand of all tiles of columns, then the epilogues of the row of tiles so many rows `before`."""
    emit, feed, exchange, columns = k.emit, k.feed, k.hand_over, walk.columns
    assert feed is not None
    before = before if exchange is not None else 0
    with walk.trips(before * columns, columns) as row:
        turn = walk.turn(row)
        with emit.condition("slt", row, walk.end):
            walk.at(row)
            feed.turn = turn
            _produce(k, op)
        if exchange is not None:
            with emit.condition("sge", row, before * columns):
                _epilogues(k, op, walk, emit.sub(row, before * columns), columns)


def _epilogues(k: LoweringContext, op: tile.ContractOp, walk: TileLoop, first: Idx, columns: int) -> None:
    """What follows the products of a row of tiles, or of one, from tile `first` on."""
    emit, exchange = k.emit, k.hand_over
    assert exchange is not None
    with emit.loop(0, columns) as column:
        tile_ = emit.add(first, column)
        walk.at(tile_)
        exchange.turn = walk.turn(tile_)
        k.epilogue(op, None)


def _produce(k: LoweringContext, op: tile.ContractOp) -> None:
    """Lay out the left operand of every step of K of the current tile."""
    emit, feed, block = k.emit, k.feed, op.body.block
    assert feed is not None
    depth, step = op.schedule.k, (op.schedule.resident or op.schedule.step)

    def one(done: Idx, size: int) -> None:
        feed.step = emit.div(done, step)
        at = done if op.schedule.rows is not None or size < step else place_in_k(k, op, done)
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
                    if op.schedule.rows is None:
                        whole_rows_before(k, op, inner)
                    k.operation(inner)
        for inner in block.ops:
            if isinstance(inner, tile.LoadOp) and inner not in computed:
                emit.location = inner.location
                if inner.result is yielded(op)[0]:
                    load_feature_map(k, inner, tile_type(inner.result))
                elif op.window is not None and from_vector_cores(inner):
                    load_filters(k, inner, tile_type(inner.result))
        feed.produced()

    if op.schedule.rows is not None:
        depth, step = op.schedule.m_shape[-1], op.schedule.rows
    rounds = _rounds(k, op)
    if rounds > 1:
        _produce_ahead(k, op, rounds)
        return
    whole = depth // step * step
    if whole:
        with emit.loop(0, whole, step) as at:
            one(at, step)
    if whole < depth:
        one(whole, depth - whole)


def _rounds(k: LoweringContext, op: tile.ContractOp) -> int:
    """How many steps of a tile's left operand, which is computed, each core has; 0 where these are not as many or
    are not loaded ahead."""
    depth, step = op.schedule.k, (op.schedule.resident or op.schedule.step)
    if op.schedule.rows is not None:
        depth, step = op.schedule.m_shape[-1], op.schedule.rows
    turn = step * k.target.vectors_beside
    return depth // turn if depth % turn == 0 and op.schedule.prefetch else 0


class OwnSteps:
    """The steps of a left operand that are one core's: `fetch` asks for what one is computed from, `compute` computes
    it of what was asked for the last time but one, so that DMA does not wait for the Vector instructions."""

    def __init__(self, k: LoweringContext, op: tile.ContractOp):
        self.k, self.op, self.ahead = k, op, FetchAhead(k, op)
        emit, self.beside = k.emit, k.target.vectors_beside
        self.own = emit.rem(emit.sub(self.beside, k.vector), self.beside)
        """Which of so many steps in a row is this core's."""
        self.size = op.schedule.rows or op.schedule.resident or op.schedule.step
        k.fetched_ahead = True

    def _enter(self, turn: Idx, number: Idx) -> None:
        """Make the core's step `number` of the tile that is its `turn`-th the current one."""
        emit, feed = self.k.emit, self.k.feed
        assert feed is not None
        feed.turn, feed.step = turn, emit.add(emit.mul(number, self.beside), self.own)
        at = emit.mul(feed.step, self.size)
        if self.op.schedule.rows is None:
            at = place_in_k(self.k, self.op, at)
        for argument in self.op.body.block.args:
            self.k.index[argument] = at if argument.index % 2 == 0 else self.size
        for inner in self.op.body.block.ops:
            if inner.dialect_name() == "arith":
                self.k.operation(inner)

    def fetch(self, turn: Idx, number: Idx) -> None:
        self._enter(turn, number)
        self.ahead.fetch()

    def compute(self, turn: Idx, number: Idx) -> None:
        """The core's step, between those of the others beside it."""
        emit, feed = self.k.emit, self.k.feed
        assert feed is not None
        self._others(self.own)
        self._enter(turn, number)
        feed.produce()
        for inner in self.op.body.block.ops:
            if inner in self.ahead.loads:
                self.ahead.load(inner)
            elif computes_operand(inner) or isinstance(inner, tile.MoveOp):
                emit.location = inner.location
                if self.op.schedule.rows is None:
                    whole_rows_before(self.k, self.op, inner)
                self.k.operation(inner)
        feed.produced()
        self._others(emit.sub(self.beside - 1, self.own))

    def _others(self, count: Idx) -> None:
        """Steps of the other cores."""
        feed = self.k.feed
        assert feed is not None
        with self.k.emit.loop(0, count):
            feed.produce()
            feed.produced()


def _produce_ahead(k: LoweringContext, op: tile.ContractOp, rounds: int) -> None:
    """The same, each step asked for before the one before it is computed."""
    emit, feed, steps = k.emit, k.feed, OwnSteps(k, op)
    assert feed is not None
    turn = feed.turn
    with emit.loop(0, rounds + 1) as following:
        with emit.condition("slt", following, rounds):
            steps.fetch(turn, following)
        with emit.condition("sge", following, 1):
            steps.compute(turn, emit.sub(following, 1))
