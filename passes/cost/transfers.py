"""What a tile's way between GM and UB takes, by the instructions that the lowering emits: DMA instructions and their
bursts (`selection/transfers.py`), and what rows that are no whole 32 B blocks cost on the Vector
(`lowering/transfers/store.py`).
"""

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from ...dialects.element_types import BLOCK_BYTES, ELEMENT_BYTES, bytes_of, name_of
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...dialects.tile import BLOCK
from ...dialects.tiling import Along
from ...runtime.machine.costs import (
    copy_cost,
    gm_read_cost,
    hit_cycles,
    miss_cycles,
    transpose_cost,
    vec_cost,
)
from ..lowering.transfers.pack_rows import packs, rows_a_lane
from ..regions.loads import Load
from ..regions.regions import Regions
from ..selection.store_grain import apart
from ..selection.transfers import Run, Transfers, transfers
from ..selection.vector_shapes import Dim, choose, merged
from ..support.values import element_type_of, held_type_of
from .gm_bytes import load_in_l2
from .rearrangement import ceil_to, rearrangement


@dataclass(frozen=True)
class Way:
    """Cycles of the DMA (`busy`, with what its instructions wait for each other) and of the Vector."""

    busy: float = 0.0
    vector: float = 0.0

    def __add__(self, other: "Way") -> "Way":
        return Way(self.busy + other.busy, self.vector + other.vector)


def load_cycles(
    regions: Regions, load: Load, tiles: Sequence[int], target: Target, cores: int, again: bool = False
) -> float:
    """Cycles of the DMA for what a tile takes of a tensor, row by row where these lie apart. `again`: L2 has it, as the
    tile has taken it, or other columns of its rows, before."""
    item = bytes_of(element_type_of(load.value))
    found = _loaded(regions, load, tiles, target, item)
    issue = target.path("gm", "ub").issue
    if found is None:
        return issue
    bytes_, hit = found.elements * item, 1.0 if again else load_in_l2(regions, load, target)
    read = gm_read_cost(target, max(bytes_, BLOCK_BYTES), hit, "ub", cores).busy
    memory = target.memory
    whole = found.length * (found.bursts * found.instructions // found.pieces) * item
    requests = found.pieces * -(-whole // memory.l2_line)
    if hit:
        return max(
            read, hit_cycles(target, target.path("gm", "ub"), 0, 0, requests), found.instructions * issue
        )
    port = miss_cycles(target, target.path("gm", "ub"), requests, bytes_)
    return max(read, port, found.instructions * issue)


def _loaded(
    regions: Regions, load: Load, tiles: Sequence[int], target: Target, item: int
) -> Transfers | None:
    """The DMA instructions of a load that comes row by row; None for any other."""
    last = len(tiles) - 1
    sizes = regions.kernel_shape(load)
    followed = [
        (e, prod(sizes[i + 1 :]))
        for i, e in enumerate(regions.kernel_map(load.maps))
        if isinstance(e, Along) and e.dim <= last
    ]
    if not followed or followed[-1][0].dim != last or rearrangement(regions, load, tuple(tiles)) is not None:
        return None
    held = {e.dim: -(-e.held(tiles[e.dim]) // e.repeat) for e, _ in followed}
    *rows, (_, step) = followed
    if step != 1:
        return None
    pitches = _pitches(tuple(held.get(d, 1) for d in range(last + 1)))
    runs = [Run(held[e.dim], step * (e.stride if e.thin else 1), pitches[e.dim]) for e, step in rows]
    return transfers(target, runs, held[last], item)


def _pitches(tiles: tuple[int, ...]) -> tuple[int, ...]:
    """Distances of a row-major tile's rows in UB."""
    wide = ceil_to(tiles[-1], BLOCK)
    return tuple(prod(tiles[d + 1 : -1]) * wide for d in range(len(tiles) - 1))


@dataclass(frozen=True)
class Stored:
    """Rows of `tiles` elements of a tensor of `extents`, which UB holds as `held` and GM as `dtype`."""

    target: Target
    extents: tuple[int, ...]
    tiles: tuple[int, ...]
    held: str
    dtype: str

    @property
    def item(self) -> int:
        return ELEMENT_BYTES[self.dtype]

    @property
    def unit(self) -> int:
        return BLOCK_BYTES // self.item

    @property
    def grain(self) -> int:
        """Elements of a burst at least, of part of a row."""
        return max(BLOCK, self.unit)

    def way(self) -> Way:
        """What the store takes."""
        target, (*rows, columns) = self.target, self.tiles
        steps = [prod(self.extents[d + 1 :]) for d in range(len(rows))]
        runs = [Run(*run) for run in zip(rows, steps, _pitches(self.tiles), strict=True) if run[0] > 1]
        if target.dma.unaligned or columns % self.unit == 0:
            return Way(self._busy(transfers(target, runs, columns, self.item), runs))
        if not runs:
            return self._run(columns)
        if packs(columns) and _end_to_end(runs, columns):
            count = prod(rows)
            return self._run(count * columns) + Way(0.0, self._packed(count, columns))
        if columns < self.grain:
            count = rows[0]
            inner = replace(self, extents=self.extents[1:], tiles=self.tiles[1:]).way()
            return Way(count * inner.busy, count * inner.vector)
        return self._alternating(runs, columns)

    def _busy(self, found: Transfers, runs: Sequence[Run] = ()) -> float:
        """Instructions whose rows meet in blocks wait for each other."""
        each = copy_cost(self.target, "ub", "gm", found.bursts, found.length * self.item)
        unit, gap = self.unit, min((run.gm for run in runs), default=0) - found.length
        meets = any(run.gm % unit for run in runs) and gap < 2 * unit
        waits = (found.instructions - 1) * each.latency if meets else 0.0
        return found.instructions * each.busy + waits

    def _run(self, count: int) -> Way:
        """One run: where it does not start and end on blocks its last elements are written once more."""
        whole = Way(self._busy(Transfers(1, 1, count, 1)))
        if apart(self.extents, self.tiles, self.unit):
            return whole
        end = Way(self._busy(Transfers(1, 1, self.grain, 1)), self._ends(1, self.grain))
        return whole + end + Way(self.target.path("ub", "gm").latency)

    def _packed(self, rows: int, columns: int) -> float:
        """`lowering.transfers.pack_rows`: padding, and of each batch transposes, a copy of what is behind whole blocks,
        and transposes."""
        share, parts = rows_a_lane(columns), BLOCK // self._lanes
        batch, (full, rest) = BLOCK * share, divmod(columns, BLOCK)
        batches = -(-rows // batch)
        wait = self.target.vector.inner_latency
        total = self._padded(rows, batch, ceil_to(columns, BLOCK))
        each = (self._transposes(full) * share * parts if full else 0.0) + 2 * wait
        if rest:
            element = ELEMENT_BYTES[self.held]
            near, far = (BLOCK * BLOCK * element, columns * BLOCK * element)
            inner = Dim(rest * parts, (BLOCK_BYTES, BLOCK_BYTES))
            copies = choose(self.target, "vcopy", self.held, merged([Dim(share, (near, far)), inner]), (0, 0))
            each += self._transposes(share) * min(parts, -(-rest // self._lanes)) + copies.cycles + wait
        each += self._transposes(share * columns // BLOCK) * parts
        return total + batches * each

    def _alternating(self, runs: Sequence[Run], columns: int) -> Way:
        """Every other row, then those between them, and the same with their ends."""
        whole = columns // self.unit * self.unit
        *outer, rows = runs
        assert isinstance(rows.count, int)
        halves = [Run(-(-rows.count // 2), 2 * rows.gm, 2 * rows.ub)]
        meets = rows.gm % self.unit != 0
        total, count = 0.0, prod(self.tiles[:-1])
        for length in (whole, self.grain):
            found = transfers(self.target, [*outer, *(halves if meets else [rows])], length, self.item)
            total += self._busy(found) * (2 if meets else 1)
        waits = (3 if meets else 1) * self.target.path("ub", "gm").latency
        return Way(total + waits, self._ends(count, columns))

    def _ends(self, rows: int, columns: int) -> float:
        """`row_ends`: the last elements of rows, by transposes, at the start of a block."""
        width, parts = self.grain, BLOCK // self._lanes
        blocks = min(width // BLOCK + 1, -(-columns // BLOCK))
        groups = -(-rows // BLOCK)
        turned = self._transposes(groups) * parts * (blocks + width // BLOCK)
        return self._padded(rows, BLOCK, blocks * BLOCK) + turned + 2 * self.target.vector.inner_latency

    @property
    def _lanes(self) -> int:
        return BLOCK_BYTES // ELEMENT_BYTES[self.held]

    def _transposes(self, repeats: int) -> float:
        return transpose_cost(self.target, self.held, repeats).busy

    def _padded(self, rows: int, multiple: int, columns: int) -> float:
        """Rows with zeros behind them up to a multiple of so many."""
        if rows % multiple == 0:
            return 0.0
        target, total = self.target, 0.0
        for name, count in (("vdup", ceil_to(rows, multiple)), ("vcopy", rows)):
            bytes_ = count * columns * ELEMENT_BYTES[self.held]
            repeats = -(-bytes_ // target.vector.bytes_per_repeat)
            total += vec_cost(target, name, self.held, repeats).busy + target.vector.inner_latency
        return total


def _end_to_end(runs: Sequence[Run], columns: int) -> bool:
    """Whether rows lie in GM one after the other."""
    step = columns
    for run in reversed(runs):
        assert isinstance(run.count, int)
        if run.gm != step:
            return False
        step *= run.count
    return True


def store_way(regions: Regions, tiles: Sequence[int], target: Target) -> Way:
    """What the store of one tile takes."""
    dtype, held = name_of(element_type_of(regions.result)), name_of(held_type_of(regions.result))
    extents = regions.result_shape or (1,)
    return Stored(target, extents, tuple(map(min, tiles, extents)), held, dtype).way()


__all__ = ["Stored", "Way", "load_cycles", "store_way"]
