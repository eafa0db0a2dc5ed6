"""What no kernel with a tile of the result is faster than, before its steps are known.

All of K is taken to be one step. Shorter ones read the same bytes, in no fewer requests; they only let cores that
share an operand read different parts of it at one time, of which each then misses a part. What they add by their number
is counted for each number that there may be (`cuts_of_k`).
"""

from functools import cached_property
from math import inf
from typing import NamedTuple

from ....dialects.tile import BLOCK
from ....runtime.machine.costs import mmad_fractals
from ...regions.tiling import ProductTiling
from .bounds import bound_of_steps, bounds_of_cuts
from .cuts_of_k import WHOLE, cut_of
from .footprint import chunk_sizes
from .load_costs import LoadCosts, feeds
from .operand_costs import left_cost, right_cost
from .operand_reads import port_cycles, port_of
from .problem import Problem, Tile, hands_over_by_units, takes_vector
from .step_costs import StepCosts, rates_of
from .tiles import tile_count
from .tiling import L0, Distribution, Way, distribution_of, l0_of, may_keep, may_stay, steps_of, ways_in_l1


def rough_bound(p: Problem, tile: Tile) -> float:
    """Cycles that no kernel with this tile takes less of, soon found: those of the Cube, of the port through which a
    core reads both operands, or of the Vector cores beside that lay out an image. No more than `TileBound`'s."""
    if p.prologue is not None or p.whole_rows:
        return 0.0
    if l0_of(p, tile) is None:
        return inf
    spread, k = distribution_of(p, tile, False), p.roles.k
    tiling = ProductTiling(
        tile.tiles, spread.cores, k, BLOCK, BLOCK, lead=tile.lead, spans=spread.spans, circular=tile.circular
    )
    rounds = -(-tile_count(p, tile) // spread.cores) + spread.spans
    kept = 1 if may_keep(p, tile, spread.cores) else rounds
    read, fed = kept * _read(p, right_cost(p, tiling, tile)), 0.0
    if feeds(p):
        fed = _laid_out(p, left_cost(p, tiling, tile), rounds, tile_count(p, tile))
    elif not p.held:
        read += rounds * _read(p, left_cost(p, tiling, tile))
    products = (rounds - 1) * mmad_fractals(p.target, p.dtype, tile.m, tile.n16, k)
    return rates_of(p).through + max(read, products, fed)


def _read(p: Problem, load: LoadCosts) -> float:
    """Cycles of MTE2 for an operand, whether L2 has it or lacks it."""
    port = port_of(p, load)
    read = min(port.hit, port_cycles(p, load, port, load.size, not load.goes_on)) + load.beside
    return load.passages * max(read, rates_of(p).dma_issue * load.dmas)


def _laid_out(p: Problem, load: LoadCosts, rounds: int, tiles: int) -> float:
    """Cycles until Vector cores have laid out the left operands of all `tiles`, of which one core has `rounds`: of the
    busiest pipe of these, which take turns, or of HBM, which gives what L2 does not keep."""
    read, work = _read(p, load) / p.target.vectors_beside, load.passages * max(load.vector, load.mte3)
    lost = load.passages * (load.cut + load.cut_beside) * p.target.memory.l2_line
    return max(rounds * max(read, work), tiles * lost / p.target.memory.hbm_chip)


class Share(NamedTuple):
    """So many cores compute so many tiles each, where these are not dealt out of a grid of their own."""

    cores: int
    rounds: int


class TileBound:
    """Cycles that no kernel with this tile takes less of, whose cores have a `share` of the tiles, or the grid's:
    `bound`, soon found, infinite where the tile does not fit."""

    def __init__(self, p: Problem, tile: Tile, share: Share | None = None):
        self.p, self.tile = p, tile
        self._work: dict[bool, _Work] = {}
        """By whether the left operand stays in L1 for all tiles of columns."""
        l0 = l0_of(p, tile)
        if l0 is not None and share is not None:
            spread = Distribution(share.cores, 0, 1, False)
            self._work[False] = _work(p, tile, l0, spread, False, share.rounds)
        elif l0 is not None:
            may = p.whole_rows or may_stay(p, tile)
            for stays in [True] if p.whole_rows else [False, True] if may else [False]:
                self._work[stays] = _work(p, tile, l0, distribution_of(p, tile, stays), stays)
        self.bound = min((bound_of_steps(*one) for one in self._work.values()), default=inf)

    @cached_property
    def of_ways(self) -> list[tuple[float, int, Way]]:
        """The same for each way in which K may be cut, with its number."""
        found: dict[bool, list[tuple[int, Way]]] = {}
        for i, way in ways_in_l1(self.p, self.tile):
            found.setdefault(way[1] > 0, []).append((i, way))
        works, self._work = self._work, {}
        bounds: list[tuple[float, int, Way]] = []
        for stays, ways in found.items():
            costs, depth, chunks = works[stays]
            cuts = tuple(
                WHOLE if rows else cut_of(self.p, self.tile, step, costs.tiling.step)
                for _, (step, _, rows) in ways
            )
            each = bounds_of_cuts(costs, depth, chunks, cuts)
            bounds += [(bound, i, way) for bound, (i, way) in zip(each, ways, strict=True)]
        return bounds


_Work = tuple[StepCosts, int, list[tuple[int, int]]]
"""What a tile takes with any step: costs, K of a piece at most, chunks."""


def _work(
    p: Problem, tile: Tile, l0: L0, spread: Distribution, resident: bool, rounds: int | None = None
) -> _Work:
    """Where the left operand stays in L1 for all tiles of columns, or does not."""
    k, depth, steps = p.roles.k, l0.depth, steps_of(p)
    chunks = _chunks(p, tile)
    keeps = not resident and may_keep(p, tile, spread.cores)
    tiling = ProductTiling(
        tile.tiles, spread.cores, max(k, steps[-1]), depth, chunks[0], spread.swizzle, spread.serial, tile.lead,
        drain=bool(p.drain), resident=k if resident else 0, keeps=keeps, unit_flag=hands_over_by_units(p, tile),
        l0_n=l0.columns if l0.columns < tile.n16 else 0, spans=spread.spans, circular=tile.circular,
    )  # fmt: skip
    most = -(-k // steps[0]) if p.target.split and spread.cores > 1 else 1
    return StepCosts(p, tiling, tile, rounds, apart=most), depth, [(chunk, 0) for chunk in chunks]


def _chunks(p: Problem, tile: Tile) -> list[int]:
    """Chunks of which one takes no more than any that a tile may have: the largest, or where Vector cores take them all
    that there are, for they share some better, and each has a cost of its own."""
    return chunk_sizes(p, tile)[: None if p.target.split and takes_vector(p) else 1]
