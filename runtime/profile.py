"""What a run measured: per kernel its time, bound, bytes, pipes and memories; totals of the program."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from ..dialects.target import PIPES, Target
from .advice import UNKNOWN, Advice, Bottleneck, advise, bottleneck
from .core import Core
from .costs import launch_us
from .instruction import PIPE_INDEX, Instruction
from .kernel_program import KernelProgram
from .memory_system import Traffic
from .storage import Storage
from .work import PipeWork, pipe_work
from .workspace import WorkspaceProfile

REPORTED_PIPES = tuple(p for p in PIPES if p != "S")
_RESOURCES = {"M": "Cube", "V": "Vector"}
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
    """A tensor in GM that a launch touches, bytes: its size, what DMA moved of it, and what was read from HBM for it.
    `number`: which of the program's tensors it is, or is part of from byte `start` on. `workspace`: whether cores hand
    tiles to each other there."""

    name: str
    number: int
    bytes: int
    dma_read_bytes: int
    dma_write_bytes: int
    hbm_read_bytes: int
    workspace: bool
    start: int = 0

    @staticmethod
    def of(storage: Storage) -> "TensorProfile":
        lines = storage.lines
        moved = lines.read, lines.written, lines.fetched
        number, start = storage.root.number, storage.within_root[0]
        return TensorProfile(storage.label, number, storage.size, *moved, storage.workspace, start)

    def meets(self, other: "TensorProfile") -> bool:
        """Whether two tensors have bytes in common."""
        apart = self.start >= other.start + other.bytes or other.start >= self.start + self.bytes
        return self.number == other.number and not apart

    @property
    def once(self) -> int:
        """Bytes that it is read with, each once, and written with."""
        return min(self.bytes, self.dma_read_bytes) + min(self.bytes, self.dma_write_bytes)


@dataclass(frozen=True)
class KernelProfile:
    """One launch. `time_us` runs from its first instruction to its last effect, `launch_us` comes on top.

    `bound_us` is the least time that the chip needs for the kernel's bytes or operations, `limit` names
    the resource that sets it (see `bound`). `workspace_bytes` are read and written where cores hand tiles to each
    other. DMA bytes are those of the cores' DMA engines on GM, HBM bytes those that L2 passed on. `l2_hit_rate`: share
    of the lines read that L2 held. `hbm_busy_us`: time that HBM was in use. Means over cores: `core_us` until a core is
    through, `scalar_us` of issuing, `hbm_wait_us` of requests waiting for HBM, and `cross_wait_us` by kind of core,
    waiting for flags of the cores beside it.
    `sources`: what it was compiled from, nodes of a model or lines of a text.
    `chip_cores`: how many such cores the chip has. `neighbours`: kernels of the program that it takes a tensor from, or
    hands one to, `fusable` the titles of those launches with which it could be one (`launch_title`). `bottleneck` is
    what held this run up, `advice` what would help.
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
    bottleneck: Bottleneck = UNKNOWN
    advice: tuple[Advice, ...] = ()


@dataclass(frozen=True, repr=False)
class Profile:
    """One run of a program: launches in order; `total_us` has every launch cost in it."""

    target: str
    total_us: float
    dma_read_bytes: int
    dma_write_bytes: int
    hbm_read_bytes: int
    hbm_write_bytes: int
    l2_hit_rate: float
    workspace: WorkspaceProfile | None = None
    kernels: Sequence[KernelProfile] = field(default_factory=tuple[KernelProfile, ...])

    @property
    def summary(self) -> str:
        """Kernels, time and chip, in words."""
        count = len(self.kernels)
        return f"{count} kernel{'' if count == 1 else 's'} on {self.target}: {self.total_us:.1f} us"

    def __repr__(self) -> str:
        return f"<Profile of {self.summary}>"

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries, lists, numbers and strings."""
        return json.loads(self.to_json())

    def to_json(self, indent: int | None = None) -> str:
        return json.dumps(asdict(self), indent=indent)


def bound(target: Target, compulsory_bytes: int, ideal: Sequence[float]) -> tuple[float, str]:
    """Least microseconds of a kernel and the resource that sets them.

    `compulsory_bytes`: bytes of each GM tensor that the kernel touches, counted once, which must cross
    HBM at the chip's rate ("HBM"). `ideal`: cycles of the work itself by pipe, without issue and stalls
    ("Cube": fractal products; "Vector": repeats; other pipes: bytes / rate of their on-chip paths), spread evenly
    over all cores of the chip that have the pipe: a kernel that uses few cores is still held to what the whole chip
    can do. GM requests count in "HBM" only.
    """
    limits = {"HBM": compulsory_bytes / target.memory.hbm_chip}
    for pipe in REPORTED_PIPES:
        limits[_RESOURCES.get(pipe, pipe)] = ideal[PIPE_INDEX[pipe]]
    name = max(limits, key=lambda n: limits[n])
    return target.microseconds(limits[name]), name


def launch_title(number: int, kernel: KernelProfile) -> str:
    """A launch of a program by its number, the name of its kernel, which other launches may share, and what that comes
    from."""
    shown = ", ".join(kernel.sources[:MOST_SOURCES]) + ", …" * (len(kernel.sources) > MOST_SOURCES)
    return f"kernel {number} @{kernel.name}{shown and f' ({shown})'}"


def total(
    target: Target,
    kernels: Sequence[KernelProfile],
    traffic: Traffic,
    workspace: WorkspaceProfile,
    fusable: Collection[tuple[int, int]] | None = None,
) -> Profile:
    """The program's profile from its launches, which are given their neighbours and advice, and all its traffic.
    `fusable`: pairs of launches that could be one kernel; None: nobody knows, so all neighbours may."""
    advised: list[KernelProfile] = []
    for i, (kernel, beside) in enumerate(zip(kernels, _neighbours(kernels), strict=True)):
        names = tuple(dict.fromkeys(kernels[k].name for k in beside))
        could = [k for k in beside if fusable is None or (min(i, k), max(i, k)) in fusable]
        known = replace(kernel, neighbours=names, fusable=tuple(launch_title(k, kernels[k]) for k in could))
        advised.append(replace(known, advice=advise(known, target, fusable is not None)))
    return Profile(
        target=target.name,
        total_us=sum(k.time_us + k.launch_us for k in kernels),
        dma_read_bytes=traffic.dma_read,
        dma_write_bytes=traffic.dma_write,
        hbm_read_bytes=traffic.hbm_read,
        hbm_write_bytes=traffic.hbm_write,
        l2_hit_rate=hit_rate(traffic),
        workspace=workspace,
        kernels=tuple(advised),
    )


def _neighbours(kernels: Sequence[KernelProfile]) -> list[list[int]]:
    """For each kernel those that write bytes which it reads, or read some that it writes, by number."""
    users: dict[tuple[int, bool], list[tuple[int, TensorProfile]]] = {}
    for i, kernel in enumerate(kernels):
        for tensor in kernel.tensors:
            for written, moved in ((True, tensor.dma_write_bytes), (False, tensor.dma_read_bytes)):
                if moved:
                    users.setdefault((tensor.number, written), []).append((i, tensor))
    beside: list[set[int]] = [set() for _ in kernels]
    for (number, written), givers in users.items():
        for i, given in givers if written else ():
            for k, taken in users.get((number, False), ()):
                if k != i and given.meets(taken):
                    beside[i].add(k)
                    beside[k].add(i)
    return [sorted(found) for found in beside]


def hit_rate(traffic: Traffic) -> float:
    return traffic.lines_hit / traffic.lines_read if traffic.lines_read else 0.0


def kernel_profile(
    target: Target,
    programs: Sequence[KernelProgram],
    *,
    start: float,
    end: float,
    tensors: Sequence[TensorProfile],
    sources: tuple[str, ...],
    traffic: Traffic,
    hbm_left: float,
    cores: Sequence[Sequence[Core]],
    instructions: Sequence[Sequence[Instruction]],
) -> KernelProfile:
    """A launch's profile, `start` and `end` in cycles: `cores` and `instructions` are those of each of `programs`.
    `hbm_left`: cycles of HBM's work that are left at the end, less those left at the start."""
    main = programs[0]
    pipes: dict[str, PipeProfile] = {}
    ideal = [0.0] * len(PIPES)
    memory = target.memory
    everyone = [core for ran in cores for core in ran]
    executed = 0
    crossed: dict[str, float] = {}
    for program, ran, listed in zip(programs, cores, instructions, strict=True):
        kind = f"{program.kind} " if len(programs) > 1 else ""
        spread = target.cores_of(program.kind)
        works = pipe_work(listed, ran, memory.l2_line, memory.sector)
        for pipe, work in zip(PIPES, works, strict=True):
            executed += work.instructions
            ideal[PIPE_INDEX[pipe]] = max(ideal[PIPE_INDEX[pipe]], work.ideal / spread)
            if work.instructions and pipe in REPORTED_PIPES:
                pipes[f"{kind}{pipe}"] = _pipe_profile(target, work, len(ran))
        if len(programs) > 1:
            crossed[program.kind] = target.microseconds(sum(core.crossed for core in ran) / len(ran))
    compulsory_bytes = sum(t.once for t in tensors if not t.workspace)
    bound_us, limit = bound(target, compulsory_bytes, ideal)
    spaces = {
        space: MemoryProfile(
            max(program.peaks.get(space, 0) for program in programs),
            target.spaces[space].bytes,
            max(program.slots.get(space, 0) for program in programs),
        )
        for space in target.spaces
        if space != "gm"
    }
    issued = target.scalar.issue * sum(core.issued for core in everyone) / len(everyone)
    kernel = KernelProfile(
        name=main.name,
        ops=main.ops,
        cores=main.cores,
        time_us=target.microseconds(end - start),
        launch_us=launch_us(target, main.cores),
        bound_us=bound_us,
        limit=limit,
        compulsory_bytes=compulsory_bytes,
        workspace_bytes=sum(t.dma_read_bytes + t.dma_write_bytes for t in tensors if t.workspace),
        dma_read_bytes=traffic.dma_read,
        dma_write_bytes=traffic.dma_write,
        hbm_read_bytes=traffic.hbm_read,
        hbm_write_bytes=traffic.hbm_write,
        l2_hit_rate=hit_rate(traffic),
        instructions=executed,
        pipes=pipes,
        memory=spaces,
        hbm_busy_us=target.microseconds(traffic.hbm_busy - hbm_left),
        hbm_wait_us=target.microseconds(traffic.hbm_wait / len(everyone)),
        core_us=target.microseconds(sum(core.end - start for core in everyone) / len(everyone)),
        scalar_us=target.microseconds(issued),
        cross_wait_us=crossed,
        chip_cores=target.cores_of(main.kind),
        tensors=tuple(tensors),
        sources=sources,
    )
    return replace(kernel, bottleneck=bottleneck(kernel))


def _pipe_profile(target: Target, work: PipeWork, cores: int) -> PipeProfile:
    def mean(cycles: float) -> float:
        return target.microseconds(cycles / cores)

    gm = work.gm
    return PipeProfile(
        mean(work.busy),
        mean(work.active),
        work.instructions,
        mean(work.overhead),
        mean(work.conflict),
        None if gm is None else GmProfile(gm.instructions, gm.bytes, gm.bursts, gm.lines, gm.cut),
    )
