"""What L2 has of a product's operands: how often HBM gives each of them, and what DMA of a part takes when it does.

Cores at work together walk the tiles of the result column by column in bands of rows, or rows first inside an image.
What the walk keeps is in L2 for the next tile; what it comes back to is there if less than L2 came in between. The
first tiles of a core read what nobody has read, and of the cores that share an operand each fetches its part, at the
first steps of K.
"""

from math import prod
from typing import NamedTuple

from ....dialects.target_types import Path_
from ....runtime.machine.costs import hit_cycles, hit_rate, miss_cycles
from .load_costs import LoadCosts
from .operand_costs import Walk
from .problem import Problem


class Fetch(NamedTuple):
    """Of a part of an operand: cycles of MTE2, of HBM, which serves all cores, and until it is there."""

    cycles: float
    asked: float
    latency: float

    def asking(self, times: float) -> "Fetch":
        """The same, but so many times as much of HBM."""
        return Fetch(self.cycles, self.asked * times, self.latency)

    def mixed(self, other: "Fetch", share: float) -> "Fetch":
        """The mean of what takes as long as this one in `share` of all cases and as long as the other one in the
        rest."""
        rest = 1 - share
        return Fetch(
            share * self.cycles + rest * other.cycles,
            share * self.asked + rest * other.asked,
            share * self.latency + rest * other.latency,
        )


class Reads(NamedTuple):
    """DMA of the parts of an operand: `cold`, where L2 lacks what nobody has read, in the first `steps` steps of K of
    `tiles` tiles, in every so many of them; `warm` where other cores, tiles or steps have read it; the mean of all.
    Of what they ask of HBM in the mean, the last of these steps asks `end`, and those of the first of `inner` tiles
    that have lines in common `first`. `opening`: what a core's first part takes, all of which nobody has read, where
    `cold` is the least of all cuts of K. `turns`: how many cores have a turn of their own at HBM: one for all where all
    read the same bytes at one time."""

    cold: Fetch
    warm: Fetch
    mean: Fetch
    tiles: int
    steps: int
    every: int = 1
    end: float = 1.0
    first: float = 1.0
    inner: int = 1
    opening: Fetch | None = None
    turns: int = 1

    def at(self, tile: int, step: int) -> Fetch:
        """A part of the step of a tile that nobody has read."""
        if step >= self.steps or step % self.every:
            return self.warm
        share = 1.0
        if self.end < 1:
            share = self.end if step == self.steps - 1 else (self.steps - self.end) / (self.steps - 1)
        if self.first > 1:
            share *= (self.inner - self.first) / (self.inner - 1) if tile % self.inner else self.first
        return self.cold if share == 1.0 else self.cold._replace(asked=self.cold.asked * share)

    def asking(self, times: float) -> "Reads":
        """The same, but so many times as much of HBM."""
        if not self.cold.asked:
            return self
        warm = self.warm.asking(times) if self.warm.asked else self.warm
        return self._replace(cold=self.cold.asking(times), warm=warm, mean=self.mean.asking(times))

    @property
    def over_mean(self) -> float:
        """What all parts ask of HBM, over as many that ask what they do in the mean: more where the last of the tiles
        that have lines in common are another core's."""
        if self.first <= 1:
            return 1.0
        firsts = -(-self.tiles // self.inner)
        others = (self.tiles - firsts) * (self.inner - self.first) / (self.inner - 1)
        return (firsts * self.first + others) / self.tiles


def times_read(
    p: Problem, tiles: tuple[int, ...], walk: Walk, wholes: tuple[float, float]
) -> tuple[int, int]:
    """How often HBM gives each operand, of which there are so many bytes."""
    room = p.target.memory.l2_bytes
    if p.gm_bytes <= room:
        return 1, 1
    grid = [-(-e // t) for e, t in zip(p.extents, tiles, strict=True)]
    across = grid[p.roles.n]
    down, same = prod(grid) // across, walk.alike
    left, right = wholes
    others = max(0.0, p.gm_bytes - left - right)
    rows, columns = min(walk.rows, down), walk.columns
    inside, passes = prod(grid[p.roles.n + 1 :]), -(-across // columns)
    matrix = right * same / down
    """Bytes of a right operand that is not another one for each matrix."""
    if p.rows_last or inside <= rows:  # bands of rows, each with all columns
        band = (left + others) / down * rows
        return passes if band + matrix / passes > room else 1, -(-same // rows) if band + matrix > room else 1
    image = (left + others) * inside / down  # all rows of an image, then the next columns
    return passes if image + matrix / passes > room else 1, max(
        1, same // inside
    ) if image + matrix > room else 1


def run_cycles(p: Problem, load: LoadCosts, missed: float) -> float:
    """Cycles of HBM for the runs that so many bytes are in. Rows that become NZ come in turns: each line is one."""
    memory = p.target.memory
    reader = p.from_gm
    by_rows = load.rows and reader.row
    return (
        memory.hbm_run * missed / (memory.l2_line if by_rows else max(load.size / load.runs, memory.l2_line))
    )


class Port(NamedTuple):
    """A core's port to GM for the parts of an operand: its path, and what a part takes that L2 holds."""

    reader: Path_
    hit: float


def port_of(p: Problem, load: LoadCosts) -> Port:
    """The port that brings an operand."""
    target = p.target
    by_vector = load.mte3 and ("ub", "l1") not in target.paths
    reader = target.path("gm", "ub") if by_vector else p.from_gm
    if not target.memory.sector:
        return Port(reader, load.size / hit_rate(target, reader))
    return Port(reader, hit_cycles(target, reader, load.bursts, load.size, load.requests))


def port_cycles(p: Problem, load: LoadCosts, port: Port, missed: float, whole: bool) -> float:
    """Cycles of a core's port to GM for one part of an operand, `missed` bytes of which L2 lacks; `whole`: with all of
    their lines."""
    target, memory, reader = p.target, p.target.memory, port.reader
    if not memory.sector:  # lines come whole
        lines = max(1.0, load.requests * memory.l2_line / load.size) if whole else 1.0
        return (load.size - missed) / hit_rate(target, reader) + missed * lines / memory.hbm_read
    if not (missed or load.cut):
        return port.hit
    absent = missed / load.size * (load.requests - load.cut)
    if not whole:  # other steps find the rest of the line
        absent = min(absent, missed / memory.l2_line)
    absent += load.cut
    moved = min(load.size, missed + load.cut * memory.l2_line / 2)
    if load.rows and reader.row:  # whole lines; rows that follow each other share one
        beside = load.runs * missed / load.size + load.cut
        moved = min(absent * memory.l2_line, missed + beside * memory.l2_line)
    cycles = port.hit * (1 - absent / load.requests)
    return cycles + miss_cycles(target, reader, absent, moved, bool(load.rows and reader.row))
