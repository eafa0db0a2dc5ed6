"""The check that a plan of flags and barriers orders every dependence of a kernel's traces."""

from collections.abc import Collection, Iterable, Sequence

from xdsl.ir import Operation

from ...dialects import ascend
from ...dialects.target_types import PIPES
from ..analysis.trace_steps import Access, Instance
from ..analysis.tracer import Tracer
from .flags import Barrier, Flag
from .order_graph import Order, OrderGraph
from .walk import Missing, Places, Walk, rows_of


class Schedule:
    """Checks a set of flags and barriers against a trace."""

    def __init__(self, traces: Sequence[Tracer]):
        self.traces = traces
        self.rows = [rows_of(trace) for trace in traces]
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
        places = Places(flags, barriers, events or {})
        for rows in self.rows:
            walk = Walk(places, missing, apart)
            if not walk.run(rows):
                self.unanswered = walk.unanswered
                return False
        return True

    def fewest(self, flags: Sequence[Flag], barriers: Sequence[Barrier]) -> tuple[list[Flag], list[Barrier]]:
        """The flags, then the barriers, that are left when each in turn is dropped as long as the others still order
        every dependence; all of them must do so."""
        graphs = self.graphs(flags, barriers)
        kept = [flag for flag in flags if not _dropped(graphs, flag)]
        return kept, [barrier for barrier in barriers if not _dropped(graphs, barrier)]

    def graphs(self, flags: Iterable[Flag], barriers: Iterable[Barrier]) -> list[OrderGraph]:
        """What pipes know of each other in each trace, under flags and barriers that order it."""
        places = Places(flags, barriers, {})
        return [OrderGraph(rows, places) for rows in self.rows]

    def redundant_slots(
        self, flags: Collection[Flag], barriers: Collection[Barrier]
    ) -> list[ascend.BufferOp]:
        """Buffers, in the order of their first use, that one slot would do for: the plan orders all that it needs."""
        seen: dict[ascend.BufferOp, None] = {}
        needed: set[ascend.BufferOp] = set()
        places = Places(flags, barriers, {})
        for trace, rows in zip(self.traces, self.rows, strict=True):
            apart = _between_slots(trace)
            seen |= dict.fromkeys(buffer for wishes in apart.values() for buffer, _, _ in wishes)

            def probe(
                instance: Instance, known: Sequence[int], apart: dict[int, list[_Wish]] = apart
            ) -> None:
                wishes = apart.get(id(instance), ())
                needed.update(buffer for buffer, pipe, least in wishes if known[pipe] < least)

            Walk(places, probe=probe).run(rows)
        return [buffer for buffer in seen if buffer not in needed]


def _dropped(graphs: Sequence[OrderGraph], flag: Order) -> bool:
    """Drop a flag or a barrier from all graphs, or from none."""
    for i, graph in enumerate(graphs):
        if not graph.drop(flag):
            for other in graphs[:i]:
                other.restore(flag)
            return False
    return True


_Wish = tuple[ascend.BufferOp, int, int]
"""That the first so many instructions of a pipe be complete, for the sake of a buffer's slots."""


def _between_slots(trace: Tracer) -> dict[int, list[_Wish]]:
    """By the id of an instruction's instance, what it would have to wait for if its buffers had one slot each."""
    history: dict[Operation, list[list[tuple[Instance, Access]]]] = {}
    found: dict[int, list[_Wish]] = {}
    moved: dict[tuple[int, int], int] = {}
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
                    place = id(theirs), access.index
                    if place not in moved:
                        moved[place] = theirs.elsewhere(access.index)
                    if moved[place] & access.mask:
                        found.setdefault(id(instance), []).append((buffer, pipe, other.number))
                        break
        for access in instance.accesses:
            if access.buffer is not None and access.buffer in history:
                history[access.buffer][instance.pipe].append((instance, access))
    return found
