"""How much of what a kernel computes its tiles compute again: neighbours share the halo of a window, and tiles along a
dimension that a value does not follow each have all of it."""

from math import prod

from xdsl.ir import Operation

from ...dialects.tiling import Along, picked_dims
from ..support.values import rule_of, shape_of
from .regions import Regions
from .tiling import ChainTiling, CubeTiling, StreamTiling, VectorTiling, grid_of

Tiling = ChainTiling | CubeTiling | StreamTiling | VectorTiling


def operations(op: Operation) -> int:
    """Additions and multiplications that an op takes: two for each product and each weighted tap of a window, one for
    each tap of a pool."""
    iteration, rule = rule_of(op).iteration(op), rule_of(op)
    elements = prod(shape_of(op.results[0]))
    reduced = prod(iteration.extents[iteration.parallel :])
    if rule.engine == "cube":
        return 2 * elements * reduced
    taps = prod(e.window for e in iteration.operands[0] if isinstance(e, Along)) if iteration.operands else 1
    weighted = taps > 1 and len(op.operands) > 1
    return elements * reduced * taps * (2 if weighted else 1)


def times_computed(regions: Regions, op: Operation, tiling: Tiling) -> float:
    """How often an element of an op's result is computed on average, over all tiles."""
    maps = regions.kernel_map(regions.maps[op.results[0]])
    sizes = regions.kernel_sizes(op.results[0])
    followed = {e.dim for e in maps if isinstance(e, Along)} | {*picked_dims(maps)}
    count, circular = 1.0, tiling.circular if isinstance(tiling, CubeTiling) else None
    grid = grid_of(regions.kernel_extents or (1,), tiling.tiles, circular)
    for d, tiles in enumerate(grid):
        kept = isinstance(tiling, CubeTiling) and tiling.resident and op in regions.prologue
        if d not in followed and not kept:
            count *= tiles
    for e, size in zip(maps, sizes, strict=True):
        if not isinstance(e, Along) or e.dim >= len(tiling.tiles):
            continue
        overlaps = circular is not None and e.dim == circular.dim
        if e.is_windowed or overlaps:
            count *= max(1.0, grid[e.dim] * min(e.span(tiling.tiles[e.dim]), size) / size)
    return count


def computed_again(regions: Regions, tiling: Tiling) -> float:
    """Operations that tiles do again, over those of the group's ops once."""
    once = again = 0.0
    for op in regions.ops:
        count = operations(op)
        once += count
        again += count * (times_computed(regions, op, tiling) - 1)
    return again / once if once else 0.0
