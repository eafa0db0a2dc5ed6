"""What reading a model leaves for later: numbers in their storage types, and packages that few models need."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import f16

import ascend_opt
from ascend_opt.compiler.onnx import import_model
from ascend_opt.compiler.onnx.stored_weights import StoredWeights

onnx: Any = pytest.importorskip("onnx")
pytest.importorskip("onnx_ir")
TENSOR, helper = onnx.TensorProto, onnx.helper
W = np.array([[1.1, -1e6, 3e-9], [0.0, np.inf, np.nan]], np.float32)
IN_F16 = np.array([[1.1, -65504, 0], [0.0, np.inf, np.nan]], np.float16)


def added(size: Any) -> Any:
    """A model that adds a weight to `x`, of which a dimension has this size."""
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        [helper.make_node("Add", ["x", "w"], ["y"])],
        "net",
        [info("x", TENSOR.FLOAT, [size, 2, 3])],
        [info("y", TENSOR.FLOAT, [size, 2, 3])],
        [onnx.numpy_helper.from_array(W, "w")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)


def test_weights_are_stored_when_they_are_asked_for() -> None:
    array = W.copy()
    late, at_once = StoredWeights(late=True), StoredWeights(late=False)
    for weights in (late, at_once):
        weights.add("w", array, f16)
        assert "w" in weights and "v" not in weights and list(weights) == ["w"] and len(weights) == 1
    array[0, 0] = 2
    assert late["w"][0, 0] == 2 and late["w"].dtype == np.float16 and late["w"] is late["w"]
    np.testing.assert_array_equal(at_once["w"], IN_F16)


def test_a_model_in_memory_may_change_after_it_was_read() -> None:
    ir: Any = pytest.importorskip("onnx_ir")
    array = W.copy()
    model = ir.from_proto(added(1))
    model.graph.initializers["w"].const_value = ir.Tensor(array, name="w")
    imported = import_model(model)
    array[:] = 0
    np.testing.assert_array_equal(imported.weights["w"], IN_F16)


def test_a_data_file_may_change_after_it_was_read(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    onnx.save(added(1), path, save_as_external_data=True, location="m.data", size_threshold=0)
    imported = import_model(path)
    data = tmp_path / "m.data"
    data.write_bytes(bytes(data.stat().st_size))
    np.testing.assert_array_equal(imported.weights["w"], IN_F16)


def test_the_weights_of_a_file_are_those_of_the_model(tmp_path: Path) -> None:
    onnx.save(added(1), tmp_path / "m.onnx")
    imported = import_model(tmp_path / "m.onnx")
    np.testing.assert_array_equal(imported.weights["w"], IN_F16)
    assert imported.notes == import_model(added(1)).notes != ()


@pytest.mark.parametrize("size", ["1", "'n'"])
def test_reading_a_model_imports_no_algebra(size: str, tmp_path: Path) -> None:
    onnx.save(added(1 if size == "1" else "n"), tmp_path / "m.onnx")
    script = (
        "import sys; from ascend_opt.compiler.onnx import import_model; import_model(sys.argv[1]); "
        "print('sympy.core' in sys.modules); import sympy; print(sympy.Integer(2) + 1)"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "m.onnx")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stdout == "False\n3\n", done


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_a_gather_of_known_numbers_is_known(axis: int) -> None:
    indices = np.array([[1, -1], [0, 1]], np.int64)
    info = helper.make_tensor_value_info
    shape = list(np.take(W, indices, axis).shape)
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["w", "i"], ["g"], axis=axis),
            helper.make_node("Add", ["x", "g"], ["y"]),
        ],
        "net",
        [info("x", TENSOR.FLOAT, shape)],
        [info("y", TENSOR.FLOAT, shape)],
        [onnx.numpy_helper.from_array(W, "w"), onnx.numpy_helper.from_array(indices, "i")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
    (weight,) = ascend_opt.from_onnx(model, precision="f32").weights.values()
    evaluator: Any = pytest.importorskip("onnx.reference")
    (wanted,) = evaluator.ReferenceEvaluator(model).run(None, {"x": np.zeros(shape, np.float32)})
    np.testing.assert_array_equal(weight, wanted)


def test_a_gather_past_the_end_is_refused() -> None:
    graph = helper.make_graph(
        [helper.make_node("Gather", ["w", "i"], ["g"]), helper.make_node("Add", ["x", "g"], ["y"])],
        "net",
        [helper.make_tensor_value_info("x", TENSOR.FLOAT, [1, 3])],
        [helper.make_tensor_value_info("y", TENSOR.FLOAT, [1, 3])],
        [onnx.numpy_helper.from_array(W, "w"), onnx.numpy_helper.from_array(np.array([2]), "i")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
    with pytest.raises(ascend_opt.CompileError, match="its value could not be computed: index 2"):
        ascend_opt.from_onnx(model)
