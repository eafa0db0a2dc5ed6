"""Curves of what is in use: their sums are what the profile counts, and noting them changes nothing else."""

# pyright: basic

import json
from dataclasses import replace

import numpy as np
import pytest

import ascend_opt
from ascend_opt.runtime.profile.chip_shares import shares
from ascend_opt.runtime.profile.utilisation import BINS, TITLES, used_over_time
from ascend_opt.tools.ascend_run import main

NETWORK = """graph @net(%x: tensor<256x128xf16>, %w: tensor<128x128xf16> {weight}) {
  %0 = matmul(%x, %w)
  %1 = exp(%0) {nofuse}
  %2 = matmul(%1, %w) {nofuse}
  %3 = softmax(%2) {nofuse}
  return %3
}
"""
CHIPS = ("ascend910b", "ascend310p", "ascend950")


@pytest.fixture(scope="module", params=CHIPS)
def program(request: pytest.FixtureRequest):
    return ascend_opt.compile(NETWORK, request.param)


@pytest.mark.parametrize("warm", [False, True])
def test_sums_over_bins_are_the_totals(program, warm: bool):
    profile = program.run(values=False, usage=True, warm=warm).profile
    used = profile.utilisation
    assert used is not None and used.bin_us * BINS == pytest.approx(profile.total_us)
    sums = {name: sum(curve) * used.peaks[name] * used.bin_us for name, curve in used.curves.items()}
    assert set(sums) == set(TITLES) and all(len(curve) == BINS for curve in used.curves.values())
    assert sums["hbm"] + used.left_bytes == pytest.approx(profile.hbm_read_bytes + profile.hbm_write_bytes)
    assert sums["l2"] == pytest.approx(profile.dma_read_bytes + profile.dma_write_bytes)
    found = shares(profile, program.target)
    for name in ("ai_core", "cube", "vector", "l2"):
        assert used.mean[name] == pytest.approx(found[name])
        assert sums[name] == pytest.approx(found[name] * used.peaks[name] * profile.total_us)
    assert 0 < found["cube"] < found["ai_core"] <= 1 and 0 < found["vector"] < 1


def test_of_one_kernel_the_figures_are_those_of_its_pipes():
    program = ascend_opt.compile("graph @f(%x: tensor<4096x64xf16>) { %y = exp(%x) return %y }", "ascend910")
    profile = program.time()
    (kernel,) = profile.kernels
    assert kernel.cores == kernel.chip_cores == 32
    found = shares(profile, program.target)
    assert found["vector"] == pytest.approx(kernel.pipes["V"].busy_us / profile.total_us)
    assert found["ai_core"] == pytest.approx(kernel.core_us / profile.total_us) and found["cube"] == 0


def test_what_is_noted_changes_nothing_else(program):
    with_usage = program.run(values=False, usage=True, traced_cores=1)
    assert replace(with_usage.profile, utilisation=None) == program.time()
    plain = program.run(values=False, traced_cores=1)
    assert with_usage.trace == plain.trace and plain.profile.utilisation is None


def test_nothing_is_noted_unless_asked(program, monkeypatch: pytest.MonkeyPatch):
    """Then the clock makes no call for it, and no event of it."""
    from ascend_opt.runtime.execution import core, launcher

    def fail(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(launcher, "Recorder", fail)
    monkeypatch.setattr(core, "TraceEvent", fail)
    assert program.time().utilisation is None
    with pytest.raises(AssertionError):
        program.run(values=False, usage=True)


def test_at_a_time_in_which_a_kernel_runs_its_units_are_in_use():
    """A kernel of the Vector cores alone and then one of the Cube: each curve is 0 while the other one runs."""
    program = ascend_opt.compile(NETWORK, "ascend910b")
    profile = program.run(values=False, usage=True).profile
    used = profile.utilisation
    assert used is not None
    start = 0.0
    for kernel in profile.kernels:
        first, last = (int(np.ceil(start / used.bin_us)), int((start + kernel.time_us) / used.bin_us))
        busy = {name: sum(used.curves[name][first:last]) > 0 for name in ("cube", "vector")}
        assert busy == {"cube": "M" in kernel.pipes, "vector": "V" in kernel.pipes}, kernel.name
        start += kernel.time_us + kernel.launch_us


def test_sums_of_intervals():
    used = used_over_time([(10.0, 20.0, 5.0), (15.0, 35.0, 20.0), (35.0, 35.0, 3.0)], 10.0)
    assert used.length == 25.0
    moments = np.array([-1.0, 0.0, 5.0, 10.0, 12.5, 25.0, 99.0])
    np.testing.assert_allclose(used.until(moments), [0, 0, 2.5, 10, 12.5, 28, 28], atol=0.06)
    assert used.sums[-1] == 28.0 and used_over_time([], 0.0).until(moments).sum() == 0


def test_sums_never_fall():
    """Where nothing is used, nothing less than that is used, either."""
    begun = np.random.default_rng(0).uniform(0.0, 9.0, 99)
    used = used_over_time([(at, at + 0.1, 4e6 + at) for at in begun], 0.0)
    assert (np.diff(used.sums) >= 0).all()


def test_trace_and_json_have_the_curves_and_the_text_a_figure_each(tmp_path, capsys):
    (tmp_path / "net.mlir").write_text(NETWORK)
    files = [tmp_path / "t.json", tmp_path / "p.json"]
    options = ["--trace", str(files[0]), "--json", str(files[1]), "--target", "ascend910b"]
    assert main([str(tmp_path / "net.mlir"), *options]) == 0
    used = json.loads(files[1].read_text())["fused"]["utilisation"]
    events = json.loads(files[0].read_text())["traceEvents"]
    tracks = {e["name"] for e in events if e["ph"] == "C"}
    bandwidth = {"HBM bandwidth (GB/s)", "L2 bandwidth (GB/s)"}
    assert tracks == {"AI cores (%)", "Cube (%)", "Vector (%)", *bandwidth}
    cube = [e["args"]["%"] for e in events if e["name"] == "Cube (%)"]
    assert (
        cube[:-1] == pytest.approx([100 * share for share in used["curves"]["cube"]], abs=1e-3)
        and cube[-1] == 0
    )
    text = capsys.readouterr().out
    rows = [line.split("  ") for line in text.splitlines()]
    for label in ("AI cores in use", "Cube", "Vector", "HBM bandwidth", "L2 bandwidth"):
        assert any(label in row for row in rows), label
