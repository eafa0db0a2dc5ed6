"""Published times of kernels on a 910B1 and a 950PR against the emulator's: each within its bar, and in their order.

Points that take seconds run with `ASCEND_OPT_ALL=1`; every family has others.
"""

import re
import sys
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

import fidelity
from fidelity import a5, intervals, leave_one_out, library, provenance, study, units
from fidelity.point import Point
from sweeps import ALL

from ascend_opt.runtime.machine.error_bars import FILE

pytestmark = pytest.mark.xdist_group("fidelity")
"""One worker runs them all: it keeps what they share."""

ROOT = Path(__file__).parents[2]


STUDY = fidelity.whole_study if ALL else fidelity.short_study


@cache
def points() -> list[Point]:
    return [point for run in STUDY().points for point in run]


def of_the_950() -> list[Point]:
    return [point for point in points() if point.name.startswith("950: ")]


@cache
def page() -> str:
    return (ROOT / "docs" / "timing-model.md").read_text()


def names() -> list[str]:
    """Those of all points, as the page has them."""
    (part,) = re.findall(r"<!-- generated: measured -->\n(.*?)<!-- end -->", page(), re.DOTALL)
    return re.findall(r"^\| (.+?) \| [\d.e+]+ (?:µs|cycles) \|", part, re.MULTILINE)


def test_instructions():
    points = [*(point for case in units.cases() for point in case()), *a5.units()]
    assert [p.name for p in points if abs(p.error) > p.bar] == []


@pytest.mark.slow
def test_copies_of_the_950():
    points = of_the_950()
    for to in ("UB", "L1"):
        copies = [p for p in points if f"GM to {to}" in p.name and "MTE2" not in p.name]
        once = [p for p in copies if not any(other in p.name for other in (" by all", " 4 x ", " KB "))]
        assert len(once) > 2 and _ordered(once)
        assert _ordered([p for p in copies if " 4 x " in p.name])


@pytest.mark.slow
def test_products_of_the_950():
    """In the order of the board where its times differ by more than 1 %."""
    cases = sorted(
        (p for p in of_the_950() if p.name.count(",") == 1 and "case" in p.name), key=lambda p: p.published
    )
    cases = [p for p in cases if "Matmul" in p.name]
    assert len(cases) == (7 if ALL else 2)
    for i, one in enumerate(cases):
        assert all(one.predicted < p.predicted for p in cases[i + 1 :] if p.published > 1.01 * one.published)


@pytest.mark.slow
def test_every_point_is_within_its_bar():
    assert [p.name for p in points() if abs(p.error) > p.bar] == []


@pytest.mark.slow
def test_cases_are_in_the_order_of_the_board():
    assert _ordered([p for p in points() if p.name.startswith("Add 8192x8192") and p.name.count(",") == 1])
    products = [p for p in points() if p.name.startswith("Matmul 8192, case") and p.name.count(",") == 1]
    assert len(products) == (4 if ALL else 2) and _ordered(products)
    rest = [p for p in points() if p.name.startswith("GM to") and not p.note.endswith("of the rows, scaled")]
    assert _ordered([p for p in rest if "in step" in p.name or "rotated" in p.name])
    assert _ordered([p for p in rest if "302 MB" in p.name or "75 MB" in p.name])


@pytest.mark.slow
def test_the_page_shows_these_results():
    """`python docs/generate.py --slow` writes them. Numbers are found again without each point of a few runs, and with
    `ASCEND_OPT_ALL=1` of all."""
    found = STUDY()
    rows = list(study.table(found.worst_first))
    assert set(rows) <= set(page().splitlines())
    assert len(names()) == len(rows) - 2 if ALL else len(names()) > len(rows) - 2 > 140
    some = list(found.runs.left_out(every=9, lacking=set(names()) - {point.name for point in points()}))
    assert len(some) > 5
    assert [row for row in list(leave_one_out.table(some))[2:] if row not in page()] == []


@pytest.mark.slow
def test_the_headline_meets_its_bar():
    assert STUDY().headline().met


@pytest.mark.slow
@pytest.mark.skipif(not ALL, reason="numbers found again without every point: ASCEND_OPT_ALL=1")
def test_what_points_left_out_come_to():
    """Their errors, on the page; what intervals hold, how wide they are, and that the package reads them."""
    found = fidelity.whole_study()
    assert [row.name for row in found.rows() if not row.met] == []
    assert "\n".join(found.page()) in page()
    assert "\n".join(leave_one_out.table(found.left_out)) in page()
    assert FILE.read_text() == intervals.file_text(found.residuals)


@pytest.mark.slow
def test_sources_name_points():
    """Each pattern of a source fits a point, and only such points are fitted or derived from."""
    patterns = {p for rows in provenance.SOURCES.values() for source in rows for p in source.points}
    assert [p for p in patterns if not any(fnmatchcase(name, p) for name in names())] == []


def test_own_schedules():
    """By the compiler's own tiles, products take no longer than the library's and no less than the chip needs."""
    found = list(library.rows(8192 if ALL else 4095))
    assert len(found) == (12 if ALL else 6) and [row.name for row in found if not row.met] == []


def _ordered(points: list[Point]) -> bool:
    """Whether the points have the same order when sorted by what is published and by what is predicted."""
    published = sorted(points, key=lambda p: p.published)
    return published == sorted(points, key=lambda p: p.predicted)
