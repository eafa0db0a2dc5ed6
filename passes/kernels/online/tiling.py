"""Tile sizes of a kernel whose product takes its left operand part by part: rows of a tile and columns of a part.

Every candidate must fit L1, L0A and L0B with two slots, L0C with both accumulators and UB with two slots of what
crosses pipes. What it takes is in `kernels.online.candidate`.
"""

from __future__ import annotations

from functools import cached_property
from math import ceil, prod

from ....dialects.element_types import BLOCK_BYTES, ELEMENT_BYTES, bytes_of
from ....dialects.records import dataclass
from ....dialects.target_types import Target
from ....dialects.tile import BLOCK
from ....runtime.machine.banks import conflicts
from ....runtime.machine.costs import copy_cost, vec_cost
from ...cost.group_trace import GroupTrace, TraceStep, ceil_to
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
STATES = 5
"""Tiles of one number a row that are alive at once."""
SLACK = 4096
"""Bytes of UB that are left to small buffers: scalars, masks, lanes of reductions."""


@dataclass(frozen=True)
class PartTiles:
    """One tiling: rows of a tile and of one core's share in UB, columns of a part; what fits, and the Vector's work."""

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
        return held, ceil(rows * self.trace.most_bytes + beside), staged

    # What it costs

    def on_rows(self) -> float:
        """Cycles of the Vector unit from the rows of a part to its weights."""
        known, key = self.problem.vector_work, (self.tiles, self.step)
        if key not in known:
            known[key] = self._rows_of_part()
        return known[key]

    def _rows_of_part(self) -> float:
        target, whole = self.target, self.share * self.n16
        total = function_start(target)
        blocks, lines = self.n16 // 16, -(-self.share // 4)
        for step in self.trace.steps:
            count = whole if step.full else step.elements(whole)
            total += self._instruction(step.name, step.dtype, count, self._met(step, count))
            if step.full and self.uneven and step.name != "vconv":
                total += self._rows_apart(step.name, step.dtype, blocks, 1 + len(step.sources))
            if step.full and not all(s.full for s in step.sources):
                apart = vec_cost(target, step.name, step.dtype, 1, joined=True).busy
                total += (min(blocks, lines) - 1) * apart
        return total

    def on_sums(self) -> float:
        """Cycles of the Vector unit to add what a part gives to the sums."""
        sums = self.share * self.d16
        total = sum(self._instruction(name, "f32", sums) for name in ("vmul", "vadd"))
        if self.uneven:
            total += sum(self._rows_apart(name, "f32", self.d16 // 16, 3) for name in ("vmul", "vadd"))
        return total

    def laying_out(self) -> float:
        """Cycles of the Vector unit of a core that has a Cube, too, for what comes out of L0C and goes there."""
        target = self.target
        columns = (self.problem.several * self.n16 if self.problem.inner else 0, self.d16)
        total = sum(copy_cost(target, "l0c", "ub", 1, self.m16 * n * 4).busy for n in columns)
        if not target.dma.nd2nz:
            # cleared first where not filled
            passes = 1 + (self.problem.inner > self.problem.regions.extents[-1])
            total += passes * self.right_bytes // target.vector.bytes_per_repeat + 8 * target.vector.latency
        return total

    def _met(self, step: TraceStep, elements: int) -> float:
        """Cycles of a repeat, beyond the first one, in which halves of rows meet in banks."""
        banks, halves = self.target.banks, step.halves
        if banks is None or halves is None:
            return 0.0
        each = self.target.vector.bytes_per_repeat
        repeats = -(-elements * ELEMENT_BYTES[step.dtype] // each)
        apart = halves.near * self.share * BLOCK * ELEMENT_BYTES[step.dtype]
        shapes = [(at, repeats, each // banks.row, each, banks.row) for at in (0, apart, 0)]
        return conflicts(banks, shapes)

    def _instruction(self, name: str, dtype: str, elements: int, met: float = 0.0) -> float:
        repeats = -(-elements * ELEMENT_BYTES[dtype] // self.target.vector.bytes_per_repeat)
        cost = vec_cost(self.target, name, dtype, repeats, met, joined=True)
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


__all__ = ["ROWS", "SLACK", "STEPS", "PartTiles"]
