"""Accesses to buffers of a group: on-chip bytes that a Cube core and the Vector cores beside it both touch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...dialects.records import dataclass
from .memory import Footprint, block_bits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    from ..support.late import np


@dataclass(frozen=True, slots=True, eq=False)
class Meeting:
    """Whose memory (see `View.owner`), which 32 B blocks of it, read or written."""

    owner: int
    space: str
    blocks: NDArray[np.int64]
    write: bool
    label: str


def meetings_of(reads: Iterable[Footprint], writes: Iterable[Footprint]) -> tuple[Meeting, ...]:
    """The accesses to buffers of the group among an instruction's effects."""
    both = ((reads, False), (writes, True))
    return tuple(_meeting(f, f.owner, write) for part, write in both for f in part if f.owner is not None)


def _meeting(footprint: Footprint, owner: int, write: bool) -> Meeting:
    bits = block_bits(footprint.boxes)
    packed = np.frombuffer(bits.to_bytes(bits.bit_length() // 8 + 1, "little"), np.uint8)
    blocks = np.flatnonzero(np.unpackbits(packed, bitorder="little"))
    return Meeting(owner, footprint.space, blocks, write, footprint.label)
