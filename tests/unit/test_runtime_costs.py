"""Costs are the target's numbers put into the documented formulas."""

from dataclasses import replace

import pytest

from ascend_opt.dialects.target import TargetError, load_target
from ascend_opt.runtime.machine.costs import (
    copy_cost,
    gm_read_cost,
    hbm_written,
    launch_us,
    load2d_cost,
    load3d_cost,
    mmad_cost,
    transpose_cost,
    vec_cost,
    vector_repeats,
    wider,
)

T = load_target("ascend910").with_(memory={"l2_read": 110.0, "hbm_read": 32.0, "hbm_chip": 1024.0})


def test_copy_is_bytes_over_rate():
    assert copy_cost(T, "ub", "l1", 1, 12800).busy == 100
    assert copy_cost(T, "ub", "l1", 1, 12800).latency == 20


def test_copy_takes_at_least_its_issue():
    assert copy_cost(T, "ub", "l1", 1, 32).busy == T.path("ub", "l1").issue


def test_bursts_are_rounded_up_to_granules():
    assert copy_cost(T, "ub", "gm", 100, 40).busy == 100 * 64 / 64


def test_missing_path():
    with pytest.raises(TargetError, match="no data path from l0c to gm"):
        copy_cost(T, "l0c", "gm", 1, 512)


def test_gm_read_from_l2_and_hbm():
    hit, missed = gm_read_cost(T, 110_000, 1.0), gm_read_cost(T, 32_000, 0.0)
    assert (hit.busy, hit.latency) == (1000, 180)
    assert (missed.busy, missed.latency) == (1000, 330)
    assert gm_read_cost(T, 64, 1.0).busy == 20


def test_gm_read_shares_the_chip():
    slow = T.with_(memory={"hbm_chip": 512.0})
    assert gm_read_cost(slow, 32_000, 0.0, cores=32).busy == 2000


def test_what_is_written_goes_to_hbm_when_l2_evicts_it():
    """Where single requests are known, of four times what L2 holds three quarters, at the cost of writing back;
    elsewhere all at once."""
    chip = load_target("ascend910b1")
    size, memory = chip.memory.l2_bytes, chip.memory
    assert hbm_written(chip, 1 << 20, size) == 0
    assert hbm_written(chip, 8300, 4 * size) == pytest.approx(10 * 0.75 * memory.write_back)
    assert hbm_written(T, 8192, 8192) == 8


def test_fractal_loads():
    assert load2d_cost(T, "l0a", 8).busy == 8
    assert load2d_cost(T, "l0b", 8).busy == 16
    assert load3d_cost(T, "l0a", 8, 2).busy == 16


@pytest.mark.parametrize(
    ("m", "n", "k", "products"), [(16, 16, 16, 1), (17, 16, 16, 2), (128, 256, 64, 512), (1, 1, 1, 1)]
)
def test_mmad_counts_whole_fractals(m: int, n: int, k: int, products: int):
    cost = mmad_cost(T, "f16", m, n, k)
    assert (cost.busy, cost.ideal, cost.latency) == (products + 3, products, 21)


def test_vector_repeats_and_cycles():
    assert vector_repeats(T, [1000], "f16") == 8
    assert vector_repeats(T, [17, 8, 16], "f16") == 17
    assert vec_cost(T, "vexp", "f16", 10).busy == 40
    assert vec_cost(T, "vadd", "f16", 1).busy == 3
    assert vec_cost(T, "vconv", wider("f16", "f32"), 5).busy == 5
    assert transpose_cost(T, "f16", 10).busy == 20


def test_launch():
    assert launch_us(T, 32) == 2.0
    chip = replace(T, launch_us=1.2, block_us=0.0148)
    assert [round(launch_us(chip, blocks), 2) for blocks in (1, 64, 1024)] == [1.21, 2.15, 16.36]


def test_a_vector_function_starts_up_before_its_first_repeat():
    """64 repeats of a sum on the 950: 23 cycles, then two for each. The bound has what it takes in a loop of others."""
    chip = load_target("ascend950")
    cost = vec_cost(chip, "vadd", "f32", 64)
    assert (cost.busy, cost.ideal) == (chip.vector.startup + 128, 32)
    assert vec_cost(chip, "vadds", "f32", 1).busy == chip.vector.startup + 1
    assert vec_cost(T, "vadd", "f32", 64).busy == 64
