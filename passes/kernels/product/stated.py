"""Tilings of a product of which somebody states some fields, or all: of one tile of the result there are few.

Tiles that the search does not look at are taken too, where the Cube can compute them and the store can write them.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from math import inf, prod

from ...regions.tiling import ProductTiling
from ..common.form import Group
from ..common.stated import Stated, shown
from ..common.stated_tilings import refused
from .problem import Problem, Tile, tile_of
from .search import Leaf, fastest_of, problems_in_order, step_node
from .tile_bound import TileBound
from .tiles import FEW, MOST_ROWS, can_store, column_tiles, cuts_rows, tiles_of
from .tiling import k_steps_of
from .too_large import too_large

SWIZZLES = (1, 2, 3, 4, 6, 8, 12, 16)
"""Rows of the grid of tiles that may be dealt at a time."""


def stated_product_tilings(group: Group, packed: bool, count: int, stated: Stated) -> list[ProductTiling]:
    """The `count` tilings with the least predicted time of those that have what is stated, best first. `NoTileError`
    where there is none: it says what stands against it."""
    against = ""
    tried: list[ProductTiling] = []
    for p, ways in problems_in_order(group.regions, packed, group.target):
        problems = [replace(p, split_rows=split, slots=slots) for split, slots in ways]
        leaves: list[Leaf] = []
        for q, tile in chain.from_iterable(_tiles(q, stated) for q in problems):
            for leaf in _leaves(q, tile, len(leaves), stated):
                tried += [leaf.candidate.tiling] if len(tried) < 1000 else []
                leaves += [leaf] if stated.allows(leaf.candidate.tiling) else []
        if leaves:
            return [one.candidate.tiling for _, one in fastest_of(leaves, count)]
        against = against or next((reason for q in problems if (reason := _against(q, stated))), "")
    raise refused(group, tried, stated, against)


def _tiles(p: Problem, stated: Stated) -> Iterator[tuple[Problem, Tile]]:
    """The tiles of the result that are as stated and have a place in L0."""
    wanted = stated.sizes("tiles")
    found = [tile for tile in tiles_of(p) if wanted in (None, tile.tiles)]
    if not found and wanted is not None and not _no_tile(p, wanted):
        found = [tile_of(p, wanted)]
    yield from ((p, tile) for tile in found if TileBound(p, tile).bound < inf)


def _leaves(p: Problem, tile: Tile, first: int, stated: Stated) -> Iterator[Leaf]:
    """The tilings with one tile, dealt to cores as is stated."""
    for i, k_step in enumerate(k_steps_of(p, tile)):
        dealt = replace(k_step, tiling=_dealt(p, k_step.tiling, stated))
        yield from step_node(p, dealt, (first, i)).expand()


def _dealt(p: Problem, tiling: ProductTiling, stated: Stated) -> ProductTiling:
    """A tiling on fewer cores, in another order of tiles, or with cores that do not begin apart in K, where these are
    stated and may be: neither changes what a tile is."""
    cores, swizzle = stated.get("cores"), stated.get("swizzle")
    if isinstance(cores, int) and 1 <= cores < tiling.cores and not tiling.spans:
        tiling = replace(tiling, cores=cores, stagger=tiling.stagger if cores > 1 else None)
    if isinstance(swizzle, int) and swizzle >= 1 and _may_swizzle(tiling):
        tiling = replace(tiling, swizzle=swizzle)
    if tiling.stagger is not None and stated.states("stagger"):
        match stated.get("stagger"), stated.sizes("stagger"):
            case None, _:
                tiling = replace(tiling, stagger=None)
            case _, (rows, columns) if min(rows, columns) >= 1:
                tiling = replace(tiling, stagger=(rows, columns))
            case _:  # refused with the others
                pass
    return tiling


def _may_swizzle(tiling: ProductTiling) -> bool:
    """Whether cores take tiles in an order that may be any."""
    return not (tiling.serial or tiling.resident or tiling.spans or tiling.circular is not None)


def other_orders(tiling: ProductTiling) -> list[ProductTiling]:
    """A tiling in other orders of tiles, and with cores that begin at the same step of K."""
    swizzles = SWIZZLES if _may_swizzle(tiling) else (tiling.swizzle,)
    staggers = dict.fromkeys((tiling.stagger, None))
    found = [
        replace(tiling, swizzle=swizzle, stagger=stagger) for swizzle in swizzles for stagger in staggers
    ]
    return [one for one in found if one != tiling]


def _against(p: Problem, stated: Stated) -> str:
    """What stands against the tile that is stated, in words; empty where that is not known."""
    wanted = stated.sizes("tiles")
    if wanted is None or len(wanted) != len(p.extents):
        return ""
    if reason := _no_tile(p, wanted):
        return reason
    short = too_large(p, tile_of(p, wanted))
    return f"the tile needs {short}" if short else ""


def _no_tile(p: Problem, tiles: tuple[int, ...]) -> str:
    """Why sizes are no tile of the result, whatever room there is; empty where they are."""
    extents, roles = p.extents, p.roles
    if len(tiles) != len(extents):
        return f"the kernel has {len(extents)} dimensions, of {shown(extents)}"
    for d, (size, extent) in enumerate(zip(tiles, extents, strict=True)):
        if not 1 <= size <= extent:
            return f"dimension {d} has {extent} indices"
    if any(tiles[d] > 1 for d in roles.batch):
        return f"tiles have one matrix: 1 of dimension{'s' * (len(roles.batch) > 1)} {shown(roles.batch)}"
    columns = column_tiles(p)
    if tiles[roles.n] not in columns:
        return f"columns, dimension {roles.n}, may be {', '.join(map(str, columns[:24]))}"
    if reason := _no_rows(p, tiles):
        return reason
    return (
        ""
        if can_store(p, tiles)
        else "the store writes whole blocks of 32 B, and the tile ends inside of one"
    )


def _no_rows(p: Problem, tiles: tuple[int, ...]) -> str:
    """Why sizes are no rows of the product."""
    extents, rows = p.extents, p.roles.m
    if prod(tiles[d] for d in rows) > MOST_ROWS:
        return f"a tile has at most {MOST_ROWS} rows"
    parted = next((i for i, d in enumerate(rows) if tiles[d] > 1), len(rows) - 1)
    for d in rows[parted + 1 :]:
        last_of_image = p.window and d == rows[-1] and p.split_rows and tiles[d] % p.block == 0
        if tiles[d] < extents[d] and not last_of_image:
            return f"rows follow each other: {extents[d]} of dimension {d}, or 1 of all before it"
    last = rows[-1]
    few = FEW if p.regions.by_rows and cuts_rows(p) else 0
    cut = not p.window and parted == len(rows) - 1 and few < tiles[last] < extents[last]
    if cut and tiles[last] % p.block:
        return f"rows, dimension {last}, are multiples of {p.block}"
    return ""


__all__ = ["other_orders", "stated_product_tilings"]
