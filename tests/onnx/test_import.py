"""ONNX models as graphs: names, types, folding, what cannot be imported; values against onnxruntime."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.ir import Operation

import ascend_opt
from ascend_opt.compiler.api import CompileError, Program
from ascend_opt.compiler.drivers.driver import run_tool
from ascend_opt.dialects.graph import ConstantOp
from ascend_opt.tools.ascend_run import main as ascend_run

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
    return RNG.standard_normal(shape).astype(np.float32)


def model(nodes: list[Any], inputs: list[Any], outputs: list[Any], opset: int = 20, **more: Any) -> Any:
    """A model; inputs and outputs are (name, type, shape), initializers arrays by name."""
    weights = [onnx.numpy_helper.from_array(np.asarray(v), k) for k, v in more.pop("weights", {}).items()]
    info = helper.make_tensor_value_info
    graph = helper.make_graph(nodes, "net", [info(*i) for i in inputs], [info(*o) for o in outputs], weights)
    domains = [helper.make_opsetid("", opset), *more.pop("domains", ())]
    return helper.make_model(graph, opset_imports=domains, ir_version=10, **more)


def graph_ops(program: Program) -> list[Operation]:
    assert program.graph_module is not None
    return [op for op in program.graph_module.walk() if op.name.startswith("graph.")]


def node(kind: str, inputs: str, outputs: str, **attributes: Any) -> Any:
    return helper.make_node(kind, inputs.split(), outputs.split(), **attributes)


def expected(given: Any, inputs: dict[str, Any]) -> list[Any]:
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


def test_names_and_types_are_those_of_the_model():
    program = check(LINEAR, {"x": array(3, 8)})
    assert list(program.inputs) == ["x", "fc.weight"]
    assert [str(t.element_type) for t in program.inputs.values()] == ["f32", "f16"]
    assert program.inputs["fc.weight"].weight
    assert list(program.run(x=array(3, 8)).outputs) == ["y"]
    (matmul,) = (op for op in graph_ops(program) if op.name == "graph.matmul")
    assert matmul.results[0].name_hint == "fc_MatMul_output"  # xDSL keeps numbers behind `_` for itself
    assert "/fc/MatMul" in str(matmul.location)


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


def test_data_beside_the_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "m.onnx"
    copy = onnx.ModelProto.FromString(LINEAR.SerializeToString())
    onnx.save(copy, path, save_as_external_data=True, location="m.bin", size_threshold=0)
    x = array(3, 8)
    (want,) = expected(LINEAR, {"x": x})
    have = ascend_opt.compile(path, "ascend910b", tune=1).run(x=x).outputs["y"]
    assert np.linalg.norm(have - want) <= 3e-3 * np.linalg.norm(want)
    data = (tmp_path / "m.bin").read_bytes()
    (tmp_path / "m.bin").write_bytes(data[:-1])
    assert ascend_run([str(path)]) == 1
    message = capsys.readouterr().err
    assert message.startswith(f"{path}: error: the data of 'fc.") and message.endswith(
        f"end at byte {len(data):,} of '{tmp_path}/m.bin', which has {len(data) - 1:,}: it is not complete\n"
    )
    (tmp_path / "m.bin").unlink()
    assert ascend_run([str(path)]) == 1
    message = capsys.readouterr().err
    assert (
        message == f"{path}: error: the data of 'fc.weight' are in '{tmp_path}/m.bin', which is not there\n"
    )


def test_symbolic_sizes(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    given = model(
        [node("MatMul", "x w", "t"), node("Softmax", "t", "y", axis=-1)],
        [("x", FLOAT, ["batch", "seq", 8])], [("y", FLOAT, ["batch", "seq", 4])], weights={"w": array(8, 4)},
    )  # fmt: skip
    check(given, {"x": array(2, 5, 8)}, dims={"batch": 2, "seq": 5})
    check(given, {"x": array(3, 5, 8)}, dims={"seq": 5})  # a batch of any size
    path = tmp_path / "m.onnx"
    onnx.save(given, path)
    seq = "one size alone may stay dynamic, as the first dimension of inputs; set dimension 1 of input 'x' ('seq'): "
    seq += '--dim seq=N, or dims={"seq": N} in Python'
    for arguments, wanted in (
        ([], seq),
        (["--dim", "sek=4"], "the model has no symbolic dimension 'sek'; did you mean 'seq'?"),
    ):
        assert ascend_run([str(path), *arguments]) == 1
        assert capsys.readouterr().err == f"{path}: error: {wanted}\n"


def test_all_that_is_unsupported_is_listed_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    nodes = [
        node("NonZero", "x", "n", name="first"), node("Relu", "n", "unread"),
        helper.make_node("Frob", ["x"], ["z"], name="second", domain="own"), node("Relu", "x", "y"),
        helper.make_node("Rellu", ["x"], ["a"], name="third"), helper.make_node("Det", ["x"], ["b"], name="fourth"),
        helper.make_node("Qqq", ["x"], ["c"], name="fifth"),
    ]  # fmt: skip
    results = [("y", FLOAT, [3]), ("unread", INT64, None), *((name, FLOAT, None) for name in "zabc")]
    given = model(nodes, [("x", FLOAT, [3])], results, domains=[helper.make_opsetid("own", 1)])
    path = tmp_path / "m.onnx"
    onnx.save(given, path)
    assert (
        run_tool(
            [str(path), "-t", "graph-text", "-o", str(tmp_path / "out"), "--weights", str(tmp_path / "w.npz")]
        )
        == 1
    )
    assert capsys.readouterr().err == (
        f"{path}: error: 5 nodes cannot be imported:\n"
        "  first (NonZero): the shape of its result depends on the data\n"
        "  second (Frob): there is no such operator of domain own\n"
        "  third (Rellu): there is no such operator; did you mean 'Relu'?\n"
        "  fourth (Det): this operator is not supported\n"
        "  fifth (Qqq): there is no such operator\n"
    )
    assert sorted(p.name for p in tmp_path.iterdir()) == ["m.onnx"]


@pytest.mark.parametrize("data, message", [
    (b"this is text, no model", "this is no ONNX model"), (b"", "this is no ONNX model: the file is empty"),
])  # fmt: skip
def test_files_that_are_no_models(
    data: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "m.onnx"
    path.write_bytes(data)
    assert ascend_run([str(path)]) == 1
    assert capsys.readouterr().err.startswith(f"{path}: error: {message}")


def test_an_op_that_the_chip_lacks_names_its_node():
    with pytest.raises(CompileError, match=r"#/fc/MatMul:1:1: error: graph.matmul: the Cube of ascend910"):
        ascend_opt.compile(LINEAR, "ascend910", precision="f32")


def test_graph_text_with_its_weights_runs_by_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    onnx.save(LINEAR, "m.onnx")
    assert run_tool(["m.onnx", "-t", "graph-text", "-o", "m.mlir", "--weights", "m.npz"]) == 0
    assert capsys.readouterr().err == ""
    program = ascend_opt.compile("m.mlir", "ascend910b", tune=1)
    assert sum(isinstance(op, ConstantOp) for op in graph_ops(program)) == 1
    x = array(3, 8)
    (want,), (have,) = expected(LINEAR, {"x": x}), program.run(x=x).outputs.values()
    assert np.linalg.norm(have - want) <= 3e-3 * np.linalg.norm(want)


def test_checked_run_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "m.onnx"
    onnx.save(LINEAR, path)
    assert ascend_run([str(path), "--tune", "1", "--check", "--target", "ascend310p"]) == 0
    shown = capsys.readouterr().out
    assert "ok   fused y: " in shown and "(bound 3e-03)" in shown
    assert "note: y: relative L2 error against onnxruntime " in shown


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


def test_one_dynamic_size_at_most(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Dynamic dimensions are one number: two names may be two numbers."""
    given = model(
        [node("ReduceSum", "b", "s", keepdims=0), node("Add", "a s", "y")],
        [("a", FLOAT, ["rows", 4]), ("b", FLOAT, ["others", 4])], [("y", FLOAT, ["rows", 4])],
    )  # fmt: skip
    path = tmp_path / "m.onnx"
    onnx.save(given, path)
    assert ascend_run([str(path)]) == 1
    assert "set dimension 0 of input 'b' ('others'): --dim others=N, or" in capsys.readouterr().err
    check(given, {"a": array(3, 4), "b": array(5, 4)}, dims={"others": 5})


@pytest.mark.parametrize("nodes, message", [
    ([node("Relu", "z", "y")], "y (Relu) reads 'z', which nothing computes"),
    ([node("Concat", "x x", "y")], "y (Concat): concat: needs attribute 'axis'"),
    ([node("Transpose", "x", "y", perm=[0, 1, 2])], "y (Transpose): "),
    ([node("Conv", "x x", "y")], "y (Conv): "),
])  # fmt: skip
def test_malformed_nodes(nodes: list[Any], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "m.onnx"
    onnx.save(model(nodes, [("x", FLOAT, [2, 3])], [("y", FLOAT, None)]), path)
    assert ascend_run([str(path)]) == 1
    shown = capsys.readouterr().err
    assert message in shown and "internal error" not in shown and "Traceback" not in shown


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


def test_without_the_extra(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "m.onnx"
    onnx.save(LINEAR, path)
    monkeypatch.setitem(sys.modules, "onnx_ir", None)
    assert ascend_run([str(path)]) == 1
    wanted = "reading ONNX models needs the extra 'onnx': pip install 'ascend-opt[onnx]'"
    assert capsys.readouterr().err == f"{path}: error: {wanted}\n"


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


def test_options_of_models_have_no_effect_on_text(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    text = tmp_path / "f.mlir"
    text.write_text("graph @f(%x: tensor<4x8xf16>) { %y = relu(%x) return %y }")
    assert ascend_run([str(text), "--tune", "1", "--precision", "f32", "--dim", "n=3"]) == 0
    assert run_tool([str(text), "--weights", str(tmp_path / "w.npz")]) == 0
    shown = capsys.readouterr().err.splitlines()
    options = ("--precision", "--dim", "--weights")
    assert shown == [f"note: {one} has no effect: the input is no ONNX model" for one in options]
    assert not (tmp_path / "w.npz").exists()


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
