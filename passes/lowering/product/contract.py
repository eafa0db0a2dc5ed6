"""`tile.contract`: the K loop. Each step brings its operand tiles to L1; pieces of K go on to L0 and the Cube.

K that the step does not divide is a last step of its own, and so is K of a step that the L0 piece does not divide:
every instruction has static sizes.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Operation

from ....dialects import tile
from ....dialects.element_types import bytes_of
from ....dialects.target_types import Target
from ....dialects.tile import BLOCK, TileType, tile_type
from ...support.indices import Idx
from ..base.emitter import Generation
from ..base.place import Place, blocked_dim, ceil_to, physical
from ..transfers.filters import from_vector_cores
from ..transfers.image_clip import clipped, clips
from .computed_operand import computes_operand, moved_operand, resident_type, whole_rows_before
from .l0_pieces import Operands, Pieces
from .prefetch import FetchAhead
from .used_part import columns_dim, part_of_k, yielded

if TYPE_CHECKING:
    from ..base.context import LoweringContext


def lower_contract(k: LoweringContext, op: tile.ContractOp) -> Place:
    """Emit the product; the place of its accumulator in L0C."""
    product = Contraction(k, op)
    product.begin()
    product.rest(0)
    return product.acc


def equal_steps(op: tile.ContractOp) -> int:
    """How many steps of equal size K is of each tile; 1 when they are not equal."""
    if op.schedule.parts is not None:
        return 1
    depth = op.schedule.k
    step = min(op.schedule.step, depth)
    return 1 if depth % step else depth // step


def step_bytes(op: tile.ContractOp) -> int:
    """Bytes of L1 that the operands of a step take."""
    size = 0
    for kind in (tile_type(value) for value in yielded(op)):
        shape, block = kind.get_shape(), blocked_dim(kind)
        rows = prod(n for d, n in enumerate(shape) if d != block)
        columns = ceil_to(shape[block], max(BLOCK, kind.lanes))
        size += ceil_to(rows, BLOCK) * columns * bytes_of(kind.element_type)
    return size


def streams(op: tile.ContractOp, target: Target) -> bool:
    """Whether the operands of each step may be loaded during the products of the step before: L1 holds those of two."""
    return equal_steps(op) > 1 and 2 * step_bytes(op) <= target.spaces["l1"].bytes


def place_in_k(k: LoweringContext, op: tile.ContractOp, done: Idx) -> Idx:
    """Where the step of a product is in K that follows `done` of K, for the current grid point."""
    emit, spans, step = k.emit, op.schedule.stagger, op.schedule.step_k
    whole = op.schedule.k // step * step
    if spans is None or whole <= step:
        return k.emit.add(part_of_k(k, op)[0], done)
    steps, column = whole // step, blocked_dim(tile_type(op.result))
    row: Idx = 0
    for d, count in enumerate(k.grid):
        if d != column:
            row = emit.add(emit.mul(row, count), k.coordinates[d])
    begin: Idx = 0
    for place, span in zip((row, k.coordinates[column]), spans, strict=True):
        begin = emit.add(begin, emit.div(emit.mul(place, steps), span))
    first, size = part_of_k(k, op)
    there = size if op.schedule.parts is not None else whole
    return emit.add(first, emit.rem(emit.add(done, emit.mul(begin, step)), there))


def _with_columns(op: tile.ContractOp, rhs: Place, n: Idx) -> Place:
    """A right operand that has `n` columns, where their number varies."""
    at = columns_dim(op, rhs)
    if isinstance(rhs.sizes[at], int):
        return rhs
    return replace(rhs, sizes=tuple(n if d == at else size for d, size in enumerate(rhs.sizes)))


class Contraction:
    """One contraction, step by step: `load_step` brings a step's operands to L1, `multiply_step` does its products.

    Between the two, work of another step or tile may be emitted: its Vector and DMA instructions then do not hold up
    this one. Buffers in L0 are shared by all steps.
    """

    def __init__(self, k: LoweringContext, op: tile.ContractOp):
        self.k, self.op = k, op
        self.feed = None if isinstance(yielded(op)[0].owner, tile.HaloOp) else k.feed
        """What Vector cores lay out for this product."""
        emit, kind = k.emit, tile_type(op.result)
        elements, strides = physical(kind, BLOCK)
        self.buffer = emit.buffer(elements, kind.element_type, "l0c", "accumulator")
        shape = kind.get_shape()
        base = Generation(self.buffer, None)
        self.acc = Place(base, kind.element_type, shape, shape, strides, kind.get_order(), blocked_dim(kind))
        self.pieces = pieces = Pieces(k, op)
        self.step = op.schedule.step_k
        self.steps = equal_steps(op)
        self.ahead = FetchAhead(k, op) if op.schedule.prefetch and k.core is None else None
        """Loads of the left operand that are issued a step ahead."""
        self.left: TileType | None = None
        """The left operand that stays in L1."""
        self.computes = True
        """Whether the current tile computes it."""
        self.fetched = False
        """Whether what it is computed from was issued ahead."""
        self.there = set[Operation]()
        """Loads of the right operands of the next step that were issued."""
        self.right: Place | None = None
        """The right operand that stays in L1, from the first step of K on."""
        if op.schedule.keeps:
            kept = tile_type(yielded(op)[1])
            run = pieces.n1 * pieces.fractal
            whole = emit.fresh(-(-op.schedule.k // pieces.k0) * run, pieces.dtype, "l1", "weights")
            shape = kept.get_shape()
            self.right = k.kept = Place(whole, pieces.dtype, shape, shape, (run, pieces.fractal), (0, 1), 1)
        if op.schedule.resident is not None:
            self.left = resident_type(op)
            if k.feed is not None and k.feed.direct:
                k.resident = k.feed.workspace
            else:
                k.resident = emit.fresh(physical(self.left, BLOCK)[0], pieces.dtype, "l1", "resident")

    def begin(self) -> None:
        """The accumulator's next generation."""
        self.acc = replace(self.acc, base=self.k.emit.generation(self.buffer))

    def previous(self) -> Place:
        """The accumulator of the tile before."""
        return replace(self.acc, base=self.k.emit.previous_generation(self.buffer))

    def before(self, operands: Operands) -> Operands:
        """The operands loaded before `operands`, by the same code."""
        emit = self.k.emit
        found: list[Place] = []
        for place in operands:
            if self.right is None or place.base != self.right.base:
                place.own.buffer.slots = IntegerAttr(2, i64)
                place = replace(place, base=emit.previous_generation(place.own.buffer))
            found.append(place)
        return tuple(found)

    def of_this_tile(self, operands: Operands) -> Operands:
        """`operands`, loaded for the current grid point when another one was current since."""
        lhs, *rhs = operands
        if self.op.window is not None and moved_operand(self.op) is None:
            rows, columns = clips(
                self.k, next(o for o in self.op.body.block.ops if isinstance(o, tile.LoadOp))
            )
            lhs = clipped(lhs, rows, columns)
        block = blocked_dim(tile_type(self.op.result))
        if block in self.k.covered:
            n = self.k.inside[block]
            rhs = [_with_columns(self.op, one, n) for one in rhs]
        return lhs, *rhs

    def load_step(self, number: Idx) -> Operands:
        """Operands of step `number`."""
        return self.load(self._at(self.k.emit.mul(number, self.step)), self.step, number)

    def fetch_step(self, number: Idx) -> None:
        """DMA of what step `number` of the left operand is computed from."""
        assert self.ahead is not None
        self.fetched = self.k.fetched_ahead = True
        self._enter(number)
        self.ahead.fetch()

    def load_right(self, number: Idx) -> None:
        """DMA of the right operands of step `number` that are packed; its `load_step` follows. One tile alone asks for
        those that stay in L1, and not here: flags of what some tiles leave out would hold up the others."""
        if self.right is not None:
            return
        self._enter(number)
        for inner in self.op.body.block.ops:
            if isinstance(inner, tile.LoadOp) and inner.packed is not None and not computes_operand(inner):
                self.k.operation(inner)
                self.there.add(inner)

    def _enter(self, number: Idx) -> None:
        """Index arithmetic of the body for step `number`."""
        at, block = self._at(self.k.emit.mul(number, self.step)), self.op.body.block
        self.k.index.update(zip(block.args, (at, self.step) * (len(block.args) // 2), strict=True))
        for inner in block.ops:
            if inner.dialect_name() == "arith":
                self.k.operation(inner)

    def _at(self, done: Idx) -> Idx:
        """Where the step is in K that follows `done` of K."""
        return place_in_k(self.k, self.op, done)

    def multiply_step(self, operands: Operands, number: Idx) -> None:
        """Products of step `number`."""
        if self.right is not None:
            at = self.k.emit.mul(number, self.step // self.pieces.k0 * self.right.strides[0])
            operands = operands[0], replace(self.right, offset=at)
        self.multiply(operands, self.k.emit.mul(number, self.step), self.step)

    def hold_last(self) -> None:
        """Have the products of the last step's pieces follow by columns."""
        self.pieces.settle()
        self.k.late = self

    def multiply_columns(self, start: Idx, columns: int) -> None:
        """Products of the last step, of so many columns from `start` on."""
        self.pieces.multiply_held(self.acc, self.op.schedule.k - self.step, start, columns)

    def compute_step(self, number: Idx) -> None:
        """Step `number` of a left operand that stays in L1."""
        self._compute(self._at(self.k.emit.mul(number, self.step)), self.step, number)

    def rest(self, start: int = 1) -> None:
        """Operands and products of the steps from `start` on; K that the step does not divide comes last."""
        depth, step = self.op.schedule.k, self.step
        first, whole = start * step, depth // step * step
        if self.op.schedule.parts is not None:
            with self.k.emit.loop(first, part_of_k(self.k, self.op)[1], step) as done:
                self._load_and_multiply(self._at(done), done, step)
            return
        if self.ahead is not None and self.computes and self.steps > 1 and start == 0:
            self._ahead_of_each()
            return
        if first < whole:
            with self.k.emit.loop(first, whole, step) as done:
                self._load_and_multiply(self._at(done), done, step)
        if whole < depth:
            self._load_and_multiply(whole, whole, depth - whole)

    def _ahead_of_each(self) -> None:
        """All steps, one a trip; each trip first issues what the next one computes from."""
        emit = self.k.emit
        with emit.loop(0, self.steps + 1) as following:
            step = emit.sub(following, 1)
            with emit.condition("sge", following, 1):
                self.load_right(step)
            with emit.condition("slt", following, self.steps):
                self.fetch_step(following)
            with emit.condition("sge", following, 1):
                self.multiply_step(self.load_step(step), step)
        self.fetched = False

    def _load_and_multiply(self, at: Idx, done: Idx, size: int) -> None:
        self.multiply(self.load(at, size, self.k.emit.div(done, self.step)), done, size)
        if self.feed is not None and self.feed.direct and self.left is None:
            self.feed.fetched()

    def release(self) -> None:
        """Vector cores may write the left operand that stays in L1 again."""
        feed = self.feed
        if feed is not None and feed.direct:
            for _ in range(feed.slots // feed.rooms):
                feed.fetched()

    def load(self, at: Idx, size: int, number: Idx) -> Operands:
        """Operand tiles of `size` along K from `at`, of the tile's step `number`."""
        k, block = self.k, self.op.body.block
        if self.left is not None and self.computes and self.op.schedule.rows is None:
            self._compute(at, size, number)
        k.index[block.args[0]], k.index[block.args[1]] = at, size
        if self.left is not None:
            k.index[block.args[2]], k.index[block.args[3]] = 0, size
            for inner in block.ops:
                others = isinstance(inner, tile.YieldOp | tile.MoveOp) or computes_operand(inner)
                if inner not in self.there and not others:
                    k.operation(inner)
            self.there.clear()
            right = [k.places[v] for v in yielded(self.op)[1:]]
            if self.op.schedule.stages is not None:
                for place in right:
                    place.own.buffer.slots = IntegerAttr(self.op.schedule.stages, i64)
            return self._resident(at, size), *right
        fed = k.core == "aic" and moved_operand(self.op) is not None
        ops = [op for op in block.ops if not isinstance(op, tile.YieldOp)]
        handed = self._handed_over()
        if handed:  # weights are asked for before the core waits
            ops.sort(key=handed.__contains__)
        if k.core is None:  # the right operand's DMA is not to wait for the Vector instructions
            ops.sort(key=lambda op: isinstance(op, tile.MoveOp) or computes_operand(op))
        for inner in ops:
            if self.feed is not None and inner is handed[0]:
                self.feed.step = number
                self.feed.fetch()
            if inner not in self.there and not (fed and computes_operand(inner)):
                self._operation(inner)
        self.there.clear()
        if self.feed is not None and not self.feed.direct:
            self.feed.fetched()
        return tuple(k.places[v] for v in yielded(self.op))

    def _handed_over(self) -> list[Operation]:
        """The ops of the body that bring what Vector cores lay out: the left operand, and filters that are no
        weights."""
        if self.feed is None:
            return []
        left, *right = (value.owner for value in yielded(self.op))
        window = self.op.window is not None
        filters = [op for op in right if window and isinstance(op, tile.LoadOp) and from_vector_cores(op)]
        assert isinstance(left, Operation)
        return [left, *filters]

    def _operation(self, op: Operation) -> None:
        """An op of the body; of a load that was issued ahead what follows the DMA."""
        if self.k.core is None and self.op.schedule.rows is None:
            whole_rows_before(self.k, self.op, op)
        if self.fetched and self.ahead is not None and op in self.ahead.loads:
            self.ahead.load(op)
        else:
            self.k.operation(op)

    def compute_rows(self) -> None:
        """All of the left operand, some rows at a time."""
        emit, op = self.k.emit, self.op
        assert op.schedule.rows is not None
        rows = op.schedule.rows
        with emit.loop(0, op.schedule.m_shape[-1], rows) as row:
            self._compute(row, rows, emit.div(row, rows))

    def _compute(self, at: Idx, size: int, number: Idx) -> None:
        """One part of the left operand; for a Cube core it comes from the Vector cores."""
        k, block = self.k, self.op.body.block
        k.index.update(zip(block.args, (at, size) * 2, strict=True))
        if self.feed is not None:
            self.feed.step = number
            self.feed.fetch()
        for inner in block.ops:
            moves = isinstance(inner, tile.MoveOp)
            if moves or inner.dialect_name() == "arith" or (k.core is None and computes_operand(inner)):
                self._operation(inner)
        if self.feed is not None and not self.feed.direct:
            self.feed.fetched()

    def _resident(self, at: Idx, size: int) -> Place:
        """`size` of K from `at` of the left operand that stays in L1."""
        k, kind = self.k, self.left
        assert kind is not None
        _, strides = physical(kind, BLOCK)
        depth, shape = blocked_dim(kind), list(kind.get_shape())
        shape[depth] = size
        base = k.resident
        assert base is not None
        offset = k.emit.mul(k.emit.div(at, BLOCK), strides[depth])
        offset = offset if self.feed is None else k.emit.add(self.feed.room(), offset)
        sizes = tuple(shape)
        return Place(base, kind.element_type, sizes, sizes, strides, kind.get_order(), depth, offset)

    def multiply(self, operands: Operands, at: Idx, size: int) -> None:
        """Products of one step; `at`: how much of K the accumulator has already."""
        self.pieces.multiply(self.acc, operands, at, size)
