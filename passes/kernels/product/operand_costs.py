"""What a product's operands cost under one tiling, and what a kernel around it takes at least:
`runtime/machine/costs.py`."""

from math import gcd, prod
from typing import NamedTuple

from xdsl.ir import SSAValue

from ....dialects.tile import BLOCK
from ....runtime.machine.costs import Cost, copy_cost, hit_cycles, miss_cycles, vec_cost
from ...cost.group_trace import ceil_to
from ...regions.tiling import ProductTiling
from .circular_rows import piece_costs
from .computed_operand import Part, computed_cost
from .load_costs import Asked, LoadCosts, feeds_filters, lays_out_on_the_way, lines_asked, turned
from .operands import channel_groups, rows_of, staged_groups_of
from .problem import Problem, Tile, lands, remembered, takes_vector
from .tiles import covers_rows, tile_count

FLAGS = 4
"""Instructions beside those of the Vector unit that stand in its queue for a part of an operand."""


def stores_by_fixpipe(p: Problem) -> bool:
    """Whether FixPipe brings tiles of the product to GM, and nothing follows there."""
    return not takes_vector(p) and not p.feeds


def columns_of(p: Problem, tiling: ProductTiling) -> int:
    """Tiles of columns that share a left operand in L1."""
    return -(-p.extents[p.roles.n] // tiling.tiles[p.roles.n]) if tiling.resident else 1


@remembered
def fixpipe_cost(p: Problem, tile: Tile) -> Cost:
    """A tile on its way out of L0C: to GM, or a share of it to the UB of each Vector core, all at once."""
    size = tile.m16 * tile.n16 * p.out
    if p.feeds:
        return copy_cost(p.target, "l0c", "l1", 1, size)
    if lands(p):
        return copy_cost(p.target, "l0c", "ub", 1, size // p.target.vectors_beside)
    return copy_cost(p.target, "l0c", "gm", 1, size, p.out)


@remembered
def together(
    p: Problem, tiles: tuple[int, ...], cores: int, swizzle: int, resident: bool = False, serial: int = 0
) -> tuple[int, int]:
    """Of the cores at work together, how many rows and columns of the grid they span. With a `resident` left operand
    each walks the columns of rows of its own, and always the last `serial` dimensions."""
    grid = [-(-e // t) for e, t in zip(p.extents, tiles, strict=True)]
    grid[len(grid) - serial :] = [1] * serial
    columns = grid[p.roles.n]
    rows = max(1, prod(grid) // columns)
    if resident:
        return min(rows, cores), 1
    if swizzle > 1:
        across = min(columns, max(1, cores // swizzle))
        if across < columns:  # a band of so many rows, column by column
            return min(rows, swizzle, cores), across
    elif p.rows_last:
        across = min(columns, cores)
    else:  # rows of the matrix vary faster
        down = prod(grid[p.roles.n + 1 :])
        across = min(columns, max(1, cores // down))
    return min(rows, max(1, cores // across)), across


def rows_alike(p: Problem, tiles: tuple[int, ...], rows: int, swizzle: int) -> int:
    """Of so many rows of the grid at work together, how many multiply the same right operand. Where a tile has all
    columns, a band is of tiles of several matrices."""
    same = min(rows, tiles_of_right(p, tiles))
    if p.roles.batch and swizzle > 1 and tiles[p.roles.n] >= p.extents[p.roles.n]:
        same = min(same, rows // swizzle)
    return max(1, same)


class Walk(NamedTuple):
    """How the cores at work together walk the grid of tiles: how many rows and columns of it they span, how many tiles
    there are, and how many of rows multiply the same right operand, of all and of those at work together."""

    rows: int
    columns: int
    tiles: int
    alike: int
    together: int


def walk_of(p: Problem, tiling: ProductTiling, tile: Tile) -> Walk:
    """How the cores walk the tiles of a tiling."""
    return _walk_of(p, tile, tiling.tiles, tiling.cores, tiling.swizzle, tiling.resident > 0, tiling.serial)


@remembered
def _walk_of(
    p: Problem, tile: Tile, tiles: tuple[int, ...], cores: int, swizzle: int, resident: bool, serial: int
) -> Walk:
    spans = together(p, tiles, cores, swizzle, resident, serial)
    same = rows_alike(p, tiles, spans[0], swizzle)
    return Walk(*spans, tile_count(p, tile), tiles_of_right(p, tiles), same)


@remembered
def rounds_of_new_rows(p: Problem, tiles: tuple[int, ...], cores: int, swizzle: int) -> frozenset[int]:
    """The rounds, of a tile for each core, in which some core begins rows that nobody has read. None for images, whose
    rows are in another order."""
    if not p.rows_last:
        return frozenset()
    grid = [-(-e // t) for e, t in zip(p.extents, tiles, strict=True)]
    *outer, columns = grid
    rows = next((size for size in reversed(outer) if size > 1), 1)
    band = swizzle if swizzle > 1 else 1
    return frozenset(
        ((plane * rows + row // band * band) * columns + row % band) // cores
        for plane in range(prod(outer) // rows)
        for row in range(rows)
    )


@remembered
def tiles_of_right(p: Problem, tiles: tuple[int, ...]) -> int:
    """How many tiles of rows multiply the same right operand: each matrix of a batch may have one of its own."""
    grid = (-(-p.extents[d] // tiles[d]) for d in p.right_repeats)
    return prod(grid)


def left_cost(p: Problem, tiling: ProductTiling, tile: Tile) -> LoadCosts:
    """The left operand of one step."""
    rows, cores = rows_of(p, tile), tiling.cores if tile.circular else 0
    if p.prologue is None:
        load = _read(p, rows, tiling.step, cores, tiling.spans)
    else:
        alone = tile_count(p, tile) <= tiling.cores
        load = computed_cost(p, rows, Part(tiling.resident or tiling.step, tiling.rows, cores, alone))
    return _with_filters(p, load, tile, tiling.step) if feeds_filters(p) else load


@remembered
def _read(p: Problem, tile: Tile, step: int, cores: int, spans: bool) -> LoadCosts:
    """The left operand where it is read as it is."""
    target = p.target
    whole = prod(p.lhs_shape) * p.item
    if p.lhs_blocked:
        return _blocks(p, tile, step, whole)
    if not p.window:
        inside = tile.lead == 0 or not covers_rows(p.extents, tile.tiles, p.roles)
        inside = inside and not (spans and p.extents[p.roles.m[-1]] % tile.tiles[p.roles.m[-1]])
        one = _matrix(p, p.lhs, tile.m, step, p.contraction.transpose_lhs, whole, inside)
        return one._replace(goes_on=not p.contraction.transpose_lhs)
    blocks, staged = channel_groups(p, step), staged_groups_of(p, tile, step)
    height, width = tile.image
    groups = max(1, round(tile.pixels / tile.staged)) if tile.staged < tile.pixels else 1
    passages = blocks // staged * groups
    positions = ceil_to(height * width, 16) // groups
    channels = min(16, p.regions.extents[p.regions.rank])
    vector = staged * turned(target, p.dtype, BLOCK * positions) + target.vector.latency
    if channels < 16:
        vector += (
            16 - channels
        ) * positions * p.item / target.vector.bytes_per_repeat + target.vector.latency
    to = "gm" if target.split and ("ub", "l1") not in target.paths else "l1"
    mte3 = copy_cost(target, "ub", to, 1, staged * positions * 16 * p.item).busy
    turns = 1 if target.dma.unaligned else min(channels, 16 // gcd(prod(p.lhs_shape[2:]), 16))
    around = piece_costs(p, tile, cores, step)
    turns, vector = turns + around.dmas, vector + around.vector
    beside = target.vectors_beside if target.split else 1
    size, (*_, rows, columns) = staged * channels * positions * p.item, p.lhs_shape
    if width >= columns:  # rows follow each other, channels a plane apart
        run = -(-height // groups) * columns * p.item
        asked = lines_asked(p.target, staged * channels, run, rows * columns * p.item)
    else:
        bursts = staged * channels * -(-height // groups)
        asked = lines_asked(p.target, bursts, width * p.item, columns * p.item)
    return LoadCosts(
        passages, size, turns, vector / beside, mte3 / beside, whole, *asked, entries=staged + FLAGS
    )


def _blocks(p: Problem, tile: Tile, step: int, whole: float) -> LoadCosts:
    """The left operand where it lies in GM as in L1."""
    if p.window:
        planes, run = channel_groups(p, step), tile.image[0] * tile.image[1] * BLOCK * p.item
        pitch = prod(p.lhs_shape[2:]) * BLOCK * p.item
    else:
        planes, run = -(-step // BLOCK), tile.m * BLOCK * p.item
        pitch = p.lhs_shape[-2] * BLOCK * p.item
    cut = p.window and tile.tiles[p.roles.m[-1]] < p.extents[p.roles.m[-1]]
    dmas = planes if cut else 1
    return LoadCosts(1, planes * run, dmas, 0.0, 0.0, whole, *lines_asked(p.target, planes, run, pitch))


def right_cost(p: Problem, tiling: ProductTiling, tile: Tile) -> LoadCosts:
    """Right operands of one step, each of them a passage of its own."""
    return _right(p, tile.n16, tile.tiles[p.roles.n] + tile.lead, tiling.step, tile.lead == 0)


@remembered
def _right(p: Problem, n16: int, columns: int, step: int, inside: bool) -> LoadCosts:
    """Those of one step, of so many columns (`n16`: in whole blocks, of all products), where each core reads its
    own; not `inside`: some begin beside the tensor."""
    if p.several == 1:
        return _right_of_one(p, n16, columns, step, inside)
    one = _right_of_one(p, n16 // p.several, columns, step, inside)
    return one._replace(passages=one.passages * p.several, whole=one.whole * p.several)


def _right_of_one(p: Problem, n16: int, columns: int, step: int, inside: bool) -> LoadCosts:
    target = p.target
    depth = ceil_to(step, p.grain)
    size = depth * n16 * p.item
    whole = prod(p.rhs_shape) * p.item
    if p.packed:
        run = n16 * p.k0 * p.item
        pitch = ceil_to(p.extents[p.roles.n], n16) * p.k0 * p.item
        return LoadCosts(1, size, 1, 0.0, 0.0, whole, *lines_asked(p.target, depth // p.k0, run, pitch))
    if not p.window:
        if p.contraction.transpose_rhs:
            return _matrix(p, p.rhs, n16, step, False, whole)._replace(goes_on=True)
        return _matrix(p, p.rhs, step, columns, False, whole, inside)
    if feeds_filters(p):
        return LoadCosts(1, size, 1, 0.0, 0.0, whole, size / target.memory.l2_line)
    if target.split:
        depth = p.rhs_shape[1]
        requests = lines_asked(target, columns, step * p.item, depth * p.item)
        bursts = 1 if step == depth else columns
        return LoadCosts(1, size, 1, 0.0, 0.0, whole, *requests, columns, bursts, goes_on=True)
    passages = channel_groups(p, step) * (n16 // 16)
    return LoadCosts(passages, size / passages, 1, *_laid_out(p, "l1"), whole)


def _with_filters(p: Problem, load: LoadCosts, tile: Tile, step: int) -> LoadCosts:
    """The left operand of a step with the filters that Vector cores lay out beside it."""
    target = p.target
    blocks = channel_groups(p, step) * (tile.n16 // BLOCK) / load.passages
    vector, mte3 = _laid_out(p, "gm" if ("ub", "l1") not in target.paths else "l1")
    size = p.taps * BLOCK * BLOCK * p.item
    asked = lines_asked(target, BLOCK, size // BLOCK, p.rhs_shape[1] * p.taps * p.item)
    reader, line = target.path("gm", "ub"), target.memory.l2_line
    port = hit_cycles(target, reader, 0, size, asked.requests - asked.cut)
    port += miss_cycles(target, reader, asked.cut, min(size, asked.cut * line / 2)) if asked.cut else 0.0
    if tile.tiles[p.roles.n] % BLOCK or p.rhs_shape[1] % BLOCK:  # what there is not
        vector += vec_cost(target, "vdup", p.dtype, -(-size // target.vector.bytes_per_repeat)).busy
    each = blocks / target.vectors_beside
    return load._replace(
        dmas=load.dmas + blocks,
        vector=load.vector + each * vector,
        mte3=load.mte3 + each * mte3,
        beside=blocks * port,
        cut_beside=blocks * asked.cut,
    )


def _laid_out(p: Problem, to: str) -> tuple[float, float]:
    """Cycles of V and of MTE3 for 16 filters of 16 channels on their way to `to`."""
    elements = p.taps * BLOCK * BLOCK
    vector = 2 * turned(p.target, p.dtype, elements) + 2 * p.target.vector.latency
    return vector, copy_cost(p.target, "ub", to, 1, elements * p.item).busy


def requests_beside(p: Problem, tile: Tile) -> Asked:
    """Requests of a tensor that is read beside a tile of the result."""
    n, item = p.roles.n, p.stored
    inner, extents = tile.tiles[n + 1 :], p.extents[n + 1 :]
    if p.result_blocked:  # 16 channels or columns innermost
        rows = prod(p.extents[d] for d in p.roles.m)
        return lines_asked(p.target, tile.n16 // BLOCK, tile.m * BLOCK * item, rows * BLOCK * item)
    if p.rows_last:
        return lines_asked(p.target, tile.m, tile.tiles[n] * item, p.extents[n] * item)
    if inner[1:] == extents[1:]:  # rows follow each other, channels a plane apart
        return lines_asked(p.target, tile.n16, prod(inner) * item, prod(extents) * item)
    return lines_asked(p.target, tile.n16 * prod(inner[:-1]), inner[-1] * item, extents[-1] * item)


def _matrix(
    p: Problem,
    value: SSAValue,
    rows: int,
    columns: int,
    transposed: bool,
    whole: float,
    inside: bool = True,
) -> LoadCosts:
    """Rows and columns of the matrix `value` to NZ in L1; not `inside`: some tiles begin or end beside it."""
    target = p.target
    if transposed:
        rows, columns = columns, rows
    size = rows * ceil_to(columns, max(BLOCK, p.k0)) * p.item
    requests = lines_asked(p.target, rows, columns * p.item, p.pitch(value) * p.item)
    if target.split or (target.dma.nd2nz and rows % 16 == 0 and inside):
        bursts = 1 if columns == p.pitch(value) else rows
        return LoadCosts(1, size, 1, 0.0, 0.0, whole, *requests, rows, bursts)
    groups, blocks = -(-rows // 8), -(-columns // 16)
    by_blocks = vec_cost(target, "vcopy", p.dtype, groups).busy * blocks
    copies = min(by_blocks, vec_cost(target, "vcopy", p.dtype, blocks).busy * groups)
    entries = (blocks if copies == by_blocks else groups) + FLAGS
    pitch = p.roles.k if rows != p.roles.k else p.extents[p.roles.n]
    turns = min(rows, 16 // gcd(pitch, 16))
    mte3 = copy_cost(target, "ub", "l1", 1, size).busy
    beside = lays_out_on_the_way(p) and not inside
    fill = vec_cost(target, "vdup", p.dtype, size // target.vector.bytes_per_repeat).busy if beside else 0.0
    vector = copies + target.vector.latency
    return LoadCosts(1, size, turns, vector, mte3, whole, *requests, entries=entries, fill=fill)
