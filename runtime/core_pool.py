"""The on-chip memories of a chip's cores, kept between launches.

Cores of a kind have memories as large as the kernels of that kind need, all of a module's, so that none is made anew.
"""

from collections.abc import Collection
from dataclasses import dataclass, field

from ..dialects.ascend import BufferOp, KernelOp
from ..dialects.ascend.memory import space_of
from .kernel_program import KernelProgram
from .memory import POISON, CoreMemory
from .shadow import Shadow
from .written import Written


@dataclass
class CoreSet:
    """The cores of one kind: their memories, which bytes are written, and the labels of those."""

    capacities: dict[str, int] = field(default_factory=dict[str, int])
    memories: list[CoreMemory] = field(default_factory=list[CoreMemory])
    written: list[Written] = field(default_factory=list[Written])
    shadows: list[Shadow] = field(default_factory=list[Shadow])

    def hold(self, peaks: dict[str, int]) -> None:
        """Make room for buffers that end at `peaks`, by space."""
        if all(size <= self.capacities.get(space, 0) for space, size in peaks.items()):
            return
        for space, size in peaks.items():
            self.capacities[space] = max(size, self.capacities.get(space, 0))
        self.memories, self.written, self.shadows = [], [], []

    def start(self, program: KernelProgram, hazards: bool) -> None:
        """A kernel starts on the first of the cores: they hold nothing."""
        self.hold(program.peaks)
        while len(self.memories) < program.cores:
            self.memories.append(CoreMemory(self.capacities, POISON))
        while hazards and len(self.written) < program.cores:
            self.written.append(Written(self.capacities))
            self.shadows.append(Shadow(self.capacities))
        for i, memory in enumerate(self.memories[: program.cores]):
            memory.sums.clear()
            if hazards:
                self.written[i].reset(program.decoding)
                self.shadows[i].reset()
            else:
                for content in memory.spaces.values():
                    content.fill(POISON)


class CorePool:
    """The cores of a chip, by kind, for the kernels of a module."""

    def __init__(self, kernels: Collection[KernelOp]):
        self._kernels = kernels
        self._sets: dict[str, CoreSet] = {}

    def of(self, kind: str) -> CoreSet:
        """The cores of a kind."""
        if kind not in self._sets:
            found = self._sets[kind] = CoreSet()
            for kernel in self._kernels:
                if kernel.core_kind == kind:
                    found.hold(_peaks(kernel))
        return self._sets[kind]


def _peaks(kernel: KernelOp) -> dict[str, int]:
    """The end of the last buffer in each space."""
    peaks: dict[str, int] = {}
    for op in kernel.walk():
        if isinstance(op, BufferOp) and op.slot_addresses:
            space = space_of(op.result)
            peaks[space] = max(peaks.get(space, 0), *(at + op.slot_bytes for at in op.slot_addresses))
    return peaks
