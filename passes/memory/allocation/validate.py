"""Whether a plan keeps the rules of its problem. Written from the rules alone: no code is shared with the solvers, and
nothing that the plan says of itself is believed."""

from bisect import bisect_left
from itertools import product

from .problem import Buffer, Plan, Problem


class InvalidPlanError(ValueError):
    """A plan breaks a rule of its problem."""


def validate(problem: Problem, plan: Plan) -> None:
    """`InvalidPlanError` when a slot is missing, misaligned, moved off its pin or out of the space, when bytes are
    shared that may not be, or when the plan's peak, bound or status cannot be true. A plan without offsets has nothing
    to check unless it says that it fits."""
    if not plan.offsets and problem.buffers:
        if plan.status == "fits":
            raise InvalidPlanError(f"{problem.space}: the plan fits but has no offsets")
        return
    _check_slots(problem, plan)
    _check_sharing(problem, plan)
    _check_claims(problem, plan)


def _check_slots(problem: Problem, plan: Plan) -> None:
    if len(plan.offsets) != len(problem.buffers):
        raise InvalidPlanError(
            f"{len(plan.offsets)} buffers have offsets, the problem has {len(problem.buffers)}"
        )
    for buffer, offsets in zip(problem.buffers, plan.offsets, strict=True):
        if len(offsets) != buffer.slots:
            raise InvalidPlanError(f"{buffer.name} has {len(offsets)} offsets for {buffer.slots} slots")
        if buffer.pinned is not None and tuple(offsets) != tuple(buffer.pinned):
            raise InvalidPlanError(f"{buffer.name} is pinned at {buffer.pinned}, not at {offsets}")
        for at in offsets:
            if at % buffer.align:
                raise InvalidPlanError(f"{buffer.name} at {at} is not aligned to {buffer.align}")
            if at < 0 or (buffer.pinned is None and at < problem.taken):
                raise InvalidPlanError(f"{buffer.name} at {at} begins in bytes that others hold")
            end = at + buffer.size if buffer.start < buffer.end else at
            if plan.status == "fits" and problem.capacity is not None and end > problem.capacity:
                raise InvalidPlanError(
                    f"{buffer.name} at {at} ends at {end}, behind the capacity {problem.capacity}"
                )


def _check_sharing(problem: Problem, plan: Plan) -> None:
    """Sweep over time: when a slot begins to live, whom of those alive it meets. Without pairs these share no byte, so
    that its neighbours by address are all that it can meet."""
    over = {(i, j) for i, j in problem.in_place} | {(j, i) for i, j in problem.in_place}
    _check_apart(problem, plan)
    slots = [
        (buffer.start, number, slot, at, at + buffer.size)
        for number, (buffer, offsets) in enumerate(zip(problem.buffers, plan.offsets, strict=True))
        for slot, at in enumerate(offsets)
        if buffer.size and buffer.start < buffer.end  # else it takes no bytes
    ]
    ending = sorted(
        (problem.buffers[number].end, low, high, number, slot) for _, number, slot, low, high in slots
    )
    alive: list[tuple[int, int, int, int]] = []
    ended = 0
    for start, number, slot, low, high in sorted(slots):
        while ending[ended][0] <= start:
            del alive[bisect_left(alive, ending[ended][1:])]
            ended += 1
        at = bisect_left(alive, (low, high, number, slot))
        near = alive if over else alive[max(at - 1, 0) : at + 1]
        for other_low, other_high, other, other_slot in near:
            if other_low < high and low < other_high:
                _check_pair(problem, (number, other), (low, other_low), slot == other_slot, over)
        alive.insert(at, (low, high, number, slot))


def _check_pair(
    problem: Problem,
    pair: tuple[int, int],
    offsets: tuple[int, int],
    same_slot: bool,
    over: set[tuple[int, int]],
) -> None:
    """Two slots at `offsets` that live at once and share bytes. `same_slot`: they are slots of one number."""
    low, at = sorted(offsets)
    first, second = problem.buffers[pair[0]], problem.buffers[pair[1]]
    if pair[0] == pair[1]:
        raise InvalidPlanError(f"two slots of {first.name} share the byte at {at}")
    if pair not in over:
        raise InvalidPlanError(f"{_pair(first, second)} are alive at once and share the byte at {at}")
    if low != at or not same_slot:
        raise InvalidPlanError(
            f"{_pair(first, second)} may share bytes at one offset only, they lie at {at} and {low}"
        )


def _check_apart(problem: Problem, plan: Plan) -> None:
    """Pairs that share no byte whenever they live."""
    for i, j in problem.apart:
        first, second = problem.buffers[i], problem.buffers[j]
        if not all(b.size and b.start < b.end for b in (first, second)):
            continue
        for x, y in product(plan.offsets[i], plan.offsets[j]):
            if x < y + second.size and y < x + first.size:
                raise InvalidPlanError(
                    f"{_pair(first, second)} must not share bytes but share that at {max(x, y)}"
                )


def _pair(first: Buffer, second: Buffer) -> str:
    return " and ".join(sorted((first.name, second.name)))


def _check_claims(problem: Problem, plan: Plan) -> None:
    ends = [
        at + b.size
        for b, offsets in zip(problem.buffers, plan.offsets, strict=True)
        for at in offsets
        if b.size and b.start < b.end
    ]
    peak = max([problem.taken, *ends])
    if plan.peak != peak:
        raise InvalidPlanError(f"the plan's peak is {peak}, not {plan.peak}")
    if plan.bound > peak:
        raise InvalidPlanError(f"the plan's peak {peak} is below its bound {plan.bound}")
    if plan.status == "impossible" and (problem.capacity is None or peak <= problem.capacity):
        raise InvalidPlanError(f"the plan's peak {peak} fits although it says that nothing does")
