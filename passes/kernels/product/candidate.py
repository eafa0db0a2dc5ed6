"""One tiling of a kernel around a product, with what each pipe of a core takes."""

from dataclasses import replace

from ...regions.tiling import ProductTiling
from .costs import KernelCosts
from .operand_reads import Fetch
from .problem import Problem, Tile, tile_of
from .step_costs import StepCosts, TileWork


class Candidate:
    """A tiling and its costs. `shared`: those of all candidates with this tile and step; `rounds`: how many tiles a
    core computes, where these are not dealt out of a grid of their own."""

    def __init__(
        self,
        p: Problem,
        tiling: ProductTiling,
        tile: Tile,
        rounds: int | None = None,
        shared: StepCosts | None = None,
    ):
        self.p, self.tiling, self.tile = p, tiling, tile
        self.shared = StepCosts(p, tiling, tile, rounds) if shared is None else shared
        self.whole = self.rest = KernelCosts(p, tiling, tile, self.shared.whole)
        """Costs of a tile, and of the last one of columns, which may be smaller."""
        smaller = self.shared.rest
        if smaller is not self.shared.whole:
            tiles = smaller.tiling.tiles
            self.rest = KernelCosts(p, replace(tiling, tiles=tiles), tile_of(p, tiles), smaller)

    def bound(self) -> float:
        """Cycles of the busiest pipe, and from the first load to the last store on the way through the others: the
        kernel is no faster."""
        found = self._bound(self.whole, self.shared.reads)
        if self.rest is not self.whole:
            found = min(found, self._bound(self.rest, self.shared.reads_rest))
        return found

    def _bound(self, c: KernelCosts, reads: list[Fetch]) -> float:
        """The same if all tiles cost `c`: products, operands to L0, operands to L1 and from HBM, what the Vector unit
        or FixPipe does, what it moves."""
        shared, e = self.shared, c.epilogue
        step = c.pieces * c.mmad
        m = (shared.steps - c.by_columns) * step + e.chunks * c.late_products
        chunks = shared.rounds * e.chunks
        beside = shared.beside_busy(c.operands, reads, e) if shared.beside else 0.0
        work = TileWork(
            m,
            shared.steps * c.pieces * c.mte1,
            0.0 if c.by_columns else step,
            e.after(c.unit_flag, c.by_columns),
            chunks * e.chunk_read,
            chunks * e.chunk_vector,
            chunks * e.chunk_store,
            beside,
        )
        return shared.longest(c.operands, reads, work)
