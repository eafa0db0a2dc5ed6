"""A plan of flags and barriers, and the check that it orders every dependence of a kernel's traces."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

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

_PAIR = 1 << 40
"""More than any event id: the ids of one pair of pipes lie between two multiples of it."""

_SLOT, _ENTER, _RUN, _EXIT = range(4)

_KINDS = {"slot": _SLOT, "enter": _ENTER, "run": _RUN, "exit": _EXIT}

_Step = tuple[int, int, int, Instance | None, SSAValue | None]
"""What a check walks over and over: a kind, an op by its `id`, which is cheap to look up, and what a slot is now."""

Missing = tuple[Instance, int]
"""An instruction, and a pipe that it depends on but is not ordered after."""

Probe = Callable[[Instance, Sequence[int]], None]
"""Is told of every instruction, with how far its pipe knows the others."""

_BARRIER, _WAIT, _SET = range(3)

_Act = tuple[int, int, int, int, SSAValue | None, Flag | None]
"""What is done at a place: its kind, the source pipe (of a barrier its pipe), the destination, the event by pair and
id, the slot that is added to it, and the flag."""


def _at(flag: Flag, event: int, kind: int) -> _Act:
    """The wait or the set of a flag whose first event id is `event`."""
    slot = flag.slot if kind == _WAIT else flag.slot_of_set
    pair = flag.source * len(PIPES) + flag.destination
    return kind, flag.source, flag.destination, pair * _PAIR + event, slot, flag


class _Places:
    """What the flags and barriers of a plan do at their places, by the `id` of the op. Event ids in `events` are given,
    and may be shared; every other flag has ids of its own."""

    def __init__(self, flags: Iterable[Flag], barriers: Iterable[Barrier], events: Mapping[Flag, int]):
        self.entered: dict[int, list[_Act]] = {}
        """In front of an op: barriers and waits, then sets that tell of what is before it."""
        self.left: dict[int, list[_Act]] = {}
        """Behind an op: waits that serve what follows, then sets."""
        self.primed: dict[int, list[_Act]] = {}
        """Carried flags, by their loop: set before it."""
        self.drained: dict[int, list[_Act]] = {}
        """And waited for after it."""
        ahead: list[tuple[int, _Act]] = []
        after: list[tuple[int, _Act]] = []
        for barrier in barriers:
            act = _BARRIER, barrier.pipe, 0, 0, None, None
            self.entered.setdefault(id(barrier.before), []).append(act)
        for position, flag in enumerate(flags):
            number = events.get(flag, _UNSHARED * (position + 1))
            waits = self.left if flag.behind else self.entered
            waits.setdefault(id(flag.before), []).append(_at(flag, number, _WAIT))
            (ahead if flag.ahead else after).append((id(flag.after), _at(flag, number, _SET)))
            if flag.loop is not None:
                for kind, acts in ((_SET, self.primed), (_WAIT, self.drained)):
                    acts.setdefault(id(flag.loop), []).extend(
                        (*_at(flag, number + i, kind)[:4], None, flag) for i in range(flag.count)
                    )
        for op, act in ahead:
            self.entered.setdefault(op, []).append(act)
        for op, act in after:
            self.left.setdefault(op, []).append(act)
        self.all = {*self.entered, *self.left, *self.primed}


class _Walk:
    """A walk over one trace, with flags and barriers at their places; each step says whether all is well with it."""

    def __init__(
        self,
        places: _Places,
        missing: list[Missing] | None,
        apart: Collection[tuple[int, int]],
        probe: Probe | None,
    ):
        self.places, self.missing, self.apart, self.probe = places, missing, apart, probe
        width = len(PIPES)
        self._known = [[0] * (2 * width) for _ in PIPES]
        """For each pipe, how many instructions of each other one it knows to be complete, then how many waits."""
        self._done, self._waits = [0] * width, [0] * width
        self._up: dict[int, list[int]] = {}
        """Events that are up, with what their source knew."""
        self._taken: dict[int, int] = {}
        self._slots: dict[SSAValue | None, int] = {None: 0}
        """What slot values are."""
        self.unanswered: Flag | None = None
        """The flag that was raised though its source does not know that it was taken."""

    def run(self, steps: Sequence[_Step]) -> bool:
        """Whether all of the trace is in order."""
        places, slots, does = self.places, self._slots, self._does
        relevant, entered, left = places.all, places.entered, places.left
        for kind, op, chosen, instance, slot in steps:
            if kind == _SLOT:
                slots[slot] = chosen
                continue
            if instance is None and op not in relevant:
                continue
            if kind != _EXIT and op in entered and not does(entered[op]):
                return False
            if kind == _ENTER:
                if op in places.primed and not does(places.primed[op]):
                    return False
                continue
            if instance is not None:
                if not self._issue(instance):
                    return False
            elif op in places.drained and not does(places.drained[op]):
                return False
            if op in left and not does(left[op]):
                return False
        return not self._up

    def _does(self, acts: Sequence[_Act]) -> bool:
        """Barriers, waits and sets, one after the other: false where a wait is for what is not up, or a set of what
        is up already, or may be for all that its source knows."""
        everything, up, waits, slots, width = self._known, self._up, self._waits, self._slots, len(PIPES)
        for kind, source, destination, event, slot, flag in acts:
            if kind == _BARRIER:
                self._finish(source)
                continue
            key = event + slots[slot]
            if kind == _WAIT:
                stamp = up.pop(key, None)
                if stamp is None:
                    return False
                known = everything[destination]
                everything[destination] = [a if a > b else b for a, b in zip(known, stamp, strict=True)]
                waits[destination] += 1
                self._taken[key] = waits[destination]
                continue
            if key in up:
                return False
            known = everything[source]
            if known[width + destination] < self._taken.get(key, 0):
                self.unanswered = flag
                return False
            up[key] = stamp = known.copy()
            stamp[source], stamp[width + source] = self._done[source], waits[source]
        return True

    def _finish(self, barrier: int) -> None:
        """A barrier of one pipe, or of all."""
        width = len(PIPES)
        if barrier == ALL:
            self._known[:] = [[*self._done, *self._waits] for _ in PIPES]
        else:
            self._known[barrier][barrier] = self._done[barrier]
            self._known[barrier][width + barrier] = self._waits[barrier]

    def _issue(self, instance: Instance) -> bool:
        """An instruction: whether its pipe knows all that it depends on to be complete."""
        ours = instance.pipe
        known = self._known[ours]
        if self.probe is not None:
            self.probe(instance, known)
        for pipe, least in instance.requires.items():
            if known[pipe] < least:
                same = pipe == ours
                if self.missing is None or not (same or (pipe, ours) in self.apart):
                    return False
                self.missing.append((instance, pipe))
                self._finish(pipe if same else ALL)
                known = self._known[ours]
        self._done[ours] = instance.number
        return True


class Schedule:
    """Checks a set of flags and barriers against a trace."""

    def __init__(self, traces: Sequence[Tracer]):
        self.traces = traces
        self.steps = [
            [
                (
                    _KINDS[step.kind],
                    id(step.op),
                    step.slot,
                    step.instance,
                    step.op.results[0] if step.kind == "slot" else None,
                )
                for step in trace.steps
            ]
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
                self.unanswered = walk.unanswered
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
