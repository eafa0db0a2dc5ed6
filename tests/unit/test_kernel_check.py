"""`--check` kernel by kernel: each one beside the reference, given its own inputs."""

# pyright: basic

import json
from dataclasses import replace

import numpy as np
import pytest
from xdsl.dialects.builtin import FloatAttr, StringAttr, f32

import ascend_opt
from ascend_opt.compiler.api import Program
from ascend_opt.compiler.checks.kernel_check import KernelChecks, StorageLoss, blamed
from ascend_opt.compiler.drivers.run_inputs import seeded_inputs
from ascend_opt.compiler.pipeline.read_module import choose_function
from ascend_opt.dialects.ascend import FixpipeOp, KernelOp, VecOp
from ascend_opt.tools.ascend_run import main

TARGETS = ("ascend910", "ascend310p", "ascend910b", "ascend950")

PARTS = """graph @f(%x: tensor<64x128xf16>, %w: tensor<128x96xf16> {weight}, %v: tensor<96x48xf16> {weight}) {
  %k = constant() {value = 0.75} : tensor<f16>
  %p = matmul(%x, %w)
  %a = relu(%p)
  %s = mul(%a, %k) {nofuse}
  %q = matmul(%s, %v)
  %y = softmax(%q)
  return %y
}
"""
IMAGES = """graph @f(%x: tensor<1x16x20x20xf16>, %w: tensor<32x16x3x3xf16> {weight},
         %v: tensor<32x32x3x3xf16> {weight}) {
  %a = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
  %b = leaky_relu(%a) {alpha = 0.1}
  %c = conv2d(%b, %v) {pads = [1, 1, 1, 1]}
  %y = leaky_relu(%c) {alpha = 0.2}
  return %y
}
"""
BLOCKS = """graph @f(%x: tensor<1x2x10x10x16xf16>, %w: tensor<64x32x3x3xf16> {weight}) {
  %t = transpose(%x) {perm = [0, 1, 4, 2, 3]}
  %i = reshape(%t) {shape = [1, 32, 10, 10]}
  %c = conv2d(%i, %w) {pads = [1, 1, 1, 1]}
  %r = relu(%c)
  %p = reshape(%r) {shape = [1, 4, 16, 10, 10]}
  %y = transpose(%p) {perm = [0, 1, 3, 4, 2]}
  return %y
}
"""
JOINED = """graph @f(%x: tensor<1x64x28x28xf16>, %w: tensor<32x64x1x1xf16> {weight},
         %v: tensor<48x64x3x3xf16> {weight}, %u: tensor<16x80x1x1xf16> {weight}) {
  %a = conv2d(%x, %w)
  %b = relu(%a)
  %c = conv2d(%x, %v) {pads = [1, 1, 1, 1]}
  %d = relu(%c)
  %e = concat(%b, %d) {axis = 1}
  %f = conv2d(%e, %u)
  %y = relu(%f)
  return %y
}
"""


def inputs_of(program: Program, size=None):
    assert program.graph_module is not None
    inputs = {name: t if size is None else t.at(size) for name, t in program.inputs.items()}
    return seeded_inputs(inputs, 0, choose_function(program.graph_module, program.name))


def checked(program: Program, inputs=None):
    inputs = inputs_of(program) if inputs is None else inputs
    watch = KernelChecks(program, inputs)
    program.run(inputs, watch=watch)
    return watch.found


def vectors(program: Program, name: str, kernel: str = ""):
    kernels = [k for k in program.module.walk() if isinstance(k, KernelOp) and kernel in k.sym_name.data]
    ops = [op for k in kernels for op in k.walk() if isinstance(op, VecOp)]
    return [op for op in ops if op.instruction.data == name]


@pytest.mark.sweep(7)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("fuse", [True, "library", False])
@pytest.mark.parametrize("text", [PARTS, IMAGES, BLOCKS, JOINED], ids=["parts", "images", "blocks", "joined"])
def test_right_kernels_are_within_their_bounds(text, fuse, target):
    program = ascend_opt.compile(text, target, fuse, tune=1)
    found = checked(program)
    assert len(found) == len(program.kernel_sources) > 0
    for one in found:
        assert 0 <= one.check.error < 1e-3, one.title
        assert one.check.compared == one.check.elements > 0
    assert blamed(found) is None


@pytest.mark.sweep(3)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("text", "in_blocks"), [(BLOCKS, [True]), (JOINED, [True, True, False])])
def test_tensors_in_blocks_are_read_by_their_indices(text, in_blocks, target):
    program = ascend_opt.compile(text, target, tune=1)
    assert [source.layout is not None for source in program.kernel_sources] == in_blocks
    assert not any(one.check.wrong for one in checked(program))


def test_parts_that_lie_in_one_tensor_are_checked_apart():
    """The second kernel writes to its part of the tensor that the third one reads."""
    program = ascend_opt.compile(JOINED, "ascend910b", tune=1, join_launches=False)
    assert [source.arguments for source in program.kernel_sources] == [("x", "w"), ("x", "v"), (0, 1, "u")]
    (second,) = {
        op for op in program.module.walk() if isinstance(op, KernelOp) and op.sym_name.data.startswith("f_1")
        and "aiv" not in op.sym_name.data
    }  # fmt: skip
    for op in second.walk():
        if isinstance(op, FixpipeOp) and op.relu is not None:
            del op.properties["relu"]
    assert [one.number for one in checked(replace(program)) if one.check.wrong] == [1]


@pytest.mark.sweep(3)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("fuse", [True, False])
def test_a_wrong_constant_in_the_middle_is_named_and_its_neighbours_are_not(fuse, target):
    program = ascend_opt.compile(PARTS, target, fuse, tune=1)
    middle = next(i for i, s in enumerate(program.kernel_sources) if s.ops == ("graph.mul",))
    assert 0 < middle < len(program.kernel_sources) - 1
    (op, *others) = [op for op in vectors(program, "vmuls") if op.scalar and op.scalar.value.data == 0.75]
    for one in (op, *others):
        one.properties["scalar"] = FloatAttr(0.7, f32)
    found = checked(replace(program))
    assert [one.number for one in found if one.check.wrong] == [middle]
    assert found[middle].ops == ("graph.mul",)
    assert found[middle].check.error == pytest.approx(0.05 / 0.75, rel=0.05)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("target", TARGETS)
def test_an_instruction_without_effect_is_named(target):
    """The first kernel lacks its ReLU: what follows computes of its numbers what it should."""
    program = ascend_opt.compile(PARTS, target, tune=1)
    fixpipes = [op for op in program.module.walk() if isinstance(op, FixpipeOp) and op.relu is not None]
    for op in fixpipes:
        del op.properties["relu"]
    for op in vectors(program, "vrelu"):
        op.properties["instruction"] = StringAttr("vabs")
    found = checked(replace(program))
    assert [one.number for one in found if one.check.wrong] == [0]
    assert found[0].ops == ("graph.matmul", "graph.relu")


def test_a_wrong_kernel_is_blamed_before_one_whose_type_is_too_narrow():
    found = checked(ascend_opt.compile(PARTS, "ascend910b", tune=1))
    narrow = replace(found[0], loss=StorageLoss("float16", past=1, elements=8))
    wrong = replace(found[1], check=replace(found[1].check, error=1.0))
    assert blamed([narrow, found[1]]) is narrow
    assert blamed([narrow, wrong]) is wrong


SQUARES = """graph @f(%x: tensor<32x256xf16>, %w: tensor<256x256xf16> {weight}) {
  %p = matmul(%x, %w)
  %q = square(%p)
  %s = reduce_sum(%q) {axes = [1], keep_dims = true}
  %y = sqrt(%s)
  return %y
}
"""


def test_a_sum_past_the_range_of_f16_names_the_kernel_that_stores_it():
    program = ascend_opt.compile(SQUARES, "ascend910b", fuse=False, tune=1)
    inputs = inputs_of(program)
    inputs["x"] = inputs["x"] * np.float16(32)
    found = checked(program, inputs)
    named = blamed(found)
    assert named is not None and not any(one.check.wrong for one in found)
    assert named.ops == ("graph.reduce_sum",)
    assert named.loss.past == 32
    assert "32 of 32 elements are past the range of f16" in str(named.loss)
    assert not np.isfinite(program.run(inputs).outputs["output0"]).any()


@pytest.mark.parametrize("fuse", ["--no-fuse", "--min-gain=0"])
def test_a_report_calls_no_kernel_right_that_it_calls_too_narrow(fuse, tmp_path, capsys):
    (tmp_path / "f.mlir").write_text(SQUARES)
    x = np.random.default_rng(0).standard_normal((32, 256)).astype(np.float16) * np.float16(32)
    np.savez(tmp_path / "in.npz", x=x)
    given = ["--inputs", str(tmp_path / "in.npz"), "--target", "ascend910b", "--tune", "1", "--check"]
    assert main([str(tmp_path / "f.mlir"), *given, fuse]) == 1
    lines = capsys.readouterr().out.splitlines()
    title = "unfused" if fuse == "--no-fuse" else "library-like"
    (ok,) = (line for line in lines if line.startswith(f"ok   {title}"))
    assert ok.startswith(f"ok   {title}: 3 of 4 kernels are within their bounds; nearest is kernel 1 ")
    (note,) = (line for line in lines if line.startswith(f"note {title}"))
    assert "(reduce_sum) does what its type lets it: 32 of 32 elements are past the range of f16" in note


def test_numbers_with_few_digits_are_told_from_errors():
    text = """graph @f(%x: tensor<4096xf16>) {
  %k = constant() {value = 0.000003} : tensor<f16>
  %a = mul(%x, %k) {nofuse}
  %y = mul(%a, %x) {nofuse}
  return %y
}
"""
    program = ascend_opt.compile(text, "ascend910b", tune=1)
    found = checked(program)
    assert not any(one.check.wrong for one in found)
    assert found[0].loss.too_large
    assert "below the least normal number of f16" in str(found[0].loss)
    wrong = ascend_opt.compile(text, "ascend910b", tune=1)
    for op in vectors(wrong, "vmuls")[:1]:
        op.properties["scalar"] = FloatAttr(3.5e-6, f32)
    assert [one.number for one in checked(replace(wrong)) if one.check.wrong] == [0]


def test_weights_are_those_that_are_prepared():
    """What depends on weights alone is rounded before the run: that is no error of the kernel."""
    text = """graph @f(%x: tensor<64x64xf32>, %w: tensor<64xf16> {weight}, %v: tensor<64xf16> {weight}) {
  %u = mul(%w, %v)
  %c = cast(%u) {to = f32}
  %y = mul(%x, %c)
  return %y
}
"""
    for fuse in (True, False):
        program = ascend_opt.compile(text, "ascend910b", fuse, tune=1)
        (one,) = checked(program)
        assert one.check.error < 1e-6


@pytest.mark.parametrize("size", [1, 5, 40])
def test_dynamic_sizes(size):
    text = """graph @f(%x: tensor<?x4x8xf16>, %w: tensor<32x48xf16> {weight}) {
  %r = reshape(%x) {shape = [-1, 32]}
  %p = matmul(%r, %w)
  %y = softmax(%p) {nofuse}
  return %y
}
"""
    program = ascend_opt.compile(text, "ascend910", tune=1)
    found = checked(program, inputs_of(program, size))
    assert [one.check.elements for one in found] == [48 * size] * 2
    assert blamed(found) is None


def test_a_loaded_program_is_checked_too(tmp_path):
    program = ascend_opt.compile(PARTS, "ascend310p", tune=1)
    program.save(tmp_path / "p")
    loaded = ascend_opt.load(tmp_path / "p")
    assert not loaded.kernel_sources
    inputs = inputs_of(program)
    assert checked(loaded, inputs) == checked(program, inputs)


def test_nodes_of_a_model_are_named(tmp_path, capsys, monkeypatch):
    import onnx
    from onnx_models import squares_past_f16

    net, x = squares_past_f16()
    path = tmp_path / "net.onnx"
    onnx.save(net, path)
    np.savez(tmp_path / "in.npz", x=x)
    arguments = [str(path), "--inputs", str(tmp_path / "in.npz"), "--tune", "1", "--no-fuse", "--check"]
    assert main([*arguments, "--json", str(tmp_path / "out.json")]) == 1
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    assert "(mul: /head/square): " in captured.err and "past the range of f16" in captured.err
    kernels = json.loads((tmp_path / "out.json").read_text())["check"]["kernels"]
    assert ["/head/square"] in [one["nodes"] for one in kernels]
