"""Which flags and barriers a kernel needs: no fewer, no more.

Every dependence of the trace between two pipes becomes a candidate: a flag set after the source and waited for before
the destination, in the innermost block that holds both; one carried by a loop is primed before and drained after it.
Candidates are then dropped one by one as long as the others still order every dependence, and every flag still
alternates between set and wait. What remains inside one pipe becomes a barrier.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

from ..dialects import ascend
from ..dialects.target import PIPES
from .program_trace import Access, Instance, Step, Tracer


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

    @property
    def slot_of_set(self) -> SSAValue | None:
        return self.set_slot or self.slot

    def key(self) -> tuple[object, ...]:
        return (self.source, self.destination, self.after, self.before, self.slot, self.loop is not None)


@dataclass(frozen=True, eq=False)
class Barrier:
    """`pipe_barrier` before an op."""

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


_UNSHARED = 1 << 10


class Schedule:
    """Checks a set of flags and barriers against a trace."""

    def __init__(self, traces: Sequence[Tracer]):
        self.traces = traces

    def check(
        self,
        flags: Iterable[Flag],
        barriers: Iterable[Barrier],
        missing: list[Instance] | None = None,
        events: dict[Flag, int] | None = None,
    ) -> bool:
        """Whether every dependence is ordered and every flag alternates between set and wait.

        With `missing`, unordered dependences inside a pipe are collected, not failed. Flags with an entry in `events`
        use those event ids, which they may share; every other flag has ids of its own.
        """
        return all(self._check(t.steps, flags, barriers, missing, events) for t in self.traces)

    def _check(
        self,
        steps: Sequence[Step],
        flags: Iterable[Flag],
        barriers: Iterable[Barrier],
        missing: list[Instance] | None,
        events: dict[Flag, int] | None,
    ) -> bool:
        """`check` for one trace."""
        ids = events or {}
        before: dict[Operation, list[Flag | Barrier]] = {}
        after: dict[Operation, list[Flag]] = {}
        primes: dict[Operation, list[tuple[int, Flag]]] = {}
        numbered = list(enumerate(flags))
        for barrier in barriers:
            before.setdefault(barrier.before, []).append(barrier)
        number: dict[Flag, int] = {}
        for position, flag in numbered:
            index = ids.get(flag, _UNSHARED * (position + 1))
            number[flag] = index
            before.setdefault(flag.before, []).append(flag)
            after.setdefault(flag.after, []).append(flag)
            if flag.loop is not None:
                primes.setdefault(flag.loop, []).append((index, flag))
        state = _State()
        slots: dict[SSAValue, int] = {}
        width = len(PIPES)

        def raise_flag(index: int, event: int, flag: Flag) -> bool:
            key = flag.source, flag.destination, index + event
            known = state.known[flag.source]
            if key in state.up or known[width + flag.destination] < state.taken.get(key, 0):
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

        for step in steps:
            op = step.op
            if step.kind == "slot":
                slots[op.results[0]] = step.slot
                continue
            if step.kind != "exit":
                for item in before.get(op, ()):
                    if isinstance(item, Barrier):
                        state.known[item.pipe][item.pipe] = state.done[item.pipe]
                        state.known[item.pipe][width + item.pipe] = state.waits[item.pipe]
                    elif not take(number[item], _slot_value(slots, item.slot), item):
                        return False
            if step.kind == "enter":
                for index, flag in primes.get(op, ()):
                    for event in range(flag.count):
                        if not raise_flag(index, event, flag):
                            return False
                continue
            instance = step.instance
            if instance is not None:
                known = state.known[instance.pipe]
                for pipe, least in instance.requires.items():
                    if known[pipe] < least:
                        if missing is None or pipe != instance.pipe:
                            return False
                        missing.append(instance)
                        known[pipe] = state.done[pipe]
                state.done[instance.pipe] = instance.number
            if step.kind == "exit":
                for index, flag in primes.get(op, ()):
                    for event in range(flag.count):
                        if not take(index, event, flag):
                            return False
            for flag in after.get(op, ()):
                if not raise_flag(number[flag], _slot_value(slots, flag.slot_of_set), flag):
                    return False
        return not state.up


def _slot_value(slots: dict[SSAValue, int], slot: SSAValue | None) -> int:
    return 0 if slot is None else slots[slot]


def _ancestor(op: Operation, block: Block) -> Operation:
    """The op of `block` that is or holds `op`."""
    while op.parent is not block:
        parent = op.parent_op()
        assert parent is not None
        op = parent
    return op


def _common(first: Instance, second: Instance) -> tuple[Block, Operation | None]:
    """The block where the two are ordered, and the loop that carries the dependence (None: within one trip)."""
    block = _top(first.op)
    for (loop, i), (other, j) in zip(first.loops, second.loops, strict=False):
        if loop is not other:
            break
        assert isinstance(loop, scf.ForOp)
        block = loop.body.block
        if i != j:
            return _inside_branches(first.op, second.op, block), loop
    return _inside_branches(first.op, second.op, block), None


def _inside_branches(first: Operation, second: Operation, block: Block) -> Block:
    """The innermost block of conditions around both, from `block` inwards."""
    while True:
        holder = _ancestor(first, block)
        if not isinstance(holder, scf.IfOp) or _ancestor(second, block) is not holder:
            return block
        inner = holder.true_region.block
        if not _within(first, inner) or not _within(second, inner):
            return block
        block = inner


def _within(op: Operation, block: Block) -> bool:
    current: Operation | None = op
    while current is not None:
        if current.parent is block:
            return True
        current = current.parent_op()
    return False


def _top(op: Operation) -> Block:
    while not isinstance(op.parent_op(), ascend.KernelOp):
        parent = op.parent_op()
        assert parent is not None
        op = parent
    assert op.parent is not None
    return op.parent


def _slot_of(theirs: Access, ours: Access, block: Block) -> SSAValue | None:
    """The slot value that both sides use, when it is chosen in `block`."""
    if theirs.buffer is not ours.buffer or theirs.slot is None or theirs.slot is not ours.slot:
        return None
    buffer, owner = ours.buffer, theirs.slot.owner
    assert isinstance(buffer, ascend.BufferOp) and isinstance(owner, Operation)
    return theirs.slot if buffer.slot_count > 1 and _chosen_for(owner, block) else None


def _chosen_for(owner: Operation, block: Block) -> bool:
    """Whether a slot chosen by `owner` is one for each run of `block`: nothing but conditions lies between."""
    current: Block | None = block
    while current is not None and current is not owner.parent:
        holder = current.parent_op()
        if not isinstance(holder, scf.IfOp):
            return False
        current = holder.parent
    return current is not None


def _two_slots(theirs: Access, ours: Access, block: Block) -> tuple[SSAValue | None, SSAValue | None]:
    """Slot values of the waiting and of the setting side, both chosen in `block`."""
    buffer = ours.buffer
    if theirs.buffer is not buffer or theirs.slot is None or ours.slot is None:
        return None, None
    assert isinstance(buffer, ascend.BufferOp)
    owners = theirs.slot.owner, ours.slot.owner
    chosen = all(isinstance(o, Operation) and o.parent is block for o in owners)
    return (ours.slot, theirs.slot) if chosen and buffer.slot_count > 1 else (None, None)


def candidates(trace: Tracer) -> list[Flag]:
    """One flag for each static dependence between two pipes."""
    carried: dict[tuple[Operation, Operation], list[tuple[Block, Operation, Access, Access]]] = {}
    found: dict[tuple[object, ...], Flag] = {}

    def add(flag: Flag) -> None:
        found.setdefault(flag.key(), flag)

    ends: dict[tuple[Operation, Operation], tuple[int, int]] = {}
    for instance in trace.instances:
        for pipe, source in instance.sources.items():
            if pipe == instance.pipe:
                continue
            theirs, ours = instance.because[pipe]
            block, loop = _common(source, instance)
            ends[source.op, instance.op] = (pipe, instance.pipe)
            if loop is not None:
                carried.setdefault((source.op, instance.op), []).append((block, loop, theirs, ours))
                continue
            slot = _slot_of(theirs, ours, block)
            count = 1 if slot is None else _slots(ours)
            add(
                Flag(
                    pipe,
                    instance.pipe,
                    _ancestor(source.op, block),
                    _ancestor(instance.op, block),
                    None,
                    slot,
                    count,
                )
            )
    for (source_op, op), edges in carried.items():
        depth = [_depth(loop) for _, loop, _, _ in edges]
        inner = edges[depth.index(max(depth))]
        outer = edges[depth.index(min(depth))]
        block, _, theirs, ours = inner
        slot = _slot_of(theirs, ours, block)
        count = 1 if slot is None else _slots(ours)
        p, q = ends[source_op, op]
        add(Flag(p, q, _ancestor(source_op, block), _ancestor(op, block), outer[1], slot, count))
    return list(found.values())


def _slots(access: Access) -> int:
    assert isinstance(access.buffer, ascend.BufferOp)
    return access.buffer.slot_count


def _depth(op: Operation) -> int:
    depth, parent = 0, op.parent_op()
    while parent is not None:
        depth, parent = depth + 1, parent.parent_op()
    return depth


def across_branches(trace: Tracer) -> list[Flag]:
    """Flags from inside one condition to inside another one of the same loop.

    They let the destination go on as soon as the source is done, where a flag around the conditions waits for all of
    the first. One whose wait is reached before its set is primed and drained around the loop.
    """
    found: dict[tuple[object, ...], Flag] = {}
    first_run: dict[Operation, int] = {}
    for index, step in enumerate(trace.steps):
        first_run.setdefault(step.op, index)
    for instance in trace.instances:
        for pipe, source in instance.sources.items():
            if pipe == instance.pipe:
                continue
            block, carried = _common(source, instance)
            first, second = _ancestor(source.op, block), _ancestor(instance.op, block)
            loop = block.parent_op()
            if first is second or not isinstance(loop, scf.ForOp) or carried not in (None, loop):
                continue
            if not isinstance(first, scf.IfOp) or not isinstance(second, scf.IfOp):
                continue
            after = _ancestor(source.op, first.true_region.block)
            before = _ancestor(instance.op, second.true_region.block)
            theirs, ours = instance.because[pipe]
            wait, set_ = _two_slots(theirs, ours, block)
            count = 1 if wait is None else _slots(ours)
            primed = loop if first_run[before] < first_run[after] else None
            flag = Flag(pipe, instance.pipe, after, before, primed, wait, count, set_)
            found.setdefault(flag.key(), flag)
    return list(found.values())


class SyncError(Exception):
    """The flags that the dependences ask for do not order the program."""


def plan_sync(traces: Sequence[Tracer]) -> SyncPlan:
    """The flags and barriers that order all of a kernel's traces; `SyncError` when no set of flags does."""
    schedule = Schedule(traces)
    flags = _distinct(flag for trace in traces for flag in candidates(trace))
    order = {op: i for i, op in enumerate(traces[0].kernel.body.walk())}
    flags = _sorted(flags, order)
    barriers: list[Barrier] = []
    flags = _prefer_inner(schedule, flags, _distinct(f for t in traces for f in across_branches(t)))
    if not schedule.check(flags, [], []):
        flags = _sorted([*flags, *_answers(flags)], order)
    for _ in range(sum(len(t.instances) for t in traces)):
        missing: list[Instance] = []
        if not schedule.check(flags, barriers, missing):
            raise SyncError("the flags of the dependences contradict each other")
        if not missing:
            break
        for instance in missing:
            source = instance.sources[instance.pipe]
            block, _ = _common(source, instance)
            barrier = Barrier(instance.pipe, _ancestor(instance.op, block))
            if not any(b.pipe == barrier.pipe and b.before is barrier.before for b in barriers):
                barriers.append(barrier)
    for flag in list(flags):
        fewer = [f for f in flags if f is not flag]
        if schedule.check(fewer, barriers):
            flags = fewer
    for barrier in list(barriers):
        fewer_barriers = [b for b in barriers if b is not barrier]
        if schedule.check(flags, fewer_barriers):
            barriers = fewer_barriers
    pipes = {i.op: i.pipe for t in traces for i in t.instances}
    for index in range(len(flags)):
        flags[index] = _latest(schedule, flags, index, barriers, pipes)
    return SyncPlan(tuple(flags), tuple(barriers))


def _latest(
    schedule: Schedule,
    flags: Sequence[Flag],
    index: int,
    barriers: Sequence[Barrier],
    pipes: dict[Operation, int],
) -> Flag:
    """The flag with its wait as late as the dependences allow: what another flag orders already need not wait."""
    best = flags[index]
    while True:
        following = best.before.next_op
        while following is not None and not any(pipes.get(o) == best.destination for o in following.walk()):
            following = following.next_op
        if following is None:
            return best
        later = replace(best, before=following)
        if not schedule.check([*flags[:index], later, *flags[index + 1 :]], barriers):
            return best
        best = later


def _distinct(flags: Iterable[Flag]) -> list[Flag]:
    found: dict[tuple[object, ...], Flag] = {}
    for flag in flags:
        known = found.get(flag.key())
        if known is None or (flag.loop is not None and _depth(flag.loop) < _depth(known.loop or flag.loop)):
            found[flag.key()] = flag
    return list(found.values())


def assign_events(
    traces: Sequence[Tracer], plan: SyncPlan, limit: int, by_source: bool
) -> tuple[int, ...] | None:
    """First event id of each flag: ids of a pair of pipes (or, `by_source`, of a source pipe) are below `limit`.

    Flags share an id where one is always taken before the other is set. None when the ids run out.
    """
    schedule = Schedule(traces)
    used: dict[tuple[int, ...], int] = {}
    chosen: dict[Flag, int] = {}
    for flag in plan.flags:
        key = (flag.source,) if by_source else (flag.source, flag.destination)
        free = used.get(key, 0)
        if free + flag.count <= limit:
            chosen[flag] = free
            used[key] = free + flag.count
            continue
        shared = (
            first
            for first in range(limit - flag.count + 1)
            if not by_source and schedule.check(plan.flags, plan.barriers, None, {**chosen, flag: first})
        )
        found = next(shared, None)
        if found is None:
            return None
        chosen[flag] = found
    return tuple(chosen[flag] for flag in plan.flags)


def _prefer_inner(schedule: Schedule, flags: list[Flag], inner: Sequence[Flag]) -> list[Flag]:
    """Put flags across conditions in the place of those around the conditions: for as many pairs of pipes as agree."""
    pairs = sorted({_pair(f) for f in inner})
    subsets = [c for size in range(len(pairs), -1, -1) for c in combinations(pairs, size)]
    for chosen in subsets:
        usable = [f for f in inner if _pair(f) in chosen]
        places = {(f.source, f.destination, f.after.parent_op(), f.before.parent_op()) for f in usable}
        rest = [f for f in flags if (f.source, f.destination, f.after, f.before) not in places]
        if schedule.check([*rest, *usable], [], []):
            return [*rest, *usable]
    return flags


def _answers(flags: Sequence[Flag]) -> list[Flag]:
    """For flags within one trip of a loop, the way back: the next set then comes after this wait, even where no data
    of a later trip depends on it."""
    answers: list[Flag] = []
    for flag in flags:
        parent = flag.before.parent_op()
        while isinstance(parent, scf.IfOp):
            parent = parent.parent_op()
        if flag.loop is None and flag.set_slot is None and isinstance(parent, scf.ForOp):
            answers.append(
                Flag(flag.destination, flag.source, flag.before, flag.after, parent, flag.slot, flag.count)
            )
    return answers


def _pair(flag: Flag) -> tuple[int, int]:
    return min(flag.source, flag.destination), max(flag.source, flag.destination)


def _sorted(flags: Sequence[Flag], order: dict[Operation, int]) -> list[Flag]:
    """The order in which flags are tried for removal: late waits and early sets first, they are implied most often."""
    return sorted(flags, key=lambda f: (f.loop is not None, -order[f.before], order[f.after]))
