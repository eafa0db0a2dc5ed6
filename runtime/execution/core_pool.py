"""The on-chip memories of a chip's cores, kept between launches.

Cores of a kind have memories as large as the kernels of that kind need, all of a module's, so that none is made anew.
Each is made when a core first needs it: cores whose values are computed one after the other share one.
"""

from collections.abc import Collection
from dataclasses import field

from ...dialects.ascend import BufferOp, KernelOp
from ...dialects.ascend.memory import space_of
from ...dialects.records import dataclass
from ..machine.memory import POISON, CoreMemory
from ..poison.shadow import Shadow
from ..poison.written import Written
from ..program.kernel_program import KernelProgram


@dataclass
class CoreSet:
    """The cores of one kind: their memories, which bytes are written, and the labels of those."""

    capacities: dict[str, int] = field(default_factory=dict[str, int])
    memories: list[CoreMemory] = field(default_factory=list[CoreMemory])
    flags: list[Written] = field(default_factory=list[Written])
    shadows: list[Shadow] = field(default_factory=list[Shadow])

    def hold(self, peaks: dict[str, int]) -> bool:
        """Have room for buffers that end at `peaks`, by space; whether there was too little."""
        if all(size <= self.capacities.get(space, 0) for space, size in peaks.items()):
            return False
        for space, size in peaks.items():
            self.capacities[space] = max(size, self.capacities.get(space, 0))
        return True

    def forget(self) -> None:
        """Drop the memories, and with them what instructions have bound there."""
        self.memories, self.flags, self.shadows = [], [], []

    def memory(self, index: int, poisoned: bool) -> CoreMemory:
        """The memory of a core on which a kernel starts. `poisoned`: whether what is not written must read as nan;
        else nobody may read it."""
        while len(self.memories) <= index:
            self.memories.append(CoreMemory(self.capacities, POISON))
        memory = self.memories[index]
        memory.sums.clear()
        if poisoned:
            for content in memory.spaces.values():
                content.fill(POISON)
        return memory

    def written(self, index: int, program: KernelProgram) -> Written:
        """Which bytes of a core are written when a kernel starts: none."""
        while len(self.flags) <= index:
            self.flags.append(Written(self.capacities))
        self.flags[index].reset(program.decoding)
        return self.flags[index]

    def shadow(self, index: int) -> Shadow:
        """The labels of a core when a kernel starts: there are none."""
        while len(self.shadows) <= index:
            self.shadows.append(Shadow(self.capacities))
        self.shadows[index].reset()
        return self.shadows[index]


class CorePool:
    """The cores of a chip, by kind, for the kernels of a module."""

    def __init__(self, kernels: Collection[KernelOp]):
        self._kernels = kernels
        self._sets: dict[str, CoreSet] = {}

    def of(self, program: KernelProgram) -> CoreSet:
        """The cores of the kind that a kernel runs on."""
        kind = program.kind
        if kind not in self._sets:
            found = self._sets[kind] = CoreSet()
            for kernel in self._kernels:
                if kernel.core_kind == kind:
                    found.hold(_peaks(kernel))
        if self._sets[kind].hold(program.peaks):
            for one in self._sets.values():  # cores of a group have bound each other's memories
                one.forget()
        return self._sets[kind]


def _peaks(kernel: KernelOp) -> dict[str, int]:
    """The end of the last buffer in each space."""
    peaks: dict[str, int] = {}
    for op in kernel.walk():
        if isinstance(op, BufferOp) and op.slot_addresses:
            space = space_of(op.result)
            peaks[space] = max(peaks.get(space, 0), *(at + op.slot_bytes for at in op.slot_addresses))
    return peaks
