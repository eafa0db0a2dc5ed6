"""Tile sizes: a search over the legal ones with the cost functions that the emulator charges.

`search_vector` sizes kernels without a product: contiguous tiles, as large as two slots of everything allow, weighed
against the number of rounds that the cores need. Kernels with a product are in `cube_search`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from heapq import nsmallest
from math import gcd, prod

from ..dialects.ascend.memory import ELEMENT_BYTES
from ..dialects.target import Target
from ..runtime.costs import gm_read_cost, index_cost, launch_us
from .gm_bytes import write_cycles
from .graph_values import element_type_of, held_type_of
from .grid_rules import store_unit
from .group_trace import GroupTrace, ceil_to
from .index_tables import picked_rows
from .kernel_regions import Regions
from .lane_layout import lane_dim
from .move_costs import load_cycles, store_way
from .moved_loads import square_tiles, staging_cycles
from .part_search import part_tilings, part_time
from .partial_tiles import partial_bytes
from .row_lane_search import row_lane_tilings, row_lane_time
from .run_size import OPEN
from .shared_loads import is_shared
from .tile_rules import NoTileError, beside_bytes, in_spans, storable, with_cores
from .tiling_plan import VectorTiling
from .trace_rule import trace_group
from .vector_cycles import vector_cycles
from .window_search import window_tiling, window_tilings, window_time

BESIDE = 16384
"""Bytes of UB left for tiles of few elements."""


@dataclass(frozen=True)
class _Shape:
    """What of a vector kernel does not depend on the tile: bytes an element, traced instructions, ragged rows."""

    trace: GroupTrace
    per_element: int
    read: int
    write: int
    ragged: bool


def search_vector(regions: Regions, target: Target) -> VectorTiling:
    """The contiguous tile with the least predicted time; `NoTileError` when none fits."""
    return best_vector_tilings(regions, target, 1)[0]


def best_vector_tilings(regions: Regions, target: Target, count: int) -> list[VectorTiling]:
    """The `count` tilings with the least predicted time, best first; `NoTileError` when none fits."""
    timed: list[tuple[float, int, VectorTiling]] = []
    if lane_dim(regions) >= 0:
        timed = [(time, i, tiling) for i, (time, tiling) in enumerate(window_tilings(regions, target))]
        if not timed:
            space = target.spaces["ub"].bytes
            raise NoTileError(
                regions.ops[-1],
                f"not one row of 16 channels and its window fits in the {space} B of UB of {target.name}",
            )
        return [tiling for _, _, tiling in nsmallest(count, timed)]
    shape = _shape(regions, target)
    for i, tiles in enumerate(vector_tiles(regions, shape, target)):
        tiling = with_cores(regions, tiles, target)
        time = vector_time(regions, tiling, target, shape) + start_cycles(target, tiling.cores)
        timed.append((time, i, tiling))
    for time, tiling in row_lane_tilings(regions, target):
        timed.append((time + start_cycles(target, tiling.cores), len(timed), tiling))
    if not timed and not regions.whole:
        space = target.spaces["ub"].bytes
        least = _larger_ub(regions, shape, target)
        more = "" if least is None else f"; one would fit in {least} B"
        raise NoTileError(regions.ops[-1], f"no tile fits in the {space} B of UB of {target.name}{more}")
    if not timed:  # rows that no tile holds in full
        timed = [(time, i, tiling) for i, (time, tiling) in enumerate(part_tilings(regions, target))]
    elif regions.whole and max(tiling.cores for _, _, tiling in timed) < target.vector_units:
        timed += _owned_parts(regions, target, len(timed))
    return [tiling for _, _, tiling in nsmallest(count, timed)]


def _owned_parts(regions: Regions, target: Target, first: int) -> list[tuple[float, int, VectorTiling]]:
    """Tilings in parts of rows, numbered from `first` on, that more cores may share than whole rows: of these UB holds
    too few for blocks of the result."""
    try:
        parts = list(part_tilings(regions, target))
    except NoTileError:
        return []
    starts = (start_cycles(target, tiling.cores) for _, tiling in parts)
    return [
        (time + start, first + i, one)
        for i, ((time, one), start) in enumerate(zip(parts, starts, strict=True))
    ]


def start_cycles(target: Target, cores: int) -> float:
    """Cycles of a launch on so many cores."""
    return launch_us(target, cores) * target.clock_mhz


def _shape(regions: Regions, target: Target) -> _Shape:
    trace = trace_group(regions, target)
    extents = regions.kernel_extents or (1,)
    write = ELEMENT_BYTES[str(element_type_of(regions.result))]
    read = sum(ELEMENT_BYTES[t.type_name] for t in trace.loads if t.full)
    stored = regions.result_shape or (1,)
    ragged = len(stored) > 1 and stored[-1] * write % 32 != 0 and not target.dma.unaligned
    ragged = ragged and stored == extents and stored[-1:] != (1,)  # columns of one element leave the lanes
    extra = 8 * ELEMENT_BYTES[str(held_type_of(regions.result))] if ragged else 0
    return _Shape(trace, trace.bytes_per_element(regions) + extra, read, write, ragged)


def _larger_ub(regions: Regions, shape: _Shape, target: Target) -> int | None:
    """Bytes of UB in which a tile fits, little more than those in which none does; None where 16 MB are not enough."""
    ub = target.spaces["ub"]

    def has_tiles(blocks: int) -> bool:
        larger = replace(target, spaces={**target.spaces, "ub": replace(ub, bytes=32 * blocks)})
        return next(vector_tiles(regions, shape, larger), None) is not None

    low, high = ub.bytes // 32, 1 << 19
    if not has_tiles(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if has_tiles(middle) else (middle + 1, high)
    return 32 * high


def vector_tiles(regions: Regions, shape: _Shape, target: Target) -> Iterator[tuple[int, ...]]:
    """Contiguous tiles: one dimension in part, single steps outside it, all of what is inside; the inner ones too while
    there are fewer tiles than cores. Those that end on a block, if any fit."""
    priced = regions.kernel_extents or (1,)
    extents = regions.opened(priced)
    budget, per_element, partial = (
        target.spaces["ub"].bytes - BESIDE,
        shape.per_element,
        partial_bytes(shape.trace, extents),
    )
    unit = store_unit(target, ELEMENT_BYTES[str(element_type_of(regions.result))])
    stored, whole = regions.opened(regions.result_shape or (1,)), regions.whole
    found, parallel = False, 0
    others: list[tuple[int, ...]] = []

    def room(tiles: tuple[int, ...]) -> int:
        elements = prod(tiles[:-1]) * ceil_to(tiles[-1], 16)
        return elements * per_element + beside_bytes(regions, tiles, target) + max(partial(tiles) - BESIDE, 0)

    def legal(tiles: tuple[int, ...]) -> bool:
        ends = storable(stored, tuple(map(min, tiles, stored)), unit, regions.factor)
        return ends or in_spans(regions, tiles, target)

    moves = False
    for tiles in square_tiles(regions):
        moves, fits = True, room(tiles) <= budget
        if fits and legal(tiles):
            found = True
            yield tiles
        elif fits and not regions.factor:
            others.append(tiles)
    parted = [d for d in range(len(extents)) if d not in whole] or [0]
    for d in parted:
        last = d == len(extents) - 1
        before = [extents[i] if i in whole else 1 for i in range(d)]
        inner = prod(before) * (1 if last else prod(extents[d + 1 : -1]) * ceil_to(extents[-1], 16))
        most = budget // per_element // inner
        while most > 0:
            tiles = (*before, min(most, extents[d]), *extents[d + 1 :])
            needed = room(tiles)
            if needed <= budget:
                break
            blocks = tiles[d] // 16 * 16  # their stores need nothing beside them
            if last and 0 < blocks < tiles[d] and room((*before, blocks)) <= budget:
                most = blocks
                break
            most = min(most - 1, tiles[d] * budget // needed)
        if most < 1 or (d in whole and most < extents[d]):
            continue
        outer = prod(e for i, e in enumerate(priced[:d]) if i not in whole)
        sizes: set[int] = set()
        for rounds in (
            *(1 / part for part in (8, 4, 2)),
            *range(1, 65),
        ):  # one on part of the cores, or several
            share = -(-priced[d] * outer // max(1, int(target.vector_units * rounds)))
            size = ceil_to(share, 128) if last else share
            sizes |= {min(size, extents[d]), min(ceil_to(size, 16), extents[d])}
        sizes |= {min(most, extents[d]), most // 16 * 16} if most >= 16 else {min(most, extents[d])}
        sizes.update(2**i for i in range(4, 16) if 2**i < priced[d])
        ends = unit // gcd(unit, prod(stored[d + 1 :]))  # so many end on a block
        sizes |= {ends, min(most, extents[d]) // ends * ends}
        if d in whole:
            sizes = {extents[d]}
        # parts of so many rows at once leave every core its own blocks
        rows = (
            min(unit // gcd(unit, extents[-1]), extents[d - 1])
            if last and d > 0 and d - 1 not in whole
            else 1
        )
        for size, high in ((size, high) for high in sorted({1, rows}) for size in sorted(sizes)):
            tiles = (*before[: d - 1], *([max(high, before[d - 1])] if d else []), size, *extents[d + 1 :])
            fits = 1 <= size <= min(most // high, extents[d])
            fits = fits and not (last and d > 0 and size < extents[d] and size % 16)
            if moves:
                fits = fits and room(tiles) <= budget
            if fits and legal(tiles):
                found = True
                parallel = max(parallel, prod(-(-e // t) for e, t in zip(priced, tiles, strict=True)))
                yield tiles
            elif fits and (not regions.factor or regions.factor % tiles[0] == 0):
                others.append(tiles)
        enough = parallel >= target.vector_units
        if found and enough and not moves and (most >= extents[d] or (not last and most >= 16)):
            return
    if not found:
        yield from others


def at_all_sizes(regions: Regions, tiling: VectorTiling, target: Target) -> VectorTiling:
    """A tiling that was found at one run-time size, with the cores that it may need at others."""
    if tiling.lanes >= 0:
        return window_tiling(regions.at(OPEN), tiling.tiles, target)
    return replace(with_cores(regions.at(OPEN), tiling.tiles, target), part=tiling.part)


def vector_time(regions: Regions, tiling: VectorTiling, target: Target, shape: _Shape | None = None) -> float:
    """Predicted cycles of the kernel: a pipeline of load, compute and store, filled once and drained once."""
    if tiling.lanes >= 0:
        time = window_time if lane_dim(regions) >= 0 else row_lane_time
        return time(regions, tiling, target)
    if tiling.part:
        return part_time(regions, tiling, target)
    shape = shape or _shape(regions, target)
    extents = regions.kernel_extents or (1,)
    points = prod(-(-e // t) for e, t in zip(extents, tiling.tiles, strict=True))
    tiles = tuple(map(min, tiling.tiles, extents))
    elements = prod(tiles[:-1]) * ceil_to(tiles[-1], 16)
    bytes_ = int(elements * shape.read * _lines(regions, tiles, target))
    load = gm_read_cost(target, max(bytes_, 32), 0.0, "ub", tiling.cores)
    written = prod(map(min, tiles, regions.result_shape or (1,)))
    stored = store_way(regions, tiles, target)
    write, latency = stored.busy, target.path("ub", "gm").latency
    shared = write_cycles(regions, target, written * shape.write * tiling.cores)
    moved = [load for load in regions.loads if not is_shared(regions, load, tiling)]
    each = [load_cycles(regions, one, tiles, target, tiling.cores) for one in moved]
    read = max(load.busy, target.path("gm", "ub").issue * len(each) if regions.joins else sum(each))
    compute = vector_cycles(shape.trace, elements, target) + stored.vector
    staged = [staging_cycles(regions, load, tiles, target, tiling.cores) for load in regions.loads]
    compute, read = compute + sum(s.vector for s in staged), max(read, sum(s.dma for s in staged))
    fetched = picked_rows(regions, tiling.tiles)
    if fetched:  # one DMA each, whose address the scalar unit reads
        read = max(read, fetched * target.path("gm", "ub").issue)
        read = max(read, fetched * (index_cost(target).busy + 2 * target.scalar.issue))
    rounds = -(-points // tiling.cores) + tiling.spans
    slowest = max(read + shared, compute + target.vector.latency, write)
    # there are two slots, and each is free again once the DMA and the one instruction beside it are through with it
    once = compute / max(1, len(shape.trace.steps)) + 2 * target.vector.latency
    slowest = max(slowest, (read + load.latency + once) / 2, (once + write + latency) / 2)
    if not compute and not any(s.vector for s in staged):  # one buffer for both, in two slots
        slowest = max(slowest, (read + load.latency + write + latency) / 2)
    waits = sum(s.waits for s in staged)
    if (
        tiling.spans
    ):  # what repeats along a row is waited for in every tile, and once the block that two cores share
        around = load.latency + 2 * target.vector.latency
        waits += sum(not one.full for one in shape.trace.loads) * around
        compute, slowest = compute + around + latency, slowest + waits
    elif waits:
        slowest = max(slowest, read + compute + waits)
    if any(s.vector for s in staged) or regions.joins:
        # two tiles are under way at most, one in each slot, and each passes all pipes
        hand_overs = load.latency + latency + 4 * target.vector.latency
        slowest = max(slowest, (read + compute + write + hand_overs) / 2)
    return rounds * slowest + read + load.latency + compute + write + latency - slowest


def _lines(regions: Regions, tiles: tuple[int, ...], target: Target) -> float:
    """How many bytes of L2's lines a byte of a tile takes that holds few columns of rows."""
    extents = regions.kernel_extents or (1,)
    if not regions.whole or tiles[-1] == extents[-1]:
        return 1.0
    run = tiles[-1] * ELEMENT_BYTES[str(element_type_of(regions.result))]
    return ceil_to(run, target.memory.l2_line) / run


__all__ = ["search_vector", "vector_tiles", "vector_time"]
