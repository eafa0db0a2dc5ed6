"""Whether a plan keeps to its problem and to the level of reuse that it states. Trusts neither.

That no two live slots share a byte is the allocator's own validator's to say (passes/memory/allocation/validate.py);
here is what the levels promise, stated once more from the point of view of one pipe.
"""

from .allocation import Plan, validate
from .space_plan import Lifetime, MemoryProblem, SpacePlan


def check_reuse(problem: MemoryProblem, plan: SpacePlan) -> None:
    """`ValueError` when a slot is misaligned, leaves the space, or shares bytes with one that lives at the same time or
    that the plan's level keeps apart from it."""
    claims = Plan("fits", plan.offsets, plan.peak, plan.bound, plan.bound, 0, ())
    validate(problem.allocation(), claims)
    if plan.level == "max":
        return
    numbered = enumerate(zip(problem.buffers, plan.offsets, strict=True))
    spans = sorted((at, at + buffer.size, i) for i, (buffer, slots) in numbered for at in slots)
    below: list[tuple[int, int, int]] = []
    for low, high, i in spans:
        below = [span for span in below if span[1] > low]
        for _, _, j in below:
            first, second = problem.buffers[i], problem.buffers[j]
            where = f"{second.name} and {first.name} share bytes at {low}"
            if plan.level == "none":
                raise ValueError(f"{where} although the plan says no reuse")
            if not _no_wait(first, second):
                raise ValueError(f"{where}: a pipe would wait for another")
        below.append((low, high, i))


def _no_wait(first: Lifetime, second: Lifetime) -> bool:
    """Whether one pipe alone ends the earlier one and writes the later one, each time."""
    earlier, later = sorted((first, second), key=lambda b: b.start)
    pipes = earlier.closes | later.opens
    if earlier.loops[:1] == later.loops[:1] != ():
        pipes_back = later.closes | earlier.opens
        return len(pipes) == len(pipes_back) == 1 and bool(later.closes and earlier.opens and earlier.closes)
    return len(pipes) == 1 and bool(earlier.closes and later.opens)
