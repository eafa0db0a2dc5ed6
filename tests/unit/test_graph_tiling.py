"""Tiling rules, executed on arrays: an instruction is a numpy call rounded to its storage type."""

# pyright: basic

import itertools
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import test as test_dialect
from xdsl.dialects.builtin import TensorType, f16, f32
from xdsl.ir import SSAValue

from ascend_opt.dialects import graph
from ascend_opt.dialects.graph.rules import shape_of
from ascend_opt.dialects.storage_types import numpy_dtype
from ascend_opt.dialects.tiling import Along, Iteration, Unit, Whole
from ascend_opt.runtime.reference import evaluate_op

DTYPES = {"f16": np.float16, "f32": np.float32}


class NumpyBuilder:
    """The vector instructions on arrays; counts what it ran."""

    def __init__(self) -> None:
        self.instructions = 0

    def _emit(self, function, x, *others) -> np.ndarray:
        self.instructions += 1
        for y in others:
            assert isinstance(y, float) or y.dtype == x.dtype, "operands of an instruction have one type"
        with np.errstate(all="ignore"):
            exact = function(*(np.asarray(v, x.dtype).astype(np.float64) for v in (x, *others)))
            return np.asarray(exact).astype(x.dtype)

    def add(self, x, y):
        return self._emit(np.add, x, y)

    def sub(self, x, y):
        return self._emit(np.subtract, x, y)

    def mul(self, x, y):
        return self._emit(np.multiply, x, y)

    def div(self, x, y):
        return self._emit(np.divide, x, y)

    def max(self, x, y):
        return self._emit(np.maximum, x, y)

    def min(self, x, y):
        return self._emit(np.minimum, x, y)

    def abs(self, x):
        return self._emit(np.abs, x)

    def exp(self, x):
        return self._emit(np.exp, x)

    def ln(self, x):
        return self._emit(np.log, x)

    def sqrt(self, x):
        return self._emit(np.sqrt, x)

    def rsqrt(self, x):
        return self._emit(lambda v: 1 / np.sqrt(v), x)

    def reciprocal(self, x):
        return self._emit(lambda v: 1 / v, x)

    def relu(self, x):
        return self._emit(lambda v: np.maximum(v, 0), x)

    def leaky_relu(self, x, alpha):
        return self._emit(lambda v: np.where(v >= 0, v, alpha * v), x)

    def cast(self, x, dtype):
        self.instructions += 1
        with np.errstate(all="ignore"):
            return x.astype(DTYPES[dtype])

    def dtype(self, x):
        return {np.dtype(np.float16): "f16", np.dtype(np.float32): "f32"}[x.dtype]


def value(array: np.ndarray, element) -> SSAValue:
    return test_dialect.TestOp(result_types=[TensorType(element, array.shape)]).results[0]


def in_iteration_space(array: np.ndarray, dimensions, rank: int) -> np.ndarray:
    """An operand as a compute function sees it: its dimensions at the places their map names."""
    shape = [1] * rank
    for dimension, size in zip(dimensions, array.shape, strict=True):
        if isinstance(dimension, Along):
            assert dimension.is_identity
            shape[dimension.dim] = size
        else:
            assert isinstance(dimension, Unit) and size == 1
    return array.reshape(shape)


def run(op: graph.GraphOp, arrays, scalars=()) -> tuple[np.ndarray, int]:
    rule: Any = op.TILING
    builder = NumpyBuilder()
    space = rule.iteration(op)
    assert space.extents == shape_of(op.results[0])
    assert space.parallel == len(space.extents)
    tiles = [
        float(array.flat[0]) if index in scalars else in_iteration_space(array, dims, space.parallel)
        for index, (array, dims) in enumerate(zip(arrays, space.operands, strict=True))
    ]
    result = rule.compute(op, builder, tiles)
    return np.broadcast_to(result, space.extents), builder.instructions


def check(op_class, arrays, element, tolerance, scalars=(), **attributes) -> int:
    stored = [np.asarray(array).astype(numpy_dtype(element)) for array in arrays]
    op = op_class(*(value(array, element) for array in stored), **attributes)
    result, instructions = run(op, stored, scalars)
    assert result.dtype == numpy_dtype(op.results[0].type.element_type)
    wide = [array.astype(np.float64) for array in stored]
    (expected,) = evaluate_op(op, wide)
    with np.errstate(all="ignore"):
        expected = expected.astype(result.dtype).astype(np.float64)
    result = result.astype(np.float64)
    finite = np.isfinite(expected)
    np.testing.assert_array_equal(result[~finite], expected[~finite])
    assert np.isfinite(result[finite]).all()
    error = np.linalg.norm(result[finite] - expected[finite])
    assert error <= tolerance * max(np.linalg.norm(expected[finite]), 1e-30)
    return instructions


GAUSSIAN = np.random.default_rng(0).standard_normal((32, 64)) * 3
INDEX = np.arange(-60.0, 60.0, 0.125).reshape(8, -1)
EXTREME = np.array([[65504.0, -65504.0, 0.0, -0.0, 1.0, -1.0, 88.0, -88.0, 104.0, -104.0, 11.1, -11.1]])
TINY = np.array([[6e-8, -6e-8, 1e-7, 6e-5, -6e-5, 1e-4, 3e-4, 1e-3, -1e-3, 5e-3, 1e-2]])
SAMPLES = {"gaussian": GAUSSIAN, "index": INDEX, "extreme": EXTREME, "tiny": TINY}
STORAGE = [(f16, 1e-3), (f32, 1e-5)]

COMPOSITE: list[tuple[type[graph.GraphOp], dict[str, Any]]] = [
    (graph.TanhOp, {}),
    (graph.ErfOp, {}),
    (graph.SigmoidOp, {}),
    (graph.SiluOp, {}),
    (graph.GeluOp, {"approximate": "none"}),
    (graph.GeluOp, {"approximate": "tanh"}),
    (graph.CeilOp, {}),
    (graph.EluOp, {"alpha": 0.7}),
    (graph.FloorOp, {}),
    (graph.HardSigmoidOp, {"alpha": 0.3, "beta": 0.4}),
    (graph.HardSwishOp, {}),
    (graph.MishOp, {}),
    (graph.RoundOp, {}),
    (graph.SoftplusOp, {}),
]
CIRCULAR: list[tuple[type[graph.GraphOp], dict[str, Any]]] = [(graph.CosOp, {}), (graph.SinOp, {})]
"""They lose digits of large f32 numbers."""
SIMPLE: list[tuple[type[graph.GraphOp], dict[str, Any]]] = [
    (graph.NegOp, {}),
    (graph.AbsOp, {}),
    (graph.ExpOp, {}),
    (graph.ReluOp, {}),
    (graph.LeakyReluOp, {"alpha": 0.1}),
    (graph.ReciprocalOp, {}),
    (graph.ClipOp, {"min": -1.0, "max": 6.0}),
    (graph.ClipOp, {"max": 6.0}),
]


@pytest.mark.parametrize(("element", "tolerance"), STORAGE, ids=["f16", "f32"])
@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize(("op", "attributes"), COMPOSITE + SIMPLE)
def test_unary_rule_agrees_with_the_reference(op, attributes, sample, element, tolerance):
    check(op, [SAMPLES[sample]], element, tolerance, **attributes)


@pytest.mark.parametrize("op", [graph.SqrtOp, graph.RsqrtOp])
@pytest.mark.parametrize(("element", "tolerance"), STORAGE, ids=["f16", "f32"])
def test_root_rule_agrees_with_the_reference(op, element, tolerance):
    for sample in SAMPLES.values():
        check(op, [np.abs(sample)], element, tolerance)


@pytest.mark.parametrize("op", [graph.EluOp, graph.ErfOp, graph.SinOp, graph.TanhOp])
@pytest.mark.parametrize(("element", "bound"), [(f16, 1.1e-3), (f32, 2e-5)], ids=["f16", "f32"])
def test_functions_through_zero_keep_their_digits_near_zero(op, element, bound):
    least = 6.2e-5 if element == f16 else 1e-30
    x = np.concatenate([np.logspace(np.log10(least), 1, 20001), -np.logspace(np.log10(least), 1, 20001)])
    stored = x.astype(numpy_dtype(element))
    op_instance = op(value(stored, element))
    result, _ = run(op_instance, [stored])
    (expected,) = evaluate_op(op_instance, [stored.astype(np.float64)])
    assert np.max(np.abs(result.astype(np.float64) / expected - 1)) < bound


@pytest.mark.parametrize(("op", "attributes"), COMPOSITE + CIRCULAR)
def test_every_f16_input_gives_its_nearest_result_nearly(op, attributes):
    """All finite f16 numbers: within 2.5 units in the last place of values above 1e-3, else 2e-4 apart."""
    stored = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    stored = stored[np.isfinite(stored)]
    instance = op(value(stored, f16), **attributes)
    result, _ = run(instance, [stored])
    (expected,) = evaluate_op(instance, [stored.astype(np.float64)])
    error = np.abs(result.astype(np.float64) - expected)
    assert np.isfinite(error).all()
    assert np.max(error / np.maximum(np.abs(expected), 0.125)) < 1.3e-3
    assert np.max(error - 2**-10 * np.abs(expected)) < 2e-4


@pytest.mark.parametrize("x", [1e10, -1e10, 1e20, -1e20, 3e38, -3e38, 1e-45, -1e-38])
@pytest.mark.parametrize(("op", "attributes"), COMPOSITE)
def test_f32_extremes_are_numbers(op, attributes, x):
    check(op, [np.array([x])], f32, 1e-5, **attributes)


INSTRUCTION_LIMITS = {
    "ceil": 14, "cos": 36, "elu": 18, "erf": 22, "floor": 14, "gelu": 13, "hard_sigmoid": 6, "hard_swish": 7,
    "mish": 10, "round": 8, "sigmoid": 6, "silu": 6, "sin": 34, "softplus": 19, "tanh": 16,
}  # fmt: skip


@pytest.mark.parametrize(("op", "attributes"), COMPOSITE + CIRCULAR)
def test_f16_functions_stay_short(op, attributes):
    limit = INSTRUCTION_LIMITS[op.short_name()]
    assert check(op, [GAUSSIAN], f16, 1e-3, **attributes) <= limit


@pytest.mark.parametrize(("op", "attributes"), [(graph.AbsOp, {}), (graph.ExpOp, {}), (graph.ReluOp, {})])
def test_simple_ops_are_one_instruction(op, attributes):
    assert check(op, [GAUSSIAN], f16, 1e-3, **attributes) == 1


BINARY = [graph.AddOp, graph.SubOp, graph.MulOp, graph.DivOp, graph.MaximumOp, graph.MinimumOp]


@pytest.mark.parametrize(
    "shapes", [((4, 6), (4, 6)), ((4, 6), (6,)), ((4, 1), (3, 1, 6)), ((), (2, 3)), ((), ())]
)
@pytest.mark.parametrize("op", BINARY)
def test_binary_rule_broadcasts(op, shapes):
    rng = np.random.default_rng(1)
    for element, tolerance in STORAGE:
        assert check(op, [rng.standard_normal(shape) for shape in shapes], element, tolerance) == 1


@pytest.mark.parametrize("number", [2.0, -0.5, 3.0, 0.0, 1000.0, 1e-4, 60000.0, 2.0**-14, 2.0**-20])
@pytest.mark.parametrize("scalar", [0, 1])
@pytest.mark.parametrize("op", BINARY)
def test_binary_rule_takes_a_number(op, scalar, number):
    """A splat constant reaches the rule as a float, on either side."""
    for element, tolerance in STORAGE:
        for sample in SAMPLES.values():
            arrays = [sample, sample]
            arrays[scalar] = np.full(sample.shape, number)
            check(op, arrays, element, tolerance, scalars=(scalar,))


def test_division_by_a_power_of_two_is_one_instruction():
    arrays = [GAUSSIAN, np.full(GAUSSIAN.shape, 8.0)]
    assert check(graph.DivOp, arrays, f16, 1e-7, scalars=(1,)) == 1


def test_two_numbers_are_refused():
    with pytest.raises(ValueError, match="constants alone"):
        check(graph.AddOp, [np.ones((2,)), np.ones((2,))], f16, 0.0, scalars=(0, 1))


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_bias_add_rule(axis):
    x = np.random.default_rng(2).standard_normal((3, 4, 5))
    bias = np.arange(x.shape[axis]) - 1.5
    check(graph.BiasAddOp, [x, bias], f16, 1e-3, axis=axis)


@pytest.mark.parametrize(("element", "tolerance"), STORAGE, ids=["f16", "f32"])
@pytest.mark.parametrize("rank", [2, 4])
def test_batch_norm_rule(rank, element, tolerance):
    rng = np.random.default_rng(3)
    x = rng.standard_normal((2, 5, 3, 4)[:rank])
    vectors = [
        rng.standard_normal(5),
        rng.standard_normal(5),
        rng.standard_normal(5),
        np.array([1e-7, 0, 1, 4, 900]),
    ]
    check(graph.BatchNormOp, [x, *vectors], element, tolerance, epsilon=1e-3)


def test_cast_rule():
    check(graph.CastOp, [EXTREME], f16, 0.0, to=f32)
    check(graph.CastOp, [GAUSSIAN], f32, 0.0, to=f16)
    assert check(graph.CastOp, [GAUSSIAN], f16, 0.0, to=f16) == 0


def brute_force(space: Iteration, arrays) -> np.ndarray:
    """The sum of products that an iteration space states, index by index."""
    result = np.zeros(space.extents[: space.parallel])
    for index in itertools.product(*map(range, space.extents)):
        result[index[: space.parallel]] += np.prod([
            array[tuple(index[d.dim] if isinstance(d, Along) else 0 for d in dims)]
            for array, dims in zip(arrays, space.operands, strict=True)
        ])  # fmt: skip
    return result


@pytest.mark.parametrize(
    ("a", "b", "attributes", "batch", "m"),
    [
        ((3, 4), (4, 2), {}, (), (0,)),
        ((4, 3), (2, 4), {"transpose_a": True, "transpose_b": True}, (), (0,)),
        ((2, 3, 4), (4, 5), {}, (), (0, 1)),
        ((2, 3, 4), (5, 4), {"transpose_b": True}, (), (0, 1)),
        ((2, 4, 3), (4, 5), {"transpose_a": True}, (0,), (1,)),
        ((2, 3, 4), (2, 4, 5), {}, (0,), (1,)),
        ((2, 1, 3, 4), (3, 4, 5), {}, (0, 1), (2,)),
        ((3, 4), (2, 4, 5), {}, (0,), (1,)),
        ((2, 3, 4), (1, 4, 5), {}, (), (0, 1)),
    ],
)
def test_matmul_rule(a, b, attributes, batch, m):
    rng = np.random.default_rng(4)
    arrays = [rng.integers(-3, 4, a).astype(float), rng.integers(-3, 4, b).astype(float)]
    op = graph.MatmulOp(*(value(array, f16) for array in arrays), **attributes)
    np.testing.assert_array_equal(brute_force(op.TILING.iteration(op), arrays), evaluate_op(op, arrays)[0])
    contraction = op.TILING.contraction(op)
    rank = len(op.result.type.get_shape())
    assert (contraction.batch, contraction.m, contraction.n, contraction.k) == (batch, m, rank - 1, rank)
    assert contraction.transpose_lhs == attributes.get("transpose_a", False)
    assert contraction.transpose_rhs == attributes.get("transpose_b", False)


@pytest.mark.parametrize(
    ("x", "w", "attributes"),
    [
        ((1, 2, 5, 4), (3, 2, 3, 2), {"pads": (1, 0, 2, 1)}),
        ((2, 2, 7, 6), (2, 2, 2, 3), {"strides": (2, 3), "dilations": (3, 2), "pads": (0, 1, 0, 1)}),
        ((1, 3, 4, 4), (2, 3, 1, 1), {"strides": (2, 1)}),
    ],
)
def test_conv2d_rule(x, w, attributes):
    rng = np.random.default_rng(5)
    arrays = [rng.integers(-3, 4, x).astype(float), rng.integers(-3, 4, w).astype(float)]
    op = graph.Conv2dOp(*(value(array, f16) for array in arrays), **attributes)
    space = op.TILING.iteration(op)
    assert space.extents == (*op.result.type.get_shape(), x[1], *w[2:])
    np.testing.assert_array_equal(brute_force_conv(space, arrays), evaluate_op(op, arrays)[0])
    contraction = op.TILING.contraction(op)
    assert (contraction.batch, contraction.m, contraction.n, contraction.k) == ((0,), (2, 3), 1, 4)
    assert contraction.window is not None
    assert contraction.window.kernel == w[2:]
    assert contraction.window.pads == tuple(attributes.get("pads", (0, 0, 0, 0)))


def brute_force_conv(space: Iteration, arrays) -> np.ndarray:
    """As `brute_force`, with halo: the image's window runs with the reduction dimensions 5 and 6."""
    image, filters = arrays
    result = np.zeros(space.extents[:4])
    _, _, rows, columns = space.operands[0]
    assert isinstance(rows, Along) and isinstance(columns, Along)
    for n, o, i, j, c, u, v in itertools.product(*map(range, space.extents)):
        y = rows.stride * i - rows.pad + rows.dilation * u
        x = columns.stride * j - columns.pad + columns.dilation * v
        if 0 <= y < image.shape[2] and 0 <= x < image.shape[3]:
            result[n, o, i, j] += image[n, c, y, x] * filters[o, c, u, v]
        else:
            assert space.fills[0] == 0.0
    return result


def test_conv2d_bias_is_not_the_cubes():
    x, w, bias = (np.zeros(shape) for shape in ((1, 2, 3, 3), (4, 2, 1, 1), (4,)))
    op = graph.Conv2dOp(value(x, f16), value(w, f16), value(bias, f16))
    assert op.TILING.iteration(op).operands[2] == (Along(1),)
    with pytest.raises(ValueError, match="graph-canonicalize"):
        op.TILING.contraction(op)


def test_view_rules():
    x = value(np.zeros((2, 3, 8)), f16)
    space = graph.ReshapeOp(x, shape=(2, 3, 4, 2)).TILING.iteration(graph.ReshapeOp(x, shape=(2, 3, 4, 2)))
    assert space.operands == ((Along(0), Along(1), Whole()),)
    flat = graph.ReshapeOp(x, shape=(-1,))
    assert flat.TILING.iteration(flat).operands == ((Whole(), Whole(), Whole()),)
    dropout = graph.DropoutOp(x)
    assert dropout.TILING.iteration(dropout).operands == ((Along(0), Along(1), Along(2)),)
