"""The node cases of the `onnx` package's backend suite on an emulated chip.

    python tests/helpers/onnx_node_suite.py --target ascend910b --precision f16

A case whose results are within the tolerance is right; one that cannot be imported or compiled is skipped with its
reason; anything else is a failure. The exit code is 1 where a case fails.
"""

# pyright: basic

from __future__ import annotations

import argparse
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from typing import Any
from unittest.mock import patch

import numpy as np

TOLERANCE = {"f16": 3e-3, "f32": 1e-4}
"""Relative L2 error of a result."""
OPERATORS = frozenset(
    [
        "Abs",
        "Add",
        "And",
        "Attention",
        "AveragePool",
        "BatchNormalization",
        "Cast",
        "Clip",
        "Concat",
        "Constant",
        "ConstantOfShape",
        "Conv",
        "ConvTranspose",
        "DepthToSpace",
        "Div",
        "Dropout",
        "Equal",
        "Erf",
        "Exp",
        "Expand",
        "Flatten",
        "Gather",
        "Gelu",
        "Gemm",
        "GlobalAveragePool",
        "Greater",
        "GroupNormalization",
        "HardSigmoid",
        "HardSwish",
        "Identity",
        "InstanceNormalization",
        "LRN",
        "LSTM",
        "LayerNormalization",
        "LeakyRelu",
        "Less",
        "Log",
        "MatMul",
        "Max",
        "MaxPool",
        "Min",
        "Mul",
        "Neg",
        "Not",
        "PRelu",
        "Pad",
        "Pow",
        "RMSNormalization",
        "Reciprocal",
        "ReduceMax",
        "ReduceMean",
        "ReduceSum",
        "Relu",
        "Reshape",
        "Resize",
        "RotaryEmbedding",
        "ScatterND",
        "Shape",
        "Sigmoid",
        "Slice",
        "Softmax",
        "Softplus",
        "SpaceToDepth",
        "Split",
        "Sqrt",
        "Squeeze",
        "Sub",
        "Sum",
        "Swish",
        "Tanh",
        "Transpose",
        "Unsqueeze",
        "Where",
    ]
)
OF_WHOLE_NUMBERS = frozenset(["ConstantOfShape", "Equal", "Where"])
"""Of these, cases without floats count too."""
KINDS = frozenset(("FLOAT", "FLOAT16", "INT64", "INT32", "BOOL"))
LEFT_OUT = (
    "training",
    "empty_set",
    "empty_axes",
    "zero_size",
    "allowzero",
    "cubic",
    "crop",
    "with_argmax",
    "_expanded",
    "reduce_mean_default_axes",
    "reduce_sum_default_axes",
    "greater_than_end",
)
"""Parts of names of cases that are not counted: training, tensors of no elements, modes beyond the operator set."""


@dataclass(frozen=True)
class Outcome:
    """How a case went: `right`, `skipped` or `failed`, and why."""

    case: str
    kind: str
    reason: str = ""


@cache
def cases() -> dict[str, Any]:
    """All node cases by name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from onnx.backend.test.loader import load_model_tests
        from onnx.reference.ops import op_pool_common

        with patch.object(op_pool_common, "pool", partial(_pooled, op_pool_common.pool)):
            return {case.name: case for case in load_model_tests(kind="node")}


def _pooled(
    one_by_one: Any,
    image: Any,
    shape: Any,
    kernel: Any,
    strides: Any,
    out: Any,
    kind: str,
    *rest: Any,
    **more: Any,
) -> Any:
    """What `pool` of the suite gives; all windows at once where none has padding. One by one those of three dimensions
    take longer than all other cases."""
    if rest or more.keys() - {"p"} or image.shape != tuple(shape):
        return one_by_one(image, shape, kernel, strides, out, kind, *rest, **more)
    dims = range(2, image.ndim)
    windows = np.lib.stride_tricks.sliding_window_view(image, tuple(kernel), tuple(dims))
    windows = windows[:, :, *(slice(None, None, step) for step in strides)]
    last = tuple(range(image.ndim, windows.ndim))
    if kind == "LPPOOL":
        p = more.get("p", 1)
        return (np.abs(windows) ** p).sum(last) ** (1.0 / p)
    return windows.mean(last) if kind == "AVG" else windows.max(last)


def selected() -> list[str]:
    """Single nodes of the operator set on tensors of floats, with indices or masks beside them."""
    return sorted(name for name, case in cases().items() if _is_selected(name, case.model))


def _is_selected(name: str, model: Any) -> bool:
    from onnx import TensorProto

    if len(model.graph.node) != 1 or model.graph.node[0].op_type not in OPERATORS:
        return False
    values = [*model.graph.input, *model.graph.output]
    if any(value.type.WhichOneof("value") != "tensor_type" for value in values):
        return False
    kinds = {TensorProto.DataType.Name(value.type.tensor_type.elem_type) for value in values}
    floats = (
        kinds & {"FLOAT", "FLOAT16"} or kinds == {"BOOL"} or model.graph.node[0].op_type in OF_WHOLE_NUMBERS
    )
    return kinds <= KINDS and bool(floats) and not any(part in name for part in LEFT_OUT)


def run_case(name: str, target: str, precision: str, fuse: bool = True) -> Outcome:
    """One case on a chip."""
    from onnx import TensorProto, numpy_helper

    from ascend_opt.onnx_backend import NotSupported, prepare

    case = cases()[name]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for inputs, expected in case.data_sets:
                if not all(
                    isinstance(v, np.ndarray | np.generic | TensorProto) for v in (*inputs, *expected)
                ):
                    return Outcome(name, "skipped", "sequences and optional values are no tensors")
                arrays = [_array(value, numpy_helper) for value in inputs]
                found = prepare(case.model, target, precision=precision, fuse=fuse).run(arrays)
                for k, (have, want) in enumerate(zip(found, expected, strict=True)):
                    problem = _difference(have, _array(want, numpy_helper), TOLERANCE[precision])
                    if problem and _is_lost(case.model, arrays, expected, precision):
                        return Outcome(name, "skipped", f"what is computed is no number of {precision}")
                    if problem:
                        return Outcome(name, "failed", f"output {k}: {problem}")
    except NotSupported as reason:
        return Outcome(name, "skipped", " ".join(str(reason).split()))
    except Exception as error:
        return Outcome(name, "failed", f"{type(error).__name__}: {error}")
    return Outcome(name, "right")


def _array(value: Any, numpy_helper: Any) -> Any:
    return np.asarray(value) if isinstance(value, np.ndarray | np.generic) else numpy_helper.to_array(value)


def _is_lost(model: Any, arrays: Sequence[Any], expected: Sequence[Any], precision: str) -> bool:
    """Whether the reference of the `onnx` package is as far off, with every tensor rounded to the precision, or results
    are past its largest number."""
    from onnx import numpy_helper

    if precision != "f16":
        return False
    wanted = [_array(want, numpy_helper) for want in expected]
    if any(want.dtype.kind == "f" and (np.abs(want[np.isfinite(want)]) > 65504).any() for want in wanted):
        return True
    try:
        found = _rounded_on_the_way(model, arrays)
    except Exception:  # the reference raises whatever numpy does
        return False
    return any(
        _difference(have, want, TOLERANCE[precision]) for have, want in zip(found, wanted, strict=True)
    )


def _rounded_on_the_way(model: Any, arrays: Sequence[Any]) -> list[Any]:
    """The results of a model whose tensors are all rounded to f16."""
    import onnx
    from onnx.reference import ReferenceEvaluator

    def rounded(array: Any) -> Any:
        array = np.asarray(array)
        return array.astype(np.float16).astype(array.dtype) if array.dtype.kind == "f" else array

    values = {value.name: rounded(array) for value, array in zip(model.graph.input, arrays, strict=True)}
    values |= {t.name: rounded(onnx.numpy_helper.to_array(t)) for t in model.graph.initializer}
    for node in model.graph.node:
        inputs = [onnx.ValueInfoProto(name=name) for name in dict.fromkeys(node.input) if name]
        for info in inputs:
            array = values[info.name]
            kind = onnx.helper.np_dtype_to_tensor_dtype(array.dtype)
            info.CopyFrom(onnx.helper.make_tensor_value_info(info.name, kind, array.shape))
        outputs = [onnx.ValueInfoProto(name=name) for name in node.output if name]
        graph = onnx.helper.make_graph([node], "one", inputs, outputs)
        single = onnx.helper.make_model(graph, opset_imports=model.opset_import)
        with np.errstate(all="ignore"):
            results: Any = ReferenceEvaluator(single).run(None, {i.name: values[i.name] for i in inputs})
        values |= {o.name: rounded(r) for o, r in zip(outputs, results, strict=True)}
    return [values[value.name] for value in model.graph.output]


def _difference(have: Any, want: Any, tolerance: float) -> str:
    """What is wrong with a result; nothing where it is right."""
    if have.shape != want.shape:
        return f"shape {have.shape} for {want.shape}"
    if want.dtype.kind in "iub":
        return "" if (have == want).all() else f"{(have != want).sum()} of {want.size} elements differ"
    wide, right = have.astype(np.float64), want.astype(np.float64)
    finite = np.isfinite(right)
    if (
        not (np.isnan(wide) == np.isnan(right)).all()
        or (wide[~finite & ~np.isnan(right)] != right[~finite & ~np.isnan(right)]).any()
    ):
        return "infinities or NaN elsewhere"
    if np.allclose(wide, right, rtol=1e-3, atol=1e-7, equal_nan=True):  # what the suite asks of a backend
        return ""
    tolerance = max(tolerance, {"float16": 3e-3, "bfloat16": 2e-2}.get(want.dtype.name, 0.0))
    apart, size = np.linalg.norm((wide - right)[finite]), np.linalg.norm(right[finite])
    return "" if apart <= tolerance * max(size, 1e-6) else f"relative L2 error {apart / max(size, 1e-30):.2e}"


def outcomes(names: Sequence[str], target: str, precision: str, jobs: int) -> Iterator[Outcome]:
    if jobs == 1:
        yield from (run_case(name, target, precision) for name in names)
        return
    with ProcessPoolExecutor(jobs) as pool:
        count = len(names)
        yield from pool.map(run_case, names, [target] * count, [precision] * count, chunksize=8)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--target", default="ascend910b")
    parser.add_argument("--precision", default="f16", choices=sorted(TOLERANCE))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("cases", nargs="*", help="names of cases; all that are selected without any")
    parser.add_argument("--all", action="store_true", help="every node case, the operator set or not")
    args = parser.parse_args(argv)
    names = args.cases or (sorted(cases()) if args.all else selected())
    counts: Counter[str] = Counter()
    for one in outcomes(names, args.target, args.precision, args.jobs):
        counts[one.kind] += 1
        if one.kind != "right":
            print(f"{one.kind:8}{one.case}: {one.reason}")
    listed = ", ".join(f"{counts[kind]} {kind}" for kind in ("right", "skipped", "failed"))
    print(f"{len(names)} cases on {args.target} in {args.precision}: {listed}")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
