"""No kernel is faster than its bound or that of its ops, and no library than that of its work."""

import sys
from math import prod
from pathlib import Path

import numpy as np
import pytest
from tensor_bytes import tensors_us

import ascend_opt
from ascend_opt.compiler.pipeline.read_module import choose_function
from ascend_opt.compiler.text.graph_text import parse_graph_text
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.fusion.graph_work import GraphWork, graph_work

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from bounds import Found, Launch, measure, summary
from kernel_list import kernels
from library_bounds import published

CHIPS = ("ascend910b", "ascend910", "ascend310p", "ascend950")
EVERY = 130


def work(text: str, chip: str = "ascend910b") -> GraphWork:
    """That of a graph, as one kernel; arguments by position."""
    return graph_work(choose_function(parse_graph_text(text), None), load_target(chip))


@pytest.mark.sweep(2)
@pytest.mark.parametrize("chip", CHIPS)
def test_no_kernel_of_a_sample_is_faster_than_its_bounds(chip: str) -> None:
    found = [measure(kernel, chip) for kernel in kernels()[30::EVERY]]
    assert sum(len(one.launches) for one in found) > 4 * len(found), "cold and warm, own and of the ops"
    assert [str(launch) for one in found for launch in one.below] == []


def test_a_time_below_a_bound_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    def found(time: float) -> Found:
        return Found("c", "n", [Launch("k", False, time, 1.0, "HBM", True)])

    assert summary("chip", [found(1.0)])
    assert not summary("chip", [found(1.0), found(0.99)])
    assert "BELOW" in capsys.readouterr().out


@pytest.mark.parametrize("shape", ["4096x4096", "8192x8192"])
@pytest.mark.sweep(2)
@pytest.mark.parametrize("chip", CHIPS)
def test_writes_count_only_as_far_as_they_leave_l2(chip: str, shape: str) -> None:
    text = f"graph @f(%x: tensor<{shape}xf16>) {{\n  %y = relu(%x)\n  return %y\n}}"
    program = ascend_opt.compile(text, target=chip, tune=1)
    (kernel,) = program.time().kernels
    memory = program.target.memory
    tensor = 2 * prod(map(int, shape.split("x")))
    times = memory.write_back if memory.sector else 1.0
    cycles = (tensor + max(0, tensor - memory.l2_bytes) * times) / memory.hbm_chip
    assert kernel.limit == kernel.graph_limit == "HBM"
    assert kernel.bound_us == pytest.approx(program.target.microseconds(cycles))
    assert kernel.graph_bound_us == pytest.approx(kernel.bound_us)
    assert kernel.compulsory_bytes == 2 * tensor
    assert kernel.bound_us <= kernel.time_us < 1.1 * times * tensors_us(kernel, chip) + 1


def test_causal_scores_count_half_and_shared_keys_once() -> None:
    q, k = "tensor<1x32x1024x128xf16>", "tensor<1x8x1024x128xf16>"
    text = f"graph @f(%q: {q}, %k: {k}, %v: {k}) {{\n  %y = attention(%q, %k, %v)\n  return %y\n}}"
    full = work(text)
    causal = work(text.replace("%v)", "%v) {causal = true}"))
    assert full.cube == 32 * 1024 * 1024 * 256 / 4096
    assert causal.cube == 32 * (1024 * 1025 // 2) * 256 / 4096
    assert causal.vector / full.vector == pytest.approx(1025 / 2048)
    assert full.read == causal.read == {(0,): 32 * 1024 * 256, (1,): 8 * 1024 * 256, (2,): 8 * 1024 * 256}


def test_what_slices_leave_out_is_not_read() -> None:
    parts = "\n".join(
        f"  %{n} = slice(%x) {{starts = [{s}], ends = [{s + 64}], axes = [1]}}"
        for n, s in zip("ab", (0, 128), strict=True)
    )
    text = f"graph @f(%x: tensor<512x256xf16>) {{\n{parts}\n  %y = add(%a, %b)\n  return %y\n}}"
    assert work(text).read == {(0,): 512 * 128 * 2}
    assert work(text.replace("128", "32").replace("192", "96")).read == {(0,): 512 * 96 * 2}, "they overlap"


def test_views_of_a_tensor_are_one_tensor() -> None:
    text = """graph @f(%x: tensor<64x128xf16>) {
      %a = reshape(%x) {shape = [8192]}
      %b = exp(%a)
      %c = reshape(%x) {shape = [8192]}
      %y = mul(%b, %c)
      return %y
    }"""
    assert work(text).read == {(0,): 64 * 128 * 2}


def test_padding_of_an_image_is_not_multiplied() -> None:
    text = """graph @f(%x: tensor<1x64x7x7xf16>, %w: tensor<64x64x3x3xf16> {weight}) {
      %y = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
      return %y
    }"""
    assert work(text).cube == pytest.approx(64 * 64 * 19**2 / 4096)


def test_no_library_is_faster_than_its_work() -> None:
    """The fastest of the examples come near."""
    times = {one.name: one.us / one.bound.us for one in published()}
    assert len(times) > 12 and all(ratio >= 1 for ratio in times.values())
    assert min(times.values()) < 1.1


@pytest.mark.sweep(2)
@pytest.mark.parametrize("chip", CHIPS)
def test_a_warm_run_is_as_runs_before_left_l2(chip: str) -> None:
    """What L2 holds whole is not read again, and a chain of kernels takes the same time each time."""
    text = """graph @f(%x: tensor<1024x1024xf16>, %w: tensor<1024x1024xf16>) {
      %p = matmul(%x, %w)
      %y = softmax(%p)
      return %y
    }"""
    program = ascend_opt.compile(text, target=chip, tune=1, fuse=False)
    cold, warm = program.time(), program.time(warm=True)
    assert (cold.warm, warm.warm) == (False, True)
    assert cold == program.time(), "cold stays cold"
    assert warm == program.time(warm=True)
    assert cold.hbm_read_bytes > 4_000_000 > 100_000 > warm.hbm_read_bytes
    assert warm.hbm_write_bytes == 0
    assert warm.total_us < cold.total_us
    for early, late in zip(cold.kernels, warm.kernels, strict=True):
        assert late.bound_us <= early.bound_us and late.graph_bound_us <= early.graph_bound_us


@pytest.mark.sweep(2)
@pytest.mark.parametrize("chip", CHIPS)
def test_a_warm_run_writes_back_what_l2_does_not_hold(chip: str) -> None:
    """A result larger than L2: each run writes as much back as it makes dirty, whatever is left at its end."""
    text = "graph @f(%x: tensor<8192x16384xf16>) {\n  %y = relu(%x)\n  return %y\n}"
    program = ascend_opt.compile(text, target=chip, tune=1)
    tensor = 8192 * 16384 * 2
    cold, warm = program.time(), program.time(warm=True)
    kept = program.target.memory.l2_bytes
    assert warm.hbm_write_bytes == pytest.approx(tensor, rel=0.02)
    assert cold.hbm_write_bytes == pytest.approx(
        tensor - kept / 2 if program.target.memory.sector else tensor, rel=0.02
    )
    assert warm.total_us >= cold.total_us


def test_values_do_not_depend_on_what_l2_held() -> None:
    text = """graph @f(%x: tensor<512x256xf16>, %i: tensor<64xi32>) {
      %y = gather(%x, %i) {axis = 0}
      return %y
    }"""
    program = ascend_opt.compile(text, target="ascend910b", tune=1)
    rng = np.random.default_rng(0)
    given = {"x": rng.standard_normal((512, 256)).astype(np.float16), "i": rng.integers(0, 512, 64, np.int32)}
    cold, warm = program.run(given), program.run(given, warm=True)
    np.testing.assert_array_equal(warm.outputs["output0"], cold.outputs["output0"])
    assert warm.profile.hbm_read_bytes == 0 < cold.profile.hbm_read_bytes


def test_of_a_table_only_the_rows_that_are_picked_are_computed() -> None:
    text = """graph @f(%x: tensor<30000x64xf16>, %i: tensor<128xi32>) {
      %a = gather(%x, %i) {axis = 0}
      %y = exp(%a)
      return %y
    }"""
    found = work(text)
    assert found.vector == 4 * 128 * 64 / 128
    assert found.read[(0,)] == 64 * 2
