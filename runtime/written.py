"""Which on-chip bytes a kernel has written, so that reading the others is a hazard.

One flag byte per byte of memory. A move carries flags along like data (the very closure that moves the
values runs on the flags), so garbage may travel: the rows of a fractal beyond a tile's edge are loaded
into L0 and ignored there. What computes, or stores to GM, must read written bytes only: exactly those
lanes that it uses; a store to GM counts by 32 B block. The first such read is kept until the core has
finished, because a race says more: a flag is missing, and the bytes are written too late.
"""

from typing import Any

import numpy as np

from .costs import BLOCK_BYTES
from .hazard import HazardError
from .instruction import Instruction
from .memory import Array, CoreMemory, Footprint
from .values import Action


class Written:
    """Flags of one core. `settled` holds ids of instructions that need no look any more in this launch."""

    def __init__(self, capacities: dict[str, int]):
        self.flags = CoreMemory(capacities, 0)
        self.settled: set[int] = set()
        self.unwritten: HazardError | None = None
        self._bound: dict[int, Any] = {}

    def reset(self, kernel: str) -> None:
        """A kernel starts: nothing on chip is written."""
        self._bound = self.flags.bound_by(kernel)
        for flags in self.flags.spaces.values():
            flags.fill(0)
        self.settled.clear()
        self.unwritten = None

    def execute(self, instruction: Instruction) -> None:
        bound = self._bound.get(instruction.id)
        if bound is None:
            bound = self._bound[instruction.id] = self._bind(instruction)
        if instruction.check == "move":
            self._move(instruction, *bound)
            return
        reads, writes = bound
        for footprint, flags in reads:
            if instruction.check == "blocks":
                flags = flags.reshape(-1, BLOCK_BYTES).any(axis=1)
            if not flags.all() and self.unwritten is None:
                self.unwritten = self._unwritten(instruction, footprint)
        for flags in writes:
            flags[...] = 1
        self.settled.add(instruction.id)

    def _bind(self, instruction: Instruction) -> Any:
        """For a move, its closure on the flags and those of its destination; else the flags read and written."""
        effects = instruction.touched()
        if instruction.check == "move":
            (box,) = effects.writes[0].boxes
            assert instruction.bind is not None
            return instruction.bind(self.flags, (), 1), self.flags.box(
                effects.writes[0].space, box, effects.writes[0].owner
            )
        reads = [(f, self.flags.box(f.space, box, f.owner)) for f in effects.reads for box in f.boxes]
        return reads, [self.flags.box(f.space, box, f.owner) for f in effects.writes for box in f.boxes]

    def _move(self, instruction: Instruction, move: Action, flags: Array) -> None:
        """Carry the flags of the source to `flags`, those of the destination."""
        before = bool(flags.all())
        move()
        if flags.all():
            self.settled.add(instruction.id)
        elif before:
            self.settled.clear()

    def _unwritten(self, instruction: Instruction, footprint: Footprint) -> HazardError:
        low = high = -1
        for box in footprint.boxes:
            flags = np.array(self.flags.box(footprint.space, box, footprint.owner))
            starts = np.full((), box.address, np.int64)
            for n, stride in zip(box.sizes, box.strides, strict=True):
                starts = starts[..., None] + np.arange(n) * stride
            at = (starts[..., None] + np.arange(box.run))[flags == 0]
            if at.size:
                low, high = int(at.min()), int(at.max()) + 1
                break
        return HazardError(
            "uninitialized",
            "the instruction reads bytes that nothing wrote since the kernel started",
            instructions=(instruction.site.reference(),),
            buffers=(footprint.label,),
            space=footprint.space,
            byte_range=(low, high),
        )
