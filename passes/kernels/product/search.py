"""The search for the tile sizes of a product: best first, by what the pipes of a core take at least.

A tile has a bound (`kernels.product.tile_bound`). The tile with the least one is opened: each step of K in L1 that it
may have has a bound, with the longest piece of K and the least that an epilogue takes. Of a step that is opened, each
tiling has one, which is exact for each pipe. The tiling with the least bound is followed on the pipes
(`kernels.product.clock`). The search ends when no bound is below the best time.
"""

from bisect import insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from math import inf

from ....dialects.target_types import Target
from ...cost.group_trace import ceil_to
from ...regions.regions import Regions
from ...regions.tiling import ProductTiling
from ..elementwise.legality import NoTileError
from .candidate import Candidate
from .clock import Clock, product_cycles
from .problem import Problem, Tile, problem_of, tile_of
from .step_costs import StepCosts
from .tile_bound import least_of_tile
from .tiles import tiles_of
from .tiling import Depth, depths_of, smallest

Place = tuple[int, ...]
"""Where a tiling stands in the order in which they are listed: the first of equals is taken."""


def best_product_tilings(regions: Regions, packed: bool, target: Target, count: int) -> list[ProductTiling]:
    """The `count` legal tilings with the least predicted time, best first; `NoTileError` when there is none."""
    problem = problem_of(regions, packed, target)
    drained = problem_of(regions, packed, target, drain=True)
    problems = [drained, problem] if drained.drain and drained.drain.ops else [problem]
    narrow = () if target.dma.unaligned else ((False, 1),)  # whole rows, which all cores may share
    for forms in (((False, 2),), ((True, 2), *narrow), ((True, 1),)):
        for p in problems:  # what FixPipe does takes no time of its own
            candidates = [replace(p, split_rows=split, slots=slots) for split, slots in forms]
            if found := fastest_of(tiled(candidates), count):
                return [one.candidate.tiling for _, one in found]
    least = [replace(p, split_rows=True, slots=1) for p in problems]
    raise NoTileError(regions.ops[-1], f"no tile fits: {smallest(least)}")


@dataclass(frozen=True, eq=False)
class Bounded:
    """What no kernel is faster than: cycles, and the place among equals."""

    least: float
    place: Place

    def opened(self) -> Iterable["Bounded"]:
        """What it consists of."""
        raise NotImplementedError

    def __lt__(self, other: "Bounded") -> bool:
        return (self.least, self.place) < (other.least, other.place)


@dataclass(frozen=True, eq=False)
class Followed(Bounded):
    """A tiling that waits for being followed. `before`: cycles of what comes first."""

    candidate: Candidate
    before: float

    def cycles(self) -> float:
        """Predicted cycles."""
        return self.before + Clock(self.candidate).run()


@dataclass(frozen=True, eq=False)
class Step(Bounded):
    """A step of K with a tile."""

    problem: Problem
    depth: Depth
    costs: StepCosts

    def opened(self) -> Iterator[Followed]:
        """Its tilings."""
        for i, tiling in enumerate(self.depth.tilings()):
            one = Candidate(self.problem, tiling, self.depth.tile, shared=self.costs)
            yield Followed(one.busiest(), (*self.place, i), one, 0.0)


def step_of(p: Problem, depth: Depth, place: Place, rounds: int | None = None) -> Step:
    """A step with its bound, of a core that computes `rounds` tiles; None: those of the grid."""
    tiling, tile = depth.tiling, depth.tile
    costs = StepCosts(p, tiling, tile, rounds)
    return Step(costs.busiest(max(depth.pieces), depth.chunks), place, p, depth, costs)


@dataclass(frozen=True, eq=False)
class Tiled(Bounded):
    """A tile of the result."""

    problem: Problem
    tile: Tile

    def opened(self) -> Iterator[Step]:
        """The legal steps with it."""
        for i, depth in enumerate(depths_of(self.problem, self.tile)):
            yield step_of(self.problem, depth, (*self.place, i))


def tiled(problems: Sequence[Problem]) -> Iterator[Tiled]:
    """Every tile that fits."""
    tiles = ((p, tile) for p in problems for tile in tiles_of(p))
    for place, (p, tile) in enumerate(tiles):
        least = least_of_tile(p, tile)
        if least < inf:
            yield Tiled(least, (place,), p, tile)


def fastest_of(found: Iterable[Bounded], count: int) -> list[tuple[float, Followed]]:
    """The `count` tilings with the least predicted cycles, with these."""
    heap = list(found)
    heapify(heap)
    best: list[tuple[float, Place, Followed]] = []
    limit = inf
    while heap and heap[0].least <= limit:
        one = heappop(heap)
        if not isinstance(one, Followed):
            for other in one.opened():
                if other.least <= limit:
                    heappush(heap, other)
            continue
        insort(best, (one.cycles(), one.place, one), key=lambda b: b[:2])
        del best[count:]
        if len(best) == count:
            limit = best[-1][0]
    return [(cycles, one) for cycles, _, one in best]


def product_time(regions: Regions, tiling: ProductTiling, packed: bool, target: Target) -> float:
    """Predicted cycles of a kernel with a product."""
    problem = problem_of(regions, packed, target, tiling.drain)
    rows = min(tiling.tiles[0], ceil_to(regions.kernel_extents[0], problem.block))
    tile = tile_of(problem, (rows, *tiling.tiles[1:]), tiling.lead, tiling.circular)
    return product_cycles(problem, replace(tiling, tiles=tile.tiles), tile)


def least_product_time(regions: Regions, tiling: ProductTiling, packed: bool, target: Target) -> float:
    """Cycles that no kernel with this tiling is faster than."""
    problem = problem_of(regions, packed, target, tiling.drain)
    return Candidate(problem, tiling, tile_of(problem, tiling.tiles, tiling.lead, tiling.circular)).busiest()
