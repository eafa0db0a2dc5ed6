"""What variants for parts of a range of run-time sizes lose, by the clock: at samples, and between them.

A variant takes a step where a size needs one more round of the cores. So of the sizes between two samples one may lose
more than both; it becomes a sample.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from .dynamic_size import at_run_size
from .size_clock import SizeClock
from .size_ranges import Part, cut

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

BETWEEN = 7
"""Sizes between two samples at which a variant is timed."""
NEAR = 0.03
"""A size that may lose less than is allowed by so much, as its neighbours say, is compiled alone, too."""
MOST_CHECKS = 3
"""How often parts are looked at between their samples."""


class SizeJudge:
    """Times a function, which is alone in a module, at run-time sizes. `whole`: what it takes at samples of the range,
    compiled for all of them."""

    def __init__(self, alone: ModuleOp, clock: SizeClock, whole: Mapping[int, float]):
        self._alone, self._clock = alone, clock
        self._whole = dict(whole)
        self._best: dict[int, float] = {}
        self._losses: dict[tuple[int, ...], float] = {}

    def parts(self, most: float) -> list[Part]:
        """Few parts, in which no size that is timed loses more than `most`, or than it does alone."""
        samples = tuple(self._whole)
        parts = cut(samples, self._loss, most)
        for _ in range(MOST_CHECKS):
            belows = [samples[0], *(part.last for part in parts)]
            more = {
                n for part, below in zip(parts, belows, strict=False) for n in self._worse(part, below, most)
            }
            if not more:
                break
            samples = tuple(sorted({*samples, *more}))
            parts = cut(samples, self._loss, most)
        return parts

    def _of_alone(self, size: int) -> float:
        """What a program for one size takes."""
        if size not in self._best:
            (self._best[size],) = self._clock.times(at_run_size(self._alone, size), (), (size,))
        return self._best[size]

    def _loss(self, some: tuple[int, ...]) -> float:
        if some not in self._losses:
            is_whole = some == tuple(self._whole)
            times = list(self._whole.values()) if is_whole else self._clock.times(self._alone, some, some)
            losses = (time / self._of_alone(n) for n, time in zip(some, times, strict=True))
            self._losses[some] = max(losses) - 1
        return self._losses[some]

    def _worse(self, part: Part, below: int, most: float) -> list[int]:
        """Sizes between the samples of a part, and behind that `below`, which lose more than is allowed, and than its
        samples do: at most one between two."""
        gaps = [(a, b) for a, b in pairwise(sorted({below, *part.samples})) if b > a + 1]
        inside = {gap: between(*gap) for gap in gaps}
        sizes = [n for some in inside.values() for n in some]
        times = (
            dict(zip(sizes, self._clock.times(self._alone, part.samples, sizes), strict=True))
            if sizes
            else {}
        )
        allowed = max(most, part.loss or 0.0)
        found: list[int] = []
        for (a, b), some in inside.items():
            first, last = self._of_alone(a), self._of_alone(b)
            likely = {n: times[n] / (first + (last - first) * (n - a) / (b - a)) - 1 for n in some}
            size = max(likely, key=likely.__getitem__)
            if likely[size] > allowed - NEAR and times[size] / self._of_alone(size) - 1 > allowed:
                found.append(size)
        return found


def between(first: int, last: int) -> Sequence[int]:
    """Some of the sizes between two."""
    steps = range(1, BETWEEN + 1)
    return sorted({first + (last - first) * step // (BETWEEN + 1) for step in steps} - {first, last})


__all__ = ["SizeJudge", "between"]
