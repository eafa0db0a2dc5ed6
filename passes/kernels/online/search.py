"""The search for the tile sizes of kernels that stream rows: candidates in the order of their bounds."""

from collections.abc import Iterator
from dataclasses import replace
from math import inf

from ....dialects.target_types import Target
from ...regions.regions import Regions
from ...regions.tiling import OnlineTiling
from ...support.run_size import OPEN
from ..common.form import SlowerError
from ..elementwise.legality import NoTileError
from .candidate import Candidate
from .problem import Problem
from .tiling import ROWS, STEPS


def best_online_tilings(
    regions: Regions, target: Target, count: int, most: float = inf
) -> list[tuple[float, OnlineTiling]]:
    """The `count` tilings with the least predicted cycles, with these, best first; `NoTileError` when none fits,
    `SlowerError` when it is clear that none takes at most `most` cycles."""
    problem = Problem(regions, target)
    known, key = problem.alike.fastest, (problem.read_once, problem.hbm)
    if count == 1 and key in known:
        if known[key][0] > most:
            raise SlowerError(known[key][0])
        return [known[key]]
    bounded: list[tuple[float, int, Candidate, tuple[int, int]]] = []
    for i, candidate in enumerate(_candidates(problem)):
        pieces = candidate.pieces()
        if pieces is not None:
            bounded.append((candidate.bound(*pieces), i, candidate, pieces))
    timed: list[tuple[float, int, OnlineTiling]] = []
    for bound, i, candidate, pieces in sorted(bounded, key=lambda one: one[:2]):
        if len(timed) == count and bound > timed[-1][0]:
            break
        if bound > most and not timed:
            raise SlowerError(bound)
        if candidate.fits():
            tiling = OnlineTiling(candidate.tiles, *candidate.shared, candidate.step, pieces)
            timed = sorted([*timed, (candidate.time(*pieces), i, tiling)], key=lambda one: one[:2])[:count]
    if not timed:
        columns = problem.extents[problem.roles.n]
        raise NoTileError(
            regions.ops[-1], f"no part of its rows fits on chip beside {columns} columns of sums"
        )
    found = [(time, tiling) for time, _, tiling in timed]
    known[key] = found[0]
    return found


def online_time(regions: Regions, tiling: OnlineTiling, target: Target) -> float:
    """Predicted cycles of the kernel."""
    return Candidate(Problem(regions, target), tiling.tiles, tiling.step).time(*tiling.l0_k)


def at_all_sizes(regions: Regions, tiling: OnlineTiling, target: Target) -> OnlineTiling:
    """A tiling that was found at one run-time size, with the cores that it may need at others."""
    problem = Problem(regions.at(OPEN), target)
    cores, serial = Candidate(problem, tiling.tiles, tiling.step).shared
    return replace(tiling, cores=cores, serial=serial)


def _candidates(problem: Problem) -> Iterator[Candidate]:
    roles, extents = problem.roles, problem.extents
    m = roles.m[-1]
    for rows in sorted({min(r, extents[m]) for r in ROWS}):
        tiles = tuple(extents[d] if d == roles.n else rows if d == m else 1 for d in range(len(extents)))
        for step in sorted({min(s, roles.k) for s in STEPS}):
            yield Candidate(problem, tiles, step)


__all__ = ["at_all_sizes", "best_online_tilings", "online_time"]
