"""A core and the launch that it is part of: what lasts while its clock runs, and behind it."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Protocol

from ...dialects.records import dataclass
from ...dialects.target_types import PIPES, Target
from ..hazards.core_errors import Entry
from ..hazards.cross_core import Crossing
from ..hazards.gm_races import GmRaces
from ..hazards.races import CoreRaces
from ..hazards.stream_races import CheckedStream
from ..machine.memory import CoreMemory
from ..machine.memory_system import MemorySystem
from ..machine.ports import Ports, Served
from ..poison.shadow import Tracker
from ..program.instruction import FlagKey, Instruction
from ..program.storage import Storage
from ..program.streams import CoreStream, Passing


@dataclass(frozen=True, slots=True)
class TraceEvent:
    """One executed instruction, times in cycles."""

    core: int
    pipe: int
    start: float
    end: float
    complete: float
    instruction: Instruction


class Recording(Protocol):
    """Notes requests while they are served."""

    def serve(
        self,
        serve: "Callable[[Core, int, Launch], Served | None]",
        core: "Core",
        pipe: int,
        launch: "Launch",
        /,
    ) -> Served | None: ...


@dataclass(slots=True)
class Launch:
    """What the cores of one launch share."""

    target: Target
    kernel: str
    start: float
    system: MemorySystem
    tensors: Sequence[Storage]  # by kernel argument
    gm_races: GmRaces | None
    requests: list[tuple[float, int, int]] = field(default_factory=list[tuple[float, int, int]])
    events: list[TraceEvent] | None = None
    counted: bool = False
    """Whether flags count that are set before they are waited for."""
    recorder: Recording | None = None
    """Who notes what goes through L2 and HBM, and when."""


@dataclass(slots=True)
class Core:
    """State of one core that outlives its generator; times in cycles.

    What is the same each time that an instruction runs is not summed here: `Instruction.executed` counts it
    (program/streams.py).
    """

    index: int
    program: str
    """Name of the program that it runs."""
    stream: CoreStream | Passing
    memory: CoreMemory | None  # None: values are not computed
    races: CoreRaces | None
    checked: CheckedStream | None = None
    """Of a core whose races were checked before it runs; `races` is then None."""
    tracker: Tracker | None = None
    """Its labels, where hazards are checked."""
    crossing: Crossing | None = None
    """Flags between this core and those beside it."""
    ports: Ports | None = None
    """Its way to L2, where it shares that with the cores beside it."""
    traced: bool = False
    decoding: str = ""
    """What its memory knows the decoded program by."""
    queues: list[deque[Entry]] = field(default_factory=lambda: [deque[Entry]() for _ in PIPES])
    blocked: list[FlagKey | bool] = field(default_factory=lambda: [False] * len(PIPES))
    """Of each pipe, what was issued and has not begun, and the flag that the first of it waits for."""
    serving: list[tuple[Instruction, int, float] | None] = field(default_factory=lambda: [None] * len(PIPES))
    """Of each pipe, the GM request that it waits for: the instruction, its offset in bytes and its start."""
    served: Served = (0.0, 0.0)
    """How the request ended that was served last."""
    enter: Callable[[int, int], None] | None = None
    """Gives it a memory when it begins: that of a seat, and its place among the Vector cores there."""
    begin: float = 0.0
    end: float = 0.0
    issued: float = 0.0
    crossed: float = 0.0
    """Cycles that the scalar unit waited for flags of the cores beside it."""
    more_busy: list[float] = field(default_factory=lambda: [0.0] * len(PIPES))
    """Cycles that each pipe was occupied beyond what its instructions always take: by GM requests, loads that give way
    to the Cube, waiting for a unit flag."""
    active: list[float] = field(default_factory=lambda: [0.0] * len(PIPES))
    """Cycles with an instruction under way: from its start until its effect is visible."""
