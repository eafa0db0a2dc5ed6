"""Programs in bf16: what is emitted, prepared, saved and bisected; the values are in tests/e2e/test_bf16.py."""

# pyright: basic

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from bf16_targets import MADE, bf16_chip, bf16_text
from xdsl.dialects.builtin import FloatAttr, StringAttr, TensorType, bf16, f32

import ascend_opt
from ascend_opt.compiler.api import compile_until
from ascend_opt.compiler.checks import bisect as bisect_module
from ascend_opt.compiler.checks.bisect import bisect
from ascend_opt.compiler.checks.replay import replay
from ascend_opt.compiler.checks.run_check import relative_error
from ascend_opt.compiler.checks.tile_blocks import blocks
from ascend_opt.compiler.checks.tile_check import _split
from ascend_opt.compiler.checks.tile_values import PointEvaluation
from ascend_opt.compiler.drivers.run_inputs import seeded_inputs
from ascend_opt.compiler.pipeline.read_module import make_context, read_module
from ascend_opt.compiler.text.mlir_text import parse_mlir_text
from ascend_opt.dialects import graph
from ascend_opt.dialects.ascend import LaunchOp, VecOp
from ascend_opt.dialects.graph.elements import as_array, from_array
from ascend_opt.dialects.storage_types import numpy_dtype
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.tile import VecOp as VecTile
from ascend_opt.passes.cost.rule_trace import trace_group
from ascend_opt.passes.regions.compose_group import group_regions
from ascend_opt.passes.support.module import kernel_ops
from ascend_opt.runtime.reference import evaluate
from ascend_opt.runtime.support.hazard import InstructionRef

BF16 = numpy_dtype("bf16")
LINEAR = """graph @linear(%x: tensor<37x65xbf16>, %w: tensor<65x48xbf16> {weight}, %b: tensor<48xbf16> {weight}) {
  %p = matmul(%x, %w)
  %s = bias_add(%p, %b)
  %y = leaky_relu(%s) {alpha = 0.1}
  return %y
}
"""
SEVERAL = """graph @f(%x: tensor<64x64xbf16>, %y: tensor<64x64xbf16>) {
  %a = mul(%x, %x)
  %b = add(%a, %x)
  %c = maximum(%b, %y)
  return %c
}
"""
CASTS = """graph @f(%x: tensor<33x65xbf16>) {
  %a = cast(%x) {to = f16}
  %b = tanh(%a)
  %c = cast(%b) {to = bf16}
  %d = cast(%c) {to = f32}
  return %d
}
"""


def constant_of(module):
    (op,) = (op for op in module.walk() if isinstance(op, graph.ConstantOp))
    return op


@pytest.fixture
def chip(tmp_path):
    return bf16_chip("converts", tmp_path)


@pytest.fixture
def inputs():
    rng = np.random.default_rng(0)
    shapes = {"x": (37, 65), "w": (65, 48), "b": (48,)}
    return {name: (rng.standard_normal(shape) / 4).astype(np.float32) for name, shape in shapes.items()}


# Work done before the first run


def test_constants_are_folded_with_one_rounding(ascend_opt, tmp_path):
    text = """graph @f(%x: tensor<2xbf16>) {
  %a = constant() {value = [1.0, 3.0]} : tensor<2xbf16>
  %b = constant() {value = [3.0, 0.1]} : tensor<2xbf16>
  %c = div(%a, %b)
  %y = add(%x, %c)
  return %y
}
"""
    (tmp_path / "g.mlir").write_text(text)
    outcome = ascend_opt(tmp_path / "g.mlir", "-p", "graph-fold-constants")
    module = parse_mlir_text(make_context(), outcome.output, "text")
    tenth = float(np.array(0.1, BF16))
    expected = np.array([bf16.unpack(bf16.pack([v]), 1)[0] for v in (1 / 3, 3 / tenth)])
    assert "graph.div" not in outcome.output
    np.testing.assert_array_equal(as_array(constant_of(module).value).astype(np.float64), expected)


@pytest.mark.parametrize(("overflow", "result"), [("inf", np.inf), ("saturate", 2.0**128 - 2.0**120)])
def test_folding_follows_the_overflow_mode(overflow, result, ascend_opt, tmp_path):
    text = "graph @f() { %a = constant() {value = 3e38} : tensor<2xbf16> %c = add(%a, %a) return %c }"
    (tmp_path / "g.mlir").write_text(text)
    outcome = ascend_opt(tmp_path / "g.mlir", "-p", f"graph-fold-constants{{overflow={overflow}}}")
    module = parse_mlir_text(make_context(), outcome.output, "text")
    assert (as_array(constant_of(module).value).astype(np.float64) == result).all()


NORM = """graph @f(%x: tensor<1x4x6x6xbf16>, %w: tensor<8x4x3x3xbf16> {weight}, %s: tensor<8xbf16> {weight},
  %b: tensor<8xbf16> {weight}, %m: tensor<8xbf16> {weight}, %v: tensor<8xbf16> {weight}) {
  %c = conv2d(%x, %w)
  %y = batch_norm(%c, %s, %b, %m, %v)
  return %y
}
"""


def test_weights_are_prepared_bound_and_saved(chip, tmp_path):
    program = ascend_opt.compile(NORM, chip, tune=1)
    given = seeded_inputs(program.inputs, 3, read_module(NORM).module.body.block.first_op)  # type: ignore[arg-type]
    x = given.pop("x")
    expected = program.run(given, x=x).outputs["output0"]
    assert relative_error(expected, program.reference(given, x=x)["output0"]) <= 6e-3
    program.bind(**given).save(tmp_path / "p.zip")
    (tmp_path / "converts.toml").unlink()
    loaded = ascend_opt.load(tmp_path / "p.zip")
    assert all(array.dtype == BF16 for array in loaded.weights.values())
    assert loaded.run(x=x).outputs["output0"].tobytes() == expected.tobytes()


CONV = "%x: tensor<1x16x9x9xbf16> {weight}, %w: tensor<8x16x3x3xbf16> {weight}"


def test_functions_of_weights_are_computed_in_f32(chip):
    """Each result of prepare is rounded once, though numpy would sum in bf16 itself."""
    text = f"graph @f({CONV}, %z: tensor<1x8x7x7xbf16>) {{ %p = conv2d(%x, %w) %y = add(%z, %p) return %y }}"
    program = ascend_opt.compile(text, chip, tune=1)
    assert "graph.conv2d" in str(program.module)
    given = {**seeded_inputs(program.inputs, 0), "z": np.zeros((1, 8, 7, 7), BF16)}
    (expected,) = evaluate(read_module(text).module, given, round_results=True)
    np.testing.assert_array_equal(program.run(given).outputs["output0"].astype(np.float32), expected)


# Bisection


def test_what_it_expects_is_computed_in_f32(chip):
    text = f"graph @f({CONV.replace(' {weight}', '')}) {{ %p = conv2d(%x, %w) return %p }}"
    program = ascend_opt.compile(text, chip, tune=1)
    given = seeded_inputs(program.inputs, 0)
    (expected,) = evaluate(read_module(text).module, given, round_results=True)
    (found,) = bisect_module.expected_tensors(program, given).tensors.values()
    np.testing.assert_array_equal(found.astype(np.float32), expected)


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("fuse", [True, False])
def test_a_right_lowering_is_not_blamed(tmp_path, inputs, fuse, name):
    """The tiles that the tile ops mean are those that the instructions write."""
    program = ascend_opt.compile(LINEAR, bf16_chip(name, tmp_path), fuse, tune=1)
    given = {key: array.astype(BF16) for key, array in inputs.items()}
    tensors, tiles = bisect_module._tensors(program, given), compile_until(program, "tile")
    for launch in (op for op in program.module.walk() if isinstance(op, LaunchOp)):
        kernel = bisect_module._kernel(program.module, launch.kernel.string_value())
        grid = bisect_module._tile_kernel(tiles, launch.kernel.string_value())
        assert grid is not None
        arrays = [tensors[bisect_module.root_of(value)] for value in launch.arguments]
        written = {block for s in replay(kernel, program.target, 0, arrays) for block in _split(s.written)}
        for value in PointEvaluation(grid, arrays).run((0,) * len(grid.extent_list)):
            rows = blocks(value)
            assert rows.size and sum(row.tobytes() in written for row in rows) >= 0.98 * len(rows), value.op


@pytest.mark.parametrize("fuse", [True, False])
def test_a_wrong_scalar_is_found(chip, inputs, fuse):
    program = ascend_opt.compile(LINEAR, chip, fuse)
    assert "within its bound" in str(bisect(program, inputs))
    op = next(o for o in program.module.walk() if isinstance(o, VecOp) and o.instruction.data == "vlrelu")
    op.properties["scalar"] = FloatAttr(0.5, f32)
    finding = bisect(replace(program), inputs)
    assert finding.ops[-1] == "graph.leaky_relu"
    assert finding.instruction == InstructionRef.of(op)


# What is emitted, and what is imported


def test_a_tile_is_converted_once_and_each_result_rounded(chip):
    module = compile_until(ascend_opt.compile(SEVERAL, chip, tune=1), "tile")
    steps = [op for op in module.walk() if op.name == "tile.vec"]
    kinds = [(op.instruction.data, str(op.results[0].type.element_type)) for op in steps]  # type: ignore[union-attr]
    assert kinds == [
        ("vconv", "f32"), ("vmul", "f32"), ("vconv", "bf16"),
        ("vconv", "f32"), ("vadd", "f32"), ("vconv", "bf16"),
        ("vconv", "f32"), ("vconv", "f32"), ("vmax", "f32"), ("vconv", "bf16"),
    ]  # fmt: skip


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("text", [LINEAR, SEVERAL, CASTS], ids=["linear", "several", "casts"])
def test_the_tile_search_knows_the_instructions(text, name, tmp_path):
    """What the search counts on is what is emitted, conversions included."""
    chip = bf16_chip(name, tmp_path)
    program = ascend_opt.compile(text, chip, tune=1)
    (function,) = compile_until(program, "graph").body.block.ops
    trace = trace_group(group_regions(kernel_ops(function)), load_target(chip))  # type: ignore[arg-type]
    emitted = [op for op in compile_until(program, "tile").walk() if isinstance(op, VecTile)]
    found = [(op.instruction.data, str(op.result.type.element_type)) for op in emitted]  # type: ignore[union-attr]
    assert [(step.name, step.result.type_name) for step in trace.steps] == found


def test_any_type_that_the_vector_lacks_is_converted(tmp_path):
    path = tmp_path / "wide.toml"
    path.write_text(bf16_text("converts").replace('compute = ["f16", "f32"]', 'compute = ["f32"]'))
    program = ascend_opt.compile("graph @f(%x: tensor<99xf16>) { %y = exp(%x) return %y }", str(path), tune=1)
    steps = [op for op in compile_until(program, "tile").walk() if isinstance(op, VecTile)]
    assert [op.instruction.data for op in steps] == ["vconv", "vexp", "vconv"]
    x = np.linspace(-9, 9, 99).astype(np.float16)
    with np.errstate(over="ignore"):
        expected = np.exp(x.astype(np.float32)).astype(np.float16)
    np.testing.assert_array_equal(program.run(x=x).outputs["output0"], expected)


def test_where_the_vector_computes_in_it_nothing_is_converted(tmp_path):
    text = "graph @f(%x: tensor<64xbf16>) { %a = mul(%x, %x) %b = add(%a, %x) return %b }"
    module = compile_until(ascend_opt.compile(text, bf16_chip("computes", tmp_path), tune=1), "tile")
    assert [op.instruction.data for op in module.walk() if op.name == "tile.vec"] == ["vmul", "vadd"]  # type: ignore[union-attr]


def test_the_package_for_bf16_is_imported_when_there_is_some(tmp_path):
    script = """
import sys, ascend_opt
from ascend_opt.tools import ascend_run
text = "graph @f(%x: tensor<64x16xf16>, %w: tensor<16x16xf16>) { %p = matmul(%x, %w) %y = gelu(%p) return %y }"
open(sys.argv[1], "w").write(text)
assert ascend_run.main([sys.argv[1], "--tune", "1", "--check"]) == 0
assert "numpy" in sys.modules
print("ml_dtypes" in sys.modules, file=sys.stderr)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "g.mlir")], capture_output=True, text=True, timeout=120
    )
    assert done.stderr == "False\n", done


def test_dense_and_external_values_agree_in_their_type(tmp_path):
    np.save(tmp_path / "w.npy", np.arange(3, dtype=np.float32))
    type_ = TensorType(bf16, [3])
    external = graph.ExternalTensorAttr(StringAttr(str(tmp_path / "w.npy")), StringAttr(""), type_)
    assert from_array(as_array(external), bf16) == from_array(np.arange(3.0), bf16)
