"""Which flags and barriers a kernel needs: no fewer, no more.

Every dependence of the trace between two pipes becomes a candidate: a flag set after the source and waited for before
the destination, in the innermost block that holds both; one carried by a loop is primed before and drained after it.
Candidates are then dropped one by one as long as the others still order every dependence, and every flag still
alternates between set and wait. What remains inside one pipe becomes a barrier. Pairs of pipes that have no event ids
left do without flags: what they would order becomes a barrier of every pipe.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from xdsl.dialects import scf
from xdsl.ir import Operation

from ...dialects.walked import ops_inside
from ..analysis.constant_slots import constant_slots
from ..analysis.tracer import Tracer
from .candidates import Inner, ancestor, candidates, common, depth, inner_candidates
from .flags import ALL, Barrier, Flag, SyncPlan
from .order_graph import OrderGraph
from .schedule import Schedule
from .walk import Missing


class SyncError(Exception):
    """The flags that the dependences ask for do not order the program."""


def plan_sync(
    traces: Sequence[Tracer],
    without: Collection[tuple[int, int]] = (),
    schedule: Schedule | None = None,
) -> SyncPlan:
    """The flags and barriers that order all of a kernel's traces; `SyncError` when no set of flags does.

    No flag joins a pair of pipes in `without` (source, destination); barriers of every pipe take their place.
    `schedule` is that of the traces, where it is known.
    """
    schedule = schedule or Schedule(traces)
    order = {op: i for i, op in enumerate(ops_inside(traces[0].kernel.body))}
    constant = constant_slots(traces[0].kernel)
    allowed = [f for f in candidates(traces, constant) if (f.source, f.destination) not in without]

    def inside(single: bool) -> list[Inner]:
        found = (i for t in traces for i in inner_candidates(t, constant, single))
        return [i for i in found if (i.flag.source, i.flag.destination) not in without]

    flags = _consistent(schedule, _distinct(allowed), inside(False), without, order)
    if flags is None:
        flags = _consistent(schedule, _distinct(allowed), inside(True), without, order)
    if flags is None:
        raise SyncError("the flags of the dependences contradict each other")
    flags = _sorted(flags, order)
    barriers = _barriers(schedule, flags, without)
    flags, barriers = schedule.fewest(flags, barriers)
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

    def fits(later: Flag) -> bool:
        return schedule.check([*flags[:index], later, *flags[index + 1 :]], barriers)

    while not best.behind:
        following = best.before.next_op
        while following is not None and not any(pipes.get(o) == best.destination for o in following.walk()):
            following = following.next_op
        later = replace(best, behind=True) if following is None else replace(best, before=following)
        if not fits(later):
            break
        best = later
    return best


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
    found = events_or_short(Schedule(traces), plan, limit, by_source)
    return None if isinstance(found, Flag) else found


def events_or_short(
    schedule: Schedule, plan: SyncPlan, limit: int, by_source: bool
) -> tuple[int, ...] | Flag:
    """The same, of a plan that orders the traces of `schedule`; when ids run out, the first flag without one."""
    used: dict[tuple[int, ...], int] = {}
    chosen: dict[Flag, int] = {}
    graphs: list[OrderGraph] = []
    for flag in plan.flags:
        key = (flag.source,) if by_source else (flag.source, flag.destination)
        free = used.get(key, 0)
        if free + flag.count <= limit:
            chosen[flag] = free
            used[key] = free + flag.count
            continue
        if by_source:
            return flag
        graphs = graphs or schedule.graphs(plan.flags, plan.barriers)
        found = next((i for i in range(limit - flag.count + 1) if _may_share(graphs, chosen, flag, i)), None)
        if found is None:
            return flag
        chosen[flag] = found
        used[key] = max(free, found + flag.count)
    return tuple(chosen[flag] for flag in plan.flags)


def _may_share(graphs: Sequence[OrderGraph], chosen: Mapping[Flag, int], flag: Flag, first: int) -> bool:
    """Whether a flag may have ids from `first` on, which others of its pair of pipes have."""
    last = first + flag.count
    firsts = {
        other: at
        for other, at in chosen.items()
        if (other.source, other.destination) == (flag.source, flag.destination)
        and at < last
        and first < at + other.count
    }
    return all(graph.may_share({**firsts, flag: first}) for graph in graphs)


def _consistent(
    schedule: Schedule,
    flags: list[Flag],
    inner: Sequence[Inner],
    without: Collection[tuple[int, int]],
    order: dict[Operation, int],
) -> list[Flag] | None:
    """Flags that do not contradict each other: inner ones in the place of those around conditions and loops, for as
    many pairs of pipes as agree, and a way back for the others where that is needed. None where there are none."""
    pairs = sorted({_pair(i.flag) for i in inner})
    subsets = (c for size in range(len(pairs), -1, -1) for c in combinations(pairs, size))
    for chosen in subsets:
        usable = [i for i in inner if _pair(i.flag) in chosen]
        replaced = {i.replaced for i in usable}
        rest = [f for f in flags if (f.source, f.destination, f.after, f.before) not in replaced]
        ours = _distinct(i.flag for i in usable)
        covering = _covering(ours, order)
        variants = [[*rest, *deep] for deep in ((ours, covering) if covering != ours else (ours,))]
        variants += [found for c in variants if (found := _covering(c, order)) != c]
        for together in variants:
            for primed in (together, _primed_once(together)):
                if schedule.check(primed, [], [], apart=without):
                    return primed
        for together in variants:
            for primed in (together, _primed_once(together)):
                answers = (f for f in _answers(primed) if (f.source, f.destination) not in without)
                together = [*primed, *answers]
                if schedule.check(together, [], [], apart=without):
                    return together
                answered = _answered(schedule, primed, without, order)
                if answered is not None:
                    return answered
    return None


def _covering(flags: Sequence[Flag], order: dict[Operation, int]) -> list[Flag]:
    """The flags with slots for those that have none, taken from a flag that goes from the same block to the same block.
    One of the same pipes then stands for both: it is set behind the later source and waited for ahead of the earlier
    destination. What a kernel loads once, for its first tile, has no slots of its own, and where it is loaded a step
    ahead its flag would be set again before it is waited for."""
    found: list[Flag | None] = list(flags)
    alike: dict[tuple[object, ...], list[int]] = {}
    for at, flag in enumerate(flags):
        alike.setdefault(_ends(flag), []).append(at)
    for at, flag in enumerate(flags):
        if flag.slot is not None:
            continue
        beside = ((i, found[i]) for i in alike[_ends(flag)])
        hosts = [(i, f) for i, f in beside if f is not None and _chosen_before(f, flag, order)]
        same = ((i, f) for i, f in hosts if (f.source, f.destination) == (flag.source, flag.destination))
        place, host = next(same, (at, None))
        if host is not None:
            found[place], found[at] = host.covering(flag, order), None
        elif hosts:
            _, first = hosts[0]
            found[at] = replace(flag, slot=first.slot, count=first.count, set_slot=first.set_slot)
    return [flag for flag in found if flag is not None]


def _chosen_before(host: Flag, flag: Flag, order: dict[Operation, int]) -> bool:
    """Whether the slots of `host` are chosen ahead of the wait and of the set of `flag`."""
    if host.slot is None or host.slot_of_set is None:
        return False
    ends = (host.slot.owner, flag.before), (host.slot_of_set.owner, flag.after)
    return all(isinstance(chosen, Operation) and order[chosen] < order[end] for chosen, end in ends)


def _ends(flag: Flag) -> tuple[object, ...]:
    """The blocks of the set and of the wait, and what primes the flag."""
    return flag.after.parent, flag.before.parent, flag.loop


def _answered(
    schedule: Schedule,
    flags: Sequence[Flag],
    without: Collection[tuple[int, int]],
    order: dict[Operation, int],
) -> list[Flag] | None:
    """The flags with a way back for those that ask for one, one after the other, until nothing contradicts; None where
    that does not help."""
    together = list(flags)
    present = {f.key() for f in together}
    while not schedule.check(together, [], [], apart=without):
        asks = schedule.unanswered
        answer = None if asks is None else _way_back(asks, order)
        if answer is None or answer.key() in present or (answer.source, answer.destination) in without:
            return None
        present.add(answer.key())
        together.append(answer)
    return together


def _way_back(flag: Flag, order: dict[Operation, int]) -> Flag | None:
    """What tells a flag's source, before it sets the flag again, that it was taken. Of a flag within one trip that is a
    carried one. Of a carried one it is a flag from the wait to the set that follows in the trip: where a trip leaves
    out the work between them, no data does."""
    back = flag.destination, flag.source, flag.before, flag.after
    if flag.loop is None:
        loop = _outermost_loop(flag.before)
        turned = flag.slot if flag.set_slot is not None else None
        return None if loop is None else Flag(*back, loop, flag.slot_of_set, flag.count, turned)
    if flag.set_slot is not None or flag.before.parent is not flag.after.parent:
        return None
    if order[flag.before] >= order[flag.after]:
        return None
    return Flag(*back, None, flag.slot, flag.count)


def _primed_once(flags: Sequence[Flag]) -> list[Flag]:
    """Carried flags that are primed around the outermost loop, not once for each run of an inner one: a run that does
    nothing leaves no way to know that its flags were taken before the next one sets them."""
    return [f if f.loop is None else replace(f, loop=_outermost_loop(f.before)) for f in flags]


def _answers(flags: Sequence[Flag]) -> list[Flag]:
    """For flags within one trip of a loop, the way back: the next set then comes after this wait, even where no data
    of a later trip depends on it. Primed around the outermost loop: some runs of the inner ones may do nothing."""
    present = {(f.source, f.destination, f.after, f.before) for f in flags}
    answers: list[Flag] = []
    for flag in flags:
        loop = _outermost_loop(flag.before)
        back = flag.destination, flag.source, flag.before, flag.after
        if flag.loop is None and flag.set_slot is None and loop is not None and back not in present:
            answers.append(Flag(*back, loop, flag.slot, flag.count))
    return answers


def _outermost_loop(op: Operation) -> Operation | None:
    found: Operation | None = None
    parent = op.parent_op()
    while parent is not None:
        found = parent if isinstance(parent, scf.ForOp) else found
        parent = parent.parent_op()
    return found


def _pair(flag: Flag) -> tuple[int, int]:
    return min(flag.source, flag.destination), max(flag.source, flag.destination)


def _sorted(flags: Sequence[Flag], order: dict[Operation, int]) -> list[Flag]:
    """The order in which flags are tried for removal: late waits and early sets first, they are implied most often."""
    return sorted(flags, key=lambda f: (f.loop is not None, -order[f.before], order[f.after]))
