"""What a run measured: per kernel its time, bound, bytes, pipes and memories; totals of the program."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from ..dialects.target import PIPES, Target
from .core import Core
from .costs import launch_us
from .decode import KernelProgram
from .instruction import PIPE_INDEX
from .memory_system import Traffic

REPORTED_PIPES = tuple(p for p in PIPES if p != "S")
_RESOURCES = {"M": "Cube", "V": "Vector"}


@dataclass(frozen=True)
class PipeProfile:
    """`busy_us`, `active_us`: means over the cores used; `instructions`: of all cores, flags and barriers apart.

    A pipe is busy while it cannot start another instruction, active until the effect of the last one is visible, which
    is what profilers of the boards report.
    """

    busy_us: float
    active_us: float
    instructions: int


@dataclass(frozen=True)
class MemoryProfile:
    """`peak_bytes`: end of the highest buffer."""

    peak_bytes: int
    capacity_bytes: int


@dataclass(frozen=True)
class KernelProfile:
    """One launch. `time_us` runs from its first instruction to its last effect, `launch_us` comes on top.

    `bound_us` is the least time that the chip needs for the kernel's bytes or operations, `limit` names
    the resource that sets it (see `bound`). `workspace_bytes` are read and written where cores hand tiles to each
    other. DMA bytes are those of the cores' DMA engines on GM, HBM bytes those that L2 passed on. `l2_hit_rate`: share
    of the lines read that L2 held.
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


@dataclass(frozen=True)
class Profile:
    """One run of a program: launches in order; `total_us` has every launch cost in it."""

    target: str
    total_us: float
    dma_read_bytes: int
    dma_write_bytes: int
    hbm_read_bytes: int
    hbm_write_bytes: int
    l2_hit_rate: float
    kernels: Sequence[KernelProfile] = field(default_factory=tuple[KernelProfile, ...])

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


def total(target: Target, kernels: Sequence[KernelProfile], traffic: Traffic) -> Profile:
    """The program's profile from its launches and all its traffic."""
    return Profile(
        target=target.name,
        total_us=sum(k.time_us + k.launch_us for k in kernels),
        dma_read_bytes=traffic.dma_read,
        dma_write_bytes=traffic.dma_write,
        hbm_read_bytes=traffic.hbm_read,
        hbm_write_bytes=traffic.hbm_write,
        l2_hit_rate=hit_rate(traffic),
        kernels=tuple(kernels),
    )


def hit_rate(traffic: Traffic) -> float:
    return traffic.lines_hit / traffic.lines_read if traffic.lines_read else 0.0


def kernel_profile(
    target: Target,
    programs: Sequence[KernelProgram],
    *,
    cycles: float,
    compulsory_bytes: int,
    workspace_bytes: int,
    traffic: Traffic,
    cores: Sequence[Sequence[Core]],
) -> KernelProfile:
    """A launch's profile: `cores` are those that ran each of its `programs`."""
    main = programs[0]
    pipes: dict[str, PipeProfile] = {}
    ideal = [0.0] * len(PIPES)
    instructions = 0
    for program, ran in zip(programs, cores, strict=True):
        kind = f"{program.kind} " if len(programs) > 1 else ""
        spread = target.cores_of(program.kind)
        for pipe in PIPES:
            at = PIPE_INDEX[pipe]
            count = sum(core.executed[at] for core in ran)
            instructions += count
            ideal[at] = max(ideal[at], sum(core.ideal[at] for core in ran) / spread)
            if count and pipe in REPORTED_PIPES:
                busy = sum(core.busy[at] for core in ran) / len(ran)
                active = sum(core.active[at] for core in ran) / len(ran)
                pipes[f"{kind}{pipe}"] = PipeProfile(
                    target.microseconds(busy), target.microseconds(active), count
                )
    peaks = {space: size for program in programs for space, size in program.peaks.items()}
    bound_us, limit = bound(target, compulsory_bytes, ideal)
    spaces = {
        space: MemoryProfile(peaks.get(space, 0), target.spaces[space].bytes)
        for space in target.spaces
        if space != "gm"
    }
    return KernelProfile(
        name=main.name,
        ops=main.ops,
        cores=main.cores,
        time_us=target.microseconds(cycles),
        launch_us=launch_us(target, main.cores),
        bound_us=bound_us,
        limit=limit,
        compulsory_bytes=compulsory_bytes,
        workspace_bytes=workspace_bytes,
        dma_read_bytes=traffic.dma_read,
        dma_write_bytes=traffic.dma_write,
        hbm_read_bytes=traffic.hbm_read,
        hbm_write_bytes=traffic.hbm_write,
        l2_hit_rate=hit_rate(traffic),
        instructions=instructions,
        pipes=pipes,
        memory=spaces,
    )
