"""The clock of compiled programs moves as the chip would when one thing changes, and nothing else moves with it.

The lowered program stays the same; the emulator runs it on a chip with one rate, or one size, changed.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

import ascend_opt
from ascend_opt.compiler.api import Program, compile_until
from ascend_opt.compiler.pipeline.pass_text import parse_passes
from ascend_opt.compiler.pipeline.pipelines import build_passes
from ascend_opt.compiler.pipeline.read_module import make_context
from ascend_opt.compiler.pipeline.universe import UNIVERSE
from ascend_opt.dialects import tile
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import Target
from ascend_opt.runtime.execution.emulator import Emulator
from ascend_opt.runtime.profile.profile import Profile

EXAMPLES = Path(__file__).parents[2] / "examples"
CHIP = load_target("ascend910")
NO_QUEUE = CHIP.with_(memory={"hbm_chip": 1e9, "miss_latency": 0})
"""HBM serves everybody at once: what MTE2 takes no longer depends on when the other cores ask."""
PROGRAMS = ("conv_bias_leaky_relu", "matmul_add_gelu", "scale_relu_dropout", "tanh_muladd")


@cache
def program(name: str) -> Program:
    return ascend_opt.compile(EXAMPLES / f"{name}.mlir", target=CHIP.name, tune=1)


@cache
def square_matmul(size: int) -> Program:
    kind = f"tensor<{size}x{size}xf16>"
    text = f"graph @m(%x: {kind}, %w: {kind} {{weight}}) {{\n  %y = matmul(%x, %w)\n  return %y\n}}"
    return ascend_opt.compile(text, target=CHIP.name, tune=1)


def profile(compiled: Program, chip: Target) -> Profile:
    return Emulator(compiled.module, chip).time_only(compiled.name)


def busy(run: Profile) -> dict[str, float]:
    """Busy µs of each pipe, summed over all cores."""
    (kernel,) = run.kernels
    return {name: pipe.busy_us * kernel.cores for name, pipe in kernel.pipes.items()}


def doubled_path(chip: Target, *names: tuple[str, str]) -> Target:
    faster = {name: replace(chip.paths[name], rate=chip.paths[name].rate * 2) for name in names}
    return replace(chip, paths={**chip.paths, **faster})


def doubled_cube(chip: Target) -> Target:
    return chip.with_(
        cube={"fractal": {k: replace(f, cycles=f.cycles / 2) for k, f in chip.cube.fractal.items()}}
    )


def doubled_vector(chip: Target) -> Target:
    rows = {name: {k: v / 2 for k, v in row.items()} for name, row in chip.vector.cycles.items()}
    return chip.with_(vector={"cycles": rows})


def doubled_ports(chip: Target) -> Target:
    return chip.with_(memory={"l2_read": chip.memory.l2_read * 2, "hbm_read": chip.memory.hbm_read * 2})


def doubled_writes(chip: Target) -> Target:
    return doubled_path(chip, ("ub", "gm")).with_(memory={"l2_write": chip.memory.l2_write * 2})


RATES: dict[str, tuple[Callable[[Target], Target], str]] = {
    "cube": (doubled_cube, "M"),
    "vector": (doubled_vector, "V"),
    "l0c to ub": (lambda chip: doubled_path(chip, ("l0c", "ub")), "V"),
    "l1 to l0a": (lambda chip: doubled_path(chip, ("l1", "l0a")), "MTE1"),
    "l1 to l0b": (lambda chip: doubled_path(chip, ("l1", "l0b")), "MTE1"),
    "ub to l1": (lambda chip: doubled_path(chip, ("ub", "l1")), "MTE3"),
    "ub to gm": (doubled_writes, "MTE3"),
    "gm to chip": (doubled_ports, "MTE2"),
}
USES = {
    "conv_bias_leaky_relu": set(RATES),
    "matmul_add_gelu": set(RATES),
    "scale_relu_dropout": {"vector", "ub to gm", "gm to chip"},
    "tanh_muladd": {"vector", "ub to gm", "gm to chip"},
}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_doubled_rate_shortens_its_own_pipe_and_no_other(name: str, rate: str):
    change, pipe = RATES[rate]
    base, fast = profile(program(name), NO_QUEUE), profile(program(name), change(NO_QUEUE))
    before, after = busy(base), busy(fast)
    if rate not in USES[name]:
        assert fast == base
        return
    assert after[pipe] < before[pipe]
    # a read of a line that another core is fetching waits for its arrival, so MTE2 sees when others ask
    slack = {"MTE2": 5e-3}
    for other in set(before) - {pipe}:
        assert after[other] == pytest.approx(before[other], rel=slack.get(other, 1e-9)), other
    assert fast.total_us <= base.total_us
    assert (fast.dma_read_bytes, fast.dma_write_bytes) == (base.dma_read_bytes, base.dma_write_bytes)


HIDES_LOADS = {"conv_bias_leaky_relu", "matmul_add_gelu"}
"""Cube and Vector set the pace of these."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_doubled_hbm_shortens_what_waits_for_it(name: str):
    base = profile(program(name), CHIP)
    fast = profile(program(name), CHIP.with_(memory={"hbm_chip": 2 * CHIP.memory.hbm_chip}))
    assert fast.hbm_read_bytes == base.hbm_read_bytes
    before, after = busy(base), busy(fast)
    if name in HIDES_LOADS:  # the order in which cores ask for lines of L2 may change
        assert fast.total_us <= base.total_us
        assert after["MTE2"] <= 1.005 * before["MTE2"]
    else:
        assert fast.total_us < base.total_us
        assert after["MTE2"] < before["MTE2"]
    assert all(after[pipe] == pytest.approx(before[pipe]) for pipe in set(before) - {"MTE2"})


def lowered(compiled: Program, passes: str, cores: int | None = None) -> Program:
    """The program's tile level lowered anew, with some options or on some cores."""
    module: ModuleOp = compile_until(compiled, "tile")
    for op in module.walk():
        if isinstance(op, tile.KernelOp) and cores is not None:
            op.schedule = replace(op.schedule, cores=cores)
    for one in build_passes(UNIVERSE.all_passes, parse_passes(passes), compiled.target_name):
        one.apply(make_context(), module)
    return replace(compiled, module=module, graph_module=None)


LOWER = (
    "tile-partition,tile-pipeline,tile-to-ascend,"
    "ascend-multi-buffer{{slots={}}},ascend-plan-memory,ascend-insert-sync"
)


@pytest.mark.parametrize("name", PROGRAMS[:3])  # the last one has one tile a core: nothing to overlap with
def test_without_ping_pong_pipes_do_the_same_work_and_wait_more(name: str):
    double, single = (lowered(program(name), LOWER.format(slots)) for slots in (2, 1))
    base, slow = profile(double, NO_QUEUE), profile(single, NO_QUEUE)
    assert slow.total_us > base.total_us
    before, after = busy(base), busy(slow)
    for pipe in before:
        assert after[pipe] == pytest.approx(before[pipe], rel=5e-3 if pipe == "MTE2" else 1e-9), pipe


@pytest.mark.parametrize("name", ["conv_bias_leaky_relu", "matmul_add_gelu", "tanh_muladd"])
def test_one_core_does_the_work_of_all_and_takes_longer(name: str):
    """The same tiles: pipes are busy as long in all, the time is many times as long. What all tiles share is read once
    for each core."""
    alone = profile(lowered(program(name), LOWER.format(2), cores=1), NO_QUEUE)
    base = profile(program(name), NO_QUEUE)
    (kernel,), (one,) = base.kernels, alone.kernels
    assert one.cores == 1 < kernel.cores
    assert 0.5 * kernel.cores < one.time_us / kernel.time_us <= 1.01 * kernel.cores
    if name == "tanh_muladd":
        assert alone.dma_read_bytes < base.dma_read_bytes
    else:
        assert alone.dma_read_bytes == base.dma_read_bytes
    before, after = busy(base), busy(alone)
    for pipe in set(before) - {"MTE2"}:
        assert after[pipe] == pytest.approx(before[pipe], rel=1e-9), pipe


@pytest.mark.full
@pytest.mark.slow
def test_a_quarter_of_l2_makes_a_large_product_slower():
    """Operands of 32 MB each: with less than all of L2 they are fetched again, and the hit rate says so."""
    runs = [
        profile(square_matmul(4096), CHIP.with_(memory={"l2_bytes": CHIP.memory.l2_bytes // divisor}))
        for divisor in (1, 2, 4)
    ]
    whole, half, quarter = runs
    assert whole.total_us < half.total_us <= quarter.total_us
    assert whole.l2_hit_rate > half.l2_hit_rate >= quarter.l2_hit_rate > 0
    assert whole.hbm_read_bytes < half.hbm_read_bytes <= quarter.hbm_read_bytes
    assert whole.dma_read_bytes == half.dma_read_bytes == quarter.dma_read_bytes
    before, after = busy(whole), busy(quarter)
    assert after["MTE2"] > before["MTE2"]
    assert all(after[pipe] == pytest.approx(before[pipe]) for pipe in set(before) - {"MTE2"})


@pytest.mark.parametrize("name", ["conv_bias_leaky_relu", "matmul_add_gelu"])
def test_an_l2_too_small_for_the_operands_shared_by_cores_reads_them_again(name: str):
    small = CHIP.with_(memory={"l2_bytes": 128 * 1024})
    base, cut = profile(program(name), CHIP), profile(program(name), small)
    assert cut.total_us >= base.total_us
    assert cut.l2_hit_rate < base.l2_hit_rate
    assert cut.hbm_read_bytes > base.hbm_read_bytes
