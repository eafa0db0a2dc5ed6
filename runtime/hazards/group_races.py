"""Races in buffers of a group: on-chip bytes that a Cube core and the Vector cores beside it both touch.

Each block remembers, for every pipe of every core of the group, the number of the instruction that last read it and of
the one that last wrote it. An access is in order when its pipe knows that every conflicting one is complete: through
flags and barriers of its own core, and cross-core flags (the clocks of `races` and `hazards.cross_core`).
"""

from __future__ import annotations

from dataclasses import field
from functools import partial

from ...dialects.element_types import BLOCK_BYTES
from ...dialects.records import dataclass
from ...dialects.target_types import PIPES, Target
from ..machine.meeting import Meeting
from ..machine.memory import SELF
from ..program.instruction import Instruction
from ..support.hazard import HazardError
from .cross_core import Crossing

_Pipe = tuple[int, int, bool]
"""Position of a core in its group, pipe, whether it wrote."""
_Past = list[tuple[int, int]]
"""Numbers of instructions, rising, and the blocks whose last access each is."""


@dataclass(slots=True)
class GroupRaces:
    """Accesses of one group during one launch."""

    target: Target
    past: dict[tuple[int, str], dict[_Pipe, _Past]] = field(
        default_factory=dict[tuple[int, str], dict[_Pipe, _Past]]
    )
    names: dict[tuple[int, int, int], Instruction] = field(
        default_factory=dict[tuple[int, int, int], Instruction]
    )

    def watch(self, crossing: Crossing) -> None:
        """Check what the core of `crossing` does."""
        if crossing.races is not None:
            crossing.races.meet = partial(self._access, crossing.position, crossing.order())

    def _access(
        self, position: int, order: list[int], instruction: Instruction, number: int, known: list[int]
    ) -> None:
        """Check and record an instruction of the core at `position`, number `number` of its pipe, which knows `known`
        of the cores in `order`."""
        pipe = instruction.pipe
        for meeting in instruction.meetings:
            owner = position if meeting.owner == SELF else meeting.owner
            past = self.past.setdefault((owner, meeting.space), {})
            for (core, other, wrote), accesses in past.items():
                mine = core == position and other == pipe
                if not (wrote or meeting.write) or (mine and self.target.sync.ordered_pipe):
                    continue
                late = _late(accesses, meeting.blocks, known[order.index(core) * len(PIPES) + other])
                if late is not None:
                    at, which = late
                    earlier = self.names[core, other, which]
                    raise self._race(instruction, meeting, earlier, wrote, core == position, at)
        for meeting in instruction.meetings:
            owner = position if meeting.owner == SELF else meeting.owner
            past = self.past[owner, meeting.space]
            key, others = (position, pipe, meeting.write), ~meeting.blocks
            left = [(which, blocks & others) for which, blocks in past.get(key, ()) if blocks & others]
            past[key] = [*left, (number, meeting.blocks)]
        self.names[position, pipe, number] = instruction

    def _race(
        self,
        instruction: Instruction,
        meeting: Meeting,
        earlier: Instruction,
        wrote: bool,
        same: bool,
        block: int,
    ) -> HazardError:
        verbs = {True: "writes", False: "reads"}
        whose = "the core" if same else "another core of the group"
        first, second = PIPES[earlier.pipe], PIPES[instruction.pipe]
        return HazardError(
            "in-pipe" if same and earlier.pipe == instruction.pipe else "race",
            f"{first} of {whose} {verbs[wrote]} and {second} {verbs[meeting.write]} the same bytes of the group's "
            f"buffer, and no flag from {first} to {second} orders them",
            instructions=(earlier.site.reference(), instruction.site.reference()),
            buffers=(meeting.label,),
            space=meeting.space,
            byte_range=(block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES),
        )


def _late(accesses: _Past, blocks: int, known: int) -> tuple[int, int] | None:
    """The first of some blocks whose last access is a later one than the `known`th, and the number of that."""
    found: list[tuple[int, int]] = []
    for which, touched in reversed(accesses):
        if which <= known:
            break
        if both := touched & blocks:
            found.append(((both & -both).bit_length() - 1, which))
    return min(found, default=None)
