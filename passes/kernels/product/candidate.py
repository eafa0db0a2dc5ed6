"""One tiling of a kernel around a product, with what each pipe of a core takes."""

from dataclasses import replace

from ...regions.tiling import ProductTiling
from .bounds import bound_of_tiling, busiest_pipe
from .costs import KernelCosts
from .problem import Problem, Tile, tile_of
from .step_costs import StepCosts


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
        return bound_of_tiling(self.shared, self.whole, self.rest)

    def busiest(self) -> float:
        """Cycles of the busiest pipe alone, which a program takes that waits less than the clock counts."""
        shared = self.shared
        found = busiest_pipe(shared, self.whole, shared.reads)
        return min(found, busiest_pipe(shared, self.rest, shared.reads_rest))
