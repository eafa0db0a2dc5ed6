"""What the Vector instructions of a traced group cost."""

from ..dialects.ascend.memory import ELEMENT_BYTES
from ..dialects.target import Target
from ..runtime.costs import vec_cost
from .trace_rule import GroupTrace


def vector_cycles(trace: GroupTrace, elements: int, target: Target) -> float:
    """Vector cycles of a group's instructions on one tile; a result that the next one needs costs its latency."""
    total, vector = 0.0, target.vector
    previous: object = None
    for step in trace.steps:
        count = elements if step.full else step.elements(elements)
        repeats = -(-count * ELEMENT_BYTES[step.dtype] // vector.bytes_per_repeat)
        cost = vec_cost(target, step.name, step.dtype, repeats)
        total += cost.busy + (cost.latency if previous in step.sources else 0.0)
        previous = step.result
    return total
