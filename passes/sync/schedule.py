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


_UNSHARED = 1 << 10
"""More ids than a flag has."""

_Step = tuple[str, int, int, Instance | None, Operation]
"""What a check walks over and over: an op by its `id`, which is cheap to look up."""

Missing = tuple[Instance, int]
"""An instruction, and a pipe that it depends on but is not ordered after."""

Probe = Callable[[Instance, Sequence[int]], None]
"""Is told of every instruction, with how far its pipe knows the others."""


@dataclass
class _State:
    """Flags in flight and what each pipe knows to be complete, at one point of the trace."""

    known: list[list[int]] = field(default_factory=lambda: [[0] * (2 * len(PIPES)) for _ in PIPES])
    done: list[int] = field(default_factory=lambda: [0] * len(PIPES))
    waits: list[int] = field(default_factory=lambda: [0] * len(PIPES))
    up: dict[tuple[int, int, int], list[int]] = field(default_factory=dict[tuple[int, int, int], list[int]])
    taken: dict[tuple[int, int, int], int] = field(default_factory=dict[tuple[int, int, int], int])
    slots: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    """What slot values are."""
    unanswered: Flag | None = None
    """The flag that was raised though its source does not know that it was taken."""

    def finish(self, barrier: int) -> None:
        """A barrier of one pipe, or of all."""
        width = len(PIPES)
        if barrier == ALL:
            for known in self.known:
                known[:] = [*self.done, *self.waits]
        else:
            self.known[barrier][barrier] = self.done[barrier]
            self.known[barrier][width + barrier] = self.waits[barrier]

    def slot(self, value: SSAValue | None) -> int:
        return 0 if value is None else self.slots[value]

    def set_flag(self, flag: Flag, event: int) -> bool:
        """A set of event id `event`; False if it is up already, or may be for all that its source knows."""
        key = flag.source, flag.destination, event
        known, width = self.known[flag.source], len(PIPES)
        if key in self.up:
            return False
        if known[width + flag.destination] < self.taken.get(key, 0):
            self.unanswered = flag
            return False
        stamp = known.copy()
        stamp[flag.source] = self.done[flag.source]
        stamp[width + flag.source] = self.waits[flag.source]
        self.up[key] = stamp
        return True

    def wait_flag(self, flag: Flag, event: int) -> bool:
        """A wait for event id `event`; False if it is not up."""
        key = flag.source, flag.destination, event
        stamp = self.up.pop(key, None)
        if stamp is None:
            return False
        pipe = flag.destination
        self.known[pipe] = [a if a > b else b for a, b in zip(self.known[pipe], stamp, strict=True)]
        self.waits[pipe] += 1
        self.taken[key] = self.waits[pipe]
        return True


class _Places:
    """Where the flags and barriers of a plan stand, by the `id` of the op. Event ids in `events` are given, and may be
    shared; every other flag has ids of its own, from its `number` on."""

    def __init__(self, flags: Iterable[Flag], barriers: Iterable[Barrier], events: Mapping[Flag, int]):
        self.before: dict[int, list[Flag | Barrier]] = {}
        self.behind: dict[int, list[Flag]] = {}
        self.after: dict[int, list[Flag]] = {}
        self.ahead: dict[int, list[Flag]] = {}
        self.loops: dict[int, list[Flag]] = {}
        """Carried flags, by their loop."""
        self.number: dict[Flag, int] = {}
        for barrier in barriers:
            self.before.setdefault(id(barrier.before), []).append(barrier)
        for position, flag in enumerate(flags):
            self.number[flag] = events.get(flag, _UNSHARED * (position + 1))
            if flag.behind:
                self.behind.setdefault(id(flag.before), []).append(flag)
            else:
                self.before.setdefault(id(flag.before), []).append(flag)
            (self.ahead if flag.ahead else self.after).setdefault(id(flag.after), []).append(flag)
            if flag.loop is not None:
                self.loops.setdefault(id(flag.loop), []).append(flag)
        self.entered = {*self.before, *self.ahead}
        """Ops that something stands in front of."""
        self.left = {*self.behind, *self.after}
        """Ops that something stands behind."""
        self.all = {*self.entered, *self.left, *self.loops}


@dataclass
class _Walk:
    """A walk over one trace, with flags and barriers at their places; each step says whether all is well with it."""

    places: _Places
    missing: list[Missing] | None
    apart: Collection[tuple[int, int]]
    probe: Probe | None
    state: _State = field(default_factory=_State)

    def run(self, steps: Sequence[_Step]) -> bool:
        """Whether all of the trace is in order."""
        state, places = self.state, self.places
        for kind, op, chosen, instance, source in steps:
            if kind == "slot":
                state.slots[source.results[0]] = chosen
                continue
            if instance is None and op not in places.all:
                continue
            if kind != "exit" and op in places.entered and not self._enter(op):
                return False
            if kind == "enter":
                if not self._each_event(op, state.set_flag):
                    return False
                continue
            if instance is not None and not self._issue(instance):
                return False
            if kind == "exit" and not self._each_event(op, state.wait_flag):
                return False
            if op in places.left and not self._leave(op):
                return False
        return not state.up

    def _enter(self, op: int) -> bool:
        """What stands in front of an op: barriers and waits, then sets that tell of what is before it."""
        state, number = self.state, self.places.number
        for item in self.places.before.get(op, ()):
            if isinstance(item, Barrier):
                state.finish(item.pipe)
            elif not state.wait_flag(item, number[item] + state.slot(item.slot)):
                return False
        return all(
            state.set_flag(flag, number[flag] + state.slot(flag.slot_of_set))
            for flag in self.places.ahead.get(op, ())
        )

    def _leave(self, op: int) -> bool:
        """What stands behind an op: waits that serve what follows, then sets."""
        state, number = self.state, self.places.number
        return all(
            state.wait_flag(flag, number[flag] + state.slot(flag.slot))
            for flag in self.places.behind.get(op, ())
        ) and all(
            state.set_flag(flag, number[flag] + state.slot(flag.slot_of_set))
            for flag in self.places.after.get(op, ())
        )

    def _each_event(self, loop: int, does: Callable[[Flag, int], bool]) -> bool:
        """Carried flags of a loop are primed before it and drained after it."""
        number = self.places.number
        return all(
            does(flag, number[flag] + event)
            for flag in self.places.loops.get(loop, ())
            for event in range(flag.count)
        )

    def _issue(self, instance: Instance) -> bool:
        """An instruction: whether its pipe knows all that it depends on to be complete."""
        state = self.state
        known = state.known[instance.pipe]
        if self.probe is not None:
            self.probe(instance, known)
        for pipe, least in instance.requires.items():
            if known[pipe] < least:
                same = pipe == instance.pipe
                if self.missing is None or not (same or (pipe, instance.pipe) in self.apart):
                    return False
                self.missing.append((instance, pipe))
                state.finish(pipe if same else ALL)
        state.done[instance.pipe] = instance.number
        return True


class Schedule:
    """Checks a set of flags and barriers against a trace."""

    def __init__(self, traces: Sequence[Tracer]):
        self.traces = traces
        self.steps = [
            [(step.kind, id(step.op), step.slot, step.instance, step.op) for step in trace.steps]
            for trace in traces
        ]
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
        places = _Places(flags, barriers, events or {})
        for steps in self.steps:
            walk = _Walk(places, missing, apart, None)
            if not walk.run(steps):
                self.unanswered = walk.state.unanswered
                return False
        return True

    def redundant_slots(
        self, flags: Collection[Flag], barriers: Collection[Barrier]
    ) -> list[ascend.BufferOp]:
        """Buffers, in the order of their first use, that one slot would do for: the plan orders all that it needs."""
        seen: dict[ascend.BufferOp, None] = {}
        needed: set[ascend.BufferOp] = set()
        places = _Places(flags, barriers, {})
        for trace, steps in zip(self.traces, self.steps, strict=True):
            apart = _between_slots(trace)
            seen |= dict.fromkeys(buffer for wishes in apart.values() for buffer, _, _ in wishes)

            def probe(
                instance: Instance, known: Sequence[int], apart: dict[int, list[_Wish]] = apart
            ) -> None:
                wishes = apart.get(id(instance), ())
                needed.update(buffer for buffer, pipe, least in wishes if known[pipe] < least)

            _Walk(places, None, (), probe).run(steps)
        return [buffer for buffer in seen if buffer not in needed]


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
