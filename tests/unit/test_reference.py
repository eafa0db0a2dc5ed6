"""The reference against formulas written another way."""

# pyright: basic

import math
import time

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects import test as test_dialect
from xdsl.dialects.builtin import Builtin, ModuleOp, TensorType, f16, f32, i32
from xdsl.dialects.func import Func
from xdsl.parser import Parser

from ascend_opt.dialects import graph
from ascend_opt.runtime.reference import evaluate, evaluate_op, reference, reference_of
from ascend_opt.runtime.reference.special import erf, erfc
from ascend_opt.runtime.reference.structure import round_to


@pytest.fixture
def rng():
    """The same numbers in whatever order tests run."""
    return np.random.default_rng(0)


def parse(text: str) -> ModuleOp:
    context = Context()
    for dialect in (Builtin, Func, graph.Graph):
        context.load_dialect(dialect)
    module = Parser(context, text).parse_module()
    module.verify()
    return module


def apply(op_class, *arrays, **attributes):
    operands = [test_dialect.TestOp(result_types=[TensorType(f32, a.shape)]).results[0] for a in arrays]
    op = op_class(*operands, **attributes)
    (result,) = evaluate_op(op, arrays)
    assert result.shape == op.results[0].type.get_shape()
    return result


@pytest.mark.parametrize("op", graph.OPS, ids=lambda op: op.short_name())
def test_every_op_has_a_reference(op):
    assert callable(reference_of(op.name))


def test_unknown_op_has_none():
    with pytest.raises(ValueError, match=r"graph.unheard has no reference"):
        reference_of("graph.unheard")
    with pytest.raises(ValueError, match=r"graph.add has a reference already"):
        reference("graph.add")(np.add)


SCALAR = {
    graph.NegOp: lambda x: -x,
    graph.AbsOp: abs,
    graph.ExpOp: math.exp,
    graph.TanhOp: math.tanh,
    graph.ErfOp: math.erf,
    graph.SigmoidOp: lambda x: 0.5 * (1 + math.tanh(x / 2)),
    graph.SiluOp: lambda x: x * 0.5 * (1 + math.tanh(x / 2)),
    graph.ReluOp: lambda x: x if x > 0 else 0.0,
    graph.LeakyReluOp: lambda x: x if x > 0 else 0.01 * x,
    graph.ReciprocalOp: lambda x: x**-1,
    graph.GeluOp: lambda x: x * 0.5 * math.erfc(-x / math.sqrt(2)),
    graph.DropoutOp: lambda x: x,
}


@pytest.mark.parametrize(("op", "formula"), SCALAR.items(), ids=lambda v: getattr(v, "name", ""))
def test_unary_op(op, formula, rng):
    x = np.concatenate([rng.standard_normal((40, 5)) * 3, np.linspace(-12, 12, 200).reshape(40, 5)])
    expected = np.vectorize(formula)(x)
    np.testing.assert_allclose(apply(op, x), expected, rtol=1e-11, atol=1e-14)


def test_roots(rng):
    x = rng.random(50) * 9 + 1e-3
    np.testing.assert_allclose(apply(graph.SqrtOp, x), x**0.5)
    np.testing.assert_allclose(apply(graph.RsqrtOp, x), x**-0.5)


def test_gelu_tanh():
    x = np.linspace(-6, 6, 301)
    expected = [v / (1 + math.exp(-2 * math.sqrt(2 / math.pi) * (v + 0.044715 * v**3))) for v in x]
    np.testing.assert_allclose(apply(graph.GeluOp, x, approximate="tanh"), expected, rtol=1e-9, atol=1e-14)


def test_clip():
    x = np.array([-3.0, 0.5, 7.0])
    np.testing.assert_array_equal(apply(graph.ClipOp, x, min=0.0, max=6.0), [0, 0.5, 6])
    np.testing.assert_array_equal(apply(graph.ClipOp, x, max=0.0), [-3, 0, 0])
    np.testing.assert_array_equal(apply(graph.ClipOp, x), x)
    np.testing.assert_array_equal(apply(graph.ClipOp, x, min=2.0, max=1.0), [1, 1, 1])


@pytest.mark.parametrize(
    ("op", "formula"),
    [
        (graph.AddOp, lambda a, b: a + b),
        (graph.SubOp, lambda a, b: a - b),
        (graph.MulOp, lambda a, b: a * b),
        (graph.DivOp, lambda a, b: a / b),
        (graph.MaximumOp, max),
        (graph.MinimumOp, min),
    ],
)
def test_binary_op_broadcasts(op, formula, rng):
    a, b = rng.standard_normal((3, 1, 4)), rng.standard_normal((5, 4)) + 10
    expected = [[[formula(a[i, 0, k], b[j, k]) for k in range(4)] for j in range(5)] for i in range(3)]
    np.testing.assert_allclose(apply(op, a, b), expected)


def test_erf_is_accurate_to_f64():
    x = np.concatenate([np.linspace(-7, 7, 20001), np.logspace(-300, 1, 2001), [np.inf, -np.inf, 0.0]])
    expected = np.array([math.erf(v) for v in x])
    np.testing.assert_allclose(erf(x), expected, rtol=1e-13)
    assert np.isnan(erf(np.array([np.nan, 1.0]))[0])
    assert erf(np.array([[np.nan, 3.0]]))[0, 1] == pytest.approx(math.erf(3.0))
    assert erf(np.zeros((0, 3))).shape == (0, 3)


def test_erfc_keeps_its_digits_where_it_is_small():
    x = np.concatenate([np.linspace(-26, 26, 20001), [1e300, np.inf, -np.inf, 0.0]])
    np.testing.assert_allclose(erfc(x), np.array([math.erfc(v) for v in x]), rtol=1e-11, atol=1e-300)
    assert np.isnan(erfc(np.array([np.nan]))[0])


@pytest.mark.parametrize(
    ("transpose_a", "transpose_b"), [(False, False), (True, False), (False, True), (True, True)]
)
def test_matmul(transpose_a, transpose_b, rng):
    a, b = rng.standard_normal((2, 1, 3, 4)), rng.standard_normal((5, 4, 6))
    expected = np.einsum("bxmk,ckn->bcmn", a, b)
    result = apply(
        graph.MatmulOp,
        a.swapaxes(2, 3) if transpose_a else a,
        b.swapaxes(1, 2) if transpose_b else b,
        transpose_a=transpose_a,
        transpose_b=transpose_b,
    )
    np.testing.assert_allclose(result, expected)


@pytest.mark.parametrize(
    ("strides", "pads", "dilations"),
    [((1, 1), (0, 0, 0, 0), (1, 1)), ((2, 3), (1, 2, 0, 1), (1, 1)), ((1, 2), (2, 0, 3, 1), (2, 3))],
)
def test_conv2d(strides, pads, dilations, rng):
    x, w, bias = rng.standard_normal((2, 3, 8, 9)), rng.standard_normal((4, 3, 3, 2)), rng.standard_normal(4)
    top, left, *_ = pads
    result = apply(graph.Conv2dOp, x, w, bias, strides=strides, pads=pads, dilations=dilations)
    expected = np.zeros(result.shape)
    for (n, o, i, j), _ in np.ndenumerate(expected):
        total = bias[o]
        for (c, u, v), weight in np.ndenumerate(w[o]):
            y, z = i * strides[0] + u * dilations[0] - top, j * strides[1] + v * dilations[1] - left
            if 0 <= y < 8 and 0 <= z < 9:
                total += x[n, c, y, z] * weight
        expected[n, o, i, j] = total
    np.testing.assert_allclose(result, expected)


def test_conv2d_is_fast(rng):
    """Beside a product of as many multiplications, in CPU seconds: some ten times as long."""
    x = rng.standard_normal((2, 64, 56, 56), np.float32)
    w = rng.standard_normal((128, 64, 3, 3), np.float32)
    a, b = rng.standard_normal((2 * 56 * 56, 576)), rng.standard_normal((576, 128))
    times: list[float] = []
    for run in (lambda: a @ b, lambda: apply(graph.Conv2dOp, x, w, pads=(1, 1, 1, 1))):
        start = time.process_time()
        found = run()
        times.append(time.process_time() - start)
    assert found.dtype == np.float32
    assert times[1] < 50 * times[0]


def test_channel_ops(rng):
    x = rng.standard_normal((2, 3, 4))
    scale, bias, mean, var = (rng.random(3) + 0.1 for _ in range(4))
    expected = np.empty_like(x)
    for c in range(3):
        expected[:, c] = (x[:, c] - mean[c]) * scale[c] / math.sqrt(var[c] + 1e-3) + bias[c]
    np.testing.assert_allclose(apply(graph.BatchNormOp, x, scale, bias, mean, var, epsilon=1e-3), expected)
    np.testing.assert_allclose(apply(graph.BiasAddOp, x, bias)[:, 1], x[:, 1] + bias[1])
    last = np.arange(4.0)
    np.testing.assert_allclose(apply(graph.BiasAddOp, x, last, axis=-1)[..., 2], x[..., 2] + 2)


def test_cast_and_rounding():
    x = np.array([1e5, -1e5, np.inf, 2049.0, 1 + 2**-11, 0.1])
    np.testing.assert_array_equal(
        apply(graph.CastOp, x, to=f16), [np.inf, -np.inf, np.inf, 2048, 1, np.float16(0.1)]
    )
    np.testing.assert_array_equal(round_to(x, f16, "saturate")[:3], [65504, -65504, 65504])
    np.testing.assert_array_equal(round_to(np.array([2.7, -2.7]), i32), [2, -2])


BLOCK = """
func.func @block(%x: tensor<2x4xf16>, %w: tensor<4x3xf16>, %b: tensor<3xf16>)
    -> (tensor<2x3xf16>, tensor<2x3xf16>) {
  %0 = graph.matmul %x, %w : (tensor<2x4xf16>, tensor<4x3xf16>) -> tensor<2x3xf16>
  %1 = graph.add %0, %b : (tensor<2x3xf16>, tensor<3xf16>) -> tensor<2x3xf16>
  %2 = graph.relu %1 : (tensor<2x3xf16>) -> tensor<2x3xf16>
  func.return %2, %0 : tensor<2x3xf16>, tensor<2x3xf16>
}
"""


def inputs():
    rng = np.random.default_rng(0)
    return {"x": rng.standard_normal((2, 4)), "w": rng.standard_normal((4, 3)), "b": rng.standard_normal(3)}


def test_evaluate_a_function():
    arrays = inputs()
    x, w, b = (arrays[name].astype(np.float16).astype(np.float64) for name in "xwb")
    for given in (arrays, list(arrays.values())):
        result, product = evaluate(parse(BLOCK), given, precision="f64")
        np.testing.assert_allclose(result, np.maximum(x @ w + b, 0))
        np.testing.assert_allclose(product, x @ w)
    assert evaluate(parse(BLOCK), arrays)[0].dtype == np.float32


def test_evaluate_with_rounding():
    arrays = inputs()
    x, w, b = (arrays[name].astype(np.float16).astype(np.float32) for name in "xwb")
    result, _ = evaluate(parse(BLOCK), arrays, round_results=True)
    product = (x @ w).astype(np.float16).astype(np.float32)
    np.testing.assert_array_equal(result, np.maximum((product + b).astype(np.float16), 0))


def test_overflow_modes():
    text = """func.func @f(%x: tensor<2xf16>) -> tensor<2xf16> {
      %0 = graph.add %x, %x : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xf16>
      func.return %0 : tensor<2xf16>
    }"""
    x = [np.array([60000.0, -1e6])]
    np.testing.assert_array_equal(evaluate(parse(text), x, round_results=True)[0], [np.inf, -np.inf])
    saturated = evaluate(parse(text), x, round_results=True, overflow="saturate")[0]
    np.testing.assert_array_equal(saturated, [65504, -65504])
    np.testing.assert_array_equal(evaluate(parse(text), x)[0], [2 * 60000, -np.inf])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"w": None}, r"@block: input 'w' is missing \(inputs: x, w, b\)"),
        ({"y": np.zeros(1)}, r"@block: there is no input 'y'"),
        ({"b": np.zeros((1, 3))}, r"input 'b' must have shape 3, got 1x3"),
    ],
)
def test_wrong_inputs(change, message):
    arrays = {name: array for name, array in (inputs() | change).items() if array is not None}
    with pytest.raises(ValueError, match=message):
        evaluate(parse(BLOCK), arrays)
    with pytest.raises(ValueError, match="@block takes 3 inputs, got 1"):
        evaluate(parse(BLOCK), [np.zeros(1)])


def test_choice_of_function():
    module = parse(BLOCK + BLOCK.replace("@block", "@other"))
    assert len(evaluate(module, inputs(), name="other")) == 2
    with pytest.raises(ValueError, match="which function: the module has @block, @other"):
        evaluate(module, inputs())
    with pytest.raises(ValueError, match="no function @third: the module has @block, @other"):
        evaluate(module, inputs(), name="third")
