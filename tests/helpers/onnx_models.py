"""Small ONNX models, and what onnxruntime makes of them."""

# pyright: basic

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import onnxruntime

FLOAT, INT64, BOOL = onnx.TensorProto.FLOAT, onnx.TensorProto.INT64, onnx.TensorProto.BOOL
KINDS = {"f": FLOAT, "i": INT64, "b": BOOL}


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
