"""One resolved instruction: an op of the `ascend` dialect with its addresses, sizes and event ids known.

Resolving happens once for each set of values that an op meets at run time; the emulator then executes
the same object every time that they come up again, on every core.
"""

from collections.abc import Callable
from typing import Any

from ...dialects.records import dataclass
from ...dialects.target_types import PIPES, Path_
from ..machine.meeting import Meeting
from ..machine.memory import Footprint
from ..machine.memory_system import Pattern
from ..machine.unit_flags import NONE, Blocks
from .kernel_program import Site

LOCAL, GM, SET, WAIT, BARRIER, JOIN, CROSS_SET, UNIT, BARRIER_ALL, CROSS_WAIT, INDEX = range(11)
"""Kinds; those from BARRIER_ALL on hold the scalar unit itself, the others go to a pipe's queue."""
CONTENDED, PRODUCT = 11, 12
TRIP = 13
"""Of no instruction: see `Trip`."""
STEP = 14
"""What the scalar unit does itself, on UB and its registers."""
"""Of the kind LOCAL: what is slower while the Cube works, and what the Cube does."""

PIPE_INDEX = {name: index for index, name in enumerate(PIPES)}
SCALAR = PIPE_INDEX["S"]

UNIT_WAITS, UNIT_SETS = 1, 2
"""What an instruction does with the unit flag: wait for what the other of Cube and FixPipe has done, tell it."""
UNIT_KEYS = {
    PIPE_INDEX[one]: (PIPE_INDEX[other], PIPE_INDEX[one], -1) for one, other in (("M", "FIX"), ("FIX", "M"))
}
"""By the pipe that waits: how the unit flag is named among flags."""

SPILLS, BY_VALUE = 1, 2
"""How an instruction sets labels (shadow.py): some of its lanes hold nothing; which ones it reads depends on values."""

FlagKey = tuple[int, int, int]  # source pipe, destination pipe (-1 when ids are per source), event


def flags_of(events: int) -> int:
    """How many flags a core has, of so many events each."""
    return len(PIPES) * (len(PIPES) + 1) * events


def flag_number(key: FlagKey, events: int) -> int:
    """A flag's number among those of a core."""
    source, destination, event = key
    return (source * (len(PIPES) + 1) + destination + 1) * events + event


@dataclass(frozen=True, slots=True)
class GmUse:
    """The GM side of a DMA: which tensor, which bytes from the offset on, and where the offset may lie."""

    argument: int
    pattern: Pattern
    write: bool
    path: Path_
    max_offset: int
    align: int
    label: str
    bypass: bool = False  # a read that L2 does not keep
    atomic: str = ""  # how a write is joined to what is there, and the element type


@dataclass(frozen=True, slots=True)
class Effects:
    """On-chip bytes read and written."""

    reads: tuple[Footprint, ...] = ()
    writes: tuple[Footprint, ...] = ()
    overlaps: bool = False  # a product on a tile large enough to accumulate on without a barrier
    accumulates: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Trip:
    """In a stream, where a trip of a loop begins: it takes the scalar unit `issue` cycles, and no pipe any."""

    issue: float
    id: int = -1
    kind: int = TRIP


@dataclass(slots=True, eq=False)
class Instruction:
    """`busy`, `latency` and `ideal` in cycles; those of a GM request come from the memory system.

    `touched` gives the bytes touched (`effects` works them out), `bind` the closure that executes the
    instruction on a core's memory. `check` says how unwritten bytes matter: "exact" reads must be written
    byte for byte, "blocks" by 32 B block, "move" carries unwritten bytes along, "" nothing. `spread` gives the closure
    that sets the labels of what it writes; None: `bind` moves them as it moves bytes. `conflict`: cycles of `busy` that
    banks of UB cost. `issue`: cycles of the scalar unit to issue it. `executed`: how often the cores of the
    launch under way ran it.
    """

    id: int
    site: Site
    kind: int
    pipe: int
    busy: float = 0.0
    latency: float = 0.0
    ideal: float = 0.0
    conflict: float = 0.0
    executed: int = 0
    issue: float = 1.0
    effects: Callable[[], Effects] | None = None
    bind: Callable[..., Callable[..., Any]] | None = None
    check: str = ""
    spread: Callable[..., Callable[..., Any]] | None = None
    labels: int = 0  # SPILLS, BY_VALUE
    blocks: tuple[tuple[str, int | None, int], ...] | None = (
        None  # touched on chip; filled when labels are near
    )
    gm: GmUse | None = None
    flag: FlagKey | None = None
    number: int = 0  # of the flag
    event: int = 0  # of a cross-core flag
    unit: int = 0  # UNIT_WAITS, UNIT_SETS
    flagged: Blocks = NONE  # of L0C, which are handed over by their unit flags
    contended: bool = False  # slower while the Cube works
    code: int = -1  # what a core's clock does with it, filled here
    accesses: tuple[int, ...] | None = None  # ids in the kernel's access table, filled on first use
    meetings: tuple[Meeting, ...] = ()  # accesses to buffers of the group, filled with `accesses`
    _touched: Effects | None = None

    def __post_init__(self) -> None:
        self.code = self.kind
        if self.contended:
            self.code = CONTENDED
        elif self.kind == LOCAL and self.pipe == PIPE_INDEX["M"]:
            self.code = PRODUCT

    def touched(self) -> Effects:
        """Bytes read and written; nothing for an instruction without operands."""
        if self._touched is None:
            self._touched = Effects() if self.effects is None else self.effects()
        return self._touched
