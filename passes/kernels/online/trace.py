"""Runs the rules of a streamed group's rows without building IR: the Vector instructions of one part."""

from collections.abc import Sequence
from functools import partial
from math import prod
from typing import Any, cast

from ....dialects.element_types import name_of
from ....dialects.graph.rules import RowWise
from ....dialects.target_types import Target
from ....dialects.tiling import Along
from ...cost.group_trace import GroupTrace, TraceTile, ceil_to
from ...cost.rule_trace import Recorder
from ...regions.compute_type import ComputeTypes
from ...regions.regions import Regions
from ...support.values import element_type_of, rule_of, scalar_operands
from .build import OnlineParts, rows_read


def trace_part(
    regions: Regions, parts: OnlineParts, target: Target, tiles: Sequence[int], step: int
) -> GroupTrace:
    """The instructions from a part of the rows to its weights, on tiles of the kernel's dimensions `tiles` and `step`
    columns. What is loaded for each part is in `loads`."""
    trace, depth = GroupTrace(), len(tiles)
    dims = frozenset(regions.step_order)
    sizes = tuple(t if d in dims else 1 for d, t in enumerate((*tiles, step)))

    def share_of(lacks: frozenset[int]) -> float:
        return prod(16 / ceil_to(step, 16) if d == depth else 1 / sizes[d] for d in lacks)

    recorder, types = Recorder(trace, target, share_of), ComputeTypes(target.vector)
    recorder.extents = sizes
    found: dict[Any, TraceTile] = {}
    stream = parts.stream
    for product in stream.products:
        value = product.results[0]
        found[value, regions.maps[value]] = TraceTile(name_of(element_type_of(value)), True, frozenset(), 1.0)
    online = () if stream.online is None else (stream.online,)
    for load in rows_read(regions, parts):
        follows = {e.dim for e in regions.kernel_map(load.maps) if isinstance(e, Along) and e.stride > 0}
        lacks = dims - follows
        tile = TraceTile(name_of(element_type_of(load.value)), not lacks, lacks, share_of(lacks))
        found[load.value, load.maps] = tile
        if depth in follows:
            trace.loads.append(tile)
    for op in (*parts.middle, *online):
        scalars = scalar_operands(op)
        recorder.dim_of = partial(regions.kernel_dim, op)
        operands: list[Any] = [
            scalars[i]
            if i in scalars
            else types.operand(op, recorder, found[value, regions.operand_map(op, i)])
            for i, value in enumerate(op.operands[: 1 if op is parts.product else None])
        ]
        result = op.results[0]
        if op is stream.online:
            rule, lacks = cast(RowWise, rule_of(op)), frozenset({depth})
            assert rule.online is not None
            state = tuple(TraceTile("f32", False, lacks, share_of(lacks)) for _ in rule.online.start)
            _, weights, _ = rule.update(op, cast(Any, recorder), cast(Any, state), operands)
            stored = parts.product.operands[0] if op is parts.product else result
            recorder.cast(cast(Any, weights), name_of(element_type_of(stored)))
        else:
            found[result, regions.maps[result]] = types.result(op, recorder, operands)
    return trace
