"""Predicted times: steps that do not divide K, columns that begin beside blocks, rounds with fewer tiles than cores."""

import pytest

import ascend_opt
from ascend_opt.passes.fusion.report import FusionReport


def product(m: int, n: int, k: int) -> str:
    return (
        f"graph @f(%x: tensor<{m}x{k}xf16>, %w: tensor<{k}x{n}xf16>) {{\n"
        "  %y = matmul(%x, %w)\n  return %y\n}\n"
    )


def times(text: str, chip: str) -> tuple[float, float]:
    """Predicted and emulated µs."""
    program = ascend_opt.compile(text, target=chip, tune=1)
    plans = [x for report in program.reports if isinstance(report, FusionReport) for x in report.to_json()]
    return sum(plan["time_us_after"] for plan in plans), program.time().total_us


def test_columns_beside_blocks_go_through_ub():
    """Rows of 1000 elements in parts: each tile has the block of columns before its own, which the Vector unit lays
    out. A step of 96 looked as fast as one of 128, and takes 1.7 times as long."""
    predicted, emulated = times(product(2048, 1000, 256), "ascend310p")
    assert predicted == pytest.approx(emulated, rel=0.1)
    assert emulated < 50


def test_hbm_gives_whole_steps_more_than_the_last_one():
    """Of 96, 96 and 64 of K the first two come first: what HBM gives is not spread evenly."""
    predicted, emulated = times(product(1000, 512, 256), "ascend310p")
    assert predicted == pytest.approx(emulated, rel=0.1)
    assert emulated < 11.5


@pytest.mark.parametrize("chip", ["ascend310p", "ascend910"])
def test_a_shorter_last_step_is_no_gain_where_flags_are_too_few(chip: str):
    predicted, emulated = times(product(128, 1024, 1024), chip)
    assert predicted == pytest.approx(emulated, rel=0.1)


@pytest.mark.parametrize("keys", [2048, 4096])
def test_the_last_round_of_tiles_has_hbm_for_fewer_cores(keys: int):
    """32 heads on 24 cores: 24 of them wait for HBM, and the last 8 for their ports."""
    text = (
        f"graph @f(%q: tensor<1x32x1x128xf16>, %k: tensor<1x32x{keys}x128xf16>, "
        f"%v: tensor<1x32x{keys}x128xf16>) {{\n  %y = attention(%q, %k, %v)\n  return %y\n}}\n"
    )
    predicted, emulated = times(text, "ascend910b")
    assert predicted == pytest.approx(emulated, rel=0.1)
