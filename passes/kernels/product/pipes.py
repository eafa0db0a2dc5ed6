"""The pipes of one core that computes a product: when each is free, and when slots are, step by step.

Every pipe is an in-order queue, operands have two slots or more, accumulators as many as fit, and the scalar unit
stalls where a queue is full. HBM serves all cores at once, which are taken to work in step.

    loads of a step    MTE2 -> V -> MTE3 (or MTE2 alone)  ->  L1
    products           MTE1 -> M, a piece of K at a time
    a chunk            V -> MTE3
"""

from collections.abc import Iterator
from itertools import pairwise

from ...lowering.cores.cube_to_vector_gm import SLOTS as HAND_OVER_SLOTS
from ...lowering.cores.vector_to_cube import SLOTS as FED_SLOTS
from .candidate import Candidate
from .costs import KernelCosts
from .hand_over import Side, Takers
from .hbm_queue import HALVES, HbmQueue
from .load_costs import LoadCosts, lays_out_on_the_way
from .operand_costs import stores_by_fixpipe
from .problem import lands, takes_vector
from .step_costs import FOLLOWED, SLOTS, StepCosts
from .vector_queue import VectorQueue

MOST_PERIOD = 4
"""Tiles of which one begins with a new left operand, up to which all of them are followed."""
TIMES = (
    "scalar",
    "mte2",
    "v",
    "mte3",
    "mte1",
    "m",
    "port",
    "hbm",
    "end",
    "begun",
    "read_out",
    "asked_at",
    "given_at",
)


class Pipes(HbmQueue):
    """State of one core: the cycle when each pipe is free, and when slots are."""

    def __init__(self, candidate: Candidate):
        self.p, self.tiling, self.costs = candidate.p, candidate.tiling, candidate.whole
        self.whole, self.rest = candidate.whole, candidate.rest
        shared = candidate.shared
        self.rates, self.rounds, self.steps = shared.rates, shared.rounds, shared.steps
        self.fetches_ahead = shared.fetches_ahead
        self.reads_of = {candidate.whole: shared.reads, candidate.rest: shared.reads_rest}
        self.reads = self.reads_of[self.costs]
        self.phases = shared.phases
        """What a part of each operand takes where L2 lacks it and where it does not."""
        self.turns = [one.turns for one in shared.phases]
        """How many cores have a turn of their own at HBM for each operand."""
        staged = sum(load.mte3 > 0 for load in self.costs.loads)
        places = self.rounds > 1 and self.steps > 1 and self.p.roles.k % self.tiling.step > 0
        self.serialised = places and staged > 1 and not self.p.target.split
        """Whether flags are too few for the operands of a tile's first step, of those in the middle and of the shorter
        last one, which have places of their own: each is loaded when the Vector unit is through with the one before."""
        self.in_turns = places and staged > 0 and lays_out_on_the_way(self.p)
        """Whether they are too few where one operand goes through UB: a step is loaded when the one before is read."""
        self.laid_out: float = 0.0
        """When the Vector unit had laid out the last operand."""
        self.new_columns = False
        """Whether nobody has read the columns of the tile before, and rows beside them wait for HBM."""
        self.period = 0
        """Every so many tiles one begins with a new left operand; 0: these are followed one after the other."""
        self.begins_rows = shared.begins_rows
        self.phased = False
        """Whether reads are followed by what L2 has then; else each takes what they do in the mean."""
        self.loads = 0
        """Steps whose operands are under way, and those that were not followed."""
        self.meet_vector_cores(shared)
        self.begin()

    def meet_vector_cores(self, shared: StepCosts) -> None:
        """Those that compute the left operand for this core; none of them has begun."""
        p, beside = self.p, shared.beside
        self.sides = [Side() for _ in range(beside)]
        takes = p.target.split and not beside and takes_vector(p) and not p.feeds
        self.fixpipe_stores = stores_by_fixpipe(p)
        self.waits = bool(self.sides and self.costs.operands.bytes and not self.tiling.resident)
        """Whether both sides wait for each other tile by tile, through GM."""
        self.takers = Takers(self.rates, lands(p)) if takes else None
        """The Vector cores that do nothing but the epilogue."""
        self.fed_hbm, self.fed, self.first_fed = 0.0, 0, -1.0
        """When HBM is free for them, who run ahead of the Cube core; steps that they have computed, and when the first
        was (negative: none)."""
        self.behind: list[list[tuple[float, KernelCosts]]] = []
        """By rows of tiles, when each is there for the Vector cores: its epilogue follows a later row's operand."""
        self.fed_free, self.taken = [0.0] * FED_SLOTS, [0.0] * HAND_OVER_SLOTS
        self.ended: list[tuple[float, KernelCosts]] = []
        """When slots are free that they or FixPipe write next, and when tiles are there whose epilogue they do."""
        self.busy, self.at_work = shared.busy, 1.0
        """Of the cores those that have a tile in the mean of all rounds, and in this one over the mean."""
        self.last_at_work = max(0.0, self.rounds - (self.rounds - 1) / self.busy)
        self.feeds_ahead = shared.feeds_ahead
        self.ends_kept = 0 if p.prologue and shared.feeds_ahead else HAND_OVER_SLOTS - 1
        """Tiles that are there whose epilogues come behind the next operand."""
        self.followed, self.rows_followed = FOLLOWED * max(1, beside), FOLLOWED
        """Trips of a long loop that are followed, as Vector cores take turns; rows whose operand they compute."""

    def begin(self) -> None:
        """Every pipe is free, and every slot."""
        super().begin()
        self.scalar: float = 0.0
        self.mte2: float = 0.0
        self.v = self.mte3 = self.mte1 = self.m = self.end = 0.0
        self.port: float = 0.0
        """When the port is free through which the cores of a group write."""
        self.rows = [[0.0, 0.0], [0.0, 0.0]]
        """When the slots of UB that DMA fills are free, for each operand."""
        self.fetched: list[float] = []
        """When what DMA was asked for and Vector has not begun with is there."""
        self.shaped = [[0.0, 0.0], [0.0, 0.0]]
        """When the slots of UB that Vector fills are free."""
        self.loaded: list[float] = []
        """When the operands of the steps that wait for their products are in L1."""
        self.right: list[float] = []
        """When the right one of each is."""
        self.read: list[float] = [0.0] * self.tiling.stages
        """When MTE1 had read the operands of the last steps."""
        self.queue = VectorQueue(self.rates.depth)
        self.ends: list[float] = []
        """When MTE1 was free after each step."""
        self.pieces: list[float] = [0.0] * self.costs.slots
        self.drained: list[float] = [0.0, 0.0]
        """When FixPipe had read the last tiles; by the unit flag, had begun to."""
        self.begun: float = 0.0
        self.read_out: float = 0.0
        """When the last product began; by the unit flag, when FixPipe had read the columns of the next tile's first."""
        self.stored: list[float] = [0.0, 0.0]

    def follow_reads(self) -> None:
        """Let the reads of a core that computes all of its tiles take what they do by what L2 has then."""
        left, right = self.phases
        each, later = self.rounds // left.tiles, self.rounds - left.tiles
        if SLOTS <= each <= MOST_PERIOD and self.rounds > max(self.followed, 2 * each) + each:
            self.period = each
        # else they are followed before the last ones without
        later = max(1, min(max(right.tiles, later - each + 2), later + 1))
        self.phased, self.new_rows = True, (later, later + left.tiles - 1)

    def tiles(self) -> Iterator[int]:
        """Tiles to follow. Those are alike that read anew the same operands."""
        apart = () if self.period else self.new_rows
        return self.loops((1, self.phases[1].tiles, *apart, self.rounds), self.steps, tiles=True)

    def steps_of(self, tile: int) -> Iterator[int]:
        """Steps of a tile to follow. Those are alike whose operands L2 has, or lacks."""
        new = [one for one, new in zip(self.phases, self.is_new(tile), strict=True) if new]
        every = max([1, *(one.every for one in new)])
        return self.loops((*(one.steps for one in new), self.steps), 1, every=every)

    def is_new(self, tile: int) -> tuple[bool, bool]:
        """Whether a tile reads anew each operand."""
        first, end = self.new_rows
        new = tile in self.begins_rows if self.begins_rows else not tile or first <= tile < end
        if self.period:
            new = tile % self.period == 0 and tile < self.period * self.phases[0].tiles
        return new, tile < self.phases[1].tiles

    def loops(self, ends: tuple[int, ...], loads: int, tiles: bool = False, every: int = 1) -> Iterator[int]:
        """Trips to follow of loops one after the other, which end there; each trip has so many loads, and `every` so
        many are alike."""
        if ends[-1] <= self.followed + 2:
            yield from range(ends[-1])
            return
        for first, end in pairwise(sorted({0, *ends})):
            for trip in self.trips(end - first, loads, tiles, every):
                yield first + trip

    def trips(self, count: int, loads: int = 0, tiles: bool = False, every: int = 1) -> Iterator[int]:
        """Trips to follow of a loop, each with so many loads; `tiles`: each is a tile with all of its steps. Every
        `every` of them are alike, or as many as there are slots of what is handed over."""
        period = self.period if tiles else 0
        alike = max(FED_SLOTS if self.waits else SLOTS, every, period)
        followed = self.followed if every == 1 else max(self.followed, 3 * alike)
        followed = max(followed, 2 * period)
        if every > 1 or self.waits or period:  # as many of all kinds are left out
            followed += (count - 1 - followed) % alike
        if count <= followed + 2:
            yield from range(count)
            return
        steps = loads == 1 and not tiles
        once, self.writes = (self.writes, []) if steps else ([], self.writes)
        """What the tile before writes: no step's pace has it."""
        before, asked, read = self.pipes(), self.served, self.fetches
        for trip in range(followed):
            if trip == followed - alike:
                before, asked, read = self.pipes(), self.served, self.fetches
            yield trip
        pace = max(b - a for a, b in zip(before, self.pipes(), strict=True)) / alike
        skipped, asked = count - followed - 1, (self.served - asked) / alike
        if tiles and self.fetches > read:  # what is read waits for all that is written
            pace = max(pace, asked)
        cycles = pace * skipped
        due = [written for written in once if written <= self.mte2 + cycles]
        written = len(due) * self.costs.epilogue.chunk_written / HALVES
        busy = self.hbm + asked * skipped + written
        if due and asked:  # what is read waits for it, but for what slots hold
            cycles += max(0.0, written - (due[-1] - due[0]) - pace)
            cycles = max(cycles, busy - self.mte2)
        self.skip(cycles)
        self.writes += once[len(due) :]
        self.hbm = max(self.hbm, busy)  # it is behind with what the others ask for
        self.loads += skipped * loads
        yield count - 1

    def pipes(self) -> tuple[float, ...]:
        beside = len(self.sides) or 1
        fed = [
            sum(times) / beside for times in zip(*((s.mte2, s.v, s.mte3) for s in self.sides), strict=True)
        ]
        return self.mte2, self.v, self.mte3, self.mte1, self.m, self.port, self.fed_hbm, *fed

    def skip(self, cycles: float) -> None:
        """All that is under way happens `cycles` later."""
        for name in TIMES:
            setattr(self, name, getattr(self, name) + cycles)
        in_order = [self.loaded, self.right, self.read, self.ends, self.writes, self.pieces, self.drained]
        in_order += [self.stored, self.fetched, self.taken, self.fed_free]
        self.ended = [(t + cycles, c) for t, c in self.ended]
        for times in (*in_order, *self.rows, *self.shaped, *(side.done for side in self.sides)):
            times[:] = [t + cycles for t in times]
        self.queue.skip(cycles)
        self.fed_hbm += cycles
        if self.takers is not None:
            self.takers.skip(cycles)
        for side in self.sides:
            side.mte2, side.v, side.mte3 = side.mte2 + cycles, side.v + cycles, side.mte3 + cycles

    def fetch(self, operand: int, free: float) -> float:
        """MTE2 reads a part of an operand; the cycle when it is there."""
        start, dmas = max(self.mte2, self.scalar, free), self.costs.loads[operand].dmas
        cycles, asked, latency = self.reads[operand]
        self.asked = asked = asked * self.at_work
        turns = self.turns[operand]
        if asked and dmas > 1:  # the others begin when the first one has waited
            one, each = cycles / dmas, asked / dmas
            start = self.from_hbm(start, start + one, each, turns)
            self.mte2 = self.from_hbm(start, start + cycles - one, asked - each, turns)
        else:
            self.mte2 = self.from_hbm(start, start + cycles, asked, turns)
        return self.mte2 + latency

    def load(self, slots: int, computes: bool = True) -> None:
        """Operands of one step to L1, into the slot of the products of `slots` steps ago; without `computes` the left
        one is there."""
        c, ready, right = self.costs, 0.0, 0.0
        free = self.read[-slots]
        tile, step = divmod(self.loads, self.steps)
        self.loads += 1
        if self.phased:
            self.reads = [
                one.at(tile, step) if new else one.warm
                for one, new in zip(self.phases, self.is_new(tile), strict=True)
            ]
        if not step:
            self.follow_ended(self.ends_kept)
        if self.waits:
            self.at_work = self.last_at_work if tile == self.rounds - 1 else 1 / self.busy
        kept = self.tiling.keeps and tile > 0
        late = self.tiling.rows and self.steps > 1
        order = (1, 0) if self.sides and not late else (0, 1)  # weights need not wait for who hands over
        for operand in order:
            load = c.loads[operand]
            if (operand == 0 and (self.p.held or not computes)) or (operand == 1 and kept):
                continue
            if not load.mte3:
                if self.fetches_ahead and computes:
                    continue
                for _ in range(load.passages):
                    ready = max(ready, self.fetch(operand, free))
                    if self.waits:  # HBM serves the Vector cores too
                        self.fed_hbm += self.asked
                right = ready
            elif operand == 0 and self.sides:
                for _ in range(load.passages // c.operands.shared):
                    ready = max(ready, self.feed(load, free))
                self.mte2 = max(self.mte2, ready if late else 0.0)
            else:
                if operand == 0 and self.fetches_ahead:
                    ready = right = max(ready, self.ask_ahead(load, free, kept))
                ready = max(ready, self.shape(operand, load, free))
        self.loaded.append(ready)
        self.right.append(right if c.right_first and not c.loads[1].mte3 else ready)

    def follow_ended(self, kept: int = 0) -> None:
        """The Vector cores beside do the epilogues of tiles that are there, but for the last `kept`."""

    def ask_ahead(self, load: LoadCosts, free: float, kept: bool) -> float:
        """DMA of what the left operand's step is computed from, then of the right operand, then of what the next step
        is computed from: all before Vector instructions are issued. A right operand that stays comes last. The cycle
        when the right one is there."""
        wanted = load.passages * (2 if self.tiling.keeps else 1)
        rows = self.rows[0]
        while len(self.fetched) < wanted:
            self.fetched.append(self.fetch(0, rows.pop(0)))
        others = [one for one in self.costs.loads[1:] if not one.mte3 and not kept]
        there = [self.fetch(1, free) for one in others for _ in range(one.passages)]
        for _ in range(load.passages * 2 - len(self.fetched)):
            self.fetched.append(self.fetch(0, rows.pop(0)))
        return max([0.0, *there])

    def shape(self, operand: int, load: LoadCosts, free: float) -> float:
        """An operand through UB, where the Vector unit computes it or lays it out; the cycle when it is in L1."""
        ready, rows, shaped = 0.0, self.rows[operand], self.shaped[operand]
        ahead = operand == 0 and self.fetches_ahead
        for _ in range(load.passages):
            fetched = self.fetched if ahead else list[float]()
            while len(fetched) < 1 + ahead:
                row = max(rows.pop(0), self.laid_out) if self.serialised else rows.pop(0)
                if load.fill:
                    self.v = max(self.v, row) + load.fill
                    row = self.v + self.rates.vector_latency
                fetched.append(self.fetch(operand, row))
            begun = max(self.v, fetched.pop(0), shaped.pop(0), self.scalar)
            self.v = begun + load.vector
            self.fill_queue(load.entries, begun)
            done = self.v + self.rates.vector_latency
            rows.append(done)
            self.laid_out = done
            self.mte3 = max(self.mte3, done, free) + load.mte3
            ready = max(ready, self.mte3 + self.rates.shape_latency)
            shaped.append(self.mte3 + self.rates.shape_latency)
        return ready

    def fill_queue(self, entries: float, begun: float) -> None:
        """So many Vector instructions are issued, which the unit begins with then and ends with now."""
        self.scalar = max(self.scalar, self.queue.fill(entries, begun, self.v))

    def feed(self, load: LoadCosts, free: float) -> float:
        """Vector cores beside bring a step of the left operand, or a part of it; the cycle when that is in L1."""
        raise NotImplementedError

    def multiply(self, first: bool, last: bool = False) -> None:
        """Products of the step that has waited longest; `first`, `last`: of a tile."""
        c = self.costs
        ready, right = max(self.loaded.pop(0), self.scalar), max(self.right.pop(0), self.scalar)
        if c.by_columns:
            self.multiply_both(ready, right, last)
            return
        count, pieces = c.pieces, self.pieces
        followed = min(count, 3)
        for piece in range(followed):
            # what is left of K behind whole pieces has flags of its own, which tell no slots apart
            alone = c.rest and piece in (0, followed - 1)
            first_right = c.mte1_right if c.right_first else 0.0
            self.mte1 = max(self.mte1, right, pieces[-1 if alone else 0]) + first_right
            self.mte1 = max(self.mte1, ready) + c.mte1 - first_right
            start = max(self.m, self.mte1 + self.rates.mte1_latency)
            if first and not piece:
                start = max(start, self.drained[0 if c.two_accumulators else 1])
            self.begun = start
            self.m = start + c.mmad
            if first and not piece:
                self.m = max(self.m, self.read_out)
            pieces[:] = [*pieces[1:], self.m + self.rates.mmad_latency]
        if count > 3:
            more = (count - 3) * c.pace
            self.m += more
            self.begun += more
            self.mte1 += more
            pieces[:] = [t + more for t in pieces]
        self.issued()

    def multiply_both(self, ready: float, right: float, last: bool) -> None:
        """Products of a step in two pieces with places of their own; those of the last step follow by columns."""
        c = self.costs
        for free in self.pieces:
            self.mte1 = max(self.mte1, right, free) + c.mte1_right
        self.mte1 = max(self.mte1, ready)
        for piece in range(2):
            self.mte1 += c.mte1 - c.mte1_right
            self.m = max(self.m, self.mte1 + self.rates.mte1_latency) + (0.0 if last else c.mmad)
            self.pieces[piece] = self.m + self.rates.mmad_latency
        self.issued()

    def issued(self) -> None:
        """The products of a step are issued, and L0 has its operands."""
        c, count = self.costs, self.costs.pieces
        self.read = [*self.read[1:], self.mte1 + self.rates.mte1_latency]
        # the scalar unit goes on when all but a queue's instructions are under way
        self.ends.append(self.mte1)
        queued = self.rates.depth / c.mte1_entries
        steps = int(queued // count)
        if steps < len(self.ends):
            self.scalar = max(self.scalar, self.ends[-1 - steps] - (queued - steps * count) * c.pace)


__all__ = ["FOLLOWED", "SLOTS", "TIMES", "Pipes"]
