"""What the emulator reports when a program does what the hardware does not define.

Every hazard stops the run with one `HazardError`: its kind, the instructions concerned with their
locations, the buffers and bytes, the core and the program that it runs.
"""

from io import StringIO
from typing import Literal

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.printer import Printer

from ...dialects.ascend import KernelOp
from ...dialects.locations import file_location
from ...dialects.records import dataclass

Kind = Literal[
    "race",  # two pipes touch the same block, at least one writes, no flag orders them
    "in-pipe",  # the same inside one pipe, without a barrier
    "uninitialized",  # read of bytes that nothing wrote since the kernel started
    "overwritten",  # read of bytes that another buffer's data has taken since
    "in-place",  # an instruction writes over what it has yet to read
    "out-of-bounds",  # outside the buffer's slot, the space or the tensor
    "misaligned",  # start address or stride of an operand
    "granularity",  # burst that is not a whole number of granules
    "limit",  # a field of the instruction is too large: repeats, blocks, extents
    "shape",  # operands of one instruction disagree
    "no-path",  # the chip cannot move data between these spaces, or compute on this type
    "flag-set-twice",  # set_flag while the flag may still be up; cross_set_flag by two pipes in no order
    "flag-left-set",  # a flag still up when the kernel ends
    "event-id",  # event id that the chip lacks
    "deadlock",  # pipes wait for flags that nobody will set
    "gm-write-conflict",  # two cores write one block of GM in one kernel
    "gm-cross-core",  # a core reads a block of GM that another one writes in the same kernel
    "unwritten",  # bytes of a result that nothing wrote
    "poison",  # bytes of a result that depend on padding, or on bytes that nothing wrote
]


@dataclass(frozen=True)
class InstructionRef:
    """An instruction as people read it: its text, where it came from, and the program that it is part of."""

    text: str
    location: str
    kernel: str = ""

    def __str__(self) -> str:
        return f"{self.location}: {self.text}" if self.location else self.text

    @staticmethod
    def of(op: Operation) -> "InstructionRef":
        return InstructionRef(_text(op), location_text(op), _program(op))


def _program(op: Operation) -> str:
    """The name of the kernel around an op, empty outside of one."""
    at: Operation | None = op
    while at is not None and not isinstance(at, KernelOp):
        at = at.parent_op()
    return "" if at is None else at.sym_name.data


def _text(op: Operation) -> str:
    """The op as it stands in its printed function or kernel, with the names that its values have there."""
    around = op
    while (parent := around.parent_op()) is not None and not isinstance(parent, ModuleOp):
        around = parent
    printer = Printer(stream=StringIO())
    if around is not op:
        _name_values(around, printer)
    printer.stream = text = StringIO()
    printer.print_op(op)
    return text.getvalue()


def _name_values(op: Operation, printer: Printer) -> None:
    """Give the values of an op and what is in it the names that printing them in order gives."""
    for value in op.results:
        printer.print_ssa_value(value)
    for region in op.regions:
        for block in region.blocks:
            for value in block.args:
                printer.print_ssa_value(value)
            for inner in block.ops:
                _name_values(inner, printer)


def location_text(op: Operation) -> str:
    """`file:line:column` of an op or of the closest op around it that has one, else an empty string."""
    at: Operation | None = op
    while at is not None:
        location = file_location(at.location)
        if location is not None:
            return f"{location.filename.data}:{location.line.data}:{location.column.data}"
        at = at.parent_op()
    return ""


@dataclass(frozen=True)
class Finding:
    """What a program does that documents of the hardware leave open, and that changes no value where it counts:
    `flag-set-ahead`, a flag set again before it is waited for."""

    kind: Literal["flag-set-ahead"]
    reason: str
    instructions: tuple[InstructionRef, ...]

    def __str__(self) -> str:
        kernel = self.instructions[0].kernel
        return "\n".join(
            [f"{self.kind} in @{kernel}: {self.reason}", *(f"  {one}" for one in self.instructions)]
        )


class HazardError(Exception):
    """A program does something undefined on the hardware; `str` is a message for people."""

    def __init__(
        self,
        kind: Kind,
        reason: str,
        *,
        instructions: tuple[InstructionRef, ...] = (),
        buffers: tuple[str, ...] = (),
        space: str = "",
        byte_range: tuple[int, int] | None = None,
        core: int | None = None,
        kernel: str = "",
    ):
        self.kind: Kind = kind
        self.reason = reason
        self.instructions = instructions
        self.buffers = buffers
        self.space = space
        self.byte_range = byte_range
        self.core = core
        self.kernel = kernel
        super().__init__(reason)

    def __str__(self) -> str:
        where = f"@{self.kernel}" if self.kernel else "program"
        if self.core is not None:
            where += f", core {self.core}"
        others = {i.kernel: f"@{i.kernel}" for i in self.instructions if i.kernel not in ("", self.kernel)}
        if self.kernel and others:
            where += f", with {', '.join(others.values())}"
        lines = [f"{self.kind} in {where}: {self.reason}"]
        if self.byte_range is not None:
            names = ", ".join(dict.fromkeys(self.buffers))
            span = f"{self.space} bytes [{self.byte_range[0]}, {self.byte_range[1]})"
            lines.append(f"  {span} of {names}" if names else f"  {span}")
        lines.extend(f"  {instruction}" for instruction in self.instructions)
        return "\n".join(lines)

    def about(self, *instructions: InstructionRef) -> "HazardError":
        """The same hazard, of these instructions."""
        self.instructions = instructions
        return self

    def located(self, kernel: str, core: int) -> "HazardError":
        """The same hazard, with its core and the program that the core runs."""
        self.kernel = self.kernel or kernel
        self.core = core if self.core is None else self.core
        return self


class ProgramError(ValueError):
    """A module that cannot be run as it stands; `message` is for users, `op` what is wrong in the module."""

    def __init__(self, message: str, op: Operation | None = None):
        super().__init__(message)
        self.message = message
        self.op = op

    def __str__(self) -> str:
        place = "" if self.op is None else location_text(self.op)
        return f"{place}: {self.message}" if place else self.message
