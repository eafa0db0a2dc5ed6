"""What tiles take of tensors that are joined on chip: the halves of rows that rotate, or parts of a concatenation."""

from __future__ import annotations

from ....dialects.tiling import Along
from ...regions.loads import Load
from ...regions.regions import Regions


def own_tile(regions: Regions, load: Load, tiles: tuple[int, ...]) -> tuple[int, ...]:
    """What a tile may have of one of several tensors that are joined."""
    shape, own = regions.kernel_shape(load), [*tiles]
    for size, one in zip(shape, regions.kernel_map(load.maps), strict=True):
        if isinstance(one, Along) and one.stride == 1:
            own[one.dim] = min(own[one.dim], size)
    return tuple(own)


def has_all_parts(regions: Regions, tiles: tuple[int, ...]) -> bool:
    """Whether tiles go all the way along the dimensions in which tensors are joined."""
    extents = regions.kernel_extents
    maps = (one for load in regions.loads for one in regions.kernel_map(load.maps))
    return all(tiles[one.dim] >= extents[one.dim] for one in maps if isinstance(one, Along) and one.pad)


__all__ = ["has_all_parts", "own_tile"]
