"""Tilings of a kernel without a product of which somebody states some fields, or all: contiguous tiles that the search
does not look at are taken too, where they are legal, and fewer cores than there are."""

from collections.abc import Iterator
from dataclasses import replace

from ...regions.lane_dim import lane_dim
from ...regions.tiling import VectorTiling
from ..common.form import Group
from ..common.stated import Stated
from ..common.stated_tilings import ALL, matching, refused
from ..elementwise.legality import NoTileError, with_cores
from ..elementwise.tiling import may_be_apart, no_tile, tile_shape
from .tiling import best_vector_tilings, start_cycles, vector_time


def stated_vector_tilings(group: Group, count: int, stated: Stated) -> list[VectorTiling]:
    """The `count` tilings with the least predicted time of those that have what is stated, best first. `NoTileError`
    where there is none: it says what stands against it."""
    regions, target = group.regions, group.target
    found: list[VectorTiling] = []
    try:
        found = best_vector_tilings(regions, target, ALL)
    except NoTileError:
        if stated.get("tiles") is None:
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
    tiles, cores = stated.get("tiles"), stated.get("cores")
    if _is_new(group, found, stated) and not no_tile(group.regions, group.target, tiles):
        found = [*found, with_cores(group.regions, tiles, group.target)]
        yield found[-1]
        shape = tile_shape(group.regions, group.target)
        if may_be_apart(group.regions, shape) and not no_tile(group.regions, group.target, tiles, True):
            found = [*found, replace(found[-1], apart=not found[-1].spans)]
            yield found[-1]
    if isinstance(cores, int) and cores >= 1:
        fewer = (one for one in found if one.cores > cores and not one.spans)
        yield from (replace(one, cores=cores) for one in fewer)


def _is_new(group: Group, found: list[VectorTiling], stated: Stated) -> bool:
    """Whether contiguous tiles are stated that the search has not."""
    tiles, regions = stated.get("tiles"), group.regions
    fits = tiles is not None and len(tiles) == len(regions.kernel_extents or (1,))
    return fits and lane_dim(regions) < 0 and all(one.tiles != tiles for one in found)


def _against(group: Group, found: list[VectorTiling], stated: Stated) -> str:
    """What stands against the tiles that are stated, in words; empty where that is not known."""
    if not _is_new(group, found, stated):
        return ""
    return no_tile(group.regions, group.target, stated.get("tiles"))


__all__ = ["stated_vector_tilings"]
