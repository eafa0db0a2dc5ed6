"""L2 and HBM of a chip whose target file describes single GM requests (`memory.sector`).

A DMA instruction is cut into requests: the part of one burst in one line of `l2_line` bytes.

    core's port   hit    a whole line at the path's rate or `l2_read`, however few of its bytes are asked for
                  miss   max(`request_port`, bytes / the path's `miss_rate`)
    HBM           the missing lines, or what is asked for of them when L2 is bypassed: bytes / hbm_chip, and
                  `hbm_run` for each run of lines that follow each other; more where channels have no request

Where the path states `row`, a copy that turns rows to NZ goes by rows: what L2 holds costs `row` a row and its bytes at
the path's rate. A miss costs the port `request_port` and then the bytes of the whole line (its own alone past L2), and
every line is a run of its own.

The rest differs from `MemorySystem` in this:

- A request that starts or ends inside a sector fetches its line, but L2 does not keep it: the neighbour's
  request, a tile later, fetches it again.
- Writes go to HBM when L2 evicts them, at `write_back` times what reading costs; what is left in L2 at the end of
  a run is never charged. A write that evicts waits for HBM.
- A read that bypasses L2 leaves nothing in it, so requests of several cores for one line do not merge: one that
  comes while another core's is being served takes HBM `same_line` cycles, and what is behind it waits.
"""

from collections import deque
from dataclasses import field
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...dialects.records import dataclass
from ...dialects.target_types import Memory, Path_, Target
from .costs import hit_cycles, idle_channels, miss_cycles
from .memory_system import Lines, MemorySystem, Pattern, least, most, place, spread

if TYPE_CHECKING:
    from .memory_system import Index, Units


@dataclass(slots=True, eq=False)
class Requests:
    """Requests of a DMA by the line that they touch: index of the line, requests, bytes, cut inside a sector."""

    units: NDArray[np.int64]
    spread: "Units"  # the same, as a range where all are as far apart
    runs: int  # of lines without gaps
    count: NDArray[np.int64]
    bytes: NDArray[np.int64]
    cut: NDArray[np.bool_]
    total: int
    any_cut: bool
    lines: int  # how many
    last: int  # of them
    held: tuple[Path_ | None, Memory | None, float] = (None, None, 0.0)
    """The path and the memory asked for last, and the cycles that what L2 holds takes there."""


@lru_cache(maxsize=8192)
def requests_of(pattern: Pattern, phase: int, line: int, sector: int) -> Requests:
    """Requests of a DMA that starts at `phase` in a line; bursts without a gap between them count as one."""
    if pattern.bursts > 1 and pattern.stride == pattern.burst:
        pattern = Pattern(1, pattern.bytes, 0)
    starts = phase + np.arange(pattern.bursts, dtype=np.int64) * pattern.stride
    ends = starts + pattern.burst
    lowest, highest = starts // line, (ends - 1) // line
    grid = lowest[:, None] + np.arange(int((highest - lowest).max()) + 1, dtype=np.int64)
    low = np.maximum(starts[:, None], grid * line)
    high = np.minimum(ends[:, None], (grid + 1) * line)
    used = grid <= highest[:, None]
    units, inverse, count = np.unique(grid[used], return_inverse=True, return_counts=True)
    moved = np.bincount(inverse, weights=(high - low)[used]).astype(np.int64)
    inside = ((low % sector != 0) | (high % sector != 0))[used]
    cut = (np.bincount(inverse, weights=inside) > 0) & (moved < line)
    return Requests(
        units,
        spread(units),
        _runs(units),
        count,
        moved,
        cut,
        int(count.sum()),
        bool(cut.any()),
        len(units),
        int(units[-1]),
    )


def _runs(lines: NDArray[np.int64]) -> int:
    """Runs of lines that follow each other."""
    return 1 + int(np.count_nonzero(lines[1:] - lines[:-1] > 1))


@dataclass(slots=True)
class _Asked:
    """Which core asked for each line last past L2, and until when it is served."""

    core: NDArray[np.int16]
    until: NDArray[np.float64]


@dataclass(slots=True, eq=False)
class _Miss:
    """A read of which L2 lacks some lines: the lines of its tensor, which are asked for, from line `first` of it on;
    `where` all of these are among the tensor's, which of them are `missing` (None: all), how many."""

    lines: Lines
    asked: Requests
    first: int
    where: "Index"
    missing: NDArray[np.bool_] | None
    misses: int
    start: float
    path: Path_

    @property
    def final(self) -> int:
        """The last line that is asked for."""
        return self.first + self.asked.last

    @property
    def at_end(self) -> bool:
        """Whether the tensor's last line is among what is missing."""
        return self.final >= self.lines.last and bool(self.missing is None or self.missing[-1])


@dataclass(slots=True)
class RequestMemory(MemorySystem):
    """The chip's L2 and HBM during one program run, request by request."""

    written: deque[tuple[int, Lines, NDArray[np.int64]]] = field(
        default_factory=deque[tuple[int, Lines, NDArray[np.int64]]]
    )
    asked: dict[int, _Asked] = field(default_factory=dict[int, _Asked])

    def read(
        self,
        lines: Lines,
        pattern: Pattern,
        offset: int,
        start: float,
        path: Path_,
        core: int = 0,
        bypass: bool = False,
    ) -> tuple[float, float]:
        """Serve a read that starts at `start`: the cycle when its pipe is free, its latency after that."""
        memory, traffic, line = self.target.memory, self.traffic, self.target.memory.l2_line
        first, phase = divmod(offset, line)
        asked = requests_of(pattern, phase, line, memory.sector)
        count, nbytes = asked.lines, pattern.bytes
        traffic.dma_read += nbytes
        lines.read += nbytes
        traffic.lines_read += count
        by_rows = pattern.turned and path.row > 0
        known, there, port = asked.held
        if known is not path or there is not memory:
            port = hit_cycles(self.target, path, pattern.apart if by_rows else 0, nbytes, asked.total)
            asked.held = path, memory, port
        limit, final = self.clock - memory.l2_bytes, first + asked.last
        if lines.oldest > limit and final <= lines.last:
            traffic.lines_hit += count
            return self._hit(lines, asked.spread, first, start, start + max(path.issue, port), path)
        where = place(asked.spread, first)
        stamps = lines.stamp[where]
        if least(stamps) > limit:
            traffic.lines_hit += count
            return self._hit(lines, asked.spread, first, start, start + max(path.issue, port), path)
        missing, misses = None, count
        if most(stamps) > limit:
            missing = stamps <= limit
            misses = int(np.count_nonzero(missing))
            traffic.lines_hit += count - misses
        miss = _Miss(lines, asked, first, where, missing, misses, start, path)
        return self._fetch(miss, pattern, port, core, bypass)

    def _fetch(
        self, miss: _Miss, pattern: Pattern, port: float, core: int, bypass: bool
    ) -> tuple[float, float]:
        """The read, of which L2 lacks some lines; `port`: the port's cycles if it lacked none."""
        memory, traffic, lines = self.target.memory, self.traffic, miss.lines
        asked, missing, start, path = miss.asked, miss.missing, miss.start, miss.path
        sent, moved, count, absent, runs = asked.total, pattern.bytes, asked.count, miss.where, asked.runs
        arrival = 0.0
        if missing is not None:
            count, index = count[missing], asked.units + miss.first
            sent, moved = int(np.add.reduce(count)), int(np.add.reduce(asked.bytes[missing]))
            absent = index[missing]
            runs = _runs(absent)
            if lines.latest > start:
                arrival = most(lines.ready[index[~missing]])
        fetched = moved if bypass else miss.misses * memory.l2_line
        if not bypass and lines.short and miss.at_end:
            fetched -= lines.short
        by_rows = pattern.turned and path.row > 0
        port *= 1 - sent / asked.total
        taken = fetched if by_rows else moved
        port += miss_cycles(self.target, path, sent, taken, by_rows)
        if by_rows:
            runs = miss.misses
        served = fetched / memory.hbm_chip + runs * memory.hbm_run
        if bypass:
            shared = self._shared(lines, absent, count, start, core)
            alone = served * (1 - shared / sent)
            served = max(alone + shared * (path.same_line or memory.same_line), served)
        traffic.hbm_read += fetched
        lines.fetched += fetched
        lines.first += self._first(lines, absent, miss.misses, fetched)
        traffic.hbm_busy += served
        fetched_at = max(self.hbm_free, start) + served
        self.hbm_free = fetched_at + (self._idle(served, start) if memory.hbm_channels else 0.0)
        busy = max(start + path.issue, start + port, arrival)
        if fetched_at > busy:
            traffic.hbm_wait += fetched_at - busy
            busy = fetched_at
        if bypass:
            self.asked[id(lines)].until[absent] = busy
        else:
            self._keep(miss, absent, fetched_at)
        return busy, path.latency + memory.miss_latency

    def _idle(self, served: float, start: float) -> float:
        """How much longer HBM takes for what it would serve in `served` cycles, as some channels have no request."""
        memory = self.target.memory
        line = memory.l2_line / memory.hbm_chip
        return served * idle_channels(memory, (served + max(0.0, self.hbm_free - start)) / line)

    def _keep(self, miss: _Miss, absent: "Index", busy: float) -> None:
        """L2 keeps lines that were fetched until `busy`, but those that were cut inside a sector."""
        memory, lines, asked, missing = self.target.memory, miss.lines, miss.asked, miss.missing
        if asked.any_cut:
            index, keep = asked.units + miss.first, ~asked.cut
            if missing is not None:
                keep &= missing
            if miss.at_end:
                keep[-1] = True  # nothing follows that could ask for the rest of it
            kept = index[keep]
            self.clock += len(kept) * memory.l2_line
            if missing is not None:
                lines.stamp[index[~missing]] = self.clock
            lines.stamp[kept] = self.clock
            lines.ready[kept] = busy
        else:
            self.clock += miss.misses * memory.l2_line
            lines.stamp[miss.where] = self.clock
            lines.ready[absent] = busy
        lines.latest = max(lines.latest, busy + memory.miss_latency)
        self._evict()

    def _shared(self, lines: Lines, index: "Index", count: NDArray[np.int64], start: float, core: int) -> int:
        """How many of the requests find their line being served to another core."""
        asked = self.asked.get(id(lines))
        if asked is None:
            size = len(lines.stamp)
            asked = self.asked[id(lines)] = _Asked(
                np.full(size, core, np.int16), np.full(size, -1.0, np.float64)
            )
        others = (asked.core[index] != core) & (asked.until[index] > start)
        asked.core[index] = core
        return int(count[others].sum())

    def _evict(self) -> bool:
        """Write back what L2 no longer holds; whether there was any."""
        memory, wrote = self.target.memory, 0
        limit = self.clock - memory.l2_bytes
        if not self.written or self.written[0][0] > limit:
            return False
        while self.written and self.written[0][0] <= limit:
            _, lines, index = self.written.popleft()
            index = index[lines.dirty[index]]
            stamps = lines.stamp[index]
            gone = stamps <= limit
            wrote += int(np.count_nonzero(gone))
            lines.dirty[index[gone]] = False
            if not gone.all():  # touched since it was written
                self.written.append((int(stamps[~gone].min()), lines, index[~gone]))
        self.traffic.hbm_write += wrote * memory.l2_line
        served = wrote * memory.l2_line / memory.hbm_chip * memory.write_back
        self.traffic.hbm_busy += served
        self.hbm_free += served
        return wrote > 0

    def write(
        self, lines: Lines, pattern: Pattern, offset: int, start: float, path: Path_
    ) -> tuple[float, float]:
        """Serve a write that starts at `start`: the cycle when its pipe is free, its latency after that."""
        memory, traffic, line = self.target.memory, self.traffic, self.target.memory.l2_line
        first, phase = divmod(offset, line)
        asked = requests_of(pattern, phase, line, memory.sector)
        where, count = place(asked.spread, first), asked.lines
        nbytes = pattern.bytes
        traffic.dma_write += nbytes
        lines.written += nbytes
        stamps, limit = lines.stamp[where], self.clock - memory.l2_bytes
        units, missing, fresh = asked.units, 0, count
        if least(stamps) > limit:
            dirty = lines.dirty[where]
            fresh -= int(np.count_nonzero(dirty))
            units = units[~dirty] if fresh else units
        elif most(stamps) <= limit:
            missing = count
        else:
            present = stamps > limit
            missing = count - int(np.count_nonzero(present))
            units = units[~(present & lines.dirty[where])]
            fresh = len(units)
        self.clock += missing * line
        lines.stamp[where] = self.clock
        granules = pattern.bursts * (-(-pattern.burst // path.granule) * path.granule)
        rate = min(path.rate, memory.l2_write)
        absent = missing / count
        port = granules * ((1 - absent) / rate + absent / (path.miss_rate or rate))
        busy = start + max(path.issue, port)
        if fresh:
            lines.dirtied += fresh * line
            lines.dirty[where] = True
            self.written.append((self.clock, lines, units + first))
        if missing:
            self.hbm_free = max(self.hbm_free, start)
            if self._evict() and self.hbm_free > busy:
                traffic.hbm_wait += self.hbm_free - busy
                busy = self.hbm_free
        return busy, path.first_latency if missing else path.latency


def memory_of(target: Target) -> MemorySystem:
    """The memory system that a target file describes."""
    return RequestMemory(target) if target.memory.sector else MemorySystem(target)
