"""How one Vector op on tiles becomes instructions: which of the dimensions that its operands walk gives the repeats
of an instruction (at most 255) and which the blocks of a repeat (at most 8); instructions walk the others.

A dimension may be cut in two, one part for the repeats and one for the blocks. What is compared is the time: repeats,
what banks of UB add, the scalar unit's trips of loops, and a cycle for each instruction, because it takes a place in
the queue. The lowering emits what is chosen here, and the tile search asks what it takes.
"""

from collections.abc import Iterator, Sequence
from math import prod

from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...runtime.machine.banks import Shape, conflicts
from ...runtime.machine.costs import vec_cost

BLOCKS = 8
"""Blocks of 32 B of a repeat."""
UNROLLED, UNROLLED_IN_FUNCTIONS = 4, 16
"""Steps of a dimension up to which instructions walk it one after the other, without a loop: no vector function goes on
around a loop, and where a trip takes the scalar unit its time, short instructions wait for it."""


@dataclass(frozen=True)
class Dim:
    """A dimension in blocks of 32 B: how many (`fixed`: exactly, else at most), and each operand's stride in bytes, the
    result's last."""

    size: int
    strides: tuple[int, ...]
    fixed: bool = True

    def times(self, count: int) -> tuple[int, ...]:
        return tuple(s * count for s in self.strides)


@dataclass(frozen=True)
class Part:
    """Part of the dimension `dim`: `size` steps of `step` of its own; 0: all of it."""

    dim: int
    size: int = 0
    step: int = 1


@dataclass(frozen=True)
class Choice:
    """What gives the repeats and the blocks (None: one block), the cycles that the op takes, those of them that the
    Vector unit is busy, and the trips of loops around its instructions. Of a dimension that gives both, whole, eight
    steps are a repeat and what is left is an instruction of its own."""

    repeat: Part
    blocks: Part | None
    cycles: float
    busy: float
    instructions: int
    trips: int = 0


_MOST_KNOWN = 8192


@dataclass(frozen=True)
class _Known:
    """What was found for a target: choices, and what there is to choose from wherever operands start. A target has no
    hash, so it is known by its id; it is kept so that the id stays its own."""

    target: Target
    choices: dict[tuple[str, str, tuple[Dim, ...], tuple[int, ...]], Choice]
    candidates: dict[tuple[str, str, tuple[Dim, ...]], "list[_Candidate]"]


_known: dict[int, _Known] = {}


def choose(
    target: Target, instruction: str, dtype: str, dims: tuple[Dim, ...], starts: tuple[int, ...]
) -> Choice:
    """The fastest choice for at least one dimension. `starts`: where each operand starts in UB, in bytes, as far as
    banks go."""
    known = _known.get(id(target)) or _known.setdefault(id(target), _Known(target, {}, {}))
    key = instruction, dtype, dims, starts
    found = known.choices.get(key)
    if found is None:
        if len(known.choices) >= _MOST_KNOWN:
            known.choices.clear()
            known.candidates.clear()
        found = known.choices[key] = _choose(known, *key)
    return found


def _choose(
    known: _Known, instruction: str, dtype: str, dims: tuple[Dim, ...], starts: tuple[int, ...]
) -> Choice:
    target, key = known.target, (instruction, dtype, dims)
    candidates = known.candidates.get(key)
    if candidates is None:
        candidates = sorted(_candidates(target, *key), key=lambda one: (one.least, len(one.runs)))
        known.candidates[key] = candidates
    best, least = None, float("inf")
    for one in candidates:
        if one.least >= least:
            break
        body, each = 0.0, 0
        for repeats, step, blocks, stride, times in one.runs:
            pieces = -(-repeats // target.vector.max_repeat)
            met = _met(target, starts, (repeats, step, blocks, stride))
            cost = vec_cost(target, instruction, dtype, -(-repeats // pieces), met, joined=True)
            body, each = body + times * pieces * cost.busy, each + times * pieces
        cycles, count = _cycles(target, one.trips, body, each), max(1, one.trips) * each
        if cycles + count < least:
            busy = max(1, one.trips) * body + one.trips * target.vector.startup
            best = Choice(one.repeat, one.blocks, cycles, busy, count, one.trips)
            least = cycles + count
    assert best is not None
    return best


@dataclass(frozen=True)
class _Candidate:
    """Runs are repeats, their strides, blocks, their strides and how often in a trip of the loops around them, of which
    there are `trips` (0: no loop is needed); `least`: what it takes without banks."""

    repeat: Part
    blocks: Part | None
    runs: tuple[tuple[int, tuple[int, ...], int, tuple[int, ...], int], ...]
    trips: int
    least: float


def _cycles(target: Target, trips: int, body: float, instructions: int) -> float:
    """Cycles of all trips, of which each has so many instructions and takes the Vector so many cycles."""
    if not trips:
        return body
    scalar = trip_cycles(target) + (instructions - 1) * target.scalar.issue
    return trips * max(target.vector.startup + body, scalar)


def unrolled(target: Target) -> int:
    """Steps of a dimension up to which no loop walks it."""
    return UNROLLED_IN_FUNCTIONS if target.vector.loop or target.scalar.loop else UNROLLED


def trip_cycles(target: Target) -> float:
    """Cycles of the scalar unit for an instruction that a loop goes around."""
    return target.scalar.loop + target.scalar.issue


def _trips(target: Target, dims: Sequence[Dim]) -> int:
    """Trips of loops that walk dimensions, outermost first, with those that are unrolled around them; 0: no loop. Few
    trips whose number is not known cost where a loop ends a vector function: elsewhere the scalar unit is ahead."""
    ends = target.vector.loop > 0
    looped = [i for i, dim in enumerate(dims) if dim.size > unrolled(target) or (ends and not dim.fixed)]
    return prod(dim.size for dim in dims[: looped[-1] + 1]) if looped else 0


def _candidates(target: Target, instruction: str, dtype: str, dims: tuple[Dim, ...]) -> Iterator[_Candidate]:
    most = target.vector.max_repeat

    def candidate(
        repeat: Part, blocks: Part | None, *runs: tuple[int, tuple[int, ...], int, tuple[int, ...], int]
    ) -> _Candidate:
        taken = {repeat.dim, repeat.dim if blocks is None else blocks.dim}
        trips = _trips(target, [d for i, d in enumerate(dims) if i not in taken])
        runs = tuple((n, step, k, stride, times // max(1, trips)) for n, step, k, stride, times in runs)
        body, count = 0.0, 0
        for repeats, _, _, _, times in runs:
            pieces = -(-repeats // most)
            each = vec_cost(target, instruction, dtype, -(-repeats // pieces), joined=True).busy
            body, count = body + times * pieces * each, count + times * pieces
        least = _cycles(target, trips, body, count) + max(1, trips) * count
        return _Candidate(repeat, blocks, runs, trips, least)

    for i, one in enumerate(dims):
        rest = prod(d.size for k, d in enumerate(dims) if k != i)
        yield candidate(Part(i), None, (one.size, one.strides, 1, one.strides, rest))
        for k, other in enumerate(dims):
            if k == i or not other.fixed:
                continue
            full, tail = divmod(other.size, BLOCKS)
            times = rest // other.size
            runs = [(one.size, one.strides, BLOCKS, other.strides, times * full)] if full else []
            runs += [(one.size, one.strides, tail, other.strides, times)] if tail else []
            yield candidate(Part(i), Part(k), *runs)
        if not one.fixed:
            continue
        full, tail = divmod(one.size, BLOCKS)
        runs = [(full, one.times(BLOCKS), BLOCKS, one.strides, rest)] if full else []
        runs += [(1, one.strides, tail, one.strides, rest)] if tail else []
        yield candidate(Part(i), Part(i), *runs)
        few = [size for size in range(2, min(BLOCKS, one.size // 2) + 1) if one.size % size == 0]
        for inner in sorted({*few, *(one.size // size for size in few)}):
            outer = one.size // inner
            near, far = Part(i, inner), Part(i, outer, inner)
            if inner <= BLOCKS:
                yield candidate(far, near, (outer, one.times(inner), inner, one.strides, rest))
            if outer <= BLOCKS:
                yield candidate(near, far, (inner, one.strides, outer, one.times(inner), rest))


def _met(
    target: Target, starts: Sequence[int], run: tuple[int, tuple[int, ...], int, tuple[int, ...]]
) -> float:
    """Cycles more that a repeat takes because operands meet in banks of UB."""
    banks = target.banks
    if banks is None:
        return 0.0
    repeats, steps, count, strides = run
    shapes: list[Shape] = [
        (start, repeats, count, step, stride)
        for start, step, stride in zip(starts, steps, strides, strict=True)
    ]
    return conflicts(banks, shapes)


def merged(dims: Sequence[Dim]) -> tuple[Dim, ...]:
    """Dimensions, outermost first, of which those that all operands walk as one are one. At least one is left."""
    found: list[Dim] = []
    for dim in dims:
        if dim.size == 1:
            continue
        if found and dim.fixed and found[-1].strides == dim.times(dim.size):
            outer = found.pop()
            dim = Dim(outer.size * dim.size, dim.strides, outer.fixed)
        found.append(dim)
    return tuple(found or [Dim(1, dims[-1].strides)])


__all__ = ["BLOCKS", "Choice", "Dim", "Part", "choose", "merged", "trip_cycles", "unrolled"]
