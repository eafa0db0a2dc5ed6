"""What it costs when two buffers share bytes: how long pipes would wait for each other.

The kernel is traced with every buffer at bytes of its own, and its instructions put on a timeline. Where two buffers
shared bytes, the first instruction that touches the one could start when all that touched the other before are through;
what that is later than it must start for the program to be through in time, times the trips of its loops that the trace
left out, is what the pair costs. A pair for which nothing is late still takes a flag where pipes differ.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.ir import Operation

from ..dialects import ascend
from ..dialects.target import Target
from .buffer_usage import Usage
from .dependences import find_requirements
from .pipe_timeline import Span, timeline
from .program_trace import Tracer
from .size_traces import telling_sizes

FLAG = 50
"""What a flag more counts, in the cycles that one takes to set: its own time is little, but event ids are few, and
pipes whose ids run out are serialised. On one-kernel attention, 50 is best on four chips (100 costs 1 % on one of them,
8 costs 15 % on another)."""


@dataclass(frozen=True, slots=True)
class _Touch:
    """An access to a buffer: its place in the trace, the latest start of the instruction, when it is through, its pipe,
    whether it writes, and how often the program does it for each time in the trace."""

    at: int
    latest: float
    visible: float
    pipe: int
    writes: bool
    times: float


class SharingCosts:
    """Cycles that pairs of a kernel's buffers would cost if they shared bytes."""

    def __init__(self, kernel: ascend.KernelOp, usages: Sequence[Usage], target: Target):
        slots = max((u.buffer.slot_count for u in usages), default=1)
        size = telling_sizes(kernel, slots + 1)[-1]
        addresses = _side_by_side(usages, target)
        trace = Tracer(kernel, target, slots + 1, numbers=size.numbers, addresses=addresses).walk()
        find_requirements(trace)
        self._flag = FLAG * target.scalar.flag
        self._ordered = target.sync.ordered_pipe
        self._touches = _touches(trace, timeline(trace, size.blocks))
        self._known: dict[frozenset[Operation], float] = {}

    def of(self, first: ascend.BufferOp, second: ascend.BufferOp) -> float:
        """Cycles of one core that the pair would cost, flags weighted."""
        pair = frozenset[Operation]((first, second))
        if pair not in self._known:
            self._known[pair] = self._cost(self._touches.get(first, ()), self._touches.get(second, ()))
        return self._known[pair]

    def _cost(self, first: Sequence[_Touch], second: Sequence[_Touch]) -> float:
        total = 0.0
        for past, touch in _changes(first, second):
            past = [p for p in past if p.at < touch.at]  # not the instruction that writes one over the other
            others = [p for p in past if p.pipe != touch.pipe and not _followed(p, past, touch.pipe)]
            waited = others if self._ordered else past
            late = max((p.visible for p in waited), default=0.0) - touch.latest
            total += touch.times * (max(late, 0.0) + self._flag * bool(others))
        return total


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


def _touches(trace: Tracer, spans: Sequence[Span]) -> dict[Operation, list[_Touch]]:
    """For every buffer its accesses in the order of the trace."""
    trips: dict[Operation, set[int]] = {}
    for instance in trace.instances:
        for loop, trip in instance.loops:
            trips.setdefault(loop, set()).add(trip)
    found: dict[Operation, list[_Touch]] = {}
    for at, (instance, span) in enumerate(zip(trace.instances, spans, strict=True)):
        times = prod(max(trace.longest.get(loop, 1) / len(trips[loop]), 1.0) for loop, _ in instance.loops)
        for buffer in dict.fromkeys(a.buffer for a in instance.accesses if a.buffer is not None):
            writes = any(a.write and a.buffer is buffer for a in instance.accesses)
            found.setdefault(buffer, []).append(
                _Touch(at, span.latest, span.visible, instance.pipe, writes, times)
            )
    return found


def _followed(touch: _Touch, run: Sequence[_Touch], pipe: int) -> bool:
    """Whether a pipe has waited for an access already, because of a later one of its own to the same buffer."""
    return any(o.pipe == pipe and o.at > touch.at and (o.writes or touch.writes) for o in run)


def _changes(first: Sequence[_Touch], second: Sequence[_Touch]) -> Iterator[tuple[list[_Touch], _Touch]]:
    """The accesses with which one of two buffers follows the other, each with the run of the other's before it."""
    merged = sorted([*((t, 0) for t in first), *((t, 1) for t in second)], key=lambda item: item[0].at)
    run: list[_Touch] = []
    last = -1
    for touch, side in merged:
        if side != last:
            if run:
                yield run, touch
            run = []
        run.append(touch)
        last = side
