"""What the parts of a kernel's lowering share: where each tile is, what each index is, and where in the grid they are.

The parts know this, and not each other: the ops of a body are dispatched by whoever lowers the whole kernel
(`KernelLowering`), which gives the abstract methods here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from xdsl.dialects.builtin import IntegerType

from ....dialects import ascend, tile
from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ....dialects.tile import BLOCK, TileType
from ...support.indices import Idx
from .emitter import Emitter, Generation
from .place import Place, blocked_dim, is_mask, physical

if TYPE_CHECKING:
    from xdsl.ir import Block, Operation, SSAValue


class TileHandOver(Protocol):
    """How tiles of a Cube core reach the Vector cores beside it: one side's part."""

    core: Idx
    turn: Idx

    def give(self, acc: Place, used: tuple[Idx, Idx], chunks: tile.ChunksOp) -> None: ...

    def drain(self) -> None: ...

    def prime(self) -> None: ...

    def take(self) -> None: ...

    def release(self) -> None: ...

    def share(self, size: int, step: int) -> tuple[Idx, Idx, int]: ...

    def chunk(self, op: tile.ExtractOp, at: Idx) -> Place: ...


class OperandFeed(Protocol):
    """How operands that Vector cores lay out reach their Cube core: one side's part."""

    workspace: SSAValue
    rhs_at: int
    slots: int
    direct: bool
    core: Idx
    turn: Idx
    step: Idx
    rooms: int

    def room(self) -> Idx: ...

    def slot(self) -> Idx: ...

    def share(self, count: int, size: int) -> tuple[Idx, int]: ...

    def open(self) -> None: ...

    def fetch(self) -> None: ...

    def fetched(self) -> None: ...

    def produce(self) -> None: ...

    def produced(self) -> None: ...

    def close(self) -> None: ...


class PendingColumns(Protocol):
    """A product whose last pieces of K follow by columns."""

    def multiply_columns(self, start: Idx, columns: int) -> None: ...


@dataclass(frozen=True)
class Span:
    """The current point of the grid, the core's first one, and the one behind its last."""

    point: Idx
    first: Idx
    end: Idx


@dataclass(frozen=True)
class Carried:
    """What chunks of a tile's channels, of which the last comes first, hand to the next one: the first pixels of the
    plane in the channel behind it, and the last ones of the image before in its last channel."""

    head: Generation
    tail: Generation


class LoweringContext(ABC):
    """State of one kernel's lowering."""

    chained: bool
    """Whether one product reads what another one gives, out of L1."""
    row_lanes: bool
    """Whether rows of GM are in the lanes of the tiles."""
    shared: Sequence[tile.LoadOp]
    """Loads that come once, in front of the loop over tiles."""
    by_units: bool
    """Whether tiles of the product leave L0C by the unit flag."""
    left_to_last: frozenset[int]
    """Dimensions along which the tile before the last one leaves to that what both have."""
    last_use: dict[SSAValue, Operation]
    """The op that uses each value last."""
    tables: Sequence[tile.LoadOp]
    """Loads of rows beside the Cube."""

    def __init__(self, source: tile.KernelOp, target: Target, core: str | None, kernel: ascend.KernelOp):
        self.source, self.target, self.core, self.kernel = source, target, core, kernel
        self.emit = Emitter(kernel, target)
        self.extents: tuple[Idx, ...] = source.extent_list
        self.grid: tuple[Idx, ...] = source.grid
        self.tails = source.tail_list
        self.covered = frozenset(
            d for d, tail in enumerate(self.tails) if tail == "cover" and source.ragged(d)
        )
        """Dimensions whose last tile goes past their end."""
        tensors = len(source.inputs) + len(source.outputs)
        arguments = source.body.block.args[:tensors]
        self.tensors: dict[SSAValue, SSAValue] = dict(zip(arguments, kernel.body.block.args, strict=False))
        self.whole_rows: dict[tile.LoadOp, Generation] = {}
        """Rows for tables that are in L1 whole."""
        self.fetched_ahead = False
        self.hand_over: TileHandOver | None = None
        self.vector: Idx = 0
        """Which of the Vector cores beside a Cube core this is."""
        self.feed: OperandFeed | None = None
        self.turn: Idx = 0
        """The number of the core's current tile."""
        self.resident: Generation | SSAValue | None = None
        """Where in L1 a left operand lies that is computed once for all tiles of columns."""
        self.late: PendingColumns | None = None
        self.kept: Place | None = None
        """The packed weights that stay in L1."""
        self.span: Span | None = None
        """Where the current tile is among those of its core, if they are dealt in spans."""
        self.carried: Carried | None = None
        """What chunks of rows that go round hand to each other."""
        self.first_tile: tuple[Idx, Idx] = 0, 1
        """The number of the current tile, and the one below which that of the core's first tile is."""
        self.index: dict[SSAValue, Idx] = {}
        self.places: dict[SSAValue, Place] = {}
        self.results: dict[SSAValue, Place] = {}
        """Where results are to be computed; others have a place of their own, or that of a source."""
        self.coordinates: tuple[Idx, ...] = ()
        """Where this grid point is in the grid."""
        self.firsts: tuple[Idx | None, ...] = ()
        """For each dimension, the first index that this grid point owns; None where it owns its whole tile."""
        self.inside: tuple[Idx, ...] = ()
        """For each dimension, how much of this grid point's tile is inside the result and not left to the last tile."""

    @abstractmethod
    def grid_point(self, point: Idx, fixed: dict[int, Idx]) -> None:
        """Offsets and sizes of the tile at linear grid index `point`, walking `swizzle` rows at a time."""

    @abstractmethod
    def body(self, block: Block) -> None:
        """Lower all ops of a block."""

    @abstractmethod
    def operation(self, op: Operation) -> None:
        """Lower one op; `TypeError` where nothing does."""

    @abstractmethod
    def epilogue(self, op: tile.ContractOp, acc: Place | None) -> None:
        """What follows the product, on the accumulator `acc`; None where it comes from another core."""

    @abstractmethod
    def load_tables(self) -> None:
        """What the product and FixPipe need of the current grid point beside the operands."""

    @abstractmethod
    def enter_part(self, op: tile.StreamOp, at: Idx) -> None:
        """Told before a stage of the part of a stream that starts at `at` is emitted."""

    def idx(self, value: SSAValue) -> Idx:
        return self.index[value]

    def new_place(
        self, kind: TileType, sizes: Sequence[Idx], label: str, rows: int = 1, whole_blocks: bool = False
    ) -> Place:
        """A buffer in UB of its own, and a generation of it, for a tile of type `kind`.

        `whole_blocks` leaves room for 16 blocks more, because a transpose writes a multiple of 16.
        """
        elements, strides = physical(kind, rows)
        elements = (-(-elements // (BLOCK * BLOCK)) + 1) * BLOCK * BLOCK if whole_blocks else elements
        if is_mask(kind.element_type):
            base = self.emit.fresh(elements // 8, IntegerType(8), "ub", "mask")
        else:
            base = self.emit.fresh(elements, kind.element_type, "ub", label)
        return Place(
            base,
            kind.element_type,
            kind.get_shape(),
            tuple(sizes),
            strides,
            kind.get_order(),
            blocked_dim(kind),
            mask=is_mask(kind.element_type),
        )

    def in_place(
        self,
        op: tile.VecOp | tile.BorderOp,
        kind: TileType,
        sources: Sequence[Place],
        sizes: tuple[Idx, ...],
    ) -> Place | None:
        """The place of a source that dies here and may be overwritten: same shape, same bytes, not repeated."""
        if isinstance(op, tile.VecOp) and op.apart is not None:
            return None
        values = op.sources if isinstance(op, tile.VecOp) else (op.source,)
        for value, place in zip(values, sources, strict=True):
            if (
                place.dtype == kind.element_type
                and place.shape == kind.get_shape()
                and place.offset == 0
                and isinstance(place.base, Generation)
                and place.order == kind.get_order()
                and self.last_use.get(value) is op
                and place.sizes == sizes
                and not any(
                    o is not value and p.base == place.base for o, p in zip(values, sources, strict=True)
                )
            ):
                return place
        return None
