"""Offsets for buffers in one memory space: a frozen problem, a frozen plan, and a validator that trusts neither.

`none` gives every buffer bytes of its own; `max` lets buffers share bytes when their lifetimes do not meet. The plan
says which level it took.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Lifetime:
    """A buffer: `size` bytes for each of `slots` slots, alive in the half-open range [start, end)."""

    name: str
    size: int
    start: int
    end: int
    slots: int = 1


@dataclass(frozen=True)
class MemoryProblem:
    """Buffers of one space with its capacity and alignment in bytes."""

    space: str
    capacity: int
    align: int
    buffers: tuple[Lifetime, ...]


@dataclass(frozen=True)
class SpacePlan:
    """`offsets[i]` holds the slots' addresses of buffer i; `bound` is the most bytes alive at once."""

    level: str
    offsets: tuple[tuple[int, ...], ...]
    peak: int
    bound: int


class DoesNotFitError(Exception):
    """No plan within the capacity. `live` are the buffers alive at the worst point."""

    def __init__(self, problem: MemoryProblem, peak: int, live: tuple[Lifetime, ...]):
        self.problem, self.peak, self.live = problem, peak, live
        missing = peak - problem.capacity
        largest = max(live, key=lambda b: b.size * b.slots)
        lines = [
            f"{problem.space} needs {peak} B, the chip has {problem.capacity} B: {missing} B too many",
            *(
                f"  {b.name}: {b.size * b.slots} B" + (f" ({b.slots} slots)" if b.slots > 1 else "")
                for b in live
            ),
            f"make {largest.name} smaller by {missing} B (a smaller tile), or give it fewer slots",
        ]
        super().__init__("\n".join(lines))


def _rounded(problem: MemoryProblem, buffer: Lifetime) -> int:
    return -(-buffer.size // problem.align) * problem.align * buffer.slots


def live_bound(problem: MemoryProblem) -> tuple[int, int]:
    """The most bytes alive at once, and a point where they are."""
    best, at = 0, 0
    for point in {b.start for b in problem.buffers}:
        total = sum(_rounded(problem, b) for b in problem.buffers if b.start <= point < b.end)
        if (total, -point) > (best, -at):
            best, at = total, point
    return best, at


def plan_space(problem: MemoryProblem, reuse: str = "max") -> SpacePlan:
    """Lay out without reuse if it fits; else, when `reuse` allows, by lifetimes. `DoesNotFitError` otherwise."""
    bound, at = live_bound(problem)
    offsets: list[int] = []
    end = 0
    for buffer in problem.buffers:
        offsets.append(end)
        end += _rounded(problem, buffer)
    level = "none"
    if end > problem.capacity and reuse != "none":
        level = "max"
        offsets, end = _by_lifetime(problem)
    if end > problem.capacity:
        live = (
            tuple(b for b in problem.buffers if b.start <= at < b.end) if reuse != "none" else problem.buffers
        )
        raise DoesNotFitError(problem, end, live)
    return SpacePlan(
        level, tuple(_slots(problem, b, o) for b, o in zip(problem.buffers, offsets, strict=True)), end, bound
    )


def _slots(problem: MemoryProblem, buffer: Lifetime, offset: int) -> tuple[int, ...]:
    size = _rounded(problem, buffer) // buffer.slots
    return tuple(offset + i * size for i in range(buffer.slots))


def _by_lifetime(problem: MemoryProblem) -> tuple[list[int], int]:
    """Lowest offset that is free during the whole lifetime, in a few orders; the best of them."""
    orders: tuple[Callable[[Lifetime], tuple[int, int]], ...] = (
        lambda b: (-_rounded(problem, b), b.start),
        lambda b: (-(b.end - b.start) * _rounded(problem, b), b.start),
        lambda b: (-(b.end - b.start), -_rounded(problem, b)),
        lambda b: (b.start, -_rounded(problem, b)),
    )
    best: tuple[int, list[int]] | None = None
    for order in orders:
        indices = sorted(range(len(problem.buffers)), key=lambda i: order(problem.buffers[i]))
        offsets = [0] * len(indices)
        placed: list[int] = []
        for i in indices:
            buffer = problem.buffers[i]
            busy = sorted(
                (offsets[j], offsets[j] + _rounded(problem, problem.buffers[j]))
                for j in placed
                if problem.buffers[j].start < buffer.end and buffer.start < problem.buffers[j].end
            )
            at = 0
            for low, high in busy:
                if at + _rounded(problem, buffer) <= low:
                    break
                at = max(at, high)
            offsets[i] = at
            placed.append(i)
        peak = max((offsets[i] + _rounded(problem, problem.buffers[i]) for i in indices), default=0)
        if best is None or peak < best[0]:
            best = peak, offsets
    assert best is not None
    return best[1], best[0]


def validate(problem: MemoryProblem, plan: SpacePlan) -> None:
    """`ValueError` when a slot is misaligned, leaves the space, or shares bytes with one that is alive."""
    spans: list[tuple[int, int, Lifetime]] = []
    for buffer, slots in zip(problem.buffers, plan.offsets, strict=True):
        if len(slots) != buffer.slots:
            raise ValueError(f"{buffer.name} has {len(slots)} offsets for {buffer.slots} slots")
        for at in slots:
            if at < 0 or at % problem.align or at + buffer.size > problem.capacity:
                raise ValueError(
                    f"{buffer.name} at {at} leaves {problem.space} or is not aligned to {problem.align}"
                )
            spans.append((at, at + buffer.size, buffer))
    for i, (low, high, first) in enumerate(spans):
        for other_low, other_high, second in spans[:i]:
            meet = first is second or (first.start < second.end and second.start < first.end)
            if meet and low < other_high and other_low < high:
                raise ValueError(
                    f"{first.name} and {second.name} are alive at once and share bytes at {max(low, other_low)}"
                )
