"""Flags between a Cube core and the Vector cores beside it.

A flag counts: each set adds the cycle when it is seen, and what the setting pipe knew; each wait takes the oldest one
of every core that it waits for. Which one is the oldest may not depend on the clock, so a core's sets of one flag must
be in order: by one pipe, or by pipes that know of each other. The cores of one group are [aic, aiv, aiv]; a core's
vector clock has its own pipes first, then those of the others in this order.
"""

from __future__ import annotations

from collections import deque
from dataclasses import field
from heapq import heappush

from ...dialects.records import dataclass
from ...dialects.target_types import PIPES, Cross
from ..program.instruction import SCALAR, Instruction
from ..support.hazard import HazardError
from .races import CoreRaces

CROSS_SERVED = -1
"""In the place of the pipe that was served: a cross-core flag came up."""
_SIZE = len(PIPES)


@dataclass(slots=True)
class _Set:
    """One set: when it is seen, what was known, and who set it."""

    up: float
    known: list[int] | None
    instruction: Instruction


@dataclass(slots=True, eq=False)
class Crossing:
    """One core's side: sets by others that it has not waited for, by event and by sender."""

    index: int
    position: int
    """Of this core in its group."""
    cross: Cross
    races: CoreRaces | None
    requests: list[tuple[float, int, int]]
    group: list[Crossing] = field(default_factory=list["Crossing"])
    peers: tuple[Crossing, ...] = ()
    """Whom this core sets, and waits for: a Cube core its Vector cores, a Vector core its Cube core."""
    pending: dict[tuple[int, int], deque[_Set]] = field(default_factory=dict[tuple[int, int], deque[_Set]])
    waiting: Instruction | None = None
    latest: dict[int, tuple[int, int, Instruction]] = field(
        default_factory=dict[int, tuple[int, int, Instruction]]
    )
    """This core's last set of each event: its pipe and its number there."""

    def set(self, instruction: Instruction, fire: float) -> None:
        """Count up the flags of the peers; `fire`: when everything before on the pipe has finished."""
        known = None
        if self.races is not None:
            known = self.races.cross_set(instruction)
            self._check_order(instruction, known)
        up, key = fire + self.cross.latency, (instruction.event, self.position)
        for peer in self.peers:
            sets = peer.pending.get(key)
            if sets is None:
                sets = peer.pending[key] = deque()
            sets.append(_Set(up, None if known is None else self._seen_by(peer, known), instruction))
            if len(sets) > self.cross.pending:
                raise HazardError(
                    "limit",
                    f"cross-core flag {instruction.event} was set {len(sets)} times ahead of its waits, at most "
                    f"{self.cross.pending}",
                    instructions=(instruction.site.reference(),),
                )
            if peer.waiting is not None and peer._ready(peer.waiting):
                peer.waiting = None
                heappush(self.requests, (up, peer.index, CROSS_SERVED))

    def full(self, instruction: Instruction) -> bool:
        """Whether a peer has as many sets of the flag to wait for as there may be."""
        sets = (peer.pending.get((instruction.event, self.position), ()) for peer in self.peers)
        return any(len(one) >= self.cross.pending for one in sets)

    def _check_order(self, instruction: Instruction, known: list[int]) -> None:
        """`HazardError` where the set before may come after this one; `known`: what this one stands for."""
        before = self.latest.get(instruction.event)
        if before is not None and known[before[0]] < before[1]:
            raise HazardError(
                "flag-set-twice",
                f"{PIPES[before[0]]} and {PIPES[instruction.pipe]} set cross-core flag {instruction.event} in no "
                "order, so that a wait cannot tell which of them has",
                instructions=(before[2].site.reference(), instruction.site.reference()),
            )
        self.latest[instruction.event] = instruction.pipe, known[instruction.pipe], instruction

    def _ready(self, instruction: Instruction) -> bool:
        pending, event = self.pending, instruction.event
        sets = [pending.get((event, peer.position)) for peer in self.peers]
        return all(sets)

    def take(self, instruction: Instruction) -> float | None:
        """Count the flag down: the cycle when it was up, or None where it is not (the core is then told)."""
        if not self._ready(instruction):
            self.waiting = instruction
            return None
        up = 0.0
        for peer in self.peers:
            one = self.pending[instruction.event, peer.position].popleft()
            up = max(up, one.up)
            if self.races is not None and one.known is not None:
                self.races.join(SCALAR, one.known)
        return up

    def order(self) -> list[int]:
        """Positions of the group's cores in this core's vector clock."""
        return [self.position, *(i for i in range(len(self.group)) if i != self.position)]

    def _seen_by(self, peer: Crossing, known: list[int]) -> list[int]:
        """This core's clock in the order of the peer's."""
        mine = self.order()
        return [k for at in peer.order() for k in known[mine.index(at) * _SIZE :][:_SIZE]]

    def left(self) -> tuple[int, Instruction] | None:
        """A set that this core did not wait for: whose it was, and what set it."""
        sets = ((self.group[sender].index, s) for (_, sender), each in self.pending.items() for s in each)
        return next(((core, one.instruction) for core, one in sets), None)


def connect(groups: list[list[Crossing]]) -> None:
    """Tell the cores of each group of each other."""
    for group in groups:
        for one in group:
            one.group = group
            one.peers = tuple(group[1:] if one.position == 0 else group[:1])
