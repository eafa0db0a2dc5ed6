"""Which flags and barriers a kernel needs: no fewer, no more.

Every dependence of the trace between two pipes becomes a candidate: a flag set after the source and waited for before
the destination, in the innermost block that holds both; one carried by a loop is primed before and drained after it.
Candidates are then dropped one by one as long as the others still order every dependence, and every flag still
alternates between set and wait. What remains inside one pipe becomes a barrier. Pairs of pipes that have no event ids
left do without flags: what they would order becomes a barrier of every pipe.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from xdsl.dialects import scf
from xdsl.ir import Operation

from .program_trace import Tracer
from .sync_candidates import across_branches, ancestor, candidates, common, depth
from .sync_schedule import ALL, Barrier, Flag, Missing, Schedule, SyncPlan


class SyncError(Exception):
    """The flags that the dependences ask for do not order the program."""


def plan_sync(traces: Sequence[Tracer], without: Collection[tuple[int, int]] = ()) -> SyncPlan:
    """The flags and barriers that order all of a kernel's traces; `SyncError` when no set of flags does.

    No flag joins a pair of pipes in `without` (source, destination); barriers of every pipe take their place.
    """
    schedule = Schedule(traces)
    order = {op: i for i, op in enumerate(traces[0].kernel.body.walk())}
    allowed = [f for f in candidates(traces) if (f.source, f.destination) not in without]
    inner = [f for t in traces for f in across_branches(t) if (f.source, f.destination) not in without]
    flags = _prefer_inner(schedule, _sorted(_distinct(allowed), order), _distinct(inner), without)
    if not schedule.check(flags, [], [], apart=without):
        answers = [f for f in _answers(flags) if (f.source, f.destination) not in without]
        flags = _sorted([*flags, *answers], order)
    barriers = _barriers(schedule, flags, without)
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


def _barriers(
    schedule: Schedule, flags: Sequence[Flag], without: Collection[tuple[int, int]]
) -> list[Barrier]:
    """The barriers for what the flags leave unordered."""
    found: dict[tuple[int, Operation], Barrier] = {}
    while True:
        missing: list[Missing] = []
        if not schedule.check(flags, found.values(), missing, apart=without):
            raise SyncError("the flags of the dependences contradict each other")
        if not missing:
            return list(found.values())
        before = len(found)
        for instance, pipe in missing:
            block, _ = common(instance.sources[pipe], instance)
            anchor = ancestor(instance.op, block)
            kind = pipe if pipe == instance.pipe else ALL
            found.setdefault((kind, anchor), Barrier(kind, anchor))
        if len(found) == before:
            raise SyncError("a barrier does not order what it stands before")


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
        if known is None or (flag.loop is not None and depth(flag.loop) < depth(known.loop or flag.loop)):
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
        used[key] = max(free, found + flag.count)
    return tuple(chosen[flag] for flag in plan.flags)


def _prefer_inner(
    schedule: Schedule, flags: list[Flag], inner: Sequence[Flag], without: Collection[tuple[int, int]]
) -> list[Flag]:
    """Put flags across conditions in the place of those around the conditions: for as many pairs of pipes as agree."""
    pairs = sorted({_pair(f) for f in inner})
    subsets = [c for size in range(len(pairs), -1, -1) for c in combinations(pairs, size)]
    for chosen in subsets:
        usable = [f for f in inner if _pair(f) in chosen]
        places = {(f.source, f.destination, f.after.parent_op(), f.before.parent_op()) for f in usable}
        rest = [f for f in flags if (f.source, f.destination, f.after, f.before) not in places]
        if schedule.check([*rest, *usable], [], [], apart=without):
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
