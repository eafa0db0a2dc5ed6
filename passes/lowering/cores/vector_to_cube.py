"""How operands that the Vector unit must lay out reach a Cube core: the Vector cores beside it write them as they will
lie in L1, to a workspace in GM, which stays in L2, or, where the chip has that path, to L1 itself (`direct`).

    Vector cores                                Cube core
                                                for each slot: cross_set_flag FED_FREE
    for each step of K of each tile:            for each step of K of each tile:
      cross_wait_flag FED_FREE                    cross_wait_flag FED
      GM -> UB, transposes, UB -> slot            slot -> L1
      cross_set_flag FED                          cross_set_flag FED_FREE
    for each slot: cross_wait_flag FED_FREE

With `direct` the Cube core loads L0 from the slot, and sets FED_FREE when the step's loads are done.

The Vector cores share the channel blocks of a step; where there is one only, they take steps in turns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import MemRefType, NoneAttr, StringAttr
from xdsl.ir import Attribute, SSAValue

from ....dialects import ascend, tile
from ....dialects.records import dataclass
from ....dialects.tile import tile_type
from ...support.indices import Idx
from ..product.computed_operand import moved_operand, operand_elements
from ..transfers.feature_map import feature_map_elements

if TYPE_CHECKING:
    from ..base.context import LoweringContext

FED, FED_FREE = 2, 3
"""Cross-core flags: the operand of a step is in the workspace; its Cube core has read it."""
OPERANDS = "operands"
"""What the room is called where operands are handed over."""
SLOTS = 4
"""Steps that the Vector cores may be ahead of their Cube core."""


def left_elements(product: tile.ContractOp) -> int:
    """Elements of L1 that the left operand of one step takes: a feature map, or what was computed."""
    moved = moved_operand(product)
    return feature_map_elements(product) if moved is None else operand_elements(tile_type(moved.result))


@dataclass(frozen=True)
class FeedRoom:
    """Room in L1 for `slots` steps."""

    elements: int
    dtype: Attribute
    slots: int
    label: str = OPERANDS

    @property
    def type(self) -> MemRefType[Attribute]:
        return MemRefType(self.dtype, [self.slots * self.elements], NoneAttr(), StringAttr("l1"))


@dataclass
class Feed:
    """One side's part: `workspace` with `slots` slots of `elements`, the right operand from `rhs_at` on; steps of K a
    tile, the index of the Cube core, the number of the current tile (`turn`) and step. `direct`: the workspace is a
    buffer of the group in L1, not a tensor in GM."""

    k: LoweringContext
    workspace: SSAValue
    elements: int
    rhs_at: int
    steps: int
    slots: int = SLOTS
    direct: bool = False
    core: Idx = 0
    turn: Idx = 0
    step: Idx = 0
    rooms: int = 1
    """Rows of tiles whose operand has room, where it stays in L1 and Vector cores write it there."""

    def room(self) -> Idx:
        """Where the operand of the current row of tiles starts that stays in L1."""
        if not self.direct or self.rooms == 1:
            return 0
        return self.k.emit.mul(self.k.emit.rem(self._row(), self.rooms), self.elements)

    def _row(self) -> Idx:
        """How many operands of the core come before the current one: one that stays in L1 comes once for all tiles of
        columns."""
        source = self.k.source
        inner = source.schedule.inner
        return self.turn if inner is None else self.k.emit.div(self.turn, source.grid[inner])

    def _number(self) -> Idx:
        """How many steps of the core come before the current one."""
        emit = self.k.emit
        return emit.add(emit.mul(self._row(), self.steps), self.step)

    def slot(self) -> Idx:
        """Where the step's slot starts."""
        emit = self.k.emit
        slot = emit.rem(self._number(), self.slots)
        if not self.direct:
            slot = emit.add(emit.mul(self.core, self.slots), slot)
        return emit.mul(slot, self.elements)

    def share(self, count: int, size: int) -> tuple[Idx, int]:
        """First and stride of this Vector core's pieces of `count` in pieces of `size`; a first of `count` is none."""
        emit, vector, beside = self.k.emit, self.k.vector, self.k.target.vectors_beside
        if count > size:
            return emit.mul(vector, size), size * beside
        other = emit.rem(emit.add(self._number(), vector), beside)
        return emit.mul(emit.min(other, 1), count), size

    def _flag(self, event: int) -> SSAValue:
        return self.k.emit.value(event)

    def open(self) -> None:
        """The Cube core: all slots are free at the start."""
        for _ in range(self.slots):
            self.fetched()

    def fetch(self) -> None:
        """The Cube core, before it reads a slot."""
        self.k.emit.insert(ascend.CrossWaitFlagOp(self._flag(FED)))

    def fetched(self) -> None:
        """The Cube core, once it has read a slot."""
        pipe = "MTE1" if self.direct else "MTE2"
        self.k.emit.insert(ascend.CrossSetFlagOp(pipe, self._flag(FED_FREE)))

    def produce(self) -> None:
        """A Vector core, before it writes a slot."""
        self.k.emit.insert(ascend.CrossWaitFlagOp(self._flag(FED_FREE)))

    def produced(self) -> None:
        self.k.emit.insert(ascend.CrossSetFlagOp("MTE3", self._flag(FED)))

    def close(self) -> None:
        """A Vector core: take the flags of the last steps."""
        for _ in range(self.slots):
            self.k.emit.insert(ascend.CrossWaitFlagOp(self._flag(FED_FREE)))
