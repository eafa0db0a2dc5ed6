"""Flags and barriers of a plan, by the ops that they stand at."""

from collections.abc import Mapping
from dataclasses import replace

from xdsl.ir import Operation, SSAValue

from ...dialects.records import dataclass
from ...dialects.target_types import PIPES

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
    drain: Operation | None = None
    """Behind which op of the block of `loop` a carried flag is drained; None: directly behind the loop."""
    prime: Operation | None = None
    """In front of which op of that block it is primed; None: directly in front of the loop."""

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
