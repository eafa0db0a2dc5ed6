"""ONNX models as files that the tools read: data beside them, checks, graph text with its weights, and one message for
all that cannot be imported."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from declared_models import (
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
from ascend_opt.compiler.drivers.driver import run_tool
from ascend_opt.dialects.graph import ConstantOp
from ascend_opt.tools.ascend_run import main as ascend_run


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


def test_without_the_extra(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "m.onnx"
    onnx.save(LINEAR, path)
    monkeypatch.setitem(sys.modules, "onnx_ir", None)
    assert ascend_run([str(path)]) == 1
    wanted = "reading ONNX models needs the extra 'onnx': pip install 'ascend-opt[onnx]'"
    assert capsys.readouterr().err == f"{path}: error: {wanted}\n"


def test_options_of_models_have_no_effect_on_text(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    text = tmp_path / "f.mlir"
    text.write_text("graph @f(%x: tensor<4x8xf16>) { %y = relu(%x) return %y }")
    assert ascend_run([str(text), "--tune", "1", "--precision", "f32"]) == 0
    assert run_tool([str(text), "--weights", str(tmp_path / "w.npz")]) == 0
    shown = capsys.readouterr().err.splitlines()
    options = ("--precision", "--weights")
    assert shown == [f"note: {one} has no effect: the input is no ONNX model" for one in options]
    assert not (tmp_path / "w.npz").exists()
