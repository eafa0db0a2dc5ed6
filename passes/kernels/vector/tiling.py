"""Tile sizes of kernels without a product: a search over the legal ones with the cost functions that the emulator
charges. Kernels with a product are in `kernels.product.tiling`.
"""

from collections.abc import Sequence
from dataclasses import replace
from heapq import nsmallest

from ....dialects.target_types import Target
from ....runtime.machine.costs import launch_us
from ...regions.lane_dim import lane_dim
from ...regions.regions import Regions
from ...regions.tiling import VectorTiling
from ...support.run_size import OPEN
from ..elementwise.apart import may_be_apart
from ..elementwise.legality import NoTileError, with_cores
from ..elementwise.row_lanes import row_lane_tilings, row_lane_time
from ..elementwise.tiling import (
    TileShape,
    contiguous_bound,
    contiguous_time,
    larger_ub,
    tile_shape,
    vector_tiles,
)
from ..multipass_rows.tiling import part_tilings, part_time
from ..window.tiling import window_tiling, window_tilings, window_time


def search_vector(regions: Regions, target: Target) -> VectorTiling:
    """The contiguous tile with the least predicted time; `NoTileError` when none fits."""
    return best_vector_tilings(regions, target, 1)[0]


def best_vector_tilings(regions: Regions, target: Target, count: int) -> list[VectorTiling]:
    """The `count` tilings with the least predicted time, best first; `NoTileError` when none fits."""
    timed: list[tuple[float, int, VectorTiling]] = []
    if lane_dim(regions) >= 0:
        timed = [(time, i, tiling) for i, (time, tiling) in enumerate(window_tilings(regions, target))]
        if not timed:
            space = target.spaces["ub"].bytes
            raise NoTileError(
                regions.ops[-1],
                f"not one row of 16 channels and its window fits in the {space} B of UB of {target.name}",
            )
        return [tiling for _, _, tiling in nsmallest(count, timed)]
    shape = tile_shape(regions, target)
    tilings = [with_cores(regions, tiles, target) for tiles in vector_tiles(regions, shape, target)]
    if may_be_apart(regions, shape, target):
        own = tile_shape(regions, target, apart=True)
        others = [with_cores(regions, tiles, target) for tiles in vector_tiles(regions, own, target)]
        tilings = [*(replace(one, apart=True) for one in others if not one.spans), *tilings]
    timed = _fastest(regions, tilings, target, shape, count)
    cores = [tiling.cores for tiling in tilings]
    for time, tiling in row_lane_tilings(regions, target):
        timed.append((time + start_cycles(target, tiling.cores), len(cores), tiling))
        cores.append(tiling.cores)
    if not timed and not regions.whole:
        space = target.spaces["ub"].bytes
        least = larger_ub(regions, shape, target)
        more = "" if least is None else f"; one would fit in {least} B"
        raise NoTileError(regions.ops[-1], f"no tile fits in the {space} B of UB of {target.name}{more}")
    if not timed:  # rows that no tile holds in full
        timed = [(time, i, tiling) for i, (time, tiling) in enumerate(part_tilings(regions, target))]
    elif regions.whole and max(cores) < target.vector_units:
        timed += _owned_parts(regions, target, len(cores))
    return [tiling for _, _, tiling in nsmallest(count, timed)]


def _fastest(
    regions: Regions, tilings: Sequence[VectorTiling], target: Target, shape: TileShape, count: int
) -> list[tuple[float, int, VectorTiling]]:
    """The `count` contiguous tilings with the least predicted time, with that and their numbers: priced in the order of
    what they take at least, until none can be faster."""
    starts = [start_cycles(target, tiling.cores) for tiling in tilings]
    bounded = sorted(
        (contiguous_bound(regions, tiling, target, shape) + start, i)
        for i, (tiling, start) in enumerate(zip(tilings, starts, strict=True))
    )
    timed: list[tuple[float, int, VectorTiling]] = []
    for bound, i in bounded:
        if len(timed) == count and bound > timed[-1][0]:
            break
        time = vector_time(regions, tilings[i], target, shape) + starts[i]
        timed = sorted([*timed, (time, i, tilings[i])], key=lambda one: one[:2])[:count]
    return timed


def _owned_parts(regions: Regions, target: Target, first: int) -> list[tuple[float, int, VectorTiling]]:
    """Tilings in parts of rows, numbered from `first` on, that more cores may share than whole rows: of these UB holds
    too few for blocks of the result."""
    try:
        parts = list(part_tilings(regions, target))
    except NoTileError:
        return []
    starts = (start_cycles(target, tiling.cores) for _, tiling in parts)
    return [
        (time + start, first + i, one)
        for i, ((time, one), start) in enumerate(zip(parts, starts, strict=True))
    ]


def start_cycles(target: Target, cores: int) -> float:
    """Cycles of a launch on so many cores."""
    return launch_us(target, cores) * target.clock_mhz


def at_all_sizes(regions: Regions, tiling: VectorTiling, target: Target) -> VectorTiling:
    """A tiling that was found at one run-time size, with the cores that it may need at others."""
    if tiling.lanes >= 0:
        return window_tiling(regions.at(OPEN), tiling.tiles, target)
    return replace(with_cores(regions.at(OPEN), tiling.tiles, target), part=tiling.part, apart=tiling.apart)


def vector_time(
    regions: Regions, tiling: VectorTiling, target: Target, shape: TileShape | None = None
) -> float:
    """Predicted cycles of the kernel: a pipeline of load, compute and store, filled once and drained once."""
    if tiling.lanes >= 0:
        time = window_time if lane_dim(regions) >= 0 else row_lane_time
        return time(regions, tiling, target)
    if tiling.part:
        return part_time(regions, tiling, target)
    return contiguous_time(regions, tiling, target, shape)


__all__ = ["search_vector", "vector_time"]
