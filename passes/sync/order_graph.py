"""What the pipes of a trace know of each other, as a graph: which flags and barriers may go is found without a walk.

A pipe learns something only where it waits for a flag, or at a barrier. These are the nodes of the graph, in program
order. At each a pipe knows how many instructions of every other one are complete, and how many waits. A wait adds what
the source knew when it set the flag. Between two nodes of a pipe nothing changes, so what its instructions require
there, and what its sets must know, is kept with the node before.

A dropped flag takes what its waits added, and a barrier what it did. Only nodes behind them can know less, and most of
these learn it elsewhere: then nothing changes further on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from heapq import heappop, heappush
from typing import NamedTuple

from xdsl.ir import SSAValue

from ...dialects.records import dataclass
from ...dialects.target_types import PIPES
from .flags import ALL, Barrier, Flag
from .walk import BARRIER, ENTER, EXIT, SLOT, UNSHARED, WAIT, Act, Done, Places, Row

_WIDTH = len(PIPES)

Order = Flag | Barrier
"""What orders pipes."""
Known = Sequence[int]
"""For each pipe, how many of its instructions are complete, then how many of its waits."""


@dataclass(slots=True, eq=False)
class _Set:
    """A flag that is set: where its pipe is, and the wait that takes it (-1: none)."""

    node: int
    source: int
    instructions: int
    waits: int
    flag: Order
    wait: int = -1


@dataclass(slots=True, eq=False)
class _Node:
    """A wait or a barrier of a pipe. `adds` is what it learns, `needs` and `asks` what it must know until the next one:
    (pipe, number of instructions), and for a flag that is set (flag, place in what is known, number)."""

    pipe: int
    before: int
    adds: _Set | Known | None
    flag: Order | None
    after: int = -1
    needs: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    asks: list[tuple[Order, int, int]] = field(default_factory=list[tuple[Order, int, int]])
    sets: list[_Set] = field(default_factory=list[_Set])


class _Use(NamedTuple):
    """A flag is set, at a node of its source, or is taken (-1) by so many waits of its destination."""

    turn: int
    offset: int
    node: int
    waits: int
    destination: int


class OrderGraph:
    """The graph of one trace under flags and barriers that order it."""

    def __init__(self, rows: Iterable[Row], places: Places):
        self._nodes: list[_Node] = []
        self._known: list[Known] = []
        self._nodes_of: dict[Order, list[int]] = {}
        self._uses: dict[Order, list[_Use]] = {}
        self._gone = set[Order]()
        self._last = [-1] * _WIDTH
        self._log: list[tuple[int, Known]] = []
        """What nodes knew before the last change."""
        for pipe in range(_WIDTH):
            self._add(pipe, None, None)
        self._build(rows, places)

    def drop(self, flag: Order) -> bool:
        """Do without a flag or a barrier, if all that is required is known even so; otherwise nothing changes."""
        self._log = []
        self._gone.add(flag)
        dirty = list(self._nodes_of.get(flag, ()))
        nodes, known, gone = self._nodes, self._known, self._gone
        while dirty:
            at = heappop(dirty)
            if dirty and dirty[0] == at:
                continue
            node, old = nodes[at], known[at]
            new = self._learned(node)
            if new == old:
                continue
            self._log.append((at, old))
            known[at] = new
            lacks = any(new[pipe] < least for pipe, least in node.needs)
            if lacks or any(new[place] < least for one, place, least in node.asks if one not in gone):
                self.restore(flag)
                return False
            if node.after >= 0:
                heappush(dirty, node.after)
            for one in node.sets:
                if one.wait >= 0 and one.flag not in gone:
                    heappush(dirty, one.wait)
        return True

    def restore(self, flag: Order) -> None:
        """Take back the last `drop`, which was of this flag or barrier."""
        self._gone.discard(flag)
        for at, old in reversed(self._log):
            self._known[at] = old
        self._log = []

    def may_share(self, firsts: Mapping[Flag, int]) -> bool:
        """Whether flags of one pair of pipes, whose ids begin at `firsts`, may have ids in common: each is set when it
        is down, and its source knows that it was taken."""
        uses = sorted((use, firsts[flag]) for flag in firsts for use in self._uses.get(flag, ()))
        up, taken = set[int](), dict[int, int]()
        for use, first in uses:
            event = first + use.offset
            if use.node < 0:
                up.discard(event)
                taken[event] = use.waits
            elif event in up or self._known[use.node][_WIDTH + use.destination] < taken.get(event, 0):
                return False
            else:
                up.add(event)
        return True

    def _learned(self, node: _Node) -> Known:
        """What a pipe knows from a node on."""
        before, adds = self._known[node.before], node.adds
        if adds is None or node.flag in self._gone:
            return before
        if not isinstance(adds, _Set):
            return list(map(max, before, adds))
        if before[adds.source] >= adds.instructions and before[_WIDTH + adds.source] >= adds.waits:
            return before  # who knows of as many waits of the source knows all that it learned by them
        learned = list(map(max, before, self._known[adds.node]))
        learned[adds.source] = max(before[adds.source], adds.instructions)
        learned[_WIDTH + adds.source] = max(before[_WIDTH + adds.source], adds.waits)
        return learned

    def _add(self, pipe: int, adds: _Set | Known | None, flag: Order | None) -> int:
        at, before = len(self._nodes), self._last[pipe]
        node = _Node(pipe, before, adds, flag)
        self._nodes.append(node)
        self._last[pipe] = at
        if before < 0:
            self._known.append([0] * (2 * _WIDTH))
            return at
        self._nodes[before].after = at
        self._known.append(self._learned(node))
        if flag is not None:
            self._nodes_of.setdefault(flag, []).append(at)
        return at

    def _build(self, rows: Iterable[Row], places: Places) -> None:
        up: dict[int, _Set] = {}
        taken: dict[int, int] = {}
        waits = [0] * _WIDTH
        slots: dict[SSAValue | None, int] = {None: 0}
        turn = 0

        def does(acts: Sequence[Act], done: Done) -> None:
            nonlocal turn
            for kind, source, destination, event, slot, flag in acts:
                key = event + slots[slot]
                if kind == BARRIER:
                    self._barrier(source, flag, done, waits)
                    continue
                turn += 1
                offset = key % UNSHARED
                if kind == WAIT:
                    found = up.pop(key)
                    found.wait = self._add(destination, found, flag)
                    waits[destination] += 1
                    taken[key] = waits[destination]
                    use = _Use(turn, offset, -1, waits[destination], destination)
                else:
                    node = self._nodes[self._last[source]]
                    if key in taken:
                        node.asks.append((flag, _WIDTH + destination, taken[key]))
                    up[key] = _Set(self._last[source], source, done[source], waits[source], flag)
                    node.sets.append(up[key])
                    use = _Use(turn, offset, self._last[source], 0, destination)
                self._uses.setdefault(flag, []).append(use)

        for row in rows:
            if not row.needs and row.op not in places.relevant:
                continue
            if row.kind == SLOT:
                slots[row.slot] = row.chosen
                continue
            if row.kind != EXIT:
                does(places.entered.get(row.op, ()), row.before)
            if row.kind == ENTER:
                does(places.primed.get(row.op, ()), row.before)
                continue
            if row.instance is None:
                does(places.drained.get(row.op, ()), row.after)
            else:
                self._nodes[self._last[row.instance.pipe]].needs.extend(row.needs)
            does(places.left.get(row.op, ()), row.after)

    def _barrier(self, pipe: int, barrier: Order, done: Done, waits: Sequence[int]) -> None:
        """A barrier of one pipe, or of all."""
        if pipe == ALL:
            for one in range(_WIDTH):
                self._add(one, [*done, *waits], barrier)
            return
        own = [0] * (2 * _WIDTH)
        own[pipe], own[_WIDTH + pipe] = done[pipe], waits[pipe]
        self._add(pipe, own, barrier)
