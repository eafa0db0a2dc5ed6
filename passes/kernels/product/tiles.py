"""Tiles of a product's result that are worth a look, and the order in which cores take them."""

from collections.abc import Iterator
from itertools import chain
from math import prod

from ....dialects.tile import BLOCK
from ....dialects.tiling import Along
from ...cost.group_trace import ceil_to
from ...regions.tiling import Roles, grid_of
from ...selection.store_grain import spannable
from .circular_rows import circular_tiles
from .problem import Problem, Tile, remembered, tile_of

UNEQUAL = 128
"""Columns of which tiles that do not divide a result are multiples."""
FEW = 32
"""Rows of a matrix of which tiles need be no whole blocks, where each is computed from several or comes by itself."""
MOST_CUTS, FEW_OF_MANY = 256, (64, 128, 256, 512)
"""So many equal parts of rows are tried at most, and these sizes where all of them are larger."""
MOST_ROWS = 4080
"""Rows of a matrix that are tried for a tile."""


def tiles_of(p: Problem) -> Iterator[Tile]:
    """Tiles of the result, whether they fit or not."""
    return chain((tile_of(p, tiles) for tiles in _result_tiles(p)), _leading_tiles(p), circular_tiles(p))


def _result_tiles(p: Problem) -> Iterator[tuple[int, ...]]:
    """Tiles of the result: n in whole blocks, mostly such that divide it, m in equal parts, one batch element."""
    extents, roles = p.extents, p.roles
    for n in column_tiles(p):
        for m in _row_tiles(p):
            tiles = tuple(n if d == roles.n else m.get(d, 1) for d in range(len(extents)))
            if can_store(p, tiles):
                yield tiles


def _leads(p: Problem) -> bool:
    """Whether rows of the result that are no multiple of 16 may be cut into columns for several cores: each tile then
    computes a block of columns before its own, and the store shifts rows
    (`lowering/transfers/store_partial_rows.py`)."""
    followed = (e for maps in [x.maps for x in p.regions.loads] for e in p.regions.kernel_map(maps))
    along = [e for e in followed if isinstance(e, Along) and e.dim == p.roles.n]
    return (
        not p.window
        and not p.regions.factor
        and not p.target.split
        and not p.whole_columns
        and p.rows_last
        and p.roles.chunk_dim != p.roles.n
        and len(p.extents) == 2
        and p.extents[p.roles.n] % 16 != 0
        and p.several == 1
        and p.extents[p.roles.n] >= 48
        and p.stored == p.out
        and all(e.is_identity for e in along)
    )


def _leading_tiles(p: Problem) -> Iterator[Tile]:
    """Parts of rows that are no multiple of 16, with the block of columns before them. The last part holds a block."""
    if not _leads(p):
        return
    extent = p.extents[p.roles.n]
    blocks = -(-extent // 16)
    sizes = sorted({-(-blocks // parts) * 16 for parts in range(2, blocks + 1)})
    for n in sizes:
        if extent % n >= 16:
            for m in _row_tiles(p):
                yield tile_of(p, tuple(n if d == p.roles.n else m[d] for d in range(len(p.extents))), 16)


def column_tiles(p: Problem) -> list[int]:
    """Sizes along n. Where several rows of the result are no multiple of 16, all of it or, when that does not fit,
    tiles that leave at least a block for the last one."""
    extent = p.extents[p.roles.n]
    if p.whole_columns:
        return [extent]
    if p.contraction.groups > 1:  # a tile is within one group
        extent //= p.contraction.groups
        blocks = -(-extent // 16)
        return [size for b in range(1, blocks + 1) if extent % (size := min(b * 16, extent)) == 0]
    unit = p.block if p.rows_last else 16
    blocks = -(-extent // unit)
    if extent % unit and p.rows_last and not p.target.dma.unaligned:
        alone = prod(p.extents) == extent and not p.regions.factor
        if not p.split_rows and not alone:
            return [extent]
        parts = [unit * b for b in range(1, blocks) if alone or extent % (unit * b) >= unit]
        return [*parts, extent] if alone else parts
    equal = [min(b * unit, extent) for b in range(1, blocks + 1) if blocks % b == 0]
    return sorted({*equal, *_unequal_columns(p), *_shared_columns(p)})


def _unequal_columns(p: Problem) -> list[int]:
    """Sizes along n that leave a smaller last tile, of a kernel whose first tile of columns goes at the pace of Vector
    cores: the more columns it has, the fewer are left when these are done."""
    extent = p.extents[p.roles.n]
    if not p.target.split or p.prologue is None or not p.packed or p.several > 1 or p.products > 1:
        return []
    return [n for n in range(UNEQUAL, extent, UNEQUAL) if extent % n]


def _shared_columns(p: Problem) -> set[int]:
    """Sizes along n of which all cores have one tile, or two, where the result has few: the last one is smaller."""
    extent = p.extents[p.roles.n]
    rows, batch = (prod(p.extents[d] for d in dims) for dims in (p.roles.m, p.roles.batch))
    if (
        not p.rows_last
        or p.several > 1
        or p.products > 1
        or p.prologue is not None
        or p.contraction.groups > 1
    ):
        return set()
    found: set[int] = set()
    for parts in (1, 2, 4):  # of rows
        if parts > 1 and rows <= 16 * parts:
            break
        for rounds in (1, 2):
            columns = rounds * p.target.cores // (parts * batch)
            if columns > 1 and extent > 16 * columns:
                found.add(ceil_to(-(-extent // columns), 16))
    return found


def can_store(p: Problem, tiles: tuple[int, ...]) -> bool:
    """Whether the store can write the tile: parts of an image's plane are at least a block long, and so is the last
    part of the channels where planes are no whole blocks."""
    extents, n = p.extents, p.roles.n
    if n == len(extents) - 1 or p.result_blocked:
        return True
    positions, plane = prod(tiles[n + 1 :]), prod(extents[n + 1 :])
    if positions < plane and positions < p.block:
        return False
    if any(t < e for t, e in zip(tiles[n + 2 :], extents[n + 2 :], strict=True)) and tiles[-1] % p.block:
        return False
    rest = extents[n] % tiles[n]
    return rest == 0 or plane % p.block == 0 or (positions == plane and rest * plane >= p.block)


def _row_tiles(p: Problem) -> Iterator[dict[int, int]]:
    """Sizes along the dimensions that give matrix rows: parts of an image's rows and columns, or rows that follow each
    other in the result."""
    extents, rows = p.extents, p.roles.m
    if not p.window:
        few = FEW if p.regions.by_rows and cuts_rows(p) else 0
        for i, d in enumerate(rows):
            inside = {inner: extents[inner] for inner in rows[i + 1 :]}
            parts = {extents[d]} | {-(-extents[d] // j) for j in range(1, MOST_CUTS + 1)}
            parts |= set(FEW_OF_MANY if extents[d] > MOST_CUTS * FEW_OF_MANY[-1] else ())
            most = max(parts) if d or not p.regions.factor else ceil_to(extents[d], p.block)
            sizes = parts
            if d == rows[-1]:
                sizes = {n if n <= few else min(ceil_to(n, p.block), most) for n in parts}
            for size in sorted(sizes):
                if size * prod(inside.values()) <= MOST_ROWS:
                    yield {d: size, **inside}
        return
    outer, inner = rows[0], rows[-1]
    widths: set[int] = set()
    if extents[inner] > 512 or p.split_rows:
        parts = (ceil_to(-(-extents[inner] // j), p.block) for j in range(2, 65))
        widths = {width for width in parts if width < extents[inner]}
    for width in sorted(widths or {extents[inner]}):
        heights = {-(-extents[outer] // j) for j in range(1, extents[outer] + 1)}
        for height in sorted(heights):
            if height * width <= MOST_ROWS:
                yield {outer: height, inner: width}


def cuts_rows(p: Problem) -> bool:
    """Whether any number of the result's rows can be stored."""
    return p.target.dma.unaligned or p.extents[p.roles.n] % p.block == 0


@remembered
def tile_count(p: Problem, tile: Tile) -> int:
    """How many tiles the result has."""
    return prod(grid_of(p.extents, tile.tiles, tile.circular))


def in_spans(p: Problem, tile: Tile) -> bool:
    """Whether cores that take tiles in spans may share blocks of the result (`selection.store_grain`): whole rows, end
    to end."""
    if p.target.dma.unaligned or p.result_blocked or tile.lead or p.regions.factor or p.stored != p.out:
        return False
    alone = p.products == 1 and not (p.held or p.feeds)
    whole = p.rows_last and tile.tiles[p.roles.n] == p.extents[p.roles.n]
    return alone and whole and spannable(p.extents, tile.tiles, 2 * p.block)


def covers_rows(extents: tuple[int, ...], tiles: tuple[int, ...], roles: Roles) -> bool:
    """Whether the last of the tiles that compute columns before their own goes past the last row: it is not moved back
    to where a row starts inside a 32 B block."""
    (m,) = roles.m
    return (extents[m] - tiles[m]) * extents[roles.n] % BLOCK > 0


def swizzle_of(p: Problem, tiles: tuple[int, ...], cores: int) -> int:
    """Rows of the grid that cores at work together span: about as many operand rows as columns. 1 where all tiles of a
    matrix are at work at once."""
    grid = [-(-e // t) for e, t in zip(p.extents, tiles, strict=True)]
    wide = [d for d, g in enumerate(grid) if g > 1]
    if len(wide) < 2 or (prod(grid) <= cores and not p.roles.batch):
        return 1
    row, column = wide[-2], wide[-1]
    options = [s for s in range(1, grid[row] + 1) if grid[row] % s == 0 and s <= cores]
    high, broad = (tiles[d] * (p.several if d == p.roles.n else 1) for d in (row, column))

    def traffic(s: int) -> float:
        across = min(grid[column], max(1, cores // s))
        return s * high + across * broad + abs(cores - s * across) * (high + broad) / cores

    return min(options, key=traffic)
