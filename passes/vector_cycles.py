"""What the Vector instructions of a traced group cost."""

from ..dialects.ascend.memory import ELEMENT_BYTES
from ..dialects.target import Target
from ..runtime.costs import vec_cost
from .trace_rule import GroupTrace


def vector_cycles(trace: GroupTrace, elements: int, target: Target) -> float:
    """Vector cycles of a group's instructions on one tile; what needs a result that is under way waits
    for all that is: it costs the latency."""
    total, vector = 0.0, target.vector
    under_way: set[int] = set()
    for step in trace.steps:
        count = elements if step.full else step.elements(elements)
        repeats = -(-count * ELEMENT_BYTES[step.dtype] // vector.bytes_per_repeat)
        cost = vec_cost(target, step.name, step.dtype, repeats)
        waits = any(id(source) in under_way for source in step.sources)
        total += cost.busy + (cost.latency if waits else 0.0)
        under_way = {id(step.result)} if waits else under_way | {id(step.result)}
    return total
