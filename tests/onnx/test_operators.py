"""Operators with attributes that the node suite has no case of, against onnxruntime."""

from typing import Any

import numpy as np
import onnx
import pytest
from _pytest.mark import ParameterSet

import ascend_opt
from ascend_opt.compiler.api import compile_until
from ascend_opt.dialects import ascend
from ascend_opt.dialects.ascend.memory import dtype_of
from ascend_opt.passes.fusion import weighed_rewrite

pytest.importorskip("onnx_ir")
models: Any = pytest.importorskip("onnx_models")
model, node, expected = models.model, models.node, models.expected
CHIPS = ("ascend910b", "ascend910", "ascend950")
RNG = np.random.default_rng(0)


def array(*shape: int) -> Any:
    return RNG.standard_normal(shape).astype(np.float32)


def cell(kind: str, direction: str, inputs: str, **attributes: Any) -> Any:
    """A recurrent cell of 2 steps, 2 rows, 5 inputs and 4 hidden numbers."""
    both = 2 if direction == "bidirectional" else 1
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[kind]
    weights = {
        "w": array(both, gates * 4, 5), "r": array(both, gates * 4, 4), "b": array(both, 2 * gates * 4),
        "h": array(both, 2, 4), "c": array(both, 2, 4), "p": array(both, 12),
    }  # fmt: skip
    used = {name: weights[name] for name in inputs.split()[1:] if name in weights}
    outputs = "y yh yc" if kind == "LSTM" else "y yh"
    made = node(kind, inputs, outputs, hidden_size=4, direction=direction, **attributes)
    return [made], {"x": array(2, 2, 5)}, outputs.split(), used


def single(kind: str, inputs: dict[str, Any], known: dict[str, Any] | None = None, **attributes: Any) -> Any:
    """One node with its inputs in order: those that are known when it is compiled come after the others."""
    names = " ".join([*inputs, *(known or {})])
    return [node(kind, names, "y", **attributes)], inputs, ["y"], known or {}


def ints(*numbers: int) -> Any:
    return np.array(numbers, np.int64)


PAST_F16: dict[str, dict[str, Any]] = {
    "ReduceL2": {}, "LpPool": {"kernel_shape": [2, 2]}, "LpNormalization": {}, "MeanVarianceNormalization": {},
    "LRN": {"size": 3},
}  # fmt: skip
"""Operators on numbers whose squares f16 does not hold."""
CASES: dict[str, Any] = {
    "convolution of bytes, a scale for each channel": (
        [node("DequantizeLinear", "w s", "d", axis=0), node("Conv", "x d", "y")],
        {"x": array(1, 3, 6, 6)},
        ["y"],
        {
            "w": RNG.integers(-99, 99, (4, 3, 3, 3)).astype(np.int8),
            "s": np.array([0.1, 0.2, 0.3, 0.4], np.float32),
        },
    ),
    "lstm both ways": cell("LSTM", "bidirectional", "x w r b - h c"),
    "lstm with peepholes": cell("LSTM", "forward", "x w r b - h c p"),
    "lstm backwards": cell("LSTM", "reverse", "x w r"),
    "gru": cell("GRU", "forward", "x w r b - h"),
    "gru, bias beside the reset gate": cell("GRU", "bidirectional", "x w r b - h", linear_before_reset=1),
    "gru from zeros": cell("GRU", "forward", "x w r b", linear_before_reset=1),
    "rnn": cell("RNN", "reverse", "x w r b - h", activations=["Relu"]),
    **{
        f"einsum {equation}": single(
            "Einsum", {f"x{i}": array(*s) for i, s in enumerate(shapes)}, equation=equation
        )
        for equation, shapes in {
            "bij,bjk->bik": ((2, 3, 4), (2, 4, 5)),
            "bhqd,bhkd->bhqk": ((2, 3, 4, 5), (2, 3, 6, 5)),
            "ij->ji": ((3, 4),),
            "ijk->k": ((2, 3, 4),),
            "i,j->ij": ((3,), (4,)),
            "...ij,jk->...ik": ((2, 3, 4), (4, 5)),
            "bsd,hde->bhse": ((2, 3, 4), (5, 4, 6)),
            "ab,bc,cd->ad": ((2, 3), (3, 4), (4, 5)),
        }.items()
    },
    **{
        f"pad {mode}": single("Pad", {"x": array(2, 5, 6)}, {"p": ints(0, 1, 2, 0, 2, 1)}, mode=mode)
        for mode in ("constant", "edge", "reflect", "wrap")
    },
    "pad that cuts": single("Pad", {"x": array(2, 5, 6)}, {"p": ints(0, -1, 2, 0, -1, 0)}),
    "conv 1d, same": single(
        "Conv", {"x": array(2, 3, 9)}, {"w": array(4, 3, 4)}, auto_pad="SAME_LOWER", strides=[2]
    ),
    "conv 3d": single(
        "Conv", {"x": array(1, 4, 3, 5, 6)}, {"w": array(6, 2, 2, 3, 3)}, group=2, pads=[1, 1, 0, 0, 1, 1]
    ),
    "conv transpose, shape": single(
        "ConvTranspose",
        {"x": array(1, 4, 5, 6)},
        {"w": array(4, 3, 3, 3)},
        strides=[2, 2],
        output_shape=[10, 13],
    ),
    "resize of rows": single(
        "Resize",
        {"x": array(2, 3, 8)},
        {"roi": np.zeros(0, np.float32), "s": np.array([1, 1, 2.5], np.float32)},
        mode="linear",
    ),
    "resize of the last two of three": single(
        "Resize",
        {"x": array(4, 6, 8)},
        {"roi": np.zeros(0, np.float32), "s": np.array([1, 2, 2], np.float32)},
    ),
    "resize to no more than, one factor": single(
        "Resize",
        {"x": array(1, 2, 5, 7)},
        {"roi": np.zeros(0, np.float32), "f": np.zeros(0, np.float32), "s": ints(8, 14)},
        mode="linear",
        axes=[2, 3],
        keep_aspect_ratio_policy="not_larger",
    ),
    "eye like": (
        [
            node("EyeLike", "x", "e", k=1, dtype=onnx.TensorProto.INT64),
            node("EyeLike", "x", "d", k=-1),
            node("Cast", "e", "c", to=onnx.TensorProto.FLOAT),
            node("Add", "c d", "a"),
            node("Mul", "a x", "y"),
        ],
        {"x": array(4, 5)},
        ["y"],
        {},
    ),
    "hardmax of all from an axis on": single("Hardmax", {"x": array(3, 4, 5)}),
    "hardmax of a column": single("Hardmax", {"x": array(5, 1)}, axis=0),
    "gather elements": single(
        "GatherElements", {"x": array(3, 6)}, {"i": RNG.integers(-6, 6, (3, 4))}, axis=1
    ),
    "gather nd": single("GatherND", {"x": array(3, 4, 5)}, {"i": RNG.integers(0, 3, (2, 2, 2))}),
    "gather nd, batch": single(
        "GatherND", {"x": array(2, 4, 5)}, {"i": RNG.integers(0, 4, (2, 3, 1))}, batch_dims=1
    ),
    "gather of several dimensions": single(
        "Gather", {"x": array(3, 7, 2)}, {"i": ints(6, 0, -1).reshape(3, 1)}, axis=1
    ),
    "scatter elements": single(
        "ScatterElements", {"x": array(4, 5)}, {"i": ints(1, 3, 0, 2).reshape(2, 2), "u": array(2, 2)}, axis=1
    ),
    "trilu": single("Trilu", {"x": array(2, 5, 6)}, {"k": np.array(1)}, upper=0),
    "cumsum": single("CumSum", {"x": array(4, 5)}, {"axis": np.array(1)}, exclusive=1, reverse=1),
    "slice backwards": single(
        "Slice", {"x": array(6, 7)}, {"s": ints(-1), "e": ints(-100), "a": ints(1), "t": ints(-2)}
    ),
    "log-sum-exp": single("ReduceLogSumExp", {"x": array(3, 4, 5)}, {"a": ints(0, 2)}, keepdims=0),
    "average with ceil": single(
        "AveragePool",
        {"x": array(1, 3, 7, 8)},
        kernel_shape=[3, 3],
        strides=[2, 2],
        ceil_mode=1,
        pads=[1, 1, 1, 1],
    ),
    "root of squares, windows past the padding": single(
        "LpPool",
        {"x": array(2, 3, 7, 10)},
        kernel_shape=[3, 2],
        strides=[3, 3],
        pads=[1, 0, 0, 1],
        ceil_mode=1,
    ),
    "sums of a window past the image": single(
        "LpPool", {"x": array(2, 3, 16)}, kernel_shape=[3], strides=[3], ceil_mode=1, p=1
    ),
    **{
        f"{kind} past f16": single(kind, {"x": array(2, 3, 8, 9) * np.float32(400)}, **attributes)
        for kind, attributes in PAST_F16.items()
    },
    "mean of a sum past f16": single(
        "Mean", {name: 24000 + 1000 * array(2, 3, 8) for name in ("a", "b", "c")}
    ),
    "logarithm of a sum past f16": single(
        "ReduceLogSum", {"x": np.abs(array(2, 3, 8, 9)) * np.float32(20000)}
    ),
    "logarithm of as many exponentials": single("ReduceLogSumExp", {"x": array(300, 300) / np.float32(100)}),
    "max of three dimensions": single(
        "MaxPool", {"x": array(1, 2, 5, 6, 7)}, kernel_shape=[2, 3, 2], strides=[1, 2, 2]
    ),
    "lrn": single("LRN", {"x": array(1, 7, 4, 5)}, size=5, alpha=0.5, beta=0.6, bias=1.5),
    "gemm": single(
        "Gemm",
        {"x": array(5, 4)},
        {"w": array(6, 5), "b": array(4, 1)},
        transA=1,
        transB=1,
        alpha=0.5,
        beta=2.0,
    ),
    "celu": single("Celu", {"x": array(4, 5)}, alpha=0.7),
    "group norm": single(
        "GroupNormalization", {"x": array(2, 6, 4, 3)}, {"s": array(6), "b": array(6)}, num_groups=3
    ),
}
OPSETS = {"group norm": 21, "pad wrap": 20, "hardmax of all from an axis on": 11, "hardmax of a column": 11}
LARGE = ("lstm both ways", "lstm backwards", "gru")
"""Other cells have as many gates, and other ones go as many ways."""


def one_of(name: str) -> ParameterSet:
    return pytest.param(name, marks=[pytest.mark.full] if name in LARGE else [])


@pytest.mark.sweep(3)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", [one_of(name) for name in CASES])
def test_values(name: str, chip: str):
    nodes, inputs, outputs, known = CASES[name]
    given = model(nodes, inputs, outputs, OPSETS.get(name, 20), **known)
    program = ascend_opt.compile(given, chip, tune=1)
    found = program.run(inputs).outputs
    for output, want in zip(outputs, expected(given, inputs), strict=True):
        have = found[output].astype(np.float64)
        assert have.shape == want.shape, output
        assert np.linalg.norm(have - want) <= 4e-3 * np.linalg.norm(want), output


DYNAMIC = {
    "einsum of rows": ("Einsum", (5, 3, 4), {"w": array(4, 6)}, {"equation": "nij,jk->nik"}),
    "einsum of heads": ("Einsum", (5, 3, 2, 4), {"w": array(2, 4, 6)}, {"equation": "nihd,hde->nie"}),
    "resize of rows": ("Resize", (5, 3, 4), {"s": np.array([1, 1, 2], np.float32)}, {"mode": "linear"}),
}


@pytest.mark.parametrize("name", DYNAMIC)
def test_a_batch_that_stays_dynamic(name: str):
    kind, shape, known, attributes = DYNAMIC[name]
    between = " - " if kind == "Resize" else " "
    x = array(*shape)
    given = model([node(kind, f"x{between}{next(iter(known))}", "y", **attributes)], {"x": x}, ["y"], **known)
    want = expected(given, {"x": x})[0]
    for value in (*given.graph.input, *given.graph.output):
        value.type.tensor_type.shape.dim[0].dim_param = "N"
    found = ascend_opt.compile(given, "ascend910b", precision="f32").run(x=x).outputs["y"]
    np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-5)


def test_quantised_without_a_zero_point():
    """Bytes without a sign, 0 at 0."""
    nodes = [node("QuantizeLinear", "x s", "q"), node("DequantizeLinear", "q s", "y")]
    x = np.abs(array(5, 40))
    given = model(nodes, {"x": x}, ["y"], s=np.float32(0.03125))
    found = ascend_opt.compile(given, "ascend910b", tune=1).run(x=x).outputs["y"]
    assert np.abs(found - expected(given, {"x": x})[0]).max() <= 0.03126


@pytest.mark.parametrize("opset", [10, 13, 17, 19])
def test_weights_of_bytes_in_every_opset(opset: int):
    """Filters of i8 and a bias of i32, which are known: tools that quantise write opset 13 and on. The reference of the
    onnx package has no such node before 19."""
    axis = {} if opset < 13 else {"axis": 0}
    scales = np.float32(0.01) if opset < 13 else np.array([0.01, 0.02], np.float32)
    nodes = [
        node("DequantizeLinear", "w s", "d", **axis), node("Conv", "x d", "c"),
        node("DequantizeLinear", "b t", "e"), node("Add", "c e", "y"),
    ]  # fmt: skip
    x, w = array(1, 3, 6, 6), RNG.integers(-128, 128, (2, 3, 3, 3)).astype(np.int8)
    bias = np.array([[[[300]], [[-70]]]], np.int32)
    given = model(nodes, {"x": x}, ["y"], opset=opset, w=w, s=scales, b=bias, t=np.float32(0.001))
    found = ascend_opt.compile(given, "ascend910b", precision="f32").run(x=x).outputs["y"]
    filters = w * np.reshape(scales, (-1, 1, 1, 1))
    windows = np.lib.stride_tricks.sliding_window_view(x[0], (3, 3), (1, 2))
    wanted = np.einsum("cijhw,ochw->oij", windows, filters) + bias[0] * 0.001
    np.testing.assert_allclose(found[0], wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
def test_quantised_and_back(dtype: Any):
    """Bytes with and without a sign: a step of difference where a number lies between two."""
    nodes = [
        node("QuantizeLinear", "x s z", "q"), node("DequantizeLinear", "q s z", "d"), node("Relu", "d", "y"),
    ]  # fmt: skip
    x = array(5, 40)
    given = model(nodes, {"x": x}, ["y", "q"], s=np.float32(0.03125), z=np.array(7, dtype))
    found = ascend_opt.compile(given, "ascend910b", tune=1).run(x=x).outputs
    y, q = expected(given, {"x": x})
    assert found["q"].dtype == dtype
    assert np.abs(found["q"].astype(int) - q.astype(int)).max() <= 1
    assert np.abs(found["y"] - y).max() <= 0.03126


def _quantised(kind: str) -> tuple[list[Any], dict[str, Any]]:
    """Nodes of a product of bytes and its tensors; the result has steps of 0.5."""
    rng = np.random.default_rng(0)
    zero = np.uint8(121) if kind == "without a sign" else np.int8(3)
    w = rng.integers(-127, 128, (96, 40)).astype(np.int8)
    tensors = {"sx": np.float32(0.03), "zx": zero, "sw": np.float32(0.02), "zw": np.int8(0), "w": w}
    tensors |= {"sy": np.float32(0.5), "zy": zero.dtype.type(7)}
    if kind.startswith("columns"):
        tensors |= {"sw": rng.uniform(0.01, 0.03, 40).astype(np.float32), "zw": np.zeros(40, np.int8)}
    nodes = [node("QuantizeLinear", "x sx zx", "q")]
    if "one node" in kind:
        nodes.append(node("QLinearMatMul", "q sx zx w sw zw sy zy", "p"))
    else:
        turned = "turned" in kind
        nodes += [
            node("DequantizeLinear", "q sx zx", "d"),
            node("DequantizeLinear", "w sw zw", "e", axis=1 - turned),
        ]
        if turned:
            bias = rng.integers(-900, 900, 40).astype(np.int32)
            tensors |= {"w": np.ascontiguousarray(w.T), "b": bias, "sb": np.float32(0.03) * tensors["sw"]}
            nodes += [node("DequantizeLinear", "b sb", "f", axis=0), node("Gemm", "d e f", "m", transB=1)]
        else:
            nodes.append(node("MatMul", "d e", "m"))
        nodes.append(node("QuantizeLinear", "m sy zy", "p"))
    return [*nodes, node("DequantizeLinear", "p sy zy", "y")], tensors


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    "kind",
    ["one scale", "without a sign", "columns", "turned", "columns, turned", "one node", "columns, one node"],
)
@pytest.mark.parametrize("chip", ["ascend910b", "ascend310p"])
def test_quantised_products(kind: str, chip: str, monkeypatch: pytest.MonkeyPatch):
    """Against onnxruntime: a step of difference where a number lies between two. With scales of columns the product is
    so small that whole numbers gain less than what is taken for a gain: they are taken for any."""
    if "columns" in kind or "turned" in kind:
        monkeypatch.setattr(weighed_rewrite, "CLEARLY", 1.0)
    nodes, tensors = _quantised(kind)
    x = array(256, 96)
    given = model(nodes, {"x": x}, ["y"], **tensors)
    program = ascend_opt.compile(given, chip, tune=1)
    factors = {
        dtype_of(op.lhs) for op in compile_until(program, "ascend").walk() if isinstance(op, ascend.MmadOp)
    }
    assert factors == {"i8" if chip == "ascend910b" else "f16"}
    off = np.abs(program.run(x=x).outputs["y"] - expected(given, {"x": x}, plain=True)[0]) / 0.5
    assert off.max() < 1.01 and np.mean(off > 0.5) < 0.06


def test_zero_points_that_differ():
    """Numbers of weights whose channels have different zero points are computed once."""
    tensors = {"w": np.arange(24, dtype=np.int8).reshape(6, 4), "s": np.full(4, 0.5, np.float32)}
    tensors["z"] = np.array([0, 1, 2, 3], np.int8)
    nodes = [node("DequantizeLinear", "w s z", "e", axis=1), node("MatMul", "x e", "y")]
    x = array(5, 6)
    given = model(nodes, {"x": x}, ["y"], **tensors)
    found = ascend_opt.compile(given, "ascend910b", tune=1).run(x=x).outputs["y"]
    want = expected(given, {"x": x}, plain=True)[0]
    assert np.linalg.norm(found - want) <= 4e-3 * np.linalg.norm(want)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("weight", [True, False])
@pytest.mark.parametrize("chip", CHIPS)
def test_quantised_products_with_two_zero_points(chip: str, weight: bool):
    """Bytes without a sign on both sides: sums of whole numbers are exact, so no element is a step off."""
    rng = np.random.default_rng(1)
    a, w = (rng.integers(0, 256, shape).astype(np.uint8) for shape in ((30, 50), (50, 40)))
    tensors: dict[str, Any] = {"sa": np.float32(0.0066), "za": np.uint8(113), "sw": np.float32(0.00705)}
    tensors |= {"zw": np.uint8(114), "sy": np.float32(0.0107), "zy": np.uint8(118)}
    nodes = [node("QLinearMatMul", "a sa za w sw zw sy zy", "y")]
    inputs = {"a": a} if weight else {"a": a, "w": w}
    given = model(nodes, inputs, ["y"], **tensors, **({"w": w} if weight else {}))
    sums = (a.astype(np.int64) - 113) @ (w.astype(np.int64) - 114)
    exact = sums * (float(tensors["sa"]) * float(tensors["sw"]) / float(tensors["sy"]))
    near = np.abs(exact - np.floor(exact) - 0.5) < 0.005  # between two steps: FixPipe's scale has few digits
    found = ascend_opt.compile(given, chip, tune=1).run(inputs).outputs["y"]
    want = np.clip(np.round(exact) + 118, 0, 255)
    assert np.array_equal(found[~near], want[~near]) and near.mean() < 0.02


def test_a_constant_is_a_result():
    """A node without inputs."""
    value = onnx.numpy_helper.from_array(array(3, 5), "value")
    given = model([node("Constant", "", "y", value=value)], {}, ["y"])
    found = ascend_opt.compile(given, "ascend910b", tune=1).run().outputs["y"]
    assert np.allclose(found, onnx.numpy_helper.to_array(value), rtol=1e-3, atol=1e-3)
