"""Which on-chip bytes a kernel has written, so that reading the others is a hazard.

One flag byte per byte of memory. A move carries flags along like data (the very closure that moves the
values runs on the flags), so garbage may travel: the rows of a fractal beyond a tile's edge are loaded
into L0 and ignored there. What computes, or stores to GM, must read written bytes only: exactly those
lanes that it uses; a store to GM counts by 32 B block. The first such read is kept until the core has
finished, because a race says more: a flag is missing, and the bytes are written too late.

Where buffers share bytes, a flag is the mark of the buffer that wrote the byte last. Whoever computes with a buffer, or
stores it, must find its own mark: a plan that gives two living buffers the same bytes is found even where flags order
all that touches them. What a move takes from a buffer that was overwritten counts as unwritten.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...dialects.element_types import BLOCK_BYTES
from ..machine.memory import ALONE, Array, CoreMemory, Footprint
from ..program.instruction import Instruction
from ..support.hazard import HazardError

if TYPE_CHECKING:
    import numpy as np

    from ..values.values import Action
else:
    from ..support.late import np


class _Everything(set[int]):
    def __contains__(self, item: object) -> bool:
        return True


class Written:
    """Flags of one core. `settled` holds ids of instructions that need no look any more in this launch."""

    def __init__(self, capacities: dict[str, int]):
        self.flags = CoreMemory(capacities, 0)
        self.settled: set[int] = set()
        self.unwritten: HazardError | None = None
        self.holes: Array | None = None
        """Of the bytes that the instruction executed last stores by whole blocks, those that nothing wrote."""
        self._bound: dict[int, Any] = {}

    def reset(self, kernel: str) -> None:
        """A kernel starts: nothing on chip is written."""
        self._bound = self.flags.bound_by(kernel)
        for flags in self.flags.spaces.values():
            flags.fill(0)
        self.settled.clear()
        self.unwritten = self.holes = None

    def execute(self, instruction: Instruction) -> None:
        bound = self._bound.get(instruction.id)
        if bound is None:
            bound = self._bound[instruction.id] = self._bind(instruction)
        if instruction.check == "move":
            self._move(instruction, *bound)
            return
        reads, writes, alone = bound
        for footprint, flags in reads:
            own = flags if footprint.mark == ALONE else flags == footprint.mark
            if instruction.check == "blocks":
                if not own.all():
                    self.holes = self._holes(instruction, footprint.mark)
                    alone = False
                own = own.reshape(-1, BLOCK_BYTES).any(axis=1)
            if not own.all() and self.unwritten is None:
                self.unwritten = self._unwritten(instruction, footprint)
        for mark, flags in writes:
            flags[...] = mark
        if alone:
            self.settled.add(instruction.id)

    def take_holes(self) -> Array | None:
        """`holes`, which are then forgotten."""
        found, self.holes = self.holes, None
        return found

    def _holes(self, instruction: Instruction, mark: int) -> Array:
        """Which bytes of a store's bursts are unwritten: the store itself says where each goes."""
        use = instruction.gm
        assert use is not None and instruction.bind is not None
        pattern = use.pattern
        moved = np.zeros(pattern.extent, np.uint8)
        instruction.bind(self.flags, {use.argument: moved}, 0)(0)
        moved = np.ndarray((pattern.bursts, pattern.burst), np.uint8, moved.data, 0, (pattern.stride, 1))
        return moved == 0 if mark == ALONE else moved != mark

    def _bind(self, instruction: Instruction) -> Any:
        """For a move, its closure on the flags and those of its destination; else the flags read and written."""
        effects = instruction.touched()
        if instruction.check == "move":
            (box,) = effects.writes[0].boxes
            assert instruction.bind is not None
            flags = self.flags.box(effects.writes[0].space, box, effects.writes[0].owner)
            source = effects.reads[0].mark if effects.reads else ALONE
            return instruction.bind(self.flags, (), ALONE), flags, source, effects.writes[0].mark
        reads = [(f, self.flags.box(f.space, box, f.owner)) for f in effects.reads for box in f.boxes]
        writes = [(f.mark, self.flags.box(f.space, box, f.owner)) for f in effects.writes for box in f.boxes]
        return reads, writes, all(f.mark == ALONE for f in (*effects.reads, *effects.writes))

    def _move(self, instruction: Instruction, move: Action, flags: Array, source: int, mark: int) -> None:
        """Carry the flags of the source to `flags`, those of the destination."""
        before = bool(flags.all())
        move()
        if source != ALONE or mark != ALONE:  # padding comes with the mark of buffers alone
            own = (flags == source) | (flags == ALONE)
            flags[...] = np.where(own, mark, 0)
            if before and not flags.all():
                self.settled.clear()
            return
        if flags.all():
            self.settled.add(instruction.id)
        elif before:
            self.settled.clear()

    def _unwritten(self, instruction: Instruction, footprint: Footprint) -> HazardError:
        low = high = -1
        overwritten = False
        for box in footprint.boxes:
            flags = np.array(self.flags.box(footprint.space, box, footprint.owner))
            starts = np.full((), box.address, np.int64)
            for n, stride in zip(box.sizes, box.strides, strict=True):
                starts = starts[..., None] + np.arange(n) * stride
            bad = flags == 0 if footprint.mark == ALONE else flags != footprint.mark
            at = (starts[..., None] + np.arange(box.run))[bad]
            if at.size:
                low, high = int(at.min()), int(at.max()) + 1
                overwritten = bool((flags[bad] != 0).any())
                break
        if overwritten:
            return HazardError(
                "overwritten",
                "the instruction reads bytes of a buffer that have been given to another one meanwhile",
                instructions=(instruction.site.reference(),),
                buffers=(footprint.label,),
                space=footprint.space,
                byte_range=(low, high),
            )
        return HazardError(
            "uninitialized",
            "the instruction reads bytes that nothing wrote since the kernel started",
            instructions=(instruction.site.reference(),),
            buffers=(footprint.label,),
            space=footprint.space,
            byte_range=(low, high),
        )


class Unchecked(Written):
    """Nothing is asked about what is written."""

    def __init__(self) -> None:
        super().__init__({})
        self.settled = _Everything()
