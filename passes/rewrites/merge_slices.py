"""A slice of a slice is one slice."""

from ...dialects import graph
from ...dialects.graph.fusion_marks import keep_marks
from ...dialects.graph.rules import shape_of
from ...dialects.graph.slicing import slice_parts


def merge_slices(op: graph.SliceOp) -> list[graph.GraphOp] | None:
    """One slice for two that go forwards."""
    inner = op.x.owner
    if not isinstance(inner, graph.SliceOp):
        return None
    first, second = (slice_parts(shape_of(one.x), one.attribute_values()) for one in (inner, op))
    starts, ends, steps = list[int](), list[int](), list[int]()
    for (start, _, step), (skipped, count, again) in zip(first, second, strict=True):
        if min(step, again, count) <= 0:
            return None
        starts.append(start + skipped * step)
        steps.append(step * again)
        ends.append(starts[-1] + (count - 1) * steps[-1] + 1)
    merged = graph.SliceOp(inner.x, starts=starts, ends=ends, axes=list(range(len(starts))), steps=steps)
    keep_marks(op, merged)
    return [merged]
