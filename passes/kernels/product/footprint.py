"""Bytes of UB and L1 that a tile of a product takes: staging of its operands, chunks of its result, both operands."""

from dataclasses import replace
from math import prod

from ....dialects.element_types import bytes_of
from ....dialects.records import dataclass
from ....dialects.tile import BLOCK
from ...cost.group_trace import ceil_to
from ...lowering.transfers.pack_rows import packs, span_scratch, store_scratch
from ...lowering.transfers.store_circular import MOST_CHANNELS, circular_scratch
from ...lowering.transfers.store_partial_rows import blocks_scratch
from ...regions.tiling import ProductTiling, product_spans
from ...selection.row_pitch import row_pitch
from ...support.values import element_type_of
from .circular_rows import own_pixels, pieces_room
from .load_costs import feeds_filters
from .operands import computed_part, operand_room, rows_of, staged_groups_of
from .problem import Problem, Tile, chunk_shape, chunks_of, landing_bytes, remembered, takes_vector
from .tiles import covers_rows, cuts_rows, in_spans


@dataclass(frozen=True)
class OnChip:
    """Bytes of L1 and of UB."""

    l1: int
    ub: int

    def fits(self, room: "OnChip") -> bool:
        """Whether there is room for them."""
        return self.l1 <= room.l1 and self.ub <= room.ub


def bytes_of_tiles(p: Problem, tile: Tile, tiling: ProductTiling, rounds: int) -> OnChip:
    """What the `rounds` tiles of a core take, with the slots that `ascend-multi-buffer` gives. What comes to life once
    on a core has one: operands in L1 of one step of one tile, one chunk of it. Vector cores beside the Cube loop over
    halves of theirs. A last step that is shorter has buffers of its own, as large as the others."""
    once = in_slots(p, 1)
    loaded = once if rounds * -(-p.roles.k // tiling.step) == 1 else p
    l1 = l1_of_tile(loaded, tile, tiling.step, tiling.resident, tiling.keeps)
    ub = ub_of_operands(p, tile, tiling.resident or tiling.step, tiling.rows)
    if p.roles.k > tiling.step and p.roles.k % tiling.step:
        l1 += l1_of_operands(once, tile, tiling.step)
        ub += ub_of_operands(once, tile, tiling.step)
    if takes_vector(p):
        once = rounds * chunks_of(p, tile, tiling.chunk) == 1 and not p.target.split
        ub += ub_of_rows(p, tile) + ub_of_chunk(p, tile, tiling.chunk, tiling.part, 1 if once else 2)
    return OnChip(l1, ub)


@remembered
def in_slots(p: Problem, slots: int) -> Problem:
    """The same problem with so many slots of what brings the operands to the Cube."""
    return replace(p, slots=slots)


@remembered
def ub_of_operands(p: Problem, tile: Tile, step: int, rows: int = 0) -> int:
    """UB bytes that staging the operands takes."""
    covered = tile.lead > 0 and covers_rows(p.extents, tile.tiles, p.roles)
    elements = 0
    if tile.circular:
        elements += pieces_room(p, tile, step)
    if p.prologue is not None:
        elements += -(-operand_room(p, computed_part(p, rows_of(p, tile), rows), step) // (p.slots * p.item))
    elif p.target.split and not p.window:
        return 0
    elif p.lhs_blocked or p.held:
        elements = 0
    elif p.window:
        elements += 2 * 16 * tile.staged * staged_groups_of(p, tile, step)
    elif not p.target.dma.nd2nz or tile.m % 16 or p.contraction.transpose_lhs or covered:
        elements += 2 * tile.m16 * ceil_to(step, 16)
    if not p.packed and p.window and (not p.target.split or feeds_filters(p)):
        elements += 3 * 16 * 16 * p.taps
    elif not p.packed and not p.target.split:
        elements += 2 * tile.n16 * ceil_to(step, 16)
    return p.slots * elements * p.item


@remembered
def ub_of_chunk(p: Problem, tile: Tile, chunk: int, part: int = 0, slots: int = 2) -> int:
    """UB bytes of a chunk of the result: itself in so many slots, staging for every full operand, what its store needs;
    of a chunk of which `part` rows are computed at once, what these need. FixPipe leaves in L1 what another product
    reads: that takes none."""
    if p.feeds and not takes_vector(p):
        return 0
    n, m = chunk_shape(p, tile, chunk)
    if part:
        each = p.per_element + 4 * p.full_loads + 2 * p.out
        rows = _between_rows(p, n, m) if p.rows_last else 0
        return n * (m * 2 * p.out + part * each) + rows + landing_bytes(p, tile, chunk)
    scratch = _store_scratch(p, tile, n, m)
    per_element = p.per_element if slots == 2 else p.trace.bytes_per_element(p.regions, slots)
    each = per_element + 2 * slots * p.staged_loads - p.out * _slots_less(p, tile, slots)
    return n * m * each + scratch + landing_bytes(p, tile, chunk)


def _slots_less(p: Problem, tile: Tile, slots: int) -> int:
    """Two tiles of a chunk are counted in `slots` slots: the result, and its rows as they are stored. How many of them
    there are not: what leaves UB as it lies is one tile; a result that is turned over, and rows that are then packed,
    have one slot, because only Vector touches them. The rows of those that go round are counted with what their store
    needs."""
    if p.leaves_as_it_lies:
        return slots
    if tile.circular:
        return 2 * slots - 1
    if p.target.split or p.rows_last:
        return 0
    packed = tile.m % p.block and tile.m == prod(p.extents[p.roles.n + 1 :]) and packs(tile.m)
    return (2 if packed else 1) * (slots - 1)


@remembered
def chunk_temporaries(p: Problem, tile: Tile, chunk: int) -> int:
    """Those of a chunk's UB bytes that only Vector touches: the chunk itself, unless it is what is stored, and what its
    store needs."""
    n, m = chunk_shape(p, tile, chunk)
    if p.leaves_as_it_lies and p.trace.in_place:
        return 0
    return n * m * p.out + _store_scratch(p, tile, n, m)


def _store_scratch(p: Problem, tile: Tile, n: int, m: int) -> int:
    """UB bytes that n columns and m rows of a product need beside them on their way out of UB."""
    if p.feeds:  # lanes of channels that do not exist are set to zero
        return BLOCK * tile.m16 * p.out if p.extents[p.roles.n] % BLOCK else 0
    if p.result_blocked:
        return 0
    if tile.circular:
        return circular_scratch(n, *own_pixels(p, tile)) * p.out
    if tile.lead:
        return blocks_scratch(m, tile.tiles[p.roles.n], p.extents[p.roles.n]) * p.out
    if p.target.dma.unaligned:  # positions that do not fill a block of 16 are turned over apart
        return _between_rows(p, n, m) if p.rows_last else BLOCK * ceil_to(n, BLOCK) * p.out
    rows = (m, tile.tiles[p.roles.n]) if p.rows_last else (n, tile.m)
    if rows[1] % p.block == 0 and (p.rows_last or _even_planes(p, tile)):
        return 0
    whole = rows[1] == prod(p.extents[p.roles.n + (not p.rows_last) :]) or rows[1] % p.block == 0
    shared = span_scratch(p.block) if in_spans(p, tile) else 0
    return (store_scratch(*rows, p.block, whole) + shared) * p.out


def _between_rows(p: Problem, n: int, m: int) -> int:
    """UB bytes between `m` rows of `n` columns on their way out, with two slots."""
    pitch = row_pitch(p.target, n, p.out) if n > BLOCK and m > 1 else ceil_to(n, BLOCK)
    return 2 * m * (pitch - ceil_to(n, BLOCK)) * p.out


def _even_planes(p: Problem, tile: Tile) -> bool:
    """Whether all parts of a plane that tiles store are whole blocks, however the last tile is shifted. Vector cores
    beside a Cube core need room for the rows that land."""
    if p.target.split:
        return False
    extents, tiles, n = p.extents, tile.tiles, p.roles.n
    whole = tiles[n + 2 :] == extents[n + 2 :]
    return prod(extents[n + 1 :]) % p.block == 0 and (whole or extents[-1] % p.block == 0)


@remembered
def ub_of_rows(p: Problem, tile: Tile) -> int:
    """UB bytes of operands of the epilogue that are a row, and of masks. What works on whole rows has them in f32
    too. Those of what FixPipe leaves in L1 do not come to UB."""
    if p.feeds and not takes_vector(p):
        return 0
    rows = len(p.trace.loads) - p.full_loads if p.whole_columns else 1
    return 16 * tile.n16 * max(rows, 1) + 1024


def l1_of_tile(p: Problem, tile: Tile, step: int, resident: int = 0, keeps: bool = False) -> int:
    """L1 bytes of both operands, and of rows for tables beside the Cube."""
    return l1_of_operands(p, tile, step, resident, keeps) + l1_of_rows(p, tile)


@remembered
def l1_of_rows(p: Problem, tile: Tile) -> int:
    """L1 bytes of rows on their way to the tables beside the Cube, or longer than these: a bias, slopes."""
    if p.drain is None:
        return 0
    align = p.target.spaces["l1"].align
    items = (bytes_of(element_type_of(row.value)) for row in p.drain.rows.values())
    return sum(ceil_to(tile.n16 * item, align) for item in items)


def l1_of_operands(p: Problem, tile: Tile, step: int, resident: int = 0, keeps: bool = False) -> int:
    """L1 bytes of both operands."""
    depth = ceil_to(step, p.grain)
    if resident:
        left = (tile.pixels if p.window else tile.m16) * ceil_to(p.roles.k, 16)
        return (left + p.slots * tile.n16 * depth) * p.item
    lhs = 0 if p.held else tile.pixels * (step // p.taps) if p.window else tile.m16 * depth
    rhs = tile.n16 * (ceil_to(p.roles.k, p.grain) if keeps else p.slots * depth)
    return (p.slots * lhs + rhs) * p.item


@remembered
def chunk_sizes(p: Problem, tile: Tile) -> list[int]:
    """Legal chunks of a tile along `Roles.chunk_dim`, the largest first."""
    roles = p.roles
    if roles.chunk_dim == roles.n:
        unit, planes = p.block if p.rows_last else 16, prod(p.extents[roles.n + 1 :])
        options = [c for c in range(unit, tile.n16 + 1, unit) if tile.n16 % c == 0] + [tile.n16]
        if p.rows_last and not cuts_rows(p):
            options = [tile.n16]
        if tile.circular:
            options = [c for c in options if c <= MOST_CHANNELS]
        elif p.extents[roles.n] % 16 and not (p.target.dma.unaligned or planes % p.block == 0):
            options = [tile.n16]
        if p.whole_columns:
            options = [tile.n16]
        if p.contraction.groups > 1 and tile.tiles[roles.n] % 16:  # the next columns are another tile's
            options = [tile.n16]
    else:
        span = product_spans(p.regions, tile.tiles)[roles.chunk_dim]
        options = [c for c in range(p.block, span + 1, p.block) if span % c == 0] + [span]
        # rows shorter than a block are stored only end to end, and Vector cores take rows that follow each other
        if tile.m > span and (p.extents[roles.n] < p.block or p.target.split):
            options = [span]
    return sorted(set(options), reverse=True)
