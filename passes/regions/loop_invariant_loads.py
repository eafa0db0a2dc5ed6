"""Loads that every tile of a core shares: what follows no dimension along which tiles differ, such as the scale and
shift of a norm. They come once for each core, in front of the loop over its tiles, and stay in UB.
"""

from math import prod

from xdsl.ir import BlockArgument

from ...dialects import tile
from ...dialects.tile import tile_type
from ...dialects.tiling import Along
from .loads import Load
from .regions import Regions
from .tiling import VectorTiling


def shared_loads(kernel: tile.KernelOp) -> tuple[tile.LoadOp, ...]:
    """The loads of a kernel without a product that are the same for all of its tiles; none where a core has one."""
    extents, tiles = kernel.extent_list, kernel.tile_sizes
    if any(isinstance(op, tile.ContractOp | tile.StreamOp) for op in kernel.walk()):
        return ()
    if min(extents) < 0 or kernel.schedule.spans:
        return ()
    grid = [-(-extent // size) for extent, size in zip(extents, tiles, strict=True)]
    if prod(grid) <= kernel.schedule.cores:
        return ()
    return tuple(
        op
        for op in kernel.body.block.ops
        if isinstance(op, tile.LoadOp)
        and tile_type(op.result).space.data == "ub"
        and op.indices is None
        and op.packed is None
        and not any(isinstance(use.operation, tile.JoinOp) for use in op.result.uses)
        and all(isinstance(value, BlockArgument) for value in (*op.offsets, *op.sizes))
        and all(
            grid[e.dim] == 1 and not (kernel.factor and e.dim == 0) for e in op.maps if isinstance(e, Along)
        )
    )


def is_shared(regions: Regions, load: Load, tiling: VectorTiling) -> bool:
    """Whether a load will be one of them in the kernel with this tiling."""
    if regions.factor or regions.joins or tiling.part:
        return False
    grid = [-(-e // t) for e, t in zip(regions.kernel_extents, tiling.tiles, strict=False)]
    entries = regions.kernel_map(load.maps)
    return prod(grid) > tiling.cores and all(
        isinstance(e, Along) and e.dim < len(grid) and grid[e.dim] == 1 for e in entries
    )


__all__ = ["is_shared", "shared_loads"]
