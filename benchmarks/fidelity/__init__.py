"""Published measurements of the Ascend 910B1 and 950PR against the emulator: kernels written as their descriptions say.

Source: Ascend C examples and tests (mirror-cann/asc-devkit, examples/01_simd_cpp_api/05_best_practices and tests/perf),
profiled on boards. Times of whole kernels are those of a process's first launch, as the profiler there sees it.
"""

from collections.abc import Iterator, Sequence
from math import exp, log

from measure import Row

from fidelity import a5, a5_products, copies, fusion, library, products, short, units, vectors
from fidelity.point import Case, Point

MODULES = (units, copies, a5, vectors, products, fusion, a5_products, short, library)
"""A module lists its programs in `cases`."""


def cases() -> Iterator[Case]:
    for module in MODULES:
        yield from module.cases()


def points() -> Iterator[Point]:
    for case in cases():
        yield from case()


def table(points: Sequence[Point]) -> Iterator[str]:
    """The points as a table of Markdown."""
    yield "| measured on 910B1 | published | predicted | error |"
    yield "|---|---|---|---|"
    for one in points:
        unit = {"us": "µs", "cyc": "cycles"}[one.unit]
        yield f"| {one.name} | {one.published:.4g} {unit} | {one.predicted:.4g} | {100 * one.error:+.1f} % |"


def rows() -> Iterator[Row]:
    """A row a point, then the geometric mean of predicted over published or its inverse, whichever is more than one."""
    logs: list[float] = []
    for one in points():
        logs.append(abs(log(one.predicted / one.published)))
        note = f"{one.error:+.1%} {one.note}".rstrip()
        yield Row(
            one.name, one.predicted, one.published, one.unit, "published", abs(one.error), one.bar, note=note
        )
    mean = exp(sum(logs) / len(logs)) - 1
    yield Row("geometric mean of the error", mean, 0.08, "", "", mean, 0.08, note=f"{len(logs)} points")
    yield from library.rows()
