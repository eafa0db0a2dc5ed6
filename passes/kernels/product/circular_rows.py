"""Tiles of a convolution whose planes are no whole 32 B blocks: rows that go round (`tile.Circular`).

What follows the rows of a tile in its last blocks is computed with them: the first pixels of the next rows, at the end
of a plane those of the next channel's first row. A core has all channels of its rows, so that is the plane's own first
row again. So all cores share the planes, and none writes a block of another one.

    rows of the plane     0 1 2 … H-1
    with a tile's halo    [lead: last rows of the image before][gap] 0 1 2 … H-1 [gap][0 1 …]

The gap has the rows whose windows would see both ends of the image.
"""

from collections.abc import Iterator
from math import prod

from ....dialects.element_types import BLOCK_BYTES
from ....dialects.records import dataclass
from ....dialects.tile import BLOCK, Circular, layout_of
from ....dialects.tiling import Along
from ....runtime.machine.costs import transpose_cost, vec_cost
from ...cost.group_trace import ceil_to
from ...lowering.transfers.feature_map import staging_rows
from ...regions.loads import Load
from ...regions.tiling import grid_of
from ...selection.transfers import turns_of
from ...support.values import element_type_of, shape_of
from .operands import staged_groups_of
from .problem import Problem, Tile, tile_of

PLANE = 2
"""The dimension of a kernel with the rows of an image, in front of that with its columns."""


def circular_tiles(p: Problem) -> Iterator[Tile]:
    """Tiles of whole lines and all channels, where their planes are no whole blocks and their rows may go round."""
    if not _may_go_round(p):
        return
    images, channels, height, width = p.extents
    halo = -(-BLOCK // width)
    gap = max(0, *(_gap(p, load) for load in p.regions.loads if _follows(p, load, PLANE)))
    shared = images > 1 and channels * height * width % p.block
    rows = Circular(PLANE, halo, gap, halo + gap if shared else 0)
    for own in range(rows.lead + 1, height + rows.lead + gap + 1):
        first = (rows.points(height, own + halo) - 1) * own - rows.lead
        alone = first <= 0
        if first + own < height + gap or first > height - (1 if alone else halo):
            continue
        if (own + halo) * width > p.target.cube.max_extent:
            return
        tile = tile_of(p, (1, channels, own + halo, width), 0, rows)
        if p.prologue is not None or _stages(p, tile):
            yield tile


def own_pixels(p: Problem, tile: Tile) -> tuple[int, int]:
    """Of a tile whose rows go round the most pixels that are its own, and the most that come before them."""
    assert tile.circular is not None
    width = p.extents[-1]
    return (tile.tiles[PLANE] - tile.circular.halo) * width, tile.circular.lead * width


def pieces_room(p: Problem, tile: Tile, step: int) -> int:
    """Elements of UB that rows at both ends of the image take which a step loads by themselves, in one slot: as they
    come, and transposed."""
    assert tile.circular is not None
    pieces = 1 + (tile.circular.lead > 0)
    return (1 + pieces) * _piece(p, tile, step)


@dataclass(frozen=True)
class PieceCosts:
    """What rows that are loaded by themselves add to one load of the left operand: DMA instructions, Vector cycles."""

    dmas: float = 0.0
    vector: float = 0.0


def piece_costs(p: Problem, tile: Tile, cores: int, step: int) -> PieceCosts:
    """Those of a core with the more such tiles, on average over its tiles."""
    target = p.target
    if tile.circular is None:
        return PieceCosts()
    share = share_of_ends(p, tile, cores)
    elements = _piece(p, tile, step)
    repeats = -(-elements * p.item // target.vector.bytes_per_repeat)
    vector = transpose_cost(target, p.dtype, -(-elements // (BLOCK * BLOCK))).busy + 2 * target.vector.latency
    vector += vec_cost(target, "vcopy", p.dtype, repeats).busy
    turns = turns_of(target, prod(shape_of(_images(p)[0].value)[PLANE:]), p.k0)
    return PieceCosts(share * turns * len(_images(p)), share * vector)


def share_of_ends(p: Problem, tile: Tile, cores: int) -> float:
    """Ends of planes in a tile, on average over those of a core with the more of them."""
    circular = tile.circular
    assert circular is not None
    grid, ends = grid_of(p.extents, tile.tiles, circular), 1 + (circular.lead > 0)
    return max(1 / -(-prod(grid) // cores), ends / grid[PLANE]) if grid[PLANE] > 1 else ends


def _images(p: Problem) -> list[Load]:
    """The images from which the left operand comes."""
    loads = [load for load in p.regions.loads_of(p.regions.prologue) if _follows(p, load, PLANE)]
    return loads or [load for load in p.regions.loads if load.value is p.lhs]


def _piece(p: Problem, tile: Tile, step: int) -> int:
    """Elements of the rows at one end of the image that a step loads by themselves."""
    assert tile.circular is not None
    depth = ceil_to(step // p.taps, BLOCK) if p.prologue else BLOCK * staged_groups_of(p, tile, step)
    most = 0
    for load in _images(p):
        rows = next(e for e in p.regions.kernel_map(load.maps) if isinstance(e, Along) and e.dim == PLANE)
        height, width = p.regions.kernel_shape(load)[-2:]
        most += ceil_to(min(rows.span(tile.circular.halo), height) * width, BLOCK) + BLOCK
    return most * depth


def _may_go_round(p: Problem) -> bool:
    """Whether the kernel is one whose tiles a store can write that way."""
    target, regions, roles = p.target, p.regions, p.roles
    if target.dma.unaligned or p.result_blocked or regions.factor or not p.window or p.stored != p.out:
        return False
    if (
        p.block != BLOCK_BYTES // p.stored
        or len(p.extents) != PLANE + 2
        or (roles.n, *roles.m) != (1, PLANE, PLANE + 1)
    ):
        return False
    if p.products != 1 or p.several != 1 or p.held or p.feeds or p.contraction.groups != 1:
        return False
    channels, plane = p.extents[1], prod(p.extents[PLANE:])
    if plane % p.block == 0 or plane < 2 * BLOCK or channels < BLOCK:
        return False
    inner = (regions.kernel_map(regions.maps[op.results[0]]) for op in regions.ops)
    if any(isinstance(e, Along) and e.dim >= PLANE and not e.is_identity for maps in inner for e in maps):
        return False
    return all(_is_image(p, load) for load in regions.loads if _follows(p, load, PLANE, PLANE + 1))


def _follows(p: Problem, load: Load, *dims: int) -> bool:
    """Whether a load differs along one of the kernel's dimensions."""
    return any(isinstance(e, Along) and e.dim in dims and e.stride for e in p.regions.kernel_map(load.maps))


def _is_image(p: Problem, load: Load) -> bool:
    """Whether a load is of whole lines of a row-major image, with zeros around it."""
    maps = p.regions.kernel_map(load.maps)
    along = [e for e in maps if isinstance(e, Along)]
    if len(along) != PLANE + 2 or layout_of(load.value.type) is not None or load.fill not in (None, 0.0):
        return False
    image, channel, rows, columns = along
    plain = all(e.repeat == 1 and not e.thin and e.pad >= 0 for e in along)
    return plain and (image.dim, rows.dim, columns.dim) == (0, PLANE, PLANE + 1) and not channel.is_windowed


def _gap(p: Problem, load: Load) -> int:
    """Rows of the result between the last one and the first one again, so that no window of them sees both ends of an
    image."""
    maps, image = p.regions.kernel_map(load.maps), p.regions.kernel_shape(load)[-2]
    rows = next(e for e in maps if isinstance(e, Along) and e.dim == PLANE)
    above = -(-(image + rows.pad) // rows.stride) - p.extents[PLANE]
    return max(above, -(-(rows.span(1) - rows.pad) // rows.stride) - 1)


def _stages(p: Problem, tile: Tile) -> bool:
    """Whether all rows of a tile's feature map, whole ones, pass through UB at once."""
    height, width = tile.image
    whole = width == shape_of(p.lhs)[-1]
    return whole and staging_rows(p.target, height, width, element_type_of(p.lhs)) >= height
