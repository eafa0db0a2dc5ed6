"""What a kernel's operands take under one tile and one step of K: all candidates that differ in the pieces of K in L0
and in the chunks of the epilogue alone share it."""

from dataclasses import replace
from functools import cached_property
from math import ceil, prod

from ....dialects.records import dataclass
from ....runtime.machine.costs import hit_rate, idle_channels, load2d_cost, mmad_fractals
from ...cost.group_trace import ceil_to
from ...lowering.cores.cube_to_vector_gm import rooms_of_operand
from ...lowering.cores.vector_to_cube import SLOTS as FED_SLOTS
from ...regions.tiling import ProductTiling
from .epilogue_costs import EpilogueCosts
from .footprint import l1_of_rows
from .load_costs import LoadCosts, feeds
from .operand_costs import (
    Walk,
    columns_of,
    left_cost,
    right_cost,
    rounds_of_new_rows,
    stores_by_fixpipe,
    walk_of,
)
from .operand_reads import Fetch, Port, Reads, port_cycles, port_of, run_cycles, times_read
from .operands import computed_part, operand_elements
from .problem import Problem, Tile, last_columns, remembered, tile_of

SLOTS = 2
"""Slots of what pipes hand to each other: every so many trips of a loop are alike."""
FOLLOWED = 4
"""Trips of a long loop, and turns of each Vector core beside, that are followed before their pace is known."""


@dataclass(frozen=True, eq=False)
class Rates:
    """What does not depend on a tiling: rates in bytes a cycle, latencies and issue in cycles."""

    depth: int
    """Instructions that a queue holds."""
    hbm: float
    l2_read: float
    dma_issue: float
    dma_latency: float
    miss_latency: float
    vector_latency: float
    shape_latency: float
    store_latency: float
    mte1_latency: float
    mmad_latency: float
    cross_latency: float
    to_store: float
    """Cycles from the first work on a result to its store, beside those in which pipes are busy. FixPipe's own are
    counted with what it does."""
    through: float
    """The same from a load to the store of what is computed of it."""
    fractals: tuple[float, float]
    """Cycles of MTE1 for a fractal of each operand, without those of issue."""


@remembered
def rates_of(p: Problem) -> Rates:
    target = p.target
    memory, path = target.memory, target.path
    reader = path("gm", "l1" if target.split else "ub")
    shaped = path("gm", "l1") if target.split else path("ub", "l1")
    vector, store, mmad = target.vector.latency, path("ub", "gm").first_latency, target.cube.latency
    mte1 = (p.window and path("l1", "l0a").image_latency) or path("l1", "l0a").latency
    to_store = 0.0 if stores_by_fixpipe(p) else vector + store
    return Rates(
        depth=target.scalar.queue_depth,
        hbm=memory.hbm_chip,
        l2_read=hit_rate(target, reader),
        dma_issue=path("gm", "ub").issue,
        dma_latency=path("gm", "ub").latency,
        miss_latency=memory.miss_latency,
        vector_latency=vector,
        shape_latency=shaped.latency,
        store_latency=store,
        mte1_latency=mte1,
        mmad_latency=mmad,
        cross_latency=0.0 if target.cross is None else target.cross.latency,
        to_store=to_store,
        through=path("gm", "ub").latency + mte1 + mmad + to_store,
        fractals=(load2d_cost(target, "l0a", 1).ideal, load2d_cost(target, "l0b", 1).ideal),
    )


def turns_of_last(mean: float) -> int:
    """Parts that the Vector core beside computes which computes the last one, where each has so many in the mean. Of
    many, whose turns are not followed one by one, as many as the others do."""
    return ceil(mean) if mean <= FOLLOWED else int(mean)


class OperandCosts:
    """Both operands of one step, each in passages (`LoadCosts`). Sizes in bytes."""

    def __init__(self, p: Problem, tiling: ProductTiling, tile: Tile, walk: Walk):
        self.p, self.tiling, self.tile = p, tiling, tile
        target = p.target
        self.sharing = walk.columns, walk.together
        """So many of the cores at work together read the same bytes of each operand."""
        self.loads = left_cost(p, tiling, tile), right_cost(p, tiling, tile)
        direct = ("ub", "l1") in target.paths
        self.bytes = 0
        """Of a computed left operand, those of a part that the Cube core fetches from where Vector cores put it."""
        if not direct:
            step = tiling.resident or tiling.step
            self.bytes = operand_elements(p, computed_part(p, tile, tiling.rows), step) * p.item
        self.shared = 1 if p.prologue else self.loads[0].passages
        """Parts of a step of the left operand that the Vector cores beside the Cube core share; 1: they take turns."""
        self.room = not direct or (target.split and tiling.resident > 0 and self._rooms() > 1)
        """Whether a left operand that stays in L1 has room for that of the next row of tiles."""
        left, right = rates_of(p).fractals
        k1 = ceil_to(tiling.step, p.grain) / p.k0
        loads = left * (tile.m16 // 16) * k1 + right * (tile.n16 / 16) * k1
        self.ideal = mmad_fractals(target, p.dtype, tile.m, tile.n16, tiling.step), loads
        """Cycles of M and of MTE1 for a step, without those of issue."""

    def _rooms(self) -> int:
        """Rows of tiles whose left operand, which stays in L1, has room there."""
        p, tiling, tile = self.p, self.tiling, self.tile
        parts = tile.tiles[p.roles.m[-1]] // tiling.rows if tiling.rows else p.roles.k // tiling.resident
        whole, beside = tile.m16 * ceil_to(p.roles.k, 16) * p.item, tile.n16 * tiling.step * p.item
        return rooms_of_operand(p.target, parts, whole, beside, l1_of_rows(p, tile))


class StepCosts:
    """What a core reads for all of its tiles. `rounds`: how many tiles it computes, where these are not dealt out of a
    grid of their own. `apart`: how many steps of K there may be at most; the costs are then no more than those of any
    tiling that is like this one but has shorter steps (0: they are those of `tiling`). The piece and the chunk of
    `tiling` do not matter."""

    def __init__(
        self, p: Problem, tiling: ProductTiling, tile: Tile, rounds: int | None = None, apart: int = 0
    ):
        self.p, self.tiling, self.tile, self.apart = p, tiling, tile, apart
        self.rates = rates_of(p)
        self.walk, self.deals_grid = walk_of(p, tiling, tile), rounds is None
        self.whole = self.rest = OperandCosts(p, tiling, tile, self.walk)
        """Costs of a tile, and of the last one of columns, which may be smaller."""
        last = last_columns(p, tile) if tiling.resident else tile.n16
        if last < tile.n16:
            tiles = tuple(last if d == p.roles.n else t for d, t in enumerate(tile.tiles))
            rest, other = replace(tiling, tiles=tiles), tile_of(p, tiles)
            self.rest = OperandCosts(p, rest, other, walk_of(p, rest, other))
        self._count(rounds)
        self.phases = self.phases_rest = self._reads(self.whole)
        if self.rest is not self.whole:
            self.phases_rest = self._reads(self.rest)
        self.reads = [one.mean for one in self.phases]
        self.reads_rest = [one.mean for one in self.phases_rest]
        self.beside = p.target.vectors_beside if feeds(p) else 0
        """Vector cores that compute the left operand for this one, in turns."""
        self.given = p.held or self.beside > 0
        """Whether the left operand is in L1 before the kernel begins, or Vector cores beside compute it."""

    def _count(self, rounds: int | None) -> None:
        """How much the core computes and reads."""
        p, tiling = self.p, self.tiling
        points = self.walk.tiles
        self.steps = -(-p.roles.k // tiling.step)
        columns = columns_of(p, tiling)
        self.rounds = rounds or -(-(points // columns) // tiling.cores) * columns + tiling.spans
        self.busy = min(1.0, points / (self.rounds * tiling.cores))
        """Of the cores, those that have a tile in the mean of all rounds."""
        reads = self.rounds * self.steps
        left = reads
        if tiling.resident:  # read for the first of columns
            left = self.rounds // columns * -(-p.roles.k // tiling.resident)
        self.counts = left, self.steps if tiling.keeps else reads
        """Steps for which each operand is read."""
        self.fetches_ahead = (
            p.prologue is not None
            and not (p.target.split or tiling.rows or p.roles.k % tiling.step)
            and self.steps > 1
        )
        """Whether DMA for a step of the left operand is issued before the step before it is computed."""

    @cached_property
    def begins_rows(self) -> frozenset[int]:
        """The rounds in which some core begins rows that nobody has read; none where these are not known, or too many
        to be followed one by one."""
        tiling = self.tiling
        few = self.deals_grid and self.rounds <= FOLLOWED + SLOTS
        if not few or tiling.serial or tiling.spans or tiling.circular:
            return frozenset()
        found = rounds_of_new_rows(self.p, tiling.tiles, tiling.cores, tiling.swizzle)
        return found if len(found) == self.phases[0].tiles else frozenset()

    def _reads(self, operands: OperandCosts) -> list[Reads]:
        """What MTE2 and HBM take for a part of each operand."""
        p, tiling = self.p, self.tiling
        left, right = self.whole.loads
        times = times_read(p, tiling.tiles, self.walk, (left.whole, right.whole))
        columns = self.walk.columns
        reads = [self._reads_of(operands, operand, often, columns) for operand, often in enumerate(times)]
        idle = self._idle(operands, reads)
        return [one.asking(1 + idle) for one in reads] if idle else reads

    def _idle(self, operands: OperandCosts, reads: list[Reads]) -> float:
        """How much longer HBM takes for channels that have no request, where a core asks for one transfer at a time,
        and most of the time for the largest."""
        memory = self.p.target.memory
        if not memory.hbm_channels or feeds(self.p):  # Vector cores beside ask, too
            return 0.0
        (left, right), (first, second) = reads, operands.loads
        asked = max(left.cold.asked / first.dmas, right.cold.asked / second.dmas)
        return idle_channels(memory, asked * memory.hbm_chip / memory.l2_line) if asked else 0.0

    def _reads_of(self, operands: OperandCosts, operand: int, often: int, columns: int) -> Reads:
        """The same of one operand, which HBM gives so often, where cores at work span so many columns of tiles."""
        load, first, count = operands.loads[operand], self.whole.loads[operand], self.counts[operand]
        cores, alike = self.tiling.cores, operands.sharing[operand]
        steps = min(self.steps, count)
        lines = operand == 1 and self._shares_lines(load, columns)
        sharing = alike * self._beside(load, columns) if lines else alike
        stagger = self.tiling.stagger
        apart = min(sharing, steps, prod(stagger)) if stagger else 1
        """How many parts of the operand the cores that share it read at one time."""
        tiles, parts = count // steps, first.passages * steps
        new = (self._part(first) if operand == 0 else first.size) * parts * cores / alike
        """Bytes of it that differ, of what HBM gives cores at work together for a tile each."""
        kept = often * self._kept(first, parts * tiles * cores * self.busy / alike)
        cold = min(tiles, max(self._that_differ(operand, alike) * often, ceil(kept / new - 1e-9)))
        early = -(-steps // apart)
        every = self._every(load)
        late = -(-early // every)
        """So many of the first steps read what L2 lacks: lines hold what several of them read."""
        share = min(1.0, kept / cold / new)
        missed = share * new / (late * first.passages) * load.size / first.size
        each = share * load.size / (self.busy if cold == tiles and not self.apart else 1.0)
        port = port_of(self.p, load)
        slow, fast = self._fetch(load, port, missed, each, every > 1), self._hit(load, port)
        opening = slow
        if self.apart:
            if load.cut:  # of how much L2 lacks a share is not known
                opening = min(slow, self._fetch(load, port, missed, load.size))
            slow = min(slow, self._fetch(load, port, missed, each / min(sharing, self.apart)))
        elif lines and slow.cycles < fast.cycles:  # one misses, and the others wait for their hits
            slow = Fetch(fast.cycles, slow.asked, slow.latency)
        mean, end = slow.mixed(fast, cold * late / count), self._end() if late == self.steps > 1 else 1.0
        inner = self._inner() if operand == 0 else 1
        ahead = min(inner, 1 / share) if cold > 1 < inner else 1.0
        turns = 1 if sharing >= cores and apart == 1 else cores
        return Reads(slow, fast, mean, cold, early, every, end, ahead, inner, opening, turns)

    def _that_differ(self, operand: int, alike: int) -> int:
        """Tiles of a core that have operands of their own, of which so many cores at work together have the same."""
        p, tiling = self.p, self.tiling
        n = p.roles.n
        same = self.walk.alike if operand else -(-p.extents[n] // tiling.tiles[n])
        return -(-self.walk.tiles * alike // (same * tiling.cores))

    def _end(self) -> float:
        """What the last step of a tile is of the mean of its steps."""
        k, step = self.p.roles.k, self.tiling.step
        return (k - (self.steps - 1) * step) * self.steps / k

    def _inner(self) -> int:
        """Tiles that a core computes one after the other whose left operands are in the same lines: of one image."""
        p, tiling = self.p, self.tiling
        if not (p.window and tiling.serial) or p.lhs_blocked:
            return 1
        n = p.roles.n + 1
        inner = prod(-(-e // t) for e, t in zip(p.extents[n:], tiling.tiles[n:], strict=True))
        return inner if inner == SLOTS or self.rounds <= FOLLOWED + SLOTS else 1

    def _every(self, load: LoadCosts) -> int:
        """How many steps of K read what one line of L2 holds."""
        if not load.goes_on:
            return 1
        return max(1, min(self.steps, int(load.requests * self.p.target.memory.l2_line // load.size)))

    def _beside(self, load: LoadCosts, columns: int) -> int:
        """Of the cores at work on so many columns of tiles, which share lines, how many read the same ones, each its
        own columns of them, at steps of K of its own."""
        if max(self.steps, self.apart) < columns:
            return 1
        return max(1, min(columns, int(self.p.target.memory.l2_line * load.rows // load.size)))

    def _shares_lines(self, load: LoadCosts, columns: int) -> bool:
        """Whether cores at work on so many columns of tiles read parts of the same lines of a right operand."""
        narrow = load.rows and load.size < self.p.target.memory.l2_line * load.rows
        return columns > 1 and bool(narrow) and not load.goes_on

    def _part(self, load: LoadCosts) -> float:
        """Bytes of HBM for a part of a left operand. Of images those of its lines; what is beside a part of a matrix
        other cores read at the same time."""
        if not self.p.window:
            return load.size
        return max(load.size, load.requests * self.p.target.memory.l2_line)

    def _kept(self, load: LoadCosts, parts: float) -> float:
        """Bytes of an operand in lines that L2 keeps, of so many parts that differ: of the others each request that
        ends inside a sector fetches its own."""
        if not load.cut:
            return load.whole
        if self.apart:
            return 0.0
        lines = load.whole / self.p.target.memory.l2_line
        return load.whole * (1 - (load.cut / load.requests) ** (parts * load.requests / lines))

    def _fetch(self, load: LoadCosts, port: Port, missed: float, each: float, whole: bool = False) -> Fetch:
        """A part of an operand of which all cores together miss so many bytes, and this one misses `each`; `whole`: and
        the rest of their lines, for the steps behind it."""
        rates = self.rates
        moved = port_cycles(self.p, load, port, min(load.size, each), whole or not load.goes_on)
        missed += (load.cut + load.cut_beside) * self.p.target.memory.l2_line * self.tiling.cores * self.busy
        cycles = max(rates.dma_issue * load.dmas, moved + load.beside)
        latency = rates.dma_latency + rates.miss_latency if missed else rates.dma_latency
        return Fetch(cycles, missed / rates.hbm + run_cycles(self.p, load, missed), latency)

    def _hit(self, load: LoadCosts, port: Port) -> Fetch:
        """A part of an operand that L2 holds."""
        if load.cut or load.cut_beside:
            return self._fetch(load, port, 0.0, 0.0)
        rates = self.rates
        return Fetch(max(rates.dma_issue * load.dmas, port.hit + load.beside), 0.0, rates.dma_latency)

    def fed_by_sides(self, operands: OperandCosts, reads: list[Fetch]) -> tuple[float, float]:
        """Cycles until the first part of the left operand that a Vector core beside computes is in L1, beside the
        latency of DMA, and until the last one of its turns is."""
        load, fetch, rates, phases = operands.loads[0], reads[0], self.rates, self.phases[0]
        through = rates.vector_latency + rates.store_latency + rates.cross_latency
        if operands.bytes:
            through += rates.shape_latency
        opening = fetch._replace(latency=rates.dma_latency) if self.tiling.resident else phases.cold
        vector, mte3 = load.vector * self.beside, load.mte3 * self.beside
        first = through + opening.latency - rates.dma_latency
        slowest = max(fetch.cycles, vector, mte3)
        copy = max(rates.dma_issue, operands.bytes / rates.l2_read) if operands.bytes else 0.0
        each = fetch if fetch == phases.cold else phases.warm
        parts = int(self.counts[0] * load.passages) // operands.shared
        waits = operands.bytes > 0 and not self.tiling.resident
        asked = self.counts[0] * load.passages * fetch.asked * phases.over_mean
        if waits:
            asked = self._asked_by_both(operands, reads, asked)
        asked += first
        """When HBM has given all, and the last part has gone through."""
        if self.apart:
            chain = (
                parts / FED_SLOTS * (min(fetch.cycles, each.cycles) + vector + mte3 + copy) if waits else 0.0
            )
            return first, max(first + self._turns() * slowest, chain, asked)
        through = vector + mte3 + copy
        first += opening.cycles + through
        turn = each.cycles + each.latency + vector + rates.vector_latency
        """From when DMA asks for what a part is computed from until it is computed."""
        more, ahead = max(0, self._turns() - 1), 1 + self.feeds_ahead
        chain = turn + mte3 + rates.store_latency + copy + rates.shape_latency + 2 * rates.cross_latency
        """From then until the Cube core has it, and gives back its place in GM."""
        waited = (parts - 1) // FED_SLOTS * chain if waits else 0.0
        return first, max(first + max(more * slowest, more // ahead * turn, waited), asked + through)

    def _asked_by_both(self, operands: OperandCosts, reads: list[Fetch], asked: float) -> float:
        """Cycles of HBM for both operands, which it serves in turn, where the left one asks for so many. Cores that
        have tiles in some rounds only read as much in these."""
        if not self.tiling.rows or self.steps == 1:  # the right one comes first
            asked += self.counts[1] * operands.loads[1].passages * reads[1].asked
        if self.rounds > 1 and max(one.tiles for one in self.phases) == 1:
            asked *= max(1.0, (1 - 1 / self.rounds) / self.busy)
        return asked

    @property
    def feeds_ahead(self) -> bool:
        """Whether Vector cores beside ask for what a step is computed from before they compute the one before."""
        tiling = self.tiling
        parts = self.p.roles.k // tiling.resident if tiling.resident and not tiling.rows else self.steps
        return self.beside > 0 and (not self.p.prologue or parts % self.beside == 0)

    def _turns(self) -> float:
        """Parts of the left operand that the Vector core beside computes which computes the last one."""
        parts = self.counts[0] * self.whole.loads[0].passages / self.beside
        return parts if self.apart or self.whole.shared > 1 else turns_of_last(parts)

    def beside_busy(self, operands: OperandCosts, reads: list[Fetch], e: EpilogueCosts) -> float:
        """Cycles of the busiest pipe of the Vector cores beside, which compute the left operand in turns and, but for
        the last tile's, do an epilogue between them."""
        if self.p.held:
            return 0.0
        load, fetch = operands.loads[0], reads[0]
        turns = self._turns()
        each = turns * self.beside
        tiles = 0 if self.tiling.resident else self.rounds - 1
        v, mte3 = each * load.vector + tiles * e.beside_work, each * load.mte3 + tiles * e.beside_store
        asked = self.counts[0] * load.passages * fetch.asked
        return max(v, mte3, turns * fetch.cycles + tiles * e.beside_load, asked)
