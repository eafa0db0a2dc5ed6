"""`ascend-run`: what it prints and writes, and how it fails."""

# pyright: basic

import json
import math

import numpy as np
import pytest
from run_in_process import LINEAR, in_process, linear_in

import ascend_opt
from ascend_opt.compiler.drivers.run_inputs import seeded_inputs
from ascend_opt.compiler.pipeline.read_module import choose_function
from ascend_opt.dialects.target import DEFAULT_TARGET

NORM = """graph @norm(%x: tensor<2x16x8x8xf16>, %s: tensor<16xf16>, %b: tensor<16xf16>, %m: tensor<16xf16>,
            %v: tensor<16xf16>) {
  %y = batch_norm(%x, %s, %b, %m, %v)
  return %y
}
"""


@pytest.fixture
def linear(tmp_path):
    return linear_in(tmp_path)


@pytest.fixture
def run(capsys):
    return in_process(capsys)


def test_the_table_holds_fused_against_unfused(run, linear):
    code, out, err = run(linear, "--check")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith(f"@linear on {DEFAULT_TARGET}: ")
    rows = {line.split("  ")[1]: line.split() for line in lines[2:] if line.startswith("  ")}
    assert rows["kernels"] == ["kernels", "1", "2", "3"]
    for label in (
        "predicted time",
        "bytes read by DMA",
        "bytes written to HBM",
        "busy Cube (M)",
        "busy Vector (V)",
        "busy FIX",
        "peak ub of 192.0 KiB",
        "peak l0c of 128.0 KiB",
    ):
        assert label in rows
    assert "linear_0   matmul add relu" in out
    assert out.count("ok   ") == 6
    assert "ok   fused output0: relative L2 error" in out
    assert "ok   fused kernel 0 @linear_0 (matmul add relu) given its own inputs: relative L2 error" in out
    assert "ok   unfused: all 3 kernels are within their bounds; nearest is kernel 1 @linear_add_1" in out


def test_the_json_is_complete(run, linear, tmp_path):
    assert run(linear, "--json", tmp_path / "p.json")[0] == 0
    data = json.loads((tmp_path / "p.json").read_text())
    totals = {
        "total_us",
        "dma_read_bytes",
        "dma_write_bytes",
        "hbm_read_bytes",
        "hbm_write_bytes",
        "l2_hit_rate",
        "kernels",
    }
    per_kernel = {"name", "ops", "time_us", "launch_us", "bound_us", "limit", "pipes", "memory"}
    per_kernel |= totals - {"total_us", "kernels"}
    for variant, count in (("fused", 1), ("library", 2), ("unfused", 3)):
        assert totals <= data[variant].keys()
        assert len(data[variant]["kernels"]) == count
        for kernel in data[variant]["kernels"]:
            assert per_kernel <= kernel.keys()
            assert all({"busy_us", "instructions"} <= pipe.keys() for pipe in kernel["pipes"].values())
            assert all(
                0 <= space["peak_bytes"] <= space["capacity_bytes"] for space in kernel["memory"].values()
            )
        total = sum(k["time_us"] + k["launch_us"] for k in data[variant]["kernels"])
        assert data[variant]["total_us"] == pytest.approx(total)
    assert set(data["check"]["rel_l2"]) == {"output0"}
    assert 0 < data["check"]["rel_l2"]["output0"] < 3e-3
    assert data["check"]["passed"] is True
    assert data["library_check"] is data["unfused_check"] is None
    for name, gain in data["gains"].items():
        assert gain["time_us"] == data["fused"]["total_us"] < gain["baseline_us"] == data[name]["total_us"]


def test_inputs_go_in_by_name_and_outputs_come_out_in_order(run, linear, tmp_path):
    rng = np.random.default_rng(1)
    x, w, b = rng.normal(size=(64, 128)), rng.normal(size=(128, 64)) / 10, rng.normal(size=64)
    np.savez(tmp_path / "in.npz", x=x, w=w, b=b)
    assert run(linear, "--inputs", tmp_path / "in.npz", "--outputs", tmp_path / "out.npz")[0] == 0
    with np.load(tmp_path / "out.npz", allow_pickle=False) as outputs:
        assert outputs.files == ["output0"]
        assert outputs["output0"].dtype == np.float16
        np.testing.assert_allclose(outputs["output0"], np.maximum(x @ w + b, 0), atol=0.03)


def test_what_the_file_lacks_is_seeded(run, linear, tmp_path):
    np.savez(tmp_path / "in.npz", b=np.full(64, 100.0))
    for seed, name in ((3, "a"), (3, "b"), (4, "c")):
        arguments = ("--inputs", tmp_path / "in.npz", "--seed", seed, "--outputs", tmp_path / f"{name}.npz")
        assert run(linear, *arguments)[0] == 0
    a, b, c = (np.load(tmp_path / f"{name}.npz")["output0"] for name in "abc")
    assert a.min() > 50
    np.testing.assert_array_equal(a, b)
    assert not np.array_equal(a, c)


def test_seeded_inputs_keep_a_graph_in_range():
    program = ascend_opt.compile(NORM, fuse=False)
    assert program.graph_module is not None
    function = choose_function(program.graph_module, None)
    inputs = seeded_inputs(program.inputs, 0, function)
    assert inputs["v"].min() >= 0.5
    assert inputs["m"].min() < 0
    linear = ascend_opt.compile(LINEAR, fuse=False)
    assert linear.graph_module is not None
    inputs = seeded_inputs(linear.inputs, 0, choose_function(linear.graph_module, None))
    assert inputs["w"].std() == pytest.approx(1 / math.sqrt(128), rel=0.05)
    assert inputs["x"].std() == pytest.approx(1, rel=0.05)


def test_inputs_of_a_convolution_with_a_bias_are_seeded(run, tmp_path):
    path = tmp_path / "conv.mlir"
    path.write_text(
        "graph @c(%x: tensor<1x16x8x8xf16>, %w: tensor<32x16x3x3xf16> {weight}, %b: tensor<32xf16> {weight}) {\n"
        "  %y = conv2d(%x, %w, %b) {pads = [1, 1, 1, 1]}\n  return %y\n}\n"
    )
    assert run(path, "--check", "--tune", "1")[0] == 0
    program = ascend_opt.compile(path, tune=1)
    assert program.graph_module is not None
    given = seeded_inputs(program.inputs, 0, choose_function(program.graph_module, program.name))
    assert np.std(given["w"].astype(np.float32)) == pytest.approx(1 / 12, rel=0.05)
    assert np.std(given["b"].astype(np.float32)) == pytest.approx(1, rel=0.5)


def test_without_fusion_there_is_one_column(run, linear, tmp_path):
    code, out, _ = run(linear, "--no-fuse", "--check")
    assert code == 0
    assert "kernels, unfused" in out
    assert "kernels, fused" not in out
    data = json.loads(run(linear, "--no-fuse", "--json", "-")[1])
    assert data["fused"] is None
    assert len(data["unfused"]["kernels"]) == 3


def test_the_trace_opens(run, linear, tmp_path):
    assert run(linear, "--trace", tmp_path / "t.json")[0] == 0
    document = json.loads((tmp_path / "t.json").read_text())
    events = [event for event in document["traceEvents"] if event["ph"] == "X"]
    assert events
    assert all(event["dur"] >= 0 for event in events)
    assert {"copy", "mmad"} <= {event["name"] for event in events}


def test_one_of_several_graphs(run, tmp_path):
    path = tmp_path / "two.mlir"
    path.write_text(LINEAR + LINEAR.replace("@linear", "@other"))
    assert run(path, "--graph", "other")[1].startswith("@other on")
    code, _, err = run(path)
    assert code == 1
    assert "2 graphs (@linear, @other): say which one to run" in err


def test_another_chip(run, linear):
    assert run(linear, "--target", "ascend310p", "--check")[1].startswith("@linear on ascend310p: ")


def test_chips_are_listed_without_a_file(run, ascend_opt):
    code, out, err = run("--list-targets")
    assert (code, err) == (0, "")
    assert out == ascend_opt("--list-targets").output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.mlir"], "error: cannot open 'missing.mlir': No such file or directory"),
        ([], "error: the following arguments are required: FILE"),
        (["{file}", "--frobnicate"], "error: unrecognized arguments: --frobnicate"),
        (["{file}", "--seed", "x"], "error: argument --seed: invalid seed value: 'x'"),
        (["{file}", "--seed", "-1"], "error: argument --seed: invalid seed value: '-1'"),
        (["{file}", "--target", "ascend91"], "unknown target 'ascend91'; did you mean 'ascend910'?"),
        (["{file}", "--graph", "liner"], "no graph @liner; the module has @linear; did you mean 'linear'?"),
        (["{file}", "--inputs", "missing.npz"], "error: cannot open 'missing.npz'"),
        (["{file}", "--inputs", "{file}"], "cannot read inputs from"),
        (["{file}", "--inputs", "{dir}/one.npy"], "holds one array without a name"),
        (["{file}", "--inputs", "{dir}/pickled.npz"], "it is no .npz file of numeric arrays"),
        (["{file}", "--inputs", "{dir}/shape.npz"], "error: input 'x' must have shape 64x128, got 2x2"),
        (["{file}", "--inputs", "{dir}/name.npz"], "error: there is no input 'xx'; did you mean 'x'?"),
        (["{file}", "--outputs", "{dir}/no/o.npz"], "error: cannot open '{dir}/no/o.npz'"),
        (["{file}", "--inputs", "-"], "error: --inputs is a binary file: it needs a name, not -"),
        (["{file}", "--outputs", "-"], "error: --outputs is a binary file: it needs a name, not -"),
        (["{file}", "--json", "-", "--trace", "-"], "error: --json and --trace cannot both print on stdout"),
        (
            ["{file}", "--trace-cores", "2"],
            "error: --trace-cores is about the file of --trace, which is not given",
        ),
        (["{file}", "--dynamic-sizes", "1,8"], "but no dimension of @linear is dynamic (?)"),
        (["{file}", "--json", "{dir}"], "error: cannot open '{dir}': Is a directory"),
        (["{dir}/text.mlir"], "{dir}/text.mlir:2:8: error: unknown operation 'reluu'; did you mean 'relu'?"),
    ],
)
def test_mistakes(run, linear, tmp_path, arguments, message):
    np.save(tmp_path / "one.npy", np.zeros(3))
    np.savez(tmp_path / "pickled.npz", x=np.array([{}], object))
    np.savez(tmp_path / "shape.npz", x=np.zeros((2, 2)))
    np.savez(tmp_path / "name.npz", xx=np.zeros((2, 2)))
    (tmp_path / "text.mlir").write_text("graph @f(%x: tensor<4xf16>) {\n  %y = reluu(%x)\n  return %y\n}\n")
    before = sorted(tmp_path.iterdir())
    filled = [a.format(file=linear, dir=tmp_path) for a in arguments]
    code, _, err = run(*filled)
    assert code == 1
    assert message.format(dir=tmp_path) in err
    assert err.count("error:") == 1
    assert sorted(tmp_path.iterdir()) == before


def test_an_output_that_cannot_be_written_is_left_as_it_was(run, linear, tmp_path, monkeypatch):
    path = tmp_path / "o.npz"
    path.write_bytes(b"precious")
    monkeypatch.setattr("ascend_opt.compiler.text.output_files.Path.replace", _fail)
    code, _, err = run(linear, "--outputs", path)
    assert code == 1
    assert "disk full" in err
    assert path.read_bytes() == b"precious"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["linear.mlir", "o.npz"]


def _fail(*_):
    raise OSError("disk full")


AHEAD = """builtin.module attributes {ascend.target = "ascend910"} {
  ascend.kernel @twice cores 1 : i64 {
  ^bb0(%x: memref<64xf16, "gm">, %y: memref<64xf16, "gm">):
    %e = arith.constant 0 : index
    %a = ascend.buffer {addresses = array<i64: 0>} : memref<64xf16, "ub">
    ascend.copy %x, %a : memref<64xf16, "gm">, memref<64xf16, "ub">
    ascend.set_flag "MTE2" -> "MTE3", %e
    ascend.set_flag "MTE2" -> "MTE3", %e
    ascend.wait_flag "MTE2" -> "MTE3", %e
    ascend.wait_flag "MTE2" -> "MTE3", %e
    ascend.copy %a, %y : memref<64xf16, "ub">, memref<64xf16, "gm">
    ascend.end
  }
  func.func @main(%x: memref<64xf16, "gm"> {ascend.name = "x"}) -> memref<64xf16, "gm"> {
    %y = ascend.gm_alloc : memref<64xf16, "gm">
    ascend.launch @twice(%x, %y) : memref<64xf16, "gm">, memref<64xf16, "gm">
    func.return %y : memref<64xf16, "gm">
  }
}
"""


def test_flags_that_are_set_ahead(run, tmp_path):
    """A hazard, unless they are counted: then the report names both places."""
    file = tmp_path / "ahead.mlir"
    file.write_text(AHEAD)
    code, _, err = run(file)
    assert code == 1 and "flag-set-twice" in err
    code, out, err = run(file, "--flags", "count")
    assert (code, err) == (0, "")
    assert "flag-set-ahead in @twice: flag MTE2 -> MTE3, event 0 may be up already" in out
    assert "ahead.mlir:7" in out and "ahead.mlir:8" in out
