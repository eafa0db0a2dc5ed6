"""The pipes of a Cube core and of the Vector cores beside it, which compute its left operand or lay it out: in turns,
some steps ahead, and the epilogue of a tile behind the operands of the next one."""

from .load_costs import LoadCosts
from .pipes import Pipes


class FedPipes(Pipes):
    """The pipes of a core, with what Vector cores hand over."""

    def fed_by_sides(self, load: LoadCosts, free: float) -> float:
        """Vector cores compute the left operand; the cycle when it is in L1. Of an image the Cube core fetches a step
        at once, when all of it is laid out."""
        if self.p.prologue is None:
            ready = self.take(max([self.feed(load) for _ in range(load.passages)]), free)
        else:
            ready = max([self.take(self.feed(load), free) for _ in range(load.passages)])
        if self.loads % self.steps == 0:
            self.catch_up()
        return ready

    def catch_up(self) -> None:
        """The Vector cores beside do the epilogues that wait for them."""
        raise NotImplementedError

    def feed(self, load: LoadCosts) -> float:
        """The Vector core whose turn it is computes a part of the left operand; the cycle when it has handed it
        over."""
        c, beside = self.costs, len(self.sides)
        side = self.sides[self.fed % beside]
        self.fed += 1
        own: tuple[float, float, float] = self.mte2, self.hbm, self.scalar
        # nothing holds up its own scalar unit
        self.mte2, self.hbm, self.scalar = side.mte2, self.fed_hbm, 0.0
        room = 0.0 if self.tiling.resident else self.taken[-c.operands.slots]
        there = self.fetch(0, max(side.done[-2 if self.feeds_ahead else -1], room))
        side.mte2, self.fed_hbm = self.mte2, self.hbm
        self.mte2, self.hbm, self.scalar = own
        self.hbm += self.asked  # it serves the Cube core too
        side.v = max(side.v, there) + load.vector * beside * self.share
        side.done.append(side.v + self.rates.vector_latency)
        side.mte3 = max(side.mte3, side.done[-1]) + load.mte3 * beside * self.share
        return side.mte3 + self.rates.store_latency + self.rates.cross_latency

    def take(self, handed: float, free: float) -> float:
        """The Cube core fetches what Vector cores handed over at `handed`; the cycle when it is in L1."""
        c = self.costs
        self.scalar = max(self.scalar, handed)
        if not c.operands.bytes:
            return handed
        self.mte2 = max(self.mte2, handed, free) + max(
            self.rates.dma_issue, c.operands.bytes / self.rates.l2_read
        )
        self.taken = [*self.taken[1:], self.mte2 + self.rates.cross_latency]
        return self.mte2 + self.rates.shape_latency


__all__ = ["FedPipes"]
