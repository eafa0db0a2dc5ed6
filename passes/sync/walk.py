"""A walk over a trace with flags and barriers at their places: whether they order all that its instructions require.

Most steps of a trace change nothing that a plan can be wrong about. Of those, the walk looks at none: at instructions
whose requirements an earlier one of their pipe has had, at loops and conditions without a flag.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from xdsl.ir import SSAValue

from ...dialects.target_types import PIPES
from ..analysis.trace_steps import Instance
from ..analysis.tracer import Tracer
from .flags import ALL, Barrier, Flag

UNSHARED = 1 << 10
"""More ids than a flag has."""

_PAIR = 1 << 40
"""More than any event id: the ids of one pair of pipes lie between two multiples of it."""

SLOT, ENTER, RUN, EXIT = range(4)

_KINDS = {"slot": SLOT, "enter": ENTER, "run": RUN, "exit": EXIT}

_WIDTH = len(PIPES)

Missing = tuple[Instance, int]
"""An instruction, and a pipe that it depends on but is not ordered after."""

Probe = Callable[[Instance, Sequence[int]], None]
"""Is told of every instruction, with how far its pipe knows the others."""

Done = tuple[int, ...]
"""How many instructions of each pipe have been issued."""


class Row(NamedTuple):
    """What a walk needs to know of a step, by the `id` of its op, which is cheap to look up. `needs`: pipes, and how
    many of their instructions must be complete, as far as no earlier instruction of the pipe asked for as many."""

    needs: tuple[tuple[int, int], ...]
    op: int
    kind: int
    chosen: int
    slot: SSAValue | None
    instance: Instance | None
    before: Done
    after: Done


def rows_of(trace: Tracer) -> list[Row]:
    """The rows of a trace's steps."""
    asked = [[0] * _WIDTH for _ in PIPES]
    done = (0,) * _WIDTH
    found: list[Row] = []
    for step in trace.steps:
        instance, needs, before = step.instance, (), done
        if instance is not None:
            ours = instance.pipe
            known = asked[ours]
            needs = tuple((pipe, least) for pipe, least in instance.requires.items() if known[pipe] < least)
            for pipe, least in needs:
                known[pipe] = least
            done = (*done[:ours], instance.number, *done[ours + 1 :])
        slot = step.op.results[0] if step.kind == "slot" else None
        found.append(Row(needs, id(step.op), _KINDS[step.kind], step.slot, slot, instance, before, done))
    return found


BARRIER, WAIT, SET = range(3)

Act = tuple[int, int, int, int, SSAValue | None, Flag | Barrier]
"""What is done at a place: its kind, the source pipe (of a barrier its pipe), the destination, the event by pair and
id, the slot that is added to it, and the flag or the barrier."""


def _at(flag: Flag, event: int, kind: int) -> Act:
    """The wait or the set of a flag whose first event id is `event`."""
    slot = flag.slot if kind == WAIT else flag.slot_of_set
    pair = flag.source * _WIDTH + flag.destination
    return kind, flag.source, flag.destination, pair * _PAIR + event, slot, flag


class Places:
    """What the flags and barriers of a plan do at their places, by the `id` of the op. Event ids in `events` are given,
    and may be shared; every other flag has ids of its own."""

    def __init__(self, flags: Iterable[Flag], barriers: Iterable[Barrier], events: Mapping[Flag, int]):
        self.entered: dict[int, list[Act]] = {}
        """In front of an op: barriers and waits, then sets that tell of what is before it, then early primes."""
        self.left: dict[int, list[Act]] = {}
        """Behind an op: waits that serve what follows, then sets, then drains that are late."""
        self.primed: dict[int, list[Act]] = {}
        """Carried flags, by their loop: set before it, where that is not early."""
        self.drained: dict[int, list[Act]] = {}
        """And waited for after it, where that is not late."""
        self.relevant = set[int]()
        """All ops at which something is done, and those that choose a slot for it."""
        ahead: list[tuple[int, Act]] = []
        after: list[tuple[int, Act]] = []
        early: list[tuple[int, Act]] = []
        late: list[tuple[int, Act]] = []
        for barrier in barriers:
            act = BARRIER, barrier.pipe, 0, 0, None, barrier
            self.entered.setdefault(id(barrier.before), []).append(act)
        for position, flag in enumerate(flags):
            number = events.get(flag, UNSHARED * (position + 1))
            waits = self.left if flag.behind else self.entered
            waits.setdefault(id(flag.before), []).append(_at(flag, number, WAIT))
            (ahead if flag.ahead else after).append((id(flag.after), _at(flag, number, SET)))
            self.relevant.update(id(slot.owner) for slot in (flag.slot, flag.slot_of_set) if slot is not None)
            if flag.loop is not None:
                for i in range(flag.count):
                    prime, drain = ((*_at(flag, number + i, kind)[:4], None, flag) for kind in (SET, WAIT))
                    if flag.prime is None:
                        self.primed.setdefault(id(flag.loop), []).append(prime)
                    else:
                        early.append((id(flag.prime), prime))
                    if flag.drain is None:
                        self.drained.setdefault(id(flag.loop), []).append(drain)
                    else:
                        late.append((id(flag.drain), drain))
        for op, act in (*ahead, *early):
            self.entered.setdefault(op, []).append(act)
        for op, act in (*after, *late):
            self.left.setdefault(op, []).append(act)
        self.relevant.update(self.entered, self.left, self.primed)


class Walk:
    """A walk over one trace, with flags and barriers at their places; each step says whether all is well with it."""

    def __init__(
        self,
        places: Places,
        missing: list[Missing] | None = None,
        apart: Collection[tuple[int, int]] = (),
        probe: Probe | None = None,
    ):
        self.places, self.missing, self.apart, self.probe = places, missing, apart, probe
        self._known = [[0] * (2 * _WIDTH) for _ in PIPES]
        """For each pipe, how many instructions of each other one it knows to be complete, then how many waits."""
        self._waits = [0] * _WIDTH
        self._up: dict[int, list[int]] = {}
        """Events that are up, with what their source knew."""
        self._taken: dict[int, int] = {}
        self._slots: dict[SSAValue | None, int] = {None: 0}
        """What slot values are."""
        self.unanswered: Flag | None = None
        """The flag that was raised though its source does not know that it was taken."""

    def run(self, rows: Iterable[Row]) -> bool:
        """Whether all of the trace is in order."""
        places, slots, does, known, probe = self.places, self._slots, self._does, self._known, self.probe
        relevant, entered, left = places.relevant, places.entered, places.left
        if probe is None:
            rows = [row for row in rows if row[0] or row[1] in relevant]
        for needs, op, kind, chosen, slot, instance, before, after in rows:
            if kind == SLOT:
                slots[slot] = chosen
                continue
            if kind != EXIT and op in entered and not does(entered[op], before):
                return False
            if kind == ENTER:
                if op in places.primed and not does(places.primed[op], before):
                    return False
                continue
            if instance is not None:
                if probe is not None:
                    probe(instance, known[instance.pipe])
                for pipe, least in needs:
                    if known[instance.pipe][pipe] < least and not self._lacks(instance, pipe, before):
                        return False
            elif op in places.drained and not does(places.drained[op], after):
                return False
            if op in left and not does(left[op], after):
                return False
        return not self._up

    def _does(self, acts: Sequence[Act], done: Done) -> bool:
        """Barriers, waits and sets, one after the other: false where a wait is for what is not up, or a set of what
        is up already, or may be for all that its source knows."""
        everything, up, waits, slots = self._known, self._up, self._waits, self._slots
        for kind, source, destination, event, slot, flag in acts:
            if kind == BARRIER:
                self._finish(source, done)
                continue
            key = event + slots[slot]
            if kind == WAIT:
                stamp = up.pop(key, None)
                if stamp is None:
                    return False
                known = everything[destination]
                # who knows of as many waits of the source knows all that it learned by them
                if known[source] < stamp[source] or known[_WIDTH + source] < stamp[_WIDTH + source]:
                    everything[destination] = [a if a > b else b for a, b in zip(known, stamp, strict=True)]
                waits[destination] += 1
                self._taken[key] = waits[destination]
                continue
            if key in up:
                return False
            known = everything[source]
            if known[_WIDTH + destination] < self._taken.get(key, 0):
                assert isinstance(flag, Flag)
                self.unanswered = flag
                return False
            up[key] = stamp = known.copy()
            stamp[source], stamp[_WIDTH + source] = done[source], waits[source]
        return True

    def _finish(self, barrier: int, done: Done) -> None:
        """A barrier of one pipe, or of all."""
        if barrier == ALL:
            self._known[:] = [[*done, *self._waits] for _ in PIPES]
        else:
            self._known[barrier][barrier] = done[barrier]
            self._known[barrier][_WIDTH + barrier] = self._waits[barrier]

    def _lacks(self, instance: Instance, pipe: int, done: Done) -> bool:
        """An instruction whose pipe does not know that what it depends on is complete: whether that is no failure, as
        it is collected, and a barrier stands for what is missing."""
        same = pipe == instance.pipe
        if self.missing is None or not (same or (pipe, instance.pipe) in self.apart):
            return False
        self.missing.append((instance, pipe))
        self._finish(pipe if same else ALL, done)
        return True
