"""How a Cube core's tiles reach the Vector cores beside it where FixPipe writes to UB: each gets half of the tile's
chunks, in a buffer of the group with `SLOTS` slots. The flags are those of `lowering.cores.cube_to_vector_gm`.

    Cube core                                          Vector core i
    products                                           cross_wait_flag READY
    cross_wait_flag FREE                               epilogue on its half, in UB
    fixpipe accumulator -> slot of both Vector cores   cross_set_flag FREE
    cross_set_flag READY

Halves that are equal and whole go out in one instruction (`split`), others in one for each Vector core.
"""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import MemRefType, NoneAttr, StringAttr
from xdsl.ir import Attribute

from ....dialects import ascend, tile
from ....dialects.ascend.memory import memref_type
from ....dialects.records import dataclass
from ....dialects.tile import BLOCK, TileType, tile_type
from ...support.indices import Idx
from ..base.dma import fill
from ..base.place import Place, blocked_dim, ceil_to, physical
from ..transfers.drain import Half, drain
from .cube_to_vector_gm import FREE, SLOTS, HandOver


@dataclass(frozen=True)
class Halves:
    """How the chunks of a tile are shared: the first Vector core has the first `first` indices along `dim`, the second
    one the rest. In the accumulator's layout that is `size` blocks of columns (`columns`), or `size` rows."""

    dim: int
    first: int
    columns: bool
    size: int
    strides: tuple[int, ...]
    """Of a half in UB, as `Place.strides`."""
    elements: int
    """Of a slot."""
    even: bool
    """Whether both halves fill their slots."""


def halves_of(product: tile.ContractOp, chunks: tile.ChunksOp) -> Halves:
    """How the chunks that `chunks` walks are shared."""
    kind = tile_type(product.result)
    dim, size, step = (p.value.data for p in (chunks.dim, chunks.size, chunks.step))
    count = -(-size // step)
    first = -(-count // 2) * step
    elements, strides = physical(kind, BLOCK)
    block = blocked_dim(kind)
    if dim == block:
        blocks = -(-first // BLOCK)
        even = 2 * blocks * strides[block] == elements and 2 * first == size
        return Halves(dim, first, True, blocks, strides, blocks * strides[block], even)
    inside = kind.get_order()[kind.get_order().index(block) + 1 :]
    if prod(kind.get_shape()[d] for d in inside[: inside.index(dim)]) > 1:
        first = size  # half of the rows of each outer one is no run of the accumulator: one core takes all
    rows = first * strides[dim] // BLOCK
    if first >= size:  # not shared: rows of the dimensions outside `dim` too
        rows = prod(kind.get_shape()[d] for d in inside)
    run = ceil_to(rows, BLOCK) * BLOCK
    landed = tuple(run if d == block else stride for d, stride in enumerate(strides))
    even = 2 * rows * BLOCK == strides[block] and rows % BLOCK == 0 and 2 * first == size
    return Halves(dim, first, False, rows, landed, elements // strides[block] * run, even)


@dataclass(frozen=True)
class Landing:
    """Room in UB for `SLOTS` halves of a tile."""

    halves: Halves
    dtype: Attribute

    @property
    def elements(self) -> int:
        return self.halves.elements

    @property
    def type(self) -> MemRefType[Attribute]:
        return MemRefType(self.dtype, [SLOTS * self.elements], NoneAttr(), StringAttr("ub"))

    @property
    def label(self) -> str:
        return "landing"


@dataclass(kw_only=True)
class LandingHandOver(HandOver):
    """One side's part; `workspace` is the buffer of the group."""

    halves: Halves
    at_once = False

    def _slot(self) -> Idx:
        emit = self.k.emit
        return emit.mul(emit.rem(self.turn, SLOTS), self.elements)

    # The Cube core

    def _fixpipe(self, acc: Place, used: tuple[Idx, Idx], chunks: tile.ChunksOp) -> None:
        emit, halves = self.k.emit, self.halves
        step, (m, n) = acc.strides[acc.block], used
        blocks, rows = emit.div(emit.add(n, BLOCK - 1), BLOCK), emit.ceil_to(m, BLOCK)
        to = [halves.strides[acc.block], BLOCK, 1]
        total = blocks if halves.columns else rows
        if total == 2 * halves.size:
            half = [halves.size, rows, BLOCK] if halves.columns else [blocks, halves.size, BLOCK]
            read = emit.view(acc.base, [blocks, rows, BLOCK], [step, BLOCK, 1], acc.offset)
            write = emit.view(self.workspace, half, to, self._slot())
            drain(self.k, chunks, read, write, half=Half(split=0 if halves.columns else 1))
            return
        first = emit.min(total, halves.size)
        for vector, count, start in ((0, first, 0), (1, emit.sub(total, first), halves.size)):
            if count == 0:
                continue
            shape = [count, rows, BLOCK] if halves.columns else [blocks, count, BLOCK]
            at = emit.add(acc.offset, start * (step if halves.columns else BLOCK))
            read = emit.view(acc.base, shape, [step, BLOCK, 1], at)
            write = emit.view(self.workspace, shape, to, self._slot())
            column = start * BLOCK if halves.columns else 0
            drain(self.k, chunks, read, write, column, Half(vector))

    # The Vector core

    def prime(self) -> None:
        """All slots are free at the start. What tiles may leave out reads as zero."""
        if not self.halves.even or self.k.covered:
            fill(self.k, self.workspace, 0, SLOTS * self.elements, self._dtype())
        for _ in range(SLOTS):
            self.release()

    def release(self) -> None:
        self.k.emit.insert(ascend.CrossSetFlagOp("V", self._flag(FREE)))

    def share(self, size: int, step: int) -> tuple[Idx, Idx, int]:
        emit, first = self.k.emit, self.halves.first
        start = emit.mul(self.k.vector, first)
        end = emit.add(start, first)
        return start, end if 2 * first == size else emit.min(end, size), step

    def chunk(self, op: tile.ExtractOp, at: Idx) -> Place:
        """The chunk where it landed, if only the Vector unit reads it there; else a copy."""
        emit, halves, kind = self.k.emit, self.halves, tile_type(op.result)
        local = emit.sub(at, emit.mul(self.k.vector, halves.first))
        index = emit.div(local, BLOCK) if halves.columns else local
        place = Place(
            self.workspace, kind.element_type, kind.get_shape(), kind.get_shape(), halves.strides, kind.get_order(),
            blocked_dim(kind), emit.add(self._slot(), emit.mul(index, halves.strides[halves.dim])),
        )  # fmt: skip
        if all(isinstance(use.operation, tile.VecOp) for use in op.result.uses):
            return place
        return self._copied(place, kind)

    def _copied(self, place: Place, kind: TileType) -> Place:
        emit, copy = self.k.emit, self.k.new_place(kind, kind.get_shape(), "result", rows=BLOCK)
        blocks, run = -(-kind.get_shape()[place.block] // BLOCK), copy.strides[copy.block]
        read = emit.view(place.base, [blocks, run], [place.strides[place.block], 1], place.offset)
        emit.copy(read, emit.view(copy.base, [blocks, run], [run, 1]))
        return copy

    def _dtype(self) -> Attribute:
        return memref_type(self.workspace).element_type
