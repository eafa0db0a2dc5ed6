"""A decoded kernel: the program of its cores, and of each of its instructions what does not change while it runs.

`Site` is the static part of one instruction: operands with slot addresses, strides and the positions of their dynamic
values in the key (see decode.py).
"""

from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any

from xdsl.ir import Operation, SSAValue

from ...dialects.ascend import BufferOp, KernelOp, LoadIndexOp, LoadScalarOp, ViewOp
from ...dialects.ascend.memory import space_of
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ..machine.memory import ALONE, View
from ..support.hazard import HazardError, InstructionRef
from ..support.labels import label_of


@dataclass(frozen=True, slots=True)
class Operand:
    """Static part of a memref operand. `slot`, `offset`, `dynamic_sizes` are positions in the key.

    On chip `bases` holds each slot's address and `slot_bytes` the size of one; in GM `argument` is the
    kernel's argument, `slot_bytes` the tensor's bytes, and the offset is not part of the key.
    """

    space: str
    dtype: str
    itemsize: int
    label: str
    bases: tuple[int, ...]
    slot_bytes: int
    start: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    argument: int = -1
    slot: int = -1
    offset: int = -1
    dynamic_sizes: tuple[int, ...] = ()
    owner: int | None = None
    """`SELF` of a group's buffer."""
    mark: int = ALONE
    """As that of a view."""

    def at(self, key: tuple[int, ...]) -> View:
        """The view for one set of dynamic values; `HazardError` when it leaves its buffer slot.

        A view of a GM tensor starts at address 0: its offset is checked when the instruction runs.
        """
        sizes = self.sizes
        if self.dynamic_sizes:
            dynamic = iter(self.dynamic_sizes)
            sizes = tuple(key[next(dynamic)] if n < 0 else n for n in sizes)
        item = self.itemsize
        strides = tuple(s * item for s in self.strides)
        if self.argument >= 0:
            return View(self.space, self.dtype, item, 0, sizes, strides, self.label)
        slot = key[self.slot] if self.slot >= 0 else 0
        if not 0 <= slot < len(self.bases):
            raise HazardError(
                "out-of-bounds", f"slot {slot} of a buffer with {len(self.bases)}", buffers=(self.label,)
            )
        offset = (self.start + (key[self.offset] if self.offset >= 0 else 0)) * item
        view = View(
            self.space,
            self.dtype,
            item,
            self.bases[slot] + offset,
            sizes,
            strides,
            self.label,
            self.owner,
            self.mark,
        )
        if any(n < 0 for n in sizes):
            raise HazardError("out-of-bounds", f"negative size in view {list(sizes)}", buffers=(self.label,))
        if not view.empty and (offset < 0 or view.end > self.bases[slot] + self.slot_bytes):
            raise HazardError(
                "out-of-bounds",
                f"the view covers bytes [{offset}, {view.end - self.bases[slot]}) of a buffer slot "
                f"of {self.slot_bytes}",
                buffers=(self.label,),
                space=self.space,
                byte_range=(view.address, view.end),
            )
        return view


@dataclass(slots=True, eq=False)
class Site:
    """One instruction op of a kernel: its operands, and the key positions of its other dynamic values."""

    index: int
    op: Operation
    operands: tuple[Operand, ...]
    scalars: tuple[int, ...] = ()
    gm: int = -1  # operand that is in GM
    step: str = ""
    """Of an instruction of the scalar unit: "load", "store", "compute", "move" or "copy"."""
    cells: tuple[int, ...] = ()
    """Registers: the result's, then that of each number taken, -1 for one in the key; of other instructions the first
    copy of a number that they take."""
    dtype: str = ""
    """Of what is moved."""
    resolved: dict[tuple[int, ...], Any] = field(default_factory=dict[tuple[int, ...], Any])

    @property
    def name(self) -> str:
        return self.op.name

    @property
    def stores(self) -> bool:
        """Whether it writes a tensor in GM."""
        return self.gm == 1

    @property
    def reads_gm(self) -> SSAValue | None:
        """The tensor that the scalar unit reads, if it does."""
        if isinstance(self.op, LoadIndexOp):
            return self.op.tensor
        if not isinstance(self.op, LoadScalarOp) or self.step:
            return None
        view = self.op.view
        return view.owner.base if isinstance(view.owner, ViewOp) else view

    def reference(self) -> InstructionRef:
        return InstructionRef.of(self.op)


Stream = Iterator[tuple[Any, int]]


@dataclass(frozen=True)
class BufferSlots:
    """A buffer on chip: its memory, what it is called, bytes of a slot, and how many slots it has."""

    space: str
    name: str
    bytes: int
    slots: int


@dataclass(slots=True)
class KernelProgram:
    """A decoded kernel: `start(block, numbers, get, new, read, take)` is the generator of one core's instruction
    stream, `numbers` as many as the kernel takes beside tensors; `read` gives it the indices that it takes from
    tensors, `take` other numbers from there and from registers (index_reads.py)."""

    name: str
    cores: int
    kind: str  # of core
    ops: tuple[str, ...]
    sites: tuple[Site, ...]
    arguments: tuple[Any, ...]  # types of the GM tensors
    labels: tuple[str, ...]
    peaks: dict[str, int]  # end of the highest buffer by space
    buffers: tuple[BufferSlots, ...]
    waits: dict[str, int]  # flags waited for and barriers that its text has: "MTE2 -> V", "V"
    source: str
    start: Callable[..., Stream]
    numbers: int = 0
    decoding: str = ""
    """The name, and what bytes its dynamic tensors have: what is kept for its instructions goes by it."""

    rounds: bool = False
    """Whether its blocks may be more than the chip's cores."""
    steered: bool = False
    """Whether what it runs depends on what it computes: numbers that the scalar unit reads from UB."""

    @property
    def scalar(self) -> bool:
        """Whether the scalar unit reads or writes on chip."""
        return any(site.step for site in self.sites)

    @property
    def fixed(self) -> bool:
        """Whether a stream depends on the block index and the numbers alone, not on data."""
        return not self.steered and all(site.reads_gm is None for site in self.sites)


def check_peaks(program: KernelProgram, kernel: KernelOp, target: Target) -> None:
    """`HazardError` at a buffer that ends behind its memory; a memory that the chip lacks is found when it is used."""
    for space, end in program.peaks.items():
        room = target.spaces.get(space)
        if room is None or end <= room.bytes:
            continue
        buffers = [op for op in kernel.walk() if isinstance(op, BufferOp) and space_of(op.result) == space]
        last = max(buffers, key=lambda op: max(op.slot_addresses or (0,)), default=None)
        raise HazardError(
            "out-of-bounds",
            f"a buffer ends at byte {end} of {space}, of which {target.name} has {room.bytes}",
            instructions=() if last is None else (InstructionRef.of(last),),
            buffers=() if last is None else (label_of(last.result),),
        ).located(program.name, 0)
