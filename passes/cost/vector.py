"""What the Vector instructions of a traced group cost."""

from collections.abc import Container, Iterator, Sequence

from ...dialects.element_types import ELEMENT_BYTES
from ...dialects.isa import VECTOR_INSTRUCTIONS
from ...dialects.target_types import Target
from ...runtime.machine.costs import loop_cost, vec_cost
from .group_trace import GroupTrace, TraceStep

Loop = Sequence[TraceStep]


def vector_cycles(trace: GroupTrace, elements: int, target: Target, behind: int = 0) -> float:
    """Vector cycles of a group's instructions on one tile, one vector function where the chip has them; what needs a
    result that is under way waits for all that is: it costs the latency. `behind`: elements of a tile behind windows,
    where those that they see have others."""
    total = function_start(target) if trace.steps else 0.0
    if target.vector.depth and not behind:
        return total + _function_cycles(trace, elements, target)
    images = trace.images() if behind else set[int]()
    for step in trace.steps:
        image = not behind or id(step.result) in images
        total += step_cycles(step, elements if image else behind, target)
    return total + trace.waits * target.vector.inner_latency


def _function_cycles(trace: GroupTrace, elements: int, target: Target) -> float:
    """Vector cycles of instructions of which some are loops of several ones, whose values stay in registers."""
    total, under_way = 0.0, set[int]()
    for loop, accesses in loops_of(trace, target.vector.depth):
        given = set[int]()
        for step in loop:
            if under_way & ({id(source) for source in step.sources} - given):
                under_way.clear()
                total += target.vector.inner_latency
            given.add(id(step.result))
        under_way |= given
        total += loop_cycles(loop, accesses, elements, target)
    return total


def loop_cycles(loop: Loop, accesses: Sequence[int], elements: int, target: Target) -> float:
    """Vector cycles of a loop that goes on in a function, whose instructions have so many `accesses` to UB a repeat."""
    if len(loop) == 1:
        return step_cycles(loop[0], elements, target)
    total = 0.0
    for i, (step, count) in enumerate(zip(loop, accesses, strict=True)):
        repeats = -(-elements * ELEMENT_BYTES[step.dtype] // target.vector.bytes_per_repeat)
        alone = vec_cost(target, step.name, step.dtype, repeats, joined=True)
        each = target.vector.per_repeat_in_loop(step.name, step.dtype, count)
        total += loop_cost(target, alone, repeats * each, joined=True, looped=i > 0).busy
    return total


def loops_of(
    trace: GroupTrace, depth: int, anew: Container[int] = frozenset()
) -> Iterator[tuple[Loop, list[int]]]:
    """The loops of a group's instructions of `depth` ones at most, as `ascend-join-vectors` makes them, and what each
    loads from UB and stores there in a repeat; no loop goes on with steps of `anew`, by their identity."""
    loops: list[list[TraceStep]] = []
    for step in trace.steps:
        last = loops[-1] if loops else []
        goes_on = last and len(last) < depth and _in_loop(step) and _in_loop(last[0]) and id(step) not in anew
        if goes_on and ELEMENT_BYTES[step.dtype] == ELEMENT_BYTES[last[0].dtype]:
            last.append(step)
        else:
            loops.append([step])
    needed = {id(trace.steps[-1].result)} if trace.steps else set[int]()
    needed |= {id(step.result) for step in trace.steps if step.result.stored}
    found: list[tuple[Loop, list[int]]] = []
    for loop in reversed(loops):
        held, accesses = set[int](), list[int]()
        for step in loop:
            loads = {id(source) for source in step.sources} - held
            held |= {*loads, id(step.result)}
            accesses.append(len(loads) + (id(step.result) in needed))
        found.append((loop, accesses))
        needed |= {id(source) for step in loop for source in step.sources}
    yield from reversed(found)


def _in_loop(step: TraceStep) -> bool:
    """Whether an instruction may be in a loop with others: all of it is whole tiles."""
    known = VECTOR_INSTRUCTIONS.get(step.name)
    whole = step.full and step.whole and step.share == 1.0 and all(source.full for source in step.sources)
    return whole and not step.folds and known is not None and not (known.reduces or known.mask)


def step_cycles(step: TraceStep, elements: int, target: Target) -> float:
    """Vector cycles of one instruction on a tile of so many elements."""
    count = elements if step.full else step.elements(elements)
    repeats = -(-count * ELEMENT_BYTES[step.dtype] // target.vector.bytes_per_repeat)
    return step.times * vec_cost(target, step.name, step.dtype, repeats, joined=True).busy


def function_start(target: Target) -> float:
    """Cycles before the first instruction of a vector function, where instructions are priced as `joined`."""
    return target.vector.startup if target.vector.loop else 0.0
