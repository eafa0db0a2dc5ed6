"""What the left operand of a product takes under one tile, step by step: elements, bytes read, room in UB."""

from dataclasses import replace
from math import prod

from ....dialects.element_types import ELEMENT_BYTES
from ....dialects.records import dataclass
from ....dialects.tile import BLOCK, layout_of
from ....dialects.tiling import Along
from ...cost.group_trace import ceil_to
from ...lowering.transfers.channel_blocks import line_by_line, spilled_rows
from ...lowering.transfers.feature_map import staging_groups
from ...regions.gather import chunk_bytes
from ...support.values import element_type_of
from .operand_load import OperandLoad
from .problem import MARGIN, Problem, Tile, remembered, tile_of


@remembered
def rows_of(p: Problem, tile: Tile) -> Tile:
    """A tile with the same rows and one block of columns: the left operand takes the same of all of them. The tile
    itself, where the operand depends on the columns or on what else is in the grid."""
    n = p.roles.n
    if tile.circular is not None or tile.tiles[n] <= BLOCK or tile.lead:
        return tile
    if any(isinstance(e, Along) and e.dim == n for load in p.operand_loads for e in load.maps):
        return tile
    return _with_rows(p, tuple(BLOCK if d == n else t for d, t in enumerate(tile.tiles)))


@remembered
def _with_rows(p: Problem, tiles: tuple[int, ...]) -> Tile:
    return tile_of(p, tiles)


def channel_groups(p: Problem, step: int) -> int:
    """Groups of 16 channels of a feature map that a step takes."""
    return -(-step // p.taps // 16)


@remembered
def staged_groups_of(p: Problem, tile: Tile, step: int) -> int:
    """Groups of channels of a feature map that pass through UB together."""
    return staging_groups(p.target, *tile.image, channel_groups(p, step), element_type_of(p.lhs))


def operand_elements(p: Problem, tile: Tile, step: int) -> int:
    """Elements of the left operand that a step computes."""
    return (ceil_to(tile.pixels, 16) if p.window else tile.m16) * ceil_to(step // p.taps, 16)


def widest_elements(p: Problem, tile: Tile, step: int) -> int:
    """Elements of the largest tiles that the left operand of a step is computed of."""
    return operand_elements(p, tile, step) * p.folded


def _size(p: Problem, tile: Tile, dim: int) -> int:
    """What a step's tiles hold along a dimension of the left operand but K, or one that is folded."""
    if dim in p.regions.folded_dims:
        return p.regions.tile_extents[dim]
    return tile.tiles[dim] if dim < len(tile.tiles) else 1


def picked_count(p: Problem, load: OperandLoad, tile: Tile) -> int:
    """Rows of a tile of the left operand that indices pick, or that they pick a bag for."""
    return prod(_size(p, tile, d) for d in load.picked) if load.picked else 1


def fetched_rows(p: Problem, load: OperandLoad, tile: Tile) -> float:
    """Rows that indices pick for a tile of the left operand: one DMA each."""
    return picked_count(p, load, tile) * load.rows


@remembered
def operand_bytes(p: Problem, tile: Tile, step: int) -> float:
    """GM bytes that computing the left operand of a step reads, halo included."""
    depth, total = step // p.taps, 0.0
    for load in p.operand_loads:
        read = _of_rows(p, load, tile)[0]
        for e, extent in load.deep:
            read *= min(e.span(depth), extent)
        total += read
    return total


def held_elements(p: Problem, load: OperandLoad, tile: Tile, step: int) -> tuple[int, int]:
    """Elements of a step's tile of a load, padding included, and those that DMA stages for it."""
    depth = ceil_to(step // p.taps, 16)
    _, held, staged = _of_rows(p, load, tile)
    for e, _ in load.deep:
        held, staged = held * e.held(depth), staged * depth
    return held, ceil_to(staged // depth, 16) * depth


@remembered
def _of_rows(p: Problem, load: OperandLoad, tile: Tile) -> tuple[float, int, int]:
    """Of each element of K the bytes that a tile of a load reads, the elements that it has and that DMA stages."""
    rank = len(tile.tiles)
    held = staged = picked_count(p, load, tile)
    read = load.item * fetched_rows(p, load, tile)
    for e, extent in zip(load.maps, load.shape, strict=True):
        if isinstance(e, Along) and e.dim in p.operand_dims and e.dim != rank:
            size = _size(p, tile, e.dim)
            held *= e.held(size)
            staged *= min(e.span(size), extent)
            read *= min(e.span(size), extent)
    return read, held, staged


@dataclass(frozen=True)
class Image:
    """How a tile of an image is loaded that has fewer positions than it needs: `rows` of `width` positions are read.
    `lines`: each goes to its place by itself; else the tile holds `held` rows of them, without padding beside them."""

    rows: int
    width: int
    lines: bool
    held: int


@remembered
def image_of(p: Problem, load: OperandLoad, tile: Tile) -> Image | None:
    """How the tile of a load gets or does without its padding (`lowering/transfers/channel_blocks.py`,
    `lowering/transfers/blocked.py`); None: it is copied into it, or set around what DMA brings in blocks."""
    if not p.window:
        return None
    (rows, height), (line, width) = zip(load.maps[-2:], load.shape[-2:], strict=True)
    if (
        not isinstance(rows, Along)
        or not isinstance(line, Along)
        or tile.tiles[line.dim] < p.extents[line.dim]
    ):
        return None
    span, size = rows.span(tile.tiles[rows.dim]), line.held(tile.tiles[line.dim])
    direct = layout_of(load.load.value.type) is not None
    if not direct and line_by_line(width, size):
        return Image(min(span, height), width, True, span)
    if size <= width or not p.prologue or not p.prologue.only_taps:
        return None
    most = span + (0 if direct else spilled_rows(width))
    whole = tile.tiles[rows.dim] == p.extents[rows.dim]
    return Image(min(span, height), width, False, min(span, height) if whole else most)


@remembered
def operand_room(p: Problem, tile: Tile, step: int) -> int:
    """UB bytes that computing the left operand of a step takes: of what is loaded the staging in slots and the tile,
    temporaries, the rows that are moved to L1 in slots. A margin for each buffer that transposes write."""
    elements = operand_elements(p, tile, step)
    loads = [load for load in p.operand_loads if load.full]
    total = elements * p.slots * p.item
    for load in p.operand_loads:
        if not load.full:  # rows and weights, rows in f32 too
            held, _ = held_elements(p, load, tile, step)
            if not any(isinstance(e, Along) and e.dim == len(tile.tiles) for e in load.maps):
                held *= BLOCK  # each element fills the lanes
            total += (held + MARGIN) * (load.item * p.slots + ELEMENT_BYTES["f32"])
    for load in loads:
        held, staged = held_elements(p, load, tile, step)
        if layout_of(load.load.value.type) is not None or p.regions.by_rows:  # DMA brings it as it is held
            image = image_of(p, load, tile)
            if image is not None:
                held = image.held * image.width * ceil_to(step // p.taps, 16)
            total += load.item * held * p.slots
        else:
            total += load.item * (staged * p.slots + 2 * MARGIN)
    total += sum(chunk_bytes(load.load, p.target, step) for load in p.operand_loads)
    return total + operand_temporaries(p, tile, step)


@remembered
def operand_temporaries(p: Problem, tile: Tile, step: int) -> int:
    """Those of the bytes that only Vector touches, whose place what follows the product may take."""
    loads = [load for load in p.operand_loads if load.full]
    largest = 0 if p.prologue is None else p.prologue.full_loads
    each = max(p.operand_bytes_each - 2 * p.slots * p.out - 2 * p.slots * largest, 2)
    in_place = p.prologue is not None and p.prologue.ends_in_place and not p.regions.by_rows
    if in_place and tile.m % BLOCK == 0:
        each -= p.item  # whole fractals are moved from where they are computed
    total = widest_elements(p, tile, step) * each
    for load in loads:
        held, staged = held_elements(p, load, tile, step)
        if layout_of(load.load.value.type) is None and not p.regions.by_rows:
            image = image_of(p, load, tile)
            if image is not None and not image.lines:
                held = ceil_to(image.held * image.width, 16) * ceil_to(step // p.taps, 16)
            total += load.item * (held + (staged if held > staged and image is None else 0))
    return total


@remembered
def computed_part(p: Problem, tile: Tile, rows: int) -> Tile:
    """What of a tile's left operand is computed at once: so many rows at most, with all of K; 0: all rows of a step."""
    if not rows:
        return tile
    rows = min(rows, tile.tiles[p.roles.m[-1]])  # at other sizes than that of the tiling there may be fewer
    tiles = tuple(rows if d == p.roles.m[-1] else t for d, t in enumerate(tile.tiles))
    m = tile.m // tile.tiles[p.roles.m[-1]] * rows
    return replace(tile, tiles=tiles, m=m, m16=m)


__all__ = [
    "Image",
    "channel_groups",
    "computed_part",
    "fetched_rows",
    "held_elements",
    "image_of",
    "operand_bytes",
    "operand_elements",
    "operand_room",
    "operand_temporaries",
    "picked_count",
    "rows_of",
    "staged_groups_of",
    "widest_elements",
]
