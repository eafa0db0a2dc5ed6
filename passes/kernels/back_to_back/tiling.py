"""Tile sizes of a kernel of two convolutions, of which the second one reads the first one's result out of L1.

A tile of the second one asks for rows and columns of the first one, with the halo of its window, and all its channels.
Either product is tiled as a kernel of its own would be (`kernels.product.tiling`): the first one on the image that one
tile holds, the second one without its left operand. Those whose times add up to the least are followed together
(`kernels.back_to_back.clock`). L0 is shared by halves; L1 has the operands of both and the image, UB the chunks of
both (`kernels.product.footprint`): behind a tiling of the second one comes the fastest of the first one that there is
room for beside it.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from heapq import nsmallest
from itertools import chain
from math import inf, prod

from xdsl.ir import SSAValue

from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ....dialects.tiling import Along
from ...cost.group_trace import ceil_to
from ...regions.compose_maps import NotFusableError
from ...regions.regions import Regions
from ...regions.tiling import BackToBackTiling
from ..common.pack_weights import packs_rhs
from ..elementwise.legality import NoTileError
from ..product.body import contraction_of, loads_after
from ..product.candidate import Candidate
from ..product.footprint import OnChip, bytes_of_tiles
from ..product.problem import Problem, Tile, problem_of, tile_of
from ..product.search import Leaf, StepNode, TileNode, WayNode, fastest_of, in_order, step_node
from ..product.tile_bound import Share, TileBound
from ..product.tiles import tiles_of
from ..product.tiling import distribution_of, k_steps_of
from .build import halves, image_maps
from .clock import back_to_back_cycles

MOST_FOLLOWED = 12
"""Tilings of both products that are followed on the pipes of a core, of those whose times alone add up to the least."""


@dataclass(frozen=True)
class Firsts:
    """Steps of the first product with one tile of it, of which a core computes `rounds`."""

    steps: list[StepNode]
    rounds: int

    @cached_property
    def bound(self) -> float:
        """Cycles that none of them takes less of; infinite where there is none."""
        return min((step.bound for step in self.steps), default=inf)

    def fastest(self, room: OnChip) -> tuple[float, Candidate] | None:
        """The fastest tiling that there is room for, with its cycles."""
        for cycles, one, taken in chain(self._known, self._more(room)):
            if taken.fits(room):
                return cycles, one
        return None

    @cached_property
    def _least(self) -> list[OnChip]:
        """What each step takes with its smallest chunk."""
        smallest = ((one, replace(one.k_step.tiling, chunk=one.k_step.chunks[-1][0])) for one in self.steps)
        return [bytes_of_tiles(one.problem, one.k_step.tile, tiling, self.rounds) for one, tiling in smallest]

    @cached_property
    def _known(self) -> list[tuple[float, Candidate, OnChip]]:
        """The tilings that were asked for, the fastest first, each of which takes less of L1 or of UB than all before
        it: their cycles and bytes."""
        return []

    @cached_property
    def _ordered(self) -> Iterator[tuple[float, Leaf]]:
        return in_order(self.steps)

    def _more(self, room: OnChip) -> Iterator[tuple[float, Candidate, OnChip]]:
        """Those that follow the known ones, which they then are too, where there may be room for one."""
        if self._known and not any(least.fits(room) for least in self._least):
            return
        for cycles, leaf in self._ordered:
            one = leaf.candidate
            taken = bytes_of_tiles(one.p, one.tile, one.tiling, self.rounds)
            if not any(other.fits(taken) for _, _, other in self._known):
                self._known.append((cycles, one, taken))
                yield self._known[-1]


@dataclass(frozen=True)
class BackToBackProblem:
    """The two problems of a kernel of two convolutions."""

    first: Problem
    second: Problem

    @property
    def target(self) -> Target:
        return self.second.target

    @cached_property
    def known(self) -> dict[tuple[tuple[int, ...], int, int], "Firsts"]:
        """The tilings of the first product for each tile of it, number of cores and of tiles that one computes."""
        return {}

    @cached_property
    def image_maps(self) -> tuple[Along, Along]:
        """How rows and columns of the first one's result follow the second one's dimensions."""
        return image_maps(self.second.regions)

    def image(self, tile: Tile) -> tuple[int, ...]:
        """What of the first one's result a tile of the second one needs."""
        sizes = [1, self.first.extents[1]]
        for entry, extent in zip(self.image_maps, self.first.extents[2:], strict=True):
            cut = tile.tiles[entry.dim] < self.second.extents[entry.dim]
            sizes.append(min(entry.span(tile.tiles[entry.dim]), extent) if cut else extent)
        return tuple(sizes)

    def held_bytes(self, image: tuple[int, ...]) -> int:
        """L1 bytes of the first one's result."""
        return ceil_to(image[1], 16) * ceil_to(prod(image[2:]), 16) * self.first.item

    def firsts(self, image: tuple[int, ...], cores: int, rounds: int) -> "Firsts":
        """The tilings of the first product, for all tiles of a core."""
        key = image, cores, rounds
        if key not in self.known:
            p, tile = self.first, tile_of(self.first, image)
            alone = (
                replace(k_step, tiling=replace(k_step.tiling, cores=cores, serial=0, swizzle=1))
                for k_step in k_steps_of(p, tile)
            )
            steps = [step_node(p, k_step, (i,), rounds) for i, k_step in enumerate(alone)]
            self.known[key] = Firsts(steps, rounds)
        return self.known[key]

    def least(self, tile: Tile) -> float:
        """Cycles that no tiling of the first product takes less of beside a tile of the second one."""
        image = self.image(tile)
        cores = distribution_of(self.second, tile, False).cores
        share = Share(cores, _rounds(self.second, tile, cores))
        return TileBound(self.first, tile_of(self.first, image), share).bound

    def room(self, second: Candidate, rounds: int) -> OnChip:
        """What a tiling of the second product leaves of L1, beside the image, and of UB. Buffers share no bytes: the
        first product's next tile is loaded while the second one's is stored."""
        taken = bytes_of_tiles(self.second, second.tile, second.tiling, rounds)
        spaces, held = self.target.spaces, self.held_bytes(self.image(second.tile))
        return OnChip(spaces["l1"].bytes - held - taken.l1, spaces["ub"].bytes - taken.ub)


def _problems(
    regions: Regions, packable_first: bool, packable_second: bool, target: Target
) -> list[BackToBackProblem]:
    """The problems, with FixPipe at work behind the second product and without; `NotFusableError` where the chip cannot
    hand the first one's result to the second one."""
    first, second = halves(regions)
    between = [op for op in first.ops if op is not first.product]
    for load in loads_after(first, contraction_of(first)):
        dims = {d for d, size in enumerate(first.kernel_shape(load)) if size > 1}
        if len(dims) > 1:
            raise NotFusableError(
                "what stands between two products reads more than rows beside the first one",
                next((op for op in between if load.value in op.operands), None),
            )
    assert first.product is not None
    one = problem_of(first, packable_first, target, drain=target.split)
    if target.split:
        if one.drain is None or one.drain.result is not first.result:
            done = () if one.drain is None else one.drain.ops
            raise NotFusableError(
                f"what stands between two products is not what FixPipe of {target.name} does on the way to L1",
                next((op for op in between if op not in done), None),
            )
        if not packable_second:
            raise NotFusableError(
                f"filters of the second product are no weights, and Vector cores of {target.name} lay out those of one"
            )
    drained = problem_of(second, packable_second, target, drain=True)
    plain = problem_of(second, packable_second, target)
    both = [drained, plain] if drained.drain and drained.drain.ops else [plain]
    return [
        BackToBackProblem(
            replace(one, products=2, feeds=True, slots=slots), replace(p, products=2, held=True, slots=slots)
        )
        for slots in (2, 1)
        for p in both
    ]


@dataclass(frozen=True, eq=False)
class _PairLeaf(Leaf):
    """A tiling of the second product, behind one of the first that fits beside it."""

    first: Candidate


@dataclass(frozen=True, eq=False)
class _PairStepNode(StepNode):
    """A step of the second product, with tilings of the first one."""

    pair: BackToBackProblem
    firsts: Firsts

    def expand(self) -> Iterator[_PairLeaf]:
        known: dict[int, tuple[float, Candidate] | None] = {}
        for second in super().expand():
            chunk = second.candidate.tiling.chunk
            if chunk not in known:
                known[chunk] = self.firsts.fastest(self.pair.room(second.candidate, self.firsts.rounds))
            found = known[chunk]
            if found is not None:
                cycles, first = found
                yield _PairLeaf(cycles + second.bound, second.place, second.candidate, cycles, first)


@dataclass(frozen=True, eq=False)
class _PairWayNode(WayNode):
    """A tile of the second product, and how its K is cut."""

    pair: BackToBackProblem

    def expand(self) -> Iterator[_PairStepNode]:
        """The step, where it follows a tiling of the first product."""
        for one in super().expand():
            tiling = one.k_step.tiling
            rounds = _rounds(self.problem, self.tile, tiling.cores)
            firsts = self.pair.firsts(self.pair.image(self.tile), tiling.cores, rounds)
            bound = firsts.bound + one.bound
            if bound < inf:
                yield _PairStepNode(bound, one.place, one.problem, one.k_step, one.costs, self.pair, firsts)


@dataclass(frozen=True, eq=False)
class _PairTileNode(TileNode):
    """A tile of the second product."""

    pair: BackToBackProblem

    def expand(self) -> Iterator[_PairWayNode]:
        """The ways in which K may be cut."""
        for one in super().expand():
            yield _PairWayNode(one.bound, one.place, one.problem, one.tile, one.way, self.pair)


def _candidates(
    pair: BackToBackProblem, wanted: tuple[int, ...] | None = None
) -> Iterator[tuple[float, BackToBackTiling]]:
    """Legal tilings with their predicted cycles, of those that promise most; `wanted`: with these tiles alone."""
    tiles = (  # most have no room for all channels of the first product
        _PairTileNode(before + least.bound, (place,), pair.second, tile, least, before, pair)
        for place, tile in enumerate(tiles_of(pair.second))
        if wanted in (None, tile.tiles)
        if (before := pair.least(tile)) < inf and (least := TileBound(pair.second, tile)).bound < inf
    )
    for _, one in fastest_of(tiles, MOST_FOLLOWED):
        assert isinstance(one, _PairLeaf)
        first, second = one.first, one.candidate
        tiling = BackToBackTiling(second.tile.tiles, second.tiling.cores, first.tiling, second.tiling)
        yield back_to_back_cycles(first, second), tiling


def _rounds(p: Problem, tile: Tile, cores: int) -> int:
    """Tiles that one of so many cores computes at most."""
    points = prod(-(-e // t) for e, t in zip(p.extents, tile.tiles, strict=True))
    return -(-points // cores)


def best_back_to_back_tilings(
    regions: Regions,
    packed: tuple[bool, bool],
    target: Target,
    count: int,
    wanted: tuple[int, ...] | None = None,
) -> list[tuple[float, BackToBackTiling]]:
    """The `count` tilings with the least predicted cycles, with these, best first; `NoTileError` when none fits,
    `NotFusableError` where the chip cannot hand over between the products. `packed`: which filters are packed before
    the run. `wanted`: the tiles that these are to have."""
    for pair in _problems(regions, *packed, target):
        if timed := list(_candidates(pair, wanted)):
            return nsmallest(count, timed, key=lambda found: found[0])
    raise NoTileError(
        regions.ops[-1], "no tile of two products fits on chip, with all channels of the first one in L1"
    )


def packed_filters(regions: Regions, packable: frozenset[SSAValue]) -> tuple[bool, bool]:
    """Which filters of a chain are packed before the run."""
    first, second = halves(regions)
    return packs_rhs(first, packable), packs_rhs(second, packable)
