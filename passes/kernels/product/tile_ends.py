"""What follows the last product of a tile: chunk by chunk through the Vector unit to GM, or through FixPipe and the
Vector cores beside the Cube core."""

from .costs import KernelCosts
from .epilogue_costs import EpilogueCosts
from .hbm_queue import HALVES
from .load_costs import LoadCosts
from .pipes import Pipes


class TileEnds(Pipes):
    """The pipes of one core, with what they do behind a tile's products, and the Vector cores beside."""

    def begin(self) -> None:
        super().begin()
        self.skews: list[float] = [0.0]
        """How far ahead the first core was when the operands of tiles were there, of the last that was finished and
        those that are not: what they write is as far apart."""

    def load(self, slots: int, computes: bool = True) -> None:
        super().load(slots, computes)
        if self.loads % self.steps == 0:
            self.skews.append(self.skew)

    def finish(self) -> None:
        """The epilogue of a tile, chunk by chunk."""
        c, e, takers = self.costs, self.costs.epilogue, self.takers
        if takers is not None:
            self.scalar = max(self.scalar, takers.free.pop(0))
        elif e.beside_store and self.waits:
            if not self.taken:  # behind the last operands
                self.follow_ended(self.ends_kept)
            self.scalar = max(self.scalar, self.taken.pop(0))
        self.v = max(self.v, (self.begun if c.unit_flag else self.m) + self.rates.mmad_latency, self.scalar)
        self.read_beside(e)
        began = self.v
        starts: list[float] = []
        taken: float = 0.0
        for _ in self.trips(e.chunks):
            if c.by_columns:
                self.m = max(self.m + c.late_products, taken)
                self.v = max(self.v, self.m + self.rates.mmad_latency)
            if e.chunk_read:
                asked = max(self.mte2, self.scalar)
                self.mte2 = self.from_hbm(asked, asked + e.chunk_read, e.chunk_asked, self.tiling.cores)
                self.v = max(self.v, self.mte2 + self.rates.dma_latency)
            begun: float = self.v if takers else max(self.v, self.stored.pop(0))
            taken, self.v = begun + e.chunk_taken, begun + e.chunk_vector
            start = max(self.mte3, self.v + self.rates.vector_latency)
            starts.append(start)
            self.port = max(self.port, begun) + e.chunk_port
            if takers is not None:
                given: float = 0.0
                if e.chunk_asked:
                    given = self.hbm = max(self.hbm, start) + e.chunk_asked
                self.mte3 = takers.take(e, self.v, given, self.mte3)
                continue
            self.mte3 = start + e.chunk_store
            if e.writes_as_it_reads:  # what the next chunk reads waits for what this one writes
                self.hbm = max(self.hbm, start - self.skew) + e.chunk_written
                self.served += e.chunk_written
            elif e.chunk_asked:  # by Vector cores beside
                self.served += e.chunk_asked
                self.hbm = max(self.hbm, start) + e.chunk_asked
                self.mte3 = max(self.mte3, self.hbm)
            self.stored.append(max(self.mte3, self.port) + self.rates.store_latency)
        if e.chunk_written and not e.writes_as_it_reads:
            self.write(e, starts)
        if len(self.skews) > 1:
            self.skews.pop(0)
        if c.unit_flag:  # the next tile begins behind FixPipe, and ends its first product after it
            self.v = max(self.v, self.m + self.rates.mmad_latency)
            self.drained, self.read_out = [began, began], began + (self.v - began) * c.first_read
        else:
            self.drained = [self.drained[1], self.v]
        self.fill_queue(e.chunks * e.chunk_entries, began)
        self.end = (
            self.v if self.fixpipe_stores else max(self.mte3, self.port) + self.rates.store_latency + e.last
        )
        self.hand_to_sides(c)

    def write(self, e: EpilogueCosts, starts: list[float]) -> None:
        """HBM takes the chunks of a tile, of which some `starts` were followed, and those of cores that are ahead."""
        apart = (starts[-1] - starts[0]) / max(1, e.chunks - 1)
        early = [self.skew * (1 + 2 * half) / (2 * HALVES) for half in range(HALVES)]
        times = [starts[0] + i * apart - by for i in range(e.chunks) for by in early]
        ahead = sum(time <= self.asked_at for time in times)
        if ahead:
            self.hold_up(ahead * e.chunk_written / HALVES)
        self.writes = sorted([*self.writes, *(time for time in times if time > self.asked_at)])
        self.served += e.chunks * e.chunk_written

    def feed(self, load: LoadCosts, free: float) -> float:
        """The Vector core whose turn it is brings a step of the left operand, or a part of it, or all of them share it;
        the cycle when that is in L1."""
        c, rates, beside = self.costs, self.rates, len(self.sides)
        shared, handed = c.operands.shared, 0.0
        room = self.fed_free.pop(0) if self.waits else 0.0
        for piece in range(shared):
            side = self.sides[(self.fed + piece) % beside]
            own = self.mte2, self.hbm, self.scalar, self.skew
            # nothing holds up its own scalar unit
            self.mte2, self.hbm, self.scalar = side.mte2, self.fed_hbm, 0.0
            there = self.fetch(0, max(room, side.done[-2 if self.feeds_ahead else -1]))
            side.mte2, self.fed_hbm = self.mte2, self.hbm
            self.mte2, self.hbm, self.scalar, self.skew = own
            self.hbm += self.asked  # it serves the Cube core too
            side.v = max(side.v, there) + load.vector * beside
            side.done.append(side.v + rates.vector_latency)
            if self.first_fed < 0:
                self.first_fed = side.done[-1]
            side.mte3 = max(side.mte3, side.done[-1]) + load.mte3 * beside
            handed = max(handed, side.mte3 + rates.store_latency + rates.cross_latency)
        self.fed += shared == 1
        if self.waits and not c.unit_flag:  # the core waits before it issues what comes next
            self.scalar = max(self.scalar, handed)
        if not c.operands.bytes:
            return handed
        self.mte2 = max(self.mte2, handed, free) + max(rates.dma_issue, c.operands.bytes / rates.l2_read)
        self.fed_free.append(self.mte2 + rates.shape_latency + rates.cross_latency)
        return self.mte2 + rates.shape_latency

    def written(self) -> float:
        """Cycles until the port of the group has written all that it hands over in GM, and the result."""
        c = self.costs
        if not self.waits or self.first_fed < 0:
            return 0.0
        parts = self.steps * (c.loads[0].passages // c.operands.shared)
        each = parts * c.operands.bytes / self.p.target.memory.l2_write
        each += c.epilogue.chunks * c.epilogue.chunk_port
        return self.first_fed + self.rounds * each + self.rates.store_latency

    def hand_to_sides(self, c: KernelCosts) -> None:
        """A tile is there for the Vector cores beside, which compute the left operand too."""
        if self.tiling.resident and self.sides:
            self.behind[-1].append((self.v + self.rates.cross_latency, c))
        elif self.waits:
            self.ended.append((self.v + self.rates.cross_latency, c))
        else:
            self.follow(0.0, c)

    def follow_ended(self, kept: int = 0) -> None:
        while len(self.ended) > kept:
            self.follow(*self.ended.pop(0))

    def read_beside(self, e: EpilogueCosts) -> None:
        """Rows that the epilogue needs come behind the operands of the next tile."""
        if not e.beside:
            return
        asked = self.p.target.memory.l2_line / self.rates.hbm if self.new_columns else 0.0
        start = max(self.mte2, self.scalar)
        ahead = max(0.0, self.skews[0] - self.skew)
        self.mte2 = self.from_hbm(
            start, start + self.rates.dma_issue * e.beside, asked * e.beside, self.tiling.cores, ahead
        )
        latency = self.rates.dma_latency + (self.rates.miss_latency if asked else 0.0)
        self.v = max(self.v, self.mte2 + latency)

    def follow(self, ready: float, c: KernelCosts) -> None:
        """The Vector cores beside do the epilogue of a tile, which is ready for them then."""
        e, rates = c.epilogue, self.rates
        if not e.beside_store:
            return
        latency, each = rates.dma_latency if e.beside_load else 0.0, e.beside_work / e.parts
        for side in self.sides:
            side.mte2 = max(side.mte2, ready)
            first = max(side.v, side.mte2 + e.beside_load / e.parts + latency) + each
            side.mte2 += e.beside_load
            side.v = max(first + (e.parts - 1) * each, side.mte2 + latency + each)
            side.mte3 = max(side.mte3, first + rates.vector_latency) + e.beside_store
            side.mte3 = max(side.mte3, side.v + rates.vector_latency + e.beside_store / e.parts)
        self.taken.append(max((s.mte2 for s in self.sides), default=0.0) + latency + rates.cross_latency)


__all__ = ["TileEnds"]
