"""How much of what a kernel computes its tiles compute again: neighbours share the halo of a window, and tiles along a
dimension that a value does not follow each have all of it."""

from collections.abc import Collection, Sequence
from math import prod

from xdsl.ir import Operation

from ...dialects.tile import Circular
from ...dialects.tiling import Along, picked_dims
from ..support.values import iteration_of, moves, rule_of, shape_of
from .regions import Regions
from .tiling import grid_of


def operations(op: Operation) -> int:
    """Additions and multiplications that an op takes: two for each product and each weighted tap of a window, one for
    each tap of a pool."""
    iteration, rule = iteration_of(op), rule_of(op)
    elements = prod(shape_of(op.results[0]))
    reduced = prod(iteration.extents[iteration.parallel :])
    if rule.engine == "cube":
        return 2 * elements * reduced
    taps = prod(e.window for e in iteration.operands[0] if isinstance(e, Along)) if iteration.operands else 1
    weighted = taps > 1 and len(op.operands) > 1
    return elements * reduced * taps * (2 if weighted else 1)


def flops_of(op: Operation) -> int:
    """Operations of an op as reports count them: what only moves elements takes none."""
    return 0 if moves(op) else operations(op)


def times_computed(
    regions: Regions,
    op: Operation,
    tiles: Sequence[int],
    circular: Circular | None = None,
    kept: bool = False,
) -> float:
    """How often an element of an op's result is computed on average, over all tiles. `circular`: how rows of planes go
    round. `kept`: it is kept for all tiles along the dimensions that it does not follow."""
    maps = regions.kernel_map(regions.maps[op.results[0]])
    sizes = regions.kernel_sizes(op.results[0])
    followed = {e.dim for e in maps if isinstance(e, Along)} | {*picked_dims(maps)}
    count, grid = 1.0, grid_of(regions.kernel_extents or (1,), tiles, circular)
    for d, points in enumerate(grid):
        if d not in followed and not kept:
            count *= points
    for e, size in zip(maps, sizes, strict=True):
        if not isinstance(e, Along) or e.dim >= len(tiles):
            continue
        overlaps = circular is not None and e.dim == circular.dim
        if e.is_windowed or overlaps:
            count *= max(1.0, grid[e.dim] * min(e.span(tiles[e.dim]), size) / size)
    return count


def computed_again(
    regions: Regions,
    tiles: Sequence[int],
    circular: Circular | None = None,
    kept: Collection[Operation] = (),
) -> float:
    """Operations that tiles do again, over those of the group's ops once. `kept`: ops whose results are kept for all
    tiles along the dimensions that these do not follow."""
    once = again = 0.0
    for op in regions.ops:
        count = operations(op)
        once += count
        again += count * (times_computed(regions, op, tiles, circular, op in kept) - 1)
    return again / once if once else 0.0
