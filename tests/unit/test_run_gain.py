"""What fusion gains over a baseline, and how the report words it."""

# pyright: basic

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.pipeline.pipelines import Fusing
from ascend_opt.compiler.reports.run_gain import Gain, alike_lines, gain_over, gain_rows
from ascend_opt.tools.ascend_run import main

GATHER = """graph @rows(%t: tensor<4096x64xf16>, %i: tensor<512xi32>) {
  %0 = gather(%t, %i) {axis = 0}
  %1 = relu(%0)
  %y = exp(%1)
  return %y
}
"""


def row(**changed: Any) -> tuple[str, ...]:
    figures: dict[str, Any] = {
        "time_us": 10.0,
        "baseline_us": 30.0,
        "kernels_us": 8.0,
        "baseline_kernels_us": 18.0,
        "hbm_saved": 0.0,
        "dma_saved": 0.0,
    }
    return tuple(gain_rows(["b"], [Gain(**{**figures, **changed})])[1])


def test_times_with_and_without_launches_and_the_part_of_launches():
    # 20 µs are gained, of which kernels give 10
    assert row() == ("b", "3.00", "2.25", "50 %", "the same")


@pytest.mark.parametrize(
    ("changed", "launches"),
    [
        ({"baseline_us": 10.0}, "no gain"),
        ({"baseline_us": 9.0}, "no gain"),
        ({"baseline_kernels_us": 8.0}, "all"),
        ({"baseline_kernels_us": 7.0}, "all"),
        ({"baseline_kernels_us": 28.0}, "0 %"),
    ],
)
def test_the_part_of_launches(changed: dict[str, float], launches: str):
    assert row(**changed)[3] == launches


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"hbm_saved": 0.25}, "25.0 % fewer"),
        ({"hbm_saved": -0.25}, "25.0 % more"),
        ({"hbm_saved": 0.0004}, "the same"),
        ({"hbm_saved": -0.0004, "dma_saved": 0.3}, "the same: L2 holds the rest"),
    ],
)
def test_bytes_that_print_as_nothing_are_said_to_be_the_same(changed: dict[str, float], words: str):
    assert row(**changed)[4] == words


def test_columns_of_data_dependent_addresses_come_from_runs_on_the_same_data(tmp_path: Path, capsys):
    path = tmp_path / "rows.mlir"
    path.write_text(GATHER)
    rng = np.random.default_rng(0)
    inputs = {"t": rng.standard_normal((4096, 64)), "i": np.zeros(512, np.int32)}
    np.savez(tmp_path / "in.npz", **inputs)
    assert main([str(path), "--inputs", str(tmp_path / "in.npz"), "--tune", "1", "--json", "-"]) == 0
    import json

    data = json.loads(capsys.readouterr().out)
    cases: list[tuple[str, Fusing]] = [("fused", True), ("library", "library"), ("unfused", False)]
    for name, fuse in cases:
        program = ascend_opt.compile(GATHER, fuse=fuse, tune=1)
        assert program.reads_indices
        on_data, alone = program.run(inputs).profile, program.time()
        assert on_data.hbm_read_bytes < alone.hbm_read_bytes  # one row, over and over
        assert data[name]["hbm_read_bytes"] == on_data.hbm_read_bytes


@pytest.mark.sweep(2)
@pytest.mark.parametrize("chip", ["ascend910", "ascend910b"])
def test_without_such_addresses_time_does_not_depend_on_data(chip: str):
    path = Path(__file__).parents[2] / "examples" / "scale_relu_dropout.mlir"
    program = ascend_opt.compile(path, target=chip, fuse="library", tune=1)
    assert not program.reads_indices
    rng = np.random.default_rng(0)
    inputs = {name: rng.standard_normal(tensor.shape) for name, tensor in program.inputs.items()}
    assert gain_over(program.run(inputs).profile, program.time()) == gain_over(program.time(), program.time())


def test_baselines_that_the_prediction_does_not_tell_apart_are_named():
    gains = [Gain(10.0, 10.4, 8.0, 8.0, 0.0, 0.0, alike=near) for near in (True, False, True)]
    (_, line) = alike_lines("fused", ["a", "b", "c"], gains)
    assert line == "  fused against a and c: the difference lies inside the interval of the prediction"
    assert alike_lines("fused", ["b"], gains[1:2]) == []


def test_the_report_says_so_beside_the_intervals(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A graph of one op is the same program fused and unfused."""
    file = tmp_path / "one.mlir"
    file.write_text("graph @f(%x: tensor<256x256xf16>) { %y = relu(%x) return %y }")
    main([str(file), "--target", "ascend910b"])
    text = capsys.readouterr().out
    time = next(line for line in text.splitlines() if line.startswith("  predicted time"))
    assert re.fullmatch(r"  predicted time(\s+[\d.]+ µs \([\d.]+–[\d.]+\)){2,}", time)
    assert "the difference lies inside the interval of the prediction" in text
    main([str(file), "--target", "ascend910"])
    text = capsys.readouterr().out
    assert " µs (not validated)" in text and "inside the interval" not in text
