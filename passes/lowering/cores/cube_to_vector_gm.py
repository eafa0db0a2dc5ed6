"""How a Cube core's tiles reach the Vector cores beside it: through a workspace in GM that stays in L2. (Where FixPipe
writes to UB: `landing`.)

Each Cube core has `SLOTS` tiles of room, in the accumulator's own layout (NZ) and the result's element type. Its
FixPipe writes a slot once both Vector cores have read what was there, and tells them; they share the chunks of the
tile, even ones to the first, odd ones to the second.

    Cube core                                   Vector cores
                                                for each slot: cross_set_flag FREE
    for each tile:                              for each tile:
      products                                    cross_wait_flag READY
      cross_wait_flag FREE                        load a chunk, epilogue, store
      fixpipe accumulator -> slot                 …
      cross_set_flag READY                        cross_set_flag FREE
    for each slot: cross_wait_flag FREE
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, SSAValue

from ....dialects import ascend, tile
from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ....dialects.tile import BLOCK, tile_type
from ...support.indices import Idx
from ..base.emitter import gm_type
from ..base.place import Place, physical
from ..transfers.drain import drain

if TYPE_CHECKING:
    from ..base.context import LoweringContext

SLOTS = 2
"""Tiles that a Cube core may be ahead of its Vector cores."""
TABLES_ROOM = 4096
"""Bytes of L1 that are left to rows on their way to the tables beside the Cube."""
READY, FREE = 0, 1
"""Cross-core flags: a tile is in the workspace; its Vector core has read it."""


@dataclass(frozen=True)
class Workspace:
    """Room for `slots` pieces of `elements` elements for each of `cores` Cube cores."""

    elements: int
    dtype: Attribute
    cores: int
    slots: int
    label: str = "workspace"

    @property
    def type(self) -> MemRefType[Attribute]:
        return gm_type([self.cores * self.slots * self.elements], self.dtype)


def rooms_of_operand(target: Target, parts: int, whole: int, beside: int, rows: int) -> int:
    """How many rows of tiles have room in L1 for a left operand that stays there, of `whole` bytes in so many `parts`,
    beside two steps of the right one, of `beside` bytes, and `rows` bytes of rows for tables: two, where no more flags
    than that may be waiting."""
    assert target.cross is not None
    room = target.spaces["l1"].bytes - max(TABLES_ROOM, rows)
    return 2 if 2 * parts <= target.cross.pending and 2 * (whole + beside) <= room else 1


def workspace_of(kernel: tile.KernelOp, product: tile.ContractOp) -> Workspace:
    """Room for the tiles of `product`, in the type in which its chunks reach UB."""
    extracts = (
        op for op in kernel.body.walk() if isinstance(op, tile.ExtractOp) and op.source is product.result
    )
    kind = tile_type(next(extracts).result)
    elements, _ = physical(tile_type(product.result), BLOCK)
    return Workspace(elements, kind.element_type, kernel.schedule.cores, SLOTS)


@dataclass
class HandOver:
    """One side's part of the exchange: `workspace` in GM, the index of the Cube core, `turn` of its tile."""

    k: LoweringContext
    workspace: SSAValue
    elements: int
    core: Idx
    turn: Idx = 0
    at_once = True
    """Whether FixPipe takes a tile in one instruction."""

    def _slot(self) -> Idx:
        """Where the tile's slot starts."""
        emit = self.k.emit
        slot = emit.add(emit.mul(self.core, SLOTS), emit.rem(self.turn, SLOTS))
        return emit.mul(slot, self.elements)

    def _flag(self, event: int) -> SSAValue:
        return self.k.emit.value(event)

    # The Cube core

    def give(self, acc: Place, used: tuple[Idx, Idx], chunks: tile.ChunksOp) -> None:
        """The accumulator that `chunks` walks, of which so many rows and columns are `used`, to the tile's slot."""
        self.k.emit.insert(ascend.CrossWaitFlagOp(self._flag(FREE)))
        self._fixpipe(acc, used, chunks)
        self.k.emit.insert(ascend.CrossSetFlagOp("FIX", self._flag(READY)))

    def _fixpipe(self, acc: Place, used: tuple[Idx, Idx], chunks: tile.ChunksOp) -> None:
        emit = self.k.emit
        step, (m, n) = acc.strides[acc.block], used
        shape = [emit.div(emit.add(n, BLOCK - 1), BLOCK), emit.ceil_to(m, BLOCK), BLOCK]
        strides = [step, BLOCK, 1]
        to = emit.view(self.workspace, shape, strides, self._slot())
        drain(self.k, chunks, emit.view(acc.base, shape, strides), to)

    def drain(self) -> None:
        """Take the flags of the last tiles, so that none is left up."""
        for _ in range(SLOTS):
            self.k.emit.insert(ascend.CrossWaitFlagOp(self._flag(FREE)))

    # The Vector core

    def prime(self) -> None:
        """All slots are free at the start."""
        for _ in range(SLOTS):
            self.k.emit.insert(ascend.CrossSetFlagOp("MTE2", self._flag(FREE)))

    def take(self) -> None:
        self.k.emit.insert(ascend.CrossWaitFlagOp(self._flag(READY)))

    def release(self) -> None:
        self.k.emit.insert(ascend.CrossSetFlagOp("MTE2", self._flag(FREE)))

    def share(self, size: int, step: int) -> tuple[Idx, Idx, int]:
        """This Vector core's chunks of `step` of a tile of `size`: where they start and end, and how far apart."""
        return self.k.emit.mul(self.k.vector, step), size, step * self.k.target.vectors_beside

    def chunk(self, op: tile.ExtractOp, at: Idx) -> Place:
        """The chunk of the tile that starts at `at`, in UB."""
        emit, dim = self.k.emit, op.dim.value.data
        source, kind = tile_type(op.source), tile_type(op.result)
        place = self.k.new_place(kind, kind.get_shape(), "result", rows=BLOCK)
        _, strides = physical(source, BLOCK)
        block = place.block
        shift = emit.mul(emit.div(at, BLOCK) if dim == block else at, strides[dim])
        blocks, run = -(-kind.get_shape()[block] // BLOCK), place.strides[block]
        offset = emit.add(self._slot(), shift)
        read = emit.view(self.workspace, [blocks, run], [strides[block], 1], offset)
        emit.copy(read, emit.view(place.base, [blocks, run], [run, 1]))
        return place
