"""`ascend-opt --analyze`: totals against formulas by hand, opportunities against what fusion reports."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ascend_opt.compiler.drivers.driver import run_tool
from ascend_opt.compiler.reports.model_analysis import analysis_json, analysis_text
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.fusion.model_totals import (
    KernelTime,
    KernelTotals,
    ModelTotals,
    peak_flops,
    peak_lanes,
)
from ascend_opt.passes.fusion.opportunities import Opportunity
from ascend_opt.passes.fusion.plan import FusionPlan
from ascend_opt.passes.fusion.report import FusionReport
from ascend_opt.runtime.machine.error_bars import regimes

NET = """graph @net(%x: tensor<2x16x20x20xf16>, %w: tensor<32x16x3x3xf16> {weight}, %b: tensor<32xf16> {weight},
           %d: tensor<32x1x3x3xf16> {weight}, %f: tensor<288x10xf16> {weight}, %unused: tensor<7xf16> {weight}) {
  %0 = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
  %1 = bias_add(%0, %b)
  %2 = relu(%1)
  %3 = conv2d(%2, %d) {pads = [1, 1, 1, 1], strides = [5, 5], groups = 32}
  %4 = max_pool2d(%3) {kernel = [2, 2]}
  %5 = reshape(%4) {shape = [2, 288]}
  %6 = matmul(%5, %f)
  return %6
}
"""
CHIPS = ["ascend910", "ascend310p", "ascend910b", "ascend950"]

Analyse = Callable[..., dict[str, Any]]


@pytest.fixture
def analyse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Analyse:
    def call(text: str, *options: str) -> dict[str, Any]:
        path = tmp_path / "net.mlir"
        path.write_text(text)
        assert run_tool([str(path), "--analyze-json", *options]) == 0
        (found,) = json.loads(capsys.readouterr().out)
        return found

    return call


@pytest.mark.parametrize("name", ["attention", "conv_bias_leaky_relu", "matmul_add_gelu"])
def test_operations_of_a_kernel_are_those_of_its_ops(analyse: Analyse, tmp_path: Path, name: str) -> None:
    """However they are carried out: rows by parts, by FixPipe, by many Vector instructions."""
    path = tmp_path / "report.json"
    text = (Path(__file__).parents[2] / "examples" / f"{name}.mlir").read_text()
    found = analyse(text, f"--report-json={path}")
    (report,) = json.loads(path.read_text())["tile-fuse"]
    (kernel,) = report["kernels"]
    assert kernel["arithmetic_intensity"] == pytest.approx(found["after"]["arithmetic_intensity"])


@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", CHIPS)
def test_parameters_and_operations_are_those_of_the_formulas(analyse: Analyse, chip: str) -> None:
    found = analyse(NET, "--target", chip)
    weights = 32 * 16 * 9 + 32 + 32 * 9 + 288 * 10
    assert (found["parameters"], found["parameter_bytes"]) == (weights, 2 * weights)
    positions = 2 * 32 * 20 * 20
    products = 2 * positions * 16 * 9 + 2 * 2 * 10 * 288
    depthwise, pool = 2 * 2 * 32 * 4 * 4 * 9, 2 * 32 * 3 * 3 * 4
    assert found["product_flops"] == products
    assert found["flops"] == products + 2 * positions + depthwise + pool


@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", CHIPS)
def test_totals_are_those_of_the_fusion_report(analyse: Analyse, tmp_path: Path, chip: str) -> None:
    """One kernel an op moves each tensor once; times and bytes are those that fusion decided by."""
    path = tmp_path / "report.json"
    found = analyse(NET, "--target", chip, f"--report-json={path}")
    (report,) = json.loads(path.read_text())["tile-fuse"]
    before, after = found["before"], found["after"]
    assert before["kernels"] == report["ops"] == found["ops"] and after["kernels"] == len(report["kernels"])
    for name, totals in (("before", before), ("after", after)):
        assert totals["bytes"] == report[f"bytes_{name}"]
        assert totals["time_us"] == pytest.approx(report[f"time_us_{name}"])
        assert totals["arithmetic_intensity"] == pytest.approx(found["flops"] / totals["bytes"])
        parts = totals["launch_us"] + totals["memory_bound_us"] + totals["compute_bound_us"]
        assert totals["time_us"] == pytest.approx(parts)
    moved = sum(kernel["arithmetic_intensity"] * kernel["bytes"] for kernel in report["kernels"])
    if sum(kernel["bytes"] for kernel in report["kernels"]) == after["bytes"]:  # weights as given
        assert moved == pytest.approx(found["flops"])
    target = load_target(chip)
    rate = target.memory.hbm_chip * target.clock_mhz  # bytes a µs
    assert after["bandwidth_utilisation"] == pytest.approx(after["bytes"] / rate / after["time_us"])
    gains = [one["gain_us"] for one in found["opportunities"] if one["fused"]]
    assert sum(gains) == pytest.approx(before["time_us"] - after["time_us"], abs=1e-6)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", CHIPS)
def test_folded_weights_count_and_indices_and_moves_do_not(analyse: Analyse, chip: str) -> None:
    """Of a dynamic dimension operations are those of its typical size, the middle one."""
    text = """graph @net(%x: tensor<?x16xf16>, %w: tensor<16x32xf16> {weight}, %t: tensor<40x32xf16> {weight},
           %i: tensor<8xi32> {weight}) {
  %c = constant() {value = [1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 5, 4, 3, 2]} : tensor<16xf16>
  %a = bias_add(%x, %c)
  %0 = matmul(%a, %w)
  %g = gather(%t, %i) {axis = 0}
  %s = reduce_sum(%g) {axes = [0]}
  %y = bias_add(%0, %s)
  %z = slice(%y) {axes = [1], starts = [16], ends = [32]}
  return %z
}
"""
    found = analyse(text, "--target", chip, "--dynamic-sizes", "4,64,128")
    assert found["parameters"] == 16 * 32 + 40 * 32 + 16
    assert found["product_flops"] == 64 * 2 * 16 * 32
    assert found["flops"] == 64 * (16 + 2 * 16 * 32 + 32), "what depends on weights alone is prepared"


def product(m: int, n: int, k: int) -> str:
    weight = f"%w: tensor<{k}x{n}xf16> {{weight}}"
    return f"graph @f(%x: tensor<{m}x{k}xf16>, {weight}) {{\n  %y = matmul(%x, %w)\n  return %y\n}}\n"


@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", CHIPS)
def test_a_large_product_is_bound_by_compute_and_a_thin_one_by_memory(analyse: Analyse, chip: str) -> None:
    target = load_target(chip)
    for (m, n, k), bound in (((2048, 2048, 2048), "compute"), ((16, 2048, 2048), "memory")):
        totals = analyse(product(m, n, k), "--target", chip)["after"]
        other = {"compute": "memory", "memory": "compute"}[bound]
        assert totals[f"{bound}_bound_us"] == pytest.approx(totals["time_us"] - totals["launch_us"])
        assert totals[f"{other}_bound_us"] == 0.0
        cycles = totals["compute_us"] * target.clock_mhz
        assert cycles == pytest.approx(2 * m * n * k / peak_flops(target, "f16"))
        assert totals["core_utilisation"] == pytest.approx(totals["compute_us"] / totals["time_us"])
    assert totals["core_utilisation"] < 0.2


@pytest.mark.parametrize(("chip", "tflops"), [("ascend910", 256), ("ascend310p", 70), ("ascend910b", 364)])
def test_peaks_are_those_that_chips_are_sold_by(chip: str, tflops: float) -> None:
    target = load_target(chip)
    assert peak_flops(target, "f16") * target.clock_mhz / 1e6 == pytest.approx(tflops, rel=0.05)
    assert peak_lanes(target, "f16") == 128 * target.vector_units


def test_opportunities_come_by_gain_and_what_is_no_kernel_last(analyse: Analyse) -> None:
    text = """graph @f(%x: tensor<256x128xf16>, %w: tensor<128x256xf16> {weight}) {
  %0 = matmul(%x, %w)
  %1 = relu(%0)
  %2 = concat(%1, %0) {axis = 0}
  %3 = exp(%2)
  %4 = tanh(%3)
  return %4
}
"""
    found = analyse(text, "--target", "ascend910b")["opportunities"]
    gains = [one["gain_us"] for one in found]
    known = [gain for gain in gains if gain is not None]
    assert known == sorted(known, reverse=True) and gains[len(known) :] == [None] * (len(gains) - len(known))
    fused = [one for one in found if one["fused"]]
    assert [f"net.mlir:{line}" for line in (3, 4, 5, 6)] in [one["sources"] for one in fused]
    refused = [one for one in found if one["reason"] == "its result is also used by graph.concat"]
    assert refused and refused[0]["fused_us"] is None
    assert refused[0]["bytes_saved"] == 256 * 256 * 2, "the tensor is written all the same"
    for one in found:
        if one["gain_us"] is not None:
            assert one["gain_us"] == pytest.approx(one["apart_us"] - one["fused_us"])


def test_what_the_search_put_together_is_no_refusal(analyse: Analyse) -> None:
    text = """graph @f(%x: tensor<512x64xf16>, %w: tensor<64x512xf16> {weight}, %v: tensor<512x64xf16> {weight}) {
  %0 = matmul(%x, %w)
  %1 = softmax(%0)
  %2 = matmul(%1, %v)
  return %2
}
"""
    found = analyse(text, "--target", "ascend910b")
    groups = [set(one["sources"]) for one in found["opportunities"] if one["fused"]]
    for one in found["opportunities"]:
        assert one["fused"] or not any(set(one["sources"]) <= group for group in groups)
    assert found["after"]["kernels"] == 1 and groups == [{"net.mlir:2", "net.mlir:3", "net.mlir:4"}]


def test_alike_opportunities_are_one_row_of_the_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "net.mlir"
    layer = "  %a{i} = matmul(%x, %w)\n  %y{i} = {op}(%a{i})\n"
    body = "".join(layer.replace("{i}", str(i)).replace("{op}", "gelu") for i in range(3))
    weight = "%w: tensor<256x256xf16> {weight}"
    args = ", ".join(f"%x{i}: tensor<128x256xf16>" for i in range(3))
    for i in range(3):
        body = body.replace("matmul(%x, %w)", f"matmul(%x{i}, %w)", 1)
    path.write_text(f"graph @f({args}, {weight}) {{\n{body}  return %y0, %y1, %y2\n}}\n")
    assert run_tool([str(path), "--analyze"]) == 0
    out = capsys.readouterr().out
    (row,) = [line for line in out.splitlines() if "matmul + gelu" in line]
    assert row.split()[:3] == ["3", "x", "fused"] and "net.mlir:{2, 3, 4, 5, 6, 7}" in row
    assert "256x256" not in out and "65,536 parameters (128.0 KiB)" in out


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (NET, ["--lower"], "it needs --fuse, --library or no passes"),
        ("graph @f(%x: tensor<4xf16>) {\n  return %x\n}\n", [], "no op of the graph level computes anything"),
    ],
)
def test_nothing_to_analyse_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, options: list[str], message: str
) -> None:
    path = tmp_path / "net.mlir"
    path.write_text(text)
    assert run_tool([str(path), "--analyze", *options]) == 1
    out, err = capsys.readouterr()
    assert out == "" and message in err and "Traceback" not in err


def test_predicted_times_have_intervals_and_differences_may_lie_inside() -> None:
    """A kernel of 20 µs is short, one of 100 bound by the Cube; 9.0 and 9.5 µs are alike, 10 and 5 are not."""
    low, high = (regimes()[name] for name in ("short", "Cube"))
    times = KernelTime(20.0, "Vector", 1.0), KernelTime(100.0, "Cube", 70.0)
    kernels = KernelTotals(2, 1, 120.0, 1.0, 1.0, 1.0, 1.0, 1.0, times)
    near = Opportunity(("graph.relu", "graph.exp"), ("n:1",), True, "pays", 1024, 9.5, 9.0)
    far = Opportunity(("graph.exp", "graph.abs"), ("n:2",), True, "pays", 1024, 10.0, 5.0)
    for chip, known in (("ascend910b", True), ("ascend910", False)):
        totals = ModelTotals(2, 0, 0, 1, 0, kernels, kernels, chip)
        report = FusionReport(
            (FusionPlan("f", (), (), ()),), ((),), totals=(totals,), opportunities=((near, far),)
        )
        text = analysis_text([report], chip)
        (found,) = json.loads(analysis_json([report], chip))
        ends = [20 * short + 100 * cube for short, cube in zip(low, high, strict=True)]
        assert found["after"]["interval_us"] == (pytest.approx(ends) if known else None)
        assert [one["inside_interval"] for one in found["opportunities"]] == [known, False]
        assert text.count("; the difference lies inside the interval") == known
        assert (f"120.0 µs ({ends[0]:.1f}–{ends[1]:.1f})" in text) == known
        assert ("120.0 µs (not validated)" in text) != known


def test_an_analysis_goes_to_the_output_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "net.mlir", tmp_path / "out.txt"
    path.write_text(product(64, 64, 64))
    assert run_tool([str(path), "--analyze", "-o", str(out)]) == 0
    assert capsys.readouterr().out == "" and out.read_text().startswith("@f on ")


def test_the_text_has_the_numbers_of_the_totals_and_sums_of_opportunities_that_are_alike() -> None:
    """Totals that are known, so that each row has a number of its own; rows come by what they gain together."""
    before = KernelTotals(4, 2_000_000, 100.0, 10.0, 60.0, 30.0, memory_us=25.0, compute_us=5.0)
    totals = ModelTotals(4, 1000, 65536, 3_000_000_000, 2_000_000_000, before, None)
    alike = Opportunity(("graph.relu", "graph.exp"), ("n:1",), True, "pays", 1024, 10.0, 5.0)
    larger = Opportunity(("graph.exp", "graph.abs"), ("n:2",), False, "slower", -512, 9.0, 2.0)
    never = Opportunity(("graph.abs", "graph.neg"), ("n:3",), False, "no kernel", 2048)
    found = ((larger, alike, never, alike, never),)
    report = FusionReport((FusionPlan("f", (), (), ()),), ((),), totals=(totals,), opportunities=found)
    lines = analysis_text([report], "chip").splitlines()
    assert lines[0] == ("@f on chip: 4 ops, 1,000 parameters (64.0 KiB), 3 GFLOPs, of which products 2")
    cells = {" ".join(line.split()[:-1]): line.split()[-1] for line in lines[3:13] if line}
    for name, shown in {
        "kernels": "4",
        "predicted time": "100.0 µs (not validated)",
        "of it launches": "10.0 %",
        "of it bound by memory": "60.0 %",
        "of it bound by compute": "30.0 %",
        "arithmetic intensity": "1500.0 op/B",
        "AI cores at their peak": "5.0 %",
        "HBM at its peak": "25.0 %",
    }.items():
        assert cells[f"{name} {shown}"] == "unknown"
    rows = [line.split() for line in lines if " n:" in line]
    assert [row[-1] for row in rows] == ["pays", "slower", "kernel"]
    text = [" ".join(row) for row in rows]
    assert text[0] == "2 x fused relu + exp n:1 10.0 µs 20.0 µs 10.0 µs 2048 B pays"
    assert text[1] == "refused exp + abs n:2 7.0 µs 9.0 µs 2.0 µs -512 B slower"
    assert text[2] == "2 x refused abs + neg n:3 at most 4096 B no kernel"


def test_a_graph_without_ops_is_not_analysed_beside_one_that_has_some() -> None:
    none = KernelTotals(0, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    empty, full = (ModelTotals(ops, 0, 0, 0, 0, none, none) for ops in (0, 1))
    plans = FusionPlan("empty", (), (), ()), FusionPlan("full", (), (), ())
    report = FusionReport(plans, ((), ()), totals=(empty, full), opportunities=((), ()))
    assert [one["function"] for one in json.loads(analysis_json([report], "chip"))] == ["full"]
    assert none.core_utilisation == none.bandwidth_utilisation == full.intensity(none) == 0.0


@pytest.mark.parametrize("chip", CHIPS)
def test_a_kernel_of_copies_alone_is_no_opportunity(analyse: Analyse, chip: str) -> None:
    """What three kernels read is computed in two of them, and once more for the third."""
    text = """graph @f(%x: tensor<1x2x24xf16>, %b: tensor<1x2x24xi1>) {
      %s = cumsum(%x) {axis = 0, exclusive = true}
      %e = div(%s, %x)
      %r = sqrt(%e)
      %c = concat(%r, %x) {axis = 0}
      %w = select(%b, %x, %e)
      %m = max_pool1d(%s) {kernel = [2], strides = [3]}
      return %w, %c, %m
    }"""
    found = analyse(text, f"--target={chip}")
    assert all(one["ops"] for one in found["opportunities"])
