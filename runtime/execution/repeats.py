"""Launches that take the time that an earlier one of the run took.

A launch's time depends on the instructions that its cores run and on what L2 and HBM are at when it begins, not on its
data. Where L2 holds all of a program's tensors, nothing of the past matters but which lines of the arguments are there,
which of them are dirty, and how far HBM is behind. Layers that a network repeats often find all of that the same: the
clock then runs for the first of them, and the others change L2 as that one did.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...dialects.ascend import LaunchOp
from ...dialects.records import dataclass
from ..machine.memory_system import Lines, MemorySystem, Traffic
from ..profile.utilisation import LaunchUsage
from ..program.storage import Storage
from .core_state import Core
from .work import PipeWork

_DIGITS = 6
"""Of a cycle: HBM is as far behind when it differs by less."""


@dataclass(frozen=True, slots=True)
class _Change:
    """What a launch did to the lines of an argument: those that came into L2, the dirty ones then, and bytes that DMA
    read, that it wrote, and the rest that `Lines.moved` counts."""

    fetched: NDArray[np.intp]
    dirty: NDArray[np.bool_]
    moved: tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Timed:
    """A launch whose clock has run; times in cycles. `works`: what the instructions of its kernels always take.
    `traffic` is its own, `behind` how much further HBM is behind at its end, `hbm_free` when HBM is through, counted
    from the start."""

    cores: Sequence[Core]
    works: Sequence[Sequence[PipeWork]]
    start: float
    end: float
    traffic: Traffic
    behind: float
    hbm_free: float
    changes: Sequence[_Change]
    usage: LaunchUsage | None = None

    def repeat(self, arguments: Sequence[Storage], system: MemorySystem, now: float) -> None:
        """Leave L2, HBM and the counts of the arguments as the launch would that starts `now`. L2 has room for all, so
        it does not matter when a line was touched."""
        system.hbm_free = max(system.hbm_free, now + self.hbm_free)
        system.traffic.add(self.traffic)
        for storage, change in zip(arguments, self.changes, strict=True):
            lines = storage.lines
            lines.stamp[change.fetched] = system.clock
            lines.dirty[:] = change.dirty
            lines.dirty_any = lines.dirty_any or bool(change.dirty.any())
            lines.count_as(change.moved)


@dataclass(slots=True)
class Before:
    """What the memory system had counted when a launch began, at `now`."""

    now: float
    traffic: Traffic
    behind: float
    missing: Sequence[NDArray[np.bool_]]
    """Of each argument, the lines that L2 did not hold; none where the launch is not kept."""

    @staticmethod
    def of(system: MemorySystem, now: float, arguments: Sequence[Storage]) -> "Before":
        """What is so now; `arguments`: of a launch that is kept."""
        missing = [~_present(storage.lines, system) for storage in arguments]
        return Before(now, system.traffic.copy(), system.behind(now), missing)

    def timed(
        self,
        cores: Sequence[Core],
        works: Sequence[Sequence[PipeWork]],
        system: MemorySystem,
        arguments: Sequence[Storage],
    ) -> Timed:
        """The launch, now that it has ended."""
        end = max(core.end for core in cores)
        changes = [
            _Change(
                np.flatnonzero(_present(storage.lines, system) & missing),
                storage.lines.dirty.copy(),
                storage.lines.moved,
            )
            for storage, missing in zip(arguments, self.missing, strict=True)
        ]
        return Timed(
            cores,
            works,
            self.now,
            end,
            system.traffic.minus(self.traffic),
            system.behind(end) - self.behind,
            system.hbm_free - self.now,
            changes,
        )


@dataclass(slots=True)
class Repeats:
    """The launches of one run that others may repeat: those of kernels that are launched several times."""

    several: Collection[str] = ()
    known: dict[Hashable, Timed] = field(default_factory=dict[Hashable, Timed])

    @staticmethod
    def of(launches: Iterable[LaunchOp], again: bool = False) -> "Repeats":
        """Those of a function, which may run `again` itself."""
        counts = Counter(op.kernels[0] for op in launches)
        return Repeats(frozenset(name for name, count in counts.items() if again or count > 1))

    def situation(
        self, op: LaunchOp, same: Hashable, arguments: Sequence[Storage], system: MemorySystem, now: float
    ) -> Hashable | None:
        """The same for launches that take the same time: `same` says that they run the same instructions. None where
        there is no such launch, or where more than this decides the time."""
        if same is None or op.kernels[0] not in self.several or not system.roomy:
            return None
        if any(one.lines.latest > now for one in arguments):
            return None
        behind = round(system.behind(now), _DIGITS)
        return same, behind, _overlaps(arguments), tuple([_state(storage, system) for storage in arguments])


def _present(lines: Lines, system: MemorySystem) -> NDArray[np.bool_]:
    """The lines that L2 holds."""
    return lines.stamp > system.clock - system.target.memory.l2_bytes


def _state(storage: Storage, system: MemorySystem) -> Hashable:
    """What of a tensor decides the time of a launch that takes it."""
    lines = storage.lines
    held = np.packbits(_present(lines, system)).tobytes(), np.packbits(lines.dirty).tobytes()
    return storage.size, lines.start, lines.short, storage.workspace, held


def _overlaps(arguments: Sequence[Storage]) -> tuple[tuple[int, int, int], ...]:
    """Pairs of arguments that have lines of L2 in common, and how far apart they begin."""
    ranges: list[tuple[int, int]] = []
    for one in arguments:
        stamps: Any = one.lines.stamp
        begin: int = stamps.__array_interface__["data"][0]
        ranges.append((begin, begin + one.lines.stamp.nbytes))
    return tuple(
        (i, j, ranges[j][0] - first)
        for i, (first, end) in enumerate(ranges)
        for j in range(i + 1, len(ranges))
        if ranges[j][0] < end and first < ranges[j][1]
    )
