"""DMA and FixPipe instructions: from an op and the values that it meets to a resolved instruction, or a hazard."""

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, Any

from ...dialects.ascend import CopyOp, FillOp, FixpipeOp, Load2dOp, Load3dOp, MmadOp
from ...dialects.ascend.memory import TABLES
from ...dialects.attributes import number_of
from ...dialects.element_types import BLOCK_BYTES
from ...dialects.target_types import Target
from ..machine.costs import Cost, ceil_div, copy_cost, fill_cost
from ..machine.memory import Footprint, View, round_up
from ..machine.memory_system import pattern_of
from ..machine.unit_flags import NONE, Blocks
from ..program.checks import check_blocks, check_bursts, check_rows, require
from ..program.instruction import (
    GM,
    LOCAL,
    PIPE_INDEX,
    UNIT,
    UNIT_SETS,
    UNIT_WAITS,
    Effects,
    GmUse,
    Instruction,
)
from ..program.kernel_program import KernelProgram, Site
from ..support.late import LateFunctions, LateSpreads
from ..values.drain import Drain
from .binding import Bind, in_turn, on_core, on_gm

if TYPE_CHECKING:
    from ..poison import shadow_values
    from ..values import values
else:
    values, shadow_values = LateFunctions("values.values"), LateSpreads("poison.shadow_values")

Key = tuple[int, ...]
FREE = Cost(0.0, 0.0, 0.0)


def _padding(view: View) -> int:
    """Elements by which a burst falls short of whole 32 B blocks: the DMA fills them with zeros."""
    return -view.sizes[-1] % (BLOCK_BYTES // view.itemsize)


def _padded(view: View) -> View:
    """The view with its bursts in whole blocks."""
    sizes = (*view.sizes[:-1], view.sizes[-1] + _padding(view))
    return replace(view, sizes=sizes)


def _longer(view: View, left: int) -> View:
    """The view with so many elements more in each burst."""
    return replace(view, sizes=(*view.sizes[:-1], view.sizes[-1] + left)) if left else view


_STRUCTURED = (FixpipeOp, Load2dOp, Load3dOp, MmadOp)
"""Ops that the scalar unit fills a structure of parameters for."""


def _row(op: FixpipeOp, tables: list[View], columns: int) -> View | None:
    """The slopes or the scales of so many columns, if FixPipe has any."""
    name = "slopes" if op.slopes is not None else "scales"
    for table in tables:
        reason = f"{table.sizes[0]} {name} for {columns} columns"
        require(table.sizes[0] >= columns, "out-of-bounds", reason, table)
        require(table.strides[0] == table.itemsize, "shape", f"{name} are not contiguous", table)
    return tables[0].part(columns) if tables else None


class DmaResolver:
    """The part of `Resolver` that moves data between two spaces."""

    def __init__(self, program: KernelProgram, target: Target, counted: bool = False):
        """`counted`: flags are, as those between cores are, of which there are then as many as the hardware has."""
        self.program = program
        self.target = target
        self.counted = counted
        self.instructions: list[Instruction] = []

    def make(self, site: Site, kind: int, pipe: str, cost: Cost = FREE, **fields: Any) -> Instruction:
        number, op = len(self.instructions), site.op
        structured = isinstance(op, _STRUCTURED) or (isinstance(op, CopyOp) and op.nd2nz is not None)
        return Instruction(
            number, site, kind, PIPE_INDEX[pipe], cost.busy, cost.latency, cost.ideal, cost.conflict,
            issue=self.target.scalar.issue_of(structured), **fields,
        )  # fmt: skip

    def nothing(self, site: Site, pipe: str) -> Instruction:
        """An instruction on no elements: it takes its issue slot and touches nothing."""
        return self.make(site, LOCAL, pipe)

    def copy(self, site: Site, key: Key, views: list[View]) -> Instruction:
        op = site.op
        assert isinstance(op, CopyOp)
        source, destination = views
        path = self.target.path(source.space, destination.space)
        if source.empty or destination.empty:
            return self.nothing(site, path.pipe)
        gm = source if source.space == "gm" else destination if destination.space == "gm" else None
        writes = () if destination is gm else (destination,)
        spread = None
        if op.nd2nz is not None:
            bind = self._nd2nz(site, source, destination)
        else:
            left = 0 if op.left is None else self._left_of(source, destination)
            check_bursts(self.target, _longer(source, left), destination, path.granule)
            if gm is source and destination.space == "ub" and (left or _padding(destination)):
                argument, padded = site.operands[site.gm].argument, _padded(destination)
                pad = 0 if op.pad is None else number_of(op.pad)
                bind = on_gm(values.bind_padded_copy, argument, source, padded, pad, left)
                spread, writes = shadow_values.of_padded(argument, source, padded, left), (padded,)
            elif op.atomic is not None:
                bind, spread = self._atomic(site, op.atomic.data, (source, destination))
            elif gm is not None:
                bind = on_gm(values.bind_gm_copy, site.operands[site.gm].argument, source, destination)
            elif source.space == "l0c":
                require(
                    source.sizes[-1] % 256 == 0,
                    "granularity",
                    "a burst out of l0c is whole 16x16 fractals",
                    source,
                )
                relu = op.relu is not None
                bind = on_core(values.bind_drain, self.target, source, destination, relu)
                spread = shadow_values.of_elements((source,), destination)
            else:
                same = source.dtype == destination.dtype
                bind = on_core(values.bind_copy if same else values.bind_convert, source, destination)
                spread = None if same else shadow_values.of_elements((source,), destination)
        reads = () if source is gm else (source,)
        part = source.sizes[-1] * source.itemsize % BLOCK_BYTES != 0
        if gm is not None:
            return self.make(
                site, GM, path.pipe,
                effects=lambda: Effects(tuple(map(Footprint.of, reads)), tuple(map(Footprint.of, writes))),
                bind=bind,
                spread=spread,
                check="" if gm is source else "exact" if part or op.atomic is not None else "blocks",
                gm=self._gm_use(site, gm, writes=gm is destination, exact=op.nd2nz is not None),
            )  # fmt: skip
        bursts, burst = (1, *source.sizes) if len(source.sizes) == 1 else source.sizes
        wide = destination.itemsize if destination.space in TABLES else source.itemsize
        cost = copy_cost(self.target, source.space, destination.space, bursts, burst * wide)
        converts = source.space == "l0c" or destination.space in TABLES
        return self.make(
            site, LOCAL, path.pipe, cost=cost,
            effects=lambda: Effects((Footprint.of(source),), (Footprint.of(destination),)),
            bind=bind,
            spread=spread,
            check="exact" if converts else "move",
        )  # fmt: skip

    def _left_of(self, source: View, destination: View) -> int:
        """Elements that are filled in front of each burst."""
        left = destination.sizes[-1] - source.sizes[-1]
        reason = f"{left} elements in front of a burst are no block at most"
        require(0 <= left * destination.itemsize <= BLOCK_BYTES, "limit", reason, source, destination)
        return left

    def _atomic(self, site: Site, kind: str, views: tuple[View, View]) -> tuple[Bind, Any]:
        """What joins elements to those in GM, and what does so with their labels."""
        source, destination = views
        reason = f"the DMA of {self.target.name} has no atomic {kind} of {destination.dtype}"
        require(self.target.dma.joins(kind, destination.dtype), "no-path", reason, destination)
        argument = site.operands[site.gm].argument
        bind = on_gm(values.bind_gm_atomic, argument, views, kind)
        return bind, shadow_values.of_atomic(argument, source, destination)

    def fill(self, site: Site, key: Key, views: list[View]) -> Instruction:
        op = site.op
        assert isinstance(op, FillOp)
        (destination,) = views
        path = self.target.path("gm", "l1")
        if destination.empty:
            return self.nothing(site, path.pipe)
        check_bursts(self.target, destination, destination, path.granule)
        bursts, burst = (1, *destination.sizes) if len(destination.sizes) == 1 else destination.sizes
        cost = fill_cost(self.target, bursts, burst * destination.itemsize)
        value = number_of(op.value)
        return self.make(
            site, LOCAL, path.pipe, cost=cost,
            effects=lambda: Effects((), (Footprint.of(destination),)),
            bind=on_core(values.bind_fill, destination, value),
            spread=shadow_values.of_elements((), destination),
            check="exact",
        )  # fmt: skip

    def fixpipe(self, site: Site, key: Key, views: list[View]) -> Instruction:
        op = site.op
        assert isinstance(op, FixpipeOp)
        source, destination, *tables = views
        path = self.target.path(source.space, destination.space)
        if source.empty or destination.empty:
            return self.nothing(site, path.pipe)
        check_rows(source)
        flagged = op.unit_flag is None or self.target.cube.unit_flag
        require(flagged, "no-path", f"{self.target.name} has no unit flag", source)
        if op.split is not None:
            return self._fixpipe_to_both(site, op, source, destination, tables)
        n1, rows, lanes = source.sizes
        if len(destination.sizes) == 2:
            m, n = destination.sizes
            reason = f"destination {destination.sizes} exceeds the accumulator's {rows} rows of {16 * n1}"
            require(m <= rows and n <= 16 * n1, "shape", reason, source, destination)
            packed = destination.strides[1] == destination.itemsize
            require(packed, "shape", "a row of the destination is not contiguous", destination)
        else:
            reason = f"source {source.sizes} and destination {destination.sizes} differ"
            require(destination.sizes == source.sizes, "shape", reason, source, destination)
            lane, row = destination.itemsize, lanes * destination.itemsize
            packed = destination.strides[2] == lane and destination.strides[1] == row
            require(packed, "shape", "fractal rows of the destination are not packed", destination)
        used, columns = source, 16 * n1
        if len(destination.sizes) == 2:
            m, n = destination.sizes
            used, columns = source.part(ceil_div(n, 16), m, 16), n
        row = _row(op, tables, columns)
        reads = (Footprint.of(used), *([] if row is None else [Footprint.of(row)]))
        drain = Drain(self.target, destination.dtype, op.slope, row, op.steps)
        unit = 0 if op.unit_flag is None else UNIT_WAITS | UNIT_SETS
        flagged = Blocks.of(used, len(destination.sizes) == 3) if unit else NONE
        if destination.space == "gm":
            argument = site.operands[site.gm].argument
            return self.make(
                site, GM, path.pipe, unit=unit, flagged=flagged,
                effects=lambda: Effects(reads),
                bind=on_gm(values.bind_fixpipe, argument, drain, source, destination),
                spread=shadow_values.of_drain_to_gm(argument, source, destination, row),
                check="exact",
                gm=self._gm_use(site, destination, writes=True, exact=True),
            )  # fmt: skip
        moved = (
            destination.sizes[0]
            * destination.sizes[1]
            * (destination.sizes[2] if len(destination.sizes) == 3 else 1)
        )
        cost = copy_cost(self.target, "l0c", destination.space, 1, moved * max(destination.itemsize, 2))
        return self.make(
            site, UNIT if unit else LOCAL, path.pipe, cost=cost, unit=unit, flagged=flagged,
            effects=lambda: Effects(reads, (Footprint.of(destination),)),
            bind=on_core(values.bind_fixpipe_on_chip, drain, source, destination),
            spread=shadow_values.of_drain(source, destination, row),
            check="exact",
        )  # fmt: skip

    def _fixpipe_to_both(
        self, site: Site, op: FixpipeOp, source: View, destination: View, tables: list[View]
    ) -> Instruction:
        """Halves of the accumulator to both Vector cores, at once."""
        assert op.split is not None
        name, dim = self.target.name, op.split.value.data
        reason = f"{name} has no two Vector cores beside a Cube core"
        require(self.target.vectors_beside == 2, "no-path", reason)
        half = tuple(n // 2 if d == dim else n for d, n in enumerate(source.sizes))
        reason = (
            f"destination {destination.sizes} is not half of the source {source.sizes} along dimension {dim}"
        )
        even = source.sizes[dim] % 2 == 0 and destination.sizes == half
        require(even, "shape", reason, source, destination)
        lane = destination.itemsize
        packed = destination.strides[2] == lane and destination.strides[1] == source.sizes[2] * lane
        require(packed, "shape", "fractal rows of the destination are not packed", destination)
        row = _row(op, tables, 16 * source.sizes[0])
        binds: list[Bind] = []
        spreads: list[shadow_values.Spread] = []
        to: list[View] = []
        for number in (0, 1):
            part = source.part(*half, at=tuple(number * n if d == dim else 0 for d, n in enumerate(half)))
            columns = 16 * half[0]
            mine = row and row.part(columns, at=(number * columns if dim == 0 else 0,))
            drain = Drain(self.target, destination.dtype, op.slope, mine, op.steps)
            to.append(replace(destination, owner=1 + number))
            binds.append(on_core(values.bind_fixpipe_on_chip, drain, part, to[-1]))
            spreads.append(shadow_values.of_drain(part, to[-1], mine))
        path = self.target.path(source.space, destination.space)
        cost = copy_cost(self.target, "l0c", destination.space, 1, prod(half) * max(lane, 2))
        reads = (Footprint.of(source), *([] if row is None else [Footprint.of(row)]))
        unit = 0 if op.unit_flag is None else UNIT_WAITS | UNIT_SETS
        return self.make(
            site, UNIT if unit else LOCAL, path.pipe, cost=cost, unit=unit,
            flagged=Blocks.of(source) if unit else NONE,
            effects=lambda: Effects(reads, tuple(map(Footprint.of, to))),
            bind=in_turn(*binds),
            spread=shadow_values.in_turn(*spreads),
            check="exact",
        )  # fmt: skip

    def _nd2nz(self, site: Site, source: View, destination: View) -> Bind:
        name = self.target.name
        require(self.target.dma.nd2nz, "no-path", f"{name} has no nd2nz in its DMA", source, destination)
        on_way = source.space == "gm" and destination.space == "l1"
        require(on_way, "no-path", f"nd2nz moves gm to l1, not {source.space} to {destination.space}", source)
        rows, columns = source.sizes
        c0 = BLOCK_BYTES // source.itemsize
        expected = (ceil_div(columns, c0), rows, c0)
        reason = f"nd2nz of {source.sizes} needs a destination {expected}, got {destination.sizes}"
        require(destination.sizes == expected, "shape", reason, source, destination)
        require(
            source.strides[1] == source.itemsize, "shape", "rows of an nd2nz source are contiguous", source
        )
        check_blocks(destination)
        return on_gm(values.bind_nd2nz, site.operands[site.gm].argument, source, destination)

    def _gm_use(self, site: Site, view: View, *, writes: bool, exact: bool) -> GmUse:
        item, op = view.itemsize, site.op
        bypass = isinstance(op, CopyOp) and op.bypass is not None
        atomic = (
            f"{op.atomic.data} of {view.dtype}" if isinstance(op, CopyOp) and op.atomic is not None else ""
        )
        bursts, *inner = (1, *view.sizes) if len(view.sizes) == 1 else view.sizes
        pattern = pattern_of(
            bursts, prod(inner) * item, view.strides[0] if bursts > 1 else 0, exact and not writes
        )
        operand = site.operands[site.gm]
        room = operand.slot_bytes
        if not writes:
            room = round_up(room, BLOCK_BYTES) + BLOCK_BYTES
        elif not self.target.dma.unaligned:
            room = round_up(room, BLOCK_BYTES)
        align = 1 if self.target.dma.unaligned or exact else self.target.spaces["gm"].align
        source, destination = (v.space for v in site.operands[:2])
        path = self.target.path(source, destination).of_items(item)
        return GmUse(
            operand.argument,
            pattern,
            writes,
            path,
            room - pattern.extent,
            max(align, 1),
            view.label,
            bypass,
            atomic,
        )
