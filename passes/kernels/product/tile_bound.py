"""What no kernel with a tile of the result is faster than, before its steps are known.

All of K is taken to be one step. Shorter ones read the same bytes, in no fewer requests; they only let cores that
share an operand read different parts of it at one time, of which each then misses a part.
"""

from math import inf
from typing import NamedTuple

from ....dialects.tile import BLOCK
from ....runtime.machine.costs import hit_rate, mmad_fractals
from ...regions.tiling import ProductTiling, product_spans
from .bounds import bound_of_steps
from .footprint import chunk_sizes
from .load_costs import feeds
from .operand_costs import left_cost, right_cost
from .problem import Problem, Tile, hands_over_by_units, takes_vector
from .step_costs import StepCosts, rates_of
from .tiles import tile_count
from .tiling import L0, Distribution, distribution_of, l0_of, may_keep, may_stay, steps_of


def rough_bound(p: Problem, tile: Tile) -> float:
    """Cycles that no kernel with this tile takes less of, soon found: those of the Cube, or of the port through which a
    core reads both operands. No more than `tile_bound`."""
    if p.prologue is not None or p.whole_rows:
        return 0.0
    if l0_of(p, tile) is None:
        return inf
    spread, k = distribution_of(p, tile, False), p.roles.k
    tiling = ProductTiling(
        tile.tiles, spread.cores, k, BLOCK, BLOCK, lead=tile.lead, spans=spread.spans, circular=tile.circular
    )
    rounds = -(-tile_count(p, tile) // spread.cores) + spread.spans
    reader = p.from_gm
    fastest = max(hit_rate(p.target, reader), reader.miss_rate or p.target.memory.hbm_read)
    left, right = 0.0, right_cost(p, tiling, tile)
    if not (p.held or feeds(p)):
        load = left_cost(p, tiling, tile)
        left = load.passages * load.size
    kept = 1 if may_keep(p, tile, spread.cores) else rounds
    read = (rounds * left + kept * right.passages * right.size) / fastest
    products = (rounds - 1) * mmad_fractals(p.target, p.dtype, tile.m, tile.n16, k)
    return rates_of(p).through + max(read, products)


class Share(NamedTuple):
    """So many cores compute so many tiles each, where these are not dealt out of a grid of their own."""

    cores: int
    rounds: int


def tile_bound(p: Problem, tile: Tile, share: Share | None = None) -> float:
    """Cycles that no kernel with this tile takes less of, whose cores have a `share` of the tiles, or the grid's;
    infinite where it does not fit."""
    l0 = l0_of(p, tile)
    if l0 is None:
        return inf
    if share is not None:
        spread = Distribution(share.cores, 0, 1, False)
        return _least(p, tile, l0, spread, False, share.rounds)
    stays = p.whole_rows or may_stay(p, tile)
    ways = [True] if p.whole_rows else [False, True] if stays else [False]
    return min(_least(p, tile, l0, distribution_of(p, tile, resident), resident) for resident in ways)


def _least(
    p: Problem, tile: Tile, l0: L0, spread: Distribution, resident: bool, rounds: int | None = None
) -> float:
    """The same, where the left operand stays in L1 for all tiles of columns, or does not."""
    k, depth = p.roles.k, l0.depth
    chunks = _chunks(p, tile)
    keeps = not resident and may_keep(p, tile, spread.cores)
    tiling = ProductTiling(
        tile.tiles, spread.cores, k, depth, chunks[0], spread.swizzle, spread.serial, tile.lead, drain=bool(p.drain),
        resident=k if resident else 0, keeps=keeps, unit_flag=hands_over_by_units(p, tile),
        l0_n=l0.columns if l0.columns < tile.n16 else 0, spans=spread.spans, circular=tile.circular,
    )  # fmt: skip
    most = -(-k // steps_of(p)[0]) if p.target.split and spread.cores > 1 else 1
    costs = StepCosts(p, tiling, tile, rounds, apart=most)
    return bound_of_steps(costs, depth, [(chunk, 0) for chunk in chunks])


def _chunks(p: Problem, tile: Tile) -> list[int]:
    """Chunks of which one takes no more than any that a tile may have: the largest, or where Vector cores take them all
    that there are, for they share some better, and each has a cost of its own. Those that compute the left operand too
    share at best evenly."""
    if feeds(p):
        return [-(-product_spans(p.regions, tile.tiles)[p.roles.chunk_dim] // p.target.vectors_beside)]
    return chunk_sizes(p, tile)[: None if p.target.split and takes_vector(p) else 1]
