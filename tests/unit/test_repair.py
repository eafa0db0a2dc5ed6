"""`--repair`: a kernel that `--check` names is compiled otherwise until it is right."""

# pyright: basic

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from xdsl.dialects.builtin import FloatAttr, ModuleOp, f32

import ascend_opt
from ascend_opt.compiler.checks.kernel_check import KernelChecks
from ascend_opt.compiler.checks.repair import Repair
from ascend_opt.compiler.drivers.run_inputs import seeded_inputs
from ascend_opt.compiler.pipeline.raise_precision import raise_precision
from ascend_opt.compiler.pipeline.read_module import choose_function, read_module
from ascend_opt.compiler.programs.program_inputs import graph_inputs
from ascend_opt.dialects import tile
from ascend_opt.dialects.target import load_target
from ascend_opt.passes.kernels import forms as kernels
from ascend_opt.runtime.support.hazard import location_text
from ascend_opt.tools.ascend_run import main

LOGITS = """graph @f(%x: tensor<64x96xf16>, %v: tensor<96x48xf16> {weight}) {
  %k = constant() {value = 40.0} : tensor<f16>
  %q = matmul(%x, %v)
  %s = mul(%q, %k)
  %y = softmax(%s)
  return %y
}
"""
VARIANCE = """graph @f(%x: tensor<64x1024xf16>, %k: tensor<1024xf16>) {
  %a = add(%x, %k)
  %m = reduce_mean(%a) {axes = [1], keep_dims = true}
  %d = sub(%a, %m)
  %q = square(%d)
  %y = reduce_mean(%q) {axes = [1]}
  return %y
}
"""


@pytest.fixture
def repaired(tmp_path, capsys):
    """Runs `--repair` on a graph: the exit code, and what it prints of the repair."""

    def run(text, target, *options, **inputs):
        path = tmp_path / "f.mlir"
        path.write_text(text)
        np.savez(tmp_path / "in.npz", **inputs)
        given = ["--inputs", str(tmp_path / "in.npz")] if inputs else []
        code = main([str(path), "--target", target, "--tune", "1", "--repair", *options, *given])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return code, captured.out, captured.err

    return run


def test_large_logits_of_a_softmax_are_computed_in_f32(repaired):
    """A logit of 100 in f16 is off by up to 1/32, which its exponential shows."""
    code, out, err = repaired(LOGITS, "ascend910b")
    assert (code, err) == (0, "")
    assert "FAIL fused kernel 0 @f_0 (matmul mul softmax) given its own inputs" in out
    report = out.split("repair:\n")[1].splitlines()
    assert report[0].startswith("1. kernel 0 @f_0 (matmul mul softmax): relative L2 error")
    before, apart, raised = (float(re.findall(r"[\d.]+e-\d+", line)[0]) for line in report[:3])
    assert before == apart > 3e-3 > 1e-3 > raised
    assert report[3].strip().startswith("taken: in f32; time of the program")
    assert report[-1] == "every kernel and every output is within its bound"
    assert "ok   repaired output0" in out


def test_it_says_so_where_nothing_helps(repaired):
    """The Cube of the 310P multiplies no f32, and the product is what is too coarse."""
    code, out, err = repaired(LOGITS, "ascend310p")
    assert code == 1
    assert "nothing helps" in out and out.rstrip().endswith("the program is not repaired")
    assert "error: --check: repaired kernel 0 @f_0 (matmul mul softmax), given its own inputs, is off" in err


@pytest.mark.sweep(4)
@pytest.mark.parametrize("target", ["ascend910b", "ascend950", "ascend310p", "ascend910"])
def test_a_variance_far_from_zero(repaired, target):
    """Numbers around 300 are multiples of 1/4 in f16, and so is their mean: what is left of them is off by that."""
    code, out, err = repaired(VARIANCE, target, k=np.full(1024, 300, np.float16))
    assert (code, err) == (0, "")
    assert "each op a kernel of its own: error 7." in out
    assert "taken: in f32" in out
    error = next(line for line in out.splitlines() if line.startswith("output0: error"))
    assert float(error.split()[2]) > 3e-3 > 1e-3 > float(error.split()[4])


def test_a_repaired_program_has_the_options_names_and_weights_of_the_one_before():
    text = LOGITS.replace("%x: tensor<64x96xf16>", "%x: tensor<?x96xf16>")
    program = ascend_opt.compile(text, "ascend910b", tune=1, max_occupancy=0.9, dynamic_sizes=(8, 64))
    rng = np.random.default_rng(0)
    x = rng.standard_normal((64, 96)).astype(np.float16)
    v = (rng.standard_normal((96, 48)) / 10).astype(np.float16)
    program = replace(program, weights={"v": v}, results=[("best", "float16")])
    watch = KernelChecks(program, {"x": x})
    repair = Repair(program, program.run({"x": x}, watch=watch), watch, lambda program, result: {})
    assert not repair.clean and repair.run(lambda what: None)
    new = repair.program
    assert new is not program and list(repair.result.outputs) == ["best"]
    for name in ("fusion", "sizes", "weights", "results", "tune", "fused", "target_name"):
        assert getattr(new, name) == getattr(program, name) and (name == "tune" or getattr(new, name))


def test_the_repaired_program_is_the_one_that_is_saved(repaired, tmp_path):
    function = choose_function(read_module(LOGITS).module, "f")
    x, v = seeded_inputs(graph_inputs(function), 0, function).values()
    files = {name: tmp_path / name for name in ("out.npz", "trace.json", "profile.json")}
    options = ("--outputs", "out.npz"), ("--trace", "trace.json"), ("--json", "profile.json")
    given = [part for option, name in options for part in (option, str(files[name]))]
    code, _, err = repaired(LOGITS, "ascend910b", *given)
    assert (code, err) == (0, "")
    logits = 40 * (x.astype(np.float64) @ v.astype(np.float64))
    right = np.exp(logits - logits.max(axis=1, keepdims=True))
    right /= right.sum(axis=1, keepdims=True)
    saved = np.load(files["out.npz"])["output0"].astype(np.float64)
    assert np.linalg.norm(saved - right) < 1e-3 * np.linalg.norm(right)
    data = json.loads(files["profile.json"].read_text())
    kernels = [one["name"] for one in data["repaired"]["kernels"]]
    assert data["repaired"]["total_us"] > data["fused"]["total_us"]
    assert data["repaired_check"]["passed"] and not data["check"]["passed"]
    events = json.loads(files["trace.json"].read_text())["traceEvents"]
    assert any(event.get("cat") == "V" for event in events), "instructions of a core are traced"
    launched = [e["args"]["kernel"] for e in events if e["ph"] == "X" and "kernel" in e.get("args", {})]
    assert set(kernels) <= set(launched)


def test_bisection_looks_at_the_repaired_program(repaired):
    _, out, _ = repaired(LOGITS, "ascend910b", "--bisect")
    assert out.endswith("bisect: every output is within its bound\n")


def test_what_is_right_is_not_repaired(repaired):
    code, out, err = repaired(VARIANCE, "ascend910b", k=np.zeros(1024, np.float16))
    assert (code, err) == (0, "")
    assert out.endswith(
        "repair:\nnothing to repair: every kernel and every output, fused, is within its bound\n"
    )
    assert "repaired output0" not in out


def test_a_kernel_that_is_compiled_wrongly_is_taken_apart(repaired, monkeypatch):
    """A fault in the compilation of fused kernels alone."""
    text = """graph @f(%x: tensor<64x96xf16>) {
  %k = constant() {value = 3.0} : tensor<f16>
  %a = mul(%x, %k)
  %y = relu(%a)
  return %y
}
"""
    right = kernels.reorder_sums

    def wrong(kernel):
        right(kernel)
        vectors = [op for op in kernel.walk() if isinstance(op, tile.VecOp)]
        for op in vectors if len(vectors) > 1 else ():
            if op.instruction.data == "vmuls":
                op.properties["scalar"] = FloatAttr(2.9, f32)

    monkeypatch.setattr(kernels, "reorder_sums", wrong)
    code, out, err = repaired(text, "ascend910b")
    assert (code, err) == (0, "")
    assert "taken: each op a kernel of its own; time of the program" in out
    assert "ok   repaired: all 2 kernels are within their bounds" in out


@pytest.mark.sweep(2)
@pytest.mark.parametrize("target", ["ascend310p", "ascend910b"])
def test_what_is_past_the_range_stays_in_f32_until_it_is_not(tmp_path, capsys, target):
    import onnx
    from onnx_models import squares_past_f16

    net, x = squares_past_f16()
    path = str(tmp_path / "net.onnx")
    onnx.save(net, path)
    np.savez(tmp_path / "in.npz", x=x)
    given = [path, "--inputs", str(tmp_path / "in.npz"), "--tune", "1", "--no-fuse", "--target", target]
    assert main([*given, "--check"]) == 1
    capsys.readouterr()
    assert main([*given, "--repair"]) == 0
    report = capsys.readouterr().out.split("repair:\n")[1]
    assert report.startswith(
        "1. kernel 2 @net_mul_2 (mul: /head/square): 227 of 512 elements are past the range"
    )
    assert "\n2. kernel 5 @net_cast_5 (cast: /head/sum): 1 of 1 elements are past the range of f16" in report
    (options,) = (
        line for line in report.splitlines() if line.startswith("in f32 from the model on, weights too: ")
    )
    stated = options.partition(": ")[2].split()
    assert stated[1::2] == ["/head/square=f32", "/head/sum=f32", "/head/root=f32"]
    assert main([*given, "--check", *stated]) == 0


def test_ops_beside_each_other_hand_over_f32():
    program = ascend_opt.compile(VARIANCE, "ascend910b", tune=1)
    module = program.graph_module
    assert isinstance(module, ModuleOp)
    wanted = {location_text(op) for op in module.walk() if op.name in ("graph.sub", "graph.square")}
    assert raise_precision(module, wanted, load_target("ascend910b")) == 2
    module.verify()
    names = [op.name.removeprefix("graph.") for op in module.walk() if op.name.startswith("graph.")]
    assert names == ["add", "reduce_mean", "cast", "cast", "sub", "square", "cast", "reduce_mean"]


def test_f32_goes_through_a_reshape(repaired):
    """The mean of numbers that f16 does not hold, and another name for it, stay in f32 up to the product behind."""
    text = """graph @f(%x: tensor<2x32x8x8xf16>, %w: tensor<32x48xf16> {weight}) {
  %k = constant() {value = 0.0002} : tensor<f16>
  %a = mul(%x, %k) {nofuse}
  %b = mul(%a, %k) {nofuse}
  %m = reduce_mean(%b) {axes = [2, 3], keep_dims = true} {nofuse}
  %r = reshape(%m) {shape = [2, 32]}
  %p = matmul(%r, %w) {nofuse}
  %l = constant() {value = 60000.0} : tensor<f16>
  %y = mul(%p, %l) {nofuse}
  %z = mul(%y, %l) {nofuse}
  return %z
}
"""
    text = text.replace("keep_dims = true} {nofuse}", "keep_dims = true, nofuse}")
    code, out, err = repaired(text, "ascend910b")
    assert "FAIL fused output0" in out
    assert (code, err) == (0, ""), out.split("repair:")[1]
    assert "2. kernel" in out.split("repair:")[1]


@pytest.mark.sweep(2)
@pytest.mark.parametrize("fuse", ["--no-fuse", "--tune=1"])
def test_results_of_a_model_that_are_f32_hold_what_f16_does_not(tmp_path, capsys, fuse):
    """The cast at the boundary goes with the ops before it."""
    onnx = pytest.importorskip("onnx")
    from onnx import TensorProto, helper, numpy_helper

    weights = np.random.default_rng(0).standard_normal((64, 64)).astype(np.float32) * 1e4
    shape = [64, 64]
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["m"], "/mm"), helper.make_node("Relu", ["m"], ["y"], "/r")],
        "net",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(weights, "w")],
    )
    path = tmp_path / "net.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10), path)
    assert main([str(path), "--check", "--tune", "1"]) == 1
    capsys.readouterr()
    assert main([str(path), "--repair", "--tune", "1", fuse]) == 0
    out = capsys.readouterr().out
    assert "in f32 from the model on, weights too: --precision-of /mm=f32 --precision-of /r=f32" in out
    assert "every kernel and every output is within its bound" in out
