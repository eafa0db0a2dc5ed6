"""What a run measured: per kernel its time, bound, bytes, pipes and memories; totals of the program."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, field
from typing import Any

from ...dialects.records import dataclass
from ..machine.error_bars import NOT_VALIDATED, Interval
from ..program.kernel_program import BufferSlots
from ..program.storage import Storage
from ..program.workspace import WorkspaceProfile
from .findings import UNKNOWN, Advice, Bottleneck
from .utilisation import Utilisation

VERSION = 2
"""Of profiles as JSON. Those of version 1 state none, and lack buffers, waits and tiles."""
ON_CHIP = ("l1", "ub")
"""Memories on chip that hold tiles; those of the Cube hold parts of a tile."""
MOST_SOURCES = 2
"""Nodes or lines that the title of a launch shows."""


@dataclass(frozen=True)
class GmProfile:
    """What a pipe's DMA instructions asked of GM, all cores together. `lines`: lines of L2 that as many aligned bursts
    touch, `cut_lines` those that a burst enters or leaves inside a sector (0 where the target has no sectors)."""

    instructions: int
    bytes: int
    bursts: int
    lines: int
    cut_lines: int


@dataclass(frozen=True)
class PipeProfile:
    """Times are means over the cores used; `instructions`: of all cores, flags and barriers apart.

    A pipe is busy while it cannot start another instruction, active until the effect of the last one is visible, which
    is what profilers of the boards report. `issue_us`: part of the busy time that instructions cost whatever they do;
    `conflict_us`: what banks of UB cost.
    """

    busy_us: float
    active_us: float
    instructions: int
    issue_us: float = 0.0
    conflict_us: float = 0.0
    gm: GmProfile | None = None


@dataclass(frozen=True)
class MemoryProfile:
    """`peak_bytes`: end of the highest buffer; `slots`: most slots of a buffer, 2 or more where it is ping-pong."""

    peak_bytes: int
    capacity_bytes: int
    slots: int = 0


@dataclass(frozen=True)
class TensorProfile:
    """A tensor in GM that a launch touches, bytes: its size, what DMA moved of it, what was read from HBM for it, of
    that what had to be (`first_bytes`: L2 did not hold it when the launch began, each byte once), and lines that
    became dirty. `number`: which of the program's tensors it is, or is part of from byte `start` on. `workspace`:
    whether cores hand tiles to each other there."""

    name: str
    number: int
    bytes: int
    dma_read_bytes: int
    dma_write_bytes: int
    hbm_read_bytes: int
    workspace: bool
    start: int = 0
    first_bytes: int = 0
    dirtied_bytes: int = 0

    @staticmethod
    def of(storage: Storage) -> "TensorProfile":
        lines = storage.lines
        read, written, fetched, first, dirtied = lines.moved
        number, start = storage.root.number, storage.within_root[0]
        return TensorProfile(
            storage.label,
            number,
            storage.size,
            read,
            written,
            fetched,
            storage.workspace,
            start,
            first,
            dirtied,
        )

    def meets(self, other: "TensorProfile") -> bool:
        """Whether two tensors have bytes in common."""
        apart = self.start >= other.start + other.bytes or other.start >= self.start + self.bytes
        return self.number == other.number and not apart


def once(tensors: Iterable[TensorProfile], moved: Callable[[TensorProfile], int]) -> int:
    """The bytes that were `moved` of tensors, each once: none more often than a tensor has it, or than the tensors that
    have it in common do. What cores hand to each other in a workspace does not count."""
    roots: dict[int, list[TensorProfile]] = {}
    for one in tensors:
        if not one.workspace and moved(one):
            roots.setdefault(one.number, []).append(one)
    count = 0
    for parts in roots.values():
        union, last = 0, 0
        for one in sorted(parts, key=lambda part: part.start):
            end = one.start + one.bytes
            union += max(0, end - max(last, one.start))
            last = max(last, end)
        count += min(union, sum(min(one.bytes, moved(one)) for one in parts))
    return count


@dataclass(frozen=True)
class KernelProfile:
    """One launch. `time_us` runs from its first instruction to its last effect, `launch_us` comes on top.

    `bound_us` is the least time that the chip needs for what the kernel moves and executes, with L2 as it was when
    the launch began; `limit` names the resource that sets it (see `bounds`). `graph_bound_us` and `graph_limit` are
    those of its ops however they are tiled, 0 where the graph is not known. `workspace_bytes` are read and written
    where cores hand tiles to each other. DMA bytes are those of the cores' DMA engines on GM, HBM bytes those that L2
    passed on. `l2_hit_rate`: share of the lines read that L2 held. `hbm_busy_us`: time that HBM was in use. Means
    over cores: `core_us` until a core is through, `scalar_us` of issuing, `hbm_wait_us` of requests waiting for HBM,
    and `cross_wait_us` by kind of core, waiting for flags of the cores beside it. `sources`: what it was compiled
    from, nodes of a model or lines of a text. `chip_cores`: how many such cores the chip has. `neighbours`: kernels
    of the program that it takes a tensor from, or hands one to, `fusable` the titles of those launches with which it
    could be one (`launch_title`). `bottleneck` is what held this run up, `advice` what would help. `regime`: whose
    error the time has (`regime_of`); `interval_us`: where 80 % of such kernels lie that boards were measured with,
    None on a chip where none were. `buffers`: those of its cores, on chip; `waits`: how many flags its text waits for,
    by pipes (`MTE2 -> V`), and how many barriers it has (`V`); `tiles`: sizes of a tile, where passes have told.
    `parts`: of a launch that took the place of several the numbers that these had.
    """

    name: str
    ops: tuple[str, ...]
    cores: int
    time_us: float
    launch_us: float
    bound_us: float
    limit: str
    compulsory_bytes: int
    workspace_bytes: int
    dma_read_bytes: int
    dma_write_bytes: int
    hbm_read_bytes: int
    hbm_write_bytes: int
    l2_hit_rate: float
    instructions: int
    pipes: Mapping[str, PipeProfile]
    memory: Mapping[str, MemoryProfile]
    hbm_busy_us: float
    hbm_wait_us: float
    core_us: float
    scalar_us: float
    cross_wait_us: Mapping[str, float]
    chip_cores: int
    tensors: tuple[TensorProfile, ...] = ()
    sources: tuple[str, ...] = ()
    neighbours: tuple[str, ...] = ()
    fusable: tuple[str, ...] = ()
    graph_bound_us: float = 0.0
    graph_limit: str = ""
    bottleneck: Bottleneck = UNKNOWN
    advice: tuple[Advice, ...] = ()
    regime: str = ""
    interval_us: Interval | None = None
    buffers: tuple[BufferSlots, ...] = ()
    waits: Mapping[str, int] = field(default_factory=dict[str, int])
    tiles: tuple[int, ...] = ()
    parts: tuple[int, ...] = ()

    @property
    def on_chip_bytes(self) -> int:
        """Bytes of L1 and UB that it takes of a core, with what is beside it."""
        return sum(self.memory[space].peak_bytes for space in ON_CHIP if space in self.memory)


@dataclass(frozen=True, repr=False)
class Profile:
    """One run of a program: launches in order; `total_us` has every launch cost in it, and so has `interval_us`, the
    sum of the kernels' intervals (None: the chip is not validated). `warm`: L2 was as runs before it left it; else it
    held nothing."""

    target: str
    total_us: float
    dma_read_bytes: int
    dma_write_bytes: int
    hbm_read_bytes: int
    hbm_write_bytes: int
    l2_hit_rate: float
    workspace: WorkspaceProfile | None = None
    warm: bool = False
    kernels: Sequence[KernelProfile] = field(default_factory=tuple[KernelProfile, ...])
    interval_us: Interval | None = None
    version: int = VERSION
    utilisation: Utilisation | None = None
    """What was in use over time, where that was asked for."""
    weight_bytes: int | None = None
    """Bytes of weights that the program keeps, packed; None where that is not known."""
    target_digest: str = ""
    """What tells the numbers of the chip from others that go by its name; empty where that is not known."""
    size: int | None = None
    """The run-time size of the dynamic dimension; None where there is none, or it is not known."""
    of_data: bool = False
    """Whether addresses were those of the inputs, where they depend on data; else rows are taken as they lie."""

    @property
    def on_chip_bytes(self) -> int:
        """Bytes of L1 and UB that the kernel with the most takes of a core."""
        return max((kernel.on_chip_bytes for kernel in self.kernels), default=0)

    @property
    def summary(self) -> str:
        """Kernels, time and chip, in words."""
        count, within = len(self.kernels), self.interval_us
        error = NOT_VALIDATED if within is None else f"{within[0]:.1f}-{within[1]:.1f}"
        return f"{count} kernel{'' if count == 1 else 's'} on {self.target}: {self.total_us:.1f} us ({error})"

    def __repr__(self) -> str:
        return f"<Profile of {self.summary}>"

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries, lists, numbers and strings."""
        return json.loads(self.to_json())

    def to_json(self, indent: int | None = None) -> str:
        return json.dumps(asdict(self), indent=indent)


def launch_title(number: int, kernel: KernelProfile) -> str:
    """A launch of a program by its number, the name of its kernel, which other launches may share, and what that comes
    from."""
    shown = ", ".join(kernel.sources[:MOST_SOURCES]) + ", …" * (len(kernel.sources) > MOST_SOURCES)
    return f"kernel {number} @{kernel.name}{shown and f' ({shown})'}"
