"""Numbers that were taken from points, found again without one, and how far off the point left out then is.

The numbers that were taken from it begin at what they would be without any point (`Source.prior`), and change as far as
the points that are left say.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log

import numpy as np
from numpy.typing import NDArray
from target_numbers import key_text, numbers, with_number

from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import Target
from fidelity.point import Case, Point, changed
from fidelity.provenance import FAMILIES, SOURCES, gave, names_of
from fidelity.source import Source

STEPS, STEP, NEAR, MOST = 5, 0.05, 0.003, 4.0
Parts = NDArray[np.float64]
Key = tuple[int, tuple[tuple[str, Source, float], ...]]
Found = Mapping[tuple[str, Source], float]
"""Numbers by the chip whose file states them and their source."""


@dataclass(frozen=True)
class LeftOut:
    """A point as it is predicted with numbers that were found without it."""

    point: Point
    predicted: float
    found: str

    @property
    def error(self) -> float:
        return self.predicted / self.point.published - 1


@dataclass
class Runs:
    """Programs, their points by the numbers of the files, and what they were predicted with others before."""

    cases: Sequence[Case]
    points: Sequence[Sequence[Point]]
    _known: dict[Key, Mapping[str, float]] = field(default_factory=dict[Key, Mapping[str, float]])

    @staticmethod
    def of(cases: Sequence[Case]) -> "Runs":
        return Runs(cases, [list(case()) for case in cases])

    def predicted(self, run: int, found: Found) -> Mapping[str, float]:
        key = run, tuple((chip, source, value) for (chip, source), value in found.items())
        if key not in self._known:
            with changed(_chips(found)):
                self._known[key] = {point.name: point.predicted for point in self.cases[run]()}
        return self._known[key]

    def left_out(
        self, together: bool = False, every: int = 1, lacking: Collection[str] = ()
    ) -> Iterator[LeftOut]:
        """Every point that a number was taken from, of one run in `every`; with `together`, all those of a run at
        once. Numbers that were also taken from points that are `lacking` here are not found again."""
        for run, points in list(enumerate(self.points))[::every]:
            marked = [point for point in points if gave(point.name) and not point.aside]
            for group in [marked] if together else [[point] for point in marked]:
                giving = [
                    (chip, source)
                    for chip, rows in SOURCES.items()
                    for source in rows
                    if source.prior is not None and any(source.took(point.name) for point in group)
                ]
                lacks = any(source.took(name) for _, source in giving for name in lacking)
                if giving and not lacks:
                    yield from self._without(run, group, giving)

    def _without(
        self, run: int, group: Sequence[Point], giving: Sequence[tuple[str, Source]]
    ) -> Iterator[LeftOut]:
        names = {point.name for point in group}
        left = [
            (number, point)
            for number, points in enumerate(self.points)
            for point in points
            if point.name not in names
            and not point.aside
            and any(source.took(point.name) for _, source in giving)
        ]
        stated = np.array([values_of(chip)[names_of(source, chip)[0]] for chip, source in giving])

        def found(parts: Parts) -> Found:
            return dict(zip(giving, (parts * stated).tolist(), strict=True))

        def errors(parts: Parts) -> Parts:
            known = found(parts)
            return np.array([log(self.predicted(n, known)[p.name] / p.published) for n, p in left])

        parts = np.array([source.prior or 0 for _, source in giving]) / stated
        again = found(least(errors, parts) if left else parts)
        predicted = self.predicted(run, again)
        shown = ", ".join(f"{source.numbers[0]} {value:.3g}" for (_, source), value in again.items())
        for point in group:
            yield LeftOut(point, predicted[point.name], shown)


def least(errors: Callable[[Parts], Parts], start: Parts) -> Parts:
    """Where the sum of the squares of `errors` is least, near `start`: by Gauss and Newton, with slopes from there to
    what the files state that each step corrects (Broyden). Parts are of the numbers that the files state."""
    parts, now = start, errors(start)
    moves = np.diag(np.where(np.abs(1 - start) < STEP, STEP, 1 - start))
    slopes = np.stack([(errors(start + move) - now) / move.sum() for move in moves], axis=1)
    best, found = float(now @ now), parts
    floor = np.where(start > 0, 1 / MOST, 0.0)  # a rate is not 0
    for _ in range(STEPS):
        step = np.clip(parts + np.linalg.lstsq(slopes, -now, rcond=0.01)[0], floor, MOST) - parts
        if np.abs(step).max() < NEAR:
            break
        parts, before = parts + step, now
        now = errors(parts)
        slopes = slopes + np.outer(now - before - slopes @ step, step) / (step @ step)
        if now @ now < best:
            best, found = float(now @ now), parts
    return found


def values_of(chip: str) -> dict[str, float]:
    return {key_text(key): value for key, value in numbers(load_target(chip))}


def _chips(found: Found) -> dict[str, Target]:
    """The chips that have such numbers from a file, with these: as much more or less where they state their own."""
    made: dict[str, Target] = {}
    for (chip, source), value in found.items():
        first = values_of(chip)[names_of(source, chip)[0]]
        for name in FAMILIES[chip]:
            target = made.get(name) or load_target(name)
            own = values_of(name)
            for number in names_of(source, chip):
                target = with_number(target, number, own[number] * value / first)
            made[name] = target
    return made


def table(rows: Sequence[LeftOut]) -> Iterator[str]:
    """The points left out as a table of Markdown, the worst first."""
    yield "| point left out | published | predicted | error | with |"
    yield "|---|---|---|---|---|"
    for row in sorted(rows, key=lambda row: -abs(log(1 + row.error))):
        unit = {"us": "µs", "cyc": "cycles"}[row.point.unit]
        yield (
            f"| {row.point.name} | {row.point.published:.4g} {unit} | {row.predicted:.4g} | {100 * row.error:+.1f} % "
            f"| {row.found} |"
        )
