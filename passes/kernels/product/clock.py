"""Predicted time of a kernel around a product: the pipes of one core (`kernels.product.pipes`), as the lowering emits
its tiles.

Of a long loop the first trips and the last are followed; those in between take as long as the last one followed.
"""

from math import inf

from ...regions.tiling import ProductTiling
from .costs import KernelCosts
from .operand_costs import columns_of, latency_through
from .pipes import Pipes
from .problem import Problem, Tile


def product_cycles(p: Problem, tiling: ProductTiling, tile: Tile, rounds: int | None = None) -> float:
    """Predicted cycles of the kernel; `rounds`: how many tiles a core computes, where these are not dealt out of a grid
    of their own."""
    return Clock(p, tiling, tile, rounds).run()


def cycles_within(
    limit: float, p: Problem, tiling: ProductTiling, tile: Tile, rounds: int | None = None
) -> float:
    """Predicted cycles of the kernel; infinite where one of its pipes alone takes longer than `limit`."""
    clock = Clock(p, tiling, tile, rounds)
    return inf if clock.busiest() > limit else clock.run()


class Clock(Pipes):
    """One core, from its first tile to its last."""

    def busiest(self) -> float:
        """Cycles of the busiest pipe, and from the first load to the last store on the way through the others: `run` is
        no faster."""
        return latency_through(self.p.target) + min(self._busiest(costs) for costs in {self.whole, self.rest})

    def _busiest(self, c: KernelCosts) -> float:
        """The same, if all tiles cost `c`: products, operands to L0, operands to L1 and from HBM, what the Vector unit
        or FixPipe does, what it moves."""
        e, steps = c.epilogue, self.rounds * self.steps
        chunks = self.rounds * e.chunks
        m = (steps - self.rounds if c.by_columns else steps) * c.pieces * c.mmad
        mte2, hbm = chunks * e.chunk_read, 0.0
        v, mte3 = chunks * e.chunk_vector, chunks * e.chunk_store
        for operand, (load, count, fetch) in enumerate(
            zip(c.loads, self.counts, self.reads_of[c], strict=True)
        ):
            if operand == 0 and (self.p.held or self.sides):
                continue
            times = count * load.passages
            mte2, hbm = mte2 + times * fetch.cycles, hbm + times * fetch.asked
            if load.mte3:
                v, mte3 = v + times * load.vector, mte3 + times * load.mte3
        beside = self._busiest_beside(c) if self.sides and not self.p.held else 0.0
        return max(m + chunks * c.late_products, steps * c.pieces * c.mte1, mte2, hbm, v, mte3, beside)

    def _busiest_beside(self, c: KernelCosts) -> float:
        """The same of the Vector cores beside, which compute the left operand in turns and, but for the last tile's, do
        an epilogue between them."""
        load, fetch, e = c.loads[0], self.reads_of[c][0], c.epilogue
        turns = self.counts[0] * load.passages // len(self.sides)
        """What each of them computes at least."""
        each = turns * len(self.sides)
        tiles = 0 if self.tiling.resident else self.rounds - 1
        v, mte3 = each * load.vector + tiles * e.beside_work, each * load.mte3 + tiles * e.beside_store
        return max(v, mte3, turns * fetch.cycles + tiles * e.beside_load, each * fetch.asked)

    def run(self) -> float:
        p, tiling = self.p, self.tiling
        rounds = self.rounds
        if tiling.resident:
            return self.run_handed() if self.sides else self.run_resident()
        streams = p.target.split and not p.window and p.prologue is None
        pipelined = streams or self.rounds > 1 or self.fetches_ahead
        if p.target.split:
            pipelined = pipelined and not tiling.serial
        ahead = pipelined and self.steps > 1 and p.roles.k % tiling.step == 0
        many = ahead or (pipelined and not streams)
        if many:
            self.load(2)
        for tile in self.trips(rounds):
            last = tile == rounds - 1
            for step in self.trips(self.steps):
                following = ahead and not (last and step == self.steps - 1)
                if following and not self.fetches_ahead:
                    self.load(1)
                elif not ahead and (step or not many):
                    self.load(2)
                self.multiply(step == 0, step == self.steps - 1)
                if following and self.fetches_ahead:
                    self.load(2)
            if many and not ahead and not last:
                self.load(2)
            self.finish()
        return self.end

    def run_handed(self) -> float:
        """Tiles whose left operand Vector cores compute once for all of columns: they are ahead by a row of tiles where
        it has room, and the Cube core's loads are never held up by what follows a tile."""
        columns, c, after = columns_of(self.p, self.tiling), self.costs, list[tuple[float, ...]]()
        rows = self.rounds // columns
        parts = self.p.roles.k // self.tiling.resident
        for row in range(min(rows, self.rows_followed + 1)):
            self.behind.append([])
            late = row - 1 - c.operand_room
            if late >= 0 and self.whole.epilogue.beside_work + self.whole.epilogue.beside_store:
                for ready, costs in self.behind[late]:
                    self.follow(ready, costs)
            if not c.operand_room:
                for side in self.sides:
                    side.v = max(side.v, self.end)
                    side.done += [side.v, side.v]
            for column in range(columns):
                self.costs = c = self.rest if column == columns - 1 else self.whole
                self.reads = self.reads_of[c]
                if c.one_table:
                    self.mte1 = max(self.mte1, self.m + c.mmad_latency)
                for step in self.trips(self.steps):
                    self.load(self.tiling.stages, computes=column == 0 and (parts > 1 or step == 0))
                    self.multiply(step == 0)
                self.finish()
            after.append(self.pipes())
        pace = max(last - first for first, last in zip(after[0], after[-1], strict=True)) / self.rows_followed
        return self.end + max(0, rows - len(after)) * pace

    def run_resident(self) -> float:
        """Tiles one after the other, each issued behind the epilogue of the one before; the left operand is computed
        for the first one of columns, in steps or at once."""
        columns, parts = columns_of(self.p, self.tiling), self.p.roles.k // self.tiling.resident
        rows = self.rounds // columns
        ends: list[float] = []
        for _ in range(min(rows, 3)):
            self.mte2 = max(self.mte2, self.v)
            self.fetched, self.rows[0] = [], [self.v, self.v]
            for step in self.trips(self.steps):
                self.load(2, computes=parts > 1 or step == 0)
                self.multiply(step == 0)
            self.finish()
            for _ in self.trips(columns - 1):
                self.mte2 = self.mte1 = max(self.mte1, self.mte2, self.v)
                for step in self.trips(self.steps):
                    self.load(2, computes=False)
                    self.multiply(step == 0)
                self.finish()
            ends.append(self.end)
        return self.end + (rows - len(ends)) * (ends[-1] - ends[-2]) if rows > len(ends) else self.end


__all__ = ["Clock", "cycles_within", "product_cycles"]
