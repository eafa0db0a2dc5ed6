"""What the left operand of a product takes under one tile, step by step: elements, bytes read, room in UB."""

from dataclasses import dataclass, replace

from ....dialects.element_types import ELEMENT_BYTES
from ....dialects.tile import BLOCK, layout_of
from ....dialects.tiling import Along
from ...cost.group_trace import ceil_to
from ...lowering.transfers.channel_blocks import line_by_line, spilled_rows
from ...lowering.transfers.feature_map import staging_groups
from ...support.values import element_type_of
from .problem import MARGIN, OperandLoad, Problem, Tile, remembered


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


@remembered
def operand_bytes(p: Problem, tile: Tile, step: int) -> int:
    """GM bytes that computing the left operand of a step reads, halo included."""
    rank, depth = len(tile.tiles), step // p.taps
    total = 0
    for load in p.operand_loads:
        read = load.item
        for e, extent in zip(load.maps, load.shape, strict=True):
            if isinstance(e, Along) and e.dim in p.step_dims:
                size = tile.tiles[e.dim] if e.dim < rank else depth if e.dim == rank else 1
                read *= min(e.span(size), extent)
        total += read
    return total


@remembered
def held_elements(p: Problem, load: OperandLoad, tile: Tile, step: int) -> tuple[int, int]:
    """Elements of a step's tile of a load, padding included, and those that DMA stages for it."""
    depth = ceil_to(step // p.taps, 16)
    rank = len(tile.tiles)
    held = staged = 1
    for entry, extent in zip(load.maps, load.shape, strict=True):
        if isinstance(entry, Along) and entry.dim in p.step_dims:
            size = tile.tiles[entry.dim] if entry.dim < rank else depth if entry.dim == rank else 1
            held *= entry.held(size)
            staged *= size if entry.dim == rank else min(entry.span(size), extent)
    return held, ceil_to(staged // depth, 16) * depth


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
            total += (held + MARGIN) * (load.item * p.slots + ELEMENT_BYTES["f32"])
    for load in loads:
        held, staged = held_elements(p, load, tile, step)
        if layout_of(load.load.value.type) is not None:  # DMA brings it as it is held
            image = image_of(p, load, tile)
            if image is not None:
                held = image.held * image.width * ceil_to(step // p.taps, 16)
            total += load.item * held * p.slots
        else:
            total += load.item * (staged * p.slots + 2 * MARGIN)
    return total + operand_temporaries(p, tile, step)


@remembered
def operand_temporaries(p: Problem, tile: Tile, step: int) -> int:
    """Those of the bytes that only Vector touches, whose place what follows the product may take."""
    loads = [load for load in p.operand_loads if load.full]
    each = max(p.operand_bytes_each - 2 * p.slots * p.out - 2 * p.slots * len(loads), 2)
    if p.prologue is not None and p.prologue.ends_in_place and tile.m % BLOCK == 0:
        each -= p.item  # whole fractals are moved from where they are computed
    total = operand_elements(p, tile, step) * each
    for load in loads:
        held, staged = held_elements(p, load, tile, step)
        if layout_of(load.load.value.type) is None:
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
    "held_elements",
    "image_of",
    "operand_bytes",
    "operand_elements",
    "operand_room",
    "operand_temporaries",
    "staged_groups_of",
]
