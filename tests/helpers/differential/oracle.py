"""What an op gives, by onnxruntime or, where ONNX has no such op or option, by its definition in numpy.

    evaluated("matmul", {"transpose_b": True}, [[a, b], [a2, b2]])    the results for two sets of operands

Floating-point numbers are f32 throughout, whatever the storage type: the caller rounds. Nothing here comes from the
project under test.
"""

# pyright: basic

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from differential.definitions import BY_DEFINITION, OF_I32
from differential.op_classes import MOVES

Arrays = Sequence[np.ndarray]
Attributes = dict[str, Any]
OPSET, IR_VERSION = 23, 10


class Builder:
    """The nodes of an ONNX graph; `shapes` are those of the op's operands, `dtypes` what numbers beside them are."""

    def __init__(self, operands: Arrays):
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[TensorProto] = []
        self.shapes = [o.shape for o in operands]
        self.dtypes = [np.int32 if o.dtype == np.int32 else np.float32 for o in operands]

    def node(self, kind: str, *inputs: str, outputs: int = 1, **attributes: Any) -> Any:
        made = [f"n{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), made, **attributes))
        return made[0] if outputs == 1 else made

    def constant(self, value: Any, dtype: Any = np.int64) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(value, dtype), name))
        return name

    def wide(self, index: str) -> str:
        return self.node("Cast", index, to=TensorProto.INT64)


def _options() -> onnxruntime.SessionOptions:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    return options


OPTIONS = _options()
IMAGES_ONLY = ("depth_to_space", "space_to_depth")
"""Moves that onnxruntime does not do of whole numbers: f64 holds them all."""


def evaluated(op: str, attributes: Attributes, sets: Sequence[Arrays]) -> list[list[np.ndarray]]:
    """The results of an op for each set of operands. Raises ValueError where the operands do not fit."""
    whole = OF_I32.get(op) if sets[0][0].dtype == np.int32 else None
    if function := whole or BY_DEFINITION.get(op):
        with np.errstate(all="ignore"):
            return [[np.asarray(y) for y in function(attributes, *one)] for one in sets]
    masks = op in MOVES and sets[0][0].dtype == np.bool_
    if masks:  # not every op of ONNX takes them
        sets = [[x.astype(np.float32) if x.dtype == np.bool_ else x for x in one] for one in sets]
    whole_numbers = op in IMAGES_ONLY and np.issubdtype(sets[0][0].dtype, np.integer)
    before = sets[0][0].dtype
    if whole_numbers:
        sets = [[x.astype(np.float64) for x in one] for one in sets]
    builder = Builder(sets[0])
    names = [f"i{k}" for k in range(len(sets[0]))]
    made = BY_ONNX[op](builder, attributes, *names)
    outputs = made if isinstance(made, list) else [made]
    inputs = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
        for name, array in zip(names, sets[0], strict=True)
    ]
    results = [onnx.ValueInfoProto(name=name) for name in outputs]
    graph = helper.make_graph(builder.nodes, "op", inputs, results, builder.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    try:
        session = onnxruntime.InferenceSession(
            model.SerializeToString(), OPTIONS, providers=["CPUExecutionProvider"]
        )
        found = [session.run(outputs, dict(zip(names, one, strict=True))) for one in sets]
    except Exception as error:  # onnxruntime's errors have no common base of their own
        raise ValueError(f"{op}: {error}") from error
    if whole_numbers:
        return [[np.asarray(y).astype(before) for y in one] for one in found]
    return [[np.asarray(y) != 0 if masks else _narrowed(np.asarray(y)) for y in one] for one in found]


def _narrowed(array: np.ndarray) -> np.ndarray:
    return array.astype(np.int32) if array.dtype == np.int64 else array


Translation = Callable[..., Any]


def _plain(kind: str, *names: str, **fixed: Any) -> Translation:
    """One node that takes the op's operands, and those attributes under the same names."""

    def translated(b: Builder, a: Attributes, *x: str) -> str:
        return b.node(kind, *x, **{name: a[name] for name in names if name in a}, **fixed)

    return translated


def _reduced(kind: str) -> Translation:
    def translated(b: Builder, a: Attributes, x: str) -> str:
        axes = a.get("axes") or range(len(b.shapes[0]))
        if not b.shapes[0]:
            return b.node("Identity", x)
        return b.node(kind, x, b.constant(list(axes)), keepdims=int(a.get("keep_dims", False)))

    return translated


def _compared(b: Builder, a: Attributes, x: str, y: str) -> str:
    kinds = {"lt": "Less", "le": "LessOrEqual", "gt": "Greater", "ge": "GreaterOrEqual"}
    if a["direction"] in kinds:
        return b.node(kinds[a["direction"]], x, y)
    equal = b.node("Equal", x, y)
    return equal if a["direction"] == "eq" else b.node("Not", equal)


def _kept(b: Builder, a: Attributes, x: str, p: str, q: str) -> str:
    return b.node("Where", _compared(b, a, p, q), x, b.constant(a["value"], np.float32))


def _clipped(b: Builder, a: Attributes, x: str) -> str:
    bounds = ["" if a.get(k) is None else b.constant(a[k], b.dtypes[0]) for k in ("min", "max")]
    return b.node("Clip", x, *bounds)


def _multiplied(b: Builder, a: Attributes, x: str, y: str) -> str:
    operands: list[str] = []
    for name, shape, flag in ((x, b.shapes[0], "transpose_a"), (y, b.shapes[1], "transpose_b")):
        perm = list(range(len(shape)))
        turned = [*perm[:-2], perm[-1], perm[-2]]
        operands.append(b.node("Transpose", name, perm=turned) if a.get(flag) else name)
    if a.get("part"):
        return _multiplied_in_parts(b, a, *operands)
    return b.node("MatMul", *operands)


def _multiplied_in_parts(b: Builder, a: Attributes, x: str, y: str) -> str:
    depth = b.shapes[0][-2 if a.get("transpose_a") else -1]
    sums: list[str] = []
    for start in range(0, depth, a["part"]):
        bounds = b.constant([start]), b.constant([min(start + a["part"], depth)])
        cut = (b.node("Slice", name, *bounds, b.constant([axis])) for name, axis in ((x, -1), (y, -2)))
        sums.append(b.node("Unsqueeze", b.node("MatMul", *cut), b.constant([0])))
    return b.node("Concat", *sums, axis=0)


def _convolved(kind: str) -> Translation:
    def translated(b: Builder, a: Attributes, *x: str) -> str:
        more = {"output_padding": a["output_pads"]} if "output_pads" in a else {}
        names = ("strides", "pads", "dilations")
        return b.node(kind, *x, group=a.get("groups", 1), **{n: a[n] for n in names if n in a}, **more)

    return translated


def _biased(b: Builder, a: Attributes, x: str, bias: str) -> str:
    rank = len(b.shapes[0])
    sizes = [1] * rank
    sizes[a.get("axis", 1)] = -1
    return b.node("Add", x, b.node("Reshape", bias, b.constant(sizes)))


def _sliced(b: Builder, a: Attributes, x: str) -> str:
    axes = a.get("axes") or range(len(a["starts"]))
    steps = a.get("steps") or [1] * len(a["starts"])
    return b.node("Slice", x, *(b.constant(list(v)) for v in (a["starts"], a["ends"], axes, steps)))


def _resized(b: Builder, a: Attributes, x: str) -> str:
    mode = {"bilinear": "linear"}.get(a.get("mode", "nearest"), a.get("mode", "nearest"))
    if "sizes" in a:
        wanted = ["", b.constant([*b.shapes[0][:2], *a["sizes"]])]
    else:
        wanted = [b.constant([1, 1, *a["scales"]], np.float32)]
    return b.node(
        "Resize", x, "", *wanted, mode=mode,
        coordinate_transformation_mode=a.get("coordinates", "half_pixel"),
        nearest_mode=a.get("rounding", "round_prefer_floor"),
        antialias=int(a.get("antialias", False)), exclude_outside=int(a.get("exclude_outside", False)),
    )  # fmt: skip


def _best(b: Builder, a: Attributes, x: str) -> list[str]:
    k = b.constant([a["k"]])
    return b.node("TopK", x, k, outputs=2, axis=a.get("axis", -1), largest=int(a.get("largest", True)))


def _hot(b: Builder, a: Attributes, x: str) -> str:
    values = b.constant([a.get("off", 0.0), a.get("on", 1.0)], np.float32)
    return b.node("OneHot", b.wide(x), b.constant(a["depth"]), values, axis=a.get("axis", -1))


def _bag(b: Builder, a: Attributes, table: str, indices: str, *bags: str) -> str:
    mode = a.get("mode", "sum")
    rows = b.node("Gather", table, indices)
    if bags:
        return _bag_between(b, mode, bool(a.get("include_last_offset")), rows, *bags)
    axis = b.constant([len(b.shapes[1]) - 1])
    return b.node(
        {"sum": "ReduceSum", "mean": "ReduceMean", "max": "ReduceMax"}[mode], rows, axis, keepdims=0
    )


def _bag_between(b: Builder, mode: str, last: bool, rows: str, offsets: str, weights: str = "") -> str:
    """Of all rows those at or behind an offset and before the next one."""
    items, bags = b.shapes[1][0], b.shapes[2][0] - last
    starts = b.wide(offsets)
    if not last:
        starts = b.node("Concat", starts, b.constant([items]), axis=0)
    ends = b.node("Slice", starts, b.constant([1]), b.constant([bags + 1]), b.constant([0]))
    starts = b.node("Slice", starts, b.constant([0]), b.constant([bags]), b.constant([0]))
    begin, end = (b.node("Unsqueeze", one, b.constant([1])) for one in (starts, ends))
    places = b.constant(np.arange(items))
    mine = b.node("And", b.node("GreaterOrEqual", places, begin), b.node("Less", places, end))
    if mode == "max":
        column = b.node("Unsqueeze", mine, b.constant([2]))
        most = b.node("Where", column, rows, b.constant(-np.inf, np.float32))
        most = b.node("ReduceMax", most, b.constant([1]), keepdims=0)
        return b.node("Where", b.node("Less", begin, end), most, b.constant(0.0, np.float32))
    shares = b.node("Cast", mine, to=TensorProto.FLOAT)
    total = b.node("MatMul", b.node("Mul", shares, weights) if weights else shares, rows)
    if mode == "sum":
        return total
    count = b.node("Max", b.node("Sub", end, begin), b.constant(1))
    return b.node("Div", total, b.node("Cast", count, to=TensorProto.FLOAT))


def _listed(kind: str, name: str) -> Translation:
    """A node whose second input is the list in an attribute."""
    return lambda b, a, x: b.node(kind, x, b.constant(list(a[name])))


BY_ONNX: dict[str, Translation] = {
    **{
        name: _plain(kind)
        for name, kind in {
            "abs": "Abs",
            "ceil": "Ceil",
            "cos": "Cos",
            "dropout": "Identity",
            "erf": "Erf",
            "exp": "Exp",
            "floor": "Floor",
            "hard_swish": "HardSwish",
            "is_nan": "IsNaN",
            "log": "Log",
            "logical_not": "Not",
            "mish": "Mish",
            "neg": "Neg",
            "reciprocal": "Reciprocal",
            "relu": "Relu",
            "round": "Round",
            "sigmoid": "Sigmoid",
            "sign": "Sign",
            "sin": "Sin",
            "softplus": "Softplus",
            "sqrt": "Sqrt",
            "tanh": "Tanh",
            "add": "Add",
            "sub": "Sub",
            "mul": "Mul",
            "div": "Div",
            "pow": "Pow",
            "maximum": "Max",
            "minimum": "Min",
            "logical_and": "And",
            "logical_or": "Or",
            "logical_xor": "Xor",
            "prelu": "PRelu",
            "select": "Where",
        }.items()
    },
    "elu": _plain("Elu", "alpha"),
    "leaky_relu": _plain("LeakyRelu", "alpha"),
    "hard_sigmoid": _plain("HardSigmoid", "alpha", "beta"),
    "gelu": _plain("Gelu", "approximate"),
    "softmax": _plain("Softmax", "axis"),
    "log_softmax": _plain("LogSoftmax", "axis"),
    "transpose": _plain("Transpose", "perm"),
    "concat": _plain("Concat", "axis"),
    "gather": _plain("Gather", "axis"),
    "rsqrt": lambda b, a, x: b.node("Reciprocal", b.node("Sqrt", x)),
    "silu": lambda b, a, x: b.node("Mul", x, b.node("Sigmoid", x)),
    "square": lambda b, a, x: b.node("Mul", x, x),
    "cumsum": lambda b, a, x: b.node(
        "CumSum",
        x,
        b.constant(a["axis"]),
        exclusive=int(a.get("exclusive", False)),
        reverse=int(a.get("reverse", False)),
    ),
    "reduce_max": _reduced("ReduceMax"),
    "reduce_mean": _reduced("ReduceMean"),
    "reduce_min": _reduced("ReduceMin"),
    "reduce_prod": _reduced("ReduceProd"),
    "reduce_sum": _reduced("ReduceSum"),
    "compare": _compared,
    "keep_where": _kept,
    "clip": _clipped,
    "matmul": _multiplied,
    **{f"conv{n}d": _convolved("Conv") for n in (1, 2, 3)},
    **{f"conv_transpose{n}d": _convolved("ConvTranspose") for n in (1, 2)},
    "bias_add": _biased,
    "slice": _sliced,
    "resize": _resized,
    "topk": _best,
    "one_hot": _hot,
    "embedding_bag": _bag,
    "argmax": lambda b, a, x: b.node(
        "ArgMax", x, axis=a.get("axis", -1), keepdims=int(a.get("keep_dims", False))
    ),
    "depth_to_space": lambda b, a, x: b.node(
        "DepthToSpace", x, blocksize=a["block"], mode=a.get("mode", "DCR")
    ),
    "space_to_depth": lambda b, a, x: b.node("SpaceToDepth", x, blocksize=a["block"]),
    "pad": lambda b, a, x: b.node(
        "Pad", x, b.constant(list(a["pads"])), b.constant(a.get("value", 0.0), b.dtypes[0])
    ),
    "split": lambda b, a, x: _parts(b, a, x),
    "tile": _listed("Tile", "repeats"),
}


def _parts(b: Builder, a: Attributes, x: str) -> list[str]:
    made = b.node("Split", x, b.constant(list(a["sizes"])), outputs=len(a["sizes"]), axis=a["axis"])
    return made if isinstance(made, list) else [made]


__all__ = ["BY_DEFINITION", "BY_ONNX", "evaluated"]
