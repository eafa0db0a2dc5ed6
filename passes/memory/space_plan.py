"""Where the buffers of one memory lie: levels of reuse over the allocator (passes/memory/allocation).

Three levels, tried in this order, as far as the caller allows:

    none        every buffer has bytes of its own
    no-stall    buffers share bytes where that makes no pipe wait for another one
    max         buffers share bytes wherever their lifetimes do not meet; where that makes pipes wait, those pairs share
                that cost least

The plan says which level it took and what the pairs cost that share bytes at a price.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations

from ...dialects.records import dataclass
from .allocation import Buffer, Plan, Problem, allocate
from .allocation.bounds import live_bound
from .allocation.model import build
from .allocation.priced import allocate_priced

LEVELS = ("none", "no-stall", "max")

STEPS = 20_000
"""Steps of the exact search for what heuristics do not fit in."""
WORKSPACE_STEPS = 2_000
"""Those for a workspace, which fits anyway: ten times as many took 20 times as long for 1 % less of it."""

Pair = tuple[int, int]
Collisions = Callable[[Sequence[Sequence[int]]], float]
"""Cycles that banks cost with buffers at these addresses."""
Price = Callable[[int, int], float]
"""Cycles that two buffers, by their numbers, cost when they share bytes."""


@dataclass(frozen=True)
class Lifetime:
    """A buffer: `size` bytes for each of `slots` slots, alive in the half-open range [start, end).

    `opens` are the pipes that write it, `closes` those that are the last to touch it (nothing known: empty); `loops`
    are the loops in which it comes to life again, outermost first. `where` says who owns it: a place in a file.
    """

    name: str
    size: int
    start: int
    end: int
    slots: int = 1
    opens: frozenset[str] = frozenset()
    closes: frozenset[str] = frozenset()
    loops: tuple[int, ...] = ()
    where: str = ""

    @property
    def total(self) -> int:
        """Bytes of all slots."""
        return self.size * self.slots

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


def _one_pipe(closes: frozenset[str], opens: frozenset[str]) -> bool:
    return len(closes) == 1 and closes == opens


@dataclass(frozen=True)
class MemoryProblem:
    """Buffers of one space with its capacity and alignment in bytes, and how many bytes at its start others have.
    `in_place` are pairs (i, j) of which an instruction writes j over i, which dies there. Where banks matter, buffer i
    should start `phases[i]` bytes after a multiple of `turn` (`bank_phases.py`)."""

    space: str
    capacity: int
    align: int
    buffers: tuple[Lifetime, ...]
    taken: int = 0
    in_place: tuple[Pair, ...] = ()
    phases: tuple[int, ...] = ()
    turn: int = 0

    def spread(self) -> "MemoryProblem":
        """The problem of a layout with these phases: its buffers have as many bytes more in front. In place are those
        that have the same."""
        buffers = tuple(replace(b, size=b.size + p) for b, p in zip(self.buffers, self.phases, strict=True))
        over = tuple((i, j) for i, j in self.in_place if self.phases[i] == self.phases[j])
        return replace(self, buffers=buffers, align=self.turn, in_place=over, phases=(), turn=0)

    def allocation(self, apart: Sequence[Pair] = ()) -> Problem:
        """The allocator's problem, with pairs that share no byte: neither where they do not meet nor in place."""
        never = {frozenset(pair) for pair in apart}
        return Problem(
            tuple(Buffer(b.name, b.start, b.end, b.size, self.align, b.slots) for b in self.buffers),
            self.capacity,
            self.taken,
            tuple(pair for pair in self.in_place if frozenset(pair) not in never),
            tuple(apart),
            self.space,
        )


@dataclass(frozen=True)
class Sharing:
    """Two buffers, by their numbers, that share bytes, and the cycles of waiting that this is estimated to cost."""

    first: int
    second: int
    cycles: float


@dataclass(frozen=True)
class SpacePlan:
    """`offsets[i]` holds the slots' addresses of buffer i; `bound` is the most bytes alive at once, below which no plan
    is; `optimal`: no plan has a lower peak. `sharings` are the pairs that share bytes at a price, dearest first."""

    level: str
    offsets: tuple[tuple[int, ...], ...]
    peak: int
    bound: int
    optimal: bool = False
    sharings: tuple[Sharing, ...] = ()


class DoesNotFitError(Exception):
    """No plan within the capacity. `peak` is what the best one found takes, `live` are the buffers alive at the worst
    point, `point`, or all where a level of reuse keeps them apart."""

    def __init__(self, problem: MemoryProblem, plan: Plan, reuse: str):
        self.problem, self.reuse = problem, reuse
        self.peak, self.point = plan.peak, plan.point
        self.proven = plan.status == "impossible"
        full = reuse == "max"
        self.live = tuple(problem.buffers[i] for i in plan.alive) if full else problem.buffers
        self.alive_bytes = plan.alive_bytes
        super().__init__(problem.space)

    def __str__(self) -> str:
        return self.describe()

    def describe(self, at: str = "") -> str:
        """The message, with what would make it fit; `at` names the program's operation at the worst point."""
        problem, full = self.problem, self.reuse == "max"
        head = f"{problem.space} needs {self.peak} B"
        head += f" at {at}" if at and full else ""
        head += f", the chip has {problem.capacity} B: {self.peak - problem.capacity} B too many"
        what = "alive there" if full else f"all buffers, which reuse={self.reuse} keeps apart"
        if self.reuse == "no-stall":
            what = "all buffers, of which reuse=no-stall lets some share bytes"
        if full and self.alive_bytes <= problem.capacity:
            found = "no layout of less exists" if self.proven else "no layout of less was found"
            what = f"at most {self.alive_bytes} B are alive at once, but {found}; alive there"
        lines = [
            f"{head}; {what}:",
            *([f"  buffers of the group: {problem.taken} B"] if problem.taken else []),
            *map(_described, sorted(self.live, key=lambda b: -b.total)),
            *_remedies(problem, self.reuse, self.peak, self.live),
        ]
        return "\n".join(lines)


def _described(buffer: Lifetime) -> str:
    slots = f" ({buffer.slots} slots)" if buffer.slots > 1 else ""
    where = f", {buffer.where}" if buffer.where else ""
    return f"  {buffer.name}: {buffer.total} B{slots}{where}"


def _remedies(problem: MemoryProblem, reuse: str, peak: int, live: Sequence[Lifetime]) -> Iterator[str]:
    """What would make it fit, each tried."""
    largest = max(live, key=lambda b: b.total, default=None)
    missing = peak - problem.capacity
    slots = 1 if largest is None else largest.slots
    each = -(-missing // (slots * problem.align)) * problem.align if slots > 1 else missing
    if largest is not None and largest.size > each and _takes(_smaller(problem, largest, each), reuse):
        where = f" in each of {slots} slots" if slots > 1 else ""
        yield f"make {largest.name} smaller by {each} B{where} (a smaller tile)"
    else:
        yield f"make several buffers smaller, by {missing} B in all (a smaller tile)"
    if any(b.slots > 1 for b in problem.buffers):
        single = replace(problem, buffers=tuple(replace(b, slots=1) for b in problem.buffers))
        least = _takes(single, reuse)
        if least is not None:
            yield f"with one slot of each buffer it takes {least} B, which fits"
    if reuse != "max":
        shared = _takes(problem, "max")
        if shared is not None:
            yield f"with reuse=max it takes {shared} B, which fits"


def _smaller(problem: MemoryProblem, buffer: Lifetime, less: int) -> MemoryProblem:
    buffers = (replace(b, size=b.size - less) if b is buffer else b for b in problem.buffers)
    return replace(problem, buffers=tuple(buffers))


def _takes(problem: MemoryProblem, reuse: str) -> int | None:
    """The bytes that a level of reuse needs; None where that does not fit."""
    _, end = _side_by_side(problem)
    if end <= problem.capacity or reuse == "none":
        return end if end <= problem.capacity else None
    apart = [] if reuse == "max" else list(_prices(problem, _by_loops(problem)))
    plan = allocate(problem.allocation(apart))
    return plan.peak if plan.status == "fits" else None


def bound_of(problem: MemoryProblem) -> int:
    """The most bytes alive at once, those of others included: no plan has a lower peak."""
    return live_bound(build(problem.allocation())).least


def plan_space(
    problem: MemoryProblem,
    reuse: str = "max",
    price: Price | None = None,
    collisions: Collisions | None = None,
) -> SpacePlan:
    """Lay out with the least reuse that fits, `reuse` at most. `DoesNotFitError` when nothing does. `price` says what
    pairs cost that make pipes wait; without it those in few loops share before those in more.

    With phases, a layout that has them comes first at each level without a price. `no-stall` needs them, for a program
    must not get slower by it. Otherwise what pairs cost and what the banks' `collisions` cost decides.
    """
    prices = cache(lambda: _prices(problem, price or _by_loops(problem)))
    spread = problem.spread() if problem.phases else None
    if spread is not None:
        free = _free(spread, reuse, prices)
        if free is not None:
            return _moved(problem, free)
    _, end = _side_by_side(problem)
    if reuse == "none" and end > problem.capacity:
        raise DoesNotFitError(problem, replace(allocate(problem.allocation()), peak=end), reuse)
    plain = _free(
        problem, "none" if reuse == "none" or (reuse == "no-stall" and spread) else "no-stall", prices
    )
    if plain is None and reuse == "no-stall":
        whole = spread or problem
        raise DoesNotFitError(whole, allocate(whole.allocation(list(prices()))), reuse)
    if plain is None:
        plain = _least_waiting(problem, prices())
    if spread is None or collisions is None or reuse != "max":
        return plain
    try:
        shared = _moved(problem, _least_waiting(spread, prices()))
    except DoesNotFitError:
        return plain
    return min(
        plain, shared, key=lambda plan: sum(s.cycles for s in plan.sharings) + collisions(plan.offsets)
    )


def _free(problem: MemoryProblem, reuse: str, prices: Callable[[], Mapping[Pair, float]]) -> SpacePlan | None:
    """A layout in which no pair shares bytes at a price, with the least reuse up to `reuse`; None where none fits."""
    offsets, end = _side_by_side(problem)
    if end <= problem.capacity:
        bound = bound_of(problem)
        return SpacePlan("none", offsets, end, bound, end == bound)
    if reuse == "none":
        return None
    plan = allocate(problem.allocation(list(prices())))
    return _space_plan("no-stall", plan) if plan.status == "fits" else None


def _moved(problem: MemoryProblem, plan: SpacePlan) -> SpacePlan:
    """The plan of the problem for one of its spread form."""
    offsets = tuple(
        tuple(at + phase for at in slots) for slots, phase in zip(plan.offsets, problem.phases, strict=True)
    )
    peak, bound = peak_of(problem, offsets), bound_of(problem)
    return replace(plan, offsets=offsets, peak=peak, bound=bound, optimal=peak == bound)


def can_hold(problem: MemoryProblem) -> bool:
    """Whether the space holds the buffers at some level of reuse."""
    _, end = _side_by_side(problem)
    return end <= problem.capacity or allocate(problem.allocation(), steps=STEPS).status == "fits"


def plan_smallest(problem: MemoryProblem) -> SpacePlan:
    """Share bytes wherever lifetimes do not meet, however large the space is. `DoesNotFitError` when that does not
    fit."""
    plan = allocate(replace(problem.allocation(), capacity=None), steps=WORKSPACE_STEPS)
    if plan.peak > problem.capacity:
        raise DoesNotFitError(problem, plan, "max")
    return _space_plan("max", plan)


def _space_plan(level: str, plan: Plan, sharings: tuple[Sharing, ...] = ()) -> SpacePlan:
    return SpacePlan(level, plan.offsets, plan.peak, plan.bound, plan.optimal, sharings)


def _side_by_side(problem: MemoryProblem) -> tuple[tuple[tuple[int, ...], ...], int]:
    """Addresses of slots that share no byte, and the end of the highest one."""
    offsets: list[tuple[int, ...]] = []
    at = problem.taken
    for buffer in problem.buffers:
        size = -(-buffer.size // problem.align) * problem.align
        offsets.append(tuple(at + i * size for i in range(buffer.slots)))
        at += size * buffer.slots
    return tuple(offsets), peak_of(problem, offsets)


def peak_of(problem: MemoryProblem, offsets: Sequence[Sequence[int]]) -> int:
    """The end of the highest slot that lives, in bytes."""
    placed = zip(problem.buffers, offsets, strict=True)
    return max((at + b.size for b, slots in placed for at in slots if b.start < b.end), default=problem.taken)


def _prices(problem: MemoryProblem, price: Price) -> dict[Pair, float]:
    """The pairs that could share bytes, but at a price: one pipe would wait for another, or for itself."""
    over = {frozenset(pair) for pair in problem.in_place}
    buffers = problem.buffers
    prices = {
        (i, j): price(i, j)
        for i, j in combinations(range(len(buffers)), 2)
        if not buffers[i].meets(buffers[j]) or frozenset((i, j)) in over
    }
    return {
        pair: max(cycles, 1.0)
        for pair, cycles in prices.items()
        if cycles > 0 or buffers[pair[0]].stalls(buffers[pair[1]])
    }


def _by_loops(problem: MemoryProblem) -> Price:
    """Of pairs that stall each other, those in fewer loops are cheaper; those of one innermost loop are dearest."""
    deepest = 1 + max((len(b.loops) for b in problem.buffers), default=0)

    def price(i: int, j: int) -> float:
        first, second = problem.buffers[i], problem.buffers[j]
        if not first.stalls(second):
            return 0.0
        same = bool(first.loops) and first.loops[-1:] == second.loops[-1:]
        return 1 + min(len(first.loops), len(second.loops)) + deepest * same

    return price


def _least_waiting(problem: MemoryProblem, prices: Mapping[Pair, float]) -> SpacePlan:
    """Share bytes by lifetimes so that the pairs that share cost little in all."""
    plan = allocate_priced(problem.allocation(), prices, STEPS)
    if plan.status != "fits":
        raise DoesNotFitError(problem, plan, "max")
    return _space_plan("max", plan, tuple(_sharings(problem, plan, prices)))


def _sharings(problem: MemoryProblem, plan: Plan, prices: Mapping[Pair, float]) -> list[Sharing]:
    """The pairs of a plan that share bytes at a price, the dearest first."""
    found = [
        Sharing(i, j, cycles)
        for (i, j), cycles in prices.items()
        if overlap(problem.buffers[i], plan.offsets[i], problem.buffers[j], plan.offsets[j])
    ]
    return sorted(found, key=lambda s: (-s.cycles, s.first, s.second))


def overlap(first: Lifetime, at: Sequence[int], second: Lifetime, to: Sequence[int]) -> bool:
    """Whether slots of two buffers at these offsets share a byte."""
    return any(a < b + second.size and b < a + first.size for a in at for b in to)
