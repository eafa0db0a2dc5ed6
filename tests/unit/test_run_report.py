"""What `ascend-run` says below its table: bounds above the time, what limits a kernel, NaN on both sides."""

# pyright: basic

import json

import pytest

from ascend_opt.tools.ascend_run import main

CHIP = ["--target", "ascend910"]
LINEAR = """graph @linear(%x: tensor<64x128xf16>, %w: tensor<128x64xf16> {weight}) {
  %p = matmul(%x, %w)
  %y = relu(%p)
  return %y
}
"""


@pytest.fixture
def run(capsys):
    def call(*arguments):
        capsys.readouterr()
        code = main([str(argument) for argument in arguments] + CHIP)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return code, captured.out, captured.err

    return call


@pytest.fixture
def linear(tmp_path):
    path = tmp_path / "linear.mlir"
    path.write_text(LINEAR)
    return path


def test_a_bound_above_the_time_is_explained(run, tmp_path):
    path = tmp_path / "add.mlir"
    path.write_text(
        "graph @add(%x: tensor<512x512xf16>) {\n  %a = relu(%x)\n  %y = abs(%a)\n  return %y\n}\n"
    )
    code, out, _ = run(path, "--no-fuse")
    assert code == 0
    assert out.count("a bound above the time: it takes every tensor across HBM once") == 1
    assert "; below its bound (HBM)\n" in out
    path.write_text(path.read_text().replace("abs", "gelu"))
    assert "a bound above the time" not in run(path)[1].split("kernels, fused")[1][:300]


def test_what_limits_a_kernel_is_below_the_table(run, linear):
    out = run(linear)[1]
    assert "what limits them, fused:\n  linear_0: limited by its launch (" in out
    assert " x its bound (" in out
    assert "    launch: the launch takes 2.0 µs, the kernel " in out
    assert "      helps: more work for its launch" in out
    data = json.loads(run(linear, "--json", "-")[1])
    (kernel,) = data["fused"]["kernels"]
    assert kernel["bottleneck"]["resource"] == "launch"
    assert [advice["rule"] for advice in kernel["advice"]] == ["launch"]


def test_square_roots_of_what_may_be_negative_pass_the_check(run, tmp_path):
    path = tmp_path / "root.mlir"
    path.write_text(
        "graph @root(%x: tensor<64x64xf16>, %m: tensor<64x64xf16>) {\n"
        "  %d = sub(%x, %m)\n  %y = sqrt(%d)\n  return %y\n}\n"
    )
    code, out, err = run(path, "--check")
    assert (code, err) == (0, "")
    assert out.count("elements are NaN, in the reference too") == out.count(" output0: ") == 3
    assert out.count("ok   ") == 6
