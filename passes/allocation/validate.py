"""Whether a plan keeps the rules of its problem. Written from the rules alone: no code is shared with the solvers, and
nothing that the plan says of itself is believed."""

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
    """Sweep over addresses: at every slot's first byte, whom it meets of those that began below and have not ended."""
    over = {(i, j) for i, j in problem.in_place} | {(j, i) for i, j in problem.in_place}
    apart = {(i, j) for i, j in problem.apart} | {(j, i) for i, j in problem.apart}
    spans = sorted(
        (at, at + buffer.size, number, slot)
        for number, (buffer, offsets) in enumerate(zip(problem.buffers, plan.offsets, strict=True))
        for slot, at in enumerate(offsets)
        if buffer.size and buffer.start < buffer.end  # else it takes no bytes
    )
    open_spans: list[tuple[int, int, int, int]] = []
    for low, high, number, slot in spans:
        open_spans = [span for span in open_spans if span[1] > low]
        first = problem.buffers[number]
        for other_low, _, other, other_slot in open_spans:
            second = problem.buffers[other]
            if number == other:
                raise InvalidPlanError(f"two slots of {first.name} share the byte at {low}")
            if (number, other) in apart:
                raise InvalidPlanError(f"{_pair(first, second)} must not share bytes but share that at {low}")
            if max(first.start, second.start) >= min(first.end, second.end):
                continue
            if (number, other) not in over:
                raise InvalidPlanError(
                    f"{_pair(first, second)} are alive at once and share the byte at {low}"
                )
            if other_low != low or slot != other_slot:
                raise InvalidPlanError(
                    f"{_pair(first, second)} may share bytes at one offset only, they lie at {low} and {other_low}"
                )
        open_spans.append((low, high, number, slot))


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
