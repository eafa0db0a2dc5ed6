"""Tile sizes of a kernel whose product takes its left operand part by part: rows of a tile and columns of a part.

Every candidate must fit L1, L0A and L0B with two slots, L0C with both accumulators and UB with two slots of what
crosses pipes. Its time is that of its parts. On split chips that is the busiest pipe, or half of what a part takes from
pipe to pipe, for two are on their way. On others it is the Vector's time and what it waits for: right operands, the
first product of all, the last one of each tile.
"""

from __future__ import annotations

from functools import cached_property
from math import ceil, prod

from ....dialects.element_types import BLOCK_BYTES, ELEMENT_BYTES, bytes_of
from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ....runtime.machine.costs import copy_cost, gm_read_cost, hit_rate, load2d_cost, mmad_cost, vec_cost
from ...cost.group_trace import GroupTrace, ceil_to
from ...cost.vector import function_start
from ...memory.bank_phases import bank_turn
from ...regions.tiling import Roles
from ...selection.store_grain import share_columns, store_unit
from ...selection.vector_shapes import Dim, choose
from ...support.values import element_type_of
from .problem import Problem

ROWS = (16, 32, 48, 64, 96, 128, 192, 256)
STEPS = (16, 32, 48, 64, 96, 128, 192, 256, 384, 512)
PIECES = (16, 32, 48, 64, 96, 128, 192, 256)
SLOTS = 2
"""Parts that are under way at once."""
STATES = 5
"""Tiles of one number a row that are alive at once."""
SLACK = 4096
"""Bytes of UB that are left to small buffers: scalars, masks, lanes of reductions."""


@dataclass(frozen=True)
class Candidate:
    """One tiling: rows of a tile and of one core's share in UB, columns of a part."""

    problem: Problem
    tiles: tuple[int, ...]
    step: int

    @property
    def target(self) -> Target:
        return self.problem.target

    @property
    def roles(self) -> Roles:
        return self.problem.roles

    @property
    def rows(self) -> int:
        return self.tiles[self.roles.m[-1]]

    @cached_property
    def share(self) -> int:
        """Rows that one Vector unit works on."""
        beside = self.target.vectors_beside if self.target.split else 1
        return min(self.rows, ceil_to(-(-self.rows // beside), 16))

    @property
    def uneven(self) -> bool:
        """Whether Vector cores have different numbers of rows."""
        return self.target.split and self.share * self.target.vectors_beside != self.rows > self.share

    @cached_property
    def m16(self) -> int:
        return ceil_to(self.rows, 16)

    @cached_property
    def n16(self) -> int:
        return ceil_to(self.step, 16)

    @cached_property
    def tail16(self) -> int:
        """Columns of the last part, if it is a smaller one."""
        return ceil_to(self.roles.k % self.step, 16)

    @cached_property
    def d16(self) -> int:
        """Columns of the product."""
        return ceil_to(self.tiles[self.roles.n], 16)

    @property
    def right_bytes(self) -> int:
        """Bytes of the right operands of a part."""
        return self.n16 * (self.problem.several * self.problem.inner + self.d16) * self.problem.item

    @cached_property
    def cut(self) -> float:
        """Cycles of HBM for lines of a part's right operands that L2 does not keep, which every core fetches."""
        memory = self.target.memory
        each = memory.l2_line / memory.hbm_chip + memory.hbm_run
        return self.problem.cut_lines(self.step) * each * self.cores

    @cached_property
    def trace(self) -> GroupTrace:
        tiles = tuple(self.share if d == self.roles.m[-1] else t for d, t in enumerate(self.tiles))
        return self.problem.trace(tiles, self.step)

    @cached_property
    def points(self) -> int:
        return prod(-(-e // t) for e, t in zip(self.problem.extents, self.tiles, strict=True))

    @cached_property
    def shared(self) -> tuple[int, int]:
        """How many cores share the grid, and how many trailing dimensions each walks alone."""
        target, extents = self.target, self.problem.extents
        if target.dma.unaligned:
            return min(self.points, target.cores), 0
        unit = max(16, store_unit(target, bytes_of(element_type_of(self.problem.regions.result))))
        return share_columns(extents, self.tiles, self.roles.n, unit, target.cores)

    @property
    def cores(self) -> int:
        return self.shared[0]

    # What it takes

    def pieces(self) -> tuple[int, int] | None:
        """K of one product in L0 of both products, with two slots each; None where not even the least fits."""
        room_a, room_b = (self.target.spaces[s].bytes // (2 * self.problem.item) for s in ("l0a", "l0b"))
        m16, n16, d16, inner = self.m16, self.n16, self.d16, self.problem.inner
        best: tuple[int, int] | None = None
        fewest = 0
        depths = [p for p in PIECES if p <= inner] or [16]
        for outer in (p for p in PIECES if p <= n16):
            for deep in depths:
                used = deep if inner else 0
                fits = m16 * (outer + used) <= room_a and d16 * outer + n16 * used <= room_b
                count = -(-n16 // outer) + -(-inner // deep)
                if fits and (best is None or count < fewest):
                    best, fewest = (outer, deep), count
        return best

    def fits(self) -> bool:
        spaces = self.target.spaces
        several = self.problem.several if self.problem.inner else 0
        accumulators = self.m16 * 4 * (self.d16 + several * self.n16)
        if self.tail16:
            accumulators += self.m16 * 4 * (self.d16 + several * self.tail16)
        right = self.problem.several * self.problem.inner + self.d16
        l1 = self.m16 * (self.problem.inner + 2 * self.n16) + 2 * self.n16 * right
        return (
            accumulators <= spaces["l0c"].bytes
            and l1 * self.problem.item <= spaces["l1"].bytes
            and self.ub() + SLACK <= spaces["ub"].bytes
        )

    def ub(self) -> int:
        """Bytes of UB: sums and states, and rows of a part or the staging of what is loaded."""
        held, rows, staged = self._ub
        return held + max(rows, staged)

    @cached_property
    def _ub(self) -> tuple[int, int, int]:
        """Bytes of UB of sums and states, of the rows of a part, of the staging of what is loaded."""
        rows, sums = self.share * self.n16, self.share * self.d16
        staged = rows * self.problem.item
        if not self.target.split:
            if self.rows % 16:  # rows of weights in whole fractals
                staged += self.m16 * self.n16 * self.problem.item
            if not self.target.dma.nd2nz or self.step % 16:
                columns = max(self.problem.several * self.problem.inner, self.d16)
                staged += 2 * self.n16 * columns * self.problem.item
        beside = sum(rows * 2 * t.share for t in self.trace.loads)  # rows of GM before they are blocks
        held = sums * (4 + 4) + self.share * 16 * 4 * STATES
        return held, ceil(rows * self.trace.most_bytes() + beside), staged

    # What it costs

    def vector(self) -> float:
        """Cycles of the Vector unit in one part."""
        target, whole = self.target, self.share * self.n16
        total = function_start(target)
        blocks, lines = self.n16 // 16, -(-self.share // 4)
        for step in self.trace.steps:
            count = whole if step.full else step.elements(whole)
            total += self._instruction(step.name, step.dtype, count)
            if step.full and self.uneven and step.name != "vconv":
                total += self._rows_apart(step.name, step.dtype, blocks, 1 + len(step.sources))
            if step.full and not all(s.full for s in step.sources):
                apart = vec_cost(target, step.name, step.dtype, 1, joined=True).busy
                total += (min(blocks, lines) - 1) * apart
        sums = self.share * self.d16
        total += sum(self._instruction(name, "f32", sums) for name in ("vmul", "vadd"))
        if self.uneven:
            total += sum(self._rows_apart(name, "f32", self.d16 // 16, 3) for name in ("vmul", "vadd"))
        if not target.split:
            for columns in (self.problem.several * self.n16 if self.problem.inner else 0, self.d16):
                total += copy_cost(target, "l0c", "ub", 1, self.m16 * columns * 4).busy
            if not target.dma.nd2nz:
                passes = 1 + (
                    self.problem.inner > self.problem.regions.extents[-1]
                )  # cleared first where not filled
                total += (
                    passes * self.right_bytes // target.vector.bytes_per_repeat + 8 * target.vector.latency
                )
        return total

    def _instruction(self, name: str, dtype: str, elements: int) -> float:
        repeats = -(-elements * ELEMENT_BYTES[dtype] // self.target.vector.bytes_per_repeat)
        cost = vec_cost(self.target, name, dtype, repeats, joined=True)
        return cost.busy + self.target.vector.inner_latency

    def _rows_apart(self, name: str, dtype: str, blocks: int, operands: int) -> float:
        """Cycles more of an instruction on so many blocks of 16 columns where Vector cores have different numbers of
        rows: it walks blocks, or rows, whose number it does not know."""
        pitch = self.share * 16 * ELEMENT_BYTES[dtype]
        rows = Dim(pitch // BLOCK_BYTES, (BLOCK_BYTES,) * operands, fixed=False)
        turn = bank_turn(self.target)
        starts = (*(turn // 2 for _ in range(operands - 1)), 0)
        found = choose(self.target, name, dtype, (Dim(blocks, (pitch,) * operands), rows), starts)
        repeats = pitch * blocks // self.target.vector.bytes_per_repeat
        return found.busy - vec_cost(self.target, name, dtype, repeats, joined=True).busy

    def product(self, m: int, n: int, k: int, piece: int) -> tuple[float, float]:
        """Cycles of M and MTE1 for one product, so much of K at a time."""
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

    def ends(self) -> float:
        """Cycles of the Vector unit beside the parts of a tile: states and sums begin, and the result is what they
        give."""
        sums, states = self.share * self.d16, self.share * 16
        found = self._instruction("vconv", "f32", sums) + self._instruction("vcopy", self.problem.dtype, sums)
        found += self._instruction("vdup", "f32", sums)
        if self.problem.parts.stream.online is not None:
            found += self._instruction("vmul", "f32", sums) + self._instruction("vrec", "f32", states)
            found += 2 * self._instruction("vdup", "f32", states)
        return found

    def time(self, outer: int, deep: int) -> float:
        """Predicted cycles of the kernel."""
        return self._time(outer, deep, self.trace)

    def bound(self, outer: int, deep: int) -> float:
        """Cycles that it takes at least, whatever the Vector unit does in a part."""
        return self._time(outer, deep, None)

    def _time(self, outer: int, deep: int, trace: GroupTrace | None) -> float:
        """Predicted cycles with what the Vector unit does in a part, or without."""
        target, item = self.target, self.problem.item
        parts = -(-self.roles.k // self.step)
        cube, mte1 = self.products(outer, deep)
        memory = target.memory
        rate = hit_rate(target, target.path("gm", "l1" if target.split else "ub"))
        operands = self.right_bytes / rate
        vector, loads = (0.0, ()) if trace is None else (self.vector(), trace.loads)
        if target.split:
            hops = self._hops(bool(loads))
            inner = self.problem.several * self.n16 if self.problem.inner else 0
            weights, sums = self.m16 * self.n16 * item, self.m16 * self.d16 * 4
            fix = copy_cost(target, "l0c", "gm", 1, self.m16 * inner * item).busy
            fix += copy_cost(target, "l0c", "gm", 1, sums, 4).busy
            read = operands + weights / rate
            beside = hit_rate(target, target.path("gm", "ub"))
            share = self.share / self.rows
            shared = share * (self.m16 * inner * item + sums) / beside
            shared += (
                sum(self.share * self.n16 * ELEMENT_BYTES.get(t.type_name, 2) * t.share for t in loads)
                / beside
            )
            back = copy_cost(target, "ub", "gm", 1, int(share * weights)).busy
            each = max(cube, mte1, fix, read, vector, shared, back)
            # from the last rows of a tile to the first of the next
            around = 2 * (fix + read + cube + mte1) + hops
            each = max(each, (cube + mte1 + fix + read) / 2, (vector + shared + back + hops) / 2)
            # two parts are on their way at once, each from pipe to pipe; nothing follows the last one
            chain = cube + mte1 + fix + weights / rate + vector + shared + back + hops
            if self.cut:  # asked for behind the weights of the part before
                each = max(each, self.cut)
                chain += self.cut + target.path("gm", "l1").latency + memory.miss_latency
            turns = (parts + 1) * chain / 2
        else:
            waits = 0.0 if trace is None or target.dma.nd2nz else self._waits(vector)
            return self._on_one_core(operands, vector + waits, (cube, mte1), (outer, deep))
        first = (self.m16 * self.problem.inner * item) / rate + memory.miss_latency
        last = copy_cost(target, "ub", "gm", 1, self.share * self.d16 * item).total
        rounds = -(-self.points // self.cores)
        busiest = max(rounds * (parts * each + around + first + last), self._read())
        # where all parts are under way from the start, none waits for the one before
        busiest += (self.ends() if rounds * parts <= SLOTS else vector) + cube
        return max(busiest, rounds * (turns + first + last))

    def _on_one_core(
        self,
        operands: float,
        vector: float,
        products: tuple[float, float],
        pieces: tuple[int, int],
    ) -> float:
        """Predicted cycles where one core has the Cube and the Vector unit, which works part after part and waits for
        the first product of all, and for the last one of each tile."""
        target, memory, (outer, deep) = self.target, self.target.memory, pieces
        parts, rounds = -(-self.roles.k // self.step), -(-self.points // self.cores)
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

    def _hops(self, loads: bool) -> float:
        """Cycles of a part on its way: weights to the Cube core, and back from it the rows of the part after next, for
        which the Cube core has loaded ahead. Where it gives no rows, they come from GM (`loads`), and with these what
        it multiplies weights by."""
        target, path = self.target, self.target.path
        flag = 0.0 if target.cross is None else target.cross.latency
        there = path("ub", "gm").latency + flag + path("gm", "l1").latency
        back = path("l0c", "gm").latency + flag + path("gm", "ub").latency
        if self.problem.inner:
            return there + back
        rows = path("gm", "ub").latency + target.memory.miss_latency if loads else 0.0
        return there + back + rows + self._port()

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
        target, right, parts = self.target, self.right_bytes, -(-self.roles.k // self.step)
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
        port, hbm = -(-self.roles.k // self.step) * self._port(), self.problem.hbm / self.points
        full, last = divmod(self.points, self.cores)
        return full * max(port, self.cores * hbm) + (max(port, last * hbm) if last else 0.0)

    def _port(self) -> float:
        """Cycles of one core's port for the right operands of a part, where what no other core has read before comes
        from HBM."""
        bytes_ = self.right_bytes
        read = self.points * -(-self.roles.k // self.step) * bytes_
        space = "l1" if self.target.split else "ub"
        return gm_read_cost(self.target, bytes_, 1.0 - min(1.0, self.problem.read_once / read), space).busy
