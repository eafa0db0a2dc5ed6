"""Which DMA instructions move a region between GM and UB: the lowering emits them (`moves.py`), the tile search counts
them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import gcd, prod
from typing import TYPE_CHECKING

from ...dialects.element_types import BLOCK_BYTES
from ...dialects.records import dataclass
from ...dialects.target_types import Target
from ...dialects.tile import BLOCK
from ...runtime.machine.costs import hit_cycles, miss_cycles

if TYPE_CHECKING:
    from ..support.indices import Idx


@dataclass(frozen=True)
class Run:
    """A dimension of a region: `count` steps of `gm` elements in the tensor and `ub` elements on chip; `most` at most,
    0 where that is not known."""

    count: Idx
    gm: int
    ub: int
    most: int = 0


Multiply = Callable[["Idx", "Idx"], "Idx"]


def merge_runs(multiply: Multiply, runs: Sequence[Run], length: Idx) -> tuple[list[Run], Idx]:
    """Fold dimensions that continue the run inside them, on both sides, into the run's length."""
    rest = [r for r in runs if r.count != 1]
    while rest and isinstance(length, int) and rest[-1].gm == length == rest[-1].ub:
        length = multiply(rest.pop().count, length)
    return rest, length


def fold(multiply: Multiply, runs: Sequence[Run], target: Target, item: int) -> list[Run]:
    """The same steps with dimensions that continue the one inside them, on both sides, in one with it: bursts of one
    instruction, as far as it holds them. `item`: bytes of an element."""
    folded: list[Run] = []
    for run in runs:
        outer = folded[-1] if folded else None
        if outer is not None and _continues(outer, run) and _fits(outer, run, target, item):
            assert isinstance(run.count, int)
            run = Run(multiply(outer.count, run.count), run.gm, run.ub, outer.most * run.count)
            folded.pop()
        folded.append(run)
    return folded


def _continues(outer: Run, inner: Run) -> bool:
    count = inner.count
    return isinstance(count, int) and (outer.gm, outer.ub) == (count * inner.gm, count * inner.ub)


def _fits(outer: Run, inner: Run, target: Target, item: int) -> bool:
    """Whether an instruction holds all bursts of both: they are no more than UB has room for."""
    assert isinstance(inner.count, int)
    if isinstance(outer.count, int):
        most = outer.count * inner.count
    elif outer.most:
        most = outer.most * inner.count
    else:
        most = target.spaces["ub"].bytes // (inner.ub * item)
    return most <= target.dma.max_blocks


def bursts_last(runs: Sequence[Run], length: int, target: Target, item: int) -> list[Run]:
    """The same steps in an order in which DMA takes them sooner, whether L2 holds what is read or not: those last that
    are the bursts of an instruction. Bursts of `length` elements without a gap between them ask for the lines of L2
    that they have together; they stay together where HBM gives a line again to who asks for another part of it."""
    if len(runs) < 2 or not all(isinstance(run.count, int) for run in runs):
        return [*runs]
    if target.memory.sector and runs[-1].gm == length:
        return [*runs]
    path, unit, line = target.path("gm", "ub"), BLOCK_BYTES // item, target.memory.l2_line
    total = prod(_known(run.count) for run in runs)

    def cycles(run: Run) -> tuple[float, float]:
        count = _known(run.count)
        turns = min(turns_of(target, run.gm, unit), count)
        dense = turns == 1 and run.gm == length
        stretches, bytes_ = (total // count, count * length * item) if dense else (total, length * item)
        requests, issue = stretches * -(-bytes_ // line), total // count * turns * path.issue
        missed = miss_cycles(target, path, requests, total * length * item)
        return max(issue, hit_cycles(target, path, 0, 0, requests)), max(issue, missed)

    found, last = runs[-1], cycles(runs[-1])
    for run in runs[:-1]:
        now = cycles(run)
        fits = run.gm % unit == run.ub % unit == 0 and _known(run.count) <= target.dma.max_blocks
        if fits and now != last and all(one <= other for one, other in zip(now, last, strict=True)):
            found, last = run, now
    return [*(run for run in runs if run is not found), found]


def turns_of(target: Target, pitch: int, unit: int) -> int:
    """Instructions that rows `pitch` elements apart in GM need at least: the bursts of one are whole blocks of `unit`
    elements apart."""
    return 1 if target.dma.unaligned else unit // gcd(pitch, unit)


@dataclass(frozen=True)
class Transfers:
    """`instructions` of `bursts` bursts of `length` elements each; `pieces`: stretches of GM without a gap that all of
    them are."""

    instructions: int
    bursts: int
    length: int
    pieces: int

    @property
    def elements(self) -> int:
        return self.instructions * self.bursts * self.length


def transfers(target: Target, runs: Sequence[Run], length: int, item: int) -> Transfers:
    """What `moves.move` emits for a region of known size."""
    unit = BLOCK_BYTES // item
    merged, whole = merge_runs(_product, runs, length)
    merged, whole = merge_runs(_product, merged, moved_length(target, _known(whole), unit))
    run = _known(whole)
    rest = bursts_last(fold(_product, merged, target, item), run, target, item)
    if not rest:
        return Transfers(1, 1, run, 1)
    *outer, rows = rest
    count, around = _known(rows.count), prod(_known(r.count) for r in outer)
    turns = min(turns_of(target, rows.gm, unit), count)
    bursts = -(-count // turns)
    pieces = 1 if turns == 1 and rows.gm == run else bursts
    return Transfers(around * turns, bursts, run, around * turns * pieces)


def lead_of_steps(step: int, pad: int, lanes: int, results: int, size: int) -> int | None:
    """How many elements in front of the first one come with `lanes` elements that are read in steps, so that a row is
    whole steps. None where a tensor's rows of `size` elements do not have them for all `results`, of which the first
    one is `pad` elements in front of the row, or where UB has no room for them: whole blocks of 16 elements."""
    lead, reach = -pad % step, (lanes - 1) * step + 1
    inside = pad <= 0 and results * step - pad - lead <= size
    return lead if inside and lanes * step <= -(-reach // BLOCK) * BLOCK else None


def moved_length(target: Target, length: int, unit: int) -> int:
    """Elements that a burst of `length` moves: whole blocks of `unit` elements where DMA has no others."""
    return length if target.dma.unaligned else -(-length // unit) * unit


def _product(a: Idx, b: Idx) -> Idx:
    return _known(a) * _known(b)


def _known(count: Idx) -> int:
    assert isinstance(count, int)
    return count
