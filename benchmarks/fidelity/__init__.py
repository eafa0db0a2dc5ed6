"""Published measurements of the Ascend 910B1 and 950PR against the emulator: kernels written as their descriptions say.

Source: Ascend C examples and tests (mirror-cann/asc-devkit, examples/01_simd_cpp_api/05_best_practices and tests/perf),
profiled on boards. Times of whole kernels are those of a process's first launch, as the profiler there sees it.
"""

from collections.abc import Iterator

from measure import Row

from fidelity import (
    a5,
    a5_products,
    copies,
    fusion,
    library,
    products,
    short,
    transfers,
    units,
    vector_loops,
    vectors,
)
from fidelity.point import Case, Long, Point
from fidelity.study import Study, study_of

MODULES = (units, transfers, copies, a5, vectors, products, fusion, a5_products, short, vector_loops, library)
"""A module lists its programs in `cases`."""


def cases() -> Iterator[Case]:
    for module in MODULES:
        yield from module.cases()


def points() -> Iterator[Point]:
    for case in cases():
        yield from case()


def whole_study() -> Study:
    """Of all points; made once."""
    return study_of(_CASES)


def short_study() -> Study:
    """Of the points that take no more than seconds; made once."""
    return study_of(_SHORT)


_CASES = tuple(cases())
_SHORT = tuple(case for case in _CASES if not isinstance(case, Long))


def rows() -> Iterator[Row]:
    """A row a point, the worst first, then what they come to, and this compiler's own products."""
    found = whole_study()
    for one in found.worst_first:
        note = f"{one.error:+.1%} {one.note}".rstrip()
        yield Row(
            one.name, one.predicted, one.published, one.unit, "published", abs(one.error), one.bar, note=note
        )
    yield from found.rows()
    yield from library.rows()
