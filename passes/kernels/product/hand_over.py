"""The Vector cores beside a Cube core: when their pipes are free while they compute its left operand, or do the
epilogue of its tiles behind FixPipe."""

from dataclasses import field

from ....dialects.records import dataclass
from ...lowering.cores.cube_to_vector_gm import SLOTS
from .epilogue_costs import EpilogueCosts
from .step_costs import Rates


@dataclass
class Side:
    """A Vector core that computes left operands: the cycles when its pipes are free, and when its last steps were
    computed."""

    mte2: float = 0.0
    v: float = 0.0
    mte3: float = 0.0
    done: list[float] = field(default_factory=lambda: [0.0, 0.0])


@dataclass
class Takers:
    """Both Vector cores as they take tiles of a product, which are alike. `lands`: FixPipe writes to their UB."""

    rates: Rates
    lands: bool
    mte2: float = 0.0
    v: float = 0.0
    free: list[float] = field(default_factory=lambda: [0.0] * SLOTS)
    """When the slots are free that FixPipe writes next."""

    def take(self, e: EpilogueCosts, given: float, asked: float, mte3: float) -> float:
        """A tile that FixPipe has written at `given`, whose operands in GM HBM gives until `asked`; MTE3 is free at
        `mte3`. When MTE3 is through with it."""
        rates, parts = self.rates, e.parts
        ready = given + rates.cross_latency
        latency = rates.dma_latency if e.beside_load else 0.0
        self.mte2 = max(self.mte2, ready)
        first = max(self.mte2 + e.beside_load / parts + latency, asked)
        self.mte2 += e.beside_load
        there, each = max(self.mte2 + latency, asked), e.beside_work / parts
        begun = max(self.v, first) + each
        self.v = max(begun + (parts - 1) * each, there + each)
        self.free.append((self.v if self.lands else there) + rates.cross_latency)
        last = self.v + rates.vector_latency + e.beside_store / parts
        return max(max(mte3, begun + rates.vector_latency) + e.beside_store, last)

    def skip(self, cycles: float) -> None:
        """All that is under way happens `cycles` later."""
        self.mte2, self.v = self.mte2 + cycles, self.v + cycles
        self.free = [t + cycles for t in self.free]


__all__ = ["Side", "Takers"]
