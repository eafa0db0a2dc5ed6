"""Fused kernels that are slower than their parts are named, with both times on the clock and what is without them."""

# pyright: basic

import json
from pathlib import Path

import pytest

import ascend_opt
from ascend_opt.compiler.checks.parts_apart import parts_apart
from ascend_opt.compiler.reports.fusion_losses import fusion_losses, loss_lines
from ascend_opt.tools.ascend_run import main

FORCED = """graph @mlp(%x: tensor<256x256xf16>, %w: tensor<256x1024xf16> {weight}, %v: tensor<1024x256xf16> {weight}) {
  %0 = matmul(%x, %w) {fuse = "g"}
  %1 = relu(%0) {fuse = "g"}
  %2 = matmul(%1, %v) {fuse = "g"}
  %3 = exp(%2) {nofuse}
  return %3
}
"""


@pytest.fixture(scope="module")
def programs():
    return [ascend_opt.compile(FORCED, "ascend910b", fuse) for fuse in (True, False)]


def test_what_is_slower_than_its_parts_is_named(programs):
    fused, unfused = (program.time() for program in programs)
    assert [len(p.kernels) for p in (fused, unfused)] == [2, 4]
    (loss,) = fusion_losses(fused, [("unfused", unfused)])
    product = next(i for i, kernel in enumerate(fused.kernels) if len(kernel.ops) == 3)
    assert loss.numbers == (product,) and loss.ops == "matmul relu matmul"
    parts = [k for k in unfused.kernels if k.ops != ("graph.exp",)]
    assert loss.parts == tuple(kernel.sources for kernel in parts)
    assert loss.parts_us == pytest.approx(sum(k.time_us + k.launch_us for k in parts))
    assert loss.parts_us < loss.time_us
    assert loss.parts_hbm_bytes == sum(kernel.hbm_read_bytes for kernel in parts)
    assert fusion_losses(unfused, [("fused", fused)]) == []
    assert loss_lines([], warm=False) == []


def test_without_it_the_parts_are_kernels_of_their_own(programs):
    fused, unfused = programs
    (loss,) = fusion_losses(fused.time(), [("unfused", unfused.time())])
    apart = parts_apart(fused, {loss.numbers[0]: loss.parts})
    assert apart is not None
    assert sorted(k.ops for k in apart.time().kernels) == sorted(k.ops for k in unfused.time().kernels)
    assert apart.time().total_us < fused.time().total_us


def test_parts_do_not_keep_the_tiles_of_their_kernel():
    stated = FORCED.replace('%1 = relu(%0) {fuse = "g"}', '%1 = relu(%0) {fuse = "g", tile = [16, 256]}')
    fused, unfused = (ascend_opt.compile(stated, "ascend910b", fuse) for fuse in (True, False))
    (loss,) = fusion_losses(fused.time(), [("unfused", unfused.time())])
    apart = parts_apart(fused, {loss.numbers[0]: loss.parts})
    assert apart is not None
    assert len(apart.time().kernels) == 4


def test_the_report_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "mlp.mlir"
    file.write_text(FORCED)
    plan = tmp_path / "apart.plan.json"
    written = ["--json", str(tmp_path / "p.json"), "--save-plan-apart", str(plan)]
    assert main([str(file), "--target", "ascend910b", *written]) == 0
    text = capsys.readouterr().out
    (loss,) = json.loads((tmp_path / "p.json").read_text())["slower_than_parts"]
    lines = text[text.index("slower than their parts:") :].splitlines()
    assert lines[1].startswith(
        f"  {loss['title']}, matmul relu matmul: runs {loss['time_us']:.1f} µs, its 3 parts, "
    )
    assert "L2 was cold when both programs began" in lines[2]
    times = f"takes {loss['without_us']:.1f} µs, as it is {loss['total_us']:.1f} µs"
    assert lines[3].strip() == f"the program with the parts apart (--save-plan-apart) {times}"
    assert loss["without_us"] < loss["total_us"]
    assert 'nofuse = "part' in lines[4] and "mlp.mlir:2" in lines[4]
    apart = ascend_opt.compile(FORCED.replace(' {fuse = "g"}', ""), "ascend910b", plan=plan)
    assert apart.time().total_us == pytest.approx(loss["without_us"])


def test_a_plan_that_there_is_no_use_for_is_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Where nothing is slower than its parts no file is written, which is said."""
    file, plan = tmp_path / "exp.mlir", tmp_path / "apart.plan.json"
    file.write_text("graph @f(%x: tensor<64x64xf16>) { %y = exp(%x) return %y }")
    assert main([str(file), "--save-plan-apart", str(plan)]) == 0
    said = "note: --save-plan-apart writes nothing: no kernel is slower than its parts\n"
    assert said in capsys.readouterr().out and not plan.exists()
