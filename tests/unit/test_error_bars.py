"""Intervals of predicted times: the regime of a kernel, what is written of it, and what its error bar is made of."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.reports.text_table import predicted_text
from ascend_opt.passes.fusion.predicted_intervals import INSIDE
from ascend_opt.passes.fusion.report import FusionReport
from ascend_opt.runtime.machine.error_bars import (
    NOT_VALIDATED,
    REGIMES,
    SHORT_US,
    alike,
    interval_of,
    regime_of,
    regimes,
    validated,
)
from ascend_opt.runtime.profile.profile import PipeProfile, Profile

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from fidelity.intervals import Residual, coverage, quantiles
from fidelity.leave_one_out import least
from fidelity.provenance import FAMILIES, SOURCES, gave, source_of
from target_numbers import SIZES, key_text, numbers

from ascend_opt.dialects.target import load_target

GRAPH = "graph @f(%x: tensor<256x256xf16>) {{ %y = {op}(%x) return %y }}"


SOFTMAX_OF_PRODUCT = """graph @f(%x: tensor<512x512xf16>, %w: tensor<512x640xf16>) {
  %a = matmul(%x, %w) %b = relu(%a) %y = softmax(%b) return %y
}"""


def fusion_report(target: str) -> FusionReport:
    program = ascend_opt.compile(SOFTMAX_OF_PRODUCT, target=target, tune=1)
    (found,) = (report for report in program.reports if isinstance(report, FusionReport))
    return found


def profile(target: str, op: str = "relu") -> Profile:
    return ascend_opt.compile(GRAPH.format(op=op), target=target, tune=1).time()


@pytest.mark.parametrize(
    ("pipes", "time", "regime"),
    [
        ({"M": 70.0, "MTE2": 95.0}, 100.0, "Cube"),
        ({"M": 50.0, "MTE2": 95.0}, 100.0, "copy"),
        ({"aic M": 40.0, "aiv V": 80.0}, 100.0, "Vector"),
        ({"V": 20.0}, 24.0, "short"),
    ],
)
def test_the_regime_is_what_bounds_a_kernel(pipes: dict[str, float], time: float, regime: str):
    kernel = profile("ascend910b").kernels[0]
    busy = {name: PipeProfile(0.0, active, 1) for name, active in pipes.items()}
    one = replace(kernel, time_us=time, pipes=busy)
    assert regime_of(one, "ascend910b", time) == regime
    assert regime_of(one, "ascend950", time) == ("short" if regime == "short" else "950")


def test_a_profile_has_an_interval_around_its_time():
    found = profile("ascend910b")
    assert found.interval_us is not None and found.interval_us[0] <= found.total_us <= found.interval_us[1]
    kernel = found.kernels[0]
    assert kernel.regime == "short" and kernel.interval_us == interval_of(
        kernel.time_us, "short", "ascend910b"
    )
    assert found.to_dict()["interval_us"] == list(found.interval_us)
    assert f"us ({found.interval_us[0]:.1f}-{found.interval_us[1]:.1f})" in repr(found)


@pytest.mark.parametrize("target", ["ascend910", "ascend310p"])
def test_nothing_was_measured_on_some_chips(target: str):
    found = profile(target)
    assert not validated(target) and found.interval_us is None and found.kernels[0].interval_us is None
    assert NOT_VALIDATED in repr(found)


def test_texts():
    assert predicted_text(15.9, (14.6, 17.4)) == "15.9 µs (14.6–17.4)"
    assert predicted_text(250_000.0, (200_000.0, 300_000.0)) == "250.0 ms (200.0–300.0)"
    assert predicted_text(15.9, None) == "15.9 µs (not validated)"


def test_times_are_alike_where_one_lies_in_the_interval_of_the_other():
    assert alike(10.0, (9.0, 11.0), 10.9, (10.8, 11.5))
    assert alike(10.0, (9.0, 11.0), 11.2, (9.9, 12.0))
    assert not alike(10.0, (9.0, 11.0), 12.0, (11.0, 13.0))
    assert not alike(10.0, None, 10.0, None)


def test_every_regime_has_an_interval_that_holds_the_prediction():
    assert tuple(regimes()) == REGIMES
    assert all(low <= 1 <= high for low, high in regimes().values())


def test_the_chips_are_those_whose_numbers_were_held_against_boards():
    for names in FAMILIES.values():
        assert all(map(validated, names))


@pytest.mark.parametrize("chip", SOURCES)
def test_every_number_of_the_clock_has_a_source(chip: str):
    named = {id(source_of(chip, key_text(key))) for key, _ in numbers(load_target(chip))}
    others = [name for source in SOURCES[chip] if id(source) not in named for name in source.numbers]
    assert {name.rpartition(".")[2] for name in others} <= SIZES


def test_only_numbers_from_points_can_be_found_again():
    for rows in SOURCES.values():
        for source in rows:
            assert (source.prior is not None) == bool(source.points and source.kind != "published")


def test_the_row_that_group_read_was_scanned_on_is_marked():
    assert gave("Matmul and GELU, aiv MTE2") and not gave("Matmul and GELU")


def test_least_squares_begin_at_the_prior():
    target = np.array([2.0, 0.5])
    found = least(lambda parts: parts - target, np.array([1.0, 1.0]))
    assert found == pytest.approx(target, abs=1e-3)
    # one error says nothing of the second part
    assert least(lambda parts: parts[:1] ** 2 - 4.0, np.array([1.0, 0.7])) == pytest.approx(
        [2.0, 0.7], abs=0.01
    )


def test_intervals_hold_the_share_that_they_are_made_for():
    rng = np.random.default_rng(5)
    rows = [Residual(str(i), i, "copy", float(x)) for i, x in enumerate(rng.normal(0.0, 0.05, 200))]
    rows += [Residual(f"s{i}", 1000 + i, "short", float(x)) for i, x in enumerate(rng.normal(0.1, 0.1, 40))]
    tried = coverage(rows)
    assert 0.75 <= tried.held <= 0.85
    low, high = quantiles("copy", rows)
    assert low == pytest.approx(0.938, abs=0.02) and high == pytest.approx(1.066, abs=0.02)
    assert quantiles("short", rows)[1] > high


def test_the_report_of_fusion_has_intervals():
    """Of each kernel and of all of them, in text and JSON; where the two times of a merge are not told apart it says
    so."""
    report = fusion_report("ascend910b")
    (found,), text = report.to_json(), report.to_text()
    low, high = regimes()["short"]
    for kernel in found["kernels"]:
        us = kernel["time_us"]
        assert us < SHORT_US and kernel["interval_us"] == (us * low, us * high)
        assert f"{us:.1f} us predicted ({us * low:.1f}–{us * high:.1f})\n" in text
    for name in ("before", "after"):
        us = found[f"time_us_{name}"]
        assert us < SHORT_US and found[f"interval_us_{name}"] == pytest.approx((us * low, us * high))
    seen = {one["inside_interval"]: one for one in found["candidates"] if one["time_us_after"]}
    assert seen.keys() == {True, False}
    for inside, one in seen.items():
        before, after = one["time_us_before"], one["time_us_after"]
        less, more = min(before, after), max(before, after)
        assert inside == (more <= less * high or less >= more * low)
    assert text.count(INSIDE) == [one["inside_interval"] for one in (found, *found["candidates"])].count(True)


def test_the_report_of_fusion_says_what_is_not_validated():
    report = fusion_report("ascend910")
    (found,), text = report.to_json(), report.to_text()
    assert [kernel["interval_us"] for kernel in found["kernels"]] == [None] * len(found["kernels"])
    assert text.count(f"us predicted ({NOT_VALIDATED})") == 1 + len(found["kernels"])
    assert found["interval_us_after"] is None and INSIDE not in text
