"""What the Vector instructions of a traced group cost."""

from ...dialects.element_types import ELEMENT_BYTES
from ...dialects.target_types import Target
from ...runtime.machine.costs import vec_cost
from .group_trace import GroupTrace, TraceStep


def vector_cycles(trace: GroupTrace, elements: int, target: Target, behind: int = 0) -> float:
    """Vector cycles of a group's instructions on one tile, one vector function where the chip has them; what needs a
    result that is under way waits for all that is: it costs the latency. `behind`: elements of a tile behind windows,
    where those that they see have others."""
    total = function_start(target) if trace.steps else 0.0
    images = trace.images() if behind else set[int]()
    for step in trace.steps:
        image = not behind or id(step.result) in images
        total += step_cycles(step, elements if image else behind, target)
    return total + waits(trace) * target.vector.inner_latency


def step_cycles(step: TraceStep, elements: int, target: Target) -> float:
    """Vector cycles of one instruction on a tile of so many elements."""
    count = elements if step.full else step.elements(elements)
    repeats = -(-count * ELEMENT_BYTES[step.dtype] // target.vector.bytes_per_repeat)
    return step.times * vec_cost(target, step.name, step.dtype, repeats, joined=True).busy


def waits(trace: GroupTrace) -> int:
    """How often an instruction waits, at a barrier, because it needs a result that is under way."""
    under_way, found = set[int](), 0
    for step in trace.steps:
        if any(id(source) in under_way for source in step.sources):
            under_way.clear()
            found += 1
        under_way.add(id(step.result))
    return found


def function_start(target: Target) -> float:
    """Cycles before the first instruction of a vector function, where instructions are priced as `joined`."""
    return target.vector.startup if target.vector.loop else 0.0
