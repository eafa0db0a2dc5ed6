"""`ascend-run --compare` with profiles that were saved: what else is compared runs as they did."""

import json
from pathlib import Path

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
