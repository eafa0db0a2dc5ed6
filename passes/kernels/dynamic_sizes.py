"""Tile sizes of a kernel whose first extent is known at run time only: one tiling for a range of sizes.

The best tilings of every size of the range are priced at all of them. What counts is how much longer a size takes than
it would with its own best tiling, added up over the sizes.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from ...dialects.target_types import Target
from ...runtime.machine.costs import launch_us
from ..kernels import vector_tiling as tile_search
from ..regions.regions import Regions
from ..regions.tiling import CubeTiling, VectorTiling
from ..support.run_size import fixed, priced_at
from .product import tiling as cube_search

TRIED = 6
"""Tilings of each size that are weighed."""


def best_tilings_of_sizes(
    regions: Regions, packed: bool, target: Target, count: int
) -> Sequence[CubeTiling | VectorTiling]:
    """The `count` tilings that suit the sizes best, best first; `NoTileError` when no tile fits."""
    now = fixed()
    assert now is not None and regions.factor
    found: dict[CubeTiling | VectorTiling, None] = {}
    for size in now.sizes:
        with priced_at(size):
            here = regions.at(size)
            if regions.product is None:
                vector = tile_search.best_vector_tilings(here, target, TRIED)
                found.update((tile_search.at_all_sizes(regions, t, target), None) for t in vector)
            else:
                cube = cube_search.best_cube_tilings(here, packed, target, TRIED)
                found.update((cube_search.at_all_sizes(regions, t, packed, target), None) for t in cube)
    tilings = list(found)
    totals = [0.0] * len(tilings)
    for size in now.sizes:
        times = [_time(regions, tiling, packed, target, size) for tiling in tilings]
        totals = [total + time / min(times) for total, time in zip(totals, times, strict=True)]
    order = sorted(range(len(tilings)), key=lambda i: (totals[i], i))
    return [tilings[i] for i in order[:count]]


def _time(
    regions: Regions, tiling: CubeTiling | VectorTiling, packed: bool, target: Target, size: int
) -> float:
    """Predicted µs at a run-time size, launch included."""
    with priced_at(size):
        here = regions.at(size)
        points = prod(-(-e // t) for e, t in zip(here.kernel_extents, tiling.tiles, strict=True))
        cores = min(points, tiling.cores)
        if isinstance(tiling, VectorTiling):
            cycles = tile_search.vector_time(here, replace(tiling, cores=cores), target)
        else:
            cycles = cube_search.cube_time(here, replace(tiling, cores=cores), packed, target)
    return target.microseconds(cycles) + launch_us(target, cores)
