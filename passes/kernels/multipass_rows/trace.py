"""Runs the rules of a group on one part of its rows without building IR: which Vector instructions they emit."""

from collections.abc import Sequence
from functools import partial
from math import prod
from typing import Any, cast

from xdsl.ir import Operation

from ....dialects.element_types import name_of
from ....dialects.graph.row_computes import State
from ....dialects.target_types import Target
from ....dialects.tiling import Along, OperandMap
from ...cost.group_trace import GroupTrace, TraceTile, ceil_to
from ...cost.rule_trace import Recorder
from ...regions.compute_type import ComputeTypes
from ...regions.multipass_rows import Reading, RowReadings, row_rule
from ...regions.regions import Regions
from ...support.values import element_type_of, scalar_operands


def trace_reading(
    regions: Regions, plan: RowReadings, reading: Reading, target: Target, sizes: Sequence[int]
) -> GroupTrace:
    """The instructions of one reading on a part with `sizes` of the kernel's dimensions, from what is loaded to the
    states after it or to its results."""
    run = _Run(regions, plan, target, sizes)
    run.start(reading)
    for op in reading.body:
        run.op(op)
    for op in reading.meets:
        run.meet(op)
    return run.trace


class _Run:
    """A reading, run on a part of the rows with `sizes` of the kernel's dimensions."""

    def __init__(self, regions: Regions, plan: RowReadings, target: Target, sizes: Sequence[int]):
        self.regions, self.plan, self.sizes = regions, plan, tuple(sizes)
        self.trace = GroupTrace()
        self.recorder = Recorder(self.trace, target, self._share_of)
        self.recorder.extents = self.sizes
        self.types = ComputeTypes(target.vector)
        self.met = {op for reading in plan.readings for op in reading.meets}
        self.found: dict[Any, TraceTile] = {}

    def _share_of(self, lacks: frozenset[int]) -> float:
        """Elements of a tile without some dimensions, over those of one with all."""
        sizes, last = self.sizes, len(self.sizes) - 1
        return prod(16 / ceil_to(sizes[d], 16) if d == last else 1 / sizes[d] for d in lacks)

    def _tile(self, dtype: str, lacks: frozenset[int]) -> TraceTile:
        return TraceTile(dtype, not lacks, lacks, self._share_of(lacks))

    def _lacking(self, maps: OperandMap) -> frozenset[int]:
        """The kernel's dimensions that a tensor with this map does not follow."""
        along = {e.dim for e in self.regions.kernel_map(maps) if isinstance(e, Along)}
        return frozenset(range(len(self.sizes))) - along

    def start(self, reading: Reading) -> None:
        """The tiles that are there: what was computed once, and what the reading loads."""
        regions = self.regions
        for op in regions.ops:
            value = op.results[0]
            maps = regions.maps[value]
            self.found[value, maps] = self._tile(name_of(element_type_of(value)), self._lacking(maps))
        for load in regions.loads_of(reading.body, reading.meets):
            tile = self._tile(name_of(element_type_of(load.value)), self._lacking(load.maps))
            self.found[load.value, load.maps] = tile
            self.trace.loads.append(tile)

    def op(self, op: Operation) -> None:
        """An op of the body; a row op of what is settled of its rows."""
        operands = self._operands(op)
        if op in self.met:
            finished = row_rule(op).finish(op, cast(Any, self.recorder), self._state(op), operands)
            result = self.types.stored(op, self.recorder, finished)
        else:
            result = self.types.result(op, self.recorder, operands)
        self.found[op.results[0], self.regions.maps[op.results[0]]] = result

    def meet(self, op: Operation) -> None:
        """A row op takes the part into its state."""
        count = prod(self.sizes[d] for d in self.plan.rows)
        row_rule(op).meet(op, cast(Any, self.recorder), count, self._state(op), self._operands(op, 1))

    def _operands(self, op: Operation, most: int | None = None) -> list[Any]:
        """Operands of an op, or the first `most` of them, in a type that it computes in."""
        regions, recorder, scalars = self.regions, self.recorder, scalar_operands(op)
        recorder.dim_of = partial(regions.kernel_dim, op)
        operands: list[Any] = []
        for i, value in enumerate(op.operands[:most]):
            if i in scalars:
                operands.append(scalars[i])
                continue
            tile = recorder.repeated(self.found[value, regions.operand_map(op, i)], regions.kernel_rows(op))
            operands.append(self.types.operand(op, recorder, tile))
        return operands

    def _state(self, op: Operation) -> State:
        """What a row op carries: numbers of each row."""
        parts = row_rule(op).parts
        assert parts is not None
        lacks = self.found[op.operands[0], self.regions.operand_map(op, 0)].lacks | {*self.plan.rows}
        return cast(Any, tuple(self._tile("f32", lacks) for _ in parts.start))
