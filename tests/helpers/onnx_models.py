"""Small ONNX models, and what onnxruntime makes of them."""

# pyright: basic

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import onnxruntime

FLOAT, INT64, BOOL, UINT8 = (getattr(onnx.TensorProto, name) for name in ("FLOAT", "INT64", "BOOL", "UINT8"))
KINDS = {"f": FLOAT, "i": INT64, "b": BOOL, "u": UINT8}


def node(kind: str, inputs: str, outputs: str, **attributes: Any) -> Any:
    """A node; names are separated by blanks, `-` is one that is left out."""
    names = ["" if name == "-" else name for name in inputs.split()]
    return onnx.helper.make_node(kind, names, outputs.split(), **attributes)


def model(
    nodes: Sequence[Any], inputs: dict[str, Any], outputs: Sequence[str], opset: int = 20, **weights: Any
) -> Any:
    """A model on arrays; the types of its results are found by onnxruntime."""
    info = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(
        list(nodes),
        "net",
        [info(name, KINDS[array.dtype.kind], array.shape) for name, array in inputs.items()],
        [onnx.ValueInfoProto(name=name) for name in outputs],
        [onnx.numpy_helper.from_array(np.asarray(value), name) for name, value in weights.items()],
    )
    made = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", opset)], ir_version=10)
    return onnx.shape_inference.infer_shapes(made)


def expected(given: Any, inputs: dict[str, Any], plain: bool = False) -> list[Any]:
    """onnxruntime's results; `plain`: node by node, where its products of bytes are products of floats."""
    options = onnxruntime.SessionOptions()
    if plain:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(
        given.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    return session.run(None, inputs)


def squares_past_f16() -> tuple[Any, np.ndarray[Any, Any]]:
    """A norm of rows whose squares, and their sums, are past the range of f16 while the norm is not; and its input."""
    x = np.random.default_rng(0).standard_normal((8, 64)).astype(np.float32) * 40
    w = np.random.default_rng(1).standard_normal((64, 64)).astype(np.float32)
    nodes = [
        node("MatMul", "x w", "p", name="/head/product"),
        node("Mul", "p p", "q", name="/head/square"),
        node("ReduceSum", "q", "s", name="/head/sum", keepdims=0),
        node("Sqrt", "s", "y", name="/head/root"),
    ]
    return model(nodes, {"x": x}, ["y"], w=w), x
