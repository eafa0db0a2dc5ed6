"""What a trace of a kernel's program holds (`analysis.tracer`): instructions, the bytes that they touch, steps."""

from dataclasses import field

from xdsl.ir import Operation, SSAValue

from ...dialects import ascend
from ...dialects.records import dataclass
from .block_mask import BLOCK


@dataclass(frozen=True, slots=True)
class Access:
    """Blocks of one space (`"ub"`, …, or `"gm0"` for argument 0) that an instruction reads or writes."""

    space: str
    mask: int
    write: bool
    buffer: Operation | None
    slot: SSAValue | None
    index: int = 0
    """The slot's number."""

    def elsewhere(self, index: int) -> int:
        """The mask, were the access to slot `index` of its buffer."""
        assert isinstance(self.buffer, ascend.BufferOp) and self.buffer.slot_addresses is not None
        addresses = self.buffer.slot_addresses
        return _moved(self.mask, (addresses[index] - addresses[self.index]) // BLOCK)

    def moved(self, blocks: int) -> "Access":
        """The access, were its slot so many blocks further on."""
        mask = _moved(self.mask, blocks)
        return Access(self.space, mask, self.write, self.buffer, self.slot, self.index)


def _moved(mask: int, blocks: int) -> int:
    return mask << blocks if blocks >= 0 else mask >> -blocks


@dataclass(slots=True)
class Instance:
    """One execution of an instruction. `requires[p]` is the number of instructions of pipe p that must be complete."""

    op: Operation
    pipe: int
    number: int
    accesses: tuple[Access, ...]
    loops: tuple[tuple[Operation, int], ...]
    requires: dict[int, int] = field(default_factory=dict[int, int])
    sources: dict[int, "Instance"] = field(default_factory=dict[int, "Instance"])
    because: dict[int, tuple[Access, Access]] = field(default_factory=dict[int, tuple[Access, Access]])


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the trace: an instruction, the entry to or exit from a loop, or a new slot."""

    kind: str
    op: Operation
    instance: Instance | None = None
    slot: int = 0
