"""Kernels of a few microseconds, of which what stands before the first work and behind the last is a large part."""

import pytest

import ascend_opt
from ascend_opt.passes.fusion.report import FusionReport
from ascend_opt.passes.sync.report import SyncReport

BATCHED = """graph @f(%x: tensor<8x64x64xf16>, %y: tensor<8x64x64xf16>) {
  %z = matmul(%x, %y)
  return %z
}
"""
ONE_ROW = """graph @f(%x: tensor<1x1024xf16>, %y: tensor<1024x1024xf16>) {
  %z = matmul(%x, %y)
  return %z
}
"""
ATTENTION = """graph @f(%q: tensor<1x8x128x64xf16>, %k: tensor<1x8x128x64xf16>, %v: tensor<1x8x128x64xf16>) {
  %y = attention(%q, %k, %v)
  return %y
}
"""
CONCAT = """graph @f(%x: tensor<100x33xf16>, %y: tensor<100x33xf16>) {
  %z = concat(%x, %y) {axis = 1}
  return %z
}
"""
PERCEPTRON = """graph @f(%x: tensor<2048x100xf16>, %u: tensor<100x300xf16> {weight}, %v: tensor<300x10xf16> {weight}) {
  %0 = matmul(%x, %u)
  %1 = relu(%0)
  %y = matmul(%1, %v)
  return %y
}
"""


@pytest.mark.parametrize(
    ("chip", "text"),
    [
        ("ascend910b", BATCHED),  # FixPipe stores, and nothing follows
        ("ascend950", BATCHED),
        ("ascend910b", ONE_ROW),  # four cores share each line of the right operand
        ("ascend910b", ATTENTION),  # all parts are under way from the start
        ("ascend950", ATTENTION),
        ("ascend950", CONCAT),  # the second part is waited for behind the first one
    ],
)
def test_prediction_is_near(chip: str, text: str):
    program = ascend_opt.compile(text, target=chip, tune=1)
    reports = [one for one in program.reports if isinstance(one, FusionReport)]
    predicted = sum(plan["time_us_after"] for report in reports for plan in report.to_json())
    assert predicted == pytest.approx(program.time().total_us, rel=0.08)


def test_one_flag_too_many_becomes_a_barrier_and_slots_stay():
    program = ascend_opt.compile(PERCEPTRON, target="ascend910", tune=1)
    (report,) = (one for one in program.reports if isinstance(one, SyncReport))
    (kernel,) = report.kernels
    assert kernel.short and not kernel.barred and not kernel.given_up
    assert all(f"{pair[0]} -> {pair[1]}" in kernel.flags for pair in (("V", "MTE3"), ("MTE2", "V")))
