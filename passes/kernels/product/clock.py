"""Predicted time of a kernel around a product: the pipes of one core (`kernels.product.pipes`), as the lowering emits
its tiles.

Of a long loop the first trips and the last are followed; those in between take as long as the last one followed.
"""

from ...regions.tiling import ProductTiling
from .candidate import Candidate
from .load_costs import lays_out_on_the_way
from .operand_costs import columns_of
from .pipes import SLOTS
from .problem import Problem, Tile
from .tile_ends import TileEnds


def product_cycles(p: Problem, tiling: ProductTiling, tile: Tile, rounds: int | None = None) -> float:
    """Predicted cycles of the kernel; `rounds`: how many tiles a core computes, where these are not dealt out of a grid
    of their own."""
    return Clock(Candidate(p, tiling, tile, rounds)).run()


class Clock(TileEnds):
    """One core, from its first tile to its last."""

    def run(self) -> float:
        p, tiling = self.p, self.tiling
        rounds = self.rounds
        if tiling.resident:
            return self.run_handed() if self.sides else self.run_resident()
        self.follow_reads()
        streams = p.target.split and p.prologue is None and (not p.window or p.lhs_blocked)
        pipelined = streams or self.rounds > 1 or self.fetches_ahead
        if p.target.split:
            pipelined = pipelined and not tiling.serial
        ahead = pipelined and self.steps > 1 and p.roles.k % tiling.step == 0
        many = ahead or (pipelined and not streams)
        shorter = lays_out_on_the_way(p) and p.roles.k % tiling.step > 0
        alone = shorter and self.steps > 2 and self.rounds == 1
        """Whether flags of the last step, which is shorter, do not tell apart the slots of those before."""
        slots = 1 if self.in_turns else SLOTS
        if many:
            self.load(2)
        for tile in self.tiles():
            last, self.new_columns = tile == rounds - 1, self.is_new(tile)[1]
            for step in self.steps_of(tile):
                following = ahead and not (last and step == self.steps - 1)
                if following and not self.fetches_ahead:
                    self.load(1)
                elif not ahead and (step or not many):
                    self.load(1 if alone and step == self.steps - 1 else slots)
                self.multiply(step == 0, step == self.steps - 1)
                if following and self.fetches_ahead:
                    self.load(2)
            if many and not ahead and not last:
                self.load(slots)
            self.finish()
        self.follow_ended()
        last = max((side.mte3 for side in self.sides), default=0.0) if self.waits else 0.0
        return max(self.end, last + self.rates.store_latency, self.written())

    def run_handed(self) -> float:
        """Tiles whose left operand Vector cores compute once for all of columns: they are ahead by a row of tiles where
        it has room, and the Cube core's loads are never held up by what follows a tile."""
        columns, c, after = columns_of(self.p, self.tiling), self.costs, list[tuple[float, ...]]()
        rows = self.rounds // columns
        parts = self.p.roles.k // self.tiling.resident
        for row in range(min(rows, self.rows_followed + 1)):
            self.behind.append([])
            late = row - 1 - c.operands.room
            if late >= 0 and self.whole.epilogue.beside_work + self.whole.epilogue.beside_store:
                for ready, costs in self.behind[late]:
                    self.follow(ready, costs)
            if not c.operands.room:
                for side in self.sides:
                    side.v = max(side.v, self.end)
                    side.done += [side.v, side.v]
            for column in range(columns):
                self.costs = c = self.rest if column == columns - 1 else self.whole
                self.reads = self.reads_of[c]
                if c.one_table:
                    self.mte1 = max(self.mte1, self.m + self.rates.mmad_latency)
                for step in self.trips(self.steps, 1):
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
            for step in self.trips(self.steps, 1):
                self.load(2, computes=parts > 1 or step == 0)
                self.multiply(step == 0)
            self.finish()
            for _ in self.trips(columns - 1):
                self.mte2 = self.mte1 = max(self.mte1, self.mte2, self.v)
                for step in self.trips(self.steps, 1):
                    self.load(2, computes=False)
                    self.multiply(step == 0)
                self.finish()
            ends.append(self.end)
        return self.end + (rows - len(ends)) * (ends[-1] - ends[-2]) if rows > len(ends) else self.end


__all__ = ["Clock", "product_cycles"]
