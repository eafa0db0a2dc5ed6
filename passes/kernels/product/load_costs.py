"""What a part of a product's operand takes on its way to L1, and the lines of L2 that bursts touch."""

from __future__ import annotations

from functools import cache
from math import gcd
from typing import NamedTuple

from ....dialects.element_types import lanes_of
from ....dialects.target_types import Target
from ....dialects.tile import BLOCK
from ....runtime.machine.costs import transpose_cost
from .problem import Problem


class LoadCosts(NamedTuple):
    """One operand of one step, in `passages` equal parts: of a part the bytes, the DMA instructions and the cycles of
    V and MTE3 (no MTE3: the DMA brings it to L1). The tensor has `whole` bytes.
    `requests` of a part go to L2, where the target models them; `cut` of them end
    inside a sector, so that L2 does not keep their line; they are in so many `runs` of lines that follow each other.
    `goes_on`: whether the next step reads on in the same lines.
    `beside`: cycles of the core's port for what comes with a part, and L2 has; `cut_beside` lines of it end like those.
    `fill`: cycles of V before the DMA, for what lies beside the tensor.
    `rows`: those that become NZ on the way, in so many `bursts`, between which there are gaps. `entries`: Vector
    instructions of a part, which fill the queue in front of the unit, where the core computes its operands itself."""

    passages: int
    size: float
    dmas: float
    vector: float
    mte3: float
    whole: float
    requests: float = 0.0
    cut: float = 0.0
    runs: float = 1.0
    rows: int = 0
    bursts: int = 0
    entries: int = 0
    goes_on: bool = False
    fill: float = 0.0
    beside: float = 0.0
    cut_beside: float = 0.0


def feeds(p: Problem) -> bool:
    """Whether Vector cores compute the left operand for a Cube core, or lay an image out where GM is between them."""
    image = p.window and not p.lhs_blocked and ("ub", "l1") not in p.target.paths
    return p.target.split and (p.prologue is not None or image or feeds_filters(p))


def feeds_filters(p: Problem) -> bool:
    """Whether Vector cores lay filters out for a Cube core: they are no weights, and DMA makes matrices alone."""
    return p.target.split and p.window and not p.packed and p.taps > 1


def lays_out_on_the_way(p: Problem) -> bool:
    """Whether DMA lays matrices out on their way to L1, on a chip where one core does all of a tile."""
    return p.target.dma.nd2nz and not p.target.split and not p.window


def turned(target: Target, dtype: str, elements: int) -> float:
    """Vector cycles in which so many elements are transposed: 16 rows of 32 B at a time."""
    return transpose_cost(target, dtype, -(-elements // (BLOCK * lanes_of(dtype)))).busy


class Asked(NamedTuple):
    """Requests of a part of an operand to L2, lines that are cut inside a sector, and the runs that they are in."""

    requests: float
    cut: float
    runs: float


def lines_asked(target: Target, bursts: int, run: int, pitch: int, start: int = 0) -> Asked:
    """How many lines of L2 `bursts` bursts of `run` bytes, `pitch` bytes apart, touch on average: each is a request.
    The first begins on a multiple of `start` bytes, as runs do."""
    line, sector = target.memory.l2_line, target.memory.sector
    if run >= pitch:
        bursts, run = 1, bursts * run
    near = gcd(run, pitch, start, line)
    requests = bursts * (run + line - near) / line
    lines = ((bursts - 1) * pitch + run + line - near) / line
    """Those of neighbours may be one."""
    cut = min(lines, bursts * _cut(run, near, line, sector)) if sector else 0.0
    return Asked(requests, cut, bursts if pitch >= run + line else 1)


@cache
def _cut(run: int, near: int, line: int, sector: int) -> float:
    """How many lines on average have a part of a burst of `run` bytes that ends inside a sector; it begins on a
    multiple of `near` bytes."""
    starts = range(0, line, near)
    return sum(_cut_lines(start, start + run, line, sector) for start in starts) / len(starts)


def _cut_lines(start: int, end: int, line: int, sector: int) -> int:
    """The same of the burst from `start` to `end`."""
    if end <= line:
        return start % sector > 0 or end % sector > 0
    return (start % sector > 0) + (end % sector > 0)
