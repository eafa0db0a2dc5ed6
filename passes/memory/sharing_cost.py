"""What it costs when two buffers share bytes: how long pipes would wait for each other.

The kernel is traced with every buffer at bytes of its own, and its instructions put on a timeline. Where two buffers
shared bytes, the first instruction that touches the one could start when all that touched the other before are through;
what that is later than it must start for the program to be through in time, times the trips of its loops that the trace
left out, is what the pair costs. A pair for which nothing is late still takes a flag where pipes differ.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import prod

from xdsl.ir import Operation

from ...dialects import ascend
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ..analysis.dependences import find_requirements, known_before
from ..analysis.kept_traces import trace_to_keep
from ..analysis.live_ranges import Usage
from ..analysis.timeline import timeline
from ..analysis.trace_sizes import telling_sizes
from ..analysis.tracer import Tracer

ORDER = 50
"""What a flag or a barrier more counts, in the cycles that one takes to issue: its own time is little, but event ids
are few, pipes whose ids run out are serialised, and barriers keep a pipe from running ahead. On one-kernel attention 50
is best on four chips."""


@dataclass(frozen=True, slots=True)
class _Touch:
    """An access to a buffer: its place in the trace, the pipe of the instruction and its number there, and what of each
    pipe is over when it starts although no two buffers share bytes."""

    at: int
    pipe: int
    number: int
    known: Sequence[int]


_Touches = Mapping[Operation, Sequence[_Touch]]


class SharingCosts:
    """Cycles that pairs of a kernel's buffers would cost if they shared bytes."""

    def __init__(self, kernel: ascend.KernelOp, usages: Sequence[Usage], target: Target):
        self._kernel, self._target = kernel, target
        self._slots = max((u.buffer.slot_count for u in usages), default=1)
        size = telling_sizes(kernel, self._slots + 1)[-1]
        self._addresses = _side_by_side(usages, target)
        trace = Tracer(
            kernel, target, self._slots + 1, numbers=size.numbers, addresses=self._addresses
        ).walk()
        find_requirements(trace)
        self._order = ORDER * target.scalar.flag
        self._touches = _touches(trace)
        self._spans = timeline(trace, size.blocks)
        self._times = _times(trace)
        self._known: dict[frozenset[Operation], float] = {}

    def of(self, first: ascend.BufferOp, second: ascend.BufferOp) -> float:
        """Cycles of one core that the pair would cost, flags weighted; 0 where the program orders all of the one before
        all of the other anyway, on every core and at every size."""
        pair = frozenset[Operation]((first, second))
        if pair not in self._known:
            self._known[pair] = self._cost(first, second) or self._rarely(first, second)
        return self._known[pair]

    def _cost(self, first: Operation, second: Operation) -> float:
        """What the pair costs in the trace with a timeline."""
        total = 0.0
        for past, touch in _unordered(self._touches, first, second):
            ends = [self._spans[p.at].visible for p in past]
            late = max(ends) - self._spans[touch.at].latest
            own = sum(p.pipe == touch.pipe for p in past)
            orders = (own > 0) + (own < len(past))  # a barrier, a flag
            total += self._times[touch.at] * (max(late, 0.0) + self._order * orders)
        return total

    def _rarely(self, first: Operation, second: Operation) -> float:
        """What a pair costs that is free in that trace: a flag or a barrier, if it takes one in those of other cores
        and sizes, of tiles at edges, of conditions that seldom hold."""
        return self._order * any(any(_unordered(touches, first, second)) for touches in self._elsewhere)

    @cached_property
    def _elsewhere(self) -> list[_Touches]:
        """The traces that synchronisation orders."""
        traces = trace_to_keep(self._kernel, self._target, self._slots + 1, self._addresses)
        return [_touches(trace) for trace in traces]


def _side_by_side(usages: Sequence[Usage], target: Target) -> Mapping[Operation, tuple[int, ...]]:
    """Bytes of its own for every slot, however large the memories are."""
    ends: dict[str, int] = {}
    found: dict[Operation, tuple[int, ...]] = {}
    for usage in usages:
        align = target.spaces[usage.space].align
        size = -(-usage.buffer.slot_bytes // align) * align
        at = ends.get(usage.space, 0)
        found[usage.buffer] = tuple(at + i * size for i in range(usage.buffer.slot_count))
        ends[usage.space] = at + size * usage.buffer.slot_count
    return found


def _times(trace: Tracer) -> list[float]:
    """How often the program does each instruction for each time in the trace."""
    trips: dict[Operation, set[int]] = {}
    for instance in trace.instances:
        for loop, trip in instance.loops:
            trips.setdefault(loop, set()).add(trip)
    left = {loop: max(trace.longest.get(loop, 1) / len(seen), 1.0) for loop, seen in trips.items()}
    return [prod(left[loop] for loop, _ in instance.loops) for instance in trace.instances]


def _touches(trace: Tracer) -> _Touches:
    """For every buffer its accesses in the order of the trace."""
    found: dict[Operation, list[_Touch]] = {}
    for at, (instance, known) in enumerate(zip(trace.instances, known_before(trace), strict=True)):
        touch = _Touch(at, instance.pipe, instance.number, known)
        for buffer in dict.fromkeys(a.buffer for a in instance.accesses if a.buffer is not None):
            found.setdefault(buffer, []).append(touch)
    return found


def _unordered(
    touches: _Touches, first: Operation, second: Operation
) -> Iterator[tuple[Sequence[_Touch], _Touch]]:
    """The accesses with which one of two buffers follows the other, each with those of the other's last run that may
    not be over by then."""
    for run, touch in _changes(touches.get(first, ()), touches.get(second, ())):
        at, known = touch.at, touch.known  # `at`: not the instruction that writes one over the other
        past = [p for p in run if p.at < at and known[p.pipe] < p.number]
        if past:
            yield past, touch


def _changes(first: Sequence[_Touch], second: Sequence[_Touch]) -> Iterator[tuple[Sequence[_Touch], _Touch]]:
    """The accesses with which one of two buffers follows the other, each with the run of the other's before it."""
    if not (first and second):
        return
    one, other = (first, second) if first[0].at <= second[0].at else (second, first)
    start, follows = 0, 0
    while follows < len(other):
        limit = other[follows].at + (one is first)  # one instruction's access to the first buffer comes first
        end = start
        while end < len(one) and one[end].at < limit:
            end += 1
        yield one[start:end], other[follows]
        one, other, start, follows = other, one, follows, end
