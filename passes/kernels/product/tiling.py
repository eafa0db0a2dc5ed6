"""Tile sizes of kernels around a product: tiles of the result, K of a step in L1, K of a piece in L0, chunks in UB.

Every candidate must fit L0A, L0B and L1 with two slots (where none does, with one), L0C with one, UB with two slots of
what crosses pipes. `kernels.product.search` finds the fastest.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from math import gcd

from ....dialects.element_types import ELEMENT_BYTES
from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ...cost.group_trace import ceil_to
from ...lowering.cores.cube_to_vector_gm import TABLES_ROOM
from ...regions.regions import Regions
from ...regions.tiling import ProductTiling
from ...selection.event_budget import most_l1_slots
from ...selection.store_grain import share_columns
from ...support.run_size import OPEN
from ...support.values import shape_of
from .footprint import (
    chunk_sizes,
    chunk_temporaries,
    in_slots,
    l1_of_operands,
    l1_of_rows,
    l1_of_tile,
    ub_of_chunk,
    ub_of_operands,
    ub_of_rows,
)
from .load_costs import feeds_filters
from .operand_costs import rows_alike, together
from .operands import computed_part, operand_room, operand_temporaries, rows_of
from .problem import (
    Problem,
    Tile,
    bias_in_parts,
    hands_over_by_units,
    problem_of,
    remembered,
    takes_vector,
    tile_of,
)
from .tiles import cuts_rows, in_spans, swizzle_of, tile_count

STEPS = (16, 32, 48, 64, 96, 128, 192, 256, 384, 512)
MOST_PARTS = 3
"""Sizes of parts of whole rows that are tried for a tile."""
LEAST_ALIKE = 64
"""Columns of one product that it is worth being alike for."""
MOST_CHUNKS = 3
"""Sizes of chunks that are tried for a tile."""


@dataclass(frozen=True, eq=False)
class KStep:
    """A tile and K of a step in L1, with the pieces of K in L0 and the chunks of UB (and rows of one that are computed
    at once) that it may have. `tiling` has the first of each."""

    tile: Tile
    tiling: ProductTiling
    pieces: list[int]
    chunks: list[tuple[int, int]]

    def tilings(self) -> Iterator[ProductTiling]:
        """Every legal tiling."""
        t = self.tiling
        for (chunk, part), l0_k in product(self.chunks, self.pieces):
            yield ProductTiling(
                t.tiles, t.cores, t.step, l0_k, chunk, t.swizzle, t.serial, t.lead, t.stagger, t.drain, t.resident,
                t.rows, part, t.keeps, t.unit_flag, t.stages, t.l0_n, t.spans, t.circular,
            )  # fmt: skip


@dataclass(frozen=True)
class Distribution:
    """How cores share the tiles: so many, of which each walks the last `serial` dimensions alone; the order of tiles;
    whether cores take tiles that follow each other."""

    cores: int
    serial: int
    swizzle: int
    spans: bool


@remembered
def distribution_of(p: Problem, tile: Tile, resident: bool) -> Distribution:
    """How cores share the tiles; `resident`: one core walks all columns of its rows."""
    cores, serial = _cores(p, _whole_columns(p, tile) if resident else tile)
    most = min(tile_count(p, tile), p.target.cores)
    spans = not resident and cores < most and in_spans(p, tile)
    if spans:
        cores, serial = most, 0
    ordered = serial or resident or spans or tile.circular
    return Distribution(cores, serial, 1 if ordered else swizzle_of(p, tile.tiles, cores), spans)


@dataclass(frozen=True)
class L0:
    """What of a product's operands is in L0 at once: `columns` of the right one, K up to `depth`."""

    columns: int
    depth: int


@remembered
def l0_of(p: Problem, tile: Tile) -> L0 | None:
    """What is in L0 at once; None where the tile does not fit."""
    target = p.target
    l0c, l0a, l0b = (target.spaces[s].bytes // p.products for s in ("l0c", "l0a", "l0b"))
    widest = None if p.drain is None else p.drain.columns(target)
    if tile.m16 * tile.n16 * 4 > l0c or tile.m > target.cube.max_extent:
        return None
    if widest is not None and tile.n16 > widest:
        return None
    columns = product_columns(p, tile)
    deepest = min(l0a // p.slots // (tile.m16 * p.item), l0b // p.slots // (columns * p.item))
    deepest = deepest // p.grain * p.grain
    return L0(columns, deepest) if deepest else None


Way = tuple[int, int, int]
"""How K is cut: K of a step, and of a left operand that stays in L1 for all tiles of columns K of what is computed at
once (0: it does not stay) and the rows of it (0: all)."""


def k_steps_of(p: Problem, tile: Tile) -> Iterator[KStep]:
    """Every legal step with one tile of the result."""
    if l0_of(p, tile) is None:
        return
    for way in _k_steps(p, tile):
        if (one := k_step_of(p, tile, way)) is not None:
            yield one


def k_step_of(p: Problem, tile: Tile, way: Way) -> KStep | None:
    """The step with a tile that fits L0, where K is cut in one way; None where it is not legal."""
    target, roles, tiles, l0 = p.target, p.roles, tile.tiles, l0_of(p, tile)
    step, resident, rows = way
    stays = resident > 0
    if l0 is None or not (stays or _equal_columns(p, tile)):
        return None
    spread = distribution_of(p, tile, stays)
    keeps = not stays and may_keep(p, tile, spread.cores) and _keeps(p, tile, step)
    room = p if resident or not _three_places(p, tile, step, spread.cores) else in_slots(p, 3)
    if l1_of_tile(room, tile, step, resident, keeps) > target.spaces["l1"].bytes:
        return None
    chunks = _chunks(p, tile, resident or step, rows)
    if not chunks:
        return None
    staggers = target.split and spread.cores > 1 and roles.k // step > 1
    stagger = _stagger(p, tile, spread, resident, step) if staggers else None
    pieces = _pieces(min(step, l0.depth), step, p.grain)
    tiling = ProductTiling(
        tiles, spread.cores, step, pieces[0], chunks[0][0], spread.swizzle, spread.serial, tile.lead, stagger,
        bool(p.drain), resident, rows, chunks[0][1], keeps, hands_over_by_units(p, tile),
        _stages(p, tile, step, resident, rows), l0.columns if l0.columns < tile.n16 else 0, spread.spans,
        tile.circular,
    )  # fmt: skip
    return KStep(tile, tiling, pieces, chunks)


def ways_in_l1(p: Problem, tile: Tile) -> Iterator[tuple[int, Way]]:
    """How K may be cut, with a number, so that L1 holds both operands: more than are legal."""
    equal, room = _equal_columns(p, tile), p.target.spaces["l1"].bytes
    for i, way in enumerate(_k_steps(p, tile)):
        step, resident, _ = way
        if (equal or resident) and l1_of_tile(p, tile, step, resident) <= room:
            yield i, way


def _equal_columns(p: Problem, tile: Tile) -> bool:
    """Whether a left operand that is computed, and does not stay, may be computed for a tile of columns."""
    n = p.roles.n
    return p.extents[n] % 16 != 0 or p.extents[n] % tile.tiles[n] == 0 or p.prologue is None


def _stagger(p: Problem, tile: Tile, spread: Distribution, resident: int, step: int) -> tuple[int, int]:
    """Rows and columns of the grid whose cores begin apart in K: those that share an operand, or, where rows are few,
    lines of L2. These begin as far apart as they can: all of those that follow one closely wait for what it misses."""
    rows, columns = together(p, tile.tiles, spread.cores, spread.swizzle, resident > 0)
    rows = rows_alike(p, tile.tiles, rows, spread.swizzle)
    by_rows = not (p.packed or p.window or p.contraction.transpose_rhs)
    beside = p.target.memory.l2_line // (tile.n16 * p.item) if by_rows else 1
    if rows == 1 and 1 < beside < columns <= p.roles.k // step:
        return 1, beside
    return rows, columns


def _three_places(p: Problem, tile: Tile, step: int, cores: int) -> bool:
    """Whether the operands of a tile's first step, of those in its middle and of the last one, which is shorter, have
    places of their own in L1: the first step of the next tile is loaded ahead, at some size where sizes are known at
    run time only."""
    several = p.regions.factor > 0 or tile_count(p, tile) > cores
    ahead = several and not p.target.split
    return ahead and p.roles.k % step > 0 and p.roles.k > 2 * step


def product_columns(p: Problem, tile: Tile) -> int:
    """Columns of one product in L0: those of the tile. Where a bias comes to its table part by part, at most half of
    what that holds; where the last tile is smaller, so many that products of all tiles are alike."""
    rest = ceil_to(p.extents[p.roles.n] % tile.tiles[p.roles.n], 16)
    parts = bias_in_parts(p, tile)
    if not parts and (not rest or rest == tile.n16 or p.several > 1 or tile.lead):
        return tile.n16
    most = tile.n16
    if parts:
        most = p.target.spaces["bt"].bytes // ELEMENT_BYTES["f32"] // 2
    alike = [n for n in range(16, most + 1, 16) if tile.n16 % n == 0 and rest % n == 0]
    whole = (not p.packed and p.item != 2) or alike[-1] >= LEAST_ALIKE
    return alike[-1] if whole else min(most, tile.n16)


def _stages(p: Problem, tile: Tile, step: int, resident: int, rows: int) -> int:
    """Steps of the right operand in L1: as many as there is room for, and ids for their flags, where other cores hand
    the left one over. It comes when it comes, and then what is there of the right one is multiplied."""
    if not (p.target.split and resident) or rows:
        return 2
    step_bytes = tile.n16 * ceil_to(step, p.grain) * p.item
    rows = max(TABLES_ROOM, l1_of_rows(p, tile))
    free = p.target.spaces["l1"].bytes - rows - l1_of_operands(p, tile, step, resident)
    return min(2 + max(free, 0) // step_bytes, most_l1_slots(p.target), -(-p.roles.k // step))


def may_keep(p: Problem, tile: Tile, cores: int) -> bool:
    """Whether packed weights of which a tile needs all columns may stay in L1: where a core computes several tiles."""
    whole = tile.tiles[p.roles.n] == p.extents[p.roles.n]
    alone = p.several == p.products == 1 and p.contraction.groups == 1 and not p.whole_rows and not tile.lead
    alone = alone and p.roles.part is None
    if not (whole and alone and p.packed) or p.target.split or p.regions.factor:
        return False
    return (p.window or len(shape_of(p.rhs)) <= 2) and tile_count(p, tile) > cores


def _keeps(p: Problem, tile: Tile, step: int) -> bool:
    """Whether weights that may stay do: there are several steps of them, and room for all."""
    if step >= p.roles.k or p.roles.k % step:
        return False
    return l1_of_tile(p, tile, step, 0, True) <= p.target.spaces["l1"].bytes


@remembered
def steps_of(p: Problem) -> list[int]:
    """K of a step in L1, the smallest first."""
    if p.roles.part is not None:  # the last part has whole steps too
        return [s for s in STEPS if s % p.grain == 0 and gcd(p.roles.k, p.roles.depth) % s == 0]
    if p.taps == 1:
        depth = ceil_to(p.roles.k, p.grain)
        return sorted({min(s, depth) for s in STEPS})
    return sorted({min(p.roles.unit * i, p.roles.k) for i in (1, 2, 4, 8, 16)})


def may_stay(p: Problem, tile: Tile) -> bool:
    """Whether a left operand that is computed may stay in L1 for all tiles of columns: there are several, and groups
    of a product have none of their own."""
    several = p.prologue is not None and tile.tiles[p.roles.n] < p.extents[p.roles.n] and not tile.lead
    return several and p.contraction.groups == 1


def _k_steps(p: Problem, tile: Tile) -> Iterator[Way]:
    """How K may be cut. What is computed at once of an operand that stays is a step, or some rows of all K where those
    are whole."""
    depth, several = p.roles.k, may_stay(p, tile)
    parts = _parts_of_rows(p, tile) if p.whole_rows else []
    for step in steps_of(p):
        if not p.whole_rows:
            yield step, 0, 0
        if feeds_filters(p):  # they come with the operand
            continue
        if not (several or p.whole_rows) or (step < depth and depth % step):
            continue
        if p.whole_rows:
            yield from ((step, depth, part) for part in parts)
        elif not p.target.split or -(-depth // min(step, depth)) <= _pending(p):
            yield step, min(step, depth), 0


def _pending(p: Problem) -> int:
    """Sets of a flag between cores that may be waiting."""
    cross = p.target.cross
    assert cross is not None, "cores that hand over have flags between them"
    return cross.pending


def _parts_of_rows(p: Problem, tile: Tile) -> list[int]:
    """Rows of a left operand that may be computed at once with all of K, the most first; all of them where they do not
    lie one behind the other in L1."""
    *outer, last = p.roles.m
    span, found = tile.tiles[last], list[int]()
    least = -(-span // _pending(p)) if p.target.lands else 1
    if any(tile.tiles[d] > 1 for d in outer):
        least = span
    for rows in range(span, least - 1, -1):
        if span % rows == 0 and _fits_rows(p, tile, rows):
            found.append(rows)
            if len(found) == MOST_PARTS:
                break
    return found


def _fits_rows(p: Problem, tile: Tile, rows: int) -> bool:
    """Whether so many whole rows of the left operand can be computed at once."""
    room = operand_room(p, computed_part(p, rows_of(p, tile), rows), p.roles.k)
    return room + ub_of_rows(p, tile) < p.target.spaces["ub"].bytes


def _whole_columns(p: Problem, tile: Tile) -> Tile:
    """The tiles of columns that one core walks, as one."""
    tiles = (p.extents[d] if d == p.roles.n else t for d, t in enumerate(tile.tiles))
    return replace(tile, tiles=tuple(tiles))


def _cores(p: Problem, tile: Tile) -> tuple[int, int]:
    """How many cores share the grid, and how many trailing dimensions each walks alone. Parts of planes that are no
    whole blocks belong to one core."""
    if tile.lead or tile.circular or p.target.dma.unaligned or p.result_blocked:
        return min(tile_count(p, tile), p.target.cores), 0
    return share_columns(p.regions.opened(p.extents), tile.tiles, p.roles.n, p.block, p.target.cores)


def at_all_sizes(regions: Regions, tiling: ProductTiling, packed: bool, target: Target) -> ProductTiling:
    """A tiling that was found at one run-time size, with the cores that it may need at others."""
    problem = problem_of(regions.at(OPEN), packed, target, tiling.drain)
    cores, serial = _cores(problem, tile_of(problem, tiling.tiles, tiling.lead))
    return replace(tiling, cores=cores, serial=serial)


@cache
def _pieces(deepest: int, step: int, grain: int) -> list[int]:
    """K of one product: the largest multiple of `grain` up to `deepest` that divides the step, and `deepest` where that
    is twice as much."""
    best = max((k for k in range(grain, deepest + 1, grain) if step % k == 0), default=grain)
    return [best] if best * 2 > deepest else [deepest, best]


def _chunks(p: Problem, tile: Tile, step: int, rows: int = 0) -> list[tuple[int, int]]:
    """Chunks of the result that UB holds beside the operands' staging: the largest one, and halves of it, which
    overlap more of the store with the Vector unit's work. Where they are whole rows and none fits, some rows of the
    smallest one (0: all)."""
    free = p.target.spaces["ub"].bytes - ub_of_operands(p, tile, step, rows) - ub_of_rows(p, tile)
    if p.roles.k > step and p.roles.k % step:  # the last step, which is shorter, has buffers of its own
        free -= ub_of_operands(in_slots(p, 1), tile, step, rows)
    passing = (
        0 if p.prologue is None or p.target.split or rows else operand_temporaries(p, rows_of(p, tile), step)
    )
    most = MOST_CHUNKS if takes_vector(p) else 1  # FixPipe takes a tile whole
    fitting: list[tuple[int, int]] = []
    for chunk in chunk_sizes(p, tile):
        if fitting and (len(fitting) == most or chunk * 2 > fitting[-1][0]):
            continue
        shared = min(passing, chunk_temporaries(p, tile, chunk)) if passing else 0
        if ub_of_chunk(p, tile, chunk) - shared <= free:
            fitting.append((chunk, 0))
    if fitting or not p.whole_columns or p.roles.chunk_dim == p.roles.n or not cuts_rows(p):
        return fitting
    least = chunk_sizes(p, tile)[-1]
    parts = [
        part for part in range(1, least) if least % part == 0 and ub_of_chunk(p, tile, least, part) <= free
    ]
    return [(least, part) for part in parts[-MOST_PARTS:]]
