"""A plan of flags and barriers, and the check that it orders every dependence of a kernel's traces."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from xdsl.ir import Operation, SSAValue

from ...dialects import ascend
from ...dialects.target_types import PIPES
from ..analysis.trace_steps import Access, Instance
from ..analysis.tracer import Tracer

ALL = len(PIPES)
"""In the place of a pipe: a barrier of every pipe."""


@dataclass(frozen=True, eq=False)
class Flag:
    """`set` goes after `after`, `wait` before `before`, both in one block. With `slot`, slot values choose among
    `count` event ids. A carried flag is primed before `loop` and drained after it."""

    source: int
    destination: int
    after: Operation
    before: Operation
    loop: Operation | None
    slot: SSAValue | None
    count: int
    set_slot: SSAValue | None = None
    """What chooses the id of the set, where it is not `slot`: the generation before, in a pipeline of two tiles."""
    behind: bool = False
    """The wait goes directly after `before`: it serves only the sets that follow."""
    ahead: bool = False
    """The set goes directly ahead of `after`: it tells only that what stands before is over, waits included."""

    @property
    def slot_of_set(self) -> SSAValue | None:
        return self.set_slot or self.slot

    def covering(self, other: "Flag", order: Mapping[Operation, int]) -> "Flag":
        """One flag in the place of both, with the slots of this one: set behind the later source, waited for ahead of
        the earlier destination. Both go from one block to one block."""
        after = max(self.after, other.after, key=order.__getitem__)
        before = min(self.before, other.before, key=order.__getitem__)
        return replace(self, after=after, before=before)

    def key(self) -> tuple[object, ...]:
        return (self.source, self.destination, self.after, self.before, self.slot, self.loop is not None)


@dataclass(frozen=True, eq=False)
class Barrier:
    """`pipe_barrier` before an op, of a pipe or of all (`ALL`)."""

    pipe: int
    before: Operation


@dataclass(frozen=True)
class SyncPlan:
    """What `ascend-insert-sync` inserts. `events[i]` is the first event id of `flags[i]`."""

    flags: tuple[Flag, ...]
    barriers: tuple[Barrier, ...]
    events: tuple[int, ...] = ()


@dataclass
class _State:
    """Flags in flight and what each pipe knows to be complete, at one point of the trace."""

    known: list[list[int]] = field(default_factory=lambda: [[0] * (2 * len(PIPES)) for _ in PIPES])
    done: list[int] = field(default_factory=lambda: [0] * len(PIPES))
    waits: list[int] = field(default_factory=lambda: [0] * len(PIPES))
    up: dict[tuple[int, int, int], list[int]] = field(default_factory=dict[tuple[int, int, int], list[int]])
    taken: dict[tuple[int, int, int], int] = field(default_factory=dict[tuple[int, int, int], int])

    def finish(self, barrier: int) -> None:
        """A barrier of one pipe, or of all."""
        width = len(PIPES)
        if barrier == ALL:
            for known in self.known:
                known[:] = [*self.done, *self.waits]
        else:
            self.known[barrier][barrier] = self.done[barrier]
            self.known[barrier][width + barrier] = self.waits[barrier]


_UNSHARED = 1 << 10

_Step = tuple[str, int, int, Instance | None, Operation]

Missing = tuple[Instance, int]
"""An instruction, and a pipe that it depends on but is not ordered after."""


class Schedule:
    """Checks a set of flags and barriers against a trace."""

    def __init__(self, traces: Sequence[Tracer]):
        self.traces = traces
        self.steps = [
            [(step.kind, id(step.op), step.slot, step.instance, step.op) for step in trace.steps]
            for trace in traces
        ]
        """What a check walks over and over: an op by its `id`, which is cheap to look up."""
        self.unanswered: Flag | None = None
        """The flag that failed the last check because its source, when it sets it again, does not know that it was
        taken."""

    def check(
        self,
        flags: Iterable[Flag],
        barriers: Iterable[Barrier],
        missing: list[Missing] | None = None,
        events: dict[Flag, int] | None = None,
        apart: Collection[tuple[int, int]] = (),
    ) -> bool:
        """Whether every dependence is ordered and every flag alternates between set and wait.

        With `missing`, unordered dependences inside a pipe, and of the pairs of pipes in `apart`, are collected, not
        failed. Flags with an entry in `events` use those event ids, which they may share; every other flag has ids of
        its own.
        """
        self.unanswered = None
        return all(self._check(steps, flags, barriers, missing, events, apart, None) for steps in self.steps)

    def redundant_slots(
        self, flags: Collection[Flag], barriers: Collection[Barrier]
    ) -> list[ascend.BufferOp]:
        """Buffers, in the order of their first use, that one slot would do for: the plan orders all that it needs."""
        seen: dict[ascend.BufferOp, None] = {}
        needed: set[ascend.BufferOp] = set()
        for trace, steps in zip(self.traces, self.steps, strict=True):
            apart = _between_slots(trace)
            seen |= dict.fromkeys(buffer for wishes in apart.values() for buffer, _, _ in wishes)

            def probe(
                instance: Instance, known: Sequence[int], apart: dict[int, list[_Wish]] = apart
            ) -> None:
                wishes = apart.get(id(instance), ())
                needed.update(buffer for buffer, pipe, least in wishes if known[pipe] < least)

            self._check(steps, flags, barriers, None, None, (), probe)
        return [buffer for buffer in seen if buffer not in needed]

    def _check(
        self,
        steps: Sequence[_Step],
        flags: Iterable[Flag],
        barriers: Iterable[Barrier],
        missing: list[Missing] | None,
        events: dict[Flag, int] | None,
        apart: Collection[tuple[int, int]],
        probe: Callable[[Instance, Sequence[int]], None] | None,
    ) -> bool:
        """`check` for one trace. `probe` is told of every instruction, with how far its pipe knows the others."""
        ids = events or {}
        before: dict[int, list[Flag | Barrier]] = {}
        behind: dict[int, list[Flag | Barrier]] = {}
        after: dict[int, list[Flag]] = {}
        ahead: dict[int, list[Flag]] = {}
        primes: dict[int, list[tuple[int, Flag]]] = {}
        numbered = list(enumerate(flags))
        for barrier in barriers:
            before.setdefault(id(barrier.before), []).append(barrier)
        number: dict[Flag, int] = {}
        for position, flag in numbered:
            index = ids.get(flag, _UNSHARED * (position + 1))
            number[flag] = index
            (behind if flag.behind else before).setdefault(id(flag.before), []).append(flag)
            (ahead if flag.ahead else after).setdefault(id(flag.after), []).append(flag)
            if flag.loop is not None:
                primes.setdefault(id(flag.loop), []).append((index, flag))
        state = _State()
        slots: dict[SSAValue, int] = {}
        width = len(PIPES)
        stopped, changed = {*behind, *after, *ahead, *primes}, before.keys()

        def raise_flag(index: int, event: int, flag: Flag) -> bool:
            key = flag.source, flag.destination, index + event
            known = state.known[flag.source]
            if key in state.up:
                return False
            if known[width + flag.destination] < state.taken.get(key, 0):
                self.unanswered = flag
                return False
            stamp = known.copy()
            stamp[flag.source] = state.done[flag.source]
            stamp[width + flag.source] = state.waits[flag.source]
            state.up[key] = stamp
            return True

        def take(index: int, event: int, flag: Flag) -> bool:
            key = flag.source, flag.destination, index + event
            stamp = state.up.pop(key, None)
            if stamp is None:
                return False
            pipe = flag.destination
            state.known[pipe] = [a if a > b else b for a, b in zip(state.known[pipe], stamp, strict=True)]
            state.waits[pipe] += 1
            state.taken[key] = state.waits[pipe]
            return True

        for kind, op, chosen, instance, source in steps:
            if kind == "slot":
                slots[source.results[0]] = chosen
                continue
            if instance is None and op not in stopped and op not in changed:
                continue
            if kind != "exit":
                for item in before.get(op, ()):
                    if isinstance(item, Barrier):
                        state.finish(item.pipe)
                    elif not take(number[item], _slot_value(slots, item.slot), item):
                        return False
                for flag in ahead.get(op, ()):
                    if not raise_flag(number[flag], _slot_value(slots, flag.slot_of_set), flag):
                        return False
            if kind == "enter":
                for index, flag in primes.get(op, ()):
                    for event in range(flag.count):
                        if not raise_flag(index, event, flag):
                            return False
                continue
            if instance is not None:
                known = state.known[instance.pipe]
                if probe is not None:
                    probe(instance, known)
                for pipe, least in instance.requires.items():
                    if known[pipe] < least:
                        same = pipe == instance.pipe
                        if missing is None or not (same or (pipe, instance.pipe) in apart):
                            return False
                        missing.append((instance, pipe))
                        state.finish(pipe if same else ALL)
                state.done[instance.pipe] = instance.number
            if kind == "exit":
                for index, flag in primes.get(op, ()):
                    for event in range(flag.count):
                        if not take(index, event, flag):
                            return False
            for item in behind.get(op, ()):
                assert isinstance(item, Flag)
                if not take(number[item], _slot_value(slots, item.slot), item):
                    return False
            for flag in after.get(op, ()):
                if not raise_flag(number[flag], _slot_value(slots, flag.slot_of_set), flag):
                    return False
        return not state.up


def _slot_value(slots: dict[SSAValue, int], slot: SSAValue | None) -> int:
    return 0 if slot is None else slots[slot]


_Wish = tuple[ascend.BufferOp, int, int]
"""That the first so many instructions of a pipe be complete, for the sake of a buffer's slots."""


def _between_slots(trace: Tracer) -> dict[int, list[_Wish]]:
    """By the id of an instruction's instance, what it would have to wait for if its buffers had one slot each."""
    history: dict[Operation, list[list[tuple[Instance, Access]]]] = {}
    found: dict[int, list[_Wish]] = {}
    for instance in trace.instances:
        for access in instance.accesses:
            buffer = access.buffer
            if not isinstance(buffer, ascend.BufferOp) or buffer.slot_count == 1:
                continue
            for pipe, past in enumerate(history.setdefault(buffer, [[] for _ in PIPES])):
                for other, theirs in reversed(past):
                    if (
                        theirs.index == access.index
                        or not (theirs.write or access.write)
                        or other is instance
                    ):
                        continue
                    if theirs.elsewhere(access.index) & access.mask:
                        found.setdefault(id(instance), []).append((buffer, pipe, other.number))
                        break
        for access in instance.accesses:
            if access.buffer is not None and access.buffer in history:
                history[access.buffer][instance.pipe].append((instance, access))
    return found
