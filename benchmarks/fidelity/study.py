"""All points, each that gave a number also as it is without it, and what follows for the error of a prediction."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import exp, log

from measure import Row

from fidelity import intervals, provenance
from fidelity.leave_one_out import LeftOut, Runs
from fidelity.point import Case, Point


@dataclass(frozen=True)
class Study:
    """What runs of programs gave. Finding numbers again takes minutes, and is done when it is asked for."""

    runs: Runs

    @property
    def points(self) -> Sequence[Sequence[Point]]:
        """By run."""
        return self.runs.points

    @cached_property
    def left_out(self) -> Sequence[LeftOut]:
        """Points that gave a number, one by one."""
        return list(self.runs.left_out())

    @cached_property
    def together(self) -> Sequence[LeftOut]:
        """The same, all those of a run at once."""
        return list(self.runs.left_out(together=True))

    @property
    def worst_first(self) -> list[Point]:
        return sorted((p for run in self.points for p in run), key=lambda point: -abs(log(1 + point.error)))

    @property
    def free(self) -> list[Point]:
        """Points that no number was taken from."""
        return [one for one in self._free_and_aside if not one.aside]

    @property
    def _free_and_aside(self) -> list[Point]:
        return [one for one in self.worst_first if not provenance.gave(one.name)]

    @property
    def residuals(self) -> list[intervals.Residual]:
        """Of whole kernels."""
        without = {one.point.name: one.predicted for one in self.left_out}
        return [
            intervals.Residual(p.name, run, p.regime, log(p.published / without.get(p.name, p.predicted)))
            for run, points in enumerate(self.points)
            for p in points
            if p.regime and not p.aside
        ]

    def page(self) -> Iterator[str]:
        """Markdown: what the points come to, and all of them."""
        strict = mean_error(self.together)
        tried = intervals.coverage(self.residuals)
        yield (
            f"Geometric mean of the error: **{mean_error(self.free):.1%}** over {len(self.free)} points that gave no "
            f"number, **{mean_error(self.left_out):.1%}** over {len(self.left_out)} points, each predicted without it "
        )
        everything = self._free_and_aside
        yield (
            f"({strict:.1%} without all that its run gave). With the points that are said to be aside, it is "
            f"{mean_error(everything):.1%} over {len(everything)}."
        )
        yield (
            f"Intervals hold {tried.held:.0%} of {tried.points} kernels "
            f"left out; half an interval is {tried.half_width:.1%} of the time, as a median."
        )
        yield ""
        yield from table(self.worst_first)

    def headline(self) -> Row:
        """The error of points that gave no number, with its bar."""
        whole = mean_error([point for point in self.free if point.regime])
        note = f"{len(self.free)} points, {whole:.1%} of whole kernels"
        return _row("error of points that gave no number", mean_error(self.free), 0.06, note)

    def rows(self) -> Iterator[Row]:
        """The figures that this comes to, each with its bar."""
        yield self.headline()
        mean, strict = mean_error(self.left_out), mean_error(self.together)
        note = f"{len(self.left_out)} points; {strict:.1%} without all that a run gave"
        yield _row("error of points left out", mean, 0.08, note)
        tried = intervals.coverage(self.residuals)
        note = f"{tried.points} whole kernels left out"
        yield _row("held by 80 % intervals", tried.held, 0.7, note, at_least=True)
        yield _row("held by 80 % intervals, at most", tried.held, 0.9, note)
        everything = self._free_and_aside
        yield _row("with points that are aside", mean_error(everything), 1.0, f"{len(everything)} points")
        yield _row("half-width of an interval, median", tried.half_width, 0.12, "")


def _row(name: str, figure: float, bar: float, note: str, at_least: bool = False) -> Row:
    return Row(name, figure, bar, "", "", figure, bar, at_least, note)


def mean_error(points: Sequence[Point | LeftOut]) -> float:
    """The geometric mean of predicted over published or its inverse, whichever is more than one, less one."""
    return exp(sum(abs(log(1 + point.error)) for point in points) / len(points)) - 1


@cache
def study_of(cases: tuple[Case, ...]) -> Study:
    return Study(Runs.of(cases))


def table(points: Sequence[Point]) -> Iterator[str]:
    """The points as a table of Markdown, in which those that gave a number are marked."""
    yield "| measured | published | predicted | error | gave |"
    yield "|---|---|---|---|---|"
    for one in points:
        unit = {"us": "µs", "cyc": "cycles"}[one.unit]
        numbers = ", ".join(f"`{name}`" for name in provenance.given_by(one.name))
        numbers = f"aside: {one.aside}" if one.aside else numbers
        yield (
            f"| {one.name} | {one.published:.4g} {unit} | {one.predicted:.4g} | {100 * one.error:+.1f} % | {numbers} |"
        )
