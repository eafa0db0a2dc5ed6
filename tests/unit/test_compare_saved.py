"""`ascend-run --compare` with profiles that were saved: what else is compared runs as they did."""

import json
from pathlib import Path

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.reports.comparison import compare
from ascend_opt.runtime.profile.read_profile import ProfileError, profile_from
from ascend_opt.tools.ascend_run import main

GATHER = """graph @look_up(%table: tensor<4096x64xf16> {weight}, %rows: tensor<256xi32>) {
  %0 = gather(%table, %rows)
  %1 = relu(%0)
  return %1
}
"""


def test_rows_are_those_of_the_saved_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Addresses depend on data: the same program is no slower than when its profile was written."""
    monkeypatch.chdir(tmp_path)
    Path("g.mlir").write_text(GATHER)
    assert main(["g.mlir", "--json", "base.json"]) == 0
    assert json.loads(Path("base.json").read_text())["fused"]["of_data"]
    alone = ascend_opt.compile(Path("g.mlir"), "ascend910b").time()
    assert (
        not alone.of_data and alone.total_us != json.loads(Path("base.json").read_text())["fused"]["total_us"]
    )
    capsys.readouterr()
    assert main(["--compare", "base.json", "g.mlir"]) == 0
    assert "ascend910b: equal" in capsys.readouterr().out
    assert main(["--compare", "g.mlir", "base.json", "--seed", "1"]) == 0
    assert "ascend910b: equal" not in capsys.readouterr().out


def test_profiles_are_not_compiled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.json"
    path.write_text(ascend_opt.compile(GATHER, "ascend910b").time().to_json())
    assert main(["--compare", str(path), str(path), "--tune", "3", "--target", "ascend910"]) == 0
    why = "has no effect: nothing is compiled"
    assert capsys.readouterr().err == f"note: --tune {why}\nnote: --target {why}\n"


def test_run_time_sizes_are_those_of_both():
    program = ascend_opt.compile("graph @f(%x: tensor<?x256xf16>) { %y = exp(%x) return %y }", "ascend910b")
    small, large = program.time(64), program.time(256)
    assert (small.size, large.size) == (64, 256)
    assert compare(small, profile_from(json.loads(small.to_json()), "again"), ("base", "new")).equal
    with pytest.raises(ProfileError, match="dimension is 64 in 'base', and 256 in 'new': give --size 64"):
        compare(small, large, ("base", "new"))


def test_both_sides_run_on_the_inputs_that_are_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One row again and again stays in L2, others do not; a revision takes the same inputs, if it has all."""
    monkeypatch.chdir(tmp_path)
    Path("g.mlir").write_text(GATHER.replace("256xi32", "?xi32"))
    table = np.zeros((4096, 64), np.float16)
    np.savez("same.npz", rows=np.zeros(700, np.int32), table=table)
    np.savez("other.npz", rows=np.arange(0, 4096, 6, dtype=np.int32))
    np.savez("wrong.npz", columns=np.zeros(3, np.int32))
    assert main(["g.mlir", "--inputs", "same.npz", "--json", "base.json"]) == 0
    capsys.readouterr()
    assert main(["--compare", "base.json", "g.mlir", "--inputs", "same.npz"]) == 0
    assert "ascend910b: equal" in capsys.readouterr().out
    assert main(["--compare", "g.mlir", "g.mlir", "--inputs", "other.npz", "--json", "found.json"]) == 0
    saved, found = (json.loads(Path(name).read_text()) for name in ("base.json", "found.json"))
    alone = ascend_opt.compile(Path("g.mlir"), "ascend910b")
    rows = np.arange(0, 4096, 6, dtype=np.int32)
    other = alone.run(rows=rows, table=table).profile.total_us
    assert other > saved["fused"]["total_us"] and f"{other:.3f}" in json.dumps(found)
    root = str(Path(__file__).parents[2])
    capsys.readouterr()
    assert main(["--compare", "base.json", root, "g.mlir", "--inputs", "same.npz"]) == 0
    said = capsys.readouterr()
    assert "ascend910b: equal" in said.out and said.err == ""
    assert main(["--compare", "base.json", root, "g.mlir", "--inputs", "other.npz"]) == 1
    assert "--inputs must have all inputs of a revision, and lacks 'table'" in capsys.readouterr().err
    assert main(["--compare", "base.json", "g.mlir", "--inputs", "wrong.npz"]) == 1
    assert capsys.readouterr().err == "error: there is no input 'columns'; @look_up takes rows, table\n"
    assert main(["--compare", "base.json", "base.json", "--inputs", "same.npz"]) == 0
    assert capsys.readouterr().err == "note: --inputs has no effect: nothing runs\n"
