"""Accesses to buffers of a group: on-chip bytes that a Cube core and the Vector cores beside it both touch."""

from __future__ import annotations

from collections.abc import Iterable

from ...dialects.records import dataclass
from .memory import Footprint, block_bits


@dataclass(frozen=True, slots=True, eq=False)
class Meeting:
    """Whose memory (see `View.owner`), which 32 B blocks of it, as the bits of an integer, read or written."""

    owner: int
    space: str
    blocks: int
    write: bool
    label: str


def meetings_of(reads: Iterable[Footprint], writes: Iterable[Footprint]) -> tuple[Meeting, ...]:
    """The accesses to buffers of the group among an instruction's effects."""
    both = ((reads, False), (writes, True))
    return tuple(_meeting(f, f.owner, write) for part, write in both for f in part if f.owner is not None)


def _meeting(footprint: Footprint, owner: int, write: bool) -> Meeting:
    return Meeting(owner, footprint.space, block_bits(footprint.boxes), write, footprint.label)
