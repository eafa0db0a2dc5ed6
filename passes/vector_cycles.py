"""What the Vector instructions of a traced group cost."""

from ..dialects.ascend.memory import ELEMENT_BYTES
from ..dialects.target import Target
from ..runtime.costs import vec_cost
from .trace_rule import GroupTrace


def vector_cycles(trace: GroupTrace, elements: int, target: Target) -> float:
    """Vector cycles of a group's instructions on one tile, one vector function where the chip has them; what needs a
    result that is under way waits for all that is: it costs the latency."""
    vector = target.vector
    total = function_start(target) if trace.steps else 0.0
    under_way: set[int] = set()
    for step in trace.steps:
        count = elements if step.full else step.elements(elements)
        repeats = -(-count * ELEMENT_BYTES[step.dtype] // vector.bytes_per_repeat)
        waits = any(id(source) in under_way for source in step.sources)
        total += vec_cost(target, step.name, step.dtype, repeats, joined=True).busy
        total += vector.inner_latency if waits else 0.0
        under_way = {id(step.result)} if waits else under_way | {id(step.result)}
    return total


def function_start(target: Target) -> float:
    """Cycles before the first instruction of a vector function, where instructions are priced as `joined`."""
    return target.vector.startup if target.vector.loop else 0.0
