"""Slots for the buffers of a kernel: a frozen problem, a frozen plan, and a validator that trusts neither.

Slots go to the innermost loops first, there to small buffers first, as far as each space has room with one slot of
everything. Where even that has no room, buffers will share bytes by their lifetimes, and slots go as far as what is
alive in a loop leaves room.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field

from ...dialects.records import dataclass
from .space_plan import Lifetime, MemoryProblem, can_hold


@dataclass(frozen=True)
class Slotted:
    """A buffer of `size` bytes a slot in `space`. `wants` more slots: it hands data from one pipe to another in `depth`
    loops; up to `most` of them, where that is more than others get. With fewer than `least` slots its program would be
    wrong. It is alive from `start` to before `end`, points of its program; 0, 0: all the time. `loop` is the number of
    its innermost loop."""

    name: str
    space: str
    size: int
    wants: bool
    depth: int = 0
    least: int = 1
    start: int = 0
    end: int = 0
    loop: int = -1
    most: int = 0


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
    tight = [space for space, left in free.items() if left < 0]
    for space in tight:
        here = [i for i, b in order if b.space == space]
        slots = _by_lifetimes(problem, space, here)
        chosen = [slots.get(i, count) for i, count in enumerate(chosen)]
    for i, buffer in order:
        if buffer.space in tight:
            continue
        more = buffer.size * (problem.slots - buffer.least)
        if buffer.wants and 0 < more <= free[buffer.space]:
            free[buffer.space] -= more
            chosen[i] = problem.slots
    for i, buffer in order:  # what all want comes first
        if buffer.wants and 1 < chosen[i] < buffer.most:
            more = min(buffer.most - chosen[i], max(free[buffer.space], 0) // buffer.size)
            free[buffer.space] -= buffer.size * more
            chosen[i] += more
    return MultiBufferPlan(tuple(chosen))


def _by_lifetimes(problem: MultiBufferProblem, space: str, order: Sequence[int]) -> dict[int, int]:
    """Slots of the buffers of a space in which not even the least of everything has room side by side: as far as all
    that is alive in a buffer's innermost loop has. Pipes wait for each other where loops follow each other, not in
    them."""
    buffers, capacity = problem.buffers, problem.capacities[space]
    least = {i: buffers[i].least for i in order}
    slots = dict(least)
    alive: dict[int, list[int]] = {}
    for loop in {buffers[i].loop for i in order}:
        inside = [buffers[i] for i in order if buffers[i].loop == loop]
        first, last = min(b.start for b in inside), max(b.end for b in inside)
        alive[loop] = [i for i in order if buffers[i].start < last and first < buffers[i].end]
    for i in order:
        if buffers[i].wants and slots[i] < problem.slots:
            slots[i] = problem.slots
            if sum(buffers[j].size * slots[j] for j in alive[buffers[i].loop]) > capacity:
                slots[i] = least[i]
    return slots if can_hold(_memory(problem, space, slots)) else least


def _memory(problem: MultiBufferProblem, space: str, slots: Mapping[int, int]) -> MemoryProblem:
    """The problem of laying a space out with so many slots."""
    last = max(b.end for b in problem.buffers) + 1
    buffers = [(problem.buffers[i], count) for i, count in slots.items()]
    lifetimes = [Lifetime(b.name, b.size, b.start, b.end or last, count) for b, count in buffers]
    return MemoryProblem(space, problem.capacities[space], 1, tuple(lifetimes))


def validate(problem: MultiBufferProblem, plan: MultiBufferPlan) -> None:
    """`ValueError` when a buffer has no slot or slots that it has no use for, or when slots overflow a space that the
    least of everything would not."""
    if len(plan.slots) != len(problem.buffers):
        raise ValueError(f"{len(plan.slots)} numbers of slots for {len(problem.buffers)} buffers")
    for buffer, count in zip(problem.buffers, plan.slots, strict=True):
        if count not in (buffer.least, problem.slots) and not problem.slots < count <= buffer.most:
            raise ValueError(f"{buffer.name} has {count} slots, neither {buffer.least} nor {problem.slots}")
        if count < buffer.least:
            raise ValueError(f"{buffer.name} has {count} slots and needs {buffer.least}")
        if count > buffer.least and not buffer.wants:
            raise ValueError(f"{buffer.name} has {count} slots and hands nothing from one pipe to another")
    for space, capacity in problem.capacities.items():
        here = [(b, n) for b, n in zip(problem.buffers, plan.slots, strict=True) if b.space == space]
        taken = sum(b.size * n for b, n in here) - problem.shared.get(space, 0)
        if taken > capacity and any(n > b.least for b, n in here):
            taken = _most_alive(here)
        if taken > capacity and any(n > b.least for b, n in here):
            raise ValueError(f"slots take {taken} B of {space}, which has {capacity} B")


def _most_alive(buffers: Sequence[tuple[Slotted, int]]) -> int:
    """The most bytes that are alive at once, where some buffer comes to life."""
    return max(
        sum(b.size * n for b, n in buffers if not b.end or b.start <= first.start < b.end)
        for first, _ in buffers
    )
