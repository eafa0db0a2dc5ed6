"""Whether the result of a contiguous tile may have buffers of its own."""

from ....dialects.target_types import Target
from ...cost.group_trace import GroupTrace
from ...regions.regions import Regions
from .tiling import TileShape


def may_be_apart(regions: Regions, shape: TileShape, target: Target) -> bool:
    """Whether it matters if the result has buffers of its own: it could be written over what was read, and nothing
    else puts loads, computing and stores one behind the other."""
    return (
        shape.trace.over_load(regions)
        and not regions.joins
        and not regions.parts
        and _queued(shape.trace) != target.scalar.queue_depth
    )


def _queued(trace: GroupTrace) -> int:
    """What the Vector's queue holds of a tile whose result is written over what was read: instructions, barriers and
    flags. Where that fills it, the flag of a result apart is one too many: the scalar unit then waits, and the next
    tile's loads are issued late."""
    return len(trace.steps) + trace.waits + 3


__all__ = ["may_be_apart"]
