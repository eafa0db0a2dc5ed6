"""The clock moves as the chip would: doubled rates, smaller L2, fewer cores, renumbered cores."""

import random
from dataclasses import replace
from typing import Any

import pytest
from ascend_kernels import matmul, ping_pong, product, random_inputs
from ascend_programs import Program

from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import Target
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.profile.profile import Profile

BASE = load_target("ascend910")


def double_path(*names: tuple[str, str]) -> Target:
    """The chip with twice the rate on some paths."""
    faster = {name: replace(BASE.paths[name], rate=BASE.paths[name].rate * 2) for name in names}
    return replace(BASE, paths={**BASE.paths, **faster})


def profile(program: Program, target: Target = BASE, **options: Any) -> Profile:
    return Emulator(program.module(), target).time_only("main", **options)


def busy(run: Profile) -> dict[str, float]:
    return {name: pipe.busy_us for name, pipe in run.kernels[0].pipes.items()}


@pytest.fixture(scope="module")
def program():
    return matmul(512, 512, 512, (128, 128, 64), 16)


def changed(before: Profile, after: Profile) -> set[str]:
    a, b = busy(before), busy(after)
    return {name for name in a if a[name] != pytest.approx(b[name], rel=1e-9)}


def test_faster_load_of_l0b_shortens_mte1_alone(program):
    base, fast = profile(program), profile(program, double_path(("l1", "l0b")))
    assert changed(base, fast) == {"MTE1"}
    assert fast.total_us <= base.total_us


def test_faster_cube_shortens_m_alone(program):
    f16 = BASE.cube.fractal["f16"]
    target = BASE.with_(cube={"fractal": {"f16": replace(f16, cycles=f16.cycles / 2)}})
    base, fast = profile(program), profile(program, target)
    assert changed(base, fast) <= {"M", "MTE2"}
    assert busy(fast)["M"] < busy(base)["M"]
    assert fast.total_us <= base.total_us


def test_faster_port_to_gm_shortens_mte3_alone():
    program = ping_pong(cores=4, slots=4)
    target = double_path(("ub", "gm")).with_(memory={"l2_write": BASE.memory.l2_write * 2})
    for name in ("MTE2", "V"):
        assert busy(profile(program))[name] == pytest.approx(busy(profile(program, target))[name])
    assert busy(profile(program, target))["MTE3"] <= busy(profile(program))["MTE3"]


def test_faster_hbm_is_no_slower(program):
    memory = {"hbm_read": BASE.memory.hbm_read * 2, "hbm_chip": BASE.memory.hbm_chip * 2}
    base, fast = profile(program), profile(program, BASE.with_(memory=memory))
    assert fast.total_us < base.total_us
    assert fast.hbm_read_bytes == base.hbm_read_bytes
    assert changed(base, fast) == {"MTE2"}


@pytest.mark.parametrize("divisor", [2, 4])
def test_smaller_l2_reads_more_from_hbm(divisor: int):
    """Three passes over 2 MB on a chip whose L2 holds 4 MB, then half and a quarter of it."""
    program = passes_over(1 << 20, 3)
    large = BASE.with_(memory={"l2_bytes": 4 << 20})
    small = BASE.with_(memory={"l2_bytes": (4 << 20) // (divisor * 2)})
    base, cut = profile(program, large), profile(program, small)
    assert base.hbm_read_bytes == 2 << 20
    assert cut.hbm_read_bytes == 3 * (2 << 20)
    assert cut.total_us > base.total_us
    assert cut.l2_hit_rate < base.l2_hit_rate == pytest.approx(2 / 3)


def passes_over(elements: int, times: int) -> Program:
    p = Program(cores=8)
    x = p.input("x", (elements,))
    a = p.buffer("a", "ub", (8192,), 0)
    share = elements // 8
    with p.loop(times), p.loop(share // 8192) as i:
        at = p.plus(p.times(p.block_idx(), share), p.times(i, 8192))
        p.copy(p.view(x, [8192], offset=at), a)
        p.barrier("MTE2")
    return p


def test_one_core_is_slower_than_all():
    one, all_ = matmul(512, 512, 256, (128, 128, 64), 1), matmul(512, 512, 256, (128, 128, 64), 16)
    slow, fast = profile(one), profile(all_)
    assert slow.total_us > 4 * fast.total_us
    assert slow.dma_read_bytes == fast.dma_read_bytes


def test_ping_pong_off_is_slower():
    assert profile(ping_pong(slots=1, tiles=12)).total_us > profile(ping_pong(slots=2, tiles=12)).total_us


@pytest.mark.parametrize("seed", range(3))
def test_renumbering_cores_hardly_changes_time(program, seed: int):
    order = list(range(16))
    random.Random(seed).shuffle(order)
    base = profile(program).total_us
    assert profile(program, block_order=order).total_us == pytest.approx(base, rel=0.02)


def test_a_tensor_read_once_costs_its_bytes():
    for elements in (64, 1000 // 16 * 16, 4096, 65536):
        run = profile(passes_over(elements * 8, 1) if elements >= 8192 else ping_pong(tiles=3))
        assert run.hbm_read_bytes == run.dma_read_bytes


def test_written_lines_count_once():
    run = profile(ping_pong(cores=4, tiles=6))
    assert run.hbm_write_bytes == run.dma_write_bytes == 4 * 6 * 256


def test_time_is_at_least_the_bound(program):
    for p in (program, ping_pong(cores=8, tiles=20)):
        kernel = profile(p).kernels[0]
        assert kernel.time_us >= kernel.bound_us


def test_values_and_time_only_agree(program):
    full = program.run(**random_inputs(program)).profile
    assert profile(program) == full


def test_queue_depth_stalls_the_scalar_unit():
    """Loads behind a full Vector queue start later when the queue is short."""

    def make() -> Program:
        p = Program()
        x = p.input("x", (16384,))
        a, b = p.buffer("a", "ub", (16384,), 0), p.buffer("b", "ub", (16384,), 65536)
        with p.loop(8):
            p.vec("vdup", to=b, scalar=0.0)
            p.barrier("V")
        p.copy(x, a)
        return p

    deep, short = (profile(make(), BASE.with_(scalar={"queue_depth": d})) for d in (32, 2))
    assert short.total_us > deep.total_us


def test_small_products_pay_their_issue():
    run = profile(product(k_steps=4, m=32, n=32, barrier=True)).kernels[0]
    assert run.pipes["M"].busy_us == pytest.approx(4 * (3 + 2 * 2 * 2) / 1000)
