"""The port to L2 that a Cube core and the Vector cores beside it share, one for reads and one for writes.

The Cube core comes first: its transfers go as fast as they would alone. Vector cores have what it leaves, in even
shares; a core that is slower than its share leaves the rest to the other. A transfer of a Vector core therefore ends
only when all that went through the port meanwhile is known: it asks for its turn again, as a request of its own, each
time that its rate may grow and when it would end.

    Cube core      bytes / min(own rate, rate of the port)
    Vector core    own rate, or (rate of the port - rate of the Cube core) / Vector cores that transfer

A core's own rate is that at which the memory system serves it: bytes / (end - start).
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import field
from heapq import heappush
from math import inf
from operator import attrgetter

from ...dialects.records import dataclass
from ...dialects.target_types import Path_, Target
from .costs import hit_rate

_NEAR = 1e-6  # cycles; a transfer that has no more left is over
_RATE = attrgetter("rate")
_NOTHING = 0.0, inf
Requests = list[tuple[float, int, int]]
Served = tuple[float, float]
"""The cycle when a transfer's pipe is free, and its latency after that."""


Rates = tuple[float | None, float | None]
"""Bytes/cycle of the port for reads and of that for writes."""


@dataclass(slots=True)
class _Transfer:
    """A transfer of a Vector core: bytes/cycle alone, the cycle of its end if nothing holds it up from now on, and
    when it asks again."""

    rate: float
    end: float
    latency: float
    due: float = 0.0


@dataclass(slots=True)
class Port:
    """One direction of the port of a group, `rate` bytes/cycle; times in cycles."""

    rate: float
    now: float = 0.0
    under_way: list[_Transfer] = field(default_factory=list[_Transfer])
    first: deque[tuple[float, float, float]] = field(default_factory=deque[tuple[float, float, float]])
    """Start, end and bytes/cycle of the Cube core's transfers, in order, that may not be over."""

    def serve_first(self, start: float, end: float, bytes_: int) -> float:
        """A transfer of the Cube core: when it ends."""
        end = max(end, start + bytes_ / self.rate)
        if not self.under_way:
            self.first.clear()
        self.first.append((start, end, bytes_ / (end - start)))
        return end

    def begin(self, start: float, served: Served, bytes_: int) -> _Transfer:
        """A transfer of a Vector core, which alone would be served so."""
        if self.now < start:
            self.advance(start)
        transfer = _Transfer(bytes_ / (served[0] - start), *served)
        self.under_way.append(transfer)
        self.plan(transfer)
        return transfer

    def _taken(self) -> tuple[float, float]:
        """Bytes/cycle of the Cube core now, and until when."""
        first = self.first
        while first and first[0][1] <= self.now:
            first.popleft()
        if not first:
            return 0.0, inf
        start, end, rate = first[0]
        return (rate, end) if start <= self.now else (0.0, start)

    def _speeds(self, taken: float) -> list[tuple[_Transfer, float]]:
        """The transfers that are not over, each with the share of its own rate that it gets beside `taken` bytes/cycle
        of the Cube core."""
        left = self.rate - taken if taken < self.rate else 0.0
        over, going = self.now + _NEAR, self.under_way
        if len(going) > 1 or going[0].end <= over:
            going = [t for t in going if t.end > over]
        if len(going) == 1:
            one = going[0]
            return [(one, 1.0 if one.rate <= left else left / one.rate)]
        if len(going) == 2:
            one, other = going
            if other.rate < one.rate:
                one, other = other, one
            share = min(one.rate, left / 2)
            left -= share
            return [
                (one, 1.0 if share == one.rate else share / one.rate),
                (other, 1.0 if other.rate <= left else left / other.rate),
            ]
        going.sort(key=_RATE)
        speeds: list[tuple[_Transfer, float]] = []
        sharing = len(going)
        for transfer in going:
            share, rate = left / sharing, transfer.rate
            sharing -= 1
            if rate <= share:
                left -= rate
                speeds.append((transfer, 1.0))
            else:
                left -= share
                speeds.append((transfer, share / rate))
        return speeds

    def advance(self, to: float) -> None:
        """Let the transfers go on until `to`."""
        if self.under_way:
            while self.now < to:
                now = self.now
                taken, until = self._taken() if self.first else _NOTHING
                if until > to:
                    until = to
                for transfer, speed in self._speeds(taken):
                    if speed < 1.0:
                        transfer.end += (until - now) * (1.0 - speed)
                self.now = until
        elif self.now < to:
            self.now = to

    def plan(self, transfer: _Transfer) -> None:
        """When the transfer may go faster or be over, as far as is known now."""
        now = self.now
        taken, until = self._taken() if self.first else _NOTHING
        due = until if taken else inf
        for one, speed in self._speeds(taken):
            if speed > 0.0:
                end = now + (one.end - now) / speed
                if end < due:
                    due = end
        transfer.due = due


@dataclass(slots=True)
class Ports:
    """What one core has of its group's port. `first`: it is the Cube core."""

    index: int
    first: bool
    reads: Port | None
    writes: Port | None
    requests: Requests
    waiting: dict[int, tuple[Port, _Transfer]] = field(default_factory=dict[int, tuple[Port, _Transfer]])
    """By pipe, the transfer under way."""

    def start(self, pipe: int, write: bool, start: float, served: Served, bytes_: int) -> Served | None:
        """A transfer that the memory system has served: how it ends, or None where `resume` will tell."""
        port = self.writes if write else self.reads
        if port is None or served[0] <= start + _NEAR:
            return served
        if self.first:
            return port.serve_first(start, served[0], bytes_), served[1]
        transfer = port.begin(start, served, bytes_)
        self.waiting[pipe] = port, transfer
        heappush(self.requests, (transfer.due, self.index, pipe))
        return None

    def resume(self, pipe: int) -> Served | None:
        """The same, when the transfer's turn has come again."""
        port, transfer = self.waiting[pipe]
        port.advance(transfer.due)
        if transfer.end <= port.now + _NEAR:
            port.under_way.remove(transfer)
            del self.waiting[pipe]
            return transfer.end, transfer.latency
        port.plan(transfer)
        heappush(self.requests, (transfer.due, self.index, pipe))
        return None


def ports_of(rates: Rates, indices: Sequence[int], cubes: int, requests: Requests) -> list[Ports]:
    """The ports of the cores of a group, whose first `cubes` (1 or none) are Cube cores; none where its cores cannot
    fill a port together. `rates`: see `shared_rates`."""
    if rates == (None, None):
        return []
    reads, writes = (None if rate is None else Port(rate) for rate in rates)
    return [Ports(index, i < cubes, reads, writes, requests) for i, index in enumerate(indices)]


def shared_rates(target: Target, cubes: int, vectors: int) -> Rates:
    """Bytes/cycle of the ports that so many Cube and Vector cores share, None of those that they cannot fill."""
    sources = ["l1"] * cubes + ["ub"] * vectors
    into = [_fastest(target, target.path("gm", space)) for space in sources]
    memory = target.memory
    reads = memory.group_read if 0.0 < memory.group_read < sum(into) else None
    out = [target.path("l0c" if space == "l1" else space, "gm").rate for space in sources]
    writes = memory.l2_write if memory.l2_write < sum(min(r, memory.l2_write) for r in out) else None
    return reads, writes


def _fastest(target: Target, path: Path_) -> float:
    """The most bytes/cycle that a core reads on a path: hits, or whole lines that L2 lacks."""
    memory = target.memory
    line = memory.request_port + memory.l2_line / (path.miss_rate or memory.hbm_read)
    return max(hit_rate(target, path), memory.l2_line / line)
