"""ONNX models as graphs: names, types, opsets, folding; values against onnxruntime."""

from pathlib import Path

import numpy as np
import pytest
from declared_models import (
    BOOL,
    FLOAT,
    INT64,
    LINEAR,
    array,
    check,
    expected,
    graph_ops,
    helper,
    model,
    node,
    onnx,
)

import ascend_opt
from ascend_opt.compiler.api import CompileError


def test_names_and_types_are_those_of_the_model():
    program = check(LINEAR, {"x": array(3, 8)})
    assert list(program.inputs) == ["x", "fc.weight"]
    assert [str(t.element_type) for t in program.inputs.values()] == ["f32", "f16"]
    assert program.inputs["fc.weight"].weight
    assert list(program.run(x=array(3, 8)).outputs) == ["y"]
    (matmul,) = (op for op in graph_ops(program) if op.name == "graph.matmul")
    assert matmul.results[0].name_hint == "fc_MatMul_output"  # xDSL keeps numbers behind `_` for itself
    assert "/fc/MatMul" in str(matmul.location)


def test_results_that_are_equal_keep_their_names_and_types():
    nodes = [
        node("Relu", "x", "a"), node("Identity", "a", "b"), node("Relu", "x", "c"), node("Identity", "x", "d"),
        node("Transpose", "x", "t", perm=[1, 0]), node("Transpose", "x", "e", perm=[1, 0]), node("Add", "t t", "g"),
    ]  # fmt: skip
    given = model(nodes, [("x", FLOAT, [3, 8])], [(name, FLOAT, None) for name in "abcdeg"])
    x = array(3, 8)
    found = check(given, {"x": x}).run(x=x).outputs
    assert list(found) == list("abcdeg") and {one.dtype for one in found.values()} == {np.dtype(np.float32)}


def test_a_saved_program_keeps_names_and_types(tmp_path: Path):
    program, x = check(LINEAR, {"x": array(3, 8)}), array(3, 8)
    program.save(tmp_path / "p")
    loaded = ascend_opt.load(tmp_path / "p").run(x=x).outputs
    np.testing.assert_array_equal(loaded["y"], program.run(x=x).outputs["y"])
    assert loaded["y"].dtype == np.float32


def test_profiles_name_the_nodes_of_a_kernel_also_of_a_saved_program(tmp_path: Path):
    program = ascend_opt.compile(LINEAR, "ascend910b", tune=1)
    nodes = [kernel.sources for kernel in program.time().kernels]
    assert ("/fc/MatMul", "y") in nodes  # a node without a name has that of its result
    program.save(tmp_path / "p")
    assert [kernel.sources for kernel in ascend_opt.load(tmp_path / "p").time().kernels] == nodes


def test_weights_past_the_largest_number_saturate():
    given = model([node("Add", "x w", "y")], [("x", FLOAT, [3])], [("y", FLOAT, [3])],
                  weights={"w": np.array([1e5, -3.4e38, -np.inf], np.float32)})  # fmt: skip
    weights = ascend_opt.from_onnx(given).weights["w"]
    np.testing.assert_array_equal(weights, np.array([65504, -65504, -np.inf], np.float16))


@pytest.mark.parametrize("precision", ["f16", "bf16", "f32"])
def test_precision(precision: str):
    imported = ascend_opt.from_onnx(LINEAR, precision=precision)
    program = ascend_opt.compile(imported, "ascend910b", tune=1)
    assert str(program.inputs["fc.weight"].element_type) == precision
    x = array(3, 8)
    (want,), have = expected(LINEAR, {"x": x}), program.run(x=x).outputs["y"]
    bound = {"f16": 2e-3, "bf16": 2e-2, "f32": 1e-6}[precision]
    assert np.linalg.norm(have - want) <= bound * np.linalg.norm(want)


def test_precision_of_one_node():
    program = ascend_opt.compile(LINEAR, "ascend910b", tune=1, precision_of={"/fc/MatMul": "f32"})
    kinds = {op.name: str(op.results[0].type) for op in graph_ops(program) if op.results}
    assert kinds["graph.matmul"] == "tensor<3x4xf32>" and kinds["graph.relu"] == "tensor<3x4xf16>"


def test_shapes_are_folded():
    """As exporters write `x.view(x.size(0), -1)`."""
    nodes = [
        node("Shape", "x", "s"), node("Gather", "s zero", "b", axis=0), node("Unsqueeze", "b axis", "b1"),
        node("Concat", "b1 rest", "shape", axis=0), node("Reshape", "x shape", "y"),
    ]  # fmt: skip
    weights = {"zero": np.array(0), "axis": np.array([0]), "rest": np.array([-1])}
    given = model(nodes, [("x", FLOAT, [2, 3, 4])], [("y", FLOAT, None)], weights=weights)
    program = check(given, {"x": array(2, 3, 4)})
    assert {op.name for op in graph_ops(program)} <= {"graph.cast", "graph.reshape"}


OLD = {
    "Unsqueeze": ({"axes": [1]}, [3, 4], 11),
    "Squeeze": ({"axes": [1]}, [3, 1, 4], 11),
    "ReduceSum": ({"axes": [1], "keepdims": 0}, [3, 4], 11),
    "ReduceMean": ({"axes": [-1], "keepdims": 1}, [3, 4], 13),
    "Clip": ({"min": -0.5, "max": 0.5}, [3, 4], 9),
    "Slice": ({"starts": [1], "ends": [2**31 - 1], "axes": [1]}, [3, 4], 9),
    "Pad": ({"pads": [0, 1, 0, 2], "value": 2.0}, [3, 4], 9),
    "Softmax": ({"axis": 1}, [2, 3, 4], 11),
    "Upsample": ({"scales": [1.0, 1.0, 2.0, 2.0], "mode": "nearest"}, [1, 2, 3, 4], 7),
    "Split": ({"axis": 1, "split": [1, 3]}, [3, 4], 11),
}


@pytest.mark.parametrize("kind", OLD)
def test_older_opsets(kind: str):
    attributes, shape, opset = OLD[kind]
    outputs = "y z" if kind == "Split" else "y"
    results = [(name, FLOAT, None) for name in outputs.split()]
    given = model([node(kind, "x", outputs, **attributes)], [("x", FLOAT, shape)], results, opset=opset)
    check(given, {"x": array(*shape)})


def test_a_function_is_inlined_and_a_constant_branch_taken():
    double = helper.make_function(
        "own", "Double", ["a"], ["b"], [node("Add", "a a", "b")], [helper.make_opsetid("", 20)]
    )
    branches = {
        name: helper.make_graph(
            [node(kind, "d", "r")], name, [], [helper.make_tensor_value_info("r", FLOAT, None)]
        )
        for name, kind in (("then_branch", "Relu"), ("else_branch", "Neg"))
    }
    nodes = [helper.make_node("Double", ["x"], ["d"], domain="own"), node("If", "c", "y", **branches)]
    for flag in (True, False):
        given = model(
            nodes, [("x", FLOAT, [5])], [("y", FLOAT, [5])],
            weights={"c": np.array(flag)}, functions=[double], domains=[helper.make_opsetid("own", 1)],
        )  # fmt: skip
        check(given, {"x": array(5)})


def test_an_op_that_the_chip_lacks_names_its_node():
    with pytest.raises(CompileError, match=r"#/fc/MatMul:1:1: error: graph.matmul: the Cube of ascend910"):
        ascend_opt.compile(LINEAR, "ascend910", precision="f32")


def test_whole_numbers_and_masks_keep_their_types():
    nodes = [
        node("Gather", "table ids", "r", axis=0),
        node("Greater", "r zero", "m"),
        node("ArgMax", "r", "a", axis=1, keepdims=0),
    ]
    given = model(
        nodes, [("ids", INT64, [5])], [("m", BOOL, [5, 7]), ("a", INT64, [5])],
        weights={"table": array(9, 7), "zero": np.float32(0)},
    )  # fmt: skip
    check(given, {"ids": np.array([3, 0, 8, 8, 1])})


def test_the_model_is_not_changed():
    before = LINEAR.SerializeToString()
    ascend_opt.from_onnx(LINEAR)
    assert LINEAR.SerializeToString() == before


def test_a_large_repeated_tensor_is_made_by_the_program():
    nodes = [node("Expand", "k shape", "e"), node("Add", "x e", "y")]
    weights = {"k": array(1, 64), "shape": np.array([80000, 64])}
    given = model(nodes, [("x", FLOAT, [80000, 64])], [("y", FLOAT, [80000, 64])], weights=weights)
    imported = ascend_opt.from_onnx(given)
    assert [a.shape for a in imported.weights.values()] == [(1, 64)]


def test_a_precision_that_there_is_not():
    with pytest.raises(ValueError, match="precision is one of f16, bf16, f32, not 'f8'"):
        ascend_opt.compile(LINEAR, precision="f8")


def test_a_constant_for_an_input_that_there_is_not():
    with pytest.raises(CompileError, match="the model has no input 'nosuch'"):
        ascend_opt.from_onnx(LINEAR, constants={"nosuch": [1]})


def test_a_mask_that_masks_nothing_is_gone():
    """One number throughout is a constant of the program, and 0 that is added computes nothing."""
    given = model(
        [node("Add", "x m", "s"), node("Softmax", "s", "y")], [("x", FLOAT, [2, 3, 9])], [("y", FLOAT, [2, 3, 9])],
        weights={"m": np.zeros((1, 3, 9), np.float32)},
    )  # fmt: skip
    program = check(given, {"x": array(2, 3, 9)})
    assert list(program.inputs) == ["x"]
    assert len(program.time().kernels) == 1


def test_a_model_of_bf16_stays_bf16():
    given = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["": 20]>
      g (bfloat16[3, 8] x, bfloat16[8, 4] w) => (bfloat16[3, 4] y) { y = MatMul(x, w) }""")
    program = ascend_opt.compile(given, "ascend910b", tune=1)
    assert {str(t.element_type) for t in program.inputs.values()} == {"bf16"}
    assert program.time().kernels


def test_the_backend_compiles_anew_where_a_shape_changes():
    """A shape that is an input is taken from the run."""
    prepare = pytest.importorskip("ascend_opt.onnx_backend").prepare
    given = model(
        [node("Reshape", "x shape", "y")], [("x", FLOAT, [2, 6]), ("shape", INT64, [2])], [("y", FLOAT, None)]
    )
    x, prepared = array(2, 6).round(1), prepare(given, "ascend910b")
    for shape in ([3, 4], [4, 3], [12, 1]):
        (found,) = prepared.run([x, np.array(shape)])
        np.testing.assert_allclose(found, x.reshape(shape), rtol=1e-3)
    (found,) = prepared.run({"x": 2 * x, "shape": np.array([12, 1])})
    np.testing.assert_allclose(found, 2 * x.reshape(12, 1), rtol=1e-3)
