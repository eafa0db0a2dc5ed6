"""`tune`, an option of the passes that choose tiles: what `ascend-opt` prints is what `ascend-run` times."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from sweeps import ALL
from xdsl.dialects.builtin import ModuleOp

import ascend_opt
from ascend_opt.compiler.pipeline.read_module import make_context, read_module
from ascend_opt.compiler.pipeline.tune import EmulatorTuner, measure
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes.kernels.common.form import Tiling
from ascend_opt.passes.kernels.tuner import TUNE
from ascend_opt.passes.tile_from_graph import TileFromGraph
from ascend_opt.passes.tile_fuse import TileFuse
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


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Of how many tilings the emulator has chosen, kernel by kernel."""
    found: list[int] = []
    choose = EmulatorTuner.choose

    def counted(self: EmulatorTuner, *arguments: object) -> int:
        found.append(self.count)
        return choose(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(EmulatorTuner, "choose", counted)
    return found


@pytest.mark.sweep(3)
@pytest.mark.parametrize("tune", [None, 4])
@pytest.mark.parametrize("fuse", [True, False])
def test_the_program_that_is_printed_is_the_one_that_runs(
    graph: Path, tune: int | None, fuse: bool, capsys: pytest.CaptureFixture[str]
):
    """With the same options, and with none: the same instructions, and so the same tiles and time."""
    text, lowered = [] if tune is None else ["--tune", str(tune)], graph.with_suffix(".ascend")
    assert opt([str(graph), *(["--fuse"] if fuse else []), "--lower", *text, "-o", str(lowered)]) == 0
    compiled = partial(ascend_opt.compile, graph, fuse=fuse)
    program = compiled() if tune is None else compiled(tune=tune)
    assert str(ascend_opt.compile(lowered).module) == str(program.module)
    printed = _plain(ascend_opt.compile(lowered).time())
    assert printed == _plain(program.time())
    capsys.readouterr()
    assert run([str(graph), *text, "--json", "-", *([] if fuse else ["--no-fuse"])]) == 0
    profile = json.loads(capsys.readouterr().out)
    assert profile["tune"] == (tune or TUNE)
    shown, wanted = profile["fused" if fuse else "unfused"], printed.to_dict()
    for one in (shown, wanted):
        one.pop("utilisation", None)  # recorded in runs whose profile is written
        one.pop("weight_bytes", None)  # the graph says what is a weight
    for kernel in (*shown["kernels"], *wanted["kernels"]):
        kernel["sources"] = kernel["fusable"] = kernel["tiles"] = []
        kernel["graph_bound_us"], kernel["graph_limit"] = 0.0, ""
        kernel["advice"] = [
            (one["rule"], one["evidence"]) for one in kernel["advice"]
        ]  # it names kernels by line
    assert shown == wanted


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    "arguments",
    [
        ["--fuse", "--tune", "3"],
        ["-p", "graph-canonicalize,tile-fuse{tune=3}"],
        ["-p", "graph-canonicalize,tile-fuse{tune=3}", "--tune", "2"],
        ["-p", "tile-from-graph{tune=3}"],
        ["--lower", "--tune", "3"],
    ],
    ids=" ".join,
)
def test_tools_and_texts_of_pipelines_give_the_passes_their_count(
    arguments: list[str], graph: Path, capsys: pytest.CaptureFixture[str], counts: list[int]
):
    assert opt([str(graph), *arguments, "--report"]) == 0
    assert "; tile sizes fastest of up to 3 that were timed\n" in capsys.readouterr().err
    assert set(counts) == {3}


def test_passes_by_themselves_time_as_many(graph: Path, counts: list[int]):
    module = read_module(graph).module
    TileFuse(target="ascend910b", tune=2).apply(make_context(), module)
    assert counts == [2]


def _plain(profile: Profile) -> Profile:
    """Without the lines of the text that kernels came from, which are others in a printed program, and what names
    kernels by them; and without the bounds of ops and the sizes of tiles, which only passes know, and the bytes of
    weights: the graph says what is one."""
    bare = {"sources": (), "fusable": (), "graph_bound_us": 0.0, "graph_limit": "", "tiles": ()}
    kernels = (
        replace(k, **bare, advice=tuple(replace(one, help="") for one in k.advice)) for k in profile.kernels
    )
    return replace(profile, kernels=tuple(kernels), weight_bytes=None)


def test_nobody_times_tiles_unless_asked(graph: Path, capsys: pytest.CaptureFixture[str], counts: list[int]):
    """One default, of the tools and the Python API alike."""
    assert opt([str(graph), "--fuse", "--report"]) == 0
    assert "; tile sizes predicted fastest\n" in capsys.readouterr().err
    assert run([str(graph)]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  tile sizes ")]
    assert line.count("predicted fastest") == 3
    assert ascend_opt.compile(graph).tune == TileFuse().tune == TileFromGraph().tune == TUNE == 1
    assert counts == []


@pytest.mark.parametrize("tool", [opt, run])
@pytest.mark.parametrize("value", ["0", "-1", "many", "2.5"])
def test_a_count_that_makes_no_sense_is_an_error(
    tool: Callable[[list[str]], int], value: str, graph: Path, capsys: pytest.CaptureFixture[str]
):
    assert tool([str(graph), "--tune", value]) == 1
    message = capsys.readouterr().err
    assert message.startswith("error: argument --tune") and "Traceback" not in message


@pytest.mark.parametrize("kind", [TileFuse, TileFromGraph])
def test_a_pass_wants_a_count_that_makes_sense(kind: type[TileFuse | TileFromGraph]):
    with pytest.raises(ValueError, match="tune is 1 or more, not 0"):
        kind(tune=0)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("chip", ["ascend910b", "ascend910"])
def test_the_tiling_that_is_taken_is_the_fastest_of_those_timed(chip: str, monkeypatch: pytest.MonkeyPatch):
    """Each timed again, one by one; the slowest is far from it, and not all of them are alike."""
    asked: list[tuple[ModuleOp, Sequence[Tiling], Target, int]] = []
    choose = EmulatorTuner.choose

    def noted(self: EmulatorTuner, alone: ModuleOp, tilings: Sequence[Tiling], target: Target) -> int:
        asked.append((alone.clone(), tilings, target, choose(self, alone, tilings, target)))
        return asked[-1][3]

    monkeypatch.setattr(EmulatorTuner, "choose", noted)
    ascend_opt.compile(TEXT, target=chip, tune=4)
    if ALL:
        ascend_opt.compile(TEXT.replace("300x", "3000x"), target=chip, tune=4)
    ascend_opt.compile(TEXT.replace("300x", "77x").replace("200x", "2048x"), target=chip, tune=4)
    spreads: list[float] = []
    for alone, tilings, target, chosen in asked:
        times = [measure(alone, tiling, target)[0] + launch_us(target, tiling.cores) for tiling in tilings]
        assert times[chosen] == min(times)
        spreads.append(max(times) / min(times))
    assert max(spreads) > 1.05
