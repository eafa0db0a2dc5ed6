"""Rows that lie apart are priced as they are emitted: folds by rows or by blocks, loops where the last has fewer."""

import pytest

import ascend_opt
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.cost.group_trace import GroupTrace, Halves, TraceStep, TraceTile
from ascend_opt.passes.cost.tile_vectors import TileRows, fold_by_rows, tile_cycles
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
    assert fold_by_rows(target, step, 128 * 128, 128).cycles > 4 * step_cycles(step, 128 * 128, target)


def test_rows_that_start_in_different_banks_are_not():
    target, step = load_target("ascend950"), half_of_rows()
    assert fold_by_rows(target, step, 128 * 144, 144).cycles < 1.5 * step_cycles(step, 128 * 144, target)


@pytest.mark.parametrize("chip", ["ascend910b", "ascend950"])
def test_prediction_of_a_reduction_over_rows(chip: str):
    program = ascend_opt.compile(GRAPH, target=chip, tune=1)
    (report,) = (one for one in program.reports if isinstance(one, FusionReport))
    predicted = sum(plan["time_us_after"] for plan in report.to_json())
    assert predicted == pytest.approx(program.time().total_us, rel=0.18)


@pytest.mark.sweep(6)
@pytest.mark.parametrize("op", ["softmax(%x)", "rms_norm(%x, %g)"])
@pytest.mark.parametrize("shape", [(777, 5120), (4096, 4096), (4096, 2560)])
def test_prediction_of_rows_that_loops_walk(op: str, shape: tuple[int, int]):
    """A tile of three rows, of which the last one has fewer, is walked by loops, which end vector functions."""
    gain = f", %g: tensor<{shape[1]}xf16>" if "%g" in op else ""
    text = f"graph @f(%x: tensor<{shape[0]}x{shape[1]}xf16>{gain}) {{\n  %y = {op}\n  return %y\n}}"
    program = ascend_opt.compile(text, target="ascend950", tune=1)
    (report,) = (one for one in program.reports if isinstance(one, FusionReport))
    (plan,) = report.to_json()
    assert plan["time_us_after"] == pytest.approx(program.time().total_us, rel=0.08)


def test_rows_whose_number_is_not_known_are_dearer():
    target = load_target("ascend950")
    tile = TraceTile("f32", True, frozenset(), 1.0)
    half = TraceTile("f32", False, frozenset(), 0.5)
    trace = GroupTrace(
        [TraceStep("vadd", "f32", False, (tile,), half, 0.5, halves=Halves(128, 256, 256, 128))]
    )
    known, unknown = (tile_cycles(trace, TileRows.of((3, 4096), (rows, 4096)), target) for rows in (300, 301))
    assert known < unknown < known + 3 * target.vector.startup, "the cheapest way around loops is taken"
