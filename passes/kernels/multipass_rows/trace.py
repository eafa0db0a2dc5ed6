"""Runs the rules of a group on one part of its rows without building IR: which Vector instructions they emit."""

from collections.abc import Sequence
from functools import partial
from math import prod
from typing import Any, cast

from ....dialects.graph.row_computes import State
from ....dialects.target_types import Target
from ....dialects.tiling import Along
from ...cost.group_trace import GroupTrace, TraceTile, ceil_to
from ...cost.rule_trace import Recorder
from ...regions.compute_type import ComputeTypes
from ...regions.loads import Load
from ...regions.multipass_rows import Reading, RowReadings, row_rule
from ...regions.regions import Regions
from ...support.values import element_type_of, scalar_operands


def trace_reading(
    regions: Regions, plan: RowReadings, reading: Reading, target: Target, sizes: Sequence[int]
) -> GroupTrace:
    """The instructions of one reading on a part with `sizes` of the kernel's dimensions, from what is loaded to the
    states after it or to its results."""
    trace, dims = GroupTrace(), frozenset(range(len(sizes)))
    rows, last = frozenset(plan.rows), len(sizes) - 1

    def share_of(lacks: frozenset[int]) -> float:
        return prod(16 / ceil_to(sizes[d], 16) if d == last else 1 / sizes[d] for d in lacks)

    def tile_of(dtype: str, lacks: frozenset[int]) -> TraceTile:
        return TraceTile(dtype, not lacks, lacks, share_of(lacks))

    recorder, types = Recorder(trace, target, share_of), ComputeTypes(target.vector)
    recorder.extents = tuple(sizes)

    def lacking(load: Load) -> frozenset[int]:
        return dims - {e.dim for e in regions.kernel_map(load.maps) if isinstance(e, Along)}

    found: dict[Any, TraceTile] = {}
    for op in regions.ops:  # what was computed once is there
        maps = regions.maps[op.results[0]]
        along = {e.dim for e in regions.kernel_map(maps) if isinstance(e, Along)}
        found[op.results[0], maps] = tile_of(str(element_type_of(op.results[0])), dims - along)
    for load in regions.loads_of(reading.body, reading.meets):
        tile = tile_of(str(element_type_of(load.value)), lacking(load))
        found[load.value, load.maps] = tile
        trace.loads.append(tile)
    met = {op for other in plan.readings for op in other.meets}

    def operands_of(op: Any, most: int | None = None) -> list[Any]:
        scalars = scalar_operands(op)
        recorder.dim_of = partial(regions.kernel_dim, op)
        return [
            scalars[i]
            if i in scalars
            else types.operand(
                op,
                recorder,
                recorder.repeated(found[value, regions.operand_map(op, i)], regions.kernel_rows(op)),
            )
            for i, value in enumerate(op.operands[:most])
        ]

    def state_of(op: Any) -> State:
        parts = row_rule(op).parts
        assert parts is not None
        lacks = rows | found_lacks(op)
        return cast(Any, tuple(tile_of("f32", lacks) for _ in parts.start))

    def found_lacks(op: Any) -> frozenset[int]:
        return found[op.operands[0], regions.operand_map(op, 0)].lacks

    for op in reading.body:
        operands = operands_of(op)
        if op in met:
            result = types.stored(
                op, recorder, row_rule(op).finish(op, cast(Any, recorder), state_of(op), operands)
            )
        else:
            result = types.result(op, recorder, operands)
        found[op.results[0], regions.maps[op.results[0]]] = result
    count = prod(sizes[d] for d in rows)
    for op in reading.meets:
        row_rule(op).meet(op, cast(Any, recorder), count, state_of(op), operands_of(op, 1))
    return trace
