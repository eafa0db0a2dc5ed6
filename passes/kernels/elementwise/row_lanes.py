"""Tile sizes of Vector kernels whose lanes are rows of GM (`lowering/transfers/row_lanes.py`): where elements that are
close together in GM are interleaved, repeated or turned, tiles with the last dimension in their lanes would be mostly
padding, or come and go in bursts of a few bytes.

What a tile costs is added up as the lowering emits it: a DMA of rows, transposes, what is computed or put in order,
transposes back, a DMA of rows.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from math import gcd, prod

from ....dialects.element_types import ELEMENT_BYTES, bytes_of, name_of
from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ....dialects.tile import BLOCK, layout_of
from ....dialects.tiling import Along, Unit, reaches_outside
from ....runtime.machine.costs import copy_cost, transpose_cost
from ...cost.clock import schedule_cycles
from ...cost.gm_bytes import write_cycles
from ...cost.group_trace import GroupTrace, ceil_to
from ...cost.rearrangement import bursts_cost, rearrangement
from ...cost.rule_trace import trace_group
from ...cost.schedule import Loop, Schedule, Stage
from ...cost.vector import vector_cycles
from ...lowering.transfers.row_lanes import elements_of_row, row_walks
from ...regions.regions import Regions
from ...regions.tiling import VectorTiling
from ...selection.store_grain import apart, store_unit
from ...selection.transfers import Run, transfers
from ...selection.vector_shapes import Dim, choose, merged
from ...support.values import element_type_of, held_type_of

ROWS = (16, 32, 48, 64, 96, 128, 256)
"""Rows of a tile that are tried."""
SHORT = 64
"""Bytes of a result's row below which tiles with its elements in the lanes are mostly padding or small bursts."""


def lane_rows(regions: Regions, target: Target) -> list[int]:
    """The kernel dimensions of which 16 rows may be the lanes; none where the last one serves."""
    extents, last = regions.kernel_extents, len(regions.kernel_extents) - 1
    plain = not (regions.factor or regions.rows or regions.joins or regions.product is not None)
    if last < 1 or not plain or regions.result_shape != extents or not regions.loads:
        return []
    item = bytes_of(element_type_of(regions.result))
    small = tuple(min(16, e) for e in extents)
    turned = (rearrangement(regions, load, small) for load in regions.loads)
    if extents[last] * item >= SHORT and not any(found is not None and found.turned for found in turned):
        return []
    values = [regions.result, *(load.value for load in regions.loads)]
    if any(layout_of(v.type) is not None or element_type_of(v) != held_type_of(v) for v in values):
        return []
    followed: list[list[int]] = []
    for load in regions.loads:
        entries = [e for e in regions.kernel_map(load.maps) if not isinstance(e, Unit)]
        dims = [e.dim for e in entries if isinstance(e, Along) and e.is_identity]
        outside = reaches_outside(
            regions.kernel_map(load.maps), regions.kernel_shape(load), dict(enumerate(extents))
        )
        if len(dims) < len(entries) or outside:  # padding is set beside rows, not in lanes
            return []
        followed.append(dims)
    return [d for d in range(last) if all(d in dims and dims[-1] != d for dims in followed)]


@dataclass(frozen=True)
class RowLanes:
    """What of such a kernel does not depend on its tiles."""

    regions: Regions
    target: Target

    @cached_property
    def trace(self) -> GroupTrace:
        return trace_group(self.regions, self.target)

    @cached_property
    def extents(self) -> tuple[int, ...]:
        return self.regions.kernel_extents

    @cached_property
    def dtype(self) -> str:
        return name_of(element_type_of(self.regions.result))

    @cached_property
    def loads(self) -> list[tuple[str, list[tuple[int, int]]]]:
        """Of each load its type, and the dimensions of the tensor: what it follows of the kernel's, the distance of its
        elements."""
        found: list[tuple[str, list[tuple[int, int]]]] = []
        for load in self.regions.loads:
            sizes = self.regions.kernel_shape(load)
            along = [
                (e.dim, prod(sizes[i + 1 :]))
                for i, e in enumerate(self.regions.kernel_map(load.maps))
                if isinstance(e, Along)
            ]
            found.append((name_of(element_type_of(load.value)), along))
        return found

    def inside(self, lanes: int) -> set[int]:
        """Dimensions that lie inside the lanes' one in every tensor that is read."""
        sets = [
            {d for d, _ in along[next(i for i, (d, _) in enumerate(along) if d == lanes) + 1 :]}
            for _, along in self.loads
        ]
        return set[int].intersection(*sets)


@dataclass(frozen=True)
class _Read:
    """A load of a tile: stretches of GM without a gap, their length and what their starts are multiples of, in bytes;
    DMA instructions; elements that are staged; transposes along two dimensions."""

    dtype: str
    pieces: int
    length: int
    near: int
    instructions: int
    elements: int
    turns: tuple[int, ...]


def _read(
    rows: RowLanes, dtype: str, along: Sequence[tuple[int, int]], tiles: Sequence[int], lanes: int
) -> _Read:
    item = ELEMENT_BYTES[dtype]
    width = 32 // item
    index = next(i for i, (d, _) in enumerate(along) if d == lanes)
    outer, inner = along[:index], along[index + 1 :]
    row = elements_of_row([tiles[d] for d, _ in inner], [step for _, step in inner], width)
    pitch = ceil_to(row.held, BLOCK)
    held = ceil_to(tiles[lanes], BLOCK)
    planes = [tiles[d] for d, _ in outer]
    runs = [
        Run(n, step, prod(planes[i + 1 :]) * held * pitch)
        for i, (n, (_, step)) in enumerate(zip(planes, outer, strict=True))
    ]
    runs += [Run(tiles[lanes], along[index][1], pitch), *row.runs]
    found = transfers(rows.target, runs, row.length, item)
    starts = [step for _, step in along[:index]]  # of stretches of GM, and of tiles inside them
    step = along[index][1] * (tiles[lanes] if row.dense and along[index][1] == row.length else 1)
    starts.append(step)
    starts += [step for _, step in inner[: len(row.runs)]]
    starts += [pace * tiles[d] for d, pace in inner if tiles[d] < rows.extents[d]]
    count = prod(planes) * held
    return _Read(
        dtype,
        found.pieces,
        found.elements // found.pieces * item,
        gcd(*starts) * item,
        found.instructions,
        count * pitch,
        (count // BLOCK, pitch // width),
    )


def _turns(target: Target, dtype: str, counts: Sequence[int]) -> float:
    """Block transposes along some dimensions, of which the largest gives the repeats of an instruction."""
    known = [n for n in counts if n > 1]
    repeats = max(known, default=1)
    pieces = -(-repeats // target.vector.max_repeat)
    times = prod(known) // repeats * pieces
    return times * transpose_cost(target, dtype, -(-repeats // pieces)).busy


def _copied(target: Target, dtype: str, dims: Sequence[tuple[int, int, int]]) -> float:
    """A copy of blocks of 16 elements: sizes, and distances in the source and in the result in elements."""
    item = ELEMENT_BYTES[dtype]
    pieces = BLOCK * item // 32
    axes = [Dim(n, (near * item, far * item)) for n, near, far in dims]
    if pieces > 1:
        axes.append(Dim(pieces, (32, 32)))
    return choose(target, "vcopy", dtype, merged(axes or [Dim(1, (32, 32))]), (0, 0)).cycles


@dataclass(frozen=True)
class _Store:
    """The store of a tile: whether its elements are put in order first, blocks of 16 rows, elements of a row."""

    in_order: bool
    planes: int
    blocks: int
    count: int
    inner: tuple[tuple[int, int], ...]

    @property
    def pitch(self) -> int:
        return ceil_to(self.count, BLOCK)


def _store(rows: RowLanes, tiles: Sequence[int], lanes: int) -> _Store:
    shape = tiles[lanes + 1 :]
    strides = [prod(shape[i + 1 :]) * BLOCK for i in range(len(shape))]
    if not rows.trace.steps and not _repeats(rows) and len(rows.loads) == 1:  # as the load leaves it
        _, along = rows.loads[0]
        index = next(i for i, (d, _) in enumerate(along) if d == lanes)
        inner = along[index + 1 :]
        width = 32 // ELEMENT_BYTES[rows.dtype]
        row = elements_of_row([tiles[d] for d, _ in inner], [step for _, step in inner], width)
        held = ceil_to(tiles[lanes], BLOCK) * ceil_to(row.held, BLOCK)
        planes = [tiles[d] for d, _ in along[:index]]
        place = {d: step * BLOCK for (d, _), step in zip(inner, row.steps, strict=True)}
        place |= {d: prod(planes[i + 1 :]) * held for i, (d, _) in enumerate(along[:index])}
        strides = [place[d] for d in range(lanes + 1, len(tiles))]
    walks = row_walks(shape, strides)
    planes = prod(tiles[:lanes])
    return _Store(walks[-1][0] % BLOCK > 0, planes, -(-tiles[lanes] // BLOCK), prod(shape), tuple(walks))


def _repeats(rows: RowLanes) -> bool:
    """Whether elements are repeated along some dimension."""
    return any({d for d, _ in along} != set(range(len(rows.extents))) for _, along in rows.loads)


def _bytes(rows: RowLanes, tiles: Sequence[int], lanes: int) -> int:
    """UB that a tile takes: what crosses pipes in two slots."""
    total = 0
    moved = not rows.trace.steps and not _repeats(rows)
    for dtype, along in rows.loads:
        read = _read(rows, dtype, along, tiles, lanes)
        total += read.elements * ELEMENT_BYTES[dtype] * (3 if moved else 4)
    store, item = _store(rows, tiles, lanes), ELEMENT_BYTES[rows.dtype]
    elements = store.planes * store.blocks * BLOCK * store.pitch
    total += elements * item * (3 if store.in_order else 2)
    if rows.trace.steps:
        own = sum(2 * ELEMENT_BYTES[t.type_name] for t in rows.trace.loads if t.full)
        total += elements * max(rows.trace.bytes_per_element(rows.regions) - own, item)
    elif not moved:
        total += elements * item
    return total


def _tiles(rows: RowLanes, lanes: int) -> Iterator[tuple[int, ...]]:
    """Some rows; of the dimensions inside them all, or parts of the first one; of those outside one step, or all of
    what
    lies inside the rows in GM."""
    extents, target = rows.extents, rows.target
    capacity = target.spaces["ub"].bytes
    unit = store_unit(target, ELEMENT_BYTES[rows.dtype])
    inside = rows.inside(lanes)
    most = extents[lanes]
    befores = product(*({1, extents[d]} if d in inside else {1} for d in range(lanes)))
    first = next((d for d in range(lanes + 1, len(extents)) if extents[d] > 1), len(extents) - 1)
    parts = [n for n in range(extents[first], 0, -1) if extents[first] % n == 0]
    for before in sorted(set(befores)):
        grid = prod(e for e, t in zip(extents, before, strict=False) if t < e)
        for part in parts:
            after = tuple(part if d == first else extents[d] for d in range(lanes + 1, len(extents)))
            if unit > 1 and (prod(after) % unit or not apart(extents, (*before, 1, *after), unit)):
                continue
            outside = grid * (extents[first] // part)
            even = {ceil_to(-(-most * outside // (target.vector_units * n)), BLOCK) for n in range(1, 9)}
            for count in sorted({min(n, most) for n in {*ROWS, *even}}):
                tiles = (*before, count, *after)
                if _bytes(rows, tiles, lanes) <= capacity - 2048:
                    yield tiles


def row_lane_tilings(regions: Regions, target: Target) -> list[tuple[float, VectorTiling]]:
    """All tilings that fit, with their predicted cycles."""
    rows = RowLanes(regions, target)
    found: list[tuple[float, VectorTiling]] = []
    for lanes in lane_rows(regions, target):
        for tiles in _tiles(rows, lanes):
            points = prod(-(-e // t) for e, t in zip(rows.extents, tiles, strict=True))
            tails = "shift" if any(e % t for e, t in zip(rows.extents, tiles, strict=True)) else "clip"
            tiling = VectorTiling(tiles, min(points, target.vector_units), tails, lanes=lanes)
            found.append((_cycles(rows, tiling), tiling))
    return found


def row_lane_time(regions: Regions, tiling: VectorTiling, target: Target) -> float:
    """Predicted cycles."""
    return _cycles(RowLanes(regions, target), tiling)


def _repeating_walk(
    rows: RowLanes, tiles: Sequence[int], lanes: int, blocks: int
) -> list[tuple[int, int, int]]:
    """The copy that repeats elements of the first load along the dimensions that it lacks, of so many blocks of rows:
    sizes, and distances in the source and in the result."""
    shape = tiles[lanes + 1 :]
    _, along = rows.loads[0]
    held = {d for d, _ in along}
    near, dims = BLOCK, list[tuple[int, int, int]]()
    for i in reversed(range(len(shape))):
        d, far = lanes + 1 + i, prod(shape[i + 1 :]) * BLOCK
        dims.insert(0, (shape[i], near if d in held else 0, far))
        near *= shape[i] if d in held else 1
    return [(blocks, ceil_to(near // BLOCK, BLOCK) * BLOCK, prod(shape) * BLOCK), *dims]


def _cycles(rows: RowLanes, tiling: VectorTiling) -> float:
    """Predicted cycles: two tiles are under way at most."""
    target, tiles, lanes = rows.target, tiling.tiles, tiling.lanes
    points = prod(-(-e // t) for e, t in zip(rows.extents, tiles, strict=True))
    rounds = -(-points // tiling.cores)
    cores = -(-points // rounds)  # those that ask for what HBM has, in the mean of all rounds
    read = compute = latency = 0.0
    wait = target.vector.inner_latency
    for dtype, along in rows.loads:
        one = _read(rows, dtype, along, tiles, lanes)
        cost = bursts_cost(target, one.pieces, one.length, one.near, cores)
        read += max(cost.busy, one.instructions * target.path("gm", "ub").issue)
        latency = max(latency, cost.latency)
        compute += _turns(target, one.dtype, one.turns) + wait
        if rows.trace.steps:
            compute += _turns(target, one.dtype, one.turns) + wait  # a copy in order takes about as long
    store = _store(rows, tiles, lanes)
    elements = store.planes * store.blocks * BLOCK * store.pitch
    if rows.trace.steps:
        compute += vector_cycles(rows.trace, elements, target)
    ordered = [
        (n, s, prod(m for m, _ in store.inner[i + 1 :]) * BLOCK) for i, (n, s) in enumerate(store.inner)
    ]
    if _repeats(rows):
        compute += _copied(target, rows.dtype, _repeating_walk(rows, tiles, lanes, store.blocks)) + wait
    if store.in_order:
        blocks = store.planes * store.blocks, store.count * BLOCK, store.pitch * BLOCK
        compute += _copied(target, rows.dtype, [blocks, *ordered]) + wait
    groups = (
        [store.pitch // BLOCK]
        if store.in_order
        else [*(n for n, _ in store.inner[:-1]), store.inner[-1][0] // BLOCK]
    )
    item = ELEMENT_BYTES[rows.dtype]
    compute += BLOCK * item // 32 * _turns(target, rows.dtype, (store.planes, store.blocks, *groups)) + wait
    way = copy_cost(target, "ub", "gm", store.planes * tiles[lanes], store.count * item)
    write = max(way.busy, target.path("ub", "gm").issue * store.planes)
    shared = write_cycles(rows.regions, target, prod(tiles) * item * cores)
    body = (
        Stage("MTE2", read, latency, writes=("in",), hbm=read),
        Stage("V", compute, target.vector.latency, reads=("in",), writes=("out",)),
        Stage("MTE3", write, way.latency, reads=("in", "out"), hbm=shared),
    )
    return schedule_cycles(Schedule(Loop(rounds, body), {"in": 2, "out": 2}))


__all__ = ["lane_rows", "row_lane_tilings", "row_lane_time"]
