"""Conflicts through GM within one launch, by 32 B block: between cores, where nothing orders them, and
between the pipes of one core, where flags and barriers do.

Only tensors that the kernel writes are tracked; each block remembers its last writer and its reader. Of a
result every byte that a DMA writes is flagged as well.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..dialects.target import PIPES
from .costs import BLOCK_BYTES
from .hazard import HazardError, Kind
from .instruction import GmUse, Instruction
from .memory import Bytes
from .memory_system import Pattern, place, units_of
from .storage import Storage

_NOBODY = -1
_SEVERAL = -2  # cores
_PIPE_SHIFT = 40
_CORE_SHIFT = 44
_NUMBER_MASK = (1 << _PIPE_SHIFT) - 1


@dataclass(slots=True)
class _Blocks:
    writer: NDArray[np.int64]
    reader: NDArray[np.int64] | None = None  # until the kernel reads the tensor


def _cover(covered: Bytes, pattern: Pattern, offset: int) -> None:
    if pattern.bursts == 1 or pattern.stride <= pattern.burst:
        covered[offset : offset + pattern.extent] = 1
    else:
        shape = pattern.bursts, pattern.burst
        np.ndarray(shape, np.uint8, covered.data, offset, (pattern.stride, 1))[...] = 1


class GmRaces:
    """Writers and readers of the written tensors of one launch, by storage."""

    def __init__(self, arguments: Sequence[Storage], writes: Iterable[int]):
        """`arguments`: the tensors that the kernel is given; `writes`: which of them it writes."""
        self.storages = arguments
        self.blocks = {
            arguments[i].number: _Blocks(np.full(arguments[i].size // BLOCK_BYTES + 2, _NOBODY, np.int64))
            for i in writes
        }
        self.names: dict[int, Instruction] = {}

    def access(
        self, instruction: Instruction, use: GmUse, offset: int, core: int, number: int, known: list[int]
    ) -> None:
        """Check and record a DMA of `core` that is number `number` of its pipe, which knows `known`."""
        storage = self.storages[use.argument]
        blocks = self.blocks.get(storage.number)
        if blocks is None:
            return
        first, phase = divmod(offset, BLOCK_BYTES)
        where = place(units_of(use.pattern, phase, BLOCK_BYTES), first)
        code = (core << _CORE_SHIFT) | (instruction.pipe << _PIPE_SHIFT) | number
        self.names[code] = instruction
        writers = blocks.writer[where]
        if writers.max() >= 0:
            kind: Kind = "gm-write-conflict" if use.write else "gm-cross-core"
            self._check(writers, where, instruction, use, core, known, kind, "wrote")
        if use.write:
            if blocks.reader is not None:
                readers = blocks.reader[where]
                self._check(readers, where, instruction, use, core, known, "gm-cross-core", "read")
            blocks.writer[where] = code
            if storage.covered is not None:
                _cover(storage.covered, use.pattern, offset)
        else:
            if blocks.reader is None:
                blocks.reader = np.full_like(blocks.writer, _NOBODY)
            readers = blocks.reader[where]
            same = (readers == _NOBODY) | ((readers >> _CORE_SHIFT) == core)
            blocks.reader[where] = np.where(same, code, _SEVERAL)

    def _check(
        self,
        codes: NDArray[np.int64],
        where: "slice[int, int, None] | NDArray[np.int64]",
        instruction: Instruction,
        use: GmUse,
        core: int,
        known: list[int],
        kind: Kind,
        verb: str,
    ) -> None:
        foreign = (codes == _SEVERAL) | ((codes >= 0) & ((codes >> _CORE_SHIFT) != core))
        if foreign.any():
            position = int(np.argmax(foreign))
            code = int(codes[position])
            other = f"core {code >> _CORE_SHIFT}" if code >= 0 else "other cores"
            reason = f"{other} {verb} this block of GM in the same kernel; cores run in no order"
            raise self._error(kind, reason, code, where, position, instruction, use)
        own = codes >= 0
        pipes = (codes >> _PIPE_SHIFT) & 15
        for pipe in range(len(PIPES)):
            late = own & (pipes == pipe) & ((codes & _NUMBER_MASK) > known[pipe])
            if late.any():
                position = int(np.argmax(late))
                code = int(codes[position])
                same = pipe == instruction.pipe
                order = f"no barrier on {PIPES[pipe]}" if same else f"no flag from {PIPES[pipe]}"
                reason = f"an earlier instruction {verb} this block of GM and {order} orders them"
                raise self._error(
                    "in-pipe" if same else "race", reason, code, where, position, instruction, use
                )

    def _error(
        self,
        kind: Kind,
        reason: str,
        code: int,
        where: "slice[int, int, None] | NDArray[np.int64]",
        position: int,
        instruction: Instruction,
        use: GmUse,
    ) -> HazardError:
        block = where.start + position if isinstance(where, slice) else int(where[position])
        earlier = self.names.get(code)
        first = () if earlier is None else (earlier.site.reference(),)
        return HazardError(
            kind,
            reason,
            instructions=(*first, instruction.site.reference()),
            buffers=(use.label,),
            space="gm",
            byte_range=(block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES),
        )
