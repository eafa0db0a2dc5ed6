"""L2 and HBM of the chip: how long a GM request takes, and what it moves.

L2 holds lines of `l2_line` bytes. Each GM tensor has a stamp per line: the value of a clock that counts
the bytes ever brought into L2, taken when the line was last touched. A line is present while fewer than
`l2_bytes` came in since: least-recently-used at the cost of one comparison per line. HBM is one server
of `hbm_chip` bytes per cycle for all cores, first come first served; requests must arrive in order of
their start. A line that another request is still fetching counts as present from the moment it arrives
(misses merge). Writes stay in L2 and go to HBM once per dirty episode of a line, charged to the HBM
server when the episode begins.

    read    port  = hit bytes / l2_read + missed bytes / hbm_read            cycles on the core's pipe
            busy  = max(issue, port, end of the HBM service, arrival of lines in flight)
    write   busy  = max(issue, bytes / min(path rate, l2_write)), later only when L2 cannot buffer it
"""

from __future__ import annotations

from dataclasses import field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...dialects.records import dataclass
from ...dialects.target_types import Path_, Target

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Units = range | NDArray[np.int64]
    """Positions in order: those of a range, or of an array."""
    Index = slice[int, int, int] | NDArray[np.int64]

else:
    from ..support.late import np


def place(units: Units, first: int) -> Index:
    """The index of `units`, counted from `first`, into an array of all units."""
    if isinstance(units, range):
        return slice(first + units.start, first + units.stop, units.step)
    return units + first


def spread(units: NDArray[np.int64]) -> Units:
    """The positions of an array as a range, where all are as far apart: what is indexed by a range is not copied."""
    steps = units[1:] - units[:-1]
    step = int(steps[0]) if len(steps) else 1
    return range(int(units[0]), int(units[-1]) + 1, step) if (steps == step).all() else units


def least(values: NDArray[Any]) -> Any:
    """The least of some values; of as few as a request has, numpy's reduction takes four times as long."""
    return values.item(values.argmin())


def most(values: NDArray[Any]) -> Any:
    """The largest of some values."""
    return values.item(values.argmax())


@dataclass(frozen=True, slots=True)
class Pattern:
    """Shape of a DMA's GM side: `bursts` bursts of `burst` bytes, `stride` bytes from start to start.

    `turned`: the bursts are rows that become NZ on the way.
    """

    bursts: int
    burst: int
    stride: int
    turned: bool = False
    bytes: int = field(init=False, compare=False)
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "bytes", self.bursts * self.burst)
        object.__setattr__(self, "_hash", hash((self.bursts, self.burst, self.stride, self.turned)))

    def __hash__(self) -> int:
        return self._hash

    @property
    def apart(self) -> int:
        """Bursts with gaps between them: those without one count as one."""
        return 1 if self.stride == self.burst else self.bursts

    @property
    def extent(self) -> int:
        """Bytes from the first to one past the last."""
        return (self.bursts - 1) * self.stride + self.burst


@lru_cache(maxsize=4096)
def pattern_of(bursts: int, burst: int, stride: int, turned: bool) -> Pattern:
    """The same object for equal patterns: what requests touch is looked up by it."""
    return Pattern(bursts, burst, stride, turned)


@lru_cache(maxsize=4096)
def units_of(pattern: Pattern, phase: int, unit: int) -> Units:
    """Units of `unit` bytes that a request touches when it starts at `phase` in the first of them."""
    if pattern.bursts == 1 or pattern.stride <= pattern.burst:
        return range(-(-(phase + pattern.extent) // unit))
    starts = phase + np.arange(pattern.bursts, dtype=np.int64) * pattern.stride
    first, last = starts // unit, (starts + pattern.burst - 1) // unit
    width = int((last - first).max()) + 1
    grid = first[:, None] + np.arange(width, dtype=np.int64)
    return spread(np.unique(grid[grid <= last[:, None]]))


class Lines:
    """L2 state of one GM tensor of `size` bytes: one entry per line, and one for what may follow it."""

    def __init__(self, size: int, line: int):
        used = max(1, -(-size // line))
        count = used + 1
        self.stamp = np.full(count, np.iinfo(np.int64).min // 2, np.int64)
        self.ready = np.zeros(count, np.float64)
        self.dirty = np.zeros(count, np.bool_)
        self.dirty_any = False
        self.last = used - 1
        self.short = used * line - size  # bytes that the last line lacks
        self.start = 0  # the tensor's first byte in its first line
        self.latest = 0.0
        self.start_counting()

    def part(self, first: int, size: int, line: int, start: int = 0) -> Lines:
        """The lines from `first` on as those of a tensor of `size` bytes, which begins `start` bytes into them: what
        L2 holds of them is one state."""
        first, start = first + start // line, start % line
        found = Lines(start + size, line)
        found.start = start
        end = first + len(found.stamp)
        found.stamp, found.ready = self.stamp[first:end], self.ready[first:end]
        found.dirty = self.dirty[first:end]
        found.dirty_any = True
        return found

    @property
    def moved(self) -> tuple[int, int, int, int, int]:
        """What was counted."""
        return self.read, self.written, self.fetched, self.first, self.dirtied

    def count_as(self, moved: tuple[int, int, int, int, int]) -> None:
        """Count as much as a launch that did the same."""
        self.read, self.written, self.fetched, self.first, self.dirtied = moved

    def start_counting(self) -> None:
        """A launch starts: nothing of the tensor is moved yet."""
        self.read = self.written = 0  # bytes moved by the DMA engines
        self.fetched = 0  # bytes read from HBM
        self.first = 0  # of them those of lines that L2 did not hold when the launch began, each once
        self.dirtied = 0  # bytes of lines that became dirty
        self.oldest = int(self.stamp[: self.last + 1].min())
        """When the launch began, no line of the tensor was touched before: stamps only grow."""


@dataclass(slots=True)
class Traffic:
    """Bytes and lines moved so far, cycles that HBM takes for them and that requests waited for it; `minus` gives
    what one launch moved."""

    dma_read: int = 0
    dma_write: int = 0
    hbm_read: int = 0
    hbm_write: int = 0
    lines_read: int = 0
    lines_hit: int = 0
    hbm_busy: float = 0.0
    hbm_wait: float = 0.0

    def minus(self, other: Traffic) -> Traffic:
        return Traffic(*(getattr(self, n) - getattr(other, n) for n in Traffic.__slots__))

    def copy(self) -> Traffic:
        return Traffic(*(getattr(self, n) for n in Traffic.__slots__))

    def add(self, other: Traffic) -> None:
        """Count what another launch moved."""
        for n in Traffic.__slots__:
            setattr(self, n, getattr(self, n) + getattr(other, n))


@dataclass(slots=True)
class MemorySystem:
    """The chip's L2 and HBM during one program run; times in cycles."""

    target: Target
    traffic: Traffic = field(default_factory=Traffic)
    clock: int = 0
    hbm_free: float = 0.0
    began: int = 0
    """The clock when the launch began that is under way."""
    roomy: bool = False
    """Whether L2 holds all that there is: no line ever leaves it, so it does not matter when one was touched."""

    def tensor(self, size: int) -> Lines:
        return Lines(size, self.target.memory.l2_line)

    def begin_launch(self) -> None:
        """A launch starts: what L2 holds now is what it found there."""
        self.began = self.clock

    def _first(self, lines: Lines, absent: Index, misses: int, fetched: int) -> int:
        """Of `fetched` bytes, of `misses` lines, those of lines that L2 did not hold when the launch began and that are
        fetched for the first time."""
        held = self.target.memory.l2_bytes
        if self.clock - self.began < held:
            return fetched  # what a launch has touched stays until as many bytes came in
        new = int(np.count_nonzero(lines.stamp[absent] <= self.began - held))
        return fetched if new == misses else new * self.target.memory.l2_line

    def behind(self, now: float) -> float:
        """Cycles of HBM's work that are left at `now`."""
        return max(0.0, self.hbm_free - now)

    def _lines(self, pattern: Pattern, offset: int) -> tuple[Units, int, int]:
        """Lines that a request at `offset` touches, from the first of them on: which, the first, and the last."""
        first, phase = divmod(offset, self.target.memory.l2_line)
        units = units_of(pattern, phase, self.target.memory.l2_line)
        return units, first, first + int(units[-1])

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
        """Serve a read that starts at `start`: the cycle when its pipe is free, its latency after that.

        `core` and `bypass` matter where single requests are modelled (request_memory.py).
        """
        memory, traffic = self.target.memory, self.traffic
        units, first, final = self._lines(pattern, offset)
        where, count, nbytes = place(units, first), len(units), pattern.bytes
        traffic.dma_read += nbytes
        lines.read += nbytes
        traffic.lines_read += count
        stamps, limit = lines.stamp[where], self.clock - memory.l2_bytes
        if least(stamps) > limit:
            traffic.lines_hit += count
            busy = start + max(path.issue, nbytes / memory.l2_read)
            return self._hit(lines, units, first, start, busy, path)
        arrival, misses, touched = 0.0, count, where
        if most(stamps) > limit:
            missing = stamps <= limit
            misses = int(np.count_nonzero(missing))
            traffic.lines_hit += count - misses
            index = np.arange(where.start, where.stop, where.step) if isinstance(where, slice) else where
            touched = index[missing]
            if lines.latest > start:
                arrival = most(lines.ready[index[~missing]])
        fetched = misses * memory.l2_line
        if lines.short and final >= lines.last and lines.stamp[lines.last] <= limit:
            fetched -= lines.short
        traffic.hbm_read += fetched
        lines.fetched += fetched
        lines.first += self._first(lines, touched, misses, fetched)
        self.clock += fetched
        served = fetched / memory.hbm_chip
        traffic.hbm_busy += served
        self.hbm_free = max(self.hbm_free, start) + served
        missed = nbytes * misses / count
        port = (nbytes - missed) / memory.l2_read + fetched / memory.hbm_read
        busy = max(start + path.issue, start + port, arrival)
        if self.hbm_free > busy:
            traffic.hbm_wait += self.hbm_free - busy
            busy = self.hbm_free
        lines.stamp[where] = self.clock
        lines.ready[touched] = busy
        if lines.dirty_any:
            lines.dirty[touched] = False
        lines.latest = max(lines.latest, busy + memory.miss_latency)
        return busy, path.latency + memory.miss_latency

    def _hit(
        self, lines: Lines, units: Units, first: int, start: float, busy: float, path: Path_
    ) -> tuple[float, float]:
        """Serve a read whose lines are all present, some perhaps on their way; its port is free at `busy`. They are
        `units` from the line `first` on."""
        if self.roomy and lines.latest <= start:
            return busy, path.latency
        where = place(units, first)
        lines.stamp[where] = self.clock
        if lines.latest <= start:
            return busy, path.latency
        arrival = most(lines.ready[where])
        done = max(busy, arrival + self.target.memory.miss_latency) + path.latency
        busy = max(busy, arrival)
        return busy, done - busy

    def write(
        self, lines: Lines, pattern: Pattern, offset: int, start: float, path: Path_
    ) -> tuple[float, float]:
        """Serve a write that starts at `start`: the cycle when its pipe is free, its latency after that."""
        memory, traffic = self.target.memory, self.traffic
        units, first, final = self._lines(pattern, offset)
        where, count, nbytes = place(units, first), len(units), pattern.bytes
        traffic.dma_write += nbytes
        lines.written += nbytes
        present = lines.stamp[where] > self.clock - memory.l2_bytes
        clean = ~(present & lines.dirty[where])
        fresh = int(np.count_nonzero(clean))
        if fresh:
            written = fresh * memory.l2_line
            if lines.short and final == lines.last and clean[-1]:
                written -= lines.short
            traffic.hbm_write += written
            lines.dirtied += written
            self.clock += (count - int(np.count_nonzero(present))) * memory.l2_line
            served = written / memory.hbm_chip
            traffic.hbm_busy += served
            self.hbm_free = max(self.hbm_free, start) + served
            lines.dirty[where] = True
            lines.dirty_any = True
        lines.stamp[where] = self.clock
        granules = pattern.bursts * (-(-pattern.burst // path.granule) * path.granule)
        busy = start + max(path.issue, granules / min(path.rate, memory.l2_write))
        held = self.hbm_free - memory.l2_bytes / memory.hbm_chip - busy
        if held > 0:
            traffic.hbm_wait += held
            busy += held
        return busy, path.latency
