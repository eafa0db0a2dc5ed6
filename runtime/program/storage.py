"""Tensors in GM: their bytes, rounded up to whole blocks and followed by one unreadable guard block."""

from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...dialects.element_types import BLOCK_BYTES
from ...dialects.records import dataclass
from ..machine.memory import NUMPY_TYPES, POISON, Array, Bytes, round_up
from ..machine.memory_system import Lines, MemorySystem, Pattern
from .kernel_program import Site

DEFINED, UNWRITTEN = 0, 255
"""Labels of bytes (shadow.py)."""


@dataclass(frozen=True, slots=True)
class Origin:
    """An instruction that read unwritten bytes: of which buffer, where. `byte_range` is negative where it is not
    known."""

    site: Site
    buffer: str
    space: str
    byte_range: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Poison:
    """Bytes of a tensor that unwritten bytes have decided: how many, the first range of them, who first read what
    decides it (its label) and who stored it."""

    count: int
    first: int
    end: int
    label: int
    store: Site


@dataclass(slots=True, eq=False)
class Storage:
    """Bytes of one tensor. Pad bytes up to a 32 B block are its own; the block after them may be read,
    and reads as nan. `data` is empty when only time is simulated. `shadow` holds a label for each byte; without it the
    tensor's bytes are defined, and what lies behind them is not."""

    label: str
    size: int
    data: Bytes
    lines: Lines
    number: int
    shadow: Bytes | None = None
    whole: bool = True
    """Whether all of its bytes are defined; known when a launch begins."""
    stores: dict[Site, tuple[int, int]] = field(default_factory=dict[Site, tuple[int, int]])
    """Who stored labelled bytes, the latest last, and from where to where."""
    parent: "Storage | None" = None
    """The tensor whose bytes these are some of."""
    start: int = 0
    """The first of them in the parent."""
    parts: bool = False
    """Whether there are tensors whose bytes are some of these."""
    workspace: bool = False
    """Whether cores hand tiles to each other here: its bytes need not cross HBM."""
    fresh: bool = False
    """Whether it lies in the function's workspace and no launch has taken it yet."""
    place: int | None = None
    """Where it starts in the function's workspace."""

    @staticmethod
    def new(label: str, size: int, system: MemorySystem, number: int, values: bool) -> "Storage":
        room = round_up(size, BLOCK_BYTES)
        data = np.full(room + BLOCK_BYTES if values else 0, POISON, np.uint8)
        return Storage(label, size, data, system.tensor(size), number)

    @staticmethod
    def within(workspace: "Storage", offset: int, label: str, size: int, number: int, line: int) -> "Storage":
        """A tensor that starts `offset` bytes into a workspace and shares its bytes, and its lines in L2."""
        end = offset + round_up(size, BLOCK_BYTES) + BLOCK_BYTES
        lines = workspace.lines.part(offset // line, size, line)
        return Storage(label, size, workspace.data[offset:end], lines, number, fresh=True, place=offset)

    def part(self, offset: int, size: int, label: str, number: int, line: int) -> "Storage":
        """The `size` bytes from `offset` on as a tensor of its own."""
        end = offset + round_up(size, BLOCK_BYTES) + BLOCK_BYTES
        first, phase = divmod(offset, line)
        lines = self.lines.part(first, size, line, self.lines.start + phase)
        if offset + size < self.size:
            lines.short = 0  # what follows is in the last line, too
        found = Storage(label, size, self.data[offset:end], lines, number, parent=self, start=offset)
        if self.shadow is not None:
            found.shadow, found.whole = self.shadow[offset:end], False
        self.parts = True
        return found

    @property
    def root(self) -> "Storage":
        """The tensor that has bytes of its own."""
        return self if self.parent is None else self.parent.root

    @property
    def within_root(self) -> tuple[int, int]:
        """Its first byte there, and one past its last."""
        first = self.start + (self.parent.within_root[0] if self.parent is not None else 0)
        return first, first + self.size

    def enter_launch(self, latency: float) -> None:
        """A launch takes the tensor: count from here. At the first one that takes a tensor of the workspace, what its
        bytes held is gone; lines that L2 is still fetching arrive within `latency` cycles."""
        root = self.root
        if root.fresh:
            root.data.fill(POISON)
            root.fresh = False
            root.lines.latest = float(root.lines.ready.max()) + latency
        if self.parts or self.parent is not None:  # a tensor that shares bytes may have changed them
            self.lines.latest = float(self.lines.ready.max()) + latency
            self.lines.dirty_any = True
            self.whole = self.shadow is None
        self.lines.start_counting()
        if not self.whole and self.shadow is not None:
            self.whole = not self.shadow[: self.size].any()

    def fill(self, array: NDArray[Any]) -> None:
        """Copy an array's bytes in; the pad bytes stay poison."""
        flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        self.data[: flat.size] = flat

    def track(self) -> None:
        """Nothing is written so far, and from here on what is written is known."""
        self.shadow = np.full(round_up(self.size, BLOCK_BYTES) + BLOCK_BYTES, UNWRITTEN, np.uint8)
        self.whole = False

    def labels(self) -> Bytes:
        """The label of each byte, the guard's included."""
        if self.shadow is None:
            self.shadow = np.full(round_up(self.size, BLOCK_BYTES) + BLOCK_BYTES, UNWRITTEN, np.uint8)
            self.shadow[: self.size] = DEFINED
        return self.shadow

    def region(self, pattern: Pattern, offset: int) -> Bytes:
        """The labels that a DMA meets: [bursts, bytes]."""
        shape = pattern.bursts, pattern.burst
        return np.ndarray(shape, np.uint8, self.labels().data, offset, (pattern.stride, 1))

    def defined(self, pattern: Pattern, offset: int) -> bool:
        """Whether all bytes that a DMA reads are defined."""
        if offset + pattern.extent > self.size:
            return False
        return self.whole or not np.count_nonzero(self.region(pattern, offset))

    def define(self, pattern: Pattern, offset: int) -> None:
        """A DMA writes bytes that are defined."""
        if self.whole:
            return
        if pattern.bursts == 1 or pattern.stride <= pattern.burst:
            self.labels()[offset : offset + pattern.extent] = DEFINED
        else:
            self.region(pattern, offset)[...] = DEFINED

    def stored(self, site: Site, pattern: Pattern, offset: int) -> None:
        """A DMA has written labels."""
        region = self.region(pattern, offset)
        if offset < self.size and np.count_nonzero(region):
            self.whole = False
            self._remember(site, offset, offset + pattern.extent)

    def _remember(self, site: Site, first: int, end: int) -> None:
        low, high = self.stores.pop(site, (first, first))
        self.stores[site] = min(low, first), max(high, end)
        if self.parent is not None:
            self.parent._remember(site, first + self.start, end + self.start)

    def unwritten_span(self, pattern: Pattern, offset: int) -> tuple[int, int]:
        """From the first to the last byte that a DMA reads and nothing wrote."""
        bursts, positions = np.nonzero(self.region(pattern, offset) == UNWRITTEN)
        at = offset + bursts * pattern.stride + positions
        return int(at.min()), int(at.max()) + 1

    def missing(self) -> tuple[int, int, int] | None:
        """How many bytes nothing wrote, and the first range of them; None when all are written."""
        return None if self.shadow is None else _first(self.shadow[: self.size] == UNWRITTEN)

    def poison(self) -> Poison | None:
        """What unwritten bytes have decided of the tensor's; None when nothing."""
        if self.shadow is None or (found := _first(self.shadow[: self.size] != DEFINED)) is None:
            return None
        count, first, end = found
        around = [site for site, (low, high) in self.stores.items() if low <= first < high]
        return Poison(count, first, end, int(self.shadow[first]), around[-1])

    def array(self, shape: tuple[int, ...], dtype: str) -> Array:
        """A copy of the tensor's elements."""
        return self.data[: self.size].view(NUMPY_TYPES[dtype]).reshape(shape).copy()


def _first(flags: NDArray[np.bool_]) -> tuple[int, int, int] | None:
    """How many are set, and the first range of them."""
    if not flags.any():
        return None
    first = int(flags.argmax())
    rest = ~flags[first:]
    run = int(rest.argmax()) or rest.size
    return int(np.count_nonzero(flags)), first, first + run
