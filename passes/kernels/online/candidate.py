"""Predicted time of a kernel whose product takes its left operand part by part.

On split chips both kinds of cores are followed (`kernels.online.clock`). On others it is the Vector's time and what it
waits for: right operands, the first product of all, the last one of each tile.
"""

from functools import cached_property

from ....dialects.element_types import ELEMENT_BYTES, lanes_of
from ....dialects.records import dataclass
from ....dialects.tile import BLOCK
from ....runtime.machine.costs import copy_cost, gm_read_cost, hit_rate, load2d_cost, miss_cycles, mmad_cost
from ..product.costs import set_up
from .clock import PartCosts, StreamClock, Work
from .tiling import SLACK, PartTiles


@dataclass(frozen=True)
class Candidate(PartTiles):
    """A tiling with what it takes."""

    def product(self, m: int, n: int, k: int, piece: int) -> tuple[float, float]:
        """Cycles of M and MTE1 for one product, so much of K at a time, on a core that waits for each piece."""
        target, count = self.target, -(-k // piece)
        cube = mmad_cost(target, self.problem.dtype, m, n, k).ideal + count * (
            target.cube.issue + target.cube.latency
        )
        mte1 = 0.0
        for space, wide in (("l0a", m), ("l0b", n)):
            ideal = load2d_cost(target, space, wide * k // 256).ideal
            mte1 += max(ideal, count * target.path("l1", space).issue)
            mte1 += count * target.path("l1", space).latency
        return cube, mte1

    def products(self, outer: int, deep: int) -> tuple[float, float]:
        """Cycles of M and MTE1 in one part."""
        cube, mte1 = self.product(self.m16, self.d16, self.n16, outer)
        if self.problem.inner:
            inner = self.product(self.m16, self.n16, self.problem.inner, deep)
            cube, mte1 = cube + self.problem.several * inner[0], mte1 + self.problem.several * inner[1]
        return cube, mte1

    def time(self, outer: int, deep: int) -> float:
        """Predicted cycles of the kernel."""
        if not self.target.split:
            vector = self.on_rows() + self.on_sums() + self.laying_out()
            vector += 0.0 if self.target.dma.nd2nz else self._waits(vector)
            return self._on_one_core(vector, outer, deep)
        clock = StreamClock(self.costs(outer, deep), self.target)
        found = clock.run(self.parts, self.rounds, self.tail16 > 0)
        return max(found, self._read()) + self._in_step()

    def _in_step(self) -> float:
        """Cycles by which the last of the cores that read the same right operand is behind the first one, when all have
        asked for the lines of their first part at the same time."""
        target, extents = self.target, self.problem.extents
        rows = self.roles.m[-1]
        alike = min(self.cores, -(-extents[rows] // self.tiles[rows]))
        each = target.path("gm", "l1").same_line or target.memory.same_line
        return (alike - 1) * each * self.problem.lines(self.step)

    def bound(self, outer: int, deep: int) -> float:
        """Cycles that it takes at least, whatever the Vector unit does in a part."""
        if not self.target.split:
            return self._on_one_core(0.0, outer, deep)
        busiest = self.rounds * self.parts * self.costs(outer, deep).busiest()
        return max(busiest, self._read())

    @cached_property
    def parts(self) -> int:
        """Parts of a tile."""
        return -(-self.roles.k // self.step)

    @cached_property
    def rounds(self) -> int:
        """Tiles of a core."""
        return -(-self.points // self.cores)

    def costs(self, outer: int, deep: int) -> PartCosts:
        """What a part takes on split cores."""
        key = outer, deep
        if key not in self._costs:
            self._costs[key] = self._cost(outer, deep)
        return self._costs[key]

    @cached_property
    def _costs(self) -> dict[tuple[int, int], PartCosts]:
        return {}

    def _cost(self, outer: int, deep: int) -> PartCosts:
        target, problem, item = self.target, self.problem, self.problem.item
        several, inner = problem.several, problem.inner
        weights, sums, port = self.m16 * self.n16 * item, self.m16 * self.d16 * 4, target.memory.l2_write
        rows = self.m16 * several * self.n16 * item if inner else 0
        share, ub = self.share / self.rows, hit_rate(target, target.path("gm", "ub"))
        beside = sum(
            self.share * self.n16 * ELEMENT_BYTES.get(t.type_name, 2) * t.share for t in self.trace.loads
        )
        first = None
        if inner:
            mte1, m = self._through_l0(self.n16, inner, deep, True)
            fix = copy_cost(target, "l0c", "gm", 1, rows).busy
            loads = self._asked(several * self.n16 * inner * item)
            first = Work(*loads, several * mte1, several * m, fix, rows / port, several * -(-inner // deep))
        fix = copy_cost(target, "l0c", "gm", 1, sums, 4).busy
        product = Work(
            *self._asked(self.n16 * self.d16 * item),
            *self._through_l0(self.d16, self.n16, outer, False),
            fix,
            sums / port,
            -(-self.n16 // outer),
        )
        to_l1 = hit_rate(target, target.path("gm", "l1"))
        return PartCosts(
            first,
            product,
            weights / to_l1,
            (share * rows + beside) / ub,
            share * sums / ub,
            self.on_rows(),
            self.on_sums(),
            copy_cost(target, "ub", "gm", 1, int(share * weights)).busy,
            weights / port,
            self.m16 * inner * item / to_l1,
            self.ends(),
            copy_cost(target, "ub", "gm", 1, self.share * self.d16 * item).total,
            self.cold * target.memory.miss_latency,
        )

    def _through_l0(self, n: int, k: int, piece: int, turned: bool) -> tuple[float, float]:
        """Cycles of MTE1 and of M for a product of `n` columns and `k` of K, so much of K at a time; `turned`: its
        right operand has K innermost, and one instruction loads it."""
        target, count = self.target, -(-k // piece)
        m = mmad_cost(target, self.problem.dtype, self.m16, n, k).ideal + count * target.cube.issue
        if self.m16 // BLOCK * (n // BLOCK) < target.cube.accumulate_overlap:  # each waits for the one before
            m += (count - 1) * target.cube.latency
        mte1, k0 = 0.0, lanes_of(self.problem.dtype)
        deep = -(-piece // k0)
        loads = min(deep, self.m16 // BLOCK) + (1 if turned else min(deep, n // BLOCK))
        for space, wide in (("l0a", self.m16), ("l0b", n)):
            ideal = load2d_cost(target, space, wide // BLOCK * -(-k // k0)).ideal
            mte1 += max(ideal, count * target.path("l1", space).issue)
        return max(mte1 * (1 + target.cube.contention), count * set_up(target, loads)), m

    def _asked(self, bytes_: int) -> tuple[float, float]:
        """Cycles of MTE2 for so many bytes of a part's right operands: where L2 lacks all of them, and in the mean,
        where HBM gives each core its share."""
        target, share = self.target, bytes_ / self.right_bytes
        own = gm_read_cost(target, bytes_, 1.0 - self.cold, "l1").busy
        lines = share * self.problem.cut_lines(self.step)
        own += miss_cycles(target, target.path("gm", "l1"), lines, lines * target.memory.l2_line, True)
        asked = self.cores * self.problem.hbm / (self.points * self.parts)
        # the last core waits for what all others fetch again
        mean = max(own, asked * share) + self.cut * share
        return max(mean, gm_read_cost(target, bytes_, 0.0, "l1").busy), mean

    @cached_property
    def cold(self) -> float:
        """The share of right operands that no other core has read before."""
        return min(1.0, self.problem.read_once / (self.points * self.parts * self.right_bytes))

    def _on_one_core(self, vector: float, outer: int, deep: int) -> float:
        """Predicted cycles where one core has the Cube and the Vector unit, which works part after part and waits for
        the first product of all, and for the last one of each tile."""
        target, memory, parts, rounds = self.target, self.target.memory, self.parts, self.rounds
        operands = self.right_bytes / hit_rate(target, target.path("gm", "ub"))
        products = self.products(outer, deep)
        move = copy_cost(target, "ub", "l1", 1, self.m16 * self.n16 * self.problem.item)
        each = max(operands, vector, sum(products), move.busy)
        around = move.total + sum(self.product(self.m16, self.d16, self.n16, outer)) + self.ends()
        right = self.problem.several * self.n16 * self.problem.inner or self.n16 * self.d16
        begin = (
            self._fetched(right * self.problem.item)
            + self.m16 * self.problem.inner * self.problem.item / memory.hbm_read
        )
        if self.problem.inner:
            begin += sum(self.product(self.m16, self.n16, self.problem.inner, deep))
        end = copy_cost(target, "ub", "gm", 1, self.share * self.d16 * self.problem.item).total
        busiest = max(rounds * (parts * each + around), self._read())
        return begin + busiest + end

    def _fetched(self, bytes_: int) -> float:
        """Cycles until so many bytes of right operands are there that L2 lacks, of which cores with rows of one matrix
        read the same."""
        m = self.roles.m[-1]
        sharing = min(-(-self.problem.extents[m] // self.tiles[m]), self.cores)
        read = gm_read_cost(self.target, bytes_, 0.0, "ub", -(-self.cores // sharing))
        return read.total

    def _waits(self, vector: float) -> float:
        """Cycles of a part in which the Vector unit, busy for so many, waits for right operands, which it lays out.
        Where UB lacks room for them beside the rows, as they arrive and as they leave, they are loaded beside some of
        its work, less the more of UB they fill (fitted to emulated kernels). Those of one size arrive when those of the
        part before have left at the earliest. Those of a tile's first part come beside the end of the tile before."""
        target, right, parts = self.target, self.right_bytes, self.parts
        (held, rows, _), room = self._ub, target.spaces["ub"].bytes
        widths = self.problem.several * self.problem.inner, self.d16
        each = [self.n16 * wide * self.problem.item for wide in widths if wide]
        beside = max(0.0, 2 / 3 - 0.6 * 2 * right / room) * vector
        late = min(1.0, max(0.0, 2 * (held + rows + 2 * right + SLACK - room) / right))
        least = min(each)
        leaves = least / target.vector.bytes_per_repeat + copy_cost(target, "ub", "l1", 1, least).total
        turn = gm_read_cost(target, len(each) * least, 1.0).total + target.memory.miss_latency + leaves
        return max(0.0, turn - vector, late * (sum(map(self._fetched, each)) - beside)) * (1 - 1 / parts)

    def _read(self) -> float:
        """Cycles in which all right operands are read. HBM serves the cores that have a tile, in the last round
        perhaps few: each round takes as long as it or a core's port."""
        port, hbm = self.parts * self._port(), self.problem.hbm / self.points
        full, last = divmod(self.points, self.cores)
        return full * max(port, self.cores * hbm) + (max(port, last * hbm) if last else 0.0)

    def _port(self) -> float:
        """Cycles of one core's port for the right operands of a part, where what no other core has read before comes
        from HBM."""
        space = "l1" if self.target.split else "ub"
        return gm_read_cost(self.target, self.right_bytes, 1.0 - self.cold, space).busy


__all__ = ["Candidate"]
