"""The search for the tile sizes of a product: branch and bound, best first.

A node's bound is what no kernel below it is faster than. Tiles of the result are at the top, with a bound that is soon
found and then a closer one (`kernels.product.tile_bound`). Below them are the ways to cut K into steps in L1, each
with a bound (`kernels.product.cuts_of_k`), and the steps, if they are legal, with a closer one. Below these are
tilings, with a bound that is exact for each pipe. The node with the least bound is expanded; a tiling is followed on
the pipes (`kernels.product.clock`). The search ends when no bound is below the best time.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import islice
from math import inf

from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ...cost.group_trace import ceil_to
from ...regions.regions import Regions
from ...regions.tiling import ProductTiling
from ..common.form import SlowerError
from ..elementwise.legality import NoTileError
from .bounds import bound_of_steps
from .candidate import Candidate
from .clock import Clock, product_cycles
from .problem import Problem, Tile, problem_of, tile_of
from .step_costs import StepCosts
from .tile_bound import TileBound, rough_bound
from .tiles import tiles_of
from .tiling import KStep, Way, k_step_of
from .too_large import smallest

Place = tuple[int, ...]
"""Where a tiling stands in the order in which they are listed: the first of equals is taken."""


Ways = tuple[tuple[bool, int], ...]
"""Whether rows are split, and how many slots there are of what brings the operands."""


def best_product_tilings(
    regions: Regions, packed: bool, target: Target, count: int, most: float = inf
) -> list[ProductTiling]:
    """The `count` legal tilings with the least predicted time, best first; `NoTileError` when there is none,
    `SlowerError` when none takes at most `most` cycles."""
    for p, ways in problems_in_order(regions, packed, target):
        if found := fastest_of(_tiles_with(p, ways), count, most):
            return [one.candidate.tiling for _, one in found]
    least = [replace(p, split_rows=True, slots=1) for p in _problems(regions, packed, target)]
    raise NoTileError(regions.ops[-1], f"no tile fits: {smallest(least)}")


def problems_in_order(regions: Regions, packed: bool, target: Target) -> Iterator[tuple[Problem, Ways]]:
    """The problems of a kernel, with the ways in which tiles may fit: later ones are for kernels without a tile in all
    before them."""
    narrow = () if target.dma.unaligned else ((False, 1),)  # whole rows, which all cores may share
    for ways in (((False, 2),), ((True, 2), *narrow), ((True, 1),)):
        for p in _problems(regions, packed, target):  # what FixPipe does takes no time of its own
            yield p, ways


def _tiles_with(p: Problem, forms: Ways) -> list["RoughNode"]:
    """Every tile, with rows that are split or not and so many slots; listed once. They refer to a problem, so the group
    knows them and not the problem."""
    known, key = p.regions.known, (_tiles_with, forms, p.drain is None)
    if key not in known or known[key][0] is not p:
        problems = [replace(p, split_rows=split, slots=slots) for split, slots in forms]
        known[key] = p, list(rough_nodes(problems))
    return known[key][1]


def _problems(regions: Regions, packed: bool, target: Target) -> Iterator[Problem]:
    """The problem with FixPipe at work behind the product, where it has any, and the one without."""
    drained = problem_of(regions, packed, target, drain=True)
    if drained.drain and drained.drain.ops:
        yield drained
    yield problem_of(regions, packed, target)


@dataclass(frozen=True, eq=False)
class Node:
    """Tilings that have something in common. `bound`: cycles that no kernel with one of them takes less of."""

    bound: float
    place: Place

    def expand(self) -> Iterable["Node"]:
        """The nodes below it."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Leaf(Node):
    """One tiling. `before`: cycles of what comes first, a product or the start of cores."""

    candidate: Candidate
    before: float

    def cycles(self) -> float:
        """Predicted cycles."""
        return self.before + Clock(self.candidate).run()


@dataclass(frozen=True, eq=False)
class StepNode(Node):
    """A step of K with a tile."""

    problem: Problem
    k_step: KStep
    costs: StepCosts

    def expand(self) -> Iterator[Leaf]:
        """Its tilings."""
        starts = _starts(self.problem, self.k_step)
        for i, tiling in enumerate(self.k_step.tilings()):
            one = Candidate(self.problem, tiling, self.k_step.tile, shared=self.costs)
            yield Leaf(one.bound() + starts, (*self.place, i), one, starts)


def _starts(p: Problem, k_step: KStep) -> float:
    """Cycles in which the cores of a kernel with one product start, all but the first one."""
    return 0.0 if p.products > 1 else (k_step.tiling.cores - 1) * p.target.block_us * p.target.clock_mhz


def step_node(p: Problem, k_step: KStep, place: Place, rounds: int | None = None) -> StepNode:
    """A step with its bound, of a core that computes `rounds` tiles; None: those of the grid."""
    tiling, tile = k_step.tiling, k_step.tile
    costs = StepCosts(p, tiling, tile, rounds)
    bound = bound_of_steps(costs, max(k_step.pieces), k_step.chunks) + _starts(p, k_step)
    return StepNode(bound, place, p, k_step, costs)


@dataclass(frozen=True, eq=False)
class WayNode(Node):
    """A tile of the result, and how K is cut; the step may not be legal."""

    problem: Problem
    tile: Tile
    way: Way

    def expand(self) -> Iterator[StepNode]:
        """The step."""
        k_step = k_step_of(self.problem, self.tile, self.way)
        if k_step is not None:
            yield step_node(self.problem, k_step, self.place)


@dataclass(frozen=True, eq=False)
class TileNode(Node):
    """A tile of the result. `before`: cycles of what comes first."""

    problem: Problem
    tile: Tile
    least: TileBound
    before: float

    def expand(self) -> Iterator[WayNode]:
        """The ways in which K may be cut."""
        for bound, i, way in self.least.of_ways:
            yield WayNode(
                max(self.bound, self.before + bound), (*self.place, i), self.problem, self.tile, way
            )


@dataclass(frozen=True, eq=False)
class RoughNode(Node):
    """A tile of the result with a bound that is soon found, which may not fit. Most are not looked at any closer."""

    problem: Problem
    tile: Tile

    def expand(self) -> list[TileNode]:
        """The tile, if it fits."""
        return self._closer

    @cached_property
    def _closer(self) -> list[TileNode]:
        least = TileBound(self.problem, self.tile)
        node = TileNode(least.bound, self.place, self.problem, self.tile, least, 0.0)
        return [node] if least.bound < inf else []


def rough_nodes(problems: Sequence[Problem]) -> Iterator[RoughNode]:
    """Every tile, but those that do not fit L0."""
    tiles = ((p, tile) for p in problems for tile in tiles_of(p))
    for place, (p, tile) in enumerate(tiles):
        bound = rough_bound(p, tile)
        if bound < inf:
            yield RoughNode(bound, (place,), p, tile)


def fastest_of(nodes: Iterable[Node], count: int, most: float = inf) -> list[tuple[float, Leaf]]:
    """The `count` tilings with the least predicted cycles, with these; `SlowerError` where all take more."""
    return list(islice(in_order(nodes, most), count))


def in_order(nodes: Iterable[Node], most: float = inf) -> Iterator[tuple[float, Leaf]]:
    """All tilings with their predicted cycles, the fastest first. Those that nobody asks for are not followed.
    `SlowerError` where it is clear that the next one takes more than `most` cycles."""
    heap = [(one.bound, one.place, one) for one in nodes]
    heapify(heap)
    done: list[tuple[float, Place, Leaf]] = []
    while heap or done:
        while heap and (not done or heap[0][0] <= done[0][0]):
            if heap[0][0] > most and not isinstance(heap[0][2], RoughNode):  # one that fits
                raise SlowerError(heap[0][0])
            *_, one = heappop(heap)
            if isinstance(one, Leaf):
                heappush(done, (one.cycles(), one.place, one))
            else:
                for other in one.expand():
                    heappush(heap, (other.bound, other.place, other))
        if done:
            cycles, _, one = heappop(done)
            yield cycles, one


def product_time(regions: Regions, tiling: ProductTiling, packed: bool, target: Target) -> float:
    """Predicted cycles of a kernel with a product."""
    problem = problem_of(regions, packed, target, tiling.drain)
    rows = min(tiling.tiles[0], ceil_to(regions.kernel_extents[0], problem.block))
    tile = tile_of(problem, (rows, *tiling.tiles[1:]), tiling.lead, tiling.circular)
    return product_cycles(problem, replace(tiling, tiles=tile.tiles), tile)


def least_product_time(regions: Regions, tiling: ProductTiling, packed: bool, target: Target) -> float:
    """Cycles that no kernel with this tiling is faster than, however little it waits."""
    problem = problem_of(regions, packed, target, tiling.drain)
    return Candidate(problem, tiling, tile_of(problem, tiling.tiles, tiling.lead, tiling.circular)).busiest()
