"""Offsets for buffers in one memory space: a frozen problem, a frozen plan, and a validator that trusts neither.

Three levels of reuse, tried in this order, as far as the caller allows:

    none        every buffer has bytes of its own
    no-stall    buffers share bytes where that makes no pipe wait for another one
    max         buffers share bytes wherever their lifetimes do not meet

The plan says which level it took.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

LEVELS = ("none", "no-stall", "max")


@dataclass(frozen=True)
class Lifetime:
    """A buffer: `size` bytes for each of `slots` slots, alive in the half-open range [start, end).

    `opens` are the pipes that write it, `closes` those that are the last to touch it (nothing known: empty); `loops`
    are the loops in which it comes to life again, outermost first.
    """

    name: str
    size: int
    start: int
    end: int
    slots: int = 1
    opens: frozenset[str] = frozenset()
    closes: frozenset[str] = frozenset()
    loops: tuple[int, ...] = ()

    def meets(self, other: "Lifetime") -> bool:
        """Whether both are alive at some point."""
        return self.start < other.end and other.start < self.end

    def stalls(self, other: "Lifetime") -> bool:
        """Whether sharing bytes would make one pipe wait for another: the pipe that opens the later buffer must be the
        one that closes the earlier one, and the other way round where a loop brings both to life again."""
        first, second = (self, other) if self.start <= other.start else (other, self)
        again = bool(self.loops and other.loops and self.loops[0] == other.loops[0])
        forth, back = _one_pipe(first.closes, second.opens), _one_pipe(second.closes, first.opens)
        return not (forth and (back or not again))


Apart = Callable[[Lifetime, Lifetime], bool]
"""Whether two buffers may share no byte."""


def _one_pipe(closes: frozenset[str], opens: frozenset[str]) -> bool:
    return len(closes) == 1 and closes == opens


@dataclass(frozen=True)
class MemoryProblem:
    """Buffers of one space with its capacity and alignment in bytes, and how many bytes at its start others have."""

    space: str
    capacity: int
    align: int
    buffers: tuple[Lifetime, ...]
    taken: int = 0


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
            *([f"  buffers of the group: {problem.taken} B"] if problem.taken else []),
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
    change: dict[int, int] = {}
    for buffer in problem.buffers:
        if buffer.start < buffer.end:
            change[buffer.start] = change.get(buffer.start, 0) + _rounded(problem, buffer)
            change[buffer.end] = change.get(buffer.end, 0) - _rounded(problem, buffer)
    best, at, total = 0, 0, 0
    for point in sorted(change):
        total += change[point]
        if total > best:
            best, at = total, point
    return best, at


def plan_space(problem: MemoryProblem, reuse: str = "max") -> SpacePlan:
    """Lay out with the least reuse that fits, `reuse` at most. `DoesNotFitError` when nothing does."""
    bound, at = live_bound(problem)
    offsets, end = _side_by_side(problem)
    if end <= problem.capacity:
        return _plan(problem, "none", offsets, end, bound)
    for level, apart in _attempts(problem, reuse):
        offsets, end = _packed(problem, apart)
        if end <= problem.capacity:
            return _plan(problem, level, offsets, end, bound)
    alive = tuple(b for b in problem.buffers if b.start <= at < b.end)
    raise DoesNotFitError(problem, end, alive if reuse == "max" else problem.buffers)


def plan_smallest(problem: MemoryProblem) -> SpacePlan:
    """Share bytes wherever lifetimes do not meet, however large the space is. `DoesNotFitError` when that does not
    fit."""
    bound, at = live_bound(problem)
    offsets, end = _packed(problem, Lifetime.meets)
    if end > problem.capacity:
        alive = tuple(b for b in problem.buffers if b.start <= at < b.end)
        raise DoesNotFitError(problem, end, alive)
    return _plan(problem, "max", offsets, end, bound)


def _plan(problem: MemoryProblem, level: str, offsets: Sequence[int], end: int, bound: int) -> SpacePlan:
    slots = tuple(_slots(problem, b, o) for b, o in zip(problem.buffers, offsets, strict=True))
    return SpacePlan(level, slots, end, bound)


def _attempts(problem: MemoryProblem, reuse: str) -> Iterator[tuple[str, Apart]]:
    """Levels with what they keep apart, the least sharing first. Of buffers that stall each other, those in fewer loops
    share before those in more."""
    if reuse == "none":
        return
    yield "no-stall", _never_waits
    if reuse == "no-stall":
        return
    for depth in range(1, max(len(b.loops) for b in problem.buffers) + 1):
        yield "max", partial(_waits_outside, depth)
    yield "max", _waits_in_its_loop
    yield "max", Lifetime.meets


def _never_waits(first: Lifetime, second: Lifetime) -> bool:
    return first.meets(second) or first.stalls(second)


def _waits_outside(depth: int, first: Lifetime, second: Lifetime) -> bool:
    """Buffers that are both inside `depth` loops stay apart where one would wait for the other."""
    inside = min(len(first.loops), len(second.loops)) >= depth
    return first.meets(second) or (inside and first.stalls(second))


def _waits_in_its_loop(first: Lifetime, second: Lifetime) -> bool:
    """Buffers of one innermost loop stay apart where one would wait for the other."""
    same = bool(first.loops) and first.loops[-1:] == second.loops[-1:]
    return first.meets(second) or (same and first.stalls(second))


def _side_by_side(problem: MemoryProblem) -> tuple[list[int], int]:
    offsets: list[int] = []
    end = problem.taken
    for buffer in problem.buffers:
        offsets.append(end)
        end += _rounded(problem, buffer)
    return offsets, end


def _slots(problem: MemoryProblem, buffer: Lifetime, offset: int) -> tuple[int, ...]:
    size = _rounded(problem, buffer) // buffer.slots
    return tuple(offset + i * size for i in range(buffer.slots))


def _packed(problem: MemoryProblem, apart: Apart) -> tuple[list[int], int]:
    """For each buffer the lowest offset free of all that it must be apart from, in a few orders; the best of them."""
    orders: tuple[Callable[[Lifetime], tuple[int, int]], ...] = (
        lambda b: (-_rounded(problem, b), b.start),
        lambda b: (-(b.end - b.start) * _rounded(problem, b), b.start),
        lambda b: (-(b.end - b.start), -_rounded(problem, b)),
        lambda b: (b.start, -_rounded(problem, b)),
    )
    best: tuple[int, list[int]] | None = None
    sizes, others = [_rounded(problem, b) for b in problem.buffers], _kept_apart(problem.buffers, apart)
    for order in orders:
        indices = sorted(range(len(problem.buffers)), key=lambda i: order(problem.buffers[i]))
        offsets = [-1] * len(indices)
        for i in indices:
            placed = (j for j in others[i] if offsets[j] >= 0)
            busy = sorted((offsets[j], offsets[j] + sizes[j]) for j in placed)
            at = problem.taken
            for low, high in busy:
                if at + sizes[i] <= low:
                    break
                at = max(at, high)
            offsets[i] = at
        peak = max((offsets[i] + sizes[i] for i in indices), default=problem.taken)
        if best is None or peak < best[0]:
            best = peak, offsets
    assert best is not None
    return best[1], best[0]


def _kept_apart(buffers: Sequence[Lifetime], apart: Apart) -> list[list[int]]:
    """For each buffer the others that may share no byte with it."""
    found: list[list[int]] = [[] for _ in buffers]
    alive: list[int] = []
    for i in sorted(range(len(buffers)), key=lambda i: buffers[i].start):
        if apart == Lifetime.meets:  # only those alive when it begins
            alive = [j for j in alive if buffers[j].end > buffers[i].start]
        for j in alive:
            if apart(buffers[i], buffers[j]):
                found[i].append(j)
                found[j].append(i)
        alive.append(i)
    return found


def validate(problem: MemoryProblem, plan: SpacePlan) -> None:
    """`ValueError` when a slot is misaligned, leaves the space, or shares bytes with one that the plan's level keeps
    apart from it."""
    spans: list[tuple[int, int, Lifetime]] = []
    for buffer, slots in zip(problem.buffers, plan.offsets, strict=True):
        if len(slots) != buffer.slots:
            raise ValueError(f"{buffer.name} has {len(slots)} offsets for {buffer.slots} slots")
        for at in slots:
            if at < problem.taken or at % problem.align or at + buffer.size > problem.capacity:
                raise ValueError(
                    f"{buffer.name} at {at} leaves {problem.space} or is not aligned to {problem.align}"
                )
            spans.append((at, at + buffer.size, buffer))
    spans.sort(key=lambda span: span[2].start)
    before: list[tuple[int, int, Lifetime]] = []
    for low, high, first in spans:
        if plan.level == "max":  # what is over may share bytes
            before = [one for one in before if one[2].end > first.start or one[2] is first]
        for other_low, other_high, second in before:
            if low >= other_high or other_low >= high:
                continue
            where = f"share bytes at {max(low, other_low)}"
            if first is second or (first.start < second.end and second.start < first.end):
                raise ValueError(f"{first.name} and {second.name} are alive at once and {where}")
            if plan.level == "none":
                raise ValueError(f"{first.name} and {second.name} {where} although the plan says no reuse")
            if plan.level == "no-stall" and not _no_wait(first, second):
                raise ValueError(f"{first.name} and {second.name} {where}: a pipe would wait for another")
        before.append((low, high, first))


def _no_wait(first: Lifetime, second: Lifetime) -> bool:
    """Stated once more, from one pipe's point of view: it alone writes the one and ends the other, each time."""
    earlier, later = sorted((first, second), key=lambda b: b.start)
    pipes = earlier.closes | later.opens
    if earlier.loops[:1] == later.loops[:1] != ():
        pipes_back = later.closes | earlier.opens
        return len(pipes) == len(pipes_back) == 1 and bool(later.closes and earlier.opens and earlier.closes)
    return len(pipes) == 1 and bool(earlier.closes and later.opens)
