"""The profile of a launch, from what its cores and the memory system counted."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from ...dialects.records import dataclass
from ...dialects.target_types import PIPES, Target
from ..machine.costs import launch_us
from ..machine.error_bars import interval_of, interval_of_sum, regime_of
from ..machine.limits import hbm_cycles, port_cycles
from ..machine.memory_system import Traffic
from ..profile.advice import advise, bottleneck
from ..profile.profile import (
    GmProfile,
    KernelProfile,
    MemoryProfile,
    PipeProfile,
    Profile,
    TensorProfile,
    launch_title,
    once,
)
from ..program.instruction import PIPE_INDEX
from ..program.kernel_program import KernelProgram
from ..program.workspace import WorkspaceProfile
from .core_state import Core
from .work import PipeWork, pipe_work

REPORTED_PIPES = tuple(p for p in PIPES if p != "S")


def bounds(target: Target, launched: "Launched", ideal: Sequence[float]) -> dict[str, float]:
    """The least cycles that each resource of the chip needs for a launch, whatever its cores wait for.

    "HBM": bytes that L2 lacked when the launch began and that were read, each once, and what L2 cannot keep of those
    that were written. "L2": the bytes of each tensor that were moved, once, over the ports of all cores. `ideal`:
    cycles of the work itself by pipe, without issue and stalls ("Cube": fractal products; "Vector": repeats; other
    pipes: bytes / rate of their on-chip paths). "issue": what the scalar units issue. All are spread evenly over the
    cores of the chip that have the resource: a kernel that uses few is still held to what the whole chip can do.
    """
    tensors, kinds = launched.tensors, {program.kind for program in launched.programs}
    read, written = once(tensors, _read), once(tensors, _written)
    first = once(tensors, lambda one: one.first_bytes)
    dirtied = once(tensors, lambda one: one.dirtied_bytes)
    issued = [
        sum(core.issued for core in ran) / target.cores_of(program.kind)
        for program, ran in zip(launched.programs, launched.cores, strict=True)
    ]
    limits = {
        "HBM": hbm_cycles(target, first, dirtied),
        "L2": port_cycles(target, kinds, read, written),
        "issue": max(issued),
    }
    for pipe in REPORTED_PIPES:
        limits[_RESOURCES.get(pipe, pipe)] = ideal[PIPE_INDEX[pipe]]
    return limits


def _read(tensor: TensorProfile) -> int:
    return tensor.dma_read_bytes


def _written(tensor: TensorProfile) -> int:
    return tensor.dma_write_bytes


def hit_rate(traffic: Traffic) -> float:
    return traffic.lines_hit / traffic.lines_read if traffic.lines_read else 0.0


@dataclass(frozen=True)
class Launched:
    """A launch that has run from `start` to `end`, in cycles: `cores` are those of each of `programs`, `works` what the
    instructions that they ran always take. `hbm_left`: cycles of HBM's work that are left at the end, less those left
    at the start."""

    programs: Sequence[KernelProgram]
    cores: Sequence[Sequence[Core]]
    works: Sequence[Sequence[PipeWork]]
    start: float
    end: float
    tensors: Sequence[TensorProfile]
    sources: tuple[str, ...]
    traffic: Traffic
    hbm_left: float

    @property
    def everyone(self) -> list[Core]:
        """The cores of all programs."""
        return [core for ran in self.cores for core in ran]


def kernel_profile(target: Target, launched: Launched) -> KernelProfile:
    """A launch's profile."""
    main, tensors, traffic, everyone = (
        launched.programs[0], launched.tensors, launched.traffic, launched.everyone,
    )  # fmt: skip
    work, several = _work(target, launched), len(launched.programs) > 1
    limits = bounds(target, launched, work.ideal)
    limit = max(limits, key=lambda name: limits[name])
    cores = sum(
        min(len(ran), target.cores_of(p.kind))
        for p, ran in zip(launched.programs, launched.cores, strict=True)
    )
    issued = sum(core.issued for core in everyone) / cores
    busy = sum(core.end - core.begin for core in everyone) / cores
    kernel = KernelProfile(
        name=main.name,
        ops=main.ops,
        cores=main.cores,
        time_us=target.microseconds(launched.end - launched.start),
        launch_us=launch_us(target, min(main.cores, target.cores_of(main.kind))),
        bound_us=target.microseconds(limits[limit]),
        limit=limit,
        compulsory_bytes=sum(once(tensors, moved) for moved in (_read, _written)),
        workspace_bytes=sum(t.dma_read_bytes + t.dma_write_bytes for t in tensors if t.workspace),
        dma_read_bytes=traffic.dma_read,
        dma_write_bytes=traffic.dma_write,
        hbm_read_bytes=traffic.hbm_read,
        hbm_write_bytes=traffic.hbm_write,
        l2_hit_rate=hit_rate(traffic),
        instructions=work.executed,
        pipes=work.pipes,
        memory=_memory(target, launched.programs),
        hbm_busy_us=target.microseconds(traffic.hbm_busy - launched.hbm_left),
        hbm_wait_us=target.microseconds(traffic.hbm_wait / cores),
        core_us=target.microseconds(busy),
        scalar_us=target.microseconds(issued),
        cross_wait_us=work.crossed,
        chip_cores=target.cores_of(main.kind),
        tensors=tuple(tensors),
        sources=launched.sources,
        buffers=tuple(buffer for program in launched.programs for buffer in program.buffers),
        waits={wait: count for program in launched.programs for wait, count in _waits(program, several)},
    )
    regime = regime_of(kernel, target.name, kernel.time_us + kernel.launch_us)
    interval = interval_of(kernel.time_us, regime, target.name)
    return replace(kernel, bottleneck=bottleneck(kernel), regime=regime, interval_us=interval)


@dataclass(frozen=True)
class _Work:
    """What pipes did: those that are reported, by name; cycles of the work itself by pipe, spread over the chip's
    cores; instructions; microseconds in which each kind of core waited for the other."""

    pipes: dict[str, PipeProfile]
    ideal: list[float]
    executed: int
    crossed: dict[str, float]


def _work(target: Target, launched: Launched) -> _Work:
    pipes: dict[str, PipeProfile] = {}
    ideal = [0.0] * len(PIPES)
    executed = 0
    crossed: dict[str, float] = {}
    several = len(launched.programs) > 1
    for program, ran, counted in zip(launched.programs, launched.cores, launched.works, strict=True):
        kind = f"{program.kind} " if several else ""
        spread = target.cores_of(program.kind)
        for pipe, work in zip(PIPES, pipe_work(counted, ran), strict=True):
            executed += work.instructions
            ideal[PIPE_INDEX[pipe]] = max(ideal[PIPE_INDEX[pipe]], work.ideal / spread)
            if work.instructions and pipe in REPORTED_PIPES:
                pipes[f"{kind}{pipe}"] = _pipe_profile(target, work, min(len(ran), spread))
        if several:
            crossed[program.kind] = target.microseconds(
                sum(core.crossed for core in ran) / min(len(ran), spread)
            )
    return _Work(pipes, ideal, executed, crossed)


def _waits(program: KernelProgram, several: bool) -> Iterator[tuple[str, int]]:
    """The waits of a program, with the kind of its cores where there are `several`."""
    for wait, count in program.waits.items():
        yield f"{program.kind} {wait}" if several else wait, count


def _memory(target: Target, programs: Sequence[KernelProgram]) -> dict[str, MemoryProfile]:
    """What programs take of each memory on chip."""
    return {
        space: MemoryProfile(
            max(program.peaks.get(space, 0) for program in programs),
            target.spaces[space].bytes,
            max(
                (one.slots for program in programs for one in program.buffers if one.space == space),
                default=0,
            ),
        )
        for space in target.spaces
        if space != "gm"
    }


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


_RESOURCES = {"M": "Cube", "V": "Vector"}


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
        interval_us=interval_of_sum(kernels, target.name),
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
