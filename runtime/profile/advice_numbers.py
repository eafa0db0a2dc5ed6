"""The numbers of a launch's profile that the rules of `advice` look at, one generator for each kind of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...dialects.target_types import Target
    from .profile import GmProfile, KernelProfile, PipeProfile

Numbers = Mapping[str, float | str]


PACE = 0.7
"""Share of the time that a pipe which sets the pace is busy at least."""


def busiest(kernel: KernelProfile) -> tuple[str, PipeProfile | None]:
    """The pipe that sets the pace: the busiest; where none is busy most of the time, the one that is active longest."""

    def rank(name: str) -> tuple[float, float]:
        busy, active = kernel.pipes[name].busy_us, kernel.pipes[name].active_us
        return busy if busy >= PACE * kernel.time_us else 0.0, active

    name = max(kernel.pipes, key=rank, default="")
    return name, kernel.pipes.get(name)


CLOSE = 0.85
"""Of the share of the busiest pipe: from there on another one is as well worth relieving."""


def _leading(kernel: KernelProfile, *ends: str) -> Iterator[tuple[str, PipeProfile, float]]:
    """Pipes whose name ends so and that are active about as long as the busiest, with their share of the time."""
    _, most = busiest(kernel)
    for name, pipe, share in _shares(kernel, *ends):
        if most is not None and pipe.active_us >= CLOSE * most.active_us:
            yield name, pipe, share


def _shares(kernel: KernelProfile, *ends: str) -> Iterator[tuple[str, PipeProfile, float]]:
    """Pipes whose name ends so, with the share of the time that they are active, the longest first."""
    found = [
        (name, pipe, pipe.active_us / kernel.time_us)
        for name, pipe in kernel.pipes.items()
        if kernel.time_us and name.split()[-1] in ends
    ]
    yield from sorted(found, key=lambda one: -one[2])


def launch_numbers(kernel: KernelProfile, target: Target) -> Iterator[Numbers]:
    yield {"launch": kernel.launch_us, "time": kernel.time_us}


def core_numbers(kernel: KernelProfile, target: Target) -> Iterator[Numbers]:
    yield {"cores": kernel.cores, "chip": kernel.chip_cores, "hbm": _part(kernel.hbm_busy_us, kernel.time_us)}


def uneven_numbers(kernel: KernelProfile, target: Target) -> Iterator[Numbers]:
    yield {"last": kernel.time_us, "mean": kernel.core_us}


def cross_numbers(kernel: KernelProfile, target: Target) -> Iterator[Numbers]:
    """The kind of core that has the busiest pipe: what it waits for is lost."""
    name, pipe = busiest(kernel)
    kind = name.split()[0] if " " in name else ""
    if pipe is not None and kind in kernel.cross_wait_us:
        waiting = _part(kernel.cross_wait_us[kind], kernel.time_us)
        yield {
            "kind": kind,
            "waiting": waiting,
            "pipe": name,
            "share": _part(pipe.active_us, kernel.time_us),
        }


def overlap_numbers(kernel: KernelProfile, target: Target) -> Iterator[Numbers]:
    """Of the kind of core with the busiest pipe: how long its pipes are active, added up; slots where DMA lands; DMA
    instructions of a core."""
    name, pipe = busiest(kernel)
    kind = f"{name.split()[0]} " if " " in name else ""
    mine = [p for n, p in kernel.pipes.items() if n.startswith(kind)]
    spaces = {"aiv ": ("ub",), "aic ": ("l1",)}.get(kind, ("ub", "l1"))
    cores = kernel.cores * (target.vectors_beside if kind == "aiv " else 1)
    if pipe is not None:
        yield {
            "pipe": name,
            "share": _part(pipe.active_us, kernel.time_us),
            "sum": _part(sum(p.active_us for p in mine), kernel.time_us),
            "slots": max(kernel.memory[space].slots for space in spaces),
            "steps": sum(p.gm.instructions for p in mine if p.gm is not None) / cores,
            "hbm": _part(kernel.hbm_busy_us, kernel.time_us),
        }


def epilogue_numbers(kernel: KernelProfile, target: Target) -> Iterator[Numbers]:
    """Cube and Vector unit of one core."""
    if "M" in kernel.pipes and "V" in kernel.pipes:
        cube, vector = (_part(kernel.pipes[name].active_us, kernel.time_us) for name in ("M", "V"))
        yield {"cube": cube, "vector": vector, "sum": cube + vector}


def dma_numbers(kernel: KernelProfile, target: Target) -> Iterator[Numbers]:
    most = max((pipe.busy_us for pipe in kernel.pipes.values()), default=0.0)
    for name, pipe, share in _leading(kernel, "MTE2", "MTE3", "FIX"):
        if pipe.gm is not None:
            yield {
                "most": _part(most, kernel.time_us),
                "pipe": name,
                "share": share,
                "busy": _part(pipe.busy_us, kernel.time_us),
                "bytes": pipe.gm.bytes / pipe.gm.instructions,
                "issue": _part(pipe.issue_us, pipe.busy_us),
                "times": _times_moved(kernel),
            }


def burst_numbers(kernel: KernelProfile, target: Target) -> Iterator[Numbers]:
    line, sector = target.memory.l2_line, target.memory.sector
    for name, pipe, share in _leading(kernel, "MTE2", "MTE3", "FIX"):
        gm = pipe.gm
        if gm is not None and _costs(kernel, gm, name, sector):
            yield {
                "pipe": name,
                "share": share,
                "burst": gm.bytes / gm.bursts,
                "used": gm.bytes / (gm.lines * line),
                "cut": gm.cut_lines / gm.lines,
                "line": line,
                "sector": sector,
            }


def _costs(kernel: KernelProfile, gm: GmProfile, name: str, sector: int) -> bool:
    """Whether time hangs on lines: where the target models requests, elsewhere for reads that miss."""
    return bool(sector) or (name.endswith("MTE2") and kernel.l2_hit_rate < 0.5)


def read_numbers(kernel: KernelProfile, target: Target) -> Iterator[Numbers]:
    """Of kernels with a product, and the share of L0C that its accumulators take."""
    l0c = kernel.memory["l0c"]
    if l0c.peak_bytes:
        for name, _, share in _leading(kernel, "MTE2"):
            full = _part(l0c.peak_bytes, l0c.capacity_bytes)
            yield {
                "pipe": name,
                "share": share,
                "times": _times_moved(kernel),
                "most": _most_read(kernel),
                "l0c": full,
            }


def _most_read(kernel: KernelProfile) -> str:
    """The tensor of which DMA reads the most bytes again, in words."""
    one = max(kernel.tensors, key=lambda t: t.dma_read_bytes - t.bytes)
    return f"{one.name} {_part(one.dma_read_bytes, one.bytes):.1f} times"


def _times_moved(kernel: KernelProfile) -> float:
    """How often DMA moves a byte that the kernel needs."""
    moved = kernel.dma_read_bytes + kernel.dma_write_bytes
    return _part(moved, kernel.compulsory_bytes + kernel.workspace_bytes)


def load_numbers(kernel: KernelProfile, target: Target) -> Iterator[Numbers]:
    cube = next((share for _, _, share in _shares(kernel, "M")), None)
    if cube is not None:
        for name, _, share in _leading(kernel, "MTE1"):
            yield {"pipe": name, "share": share, "cube": cube}


def unit_numbers(kernel: KernelProfile, target: Target) -> Iterator[Numbers]:
    """Of the Vector unit and the Cube: shares of the busy time that issue takes, and bank conflicts."""
    for name, pipe, share in _leading(kernel, "V", "M"):
        yield {
            "pipe": name,
            "share": share,
            "busy": _part(pipe.busy_us, kernel.time_us),
            "issue": _part(pipe.issue_us, pipe.busy_us),
            "conflict": _part(pipe.conflict_us, pipe.busy_us),
            "instructions": pipe.instructions,
        }


def scalar_numbers(kernel: KernelProfile, target: Target) -> Iterator[Numbers]:
    yield {"scalar": _part(kernel.scalar_us, kernel.time_us)}


def hbm_numbers(kernel: KernelProfile, target: Target) -> Iterator[Numbers]:
    moved = kernel.hbm_read_bytes + kernel.hbm_write_bytes
    yield {
        "share": _part(kernel.hbm_busy_us, kernel.time_us),
        "wait": _part(kernel.hbm_wait_us, kernel.time_us),
        "times": _part(moved, kernel.compulsory_bytes),
        "why": _excess(kernel),
    }


MUCH = 0.05
"""Share of the bytes that a kernel needs, from which on it is said what more of them is for."""


def _excess(kernel: KernelProfile) -> str:
    """What goes across HBM beside the bytes that the kernel needs, in words: operands fetched again, workspaces, and
    writes of what L2 evicts (results of earlier kernels too) or holds no longer when it is written again."""
    least = MUCH * kernel.compulsory_bytes
    parts: list[str] = []
    for one in kernel.tensors:
        needed = 0 if one.workspace else min(one.bytes, one.dma_read_bytes)
        if one.hbm_read_bytes - needed <= least:
            continue
        if needed:
            times = one.hbm_read_bytes / needed
            parts.append(f"{one.name} is read {times:.1f} times ({one.hbm_read_bytes} B)")
        else:
            parts.append(f"{one.hbm_read_bytes} B of {one.name} are read back")
    results = sum(min(t.bytes, t.dma_write_bytes) for t in kernel.tensors if not t.workspace)
    if kernel.hbm_write_bytes - results > least:
        parts.append(f"{kernel.hbm_write_bytes} B are written, {results} B of them results")
    return f": {', '.join(parts)}" if parts else ""


def _part(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
