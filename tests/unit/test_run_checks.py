"""`ascend-run --check` and `--bisect`: wrong values, NaN on both sides, and where they say so when stdout is JSON."""

# pyright: basic

import json

import numpy as np
import pytest
from run_in_process import in_process
from xdsl.dialects.builtin import FloatAttr, f32

import ascend_opt
from ascend_opt.compiler.api import Program
from ascend_opt.compiler.drivers import run_driver
from ascend_opt.dialects.ascend import VecOp


@pytest.fixture
def run(capsys):
    return in_process(capsys)


@pytest.fixture
def wrong(monkeypatch):
    """Every compiled program multiplies by a wrong scalar."""

    def compile(*arguments, **options) -> Program:
        program = ascend_opt.compile(*arguments, **options)
        for op in program.module.walk():
            if isinstance(op, VecOp) and op.instruction.data == "vmuls":
                op.properties["scalar"] = FloatAttr(1.5, f32)
        again = (program.module, program.target, program.name, program.graph_module, program.fused)
        return Program(*again, target_name=program.target_name)

    monkeypatch.setattr(run_driver, "compile", compile)


@pytest.fixture
def scale(tmp_path):
    path = tmp_path / "scale.mlir"
    path.write_text(
        "graph @scale(%x: tensor<4096xf16>) {\n  %c = constant() {value = 1.25} : tensor<f16>\n"
        "  %y = mul(%x, %c)\n  return %y\n}\n"
    )
    return path


@pytest.mark.usefixtures("wrong")
def test_wrong_values_fail_the_check_only_when_it_is_asked_for(run, scale, tmp_path):
    code, out, _ = run(scale, "--json", tmp_path / "p.json")
    assert code == 0
    assert "FAIL fused output0: relative L2 error against the reference 2.00e-01 (bound 3e-03)" in out
    data = json.loads((tmp_path / "p.json").read_text())
    assert data["check"]["passed"] is False
    assert data["check"]["rel_l2"]["output0"] == pytest.approx(0.2, rel=0.01)
    code, _, err = run(scale, "--check", "--json", "-")
    assert code == 1
    assert err.startswith("error: --check: fused output0 is off by 2.00e-01, its bound is 3e-03\n")


def test_a_nan_in_the_reference_too_agrees(run, scale, tmp_path):
    x = np.ones(4096)
    x[5] = np.nan
    np.savez(tmp_path / "in.npz", x=x)
    code, out, err = run(scale, "--inputs", tmp_path / "in.npz", "--check", "--bisect")
    assert (code, err) == (0, "")
    why = "; 1 of 4096 elements are NaN, in the reference too"
    assert f"ok   fused output0: relative L2 error against the reference 0.00e+00 (bound 3e-03){why}" in out
    assert "bisect: every output is within its bound" in out
    np.savez(tmp_path / "in.npz", x=np.full(4096, np.nan))
    code, _, err = run(scale, "--inputs", tmp_path / "in.npz", "--check")
    assert code == 1
    assert err.startswith("error: --check: fused output0 could not be checked; 4096 of 4096 elements are NaN")


@pytest.mark.usefixtures("wrong")
def test_bisection_names_the_instruction(run, scale):
    out = run(scale, "--bisect")[1]
    assert "bisect: first wrong kernel: @scale_0 (mul)" in out
    assert "grid point 0 on core 0" in out
    assert f'{scale}:3:8: ascend.vec "vmuls"' in out


def test_bisection_of_right_values(run, scale):
    assert "bisect: every output is within its bound" in run(scale, "--bisect")[1]


@pytest.mark.parametrize("option", ["--trace", "--json"])
def test_a_dash_is_stdout_alone(run, scale, tmp_path, monkeypatch, option):
    """Stdout is JSON and nothing else; no file is called `-`."""
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    code, out, err = run(scale, option, "-", "--bisect")
    assert code == 0 and "bisect: every output is within its bound" in err
    assert ("traceEvents" if option == "--trace" else "fused") in json.loads(out)
    assert sorted(tmp_path.iterdir()) == before
