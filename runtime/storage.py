"""Tensors in GM: their bytes, rounded up to whole blocks and followed by one unreadable guard block."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .costs import BLOCK_BYTES
from .memory import NUMPY_TYPES, POISON, Array, Bytes, round_up
from .memory_system import Lines, MemorySystem


@dataclass(slots=True, eq=False)
class Storage:
    """Bytes of one tensor. Pad bytes up to a 32 B block are its own; the block after them may be read,
    and reads as nan. `data` is empty when only time is simulated. `covered` flags the bytes that DMAs wrote,
    of a tensor in which all must be."""

    label: str
    size: int
    data: Bytes
    lines: Lines
    number: int
    covered: Bytes | None = None
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

    def enter_launch(self, latency: float) -> None:
        """A launch takes the tensor: count from here. At the first one that takes a tensor of the workspace, what its
        bytes held is gone; lines that L2 is still fetching arrive within `latency` cycles."""
        if self.fresh:
            self.data.fill(POISON)
            self.lines.latest = float(self.lines.ready.max()) + latency
            self.fresh = False
        self.lines.start_counting()

    def fill(self, array: NDArray[Any]) -> None:
        """Copy an array's bytes in; the pad bytes stay poison."""
        flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        self.data[: flat.size] = flat

    def cover(self) -> None:
        """Flag from here on which bytes are written."""
        self.covered = np.zeros(round_up(self.size, BLOCK_BYTES), np.uint8)

    def missing(self) -> tuple[int, int, int] | None:
        """How many bytes nothing wrote, and the first range of them; None when all are written."""
        if self.covered is None:
            return None
        covered = self.covered[: self.size]
        first = int(covered.argmin()) if self.size else 0
        if not self.size or covered[first]:
            return None
        rest = covered[first:]
        run = int(rest.argmax()) or rest.size
        return self.size - int(np.count_nonzero(covered)), first, first + run

    def array(self, shape: tuple[int, ...], dtype: str) -> Array:
        """A copy of the tensor's elements."""
        return self.data[: self.size].view(NUMPY_TYPES[dtype]).reshape(shape).copy()
