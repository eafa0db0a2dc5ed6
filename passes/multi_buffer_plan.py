"""Slots for the buffers of a kernel: a frozen problem, a frozen plan, and a validator that trusts neither.

Slots go to the innermost loops first, there to small buffers first, as far as each space has room with one slot of
everything.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Slotted:
    """A buffer of `size` bytes a slot in `space`. `wants` more slots: it hands data from one pipe to another in `depth`
    loops. With fewer than `least` slots its program would be wrong."""

    name: str
    space: str
    size: int
    wants: bool
    depth: int = 0
    least: int = 1


@dataclass(frozen=True)
class MultiBufferProblem:
    """The buffers of one kernel, the bytes of each space, and how many slots a buffer gets where it helps. `shared`:
    bytes of a space that buffers need not have of their own, because they can share them at no cost."""

    buffers: tuple[Slotted, ...]
    capacities: Mapping[str, int]
    slots: int = 2
    shared: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True)
class MultiBufferPlan:
    """Slots of each buffer of the problem, in its order."""

    slots: tuple[int, ...]


def plan_slots(problem: MultiBufferProblem) -> MultiBufferPlan:
    """Which buffers get the slots; the rest keep the least."""
    free = {space: size + problem.shared.get(space, 0) for space, size in problem.capacities.items()}
    for buffer in problem.buffers:
        free[buffer.space] -= buffer.size * buffer.least
    chosen = [buffer.least for buffer in problem.buffers]
    order = sorted(enumerate(problem.buffers), key=lambda item: (-item[1].depth, item[1].size))
    for i, buffer in order:
        more = buffer.size * (problem.slots - buffer.least)
        if buffer.wants and 0 < more <= free[buffer.space]:
            free[buffer.space] -= more
            chosen[i] = problem.slots
    return MultiBufferPlan(tuple(chosen))


def validate(problem: MultiBufferProblem, plan: MultiBufferPlan) -> None:
    """`ValueError` when a buffer has no slot or slots that it has no use for, or when slots overflow a space that the
    least of everything would not."""
    if len(plan.slots) != len(problem.buffers):
        raise ValueError(f"{len(plan.slots)} numbers of slots for {len(problem.buffers)} buffers")
    for buffer, count in zip(problem.buffers, plan.slots, strict=True):
        if count not in (buffer.least, problem.slots) or count < buffer.least:
            raise ValueError(f"{buffer.name} has {count} slots, neither {buffer.least} nor {problem.slots}")
        if count > buffer.least and not buffer.wants:
            raise ValueError(f"{buffer.name} has {count} slots and hands nothing from one pipe to another")
    for space, capacity in problem.capacities.items():
        here = [(b, n) for b, n in zip(problem.buffers, plan.slots, strict=True) if b.space == space]
        taken = sum(b.size * n for b, n in here) - problem.shared.get(space, 0)
        if taken > capacity and any(n > b.least for b, n in here):
            raise ValueError(f"slots take {taken} B of {space}, which has {capacity} B")
