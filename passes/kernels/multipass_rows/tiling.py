"""Tile sizes of kernels whose rows no tile holds in full: rows of a tile and the part of them that is in UB at once.

Every reading of the parts is a pipeline of load, compute and store, filled once and drained once; what the rows of the
cores at work fit in, L2 or not, is what a reading after the first one finds them in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from math import gcd, prod

from ....dialects.element_types import bytes_of
from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ....dialects.tile import BLOCK
from ....dialects.tiling import Along
from ....runtime.machine.costs import copy_cost, gm_read_cost, hit_rate, miss_cycles
from ...cost.clock import schedule_cycles
from ...cost.gm_bytes import write_cycles
from ...cost.group_trace import GroupTrace, ceil_to
from ...cost.schedule import Loop, Schedule, Stage
from ...cost.tile_vectors import TileRows, tile_cycles
from ...regions.loads import Load
from ...regions.multipass_rows import NoPartsError, RowReadings, follows, row_readings, row_rule
from ...regions.regions import Regions
from ...regions.tiling import VectorTiling
from ...selection.store_grain import store_unit
from ...support.values import element_type_of
from ..elementwise.legality import NoTileError, beside_bytes, storable, with_cores
from .trace import trace_reading

KEPT = 16384
"""Bytes of UB that are left to small buffers: scalars, lanes of reductions."""
L2_SHARE = 0.5
"""Of L2, what rows may take that are to be found there again."""


@dataclass(frozen=True)
class Parted:
    """One tiling: tiles of the kernel's dimensions, and the part of them that is in UB at once."""

    regions: Regions
    plan: RowReadings
    target: Target
    tiling: VectorTiling

    @cached_property
    def traces(self) -> list[GroupTrace]:
        regions, part = self.regions, self.tiling.part
        return [trace_reading(regions, self.plan, r, self.target, part) for r in self.plan.readings]

    @cached_property
    def cut(self) -> list[int]:
        """The dimensions of a row that come in parts."""
        extents = self.regions.kernel_extents
        return [d for d in self.plan.rows if self.tiling.part[d] < extents[d]]

    @property
    def elements(self) -> int:
        return _elements(self.tiling.part)

    @property
    def parts(self) -> int:
        extents = self.regions.kernel_extents
        return prod(-(-extents[d] // self.tiling.part[d]) for d in self.cut)

    def states(self) -> int:
        """Bytes of what is known of each row."""
        part = self.tiling.part
        row = _elements(tuple(1 if d in self.plan.rows else t for d, t in enumerate(part)))
        kept = 0
        for op in self.plan.row_ops:
            parts = row_rule(op).parts
            assert parts is not None
            kept += 2 * len(parts.start)
        return 4 * row * (kept + 4)

    def fits(self) -> bool:
        held = max(trace.bytes_per_element(self.regions) for trace in self.traces) * self.elements
        beside = beside_bytes(self.regions, self.tiling.part, self.target) if self.plan.stores else 0
        return held + beside + self.states() + KEPT <= self.target.spaces["ub"].bytes

    # What it costs

    def _read(self, load: Load, sizes: Sequence[int], line: int) -> int:
        """Bytes that one tile or part reads of a tensor: of every run of elements whole lines of so many bytes."""
        along = {e.dim for e in self.regions.kernel_map(load.maps) if isinstance(e, Along)}
        run, runs = bytes_of(element_type_of(load.value)), 1
        whole = True
        for d in sorted(along, reverse=True):
            run, runs = (run * sizes[d], runs) if whole else (run, runs * sizes[d])
            whole = whole and sizes[d] == self.regions.kernel_extents[d]
        return runs * ceil_to(run, line)

    def _port(self, loads: Sequence[Load]) -> float:
        """Cycles of a core's port for a part where L2 keeps lines that are asked for in part: of what is not its own in
        a line, another core has brought it."""
        target, memory, part = self.target, self.target.memory, self.tiling.part
        if memory.sector != 1:
            return 0.0
        path = target.path("gm", "ub")
        own = sum(self._read(load, part, 1) for load in loads)
        beside = sum(self._read(load, part, memory.l2_line) for load in loads) - own
        return miss_cycles(target, path, 0, own) + beside / hit_rate(target, path)

    def time(self) -> float:
        """Predicted cycles of the kernel."""
        regions, target, tiling = self.regions, self.target, self.tiling
        extents = regions.kernel_extents
        rounds = tiling.rounds(extents)
        body: list[Loop | Stage] = []
        rows = TileRows.of(tiling.part, extents)
        latency = target.vector.latency
        item = bytes_of(element_type_of(regions.result))
        line = target.memory.l2_line
        whole = sum(self._read(load, tiling.tiles, line) for load in regions.loads) * tiling.cores
        for i, (reading, trace) in enumerate(zip(self.plan.readings, self.traces, strict=True)):
            loads = [
                load
                for load in regions.loads_of(reading.body, reading.meets)
                if follows(regions, load.maps, self.cut)
            ]
            found = 1.0 if i and whole <= L2_SHARE * target.memory.l2_bytes else 0.0
            bytes_ = sum(self._read(load, tiling.part, line) for load in loads)
            load = gm_read_cost(target, max(bytes_, 32), found, "ub", tiling.cores)
            read = max(load.busy, target.path("gm", "ub").issue * len(loads), self._port(loads))
            compute = tile_cycles(trace, rows, target) + latency
            asked = 0.0 if found else bytes_ * tiling.cores / target.memory.hbm_chip
            stages = [
                Stage("MTE2", read, load.latency, writes=(f"in{i}",), hbm=asked),
                Stage("V", compute, reads=(f"in{i}",), writes=() if reading.meets else (f"out{i}",)),
            ]
            if not reading.meets:
                store = copy_cost(target, "ub", "gm", 1, prod(tiling.part) * item)
                written = write_cycles(regions, target, prod(tiling.part) * item * tiling.cores)
                stages.append(Stage("MTE3", store.busy, store.latency, (f"in{i}", f"out{i}"), hbm=written))
            body.append(Loop(self.parts, tuple(stages)))
        if not self.plan.stores:
            store = copy_cost(target, "ub", "gm", 1, max(_elements(self._stored()) * item, 32))
            body += [
                Stage("V", 0.0, latency, writes=("out",)),
                Stage("MTE3", store.busy, store.latency, ("out",)),
            ]
        slots = {f"{name}{i}": 2 for name in ("in", "out") for i in range(len(self.plan.readings))} | {
            "out": 2
        }
        return schedule_cycles(Schedule(Loop(rounds, tuple(body)), slots))

    def _stored(self) -> tuple[int, ...]:
        return tuple(map(min, self.tiling.tiles, self.regions.result_shape or (1,)))


def _elements(sizes: Sequence[int]) -> int:
    """Of a tile in UB: rows are padded to whole blocks."""
    return prod(sizes[:-1]) * ceil_to(sizes[-1], 16)


def part_tilings(regions: Regions, target: Target) -> Iterator[tuple[float, VectorTiling]]:
    """Predicted cycles and tilings of a group whose rows no tile holds in full, those that end on a block if any do;
    `NoTileError` where there are none."""
    space, op = target.spaces["ub"].bytes, regions.ops[-1]
    message = f"not one row fits in the {space} B of UB of {target.name}"
    try:
        plan = row_readings(regions)
    except NoPartsError as error:
        raise NoTileError(op, f"{message}, and they cannot be met part by part: {error}") from None
    unit = store_unit(target, bytes_of(element_type_of(regions.result)))
    stored = regions.opened(regions.result_shape or (1,))
    found = [list[tuple[float, VectorTiling]](), list[tuple[float, VectorTiling]]()]
    for tiles in _tiles(regions, plan, target, unit):
        ends = storable(stored, tuple(map(min, tiles, stored)), unit, regions.factor)
        if not ends and regions.factor and regions.factor % tiles[0]:
            continue
        alone = all(size == 1 for d, size in enumerate(tiles) if d not in plan.rows)
        tiling = with_cores(regions, tiles, target, spans=alone and plan.stores)
        for part in _parts(regions, plan, tiles):
            if tiling.spans and prod(part) < 2 * max(BLOCK, unit):
                continue
            one = Parted(regions, plan, target, replace(tiling, part=part))
            if one.fits():
                found[not (ends or tiling.spans)].append((one.time(), one.tiling))
    if not any(found):
        raise NoTileError(op, f"{message}, nor a part of one")
    yield from found[0] or found[1]


def part_time(regions: Regions, tiling: VectorTiling, target: Target) -> float:
    """Predicted cycles of the kernel."""
    return Parted(regions, row_readings(regions), target, tiling).time()


def read_again(regions: Regions, tiling: VectorTiling) -> int:
    """Bytes of GM that readings after the first one read."""
    plan, again = row_readings(regions), 0
    cut = [d for d in plan.rows if tiling.part[d] < regions.kernel_extents[d]]
    for load in regions.loads:
        readings = [r for r in plan.readings if load in regions.loads_of(r.body, r.meets)]
        if follows(regions, load.maps, cut):
            shape = regions.kernel_shape(load)
            size = prod(shape) * bytes_of(element_type_of(load.value))
            again += (len(readings) - 1) * size
    return again


def _tiles(regions: Regions, plan: RowReadings, target: Target, unit: int) -> Iterator[tuple[int, ...]]:
    """Tiles with whole rows: some steps of the last dimension that is no row's, single steps of those outside it."""
    extents = regions.kernel_extents or (1,)
    free = [d for d in range(len(extents)) if d not in plan.rows]
    base = tuple(e if d in plan.rows else 1 for d, e in enumerate(extents))
    if not free:
        yield base
        return
    d, last = free[-1], len(extents) - 1
    outer = prod(extents[f] for f in free[:-1])
    share = -(-extents[d] * outer // target.vector_units)
    sizes = {1, 2, 4, 8, 16, 32, share, ceil_to(share, 16)}
    if d == last:
        sizes = {ceil_to(share, 16), ceil_to(share, 128), *(2**i for i in range(4, 13))}
    stored = regions.result_shape
    sizes.add(unit // gcd(unit, prod(stored[d + 1 :])))
    if d == last and len(extents) > 1:
        sizes = {ceil_to(s, 16) for s in sizes}
    for size in sorted({min(s, extents[d]) for s in sizes}):
        yield (*base[:d], size, *base[d + 1 :])


def _parts(regions: Regions, plan: RowReadings, tiles: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """What of a tile may be in UB at once: part of one dimension of a row, single steps of those outside it, all of
    those inside. The last part has a block of elements at least."""
    last = len(tiles) - 1
    for i, d in enumerate(plan.rows):
        base = tuple(1 if e in plan.rows[:i] else t for e, t in enumerate(tiles))
        grain = 16 if d == last else 1
        sizes = {2**k for k in range(16)}
        sizes |= {-(-tiles[d] // n) for n in range(2, 33)}
        for size in sorted({ceil_to(s, grain) for s in sizes}):
            rest = tiles[d] % size
            if size < tiles[d] and not (d == last and 0 < rest < 32):
                yield (*base[:d], size, *base[d + 1 :])


__all__ = ["part_tilings", "part_time", "read_again"]
