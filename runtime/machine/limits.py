"""The least that a chip takes for bytes of GM, in cycles, by the rules of its memory model: over HBM, and over the
ports of its cores to L2, all of them at work. What a core alone can do is in `ports.py`."""

from collections.abc import Collection

from ...dialects.target_types import Target


def hbm_cycles(target: Target, read: float, dirtied: float) -> float:
    """Cycles of HBM for `read` bytes that L2 lacks, and for those of `dirtied` bytes that have left L2 when a kernel
    ends: it holds the last `l2_bytes` of them."""
    memory = target.memory
    left = max(0.0, dirtied - memory.l2_bytes) * (memory.write_back if memory.sector else 1.0)
    return (read + left) / memory.hbm_chip


def port_cycles(target: Target, kinds: Collection[str], read: float, written: float) -> float:
    """Cycles of the ports to L2 for bytes read and written, which go in both directions at once. `kinds`: of the cores
    that move them: `aicore`, `aic`, `aiv`."""
    reads, writes = port_rates(target, kinds)
    return max(read / reads, written / writes)


def port_rates(target: Target, kinds: Collection[str]) -> tuple[float, float]:
    """Bytes a cycle that all cores of these kinds together read and write."""
    reads, writes = (sum(rates) for rates in zip(*(_rates(target, kind) for kind in kinds), strict=True))
    memory = target.memory
    if "aiv" in kinds:  # the cores of a group share its ports
        reads = min(reads, memory.group_read or reads)
        writes = min(writes, memory.l2_write)
    return reads * target.cores, writes * target.cores


def _rates(target: Target, kind: str) -> tuple[float, float]:
    """Bytes a cycle that the cores of a kind in a group, or one core of a chip without groups, read and write."""
    spaces = {"aicore": ("l1", "ub"), "aic": ("l1",), "aiv": ("ub",)}[kind]
    read = max(_read_rate(target, space) for space in spaces)
    write = _write_rate(target, "l0c" if kind == "aic" else "ub")
    cores = target.cores_of(kind) / target.cores
    return cores * read, cores * write


def _read_rate(target: Target, space: str) -> float:
    """The most bytes a cycle that a core reads into one of its memories: what L2 holds, or what it lacks."""
    memory = target.memory
    if not memory.sector:
        return max(memory.l2_read, memory.hbm_read)
    path = target.path("gm", space)
    return max(path.rate or memory.l2_read, path.miss_rate or memory.hbm_read)


def _write_rate(target: Target, space: str) -> float:
    """The most bytes a cycle that it writes from one of them, elements of 4 bytes perhaps."""
    path, most = target.path(space, "gm"), target.memory.l2_write
    rate = max(min(path.of_items(size).rate, most) for size in (2, 4))
    return max(rate, path.miss_rate) if target.memory.sector else rate
