"""Predicted time of a kernel that streams rows on a chip whose Cube and Vector are cores of their own: the pipes of a
Cube core and of the Vector cores beside it, part by part, as the lowering emits them.

    Cube core       rows of part t: MTE2 -> MTE1 -> M -> FIX            product of part t - 2: the same
    Vector cores    weights of part t: MTE2 -> V -> MTE3                sums of part t - 1: MTE2 -> V

A wait for the other side holds up whatever a core issues behind it. Of a long tile the first parts are followed, of
many tiles the first ones; the others take as long as the last of these.
"""

from collections.abc import Iterator

from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ...lowering.stream_hand_overs import LEAD, SLOTS

FOLLOWED, ALIKE = 12, 4
"""Parts of a tile that are followed; over so many of the last ones the pace is taken."""
TIMES = (
    "issued", "mte2", "mte1", "m", "fix", "side_issued", "side_mte2", "v", "mte3", "begun", "rows_read", "sums_read",
)  # fmt: skip
SLOTTED = "keys", "values", "weights", "rows_free", "sums_free", "weights_free"


@dataclass(frozen=True)
class Work:
    """One product of a part: cycles of its load, in the first part (`cold`) and in the mean, of MTE1 and M, of FIX, and
    of the port through which that writes; so many `pieces` of K go through L0."""

    cold: float
    load: float
    mte1: float
    m: float
    fix: float
    port: float
    pieces: int


@dataclass(frozen=True)
class PartCosts:
    """Cycles of a part: the product that gives its rows (None: they come from GM), the one with its weights, what the
    Cube core reads of these; for Vector cores the loads of rows and of sums, their work on each, the store of weights
    (`port`: by all of them through the port that they share with FIX). Of a tile: the load before its first part, the
    Vector's work at its end, the store. `late`: what a load takes until it is there, beside the latency of a hit."""

    rows: Work | None
    product: Work
    weights: float
    read_rows: float
    read_sums: float
    vector: float
    add: float
    back: float
    port: float
    begin: float
    end: float
    store: float
    late: float

    def busiest(self) -> float:
        """Cycles of the busiest pipe of the Cube core in a part."""
        works = [work for work in (self.rows, self.product) if work is not None]
        loads = self.weights + sum(work.load for work in works)
        return max(loads, *(sum(getattr(work, pipe) for work in works) for pipe in ("mte1", "m", "fix")))


class StreamClock:
    """A Cube core and the Vector cores beside it: the cycle when each pipe is free, and when slots are."""

    def __init__(self, costs: PartCosts, target: Target):
        self.costs, path = costs, target.path
        self.cross = 0.0 if target.cross is None else target.cross.latency
        self.to_l1, self.to_ub = path("gm", "l1").latency, path("gm", "ub").latency
        self.from_ub, self.from_l0c = path("ub", "gm").latency, path("l0c", "gm").latency
        self.to_l0, self.mmad = path("l1", "l0a").latency, target.cube.latency
        self.vec, self.miss = target.vector.latency, target.memory.miss_latency
        self.issued = self.mte2 = self.mte1 = self.m = self.fix = 0.0
        self.side_issued = self.side_mte2 = self.v = self.mte3 = 0.0
        self.begun = self.rows_read = self.sums_read = 0.0
        """When what a tile begins with is there, and accumulators are read."""
        self.given, self.summed, self.taken = list[float](), list[float](), list[float]()
        """When rows, sums and weights are there that the other side has not taken."""
        self.work: list[str] = []
        """What Vector cores do next."""
        self.loaded: set[str] = set()
        """Right operands of which L2 has some parts."""
        self.writes: list[tuple[float, float]] = []
        """When the port was last busy through which all of them write, in order."""
        for name in SLOTTED:
            setattr(self, name, [0.0] * SLOTS)

    keys: list[float]
    values: list[float]
    weights: list[float]
    rows_free: list[float]
    sums_free: list[float]
    weights_free: list[float]

    def run(self, parts: int, tiles: int, apart: bool = False) -> float:
        """Cycles of so many tiles with so many parts each; `apart`: the last part is a smaller one, which Vector cores
        begin with when they are through with the one before."""
        ends, lead = list[float](), min(LEAD, parts)
        for tile in range(min(tiles, 3)):
            for part in self._followed(parts):
                if not part:
                    self.begun = self._load(self.costs.begin, 0.0) + self.miss
                self._multiply_rows()
                if tile or part >= lead:
                    self._multiply_weights()
                last = part == parts - 1
                before = ["add"] if part else []
                self.work += [*before, "weigh"] if last and apart else ["weigh", *before]
                self.work += ["add", "end"] if last else []
                self._work()
            ends.append(self.v)
        if tiles > len(ends):
            self._skip((tiles - len(ends)) * (ends[-1] - ends[-2]))
        for _ in range(lead):
            self._multiply_weights()
            self._work()
        return self.v + self.vec + self.costs.store

    def _followed(self, parts: int) -> Iterator[int]:
        """Parts of a tile to follow."""
        if parts <= FOLLOWED + ALIKE:
            yield from range(parts)
            return
        yield from range(FOLLOWED - ALIKE)
        began = self._pipes()
        yield from range(FOLLOWED - ALIKE, FOLLOWED)
        pace = max(b - a for a, b in zip(began, self._pipes(), strict=True)) / ALIKE
        last = (parts - FOLLOWED) % SLOTS or SLOTS
        self._skip(pace * (parts - FOLLOWED - last))
        yield from range(parts - last, parts)

    def _work(self) -> None:
        """Vector cores go on as far as the Cube core has given them what they wait for."""
        while self.work:
            if (self.work[0] == "weigh" and not self.given) or (self.work[0] == "add" and not self.summed):
                return
            what = self.work.pop(0)
            if what == "end":
                self.v += self.costs.end
            elif what == "weigh":
                self._weigh()
            else:
                self._add()

    def _multiply_rows(self) -> None:
        rows = self.costs.rows
        if rows is None:
            self.given.append(0.0)
            return
        there = self._read("keys", rows, self.keys.pop(0))
        self._multiply(rows, max(there, self.begun), self.rows_read)
        self.keys.append(self.mte1 + self.to_l0)
        self.given.append(self._hand_over(rows, self.rows_free.pop(0)))
        self.rows_read = self.fix + self.from_l0c

    def _multiply_weights(self) -> None:
        product = self.costs.product
        there = self._read("values", product, self.values.pop(0))
        self.issued = max(self.issued, self.taken.pop(0))
        there = max(there, self._load(self.costs.weights, self.weights.pop(0)))
        self.weights_free.append(self.mte2 + self.to_l1 + self.cross)
        self._multiply(product, there, self.sums_read)
        self.values.append(self.mte1 + self.to_l0)
        self.weights.append(self.mte1 + self.to_l0)
        self.summed.append(self._hand_over(product, self.sums_free.pop(0)))
        self.sums_read = self.fix + self.from_l0c

    def _read(self, operand: str, work: Work, free: float) -> float:
        """The right operand of a product; the cycle when it is there. L2 lacks that of the first part."""
        if operand in self.loaded:
            return self._load(work.load, free) + self.costs.late
        self.loaded.add(operand)
        return self._load(work.cold, free) + self.miss

    def _load(self, cycles: float, free: float) -> float:
        """MTE2 of the Cube core reads something; the cycle when it is there."""
        self.mte2 = max(self.mte2, self.issued, free) + cycles
        return self.mte2 + self.to_l1

    def _multiply(self, work: Work, there: float, free: float) -> None:
        """A product of operands that are in L1 then, into an accumulator that is free then."""
        begun = max(self.mte1, self.issued, there)
        self.mte1 = begun + work.mte1
        first = begun + work.mte1 / work.pieces + self.to_l0
        last = self.mte1 + self.to_l0 + work.m / work.pieces
        self.m = max(max(self.m, first, free) + work.m, last)

    def _hand_over(self, work: Work, free: float) -> float:
        """FIX writes a result where that is free; the cycle when Vector cores know."""
        self.issued = max(self.issued, free)
        begun = max(self.fix, self.m + self.mmad, self.issued)
        self.fix = max(begun + work.fix, self._written(begun, work.port))
        return self.fix + self.from_l0c + self.cross

    def _written(self, begun: float, cycles: float) -> float:
        """The cycle when the port has taken what is written from then on."""
        for first, last in self.writes:
            if begun + cycles <= first:
                break
            begun = max(begun, last)
        self.writes = sorted([*self.writes[-2 * SLOTS :], (begun, begun + cycles)])
        return begun + cycles

    def _weigh(self) -> None:
        """Vector cores make weights of rows."""
        costs = self.costs
        self.side_issued = max(self.side_issued, self.given.pop(0))
        self.side_mte2 = max(self.side_mte2, self.side_issued) + costs.read_rows
        self.rows_free.append(self.side_mte2 + self.to_ub + self.cross)
        late = 0.0 if costs.rows is not None else costs.late
        self.v = max(self.v, self.side_mte2 + self.to_ub + late) + costs.vector
        self.side_issued = max(self.side_issued, self.weights_free.pop(0))
        begun = max(self.mte3, self.v + self.vec, self.side_issued)
        self.mte3 = max(begun + costs.back, self._written(begun, costs.port))
        self.taken.append(self.mte3 + self.from_ub + self.cross)

    def _add(self) -> None:
        """Vector cores add what a part gives to the sums."""
        self.side_issued = max(self.side_issued, self.summed.pop(0))
        self.side_mte2 = max(self.side_mte2, self.side_issued) + self.costs.read_sums
        self.sums_free.append(self.side_mte2 + self.to_ub + self.cross)
        self.v = max(self.v, self.side_mte2 + self.to_ub) + self.costs.add

    def _pipes(self) -> tuple[float, ...]:
        return self.mte2, self.mte1, self.m, self.fix, self.side_mte2, self.v, self.mte3

    def _skip(self, cycles: float) -> None:
        """All that is under way happens `cycles` later."""
        for name in TIMES:
            setattr(self, name, getattr(self, name) + cycles)
        for name in (*SLOTTED, "given", "summed", "taken"):
            setattr(self, name, [time + cycles for time in getattr(self, name)])
        self.writes = [(first + cycles, last + cycles) for first, last in self.writes]


__all__ = ["PartCosts", "StreamClock", "Work"]
