"""What a target says of a chip: its memories, paths, units, and their rates and limits."""

from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import Any, cast

from .records import dataclass
from .target_fields import TargetError

SPACES = ("gm", "l1", "l0a", "l0b", "l0c", "ub", "bt", "fb")


PIPES = ("S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX")


@dataclass(frozen=True)
class Space:
    """An on-chip memory of one core (or GM): capacity in bytes and alignment of a start address."""

    bytes: int
    align: int


@dataclass(frozen=True)
class Path_:
    """A data path. `rate` in bytes/cycle/core (0: GM reads, whose rate from L2 is in [memory]); `issue` is the least
    number of cycles an instruction occupies the pipe, `latency` the cycles until its result is visible.

    `image_latency` is that of an image-to-column load (0: `latency`). On chips whose requests are modelled, `miss_rate`
    is the rate of bytes that L2 does not hold (0: that of [memory], or `rate`), `row` the cycles of a row that becomes
    NZ on the way and is in L2, beyond its bytes (0: it takes as long as its lines), `miss_latency` the cycles more
    until what L2 did not hold is written, `same_line` what [memory] says of all paths (0: that). `wide_rate` is the
    rate of elements of 4 bytes (0: `rate`).
    """

    pipe: str
    granule: int
    issue: float
    latency: float
    rate: float = 0.0
    image_latency: float = 0.0
    miss_rate: float = 0.0
    row: float = 0.0
    same_line: float = 0.0
    miss_latency: float = 0.0
    wide_rate: float = 0.0

    @property
    def first_latency(self) -> float:
        """Cycles until what L2 did not hold is written."""
        return self.latency + self.miss_latency

    def of_items(self, size: int) -> "Path_":
        """The path as elements of `size` bytes take it."""
        return replace(self, rate=self.wide_rate) if size == 4 and self.wide_rate else self


@dataclass(frozen=True)
class Dma:
    """What moves data between GM and a core. `atomic_add`, `atomic_max`, `atomic_min`: element types that it joins to
    those in GM on the way out of UB."""

    nd2nz: bool
    unaligned: bool
    image2col_blocks: bool
    max_blocks: int
    max_block_len: int
    atomic_add: tuple[str, ...] = ()
    atomic_max: tuple[str, ...] = ()
    atomic_min: tuple[str, ...] = ()

    def joins(self, kind: str, dtype: str) -> bool:
        """Whether it joins elements of a type to those in GM: `add`, `max` or `min`."""
        return dtype in {"add": self.atomic_add, "max": self.atomic_max, "min": self.atomic_min}[kind]


@dataclass(frozen=True)
class Fractal:
    """Cube unit for one element type: K of a fractal, cycles per fractal product, accumulator type."""

    k0: int
    cycles: float
    acc: str


@dataclass(frozen=True)
class Cube:
    """The Cube unit. `contention`: how much longer a load of L0 takes while it works, as a share. `unit_flag`: whether
    it and FixPipe can hand over 512 B of L0C at a time by themselves."""

    fractal: Mapping[str, Fractal]
    issue: float
    latency: float
    accumulate_overlap: int
    max_extent: int
    contention: float = 0.0
    unit_flag: bool = False


CASTS = frozenset(
    pair
    for one, other in (
        ("i16", "f16"),
        ("i16", "f32"),
        ("i16", "i32"),
        ("i8", "i16"),
        ("i8", "i32"),
        ("i32", "f16"),
        ("i32", "i64"),
        ("i64", "f32"),
    )
    for pair in ((one, other), (other, one))
)
"""Conversions of which only programs of other compilers make use."""


@dataclass(frozen=True)
class Vector:
    """Vector unit: the element types that it computes in, bytes a repeat, most repeats an instruction, and cycles per
    repeat by instruction and type. What it stores but does not compute in, it moves, and converts to f32 and back.
    `startup`: cycles before an instruction's first repeat, where each is a loop of loads, an operation and stores.
    `loop`: where several instructions may be one vector function, which starts once, the cycles that each takes at
    least; 0: every instruction is by itself. `drain`: of `latency`, what only the end of a function takes.
    `depth`: instructions of a loop of such a function at most, over the same elements, between which values stay in
    registers (0 and 1: each is a loop that loads and stores); `operation`: their cycles per repeat, without loads and
    stores, of which there are two a cycle; `chain`: cycles from one of them to the next one of an element.
    `mask_register`: `vsel` takes its mask from a register of one repeat of f16, so it has one repeat and is of f16.
    `integers`: the instructions that it has for i32; empty: it moves i32, and converts it to f32 and back.
    `latencies`: by instruction, where they are others than `latency`. `library`: more
    instructions of i32 and i16 that back ends of other compilers offer, each made of several; the emulator takes each
    as one, our compiler emits none."""

    compute: tuple[str, ...]
    bytes_per_repeat: int
    max_repeat: int
    issue: float
    latency: float
    cycles: Mapping[str, Mapping[str, float]]
    startup: float = 0.0
    loop: float = 0.0
    drain: float = 0.0
    chain: float = 0.0
    depth: int = 0
    operation: Mapping[str, Mapping[str, float]] = field(default_factory=dict[str, Mapping[str, float]])
    mask_register: bool = False
    integers: tuple[str, ...] = ()
    latencies: Mapping[str, float] = field(default_factory=dict[str, float])
    library: tuple[str, ...] = ()

    def latency_of(self, name: str) -> float:
        """Cycles from the end of an instruction until its result is visible."""
        return self.latencies.get(name, self.latency)

    @property
    def inner_latency(self) -> float:
        """Cycles from the end of an instruction until the next one may read its result."""
        return self.latency - self.drain

    def converts(self, source: str, destination: str) -> bool:
        """Whether one instruction converts between two element types: both are computed in, or one is f32. i8 and
        i1 are only converted to f16 and back, i32 to f32."""
        if {"i1", "i8"} & {source, destination}:
            return "f16" in (source, destination)
        return "f32" in (source, destination) or {source, destination} <= set(self.compute)

    def computes(self, name: str, dtype: str) -> bool:
        """Whether it has an instruction in an element type; what moves elements and `vconv` are not asked for."""
        return name in self.integers if dtype == "i32" else dtype in self.compute

    def executes(self, name: str, dtype: str) -> bool:
        """Whether a program may have an instruction in an element type: one of the unit, or of a library."""
        return self.computes(name, dtype) or (dtype in ("i32", "i16") and name in self.library)

    def casts(self, source: str, destination: str) -> bool:
        """The same for a conversion."""
        return self.converts(source, destination) or (bool(self.library) and (source, destination) in CASTS)

    def per_repeat(self, name: str, dtype: str) -> float:
        """Cycles of one repeat; of i32 those of f32 where no others are stated."""
        return _cycles_of(self.cycles, name, dtype)

    def per_repeat_in_loop(self, name: str, dtype: str, accesses: int) -> float:
        """The same in a loop with others, where it loads from UB and stores to it `accesses` times."""
        return max(_cycles_of(self.operation, name, dtype), accesses / 2)


_ALIKE = {"i32": "f32", "i16": "f16", "i64": "f32"}
"""What takes as long where a target says nothing of integers."""


def _cycles_of(table: Mapping[str, Mapping[str, float]], name: str, dtype: str) -> float:
    row = table.get(name.partition("_")[0]) or table["default"]
    if dtype not in row:
        dtype = _ALIKE.get(dtype, dtype)
    return row.get(dtype, row.get("any", 1.0))


@dataclass(frozen=True)
class Banks:
    """Banks of UB: `groups` groups of rows of `row` bytes, a group's banks `span` bytes apart; a group serves one row
    a cycle. `clash`: cycles more of a repeat that reads and writes one bank. `restart`: cycles more of the first of
    several repeats whose reads collide."""

    groups: int
    row: int
    span: int
    clash: float
    restart: float


@dataclass(frozen=True)
class Scalar:
    """`issue`: cycles to issue an instruction; `setup`: one that takes a structure of parameters (a load of L0, a
    product, FixPipe, a copy that turns rows to NZ; 0: `issue`); `loop`: cycles of each trip of a loop. `cache_line`:
    bytes of a line of the scalar unit's data cache; 0 where it reads no numbers from GM."""

    issue: float
    queue_depth: int
    flag: float
    cache_line: int = 0
    setup: float = 0.0
    loop: float = 0.0

    def issue_of(self, structured: bool) -> float:
        """Cycles to issue an instruction, which takes a structure of parameters or not."""
        return self.setup if structured and self.setup else self.issue


@dataclass(frozen=True)
class Sync:
    events: int
    key: str
    ordered_pipe: bool


@dataclass(frozen=True)
class Cross:
    """Flags between a Cube core and its Vector cores: ids that programs may use, sets that may be pending, cycles from
    set to seen. `hardware_events`: ids that there are, where libraries keep some of them (0: `events`)."""

    events: int
    pending: int
    latency: float
    hardware_events: int = 0


@dataclass(frozen=True)
class Memory:
    """L2 and HBM: capacity and line in bytes, rates in bytes/cycle (per core, and `hbm_chip` for the chip). `l2_read`
    and `hbm_read` are those of paths that state no `rate` and `miss_rate` of their own. On a split chip, `l2_write` is
    what a Cube core and the Vector cores beside it write together, `group_read` what they read together (0: each as
    fast as alone): see runtime/machine/ports.py.

    `sector` bytes, when stated, turn on the model of single requests (runtime/machine/request_memory.py) and its
    parameters: cycles of a request beyond its bytes at the core's port (`request_port`) and of each run of lines in HBM
    (`hbm_run`), what a byte written back costs over one read (`write_back`), cycles that each of several cores'
    requests for one line takes when L2 does not keep it (`same_line`). HBM has `hbm_channels` that serve a line
    each (0: not modelled); `hbm_chip` is what it gives where `hbm_queue` lines or more are asked for at a time.
    """

    l2_bytes: int
    l2_line: int
    l2_write: float
    hbm_chip: float
    miss_latency: float
    l2_read: float = 0.0
    hbm_read: float = 0.0
    group_read: float = 0.0
    sector: int = 0
    request_port: float = 0.0
    hbm_run: float = 0.0
    write_back: float = 1.0
    same_line: float = 0.0
    hbm_channels: int = 0
    hbm_queue: int = 0


@dataclass(frozen=True)
class Launch:
    """µs of a launch, whether that is an assumption, µs more of a process's first launch, µs more for each block, µs
    that a core takes before a kernel's first instruction: it reads the arguments."""

    us: float
    assumed: bool = False
    cold_us: float = 0.0
    block_us: float = 0.0
    head_us: float = 0.0


@dataclass(frozen=True)
class Target:
    name: str
    description: str
    kind: str
    cores: int
    clock_mhz: float
    storage: tuple[str, ...]
    overflow: str
    spaces: Mapping[str, Space]
    paths: Mapping[tuple[str, str], Path_]
    dma: Dma
    cube: Cube
    vector: Vector
    scalar: Scalar
    sync: Sync
    memory: Memory
    launch_us: float
    vector_cores: int = 0
    """Vector cores, where they are cores of their own (kind "split")."""
    cross: Cross | None = None
    banks: Banks | None = None
    """Banks of UB; None: conflicts are not modelled."""
    cold_us: float = 0.0
    """More µs of a process's first launch: code and page tables are not cached yet."""
    block_us: float = 0.0
    """More µs of a launch for each of its blocks: they are handed to cores one by one."""
    head_us: float = 0.0
    """More µs of a launch until a core issues the kernel's first instruction: it reads the arguments."""
    launch_assumed: bool = False
    """Whether the launch cost is an assumption: decisions that hang on it then say so."""
    origin: str = field(default="", compare=False)
    """What `load_target` takes to give this target again: the path of its file, or how it is remembered."""

    def cores_of(self, kind: str) -> int:
        """How many cores of a kind (`aicore`, `aic`, `aiv`) the chip has."""
        if kind == "aiv":
            return self.vector_cores
        return self.cores if (kind == "aic") == self.split else 0

    @cached_property
    def split(self) -> bool:
        """Whether Cube and Vector are cores of their own."""
        return self.kind == "split"

    @property
    def vectors_beside(self) -> int:
        """Vector cores beside each Cube core of a split chip."""
        return self.vector_cores // self.cores

    @property
    def lands(self) -> bool:
        """Whether FixPipe can share a tile among the UBs of both Vector cores beside a Cube core."""
        return self.split and ("l0c", "ub") in self.paths and self.vectors_beside == 2

    @property
    def vector_units(self) -> int:
        """Cores with a Vector unit."""
        return self.vector_cores if self.split else self.cores

    def path(self, source: str, destination: str) -> Path_:
        """The path between two spaces; `TargetError` names both when the chip has none."""
        found = self.paths.get((source, destination))
        if found is None:
            raise TargetError(f"{self.name} has no data path from {source} to {destination}")
        return found

    def microseconds(self, cycles: float) -> float:
        return cycles / self.clock_mhz

    @cached_property
    def _on_cores(self) -> dict[int, "Target"]:
        return {}

    def on_cores(self, count: int) -> "Target":
        """The chip with so many of its cores alone, each with the Vector cores beside it; the same object each time."""
        if count not in self._on_cores:
            fewer = replace(self, cores=count, vector_cores=count * self.vectors_beside)
            self._on_cores[count] = fewer
        return self._on_cores[count]

    def with_(self, **changes: Any) -> "Target":
        """A copy with some fields changed; `memory=dict(l2_bytes=1)` changes a field of a section."""
        flat = {
            key: replace(getattr(self, key), **cast(dict[str, Any], value))
            if isinstance(value, dict)
            else value
            for key, value in changes.items()
        }
        return replace(self, **flat)
