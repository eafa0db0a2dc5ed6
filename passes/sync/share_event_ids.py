"""Fewer event ids for a pair of pipes, where they run out: flags that stand for two, and ids that are free again.

    ascend.copy %x, %a                       ->   ascend.copy %x, %a
    ascend.set_flag "MTE2" -> "V", %e0            ascend.copy %y, %b
    ascend.copy %y, %b                            ascend.set_flag "MTE2" -> "V", %e0
    ascend.set_flag "MTE2" -> "V", %e1

Two flags that go from the same block to the same block may be one: set behind the later source, waited for ahead of the
earlier destination. Or a later flag takes the id of an earlier one, once a flag the other way says that the earlier one
was taken. Or carried flags are primed around the loops that hold them alone, one loop after the other. Whatever costs
least on the clock is done.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from xdsl.dialects import scf
from xdsl.ir import Operation

from ...dialects.records import dataclass
from .clock import SyncClock
from .flags import ALL, Barrier, Flag, SyncPlan
from .schedule import Schedule


@dataclass(frozen=True)
class _Change:
    """Flags in the place of all, and those of them that then can share an id."""

    flags: tuple[Flag, ...]
    shared: tuple[Flag, ...] = ()
    barriers: tuple[Barrier, ...] = ()
    """Those that take the place of flags."""


@dataclass(frozen=True)
class IdSaver:
    """Changes plans so that fewer ids do: each change must pass the check of `schedule`, and that which costs least on
    the clock is made. `next_short` gives the first flag of a plan that has no id; `order` numbers ops."""

    schedule: Schedule
    clock: SyncClock
    order: Mapping[Operation, int]
    next_short: Callable[[SyncPlan], Flag | None]

    def fewer_ids(self, plan: SyncPlan, short: Flag, back: bool, bars: bool = False) -> SyncPlan | None:
        """The plan, changed so that more of its flags have ids than those before `short`, the first one without; None
        where no change keeps it right. `back`: whether there is an id left for a flag the other way; `bars`: whether
        barriers of every pipe may take the place of flags."""
        pair = short.source, short.destination
        changes = [*_merges(plan.flags, pair, self.order), *_narrowed(plan.flags, pair)]
        if back:
            changes += _ways_back(plan.flags, pair, self.order)
        if bars:
            changes += _bars(plan.flags, pair)
        least, dearer = self.clock.cycles(plan.flags, plan.barriers), list[tuple[float, int, _Change]]()
        for i, change in enumerate(self._likely(plan, changes)):
            cycles = self.clock.cycles(change.flags, (*plan.barriers, *change.barriers))
            if cycles > least:  # no change takes less than the plan
                dearer.append((cycles, i, change))
            elif self._fits(plan, change, short):
                return _changed(plan, change)
        found = (change for _, _, change in sorted(dearer, key=lambda one: one[:2]))
        return next((_changed(plan, change) for change in found if self._fits(plan, change, short)), None)

    def _likely(self, plan: SyncPlan, changes: Iterable[_Change]) -> Iterator[_Change]:
        """Changes, but none that leaves out flags that the plan needs: most do, and that shows sooner than their
        cycles."""
        return (c for c in changes if len(c.flags) >= len(plan.flags) or self._orders(plan, c))

    def _fits(self, plan: SyncPlan, change: _Change, short: Flag) -> bool:
        """Whether a likely change leaves every dependence ordered, and gives more flags ids."""
        if len(change.flags) < len(plan.flags):
            return True
        if not self._orders(plan, change):
            return False
        following = self.next_short(_changed(plan, change))
        if following is None:
            return True
        return following in plan.flags and plan.flags.index(following) > plan.flags.index(short)

    def _orders(self, plan: SyncPlan, change: _Change) -> bool:
        """Whether the plan, changed, orders every dependence."""
        changed = _changed(plan, change)
        return self.schedule.check(changed.flags, changed.barriers, None, dict.fromkeys(change.shared, 0))


def _changed(plan: SyncPlan, change: _Change) -> SyncPlan:
    return SyncPlan(change.flags, (*plan.barriers, *change.barriers))


def _merges(
    flags: Sequence[Flag], pair: tuple[int, int], order: Mapping[Operation, int]
) -> Iterator[_Change]:
    ours = [f for f in flags if (f.source, f.destination) == pair]
    for i, first in enumerate(ours):
        for second in ours[i + 1 :]:
            for one in _together(first, second, order):
                yield _Change(tuple(one if f is first else f for f in flags if f is not second))


def _together(first: Flag, second: Flag, order: Mapping[Operation, int]) -> Iterator[Flag]:
    """One flag in the place of two, with the slots of either."""
    if (first.loop is None) != (second.loop is None) or first.behind or second.behind:
        return
    if first.after.parent is not second.after.parent or first.before.parent is not second.before.parent:
        return
    for host, other in ((first, second), (second, first)):
        one = host.covering(other, order)
        slots = [s.owner for s in (host.slot, host.slot_of_set) if s is not None]
        if all(
            isinstance(o, Operation) and order[o] < min(order[one.after], order[one.before]) for o in slots
        ):
            yield one
        if host.slot is other.slot and host.set_slot is other.set_slot and host.loop is other.loop:
            return


def _narrowed(flags: Sequence[Flag], pair: tuple[int, int]) -> Iterator[_Change]:
    """Carried flags primed around the loop that holds their ends, not around one further out: outside it their ids are
    free for others."""
    held = {f: f.before.parent_op() for f in flags if f.loop is not None}
    wide = {
        f: replace(f, loop=loop)
        for f, loop in held.items()
        if (f.source, f.destination) == pair and isinstance(loop, scf.ForOp) and loop is not f.loop
    }
    if wide:
        yield _Change(tuple(wide.get(f, f) for f in flags))


def _bars(flags: Sequence[Flag], pair: tuple[int, int]) -> Iterator[_Change]:
    """A barrier in the place of one flag."""
    for flag in flags:
        if (flag.source, flag.destination) == pair and not flag.behind:
            others = tuple(f for f in flags if f is not flag)
            yield _Change(others, barriers=(Barrier(ALL, flag.before),))


def _ways_back(
    flags: Sequence[Flag], pair: tuple[int, int], order: Mapping[Operation, int]
) -> Iterator[_Change]:
    """For two flags of one block of which the first is waited for before the second is set, one from that wait to that
    set."""
    ours = [f for f in flags if (f.source, f.destination) == pair and f.loop is None and f.count == 1]
    present = {f.key() for f in flags}
    for first in ours:
        for second in ours:
            if first.behind or first.before.parent is not second.after.parent:
                continue
            if order[first.before] < order[second.after]:
                back = Flag(pair[1], pair[0], first.before, second.after, None, None, 1, ahead=True)
                if back.key() not in present:
                    yield _Change((*flags, back), (first, second))
