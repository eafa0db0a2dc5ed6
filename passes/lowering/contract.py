"""`tile.contract`: the K loop. Each step brings its operand tiles to L1; pieces of K go on to L0 and the Cube.

K that the step does not divide is a last step of its own, and so is K of a step that the L0 piece does not divide:
every instruction has static sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Operation, SSAValue

from ...dialects import ascend, tile
from ...dialects.ascend.memory import ELEMENT_BYTES, lanes_of
from ...dialects.attributes import integers
from ...dialects.target import Target
from ...dialects.tile import BLOCK, TileType, tile_type
from .emitter import Generation, Idx
from .feature_map import clipped, clips
from .fetch_ahead import FetchAhead, fetches_ahead
from .fixpipe import hands_over_by_units
from .operand import computes_operand, moved_operand, resident_type, whole_rows_before
from .place import Place, blocked_dim, ceil_to, physical

if TYPE_CHECKING:
    from .kernel import KernelLowering


def lower_contract(k: KernelLowering, op: tile.ContractOp) -> Place:
    """Emit the product; the place of its accumulator in L0C."""
    product = Contraction(k, op)
    product.begin()
    product.rest(0)
    return product.acc


Operands = tuple[Place, ...]
"""Tiles of lhs and of rhs, one or several, in L1 for one step of K."""


def yielded(op: tile.ContractOp) -> Sequence[SSAValue]:
    """The operand tiles that the body gives."""
    last = op.body.block.last_op
    assert isinstance(last, tile.YieldOp)
    return last.values


def used_part(k: KernelLowering, op: tile.ContractOp) -> tuple[Idx, Idx]:
    """Rows and columns of a product that are computed. On split cores what a last tile lacks is not: operands come as
    they lie in GM, and tables beside the Cube hold what the tensors have."""
    m: Idx = op.m.value.data
    n: Idx = op.n.value.data
    if not k.target.split or _is_read_here(op):
        return m, n
    kind = tile_type(op.result)
    order, block = kind.get_order(), blocked_dim(kind)
    rows = order[order.index(block) + 1 :]
    if op.window is None and k.covered & set(rows):
        m = 1
        for d in rows:
            m = k.emit.mul(m, k.inside[d])
    return m, k.inside[block] if block in k.covered else n


def _is_read_here(op: tile.ContractOp) -> bool:
    """Whether another product of the kernel reads what a product gives: its tiles are whole."""
    users = (use.operation.parent_op() for use in op.result.uses)
    return any(isinstance(around, tile.ChunksOp) and around.held is not None for around in users)


def equal_steps(op: tile.ContractOp) -> int:
    """How many steps of equal size K is; 1 when they are not equal."""
    depth = op.k.value.data
    step = min(op.step.value.data, depth)
    return 1 if depth % step else depth // step


def streams(op: tile.ContractOp, target: Target) -> bool:
    """Whether the operands of each step may be loaded during the products of the step before: L1 holds those of two."""
    size = 0
    for kind in (tile_type(value) for value in yielded(op)):
        shape, block = kind.get_shape(), blocked_dim(kind)
        rows = prod(n for d, n in enumerate(shape) if d != block)
        size += ceil_to(rows, BLOCK) * ceil_to(shape[block], BLOCK) * ELEMENT_BYTES[str(kind.element_type)]
    return equal_steps(op) > 1 and 2 * size <= target.spaces["l1"].bytes


def place_in_k(k: KernelLowering, op: tile.ContractOp, done: Idx) -> Idx:
    """Where the step of a product is in K that follows `done` of K, for the current grid point."""
    emit, spans, step = k.emit, op.stagger, min(op.step.value.data, op.k.value.data)
    whole = op.k.value.data // step * step
    if spans is None or whole <= step:
        return done
    steps, column = whole // step, blocked_dim(tile_type(op.result))
    row: Idx = 0
    for d, count in enumerate(k.grid):
        if d != column:
            row = emit.add(emit.mul(row, count), k.coordinates[d])
    begin: Idx = 0
    for place, span in zip((row, k.coordinates[column]), integers(spans), strict=True):
        begin = emit.add(begin, emit.div(emit.mul(place, steps), span))
    return emit.rem(emit.add(done, emit.mul(begin, step)), whole)


class Contraction:
    """One contraction, step by step: `load_step` brings a step's operands to L1, `multiply_step` does its products.

    Between the two, work of another step or tile may be emitted: its Vector and DMA instructions then do not hold up
    this one. Buffers in L0 are shared by all steps.
    """

    def __init__(self, k: KernelLowering, op: tile.ContractOp):
        self.k, self.op, self.l0_k = k, op, op.l0_k.value.data
        self.feed = None if isinstance(yielded(op)[0].owner, tile.HaloOp) else k.feed
        """What Vector cores lay out for this product."""
        emit, kind = k.emit, tile_type(op.result)
        elements, strides = physical(kind, BLOCK)
        self.buffer = emit.buffer(elements, kind.element_type, "l0c", "accumulator")
        shape = kind.get_shape()
        base = Generation(self.buffer, None)
        self.acc = Place(base, kind.element_type, shape, shape, strides, kind.get_order(), blocked_dim(kind))
        if op.unit_flag is not None:
            k.by_units = hands_over_by_units(k, op, self.acc)
        self.m1 = -(-op.m.value.data // BLOCK)
        self.count = len(yielded(op)) - 1
        """Right operands, each of which gives as many columns."""
        self.n = op.n.value.data // self.count
        self.n1 = -(-self.n // BLOCK)
        dtype = tile_type(yielded(op)[0]).element_type
        self.k0 = lanes_of(dtype)
        """K of a fractal."""
        self.fractal = BLOCK * self.k0
        deepest = self._blocks_of_k(min(self.l0_k, op.k.value.data))
        self.step = min(op.step.value.data, op.k.value.data)
        self.steps = equal_steps(op)
        self.a = emit.buffer(self.m1 * deepest * self.fractal, dtype, "l0a", "lhs")
        self.b = emit.buffer(deepest * self.n1 * self.fractal, dtype, "l0b", "rhs")
        self.ahead = FetchAhead(k, op) if fetches_ahead(k, op) else None
        """Loads of the left operand that are issued a step ahead."""
        self.left: TileType | None = None
        """The left operand that stays in L1."""
        self.computes = True
        """Whether the current tile computes it."""
        self.fetched = False
        """Whether what it is computed from was issued ahead."""
        self.right: Place | None = None
        """The right operand that stays in L1, from the first step of K on."""
        if op.keeps is not None:
            kept = tile_type(yielded(op)[1])
            run = self.n1 * self.fractal
            whole = emit.fresh(-(-op.k.value.data // self.k0) * run, dtype, "l1", "weights")
            shape = kept.get_shape()
            self.right = k.kept = Place(whole, dtype, shape, shape, (run, self.fractal), (0, 1), 1)
        if op.resident is not None:
            self.left = resident_type(op)
            if k.feed is not None and k.feed.direct:
                k.resident = k.feed.workspace
            else:
                k.resident = emit.fresh(physical(self.left, BLOCK)[0], dtype, "l1", "resident")

    def _blocks_of_k(self, size: int) -> int:
        """Fractals along K in L0 for `size` elements: those of a matrix that is turned over come in square blocks."""
        return -(-size // self.k0) if self.op.window is not None else ceil_to(size, BLOCK) // self.k0

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
        return lhs, *rhs

    def load_step(self, number: Idx) -> Operands:
        """Operands of step `number`."""
        return self.load(self._at(self.k.emit.mul(number, self.step)), self.step, number)

    def fetch_step(self, number: Idx) -> None:
        """DMA of what step `number` of the left operand is computed from."""
        assert self.ahead is not None
        self.fetched = self.k.fetched_ahead = True
        at, block = self._at(self.k.emit.mul(number, self.step)), self.op.body.block
        self.k.index.update(zip(block.args, (at, self.step) * (len(block.args) // 2), strict=True))
        for inner in block.ops:
            if inner.dialect_name() == "arith":
                self.k.operation(inner)
        self.ahead.fetch()

    def _at(self, done: Idx) -> Idx:
        """Where the step is in K that follows `done` of K."""
        return place_in_k(self.k, self.op, done)

    def multiply_step(self, operands: Operands, number: Idx) -> None:
        """Products of step `number`."""
        if self.right is not None:
            at = self.k.emit.mul(number, self.step // self.k0 * self.right.strides[0])
            operands = operands[0], replace(self.right, offset=at)
        self.multiply(operands, self.k.emit.mul(number, self.step), self.step)

    def compute_step(self, number: Idx) -> None:
        """Step `number` of a left operand that stays in L1."""
        self._compute(self._at(self.k.emit.mul(number, self.step)), self.step, number)

    def rest(self, start: int = 1) -> None:
        """Operands and products of the steps from `start` on; K that the step does not divide comes last."""
        depth, step = self.op.k.value.data, self.step
        first, whole = start * step, depth // step * step
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
            with emit.condition("slt", following, self.steps):
                self.fetch_step(following)
            step = emit.sub(following, 1)
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
        if self.left is not None and self.computes and self.op.rows is None:
            self._compute(at, size, number)
        k.index[block.args[0]], k.index[block.args[1]] = at, size
        if self.left is not None:
            k.index[block.args[2]], k.index[block.args[3]] = 0, size
            for inner in block.ops:
                if not (isinstance(inner, tile.YieldOp | tile.MoveOp) or computes_operand(inner)):
                    k.operation(inner)
            return self._resident(at, size), *(k.places[v] for v in yielded(self.op)[1:])
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
            if not (fed and computes_operand(inner)):
                self._operation(inner)
        if self.feed is not None and not self.feed.direct:
            self.feed.fetched()
        return tuple(k.places[v] for v in yielded(self.op))

    def _handed_over(self) -> list[Operation]:
        """The ops of the body that bring what Vector cores lay out: the left operand, and filters that are no
        weights."""
        if self.feed is None:
            return []
        left, *right = (value.owner for value in yielded(self.op))
        loads = (op for op in right if isinstance(op, tile.LoadOp))
        filters = [op for op in loads if self.op.window is not None and op.packed is None]
        assert isinstance(left, Operation)
        return [left, *filters]

    def _operation(self, op: Operation) -> None:
        """An op of the body; of a load that was issued ahead what follows the DMA."""
        if self.k.core is None and self.op.rows is None:
            whole_rows_before(self.k, self.op, op)
        if self.fetched and self.ahead is not None and op in self.ahead.loads:
            self.ahead.load(op)
        else:
            self.k.operation(op)

    def compute_rows(self) -> None:
        """All of the left operand, some rows at a time."""
        emit, op = self.k.emit, self.op
        assert op.rows is not None
        rows = op.rows.value.data
        with emit.loop(0, integers(op.m_shape)[-1], rows) as row:
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
        """Products of one step, a piece of K at a time; `at`: how much of K the accumulator has already."""
        lhs, *rhs = operands
        full = size // self.l0_k
        if full:
            with self.k.emit.loop(0, full * self.l0_k, self.l0_k) as inner_at:
                self.piece(lhs, rhs, at, inner_at, self.l0_k)
        if size % self.l0_k:
            self.piece(lhs, rhs, at, full * self.l0_k, size % self.l0_k)

    def piece(self, lhs: Place, right: Sequence[Place], at: Idx, inner: Idx, size: int) -> None:
        """A piece of K: fractals of the left operand to L0, then those of each right one and its `mmad`."""
        op, emit, fractal = self.op, self.k.emit, self.fractal
        k1, deep = -(-size // self.k0), self._blocks_of_k(size)
        wide = deep if op.transpose_lhs.value.data else k1
        a = emit.generation(self.a)
        if op.window is not None:
            self._image(lhs, a, inner, k1)
        elif op.transpose_lhs.value.data:
            self._turned(lhs, inner, a, (deep, self.m1), (fractal, wide * fractal))
        else:
            plane = lhs.strides[-1]
            start = emit.add(lhs.offset, emit.mul(emit.div(inner, self.k0), plane))
            self._fractals(lhs.base, start, a, (self.m1, fractal, wide * fractal), (k1, plane, fractal))
        for number, rhs in enumerate(right):
            self._multiply(a, rhs, number, at, inner, size, wide)

    def _multiply(
        self, a: Generation, rhs: Place, number: int, at: Idx, inner: Idx, size: int, wide: int
    ) -> None:
        """The product of what is in L0A with one right operand, `wide` fractals of K in a row of L0A."""
        op, emit, fractal = self.op, self.k.emit, self.fractal
        k1, deep = -(-size // self.k0), self._blocks_of_k(size)
        b = emit.generation(self.b)
        if rhs.order == (0, 1):  # packed, or filters
            self._rhs_fractals(rhs, inner, b, k1, *rhs.strides)
        elif op.transpose_rhs.value.data:
            self._rhs_fractals(rhs, inner, b, k1, rhs.strides[-1], fractal)
        else:
            self._turned(rhs, inner, b, (deep, self.n1), (self.n1 * fractal, fractal))
        done = emit.add(at, inner)
        first = emit.equal(done, 0)
        m, n = used_part(self.k, op)
        if self.count > 1:
            n = self.n
        plane = self.acc.strides[self.acc.block]
        emit.insert(
            ascend.MmadOp(
                emit.view(a, [self.m1, k1, BLOCK, self.k0], [wide * fractal, fractal, self.k0, 1]),
                emit.view(b, [k1, self.n1, BLOCK, self.k0], [self.n1 * fractal, fractal, self.k0, 1]),
                emit.view(
                    self.acc.base,
                    [self.n1, self.m1 * BLOCK, BLOCK],
                    [plane, BLOCK, 1],
                    number * self.n1 * plane,
                ),
                emit.value(m),
                emit.value(n),
                emit.value(size),
                first,
                self._bias(),
                self._last(done, size),
            )
        )

    def _last(self, at: Idx, size: int) -> SSAValue | None:
        """Whether `size` of K from `at` is the last of a tile that FixPipe takes over by the unit flag."""
        if not self.k.by_units:
            return None
        return self.k.emit.equal(at, self.op.k.value.data - size)

    def _rhs_fractals(
        self, rhs: Place, inner: Idx, b: Generation, k1: int, along_k: int, along_n: int
    ) -> None:
        """The right operand, whose fractals are K innermost in L1 too, `along_k` and `along_n` apart."""
        emit, fractal = self.k.emit, self.fractal
        start = emit.add(rhs.offset, emit.mul(emit.div(inner, self.k0), along_k))
        self._fractals(rhs.base, start, b, (k1, along_k, self.n1 * fractal), (self.n1, along_n, fractal))

    def _turned(
        self, source: Place, inner: Idx, result: Generation, counts: tuple[int, int], strides: tuple[int, int]
    ) -> None:
        """A matrix whose rows in L1 are K to L0: fractals along K and along the other dimension, and their strides.
        Fractals that are square are transposed one by one; others in square blocks, by an image-to-column load of the
        matrix as a map of one pixel a row."""
        emit, k0, (deep, other) = self.k.emit, self.k0, counts
        plane = source.strides[-1]
        if k0 == BLOCK:
            along_k = deep, self.fractal, strides[0]
            along_other = other, plane, strides[1]
            loops = (along_other, along_k) if strides[0] < strides[1] else (along_k, along_other)
            start = emit.mul(emit.div(inner, k0), self.fractal)
            self._fractals(source.base, start, result, *loops, transpose=True)
            return
        order = (1, 0) if strides[0] < strides[1] else (0, 1)
        sizes, steps = [counts[i] for i in order], [strides[i] for i in order]
        rows = plane // k0
        read = emit.view(source.base, [other * BLOCK // k0, rows, 1, k0], [plane, k0, k0, 1])
        write = emit.view(result, [*sizes, BLOCK, k0], [*steps, k0, 1])
        zero, one = emit.value(0), (1, 1)
        emit.insert(ascend.Load3dOp(read, write, [zero] * 4, emit.value(inner), zero, one, one, one, True))

    def _bias(self) -> SSAValue | None:
        """The row that sums start from."""
        if self.op.bias is None:
            return None
        row = self.k.places[self.op.bias]
        return self.k.emit.view(row.base, [self.n1 * BLOCK], [1])

    def _fractals(
        self,
        source: Generation | SSAValue,
        start: Idx,
        result: Generation,
        outer: tuple[int, int, int],
        inner: tuple[int, int, int],
        transpose: bool = False,
    ) -> None:
        """A grid of fractals from L1 to L0; each dimension is (count, source stride, result stride)."""
        emit, k0, most = self.k.emit, self.k0, self.k.target.vector.max_repeat
        if outer[1] == inner[0] * inner[1] and outer[2] == inner[0] * inner[2]:
            inner, outer = (outer[0] * inner[0], inner[1], inner[2]), (1, 0, 0)
        if outer[0] > inner[0]:
            outer, inner = inner, outer
        for i in range(outer[0]):
            for j in range(0, inner[0], most):
                count = min(most, inner[0] - j)
                at = emit.add(start, i * outer[1] + j * inner[1])
                read = emit.view(source, [count, BLOCK, k0], [inner[1], k0, 1], at)
                write = emit.view(result, [count, BLOCK, k0], [inner[2], k0, 1], i * outer[2] + j * inner[2])
                emit.insert(ascend.Load2dOp(read, write, transpose))

    def _image(self, lhs: Place, a: Generation, inner: Idx, k1: int) -> None:
        """Columns of the image-to-column matrix to L0A, one fractal column an instruction."""
        emit, k0, fractal = self.k.emit, self.k0, self.fractal
        assert self.op.window is not None
        window = integers(self.op.window)
        kernel, strides, dilations = window[0:2], window[2:4], window[8:10]
        pads = [emit.value(p) for p in lhs.pads]
        blocks = -(-lhs.shape[1] // k0)
        rows, columns = lhs.sizes[2], lhs.sizes[3]
        source = emit.view(
            lhs.base, [blocks, rows, columns, k0], [lhs.strides[1], lhs.strides[2], k0, 1], lhs.offset
        )
        zero = emit.value(0)
        for j in range(k1):
            write = emit.view(a, [self.m1, 1, BLOCK, k0], [k1 * fractal, fractal, k0, 1], j * fractal)
            at = emit.value(emit.add(emit.div(inner, k0), j))
            emit.insert(ascend.Load3dOp(source, write, pads, zero, at, kernel, strides, dilations))
