"""Conflicts through GM within one launch, by 32 B block: between cores, where nothing orders them, and
between the pipes of one core, where flags and barriers do. A chip whose DMA writes single bytes lets cores share a
block: there a tensor is tracked in smaller pieces from the first access on that begins or ends inside one.

Only tensors that the kernel writes are tracked. Each block remembers its last writer, which came after all others, and
its last reader for every pipe of every place in a group of cores: readers are in no order. So are writers that join
elements to those that are there, atomically and in the same way: they are known as readers are, apart from these.
"""

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...dialects.element_types import BLOCK_BYTES
from ...dialects.records import dataclass
from ...dialects.target_types import PIPES
from ..machine.memory_system import Pattern, place, units_of
from ..program.instruction import GmUse, Instruction
from ..program.storage import Storage
from ..support.hazard import HazardError, Kind

if TYPE_CHECKING:
    from ..machine.memory_system import Index

_NOBODY = -1
_SEVERAL = -2  # groups
_PIPE_SHIFT = 40
_CORE_SHIFT = 44
_NUMBER_MASK = (1 << _PIPE_SHIFT) - 1


@dataclass(slots=True)
class _Blocks:
    writer: NDArray[np.int64]
    unit: int = BLOCK_BYTES
    readers: dict[tuple[int, int], NDArray[np.int64]] = field(
        default_factory=dict[tuple[int, int], NDArray[np.int64]]
    )
    """By the place of a core in its group and its pipe."""
    joined: dict[str, dict[tuple[int, int], NDArray[np.int64]]] = field(
        default_factory=dict[str, dict[tuple[int, int], NDArray[np.int64]]]
    )
    """The same of atomic writers, by what they do."""

    def tell_apart(self, pattern: Pattern, offset: int) -> None:
        """Smaller units, if a request ends inside one. No earlier request did, so each part of a unit has seen what
        the unit has."""
        ends = offset | pattern.burst | (pattern.stride if pattern.bursts > 1 else 0)
        if not ends % self.unit:
            return
        unit = ends & -ends
        self.writer = np.repeat(self.writer, self.unit // unit)
        for each in (self.readers, *self.joined.values()):
            for key, last in each.items():
                each[key] = np.repeat(last, self.unit // unit)
        self.unit = unit


def _in_order(codes: NDArray[np.int64], group: Sequence[int], known: Sequence[int]) -> bool:
    """Whether a core of `group` that knows `known` knows of all accesses that `codes` stand for; each is looked at once
    where its blocks are side by side."""
    changes = np.flatnonzero(codes[1:] != codes[:-1])
    found = {int(codes[0])} if not changes.size else {int(codes[-1]), *codes[changes].tolist()}
    for code in found:
        if code == _NOBODY:
            continue
        core = code >> _CORE_SHIFT
        if core not in group:
            return False
        pipe = group.index(core) * len(PIPES) + (code >> _PIPE_SHIFT & 15)
        if code & _NUMBER_MASK > known[pipe]:
            return False
    return True


def sharing(arguments: Sequence[Storage]) -> tuple[int, ...]:
    """Which arguments of a launch are one tensor: the first place of each."""
    first: dict[int, int] = {}
    return tuple([first.setdefault(storage.number, i) for i, storage in enumerate(arguments)])


class GmRaces:
    """Writers and readers of the written tensors of one launch, by storage."""

    def __init__(self, arguments: Sequence[Storage], writes: Iterable[int], bytewise: bool = False):
        """`arguments`: the tensors that the kernel is given; `writes`: which of them it writes. `bytewise`: whether two
        cores may share a block of 32 B of which each has bytes of its own."""
        self.storages, self.bytewise = arguments, bytewise
        self.blocks = {
            arguments[i].number: _Blocks(np.full(arguments[i].size // BLOCK_BYTES + 2, _NOBODY, np.int64))
            for i in writes
        }
        self.names: dict[int, Instruction] = {}
        self.groups: dict[int, list[int]] = {}
        self.positions: dict[int, int] = {}

    def join(self, cores: list[int]) -> None:
        """These cores are ordered by cross-core flags; a core's clock has its own pipes first, then the others'."""
        for position, core in enumerate(cores):
            self.positions[core] = position
            self.groups[core] = [core, *(other for other in cores if other != core)]

    def access(
        self, instruction: Instruction, use: GmUse, offset: int, core: int, number: int, known: list[int]
    ) -> None:
        """Check and record a DMA of `core` that is number `number` of its pipe, which knows `known`."""
        storage = self.storages[use.argument]
        blocks = self.blocks.get(storage.number)
        if blocks is None:
            return
        if self.bytewise:
            blocks.tell_apart(use.pattern, offset)
        first, phase = divmod(offset, blocks.unit)
        where = place(units_of(use.pattern, phase, blocks.unit), first)
        code = (core << _CORE_SHIFT) | (instruction.pipe << _PIPE_SHIFT) | number
        self.names[code] = instruction
        kind: Kind = "gm-write-conflict" if use.write else "gm-cross-core"
        self._check(blocks.writer[where], where, instruction, use, core, known, kind, "wrote")
        for how, each in blocks.joined.items():
            for last in each.values() if how != use.atomic else ():
                self._check(last[where], where, instruction, use, core, known, kind, "wrote")
        if use.write:
            for last in blocks.readers.values():
                self._check(last[where], where, instruction, use, core, known, "gm-cross-core", "read")
        if use.write and not use.atomic:
            blocks.writer[where] = code
            return
        found = blocks.joined.setdefault(use.atomic, {}) if use.atomic else blocks.readers
        key = self.positions.get(core, 0), instruction.pipe
        last = found.get(key)
        if last is None:
            last = found[key] = np.full_like(blocks.writer, _NOBODY)
        before = last[where]
        same = (before == _NOBODY) | ((before >> _CORE_SHIFT) == core)
        last[where] = np.where(same, code, _SEVERAL)

    def _check(
        self,
        codes: NDArray[np.int64],
        where: "Index",
        instruction: Instruction,
        use: GmUse,
        core: int,
        known: list[int],
        kind: Kind,
        verb: str,
    ) -> None:
        group = self.groups.get(core, (core,))
        if _in_order(codes, group, known):
            return
        cores = codes >> _CORE_SHIFT
        known_core = cores == core
        for other in group[1:]:
            known_core |= cores == other
        foreign = (codes == _SEVERAL) | ((codes >= 0) & ~known_core)
        if foreign.any():
            position = int(np.argmax(foreign))
            code = int(codes[position])
            other = f"core {code >> _CORE_SHIFT}" if code >= 0 else "other cores"
            reason = f"{other} {verb} this block of GM in the same kernel; cores run in no order"
            raise self._error(kind, reason, code, where, position, instruction, use)
        pipes = (codes >> _PIPE_SHIFT) & 15
        numbers = codes & _NUMBER_MASK
        for at, other in enumerate(group):
            mine = (codes >= 0) & (cores == other)
            if at and not mine.any():
                continue
            for pipe in range(len(PIPES)):
                late = mine & (pipes == pipe) & (numbers > known[at * len(PIPES) + pipe])
                if late.any():
                    position = int(np.argmax(late))
                    code = int(codes[position])
                    same = pipe == instruction.pipe and not at
                    order = f"no barrier on {PIPES[pipe]}" if same else f"no flag from {PIPES[pipe]}"
                    who = f"an instruction of core {other}" if at else "an earlier instruction"
                    reason = f"{who} {verb} this block of GM and {order} orders them"
                    found: Kind = "in-pipe" if same else "race"
                    raise self._error(
                        "gm-cross-core" if at else found, reason, code, where, position, instruction, use
                    )

    def _error(
        self,
        kind: Kind,
        reason: str,
        code: int,
        where: "Index",
        position: int,
        instruction: Instruction,
        use: GmUse,
    ) -> HazardError:
        block = where.start + position * where.step if isinstance(where, slice) else int(where[position])
        unit = self.blocks[self.storages[use.argument].number].unit
        earlier = self.names.get(code)
        first = () if earlier is None else (earlier.site.reference(),)
        return HazardError(
            kind,
            reason,
            instructions=(*first, instruction.site.reference()),
            buffers=(use.label,),
            space="gm",
            byte_range=(block * unit, (block + 1) * unit),
        )
