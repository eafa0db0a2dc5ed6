"""Graph-level passes: what they rewrite, what they leave, and that values stay."""

# pyright: basic

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, FileLineColLoc, IntAttr, ModuleOp, StringAttr, UnknownLoc
from xdsl.dialects.func import Func, FuncOp
from xdsl.parser import Parser

from ascend_opt.dialects import graph
from ascend_opt.dialects.graph.arguments import argument_names, mark_weight, weight_values
from ascend_opt.dialects.graph.elements import as_array
from ascend_opt.dialects.rewriting import replace_with
from ascend_opt.passes.graph_canonicalize import GraphCanonicalize
from ascend_opt.passes.graph_fold_batch_norm import GraphFoldBatchNorm
from ascend_opt.passes.graph_fold_constants import GraphFoldConstants
from ascend_opt.runtime.reference import evaluate

RNG = np.random.default_rng(0)


def parse(text: str) -> ModuleOp:
    context = Context()
    for dialect in (Builtin, Func, graph.Graph):
        context.load_dialect(dialect)
    module = Parser(context, text).parse_module()
    module.verify()
    for line, op in enumerate(function(module).body.block.ops):
        op.location = FileLineColLoc(StringAttr("f"), IntAttr(line), IntAttr(1))
    return module


def function(module: ModuleOp) -> FuncOp:
    return next(op for op in module.ops if isinstance(op, FuncOp))


def run(module: ModuleOp, *passes) -> list[str]:
    """Names of the ops that are left; they verify and have locations."""
    for one in passes:
        one.apply(Context(), module)
        module.verify()
    ops = list(function(module).body.block.ops)
    assert not any(isinstance(op.location, UnknownLoc) for op in ops)
    return [op.name.removeprefix("graph.") for op in ops if op.name != "func.return"]


def unary(body: str, type_: str = "tensor<2x3xf16>") -> ModuleOp:
    """A function of %x of `type_` whose body defines %y of the same type."""
    return parse(f"func.func @f(%x: {type_}) -> {type_} {{ {body}\n func.return %y : {type_} }}")


T, B = "tensor<2x3xf16>", "(tensor<2x3xf16>, tensor<2x3xf16>) -> tensor<2x3xf16>"
U = "(tensor<2x3xf16>) -> tensor<2x3xf16>"


@pytest.mark.parametrize(
    "body",
    [
        f"%y = graph.dropout %x : {U}",
        f"%y = graph.reshape %x {{shape = array<i64: 2, 3>}} : {U}",
        f"%y = graph.cast %x {{to = f16}} : {U}",
        f"%y = graph.clip %x : {U}",
        f"%0 = graph.neg %x : {U} %y = graph.neg %0 : {U}",
        f"%c = graph.constant dense<1.0> : {T} %y = graph.mul %x, %c : {B}",
        f"%c = graph.constant dense<1.0> : {T} %y = graph.mul %c, %x : {B}",
        f"%c = graph.constant dense<1.0> : {T} %y = graph.div %x, %c : {B}",
        f"%c = graph.constant dense<0.0> : {T} %y = graph.add %c, %x : {B}",
        f"%c = graph.constant dense<0.0> : {T} %y = graph.sub %x, %c : {B}",
        f'%c = graph.constant dense<"0x00FC"> : {T} %y = graph.maximum %x, %c : {B}',
        """%0 = graph.reshape %x {shape = array<i64: 6>} : (tensor<2x3xf16>) -> tensor<6xf16>
           %y = graph.reshape %0 {shape = array<i64: 2, 3>} : (tensor<6xf16>) -> tensor<2x3xf16>""",
        """%0 = graph.cast %x {to = f32} : (tensor<2x3xf16>) -> tensor<2x3xf32>
           %y = graph.cast %0 {to = f16} : (tensor<2x3xf32>) -> tensor<2x3xf16>""",
        f"%d = graph.exp %x : {U} %y = graph.dropout %x : {U}",
    ],
)
def test_what_computes_nothing_goes(body):
    module = unary(body)
    x = RNG.standard_normal((2, 3)).astype(np.float16)
    assert run(module, GraphCanonicalize(), GraphCanonicalize()) == []
    np.testing.assert_array_equal(evaluate(module, [x])[0], x)
    assert argument_names(function(module)) == ["x"]


@pytest.mark.parametrize(
    ("body", "left"),
    [
        (f"%c = graph.constant dense<1.0> : {T} %y = graph.div %c, %x : {B}", ["constant", "div"]),
        (f"%c = graph.constant dense<0.0> : {T} %y = graph.sub %c, %x : {B}", ["constant", "sub"]),
        (f"%c = graph.constant dense<0.0> : {T} %y = graph.mul %c, %x : {B}", ["constant", "mul"]),
        (f"%y = graph.clip %x {{min = 0.0}} : {U}", ["clip"]),
        (f"%0 = graph.relu %x : {U} %y = graph.relu %0 : {U}", ["relu"]),
        (f"%0 = graph.neg %x : {U} %y = graph.abs %0 : {U}", ["neg", "abs"]),
    ],
)
def test_what_computes_something_stays(body, left):
    assert run(unary(body), GraphCanonicalize()) == left


def test_narrowing_casts_stay():
    body = """%0 = graph.cast %x {to = f16} : (tensor<2xf32>) -> tensor<2xf16>
              %y = graph.cast %0 {to = f32} : (tensor<2xf16>) -> tensor<2xf32>"""
    assert run(unary(body, "tensor<2xf32>"), GraphCanonicalize()) == ["cast", "cast"]


def test_neutral_operand_that_broadcasts_stays():
    text = """func.func @f(%x: tensor<1x3xf16>) -> tensor<2x3xf16> {
      %c = graph.constant dense<1.0> : tensor<2x3xf16>
      %y = graph.mul %x, %c : (tensor<1x3xf16>, tensor<2x3xf16>) -> tensor<2x3xf16>
      func.return %y : tensor<2x3xf16>
    }"""
    assert run(parse(text), GraphCanonicalize()) == ["constant", "mul"]


CONV = "(tensor<2x3x6x5xf16>, tensor<4x3x3x3xf16>"
OUT = "tensor<2x4x6x5xf16>"


def conv_block(norm_uses: str = "", weights: str = "{graph.weight}", bias: str = "") -> ModuleOp:
    vectors = ", ".join(f"%{name}: tensor<4xf16> {weights}" for name in "gbmv")
    source = "%0" if not bias else "%1"
    return parse(f"""
func.func @f(%x: tensor<2x3x6x5xf16>, %w: tensor<4x3x3x3xf16> {{graph.weight}},
             %c: tensor<4xf16> {{graph.weight}}, {vectors}) -> ({OUT}{", " + OUT if norm_uses else ""}) {{
  %0 = graph.conv2d %x, %w {{pads = array<i64: 1, 1, 1, 1>}} : {CONV}) -> {OUT}
  {bias}
  %y = graph.batch_norm {source}, %g, %b, %m, %v
    : ({OUT}, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>, tensor<4xf16>) -> {OUT}
  func.return %y{norm_uses} : {OUT}{", " + OUT if norm_uses else ""}
}}""")


def conv_inputs() -> list[np.ndarray]:
    positive = RNG.random(4) + 0.2
    shapes = [(2, 3, 6, 5), (4, 3, 3, 3), (4,), (4,), (4,), (4,)]
    return [array.astype(np.float16) for array in (*(RNG.standard_normal(s) for s in shapes), positive)]


def error(left: ModuleOp, right: ModuleOp, arrays) -> float:
    a, b = (evaluate(module, arrays, precision="f64")[0] for module in (left, right))
    return float(np.linalg.norm(a - b) / np.linalg.norm(a))


def test_bias_is_split_off():
    module = parse(f"""
    func.func @f(%x: tensor<2x3x6x5xf16>, %w: tensor<4x3x3x3xf16>, %b: tensor<4xf16>) -> {OUT} {{
      %y = graph.conv2d %x, %w, %b {{pads = array<i64: 1, 1, 1, 1>}} : {CONV}, tensor<4xf16>) -> {OUT}
      func.return %y : {OUT}
    }}""")
    before = module.clone()
    assert run(module, GraphCanonicalize()) == ["conv2d", "bias_add"]
    assert error(before, module, conv_inputs()[:3]) < 1e-12
    assert function(module).body.block.last_op.operands[0].name_hint == "y"  # type: ignore[union-attr]


def test_batch_norm_folds_into_the_convolution():
    module = conv_block()
    before = module.clone()
    ops = run(module, GraphFoldBatchNorm())
    assert ops.count("conv2d") == 1 and ops[-2:] == ["conv2d", "bias_add"] and "batch_norm" not in ops
    assert error(before, module, conv_inputs()) < 5e-4
    body = function(module).body.block
    known = weight_values(function(module))
    depends = [op for op in body.ops if op.results and op.results[0] not in known]
    assert [op.name for op in depends] == ["graph.conv2d", "graph.bias_add"]


@pytest.mark.parametrize("canonical", [True, False])
def test_batch_norm_folds_over_a_bias(canonical):
    module = conv_block(bias=f"%1 = graph.bias_add %0, %c : ({OUT}, tensor<4xf16>) -> {OUT}")
    if not canonical:
        module = conv_block()
        conv = function(module).body.block.first_op
        assert isinstance(conv, graph.Conv2dOp)
        bias = function(module).body.block.args[2]
        replace_with(conv, graph.Conv2dOp(conv.x, conv.w, bias, **conv.properties))
    before = module.clone()
    ops = run(module, GraphFoldBatchNorm())
    assert ops[-2:] == ["conv2d", "bias_add"] and ops.count("bias_add") == 1
    assert error(before, module, conv_inputs()) < 5e-4


def test_shared_convolution_keeps_its_weights():
    module = conv_block(norm_uses=", %0")
    before = module.clone()
    ops = run(module, GraphFoldBatchNorm())
    assert ops[0] == "conv2d" and ops[-2:] == ["mul", "add"]
    assert error(before, module, conv_inputs()) < 1e-3


def test_statistics_computed_at_run_time_stay():
    assert run(conv_block(weights=""), GraphFoldBatchNorm()) == ["conv2d", "batch_norm"]


def test_folding_a_constant_batch_norm_leaves_two_constants():
    text = str(conv_block())
    arrays = conv_inputs()
    module = parse(text)
    block = function(module).body.block
    for argument, array in zip(list(block.args)[1:], arrays[1:], strict=True):
        constant = graph.ConstantOp(value=graph.elements.from_array(array, argument.type.element_type))  # type: ignore
        constant.location = block.first_op.location  # type: ignore[union-attr]
        argument.replace_all_uses_with(constant.result)
        block.insert_op_before(constant, block.first_op)  # type: ignore[arg-type]
    before = module.clone()
    passes = (GraphCanonicalize(), GraphFoldBatchNorm(), GraphFoldConstants(), GraphCanonicalize())
    ops = run(module, *passes)
    assert sorted(ops) == ["bias_add", "constant", "constant", "conv2d"]
    assert error(before, module, arrays) < 5e-4


def constants(max_bytes: int) -> ModuleOp:
    module = unary(f"""
      %a = graph.constant dense<3.0> : {T}
      %b = graph.constant dense<[0.1, 0.2, 40000.0]> : tensor<3xf16>
      %c = graph.add %a, %b : ({T}, tensor<3xf16>) -> {T}
      %d = graph.add %c, %c : {B}
      %y = graph.mul %x, %d : {B}""")
    GraphFoldConstants(max_bytes=max_bytes).apply(Context(), module)
    module.verify()
    return module


def test_constants_fold_and_round_per_op():
    module = constants(12)
    assert run(module) == ["constant", "mul"]
    constant = function(module).body.block.first_op
    assert isinstance(constant, graph.ConstantOp)
    row = (np.float16(3) + np.array([0.1, 0.2, 40000], np.float16)).astype(np.float16)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(as_array(constant.value), np.broadcast_to(row + row, (2, 3)))
    assert np.isinf(as_array(constant.value)[0, 2])


def test_large_results_stay():
    assert run(constants(11)) == ["constant", "constant", "add", "add", "mul"]


def test_saturating_fold():
    module = unary(f"""%a = graph.constant dense<40000.0> : {T} %b = graph.add %a, %a : {B}
      %y = graph.mul %x, %b : {B}""")
    run(module, GraphFoldConstants(overflow="saturate"))
    constant = function(module).body.block.first_op
    assert isinstance(constant, graph.ConstantOp)
    assert (as_array(constant.value) == 65504).all()
    with pytest.raises(ValueError, match="overflow is inf or saturate, not 'wrap'"):
        GraphFoldConstants(overflow="wrap").apply(Context(), module)


def test_weight_values_and_names():
    module = parse("""
    func.func @f(%x: tensor<4xf16>, %w: tensor<4xf16> {graph.weight}, %w_1: tensor<4xf16>) -> tensor<4xf16> {
      %c = graph.constant dense<2.0> : tensor<4xf16>
      %a = graph.mul %w, %c : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
      %b = graph.mul %x, %c : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
      %y = graph.add %a, %b : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
      func.return %y : tensor<4xf16>
    }""")
    f = function(module)
    assert {value.name_hint for value in weight_values(f)} == {"w", "c", "a"}
    assert argument_names(f) == ["x", "w_1", "w_2"]
    mark_weight(f, 0)
    module.verify()
    assert {value.name_hint for value in weight_values(f)} == {"x", "w", "c", "a", "b", "y"}


def test_what_takes_a_part_of_a_dynamic_dimension_stays():
    """Two sizes that are not known have one type: `?` does not say that a slice takes all."""
    module = parse(
        """func.func @f(%x: tensor<1x?xf16>) -> tensor<1x?xf16> {
          %0 = graph.slice %x {starts = array<i64: 0>, ends = array<i64: 9223372036854775807>, axes = array<i64: 1>,
            steps = array<i64: 2>} : (tensor<1x?xf16>) -> tensor<1x?xf16>
          func.return %0 : tensor<1x?xf16>
        }"""
    )
    assert run(module, GraphCanonicalize()) == ["slice"]


def test_a_slice_that_turns_the_dynamic_dimension_stays():
    module = parse(
        """func.func @f(%x: tensor<?x4xf16>) -> tensor<?x4xf16> {
          %0 = graph.slice %x {starts = array<i64: -1>, ends = array<i64: -9223372036854775807>,
            steps = array<i64: -1>} : (tensor<?x4xf16>) -> tensor<?x4xf16>
          func.return %0 : tensor<?x4xf16>
        }"""
    )
    assert run(module, GraphCanonicalize()) == ["slice"]
