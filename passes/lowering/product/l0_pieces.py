"""The products of a step of `tile.contract`: operands from L1 to L0, a piece of K at a time, and the `ascend.mmad`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import SSAValue

from ....dialects import ascend, tile
from ....dialects.ascend.memory import memref_type
from ....dialects.element_types import lanes_of
from ....dialects.records import dataclass
from ....dialects.tile import BLOCK, tile_type
from ...selection.event_budget import l0_slots
from ...support.indices import Idx
from ..base.emitter import Generation
from ..base.place import Place, blocked_dim, ceil_to
from .computed_operand import moved_operand
from .used_part import columns_dim, part_of_k, used_part, yielded

if TYPE_CHECKING:
    from ..base.context import LoweringContext


AHEAD = 2
"""Pieces of a step up to which each is emitted by itself, so that only loads of the left operand wait until it is
computed: in a loop all would."""
Operands = tuple[Place, ...]
"""Tiles of lhs and of rhs, one or several, in L1 for one step of K."""


@dataclass(frozen=True)
class Part:
    """What is in L0A for one piece of K: `m` rows of `size` of K; `inner` is where it starts in its step, `done` where
    in K of the tile in `acc`."""

    a: Generation
    acc: Place
    m: Idx
    size: int
    done: Idx
    inner: Idx = 0


class Pieces:
    """Pieces of K of one product. Its buffers in L0 are shared by all steps."""

    def __init__(self, k: LoweringContext, op: tile.ContractOp):
        self.k, self.op, self.l0_k = k, op, op.schedule.l0_k
        self.m1 = -(-op.schedule.m // BLOCK)
        self.count = len(yielded(op)) - 1
        """Right operands, each of which gives as many columns."""
        self.n = op.schedule.n // self.count
        self.n1 = -(-self.n // BLOCK)
        self.l0_n = self.n if op.schedule.l0_n is None else op.schedule.l0_n
        self.wide = -(-self.l0_n // BLOCK)
        """Columns of one product, and their blocks."""
        self.dtype = tile_type(yielded(op)[0]).element_type
        self.k0 = lanes_of(self.dtype)
        """K of a fractal."""
        self.fractal = BLOCK * self.k0
        self.square = max(BLOCK, self.k0)
        """K of a square block."""
        deepest, emit = self._blocks_of_k(min(self.l0_k, op.schedule.k)), k.emit
        self.a = emit.buffer(self.m1 * deepest * self.fractal, self.dtype, "l0a", "lhs")
        self.b = emit.buffer(deepest * self.wide * self.fractal, self.dtype, "l0b", "rhs")
        if op.schedule.stages is not None:
            self.a.slots = self.b.slots = IntegerAttr(l0_slots(k.target, op.schedule.stages), i64)
        self.right_first = k.core is None and moved_operand(op) is not None and self.l0_n == self.n
        """Whether the right operand is in L1 before the left one, which the core computes."""
        self.held = list[tuple[Generation, Generation]]()
        """Where both pieces of each step go; where there is nothing, they take turns in one buffer."""
        self.table: ascend.BufferOp | None = None
        """Where a bias comes for each product, if it is not there as a whole."""
        if op.bias is not None and tile_type(op.bias).space.data != "bt":
            self.table = emit.buffer(self.wide * BLOCK, tile_type(op.result).element_type, "bt", "row")

    def _blocks_of_k(self, size: int) -> int:
        """Fractals along K in L0 for `size` elements: those of a matrix that is turned over come in square blocks."""
        return -(-size // self.k0) if self.op.window is not None else ceil_to(size, self.square) // self.k0

    def settle(self) -> None:
        """From here on both pieces of each step of a tile have places of their own, so that those of the last step may
        be multiplied by columns behind the steps."""
        emit = self.k.emit
        (left,), (right,) = (buffer.result.type.get_shape() for buffer in (self.a, self.b))
        others = emit.buffer(left, self.dtype, "l0a", "lhs"), emit.buffer(right, self.dtype, "l0b", "rhs")
        self.held = [(emit.generation(a), emit.generation(b)) for a, b in ((self.a, self.b), others)]

    def multiply_held(self, acc: Place, at: Idx, start: Idx, columns: int) -> None:
        """The products of the last step, which begins behind `at` of K, of so many columns from `start` on."""
        m, _ = used_part(self.k, self.op)
        for i, (a, b) in enumerate(self.held):
            part = Part(a, acc, m, self.l0_k, self.k.emit.add(at, i * self.l0_k))
            self._multiply(part, b, 0, start, columns // BLOCK, columns, within=True)

    def multiply(self, acc: Place, operands: Operands, at: Idx, size: int) -> None:
        """Products of one step, a piece of K at a time, in the accumulator `acc`; `at`: how much of K it has. Of the
        last step of pieces that are held they follow by columns."""
        lhs, *rhs = operands
        if self.held:
            self._held(acc, lhs, rhs[0], at, size)
            return
        full = size // self.l0_k
        if self.right_first and full <= AHEAD:
            for piece in range(full):
                self._piece(acc, lhs, rhs, at, piece * self.l0_k, self.l0_k)
        elif full:
            with self.k.emit.loop(0, full * self.l0_k, self.l0_k) as inner_at:
                self._piece(acc, lhs, rhs, at, inner_at, self.l0_k)
        if size % self.l0_k:
            self._piece(acc, lhs, rhs, at, full * self.l0_k, size % self.l0_k)

    def _held(self, acc: Place, lhs: Place, rhs: Place, at: Idx, size: int) -> None:
        """A step in two pieces with places of their own."""
        emit, pieces = self.k.emit, list(zip(self.held, (0, self.l0_k), strict=True))
        m, n = used_part(self.k, self.op)
        for (_, b), inner in pieces:
            self._right(rhs, b, (inner, 0), (self._fractals_of_k(self.l0_k), self.n1), self.l0_k)
        for (a, b), inner in pieces:
            self._left(lhs, a, inner, self.l0_k)
            with emit.condition("slt", at, self.op.schedule.k - size):
                part = Part(a, acc, m, self.l0_k, emit.add(at, inner))
                self._multiply(part, b, 0, 0, self.n1, n)

    def _fractals_of_k(self, size: int) -> int:
        return -(-size // self.k0)

    def _deep(self, size: int) -> int:
        """Fractals of K in a row of L0A."""
        return self._blocks_of_k(size) if self.op.schedule.transpose_lhs else -(-size // self.k0)

    def _left(self, lhs: Place, a: Generation, inner: Idx, size: int) -> None:
        """A piece of the left operand to L0A."""
        op, emit, fractal = self.op, self.k.emit, self.fractal
        k1, wide = -(-size // self.k0), self._deep(size)
        if op.window is not None:
            self._image(lhs, a, inner, k1)
        elif op.schedule.transpose_lhs:
            self._turned(lhs, (inner, 0), a, (wide, self.m1), (fractal, wide * fractal))
        else:
            plane = lhs.strides[-1]
            start = emit.add(lhs.offset, emit.mul(emit.div(inner, self.k0), plane))
            self._fractals(lhs.base, start, a, (self.m1, fractal, wide * fractal), (k1, plane, fractal))

    def _piece(self, acc: Place, lhs: Place, right: Sequence[Place], at: Idx, inner: Idx, size: int) -> None:
        """A piece of K: fractals of the left operand to L0, then those of each right one and its `mmad`. Where the left
        one has yet to be computed, the right one that is there goes first."""
        emit, held = self.k.emit, list[Generation]()
        if self.right_first:
            held.append(emit.generation(self.b))
            self._right(right[0], held[0], (inner, 0), (self._fractals_of_k(size), self.n1), size)
        a = emit.generation(self.a)
        self._left(lhs, a, inner, size)
        m, n = used_part(self.k, self.op)
        n = self.n if self.count > 1 else n
        part = Part(a, acc, m, size, emit.add(at, inner), inner)
        if held:
            self._multiply(part, held[0], 0, 0, self.n1, n)
            right = right[1:]
        for number, rhs in enumerate(right, len(held)):
            if self.l0_n == self.n:
                self._columns(part, rhs, number, 0, self.n1, n)
            elif isinstance(n, int):
                rest = n % self.l0_n
                with emit.loop(0, n - rest, self.l0_n) as start:
                    self._columns(part, rhs, number, start, self.wide, self.l0_n)
                if rest:
                    self._columns(part, rhs, number, n - rest, -(-rest // BLOCK), rest)
            else:
                with emit.loop(0, n, self.l0_n) as start:
                    left = self.l0_n if self._equal() else emit.min(self.l0_n, emit.sub(n, start))
                    self._columns(part, rhs, number, start, self.wide, left)

    def _columns(self, part: Part, rhs: Place, number: int, start: Idx, wide: int, n: Idx) -> None:
        """The product with `n` columns from `start` on, in `wide` blocks, of right operand `number`."""
        b = self.k.emit.generation(self.b)
        self._right(rhs, b, (part.inner, start), (self._fractals_of_k(part.size), wide), part.size)
        self._multiply(part, b, number, start, wide, n)

    def _equal(self) -> bool:
        """Whether all products, those of a smaller last tile too, have as many columns."""
        block = blocked_dim(tile_type(self.op.result))
        last = self.k.source.extent_list[block] % self.n if block in self.k.covered else 0
        return self.l0_n == self.n or (self.n % self.l0_n == 0 and last % self.l0_n == 0)

    def _narrower(self) -> bool:
        """Whether the last product of a whole tile has fewer columns than the others, in one loop with them."""
        return self.n % self.l0_n > 0 and blocked_dim(tile_type(self.op.result)) in self.k.covered

    def _right(
        self, rhs: Place, b: Generation, at: tuple[Idx, Idx], counts: tuple[int, int], size: int
    ) -> None:
        """A part of a right operand to L0B, `size` of K, from `at` along K and the columns on: `counts` fractals along
        both."""
        (_, wide), fractal = counts, self.fractal
        if rhs.order == (0, 1):  # packed, or filters
            self._rhs_fractals(rhs, at, b, counts, *rhs.strides)
        elif self.op.schedule.transpose_rhs:
            self._rhs_fractals(rhs, at, b, counts, rhs.strides[-1], fractal)
        else:
            left = self._blocks_left(rhs, at[1]) if self.k0 == BLOCK else None
            self._turned(rhs, at, b, (self._blocks_of_k(size), wide), (wide * fractal, fractal), left)

    def _multiply(
        self, part: Part, b: Generation, number: int, start: Idx, wide: int, n: Idx, within: bool = False
    ) -> None:
        """The `ascend.mmad` of what is in L0, for `n` columns from `start` on of right operand `number`; `within` L0B,
        which has all of them."""
        emit, acc, fractal = self.k.emit, part.acc, self.fractal
        k1, deep, pitch = self._fractals_of_k(part.size), self._deep(part.size), self.n1 if within else wide
        plane = acc.strides[acc.block]
        first = emit.mul(emit.add(emit.div(start, BLOCK), number * self.n1), plane)
        right = emit.mul(emit.div(start, BLOCK), fractal) if within else 0
        blocks = emit.div(emit.add(n, BLOCK - 1), BLOCK) if self._narrower() else wide
        emit.insert(
            ascend.MmadOp(
                emit.view(part.a, [self.m1, k1, BLOCK, self.k0], [deep * fractal, fractal, self.k0, 1]),
                emit.view(b, [k1, wide, BLOCK, self.k0], [pitch * fractal, fractal, self.k0, 1], right),
                emit.view(acc.base, [blocks, self.m1 * BLOCK, BLOCK], [plane, BLOCK, 1], first),
                emit.value(part.m),
                emit.value(n),
                emit.value(part.size),
                emit.equal(part.done, 0),
                self._bias(part.done, start, wide, n),
                self._last(part.done, part.size),
            )
        )

    def _bias(self, done: Idx, start: Idx, wide: int, n: Idx) -> SSAValue | None:
        """The row that sums of `n` columns from `start` on, in `wide` blocks, start from; the first product of these
        has it come to its table."""
        if self.op.bias is None:
            return None
        emit, whole = self.k.emit, self.k.places[self.op.bias].own
        if self.table is None:
            return emit.view(whole, [wide * BLOCK], [1], start)
        row = emit.generation(self.table)
        if done == 0 or not isinstance(done, int):
            block = lanes_of(memref_type(whole.buffer.result).element_type)  # so it came to L1
            count = emit.ceil_to(n, block)
            read, write = emit.view(whole, [count], [1], start), emit.view(row, [count], [1])
            with nullcontext() if done == 0 else emit.condition("slt", done, 1):
                emit.copy(read, write)
        return emit.view(row, [wide * BLOCK], [1])

    def _last(self, at: Idx, size: int) -> SSAValue | None:
        """Whether `size` of K from `at` is the last of a tile that FixPipe takes over by the unit flag."""
        if not self.k.by_units:
            return None
        return self.k.emit.equal(at, self.k.emit.sub(part_of_k(self.k, self.op)[1], size))

    def _rhs_fractals(
        self,
        rhs: Place,
        at: tuple[Idx, Idx],
        b: Generation,
        counts: tuple[int, int],
        along_k: int,
        along_n: int,
    ) -> None:
        """The right operand, whose fractals are K innermost in L1 too, `along_k` and `along_n` apart; of the last tile
        of columns those that there are."""
        emit, fractal, (inner, column), (k1, wide) = self.k.emit, self.fractal, at, counts
        start = emit.add(rhs.offset, emit.mul(emit.div(inner, self.k0), along_k))
        grouped = self.l0_n < self.n and along_k == self.wide * fractal  # products' columns lie apart in L1
        plane = -(-rhs.shape[0] // self.k0) * fractal if grouped else along_n
        start = emit.add(start, emit.mul(emit.div(column, BLOCK), plane))
        left = self._blocks_left(rhs, column)
        if left is not None:
            self._some_columns(rhs, start, b, left, (k1, along_k, wide * fractal), (along_n, fractal))
            return
        self._fractals(rhs.base, start, b, (k1, along_k, wide * fractal), (wide, along_n, fractal))

    def _blocks_left(self, rhs: Place, column: Idx) -> Idx | None:
        """Blocks of 16 columns from `column` on that a right operand has for a product, where its last product would
        read past those of a tile; None elsewhere: what L1 holds past a smaller last tile may be loaded too, which costs
        less than an instruction for each fractal of K, and no product reads it."""
        if not self._narrower():
            return None
        emit, there = self.k.emit, rhs.sizes[columns_dim(self.op, rhs)]
        left = emit.min(self.l0_n, emit.sub(there, column))
        return emit.div(emit.add(left, BLOCK - 1), BLOCK)

    def _some_columns(
        self,
        rhs: Place,
        start: Idx,
        b: Generation,
        blocks: Idx,
        along_k: tuple[int, int, int],
        along_n: tuple[int, int],
        transpose: bool = False,
    ) -> None:
        """So many blocks of columns to L0B, one fractal of K after the other: `along_k` counts these, and both have the
        strides in L1 and L0."""
        emit, (count, read_step, write_step), (read_n, write_n) = self.k.emit, along_k, along_n
        shape = [blocks, BLOCK, self.k0]
        for i in range(count):
            read = emit.view(rhs.base, shape, [read_n, self.k0, 1], emit.add(start, i * read_step))
            write = emit.view(b, shape, [write_n, self.k0, 1], i * write_step)
            emit.insert(ascend.Load2dOp(read, write, transpose))

    def _turned(
        self,
        source: Place,
        at: tuple[Idx, Idx],
        result: Generation,
        counts: tuple[int, int],
        strides: tuple[int, int],
        left: Idx | None = None,
    ) -> None:
        """A matrix whose rows in L1 are K to L0, from `at` along K and the other dimension on: fractals along both, and
        their strides; along the other one `left` of them, where that varies.
        Fractals that are square are transposed one by one; others in square blocks, by an image-to-column load of the
        matrix as a map of one pixel a row."""
        emit, k0, (deep, other), (inner, column) = self.k.emit, self.k0, counts, at
        plane = source.strides[-1]
        first = emit.mul(emit.div(column, k0), plane)
        if k0 == BLOCK:
            along_k = deep, self.fractal, strides[0]
            along_other = other, plane, strides[1]
            loops = (along_other, along_k) if strides[0] < strides[1] else (along_k, along_other)
            start = emit.add(first, emit.mul(emit.div(inner, k0), self.fractal))
            if left is not None:
                steps = along_k[0], along_k[1], along_k[2]
                self._some_columns(source, start, result, left, steps, along_other[1:], transpose=True)
                return
            self._fractals(source.base, start, result, *loops, transpose=True)
            return
        order = (1, 0) if strides[0] < strides[1] else (0, 1)
        sizes, steps = [counts[i] for i in order], [strides[i] for i in order]
        rows = plane // k0
        read = emit.view(source.base, [other * BLOCK // k0, rows, 1, k0], [plane, k0, k0, 1], first)
        write = emit.view(result, [*sizes, BLOCK, k0], [*steps, k0, 1])
        zero, one = emit.value(0), (1, 1)
        emit.insert(ascend.Load3dOp(read, write, [zero] * 4, emit.value(inner), zero, one, one, one, True))

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
        """Columns of the image-to-column matrix to L0A, one fractal column an instruction where the chip has no
        more."""
        emit, k0, fractal = self.k.emit, self.k0, self.fractal
        window = self.op.image
        assert window is not None
        pads = [emit.value(p) for p in lhs.pads]
        blocks = -(-lhs.shape[1] // k0)
        rows, columns = lhs.sizes[2], lhs.sizes[3]
        source = emit.view(
            lhs.base, [blocks, rows, columns, k0], [lhs.strides[1], lhs.strides[2], k0, 1], lhs.offset
        )
        zero = emit.value(0)
        each = k1 if self.k.target.dma.image2col_blocks else 1
        for j in range(0, k1, each):
            write = emit.view(a, [self.m1, each, BLOCK, k0], [k1 * fractal, fractal, k0, 1], j * fractal)
            at = emit.value(emit.add(emit.div(inner, k0), j))
            emit.insert(
                ascend.Load3dOp(
                    source, write, pads, zero, at, window.kernel, window.strides, window.dilations
                )
            )
