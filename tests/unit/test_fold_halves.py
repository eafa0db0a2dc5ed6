"""Reductions of rows whose halves do not meet in the banks of UB."""

import numpy as np
import pytest

import ascend_opt
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.selection.fold_halves import blocks_at_once, fold_cycles, larger_halves

CHIP = load_target("ascend910b")


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b", "ascend950"])
@pytest.mark.parametrize(("pitch", "until"), [(32, 8), (64, 4), (64, 1)])
def test_folds_end_and_halves_hold_all_steps(chip: str, pitch: int, until: int):
    target = load_target(chip)
    for steps in (1, 2, 5, 31, 62, 63, 128, 500, 512, 1000):
        left = steps
        for near in larger_halves(target, steps, pitch, until):
            assert left / 2 <= near < left
            left = near
        assert left <= until


def test_long_halves_lie_half_a_turn_apart():
    near = larger_halves(CHIP, 512, 64, 4)[0]
    assert near * 64 % 512 == 256
    assert 2 * fold_cycles(CHIP, near, 512 - near, 64) < 1.01 * fold_cycles(CHIP, 256, 256, 64)


def test_blocks_that_lie_in_one_bank_are_folded_as_far_as_it_pays():
    """Eight blocks of 64 rows: a repeat of `vcmax` takes a cycle on the 950, and eight where they are in one bank; on
    the 910B it takes seven anyway."""
    chips = load_target("ascend950"), CHIP
    assert [blocks_at_once(chip, "max", "f16", 8, 64 * 32, 8) for chip in chips] == [1, 8]
    assert [blocks_at_once(chip, "add", "f32", 8, 64 * 64, 4) for chip in chips] == [1, 1]


def test_without_banks_halves_are_equal():
    assert larger_halves(load_target("ascend910"), 512, 64, 4) == [256, 128, 64, 32, 16, 8, 4]


@pytest.mark.parametrize(
    ("body", "dtype", "rest"),
    [
        (
            "layer_norm(%x, %g, %b)",
            "f16",
            0.22,
        ),  # x * x reads a bank twice; x - mean reads what the repeat before wrote
        ("reduce_max(%x) {axes = [1]}", "f16", 0.02),
        ("softmax(%x)", "f32", 0.22),
    ],
)
def test_reductions_of_long_rows_meet_in_few_banks(body: str, dtype: str, rest: float):
    """Cycles of the Vector unit that banks cost, of those that it is busy."""
    more = f", %g: tensor<4096x{dtype}>, %b: tensor<4096x{dtype}>" if "%g" in body else ""
    text = f"graph @rows(%x: tensor<48x4096x{dtype}>{more}) {{\n  %y = {body}\n  return %y\n}}"
    (kernel,) = ascend_opt.compile(text, target="ascend910b", tune=1).time().kernels
    vector = kernel.pipes["V"]
    assert vector.conflict_us <= rest * vector.busy_us


@pytest.mark.parametrize("columns", [1000, 4112])
def test_sums_of_rows_that_are_no_power_of_two(columns: int):
    text = (
        f"graph @rows(%x: tensor<50x{columns}xf32>) {{\n  %y = reduce_sum(%x) {{axes = [1]}}\n  return %y\n}}"
    )
    x = np.random.default_rng(columns).standard_normal((50, columns)).astype(np.float32)
    found = ascend_opt.compile(text, target="ascend910b", tune=1).run(x=x).outputs["output0"]
    np.testing.assert_allclose(found.reshape(-1), x.sum(1, dtype=np.float64), rtol=1e-4, atol=1e-4)


def test_rows_whose_folds_just_fit_stay_whole():
    """UB holds one row of 8192 with its temporaries: a larger half takes no more room in the search than the half."""
    text = """graph @norm(%x: tensor<96x8192xf16>, %g: tensor<8192xf16>, %b: tensor<8192xf16>) {
  %y = layer_norm(%x, %g, %b)
  return %y
}"""
    (kernel,) = ascend_opt.compile(text, target="ascend910b", tune=1).time().kernels
    assert kernel.dma_read_bytes < 1.6 * 96 * 8192 * 2 + 48 * 2 * 8192 * 2
    assert kernel.pipes["V"].conflict_us < 0.25 * kernel.pipes["V"].busy_us
