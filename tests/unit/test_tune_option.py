"""`--tune`: what `ascend-opt` prints is what `ascend-run` times."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

import ascend_opt
from ascend_opt.compiler.pipeline.tune import EmulatorTuner, measure
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes.kernels.common.form import Tiling
from ascend_opt.runtime.machine.costs import launch_us
from ascend_opt.runtime.profile.profile import Profile
from ascend_opt.tools.ascend_opt import main as opt
from ascend_opt.tools.ascend_run import main as run

TEXT = """
graph @linear(%x: tensor<300x200xf16>, %w: tensor<200x320xf16> {weight}, %b: tensor<320xf16> {weight}) {
  %p = matmul(%x, %w)
  %s = bias_add(%p, %b)
  %y = gelu(%s)
  return %y
}
"""


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    path = tmp_path / "linear.mlir"
    path.write_text(TEXT)
    return path


@pytest.mark.sweep(3)
@pytest.mark.parametrize("tune", [1, 4])
@pytest.mark.parametrize("fuse", [True, False])
def test_the_tool_prints_the_program_that_the_api_and_ascend_run_time(
    graph: Path, tune: int, fuse: bool, capsys: pytest.CaptureFixture[str]
):
    flags = ["--fuse", "--lower"] if fuse else ["--lower"]
    assert opt([str(graph), *flags, "--tune", str(tune), "-o", str(graph.with_suffix(".ascend"))]) == 0
    printed = ascend_opt.compile(graph.with_suffix(".ascend")).time()
    assert _plain(printed) == _plain(ascend_opt.compile(graph, fuse=fuse, tune=tune).time())
    options = ["--tune", str(tune), "--json", "-", *([] if fuse else ["--no-fuse"])]
    capsys.readouterr()
    assert run([str(graph), *options]) == 0
    profile = json.loads(capsys.readouterr().out)
    assert profile["tune"] == tune
    shown = profile["fused" if fuse else "unfused"]
    wanted = _plain(printed).to_dict()
    for kernel in (*shown["kernels"], *wanted["kernels"]):
        kernel["sources"] = kernel["fusable"] = []
        kernel["advice"] = [
            (one["rule"], one["evidence"]) for one in kernel["advice"]
        ]  # it names kernels by line
    assert shown == wanted


def _plain(profile: Profile) -> Profile:
    """Without the lines of the text that kernels came from, which are others in a printed program, and what names
    kernels by them."""
    kernels = (
        replace(k, sources=(), fusable=(), advice=tuple(replace(one, help="") for one in k.advice))
        for k in profile.kernels
    )
    return replace(profile, kernels=tuple(kernels))


def test_without_the_option_ascend_opt_predicts_and_ascend_run_times_six(
    graph: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    counts: list[int] = []
    choose = EmulatorTuner.choose

    def counted(self: EmulatorTuner, *arguments: object) -> int:
        counts.append(self.count)
        return choose(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(EmulatorTuner, "choose", counted)
    assert opt([str(graph), "--fuse", "--report"]) == 0
    assert "; tile sizes predicted fastest\n" in capsys.readouterr().err
    assert counts == []
    assert run([str(graph)]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  tile sizes ")]
    assert line.count("fastest of 6 timed") == 3
    assert set(counts) == {6}


@pytest.mark.parametrize("tool", [opt, run])
@pytest.mark.parametrize("value", ["0", "-1", "many", "2.5"])
def test_a_count_that_makes_no_sense_is_an_error(
    tool: Callable[[list[str]], int], value: str, graph: Path, capsys: pytest.CaptureFixture[str]
):
    assert tool([str(graph), "--tune", value]) == 1
    message = capsys.readouterr().err
    assert message.startswith("error: argument --tune") and "Traceback" not in message


def test_report_says_how_tiles_were_chosen(graph: Path, capsys: pytest.CaptureFixture[str]):
    assert opt([str(graph), "--fuse", "--tune", "3", "--report"]) == 0
    assert "; tile sizes fastest of up to 3 that were timed\n" in capsys.readouterr().err


@pytest.mark.parametrize("chip", ["ascend910", "ascend910b"])
def test_the_tiling_that_is_taken_is_the_fastest_of_those_timed(chip: str, monkeypatch: pytest.MonkeyPatch):
    """Each timed again, one by one; the slowest is far from it, and not all of them are alike."""
    asked: list[tuple[ModuleOp, Sequence[Tiling], Target, int]] = []
    choose = EmulatorTuner.choose

    def noted(self: EmulatorTuner, alone: ModuleOp, tilings: Sequence[Tiling], target: Target) -> int:
        asked.append((alone.clone(), tilings, target, choose(self, alone, tilings, target)))
        return asked[-1][3]

    monkeypatch.setattr(EmulatorTuner, "choose", noted)
    ascend_opt.compile(TEXT, target=chip, tune=6)
    ascend_opt.compile(TEXT.replace("300x", "3000x"), target=chip, tune=6)
    spreads: list[float] = []
    for alone, tilings, target, chosen in asked:
        times = [measure(alone, tiling, target)[0] + launch_us(target, tiling.cores) for tiling in tilings]
        assert times[chosen] == min(times)
        spreads.append(max(times) / min(times))
    assert max(spreads) > 1.05
