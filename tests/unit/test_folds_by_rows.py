"""Folds of rows in tiles whose last one has fewer columns are priced as they are emitted: by rows, or by blocks."""

import pytest

import ascend_opt
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.cost.group_trace import TraceStep, TraceTile
from ascend_opt.passes.cost.operand_banks import fold_by_rows
from ascend_opt.passes.cost.vector import step_cycles
from ascend_opt.passes.fusion.report import FusionReport

GRAPH = """graph @f(%x: tensor<256x7x129xf16>) {
  %y = reduce_max(%x) {axes = [0]}
  return %y
}
"""


def half_of_rows() -> TraceStep:
    """A fold of a tile into half of its rows."""
    tile = TraceTile("f16", True, frozenset(), 1.0)
    return TraceStep(
        "vmax", "f16", False, (tile,), TraceTile("f16", False, frozenset(), 0.5), 0.5, folds=True
    )


def test_rows_that_start_in_one_bank_are_dear():
    target, step = load_target("ascend950"), half_of_rows()
    assert fold_by_rows(target, step, 128 * 128, 128) > 4 * step_cycles(step, 128 * 128, target)


def test_rows_that_start_in_different_banks_are_not():
    target, step = load_target("ascend950"), half_of_rows()
    assert fold_by_rows(target, step, 128 * 144, 144) < 1.5 * step_cycles(step, 128 * 144, target)


@pytest.mark.parametrize("chip", ["ascend910b", "ascend950"])
def test_prediction_of_a_reduction_over_rows(chip: str):
    program = ascend_opt.compile(GRAPH, target=chip, tune=1)
    (report,) = (one for one in program.reports if isinstance(one, FusionReport))
    predicted = sum(plan["time_us_after"] for plan in report.to_json())
    assert predicted == pytest.approx(program.time().total_us, rel=0.18)
