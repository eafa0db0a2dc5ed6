"""Models that make no sense, and what users leave out: one error that says what, where and how to mend it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import CompileError
from ascend_opt.compiler.driver import run_tool

onnx: Any = pytest.importorskip("onnx")
pytest.importorskip("onnx_ir")
helper, FLOAT, INT64 = (
    onnx.helper,
    *(getattr(onnx.TensorProto, t) for t in ("FLOAT", "INT64")),
)
Declared = tuple[str, Any, Any]
X: Declared = ("x", FLOAT, [4, 8])
Y: Declared = ("y", FLOAT, None)


def node(kind: str, inputs: str, outputs: str = "y", **attributes: Any) -> Any:
    names = ["" if name == "-" else name for name in inputs.split()]
    return helper.make_node(kind, names, outputs.split(), **{"name": outputs, **attributes})


def model(
    nodes: list[Any], inputs: list[Declared], outputs: list[Declared], opset: int = 17, **weights: Any
) -> Any:
    """A model; inputs and outputs are (name, type, shape)."""
    info = helper.make_tensor_value_info
    tensors = [onnx.numpy_helper.from_array(np.asarray(value), name) for name, value in weights.items()]
    graph = helper.make_graph(nodes, "net", [info(*i) for i in inputs], [info(*o) for o in outputs], tensors)
    domains = [helper.make_opsetid("", opset), helper.make_opsetid("own", 1)]
    return helper.make_model(graph, opset_imports=domains, ir_version=10)


def refused(given: Any, **options: Any) -> list[str]:
    """The lines of the error that a model is refused with, without the file's name."""
    with pytest.raises(CompileError) as raised:
        ascend_opt.from_onnx(given, **options)
    message = str(raised.value)
    assert message.startswith("<model>: error: ") and "makes no sense" not in message
    return message.removeprefix("<model>: error: ").splitlines()


KERNEL = "kernel_shape is {}, but its weights have windows of [3, 3]"
AUTO = "there is no auto_pad 'SAME': it is NOTSET, SAME_UPPER, SAME_LOWER or VALID"
MODE = "there is no mode '{}' of {}"


@pytest.mark.parametrize("made, message", [
    (node("Conv", "x w", kernel_shape=[5, 5]), KERNEL.format([5, 5])),
    (node("ConvTranspose", "x wt", kernel_shape=[2, 3]), KERNEL.format([2, 3])),
    (node("Conv", "x w", auto_pad="SAME"), AUTO),
    (node("ConvTranspose", "x wt", auto_pad="SAME"), AUTO),
    (node("MaxPool", "x", kernel_shape=[2, 2], auto_pad="SAME"), AUTO),
    (node("Pad", "x p", mode="reflects"), MODE.format("reflects", "pads: it is constant, edge, reflect or wrap")),
    (node("Resize", "x - s", mode="cube"), MODE.format("cube", "resizing: it is nearest, linear or cubic")),
])  # fmt: skip
def test_attributes_that_make_no_sense(made: Any, message: str):
    given = model(
        [made], [("x", FLOAT, [1, 3, 8, 8])], [Y], w=np.zeros((4, 3, 3, 3), np.float32),
        wt=np.zeros((3, 4, 3, 3), np.float32), p=np.array([0, 0, 2, 2] * 2), s=np.array([1, 1, 2, 2], np.float32),
    )  # fmt: skip
    assert refused(given) == ["one node cannot be imported:", f"  y ({made.op_type}): {message}"]


def test_an_opset_that_is_too_new():
    newest = onnx.defs.onnx_opset_version()
    (line,) = refused(model([node("Relu", "x")], [X], [Y], opset=99))
    assert line == f"the model is of opset 99; the newest that onnx {onnx.__version__} has is {newest}"


def test_a_value_that_is_given_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    given = model([node("Relu", "x", name="r1"), node("Abs", "x", name="r2")], [X], [Y])
    message = "the value 'y' is given twice: by r1 (Relu) and by r2 (Abs)"
    assert refused(given) == [message]
    assert refused(model([node("Relu", "x", "x", name="r1")], [X], [X])) == [
        "the value 'x' is given twice: by an input and by r1 (Relu)"
    ]
    path = tmp_path / "m.onnx"
    path.write_bytes(given.SerializeToString())
    assert run_tool([str(path)]) == 1
    assert capsys.readouterr().err == f"{path}: error: {message}\n"


def test_a_model_that_is_cut_off_and_one_of_another_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    data = model([node("Add", "x w")], [X], [Y], w=np.zeros((4, 8), np.float32)).SerializeToString()
    path, other = tmp_path / "m.onnx", tmp_path / "m.bin"
    path.write_bytes(data[:-40])
    assert run_tool([str(path)]) == 1
    assert capsys.readouterr().err.endswith(f"; the file may be cut off, it ends at byte {len(data) - 40}\n")
    other.write_bytes(data)
    assert run_tool([str(other)]) == 1
    assert "if it is an ONNX model, name it .onnx, or give ascend-opt -f onnx\n" in capsys.readouterr().err
    assert run_tool([str(other), "-f", "onnx", "-o", str(tmp_path / "out")]) == 0


@pytest.mark.parametrize("made, message", [
    (node("GatherElements", "x i"), "indices are known at run time only"),
    (node("ReverseSequence", "x n"), "the lengths are known at run time only"),
    (node("Trilu", "x k"), "k is known at run time only"),
])  # fmt: skip
def test_operands_that_must_be_known(made: Any, message: str):
    inputs: list[Declared] = [X, ("i", INT64, [4, 8]), ("n", INT64, [8]), ("k", INT64, [])]
    assert refused(model([made], inputs, [Y]))[1:] == [f"  y ({made.op_type}): {message}"]
