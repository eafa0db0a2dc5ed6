"""ONNX models of declared inputs and results, compiled and compared with onnxruntime. Tests that import it are left out
where the packages are not installed."""

from typing import Any

import numpy as np
import pytest
from xdsl.ir import Operation

import ascend_opt
from ascend_opt.compiler.api import Program

onnx: Any = pytest.importorskip("onnx")
pytest.importorskip("onnx_ir")
runtime: Any = pytest.importorskip("onnxruntime")

helper, FLOAT, INT64, BOOL = (
    onnx.helper,
    onnx.TensorProto.FLOAT,
    onnx.TensorProto.INT64,
    onnx.TensorProto.BOOL,
)
RNG = np.random.default_rng(0)


def array(*shape: int) -> np.ndarray[Any, Any]:
    """Normal numbers in f32, others each time."""
    return RNG.standard_normal(shape).astype(np.float32)


def model(nodes: list[Any], inputs: list[Any], outputs: list[Any], opset: int = 20, **more: Any) -> Any:
    """A model; inputs and outputs are (name, type, shape), initializers arrays by name."""
    weights = [onnx.numpy_helper.from_array(np.asarray(v), k) for k, v in more.pop("weights", {}).items()]
    info = helper.make_tensor_value_info
    graph = helper.make_graph(nodes, "net", [info(*i) for i in inputs], [info(*o) for o in outputs], weights)
    domains = [helper.make_opsetid("", opset), *more.pop("domains", ())]
    return helper.make_model(graph, opset_imports=domains, ir_version=10, **more)


def graph_ops(program: Program) -> list[Operation]:
    """The ops of the graph that a program was compiled from."""
    assert program.graph_module is not None
    return [op for op in program.graph_module.walk() if op.name.startswith("graph.")]


def node(kind: str, inputs: str, outputs: str, **attributes: Any) -> Any:
    """A node; names are separated by blanks."""
    return helper.make_node(kind, inputs.split(), outputs.split(), **attributes)


def expected(given: Any, inputs: dict[str, Any]) -> list[Any]:
    """onnxruntime's results."""
    options = runtime.SessionOptions()
    options.log_severity_level = 4
    session = runtime.InferenceSession(given.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, inputs)


def check(given: Any, inputs: dict[str, Any], target: str = "ascend910b", **options: Any) -> Program:
    """Compile and run; every result is within 3e-3 of onnxruntime's (relative L2), and of its type."""
    program = ascend_opt.compile(given, target, tune=1, **options)
    found = program.run(inputs).outputs
    for (name, have), want in zip(found.items(), expected(given, inputs), strict=True):
        assert have.dtype == want.dtype, name
        assert np.linalg.norm(have.astype("f8") - want) <= 3e-3 * np.linalg.norm(want), name
    return program


LINEAR = model(
    [
        node("MatMul", "x fc.weight", "/fc/MatMul_output_0", name="/fc/MatMul"),
        node("Relu", "/fc/MatMul_output_0", "y"),
    ],
    [("x", FLOAT, [3, 8])],
    [("y", FLOAT, [3, 4])],
    weights={"fc.weight": array(8, 4)},
)
