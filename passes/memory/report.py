"""What `ascend-plan-memory` decided, and what synchronisation left of it: who lives where.

Synchronisation takes slots that nothing needs, or that event ids do not suffice for. Reports are read when all passes
are through, so this one looks at the buffers as they are by then.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...dialects.records import dataclass
from ..analysis.live_ranges import Usage
from .space_plan import MemoryProblem, SpacePlan, bound_of, overlap, peak_of


@dataclass(frozen=True)
class MemoryPlan:
    """Plans of one kernel by space, with the buffers that they place."""

    kernel: str
    spaces: tuple[tuple[MemoryProblem, SpacePlan, tuple[Usage, ...]], ...]

    def final(self) -> "MemoryPlan":
        """The plan with the slots that the buffers have now."""
        return replace(self, spaces=tuple(_final(*space) for space in self.spaces))


def _final(
    problem: MemoryProblem, plan: SpacePlan, usages: tuple[Usage, ...]
) -> tuple[MemoryProblem, SpacePlan, tuple[Usage, ...]]:
    offsets = tuple(
        slots[: usage.buffer.slot_count] for usage, slots in zip(usages, plan.offsets, strict=True)
    )
    if offsets == plan.offsets:
        return problem, plan, usages
    buffers = tuple(replace(b, slots=len(at)) for b, at in zip(problem.buffers, offsets, strict=True))
    left = replace(problem, buffers=buffers)
    sharings = tuple(
        s
        for s in plan.sharings
        if overlap(buffers[s.first], offsets[s.first], buffers[s.second], offsets[s.second])
    )
    peak, least = peak_of(left, offsets), bound_of(_in_step(left))
    plan = replace(plan, offsets=offsets, peak=peak, bound=least, optimal=peak == least, sharings=sharings)
    return left, plan, usages


def _in_step(problem: MemoryProblem) -> MemoryProblem:
    """The problem with as many slots of each buffer as of those that lie over it: no plan of it needs more bytes."""
    slots = [b.slots for b in problem.buffers]
    for _ in problem.in_place:
        for pair in problem.in_place:
            for i in pair:
                slots[i] = min(slots[one] for one in pair)
    buffers = (replace(b, slots=n) for b, n in zip(problem.buffers, slots, strict=True))
    return replace(problem, buffers=tuple(buffers))


@dataclass(frozen=True)
class MemoryReport:
    """Who lives where, for people and programs."""

    plans: tuple[MemoryPlan, ...]
    name: str = "ascend-plan-memory"

    def to_text(self) -> str:
        lines: list[str] = []
        for planned in self.plans:
            plan = planned.final()
            lines.append(f"memory of @{plan.kernel}")
            for (problem, space, usages), (_, first, _) in zip(plan.spaces, planned.spaces, strict=True):
                share = 100 * space.peak / problem.capacity
                lines.append(
                    f"  {problem.space}: peak {space.peak} of {problem.capacity} B ({share:.0f} %), "
                    f"at least {space.bound} B, reuse {space.level}"
                )
                if problem.taken:
                    lines.append(f"    buffers of the group: {problem.taken} B at 0")
                for usage, slots, had in zip(usages, space.offsets, first.offsets, strict=True):
                    line = f"    {usage.label}: {usage.buffer.slot_bytes} B at {_listed(slots)}"
                    gone = had[len(slots) :]
                    lines.append(line + (f" (planned at {_listed(gone)} too, see below)" if gone else ""))
                lines += [f"    {line}" for line in _waits(space, usages)]
        return "\n".join(lines)

    def to_json(self) -> Any:
        return [
            {
                "kernel": plan.kernel,
                "spaces": {
                    problem.space: {
                        "peak_bytes": space.peak,
                        "capacity_bytes": problem.capacity,
                        "bound_bytes": space.bound,
                        "reuse": space.level,
                        "sharings": [
                            {"buffers": [s.first, s.second], "cycles": s.cycles} for s in space.sharings
                        ],
                        "buffers": [
                            {
                                "name": u.label,
                                "bytes": u.buffer.slot_bytes,
                                "addresses": list(slots),
                                "given_up": list(had[len(slots) :]),
                            }
                            for u, slots, had in zip(usages, space.offsets, first.offsets, strict=True)
                        ],
                    }
                    for (problem, space, usages), (_, first, _) in zip(
                        plan.final().spaces, plan.spaces, strict=True
                    )
                },
            }
            for plan in self.plans
        ]


def _listed(addresses: Sequence[int]) -> str:
    return ", ".join(str(a) for a in addresses)


def _waits(plan: SpacePlan, usages: Sequence[Usage]) -> Iterator[str]:
    """A line for each pair that shares bytes at a price, the dearest first; buffers by name, first address and the
    points of the program between which they live."""
    names = [
        f"{u.label} at {slots[0]} [{u.start}, {u.end})" for u, slots in zip(usages, plan.offsets, strict=True)
    ]
    for one in plan.sharings:
        pair = f"{names[one.first]} and {names[one.second]}"
        yield f"{pair} share bytes: waits and flags of some {one.cycles:.0f} cycles"
