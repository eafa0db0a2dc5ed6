"""Runs the rules of a group on one part of its rows without building IR: which Vector instructions they emit."""

from collections.abc import Sequence
from math import prod
from typing import Any, cast

from xdsl.ir import Operation

from ....dialects.element_types import name_of
from ....dialects.graph.row_computes import State
from ....dialects.target_types import Target
from ....dialects.tiling import Along, OperandMap
from ...cost.group_trace import GroupTrace, TraceTile, ceil_to
from ...cost.recorder import Recorder, RecordingInterpreter
from ...regions.multipass_rows import Reading, RowReadings, row_rule
from ...regions.regions import Regions
from ...support.values import element_type_of


def trace_reading(
    regions: Regions, plan: RowReadings, reading: Reading, target: Target, sizes: Sequence[int]
) -> GroupTrace:
    """The instructions of one reading on a part with `sizes` of the kernel's dimensions, from what is loaded to the
    states after it or to its results."""
    run = _Interpreter(regions, plan, target, sizes)
    run.start(reading)
    run.emit(reading.body)
    for op in reading.meets:
        run.meet(op)
    return run.trace


class _Interpreter(RecordingInterpreter):
    """A reading, run on a part of the rows with `sizes` of the kernel's dimensions."""

    def __init__(self, regions: Regions, plan: RowReadings, target: Target, sizes: Sequence[int]):
        self.regions, self.plan, self.target, self.sizes = regions, plan, target, tuple(sizes)
        self.trace = GroupTrace()
        self.recorder = Recorder(self.trace, target, self._share_of)
        self.recorder.extents = self.sizes
        self.met = {op for reading in plan.readings for op in reading.meets}
        self.tiles = {}

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
            self.tiles[value, maps] = self._tile(name_of(element_type_of(value)), self._lacking(maps))
        for load in regions.loads_of(reading.body, reading.meets):
            tile = self._tile(name_of(element_type_of(load.value)), self._lacking(load.maps))
            self.tiles[load.value, load.maps] = tile
            self.trace.loads.append(tile)

    def computed(self, op: Operation) -> TraceTile:
        """The result of an op of the body; of a row op from what is settled of its rows."""
        if op not in self.met:
            return super().computed(op)
        _, operands = self.operands(op)
        return self.types.stored(
            op, self.recorder, row_rule(op).finish(op, cast(Any, self.recorder), self._state(op), operands)
        )

    def meet(self, op: Operation) -> None:
        """A row op takes the part into its state."""
        count = prod(self.sizes[d] for d in self.plan.rows)
        _, operands = self.operands(op, 1)
        row_rule(op).meet(op, cast(Any, self.recorder), count, self._state(op), operands)

    def _state(self, op: Operation) -> State:
        """What a row op carries: numbers of each row."""
        parts = row_rule(op).parts
        assert parts is not None
        lacks = self.tiles[op.operands[0], self.regions.operand_map(op, 0)].lacks | {*self.plan.rows}
        return cast(Any, tuple(self._tile("f32", lacks) for _ in parts.start))
