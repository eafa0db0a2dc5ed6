"""Contiguous tiles: as large as two slots of everything allow, weighed against the rounds that the cores need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from math import gcd, prod

from ....dialects.element_types import ELEMENT_BYTES, bytes_of
from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ....dialects.tiling import Along, bags_of
from ....runtime.machine.costs import gm_read_cost, hit_rate, index_cost
from ...cost.bags import bag_costs
from ...cost.clock import schedule_cycles
from ...cost.gm_bytes import found_in_l2, write_cycles
from ...cost.group_trace import GroupTrace, ceil_to
from ...cost.partial_tiles import partial_bytes
from ...cost.rearrangement import square_tiles, staging_cycles
from ...cost.rule_trace import trace_group
from ...cost.schedule import Loop, Schedule, Stage
from ...cost.tile_vectors import TileRows, tile_cycles
from ...cost.transfers import store_way
from ...cost.vector import vector_cycles
from ...regions.gather import bag_rows, chunk_bytes, loaded_type, picked_of, picked_rows
from ...regions.loop_invariant_loads import is_shared
from ...regions.regions import Regions
from ...regions.tiling import VectorTiling
from ...selection.store_grain import store_unit
from ...support.values import element_type_of, held_type_of
from .joined_loads import cycles_of_loads, has_all_parts
from .legality import beside_bytes, in_spans, storable

BESIDE = 16384
"""Bytes of UB left for tiles of few elements."""


@dataclass(frozen=True)
class TileShape:
    """What of a vector kernel does not depend on the tile: bytes an element, traced instructions, ragged rows, the
    share of what it reads that L2 has (`hit`)."""

    trace: GroupTrace
    per_element: int
    read: float
    write: int
    ragged: bool
    hit: float


def tile_shape(regions: Regions, target: Target, apart: bool = False) -> TileShape:
    """What does not depend on the tile; `apart`: with buffers of its own for the result."""
    trace = trace_group(regions, target)
    extents = regions.kernel_extents or (1,)
    write = bytes_of(element_type_of(regions.result))
    read = (
        _read_bytes(regions)
        if regions.joins
        else sum(ELEMENT_BYTES[t.type_name] for t in trace.loads if t.full) + _bag_bytes(regions, target)
    )
    stored = regions.result_shape or (1,)
    ragged = len(stored) > 1 and stored[-1] * write % 32 != 0 and not target.dma.unaligned
    ragged = ragged and stored == extents and stored[-1:] != (1,)  # columns of one element leave the lanes
    extra = 8 * bytes_of(held_type_of(regions.result)) if ragged else 0
    per_element, hit = (
        trace.bytes_per_element(regions, apart=apart) + extra,
        found_in_l2(regions.loads, target),
    )
    return TileShape(trace, per_element, read, write, ragged, hit)


def _bag_bytes(regions: Regions, target: Target) -> float:
    """Bytes read for each element of tiles of bags, beside those of an element of the tile."""
    bags = [load for load in regions.loads if bags_of(load.maps) is not None]
    return sum(
        bag_rows(load) * bytes_of(held_type_of(load.value)) - bytes_of(loaded_type(load, target))
        for load in bags
    )


def _read_bytes(regions: Regions) -> float:
    """Bytes read for each element of tiles that join tensors: a part has its own elements alone."""
    elements, total = prod(regions.kernel_extents or (1,)), 0.0
    for load in regions.loads:
        followed = {e.dim for e in regions.kernel_map(load.maps) if isinstance(e, Along)}
        if len(followed) == len(regions.merged):
            share = min(1.0, prod(regions.kernel_shape(load)) / elements)
            total += share * bytes_of(element_type_of(load.value))
    return total


def larger_ub(regions: Regions, shape: TileShape, target: Target) -> int | None:
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


@dataclass(frozen=True)
class _Candidates:
    """What decides which contiguous tiles there are."""

    regions: Regions
    shape: TileShape
    target: Target

    @cached_property
    def priced(self) -> tuple[int, ...]:
        """Extents of the kernel, an open one as it is priced."""
        return self.regions.kernel_extents or (1,)

    @cached_property
    def extents(self) -> tuple[int, ...]:
        return self.regions.opened(self.priced)

    @cached_property
    def stored(self) -> tuple[int, ...]:
        """Extents of the result."""
        return self.regions.opened(self.regions.result_shape or (1,))

    @cached_property
    def unit(self) -> int:
        """Elements that stores write at least."""
        return store_unit(self.target, bytes_of(element_type_of(self.regions.result)))

    @cached_property
    def budget(self) -> int:
        """Bytes of UB for tiles."""
        return self.target.spaces["ub"].bytes - BESIDE

    @cached_property
    def _partial(self) -> Callable[[tuple[int, ...]], int]:
        return partial_bytes(self.shape.trace, self.extents)

    def room(self, tiles: tuple[int, ...]) -> int:
        """Bytes of UB that tiles take."""
        elements = prod(tiles[:-1]) * ceil_to(tiles[-1], 16)
        beside = beside_bytes(self.regions, tiles, self.target) + max(self._partial(tiles) - BESIDE, 0)
        beside += sum(chunk_bytes(load, self.target, tiles[-1]) for load in self.regions.loads)
        return elements * self.shape.per_element + beside

    def legal(self, tiles: tuple[int, ...]) -> bool:
        """Whether their stores end on blocks, or cores share none."""
        ends = storable(self.stored, tuple(map(min, tiles, self.stored)), self.unit, self.regions.factor)
        return ends or in_spans(self.regions, tiles, self.target)

    def before(self, d: int) -> list[int]:
        """Tiles outside of dimension `d`, which is in part: single steps."""
        return [self.extents[i] if i in self.regions.whole else 1 for i in range(d)]

    def most(self, d: int) -> int:
        """The largest tile along `d` with single steps outside of it and all of what is inside; 0 if none fits, or
        where `d` must be whole and does not fit."""
        extents, before, last = self.extents, self.before(d), d == len(self.extents) - 1
        inner = prod(before) * (1 if last else prod(extents[d + 1 : -1]) * ceil_to(extents[-1], 16))
        most = self.budget // self.shape.per_element // inner
        while most > 0:
            tiles = (*before, min(most, extents[d]), *extents[d + 1 :])
            needed = self.room(tiles)
            if needed <= self.budget:
                break
            blocks = tiles[d] // 16 * 16  # their stores need nothing beside them
            if last and 0 < blocks < tiles[d] and self.room((*before, blocks)) <= self.budget:
                most = blocks
                break
            most = min(most - 1, tiles[d] * self.budget // needed)
        return 0 if d in self.regions.whole and most < extents[d] else most

    def sizes(self, d: int, most: int) -> list[int]:
        """Sizes along `d` that are tried: those that give cores equal shares, powers of two, those that end on a block,
        and the largest."""
        whole, extent, last = self.regions.whole, self.extents[d], d == len(self.extents) - 1
        if d in whole:
            return [extent]
        outer = prod(e for i, e in enumerate(self.priced[:d]) if i not in whole)
        sizes: set[int] = set()
        # rounds of the cores: one on part of them, or several
        for rounds in (*(1 / part for part in (8, 4, 2)), *range(1, 65)):
            share = -(-self.priced[d] * outer // max(1, int(self.target.vector_units * rounds)))
            size = ceil_to(share, 128) if last else share
            sizes |= {min(size, extent), min(ceil_to(size, 16), extent)}
        sizes |= {min(most, extent), most // 16 * 16} if most >= 16 else {min(most, extent)}
        sizes.update(2**i for i in range(4, 16) if 2**i < self.priced[d])
        ends = self.unit // gcd(self.unit, prod(self.stored[d + 1 :]))  # so many end on a block
        sizes |= {ends, min(most, extent) // ends * ends}
        return sorted(sizes)

    def parted(self, d: int, most: int) -> Iterator[tuple[int, ...]]:
        """Tiles with at most `most` of `d`: one row of it, or so many that each core's parts of them have blocks of
        their own."""
        extents, before, last = self.extents, self.before(d), d == len(self.extents) - 1
        rows = 1
        if last and d > 0 and d - 1 not in self.regions.whole:
            rows = min(self.unit // gcd(self.unit, extents[-1]), extents[d - 1])
        sizes = self.sizes(d, most)
        for size, high in ((size, high) for high in sorted({1, rows}) for size in sizes):
            fits = 1 <= size <= min(most // high, extents[d])
            if fits and not (last and d > 0 and size < extents[d] and size % 16):
                outside = [max(high, before[d - 1])] if d else []
                yield (*before[: d - 1], *outside, size, *extents[d + 1 :])


def vector_tiles(regions: Regions, shape: TileShape, target: Target) -> Iterator[tuple[int, ...]]:
    """Contiguous tiles: one dimension in part, single steps outside it, all of what is inside; the inner ones too while
    there are fewer tiles than cores. Those that end on a block, if any fit."""
    of = _Candidates(regions, shape, target)
    found, parallel, moves = False, 0, False
    others: list[tuple[int, ...]] = []
    for tiles in square_tiles(regions):
        moves, fits = True, of.room(tiles) <= of.budget
        if fits and of.legal(tiles):
            found = True
            yield tiles
        elif fits and not regions.factor:
            others.append(tiles)
    rank = len(of.extents)
    for d in [d for d in range(rank) if d not in regions.whole] or [0]:
        most = of.most(d)
        if most < 1:
            continue
        for tiles in of.parted(d, most):
            if moves and of.room(tiles) > of.budget:
                continue
            if of.legal(tiles):
                found = True
                parallel = max(parallel, prod(-(-e // t) for e, t in zip(of.priced, tiles, strict=True)))
                yield tiles
            elif not regions.factor or regions.factor % tiles[0] == 0:
                others.append(tiles)
        enough = parallel >= target.vector_units
        if found and enough and not moves and (most >= of.extents[d] or (d < rank - 1 and most >= 16)):
            return
    if not found:
        yield from others


def no_tile(regions: Regions, target: Target, tiles: tuple[int, ...], apart: bool = False) -> str:
    """Why sizes are no contiguous tile, in words; empty where they are one."""
    of = _Candidates(regions, tile_shape(regions, target, apart), target)
    for d, (size, extent) in enumerate(zip(tiles, of.priced, strict=True)):
        if not 1 <= size <= extent:
            return f"dimension {d} has {extent} indices"
        if d in of.regions.whole and size < extent:
            return f"dimension {d} is whole in a tile: {extent}"
    needed = of.room(tiles)
    if needed > of.budget:
        return f"the tile needs {needed} B of UB, {needed - of.budget} more than {target.name} has for tiles"
    if not of.legal(tiles):
        return f"stores end on blocks of {of.unit} elements, and two cores would write one"
    return ""


@dataclass(frozen=True)
class _Flow:
    """What a tile takes whatever way its loads and its store take: cycles of its reads at least, of what all cores
    write together, of its instructions; how often a core computes one."""

    tiles: tuple[int, ...]
    read: float
    latency: float
    shared: float
    compute: float
    rounds: int

    @staticmethod
    def of(regions: Regions, tiling: VectorTiling, target: Target, shape: TileShape) -> _Flow:
        extents = regions.kernel_extents or (1,)
        tiles = tuple(map(min, tiling.tiles, extents))
        elements = prod(tiles[:-1]) * ceil_to(tiles[-1], 16)
        lines = _lines(regions, tiles, target)
        bytes_ = int(elements * shape.read * lines.hbm)
        load = gm_read_cost(target, max(bytes_, 32), shape.hit, "ub", tiling.cores)
        written = prod(map(min, tiles, regions.result_shape or (1,)))
        return _Flow(
            tiles,
            max(load.busy, elements * shape.read * lines.port),
            load.latency,
            write_cycles(regions, target, written * shape.write * tiling.cores),
            vector_cycles(shape.trace, elements, target),
            tiling.rounds(extents),
        )


def contiguous_bound(regions: Regions, tiling: VectorTiling, target: Target, shape: TileShape) -> float:
    """Cycles that no kernel with these contiguous tiles takes less of, but for how floats are rounded."""
    flow = _Flow.of(regions, tiling, target, shape)
    before = flow.rounds - 1
    busiest = max(before * flow.compute, before * flow.read + max(0, before - 2) * flow.shared)
    once = flow.read + flow.latency + flow.compute + target.path("ub", "gm").first_latency
    return (busiest + once) * (1 - 1e-9)


def contiguous_time(
    regions: Regions, tiling: VectorTiling, target: Target, shape: TileShape | None = None
) -> float:
    """Predicted cycles of a kernel with contiguous tiles."""
    shape = shape or tile_shape(regions, target)
    extents, flow = regions.kernel_extents or (1,), _Flow.of(regions, tiling, target, shape)
    tiles, shared, rounds = flow.tiles, flow.shared, flow.rounds
    stored = store_way(regions, tiles, target)
    write, latency = stored.busy, target.path("ub", "gm").first_latency
    moved = [load for load in regions.loads if not is_shared(regions, load, tiling)]
    whole = not regions.joins or has_all_parts(regions, tiles)
    """Whether a tile has all that is joined; else it has one part at a time, but for rows that go beyond one."""
    each = cycles_of_loads(regions, moved, tiles, target, tiling.cores)
    read = max(flow.read, sum(each) if whole else target.path("gm", "ub").issue * len(each))
    compute = tile_cycles(shape.trace, TileRows.of(tiles, extents), target) + stored.vector
    staged = [staging_cycles(regions, load, tiles, target, tiling.cores) for load in regions.loads]
    compute, read = compute + sum(s.vector for s in staged), max(read, sum(s.dma for s in staged))
    fetched = picked_rows(regions, tiling.tiles)
    if fetched:  # one DMA each, whose address the scalar unit reads
        read = max(read, fetched * target.path("gm", "ub").issue)
        read = max(read, fetched * (index_cost(target).busy + 2 * target.scalar.issue))
    for one in regions.loads:
        if bags_of(one.maps) is not None:
            costs, count = bag_costs(one, target, tiles[-1]), prod(tiles[d] for d in picked_of(regions, one))
            compute += count * costs.cycles
            # a chunk's rows are there, and then one slot is free again
            waits = count * costs.chunks * (flow.latency + costs.each) / 2
            read = max(read, waits) + count * 2 * index_cost(target).busy
    several = whole or (regions.kernel_shape(regions.loads[0]) or (1,))[-1] < tiles[-1]
    parts = [one / sum(each) for one in each] if several and sum(each) else [1.0]
    flat, around = target.vector.latency, flow.latency + 2 * target.vector.latency
    # parts that are joined, of which each is staged, are waited for one after the other
    arrivals = max(1, sum(s.vector > 0 for s in staged)) if regions.joins else 1
    loads = [
        Stage("MTE2", part * read, arrivals * flow.latency, writes=(f"in{i}",), hbm=part * read)
        for i, part in enumerate(parts)
    ]
    if tiling.spans:  # what repeats along a row is waited for in every tile
        waits = sum(s.waits for s in staged) + sum(not one.full for one in shape.trace.loads) * around
        loads.append(Stage("MTE2", 0.0, waits, writes=("row",)))
    read_in = tuple(name for one in loads for name in one.writes)
    vector = _vector_stages(compute, len(shape.trace.steps), flat, read_in)
    out = ("out",) if vector else ()
    # loads are in the tile, or staged: then two tiles are under way at most, and each passes all pipes
    in_tile = any(s.vector for s in staged) or regions.joins or tiling.spans
    through = read_in if in_tile or not vector else ()
    store = Stage("MTE3", write, latency, (*through, *out), hbm=shared)
    shares = [Stage("MTE2", around + latency)] if tiling.spans else []  # the block of two cores
    # event ids are too few for two slots beside that block, or where several loads are staged
    slots = 1 if tiling.spans or arrivals > 1 else 2
    counts = dict.fromkeys((*read_in, *out), slots) | {"row": 1, "rows": 1, "work": 1}

    def cycles(loads: list[Stage]) -> float:
        return schedule_cycles(Schedule(Loop(1, (*shares, Loop(rounds, (*loads, *vector, store)))), counts))

    # nothing overlaps rows that are set before
    after = 0.0 if tiling.spans else max((s.share for s in staged), default=0.0)
    rows = [Stage("V", 0.0, 2 * flat, writes=("rows",)), replace(loads[0], reads=("rows",)), *loads[1:]]
    return (after and after * cycles(rows)) + (1 - after and (1 - after) * cycles(loads))


def _vector_stages(compute: float, steps: int, latency: float, read: tuple[str, ...]) -> list[Stage]:
    """So many instructions, of which the first one reads what was loaded and the last one gives the result: what goes
    from one to another is in one slot."""
    if not compute:
        return []
    if steps < 2:
        return [Stage("V", compute, latency, read, ("out",))]
    return [
        Stage("V", compute / steps, latency, read, ("work",)),
        Stage("V", compute * (steps - 2) / steps),
        Stage("V", compute / steps, latency, ("work",), ("out",)),
    ]


@dataclass(frozen=True)
class Lines:
    """What the lines of L2 cost that a tile of few columns is in: bytes of HBM and cycles of a core's port for
    each of its own bytes."""

    hbm: float = 1.0
    port: float = 0.0


def _lines(regions: Regions, tiles: tuple[int, ...], target: Target) -> Lines:
    """Cores side by side read the same lines, which come whole through the port of each. HBM gives them once, but where
    L2 does not keep a line that was asked for in part."""
    extents, memory = regions.kernel_extents or (1,), target.memory
    if not regions.whole or tiles[-1] == extents[-1]:
        return Lines()
    run = tiles[-1] * bytes_of(element_type_of(regions.result))
    times = ceil_to(run, memory.l2_line) / run
    if memory.sector > 1 and run % memory.sector:
        return Lines(times)
    return Lines(
        1.0, times / (hit_rate(target, target.path("gm", "ub")) if memory.sector else memory.hbm_read)
    )
