"""GM bytes of a kernel: what it reads of each tensor, how often, and what it writes."""

from math import prod

from ...dialects.records import dataclass


@dataclass(frozen=True)
class OperandTraffic:
    """One tensor and what the kernel's tiles read of it.

    `bytes` is the tensor once, `part` what of it is read at all, `read` what all tiles read. `repeats` says for each
    dimension of the grid that the operand does not follow how many tiles read the same; `readings` how often the parts
    of its rows are met; `overlap` is how often the rest is read on average, because tiles overlap (below 1: a part is
    never read), by their halo where `windowed`. `blocks` is `read` with every row in whole 32 B blocks.
    """

    name: str
    bytes: int
    read: int
    repeats: tuple[tuple[int, int], ...]
    overlap: float
    windowed: bool
    blocks: int
    readings: int = 1
    cores: int = 1
    """How many cores read it, where each keeps it for all of its tiles."""
    most: int | None = None
    """Bytes that it takes to hold all that is read; None: the tensor's."""
    packed: bool = False
    """Whether it is a weight that was laid out anew."""

    @property
    def part(self) -> int:
        """Bytes of the tensor that are read at all: fewer of a slice, where rows are picked, where windows step over
        some, or blocks are padding."""
        times = self.readings * self.cores * prod(count for _, count in self.repeats)
        return min(self.bytes if self.most is None else self.most, self.read // times)

    @property
    def reread(self) -> int:
        """Bytes beyond the first read of everything that is read."""
        return self.read - self.part

    @property
    def reason(self) -> str:
        """Why it is read more than once, in words; empty when it is not."""
        parts = [f"{count} tiles of dimension {d}" for d, count in self.repeats]
        if self.readings > 1:
            parts.append(f"{self.readings} readings of rows that come part by part")
        if self.cores > 1:
            parts.append(f"{self.cores} cores, which keep it")
        if self.overlap > 1:
            parts.append(f"{'halo' if self.windowed else 'tiles that overlap'} {self.overlap:.2f} x")
        return ", ".join(parts)


@dataclass(frozen=True)
class KernelTraffic:
    """A kernel's GM traffic: operands in the order of its inputs, bytes written."""

    operands: tuple[OperandTraffic, ...]
    written: int

    @property
    def once(self) -> int:
        """All that is read or written, once."""
        return sum(o.part for o in self.operands) + self.written

    @property
    def packed(self) -> bool:
        """Whether a weight was laid out anew, which may take more bytes."""
        return any(o.packed for o in self.operands)

    @property
    def read(self) -> int:
        return sum(o.read for o in self.operands)

    @property
    def reread(self) -> int:
        return sum(o.reread for o in self.operands)

    @property
    def blocks(self) -> int:
        """Bytes read if DMA takes every row to whole blocks of 32 B; where rows lie end to end it need not."""
        return sum(o.blocks for o in self.operands)
