"""What the Vector instructions of a traced group cost."""

from ..dialects.ascend.memory import ELEMENT_BYTES
from ..dialects.target import Target
from ..runtime.costs import vec_cost
from .trace_rule import GroupTrace


def vector_cycles(trace: GroupTrace, elements: int, target: Target) -> float:
    """Vector cycles of a group's instructions on one tile, one vector function where the chip has them; a result that
    the next one needs costs its latency."""
    vector = target.vector
    total = function_start(target) if trace.steps else 0.0
    previous: object = None
    for step in trace.steps:
        count = elements if step.full else step.elements(elements)
        repeats = -(-count * ELEMENT_BYTES[step.dtype] // vector.bytes_per_repeat)
        total += vec_cost(target, step.name, step.dtype, repeats, joined=True).busy
        total += vector.inner_latency if previous in step.sources else 0.0
        previous = step.result
    return total


def function_start(target: Target) -> float:
    """Cycles before the first instruction of a vector function, where instructions are priced as `joined`."""
    return target.vector.startup if target.vector.loop else 0.0
