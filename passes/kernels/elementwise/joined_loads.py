"""What tiles take of tensors, which may be joined on chip: the halves of rows that rotate, or parts of a
concatenation."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ....dialects.target_types import Target
from ....dialects.tiling import Along
from ...cost.transfers import load_cycles
from ...regions.loads import Load
from ...regions.regions import Regions


def cycles_of_loads(
    regions: Regions, loads: Sequence[Load], tiles: tuple[int, ...], target: Target, cores: int
) -> list[float]:
    """Cycles of the DMA for each load of a tile. Where parts are joined, L2 has what an earlier one has read."""
    if not regions.joins:
        return [load_cycles(regions, one, tiles, target, cores) for one in loads]
    found, read = list[float](), set[SSAValue]()
    for one in loads:
        own = _own_tile(regions, one, tiles)
        found.append(load_cycles(regions, one, own, target, cores, one.value in read))
        read.add(one.value)
    return found


def _own_tile(regions: Regions, load: Load, tiles: tuple[int, ...]) -> tuple[int, ...]:
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


__all__ = ["cycles_of_loads", "has_all_parts"]
