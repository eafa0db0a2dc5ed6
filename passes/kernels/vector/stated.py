"""Tilings of a kernel without a product of which somebody states some fields, or all: contiguous tiles that the search
does not look at are taken too, where they are legal, and fewer cores than there are."""

from collections.abc import Iterator
from dataclasses import replace

from ...regions.lane_dim import lane_dim
from ...regions.tiling import VectorTiling
from ..common.form import Group
from ..common.stated import Stated
from ..common.stated_tilings import ALL, matching, refused
from ..elementwise.apart import may_be_apart
from ..elementwise.legality import NoTileError, with_cores
from ..elementwise.tiling import no_tile, tile_shape
from .tiling import best_vector_tilings, start_cycles, vector_time


def stated_vector_tilings(group: Group, count: int, stated: Stated) -> list[VectorTiling]:
    """The `count` tilings with the least predicted time of those that have what is stated, best first. `NoTileError`
    where there is none: it says what stands against it."""
    regions, target = group.regions, group.target
    found: list[VectorTiling] = []
    try:
        found = best_vector_tilings(regions, target, ALL)
    except NoTileError:
        if stated.sizes("tiles") is None:
            raise
    known = [*found, *(one for one in _others(group, found, stated) if one not in found)]
    wanted = [one for one in known if stated.allows(one)]
    if not wanted:
        raise refused(group, known, stated, _against(group, found, stated))

    def time(tiling: VectorTiling) -> float:
        return vector_time(regions, tiling, target) + start_cycles(target, tiling.cores)

    return matching(group, sorted(wanted, key=time), count, stated)


def _others(group: Group, found: list[VectorTiling], stated: Stated) -> Iterator[VectorTiling]:
    """What the search does not look at."""
    tiles, cores = _contiguous(group, stated), stated.get("cores")
    if tiles is not None:
        for apart in (False, True):
            if (tiling := _stated_tile(group, found, tiles, apart)) is not None:
                found = [*found, tiling]
                yield tiling
    if isinstance(cores, int) and cores >= 1:
        fewer = (one for one in found if one.cores > cores and not one.spans)
        yield from (replace(one, cores=cores) for one in fewer)


def _contiguous(group: Group, stated: Stated) -> tuple[int, ...] | None:
    """The sizes that are stated of a tile, where contiguous ones may have them."""
    tiles, regions = stated.sizes("tiles"), group.regions
    may = tiles is not None and len(tiles) == len(regions.kernel_extents or (1,)) and lane_dim(regions) < 0
    return tiles if may else None


def _stated_tile(
    group: Group, found: list[VectorTiling], tiles: tuple[int, ...], apart: bool
) -> VectorTiling | None:
    """The contiguous tile of these sizes, with a result over what was read or `apart`; None where the search has it, or
    where it is none."""
    regions, target = group.regions, group.target
    if any((one.tiles, one.apart) == (tiles, apart) for one in found):
        return None
    if apart and not may_be_apart(regions, tile_shape(regions, target), target):
        return None
    if no_tile(regions, target, tiles, apart):
        return None
    tiling = replace(with_cores(regions, tiles, target), apart=apart)
    return None if apart and tiling.spans else tiling


def _against(group: Group, found: list[VectorTiling], stated: Stated) -> str:
    """What stands against the tiles that are stated, in words; empty where that is not known."""
    tiles, apart = _contiguous(group, stated), bool(stated.get("apart"))
    if tiles is None or any((one.tiles, one.apart) == (tiles, apart) for one in found):
        return ""
    return no_tile(group.regions, group.target, tiles, apart)


__all__ = ["stated_vector_tilings"]
