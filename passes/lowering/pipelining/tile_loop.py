"""The tiles of one core, one after the other, by one number that a loop may count."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from math import prod
from typing import TYPE_CHECKING

from ....dialects import tile
from ....dialects.records import dataclass
from ...support.indices import Idx
from ..base.context import Span
from ..base.products import products_of
from ..transfers.spans import span_of

if TYPE_CHECKING:
    from ..base.context import LoweringContext


@dataclass(frozen=True)
class TileLoop:
    """Tiles of the core `core`: `first`, `first + stride`, … below `end`. Without dimensions that a core walks alone
    these are grid points; with them tiles are numbered on the core, those of a grid point (`alone` many) one after the
    other. Those of a span (`span`: the first grid point, and the one behind the last) are numbered on the core too,
    with the one behind it."""

    k: LoweringContext
    core: Idx
    first: Idx
    end: Idx
    stride: int
    alone: int
    span: tuple[Idx, Idx] | None = None

    @staticmethod
    def of(k: LoweringContext, core: Idx, points: Idx) -> TileLoop:
        """The walk of a core of the kernel; `points` of the grid are dealt to the cores."""
        source, emit = k.source, k.emit
        cores = source.schedule.cores
        if source.schedule.spans and products_of(source):
            assert isinstance(points, int), "spans are of a known number of tiles"
            first, end = span_of(k, core, points)
            count = emit.sub(emit.min(emit.add(end, 1), points), first)
            return TileLoop(k, core, 0, count, 1, 1, (first, end))
        if not source.walked:
            return TileLoop(k, core, core, points, cores, 1)
        alone = prod(_static(k.grid[d]) for d in source.walked)
        if isinstance(points, int) and points % cores == 0:
            rounds: Idx = points // cores
        else:
            rounds = emit.div(emit.sub(emit.add(points, cores - 1), core), cores)
        return TileLoop(k, core, 0, emit.mul(rounds, alone), 1, alone)

    @contextmanager
    def trips(self, more: int = 0, several: int = 1) -> Generator[Idx, None, None]:
        """A loop over the tiles, and `more` trips behind them; `several`: tiles that are one trip."""
        end = self.k.emit.add(self.end, more * self.stride)
        with self.k.emit.loop(self.first, end, self.stride * several) as tile:
            yield tile

    @property
    def staggered(self) -> int:
        """The dimension along which cores begin one after the other; -1: none. A smaller last tile comes last."""
        source = self.k.source
        product = next((op for op in source.body.block.ops if isinstance(op, tile.ContractOp)), None)
        if product is None or product.schedule.stagger is None or source.schedule.inner is None:
            return -1
        return -1 if source.schedule.inner in self.k.covered else source.schedule.inner

    @property
    def columns(self) -> int:
        """Tiles in a row of those that share an operand."""
        inner = self.k.source.schedule.inner
        assert inner is not None
        return _static(self.k.grid[inner])

    @contextmanager
    def rows(self) -> Generator[tuple[Idx, int], None, None]:
        """A loop over the rows of tiles that share an operand: the first tile of each, and how many there are."""
        emit, columns = self.k.emit, self.columns
        with emit.loop(0, emit.div(self.end, columns)) as row:
            yield emit.mul(row, columns), columns

    def before(self, tile: Idx) -> Idx:
        """The tile before `tile`."""
        return self.k.emit.sub(tile, self.stride)

    def turn(self, tile: Idx) -> Idx:
        """How many tiles of the core come before `tile`."""
        return self.k.emit.div(tile, self.stride)

    def at(self, tile: Idx) -> None:
        """Make `tile` the current grid point."""
        k, emit = self.k, self.k.emit
        k.first_tile = tile, emit.add(self.first, self.stride)
        if self.span is not None:
            first, end = self.span
            k.span = Span(emit.add(first, tile), first, end)
            k.grid_point(k.span.point, {})
            return
        if not k.source.walked:
            k.grid_point(tile, {})
            return
        rest, fixed = emit.rem(tile, self.alone), dict[int, Idx]()
        for d in reversed(k.source.walked):
            count = _static(k.grid[d])
            begun = self.core if d == self.staggered else 0
            fixed[d] = emit.rem(emit.add(rest, begun), count)
            rest = emit.div(rest, count)
        cores = k.source.schedule.cores
        k.grid_point(emit.add(self.core, emit.mul(emit.div(tile, self.alone), cores)), fixed)


def _static(count: Idx) -> int:
    """Points along a dimension that one core walks alone."""
    assert isinstance(count, int), "the first dimension of a dynamic kernel is shared among its cores"
    return count
