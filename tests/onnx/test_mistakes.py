"""Models that make no sense, and what users leave out: one error that says what, where and how to mend it."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import CompileError
from ascend_opt.compiler.drivers.driver import run_tool

onnx: Any = pytest.importorskip("onnx")
pytest.importorskip("onnx_ir")
helper, FLOAT, INT32, INT64 = (
    onnx.helper,
    *(getattr(onnx.TensorProto, t) for t in ("FLOAT", "INT32", "INT64")),
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


DECLARED = "it gives {}, but output 'y' is declared {}"


@pytest.mark.parametrize("nodes, output, message", [
    ([node("Relu", "x")], ("y", INT32, [4, 8]), DECLARED.format("float", "int32")),
    ([node("Cast", "x", to=INT64)], ("y", INT32, None), DECLARED.format("int64", "int32")),
    ([node("Abs", "x", "t"), node("Less", "t x")], ("y", FLOAT, None), DECLARED.format("bool", "float")),
    ([node("Shape", "x")], ("y", FLOAT, None), DECLARED.format("int64", "float")),
    ([node("Identity", "x")], ("y", INT64, None), DECLARED.format("float", "int64")),
])  # fmt: skip
def test_a_result_of_another_type_than_declared(nodes: list[Any], output: Declared, message: str):
    lines = refused(model(nodes, [X], [output]))
    assert lines == ["one node cannot be imported:", f"  y ({nodes[-1].op_type}): {message}"]


def test_types_of_results_that_the_inputs_state_are_right():
    """Quantised bytes, positions and casts alike have the type of an input, an attribute or the schema."""
    nodes = [
        node("QuantizeLinear", "x s z", "q"), node("CastLike", "x like", "c"), node("ArgMax", "x", "a"),
        node("Where", "m x x", "w"), node("DequantizeLinear", "q s z", "d"),
    ]  # fmt: skip
    outputs: list[Declared] = [
        ("q", onnx.TensorProto.UINT8, None), ("c", INT32, None), ("a", INT64, None), ("w", FLOAT, None),
        ("d", FLOAT, None),
    ]  # fmt: skip
    weights: dict[str, Any] = {
        "s": np.float32(1),
        "z": np.uint8(3),
        "like": np.int32(0),
        "m": np.ones((4, 8), np.bool_),
    }
    imported = ascend_opt.from_onnx(model(nodes, [X], outputs, **weights))
    assert [kind for _, kind in imported.results] == ["uint8", "int32", "int64", "float32", "float32"]


KERNEL = "kernel_shape is {}, but its weights have windows of [3, 3]"
AUTO = "there is no auto_pad 'SAME': it is NOTSET, SAME_UPPER, SAME_LOWER or VALID"
ATTRIBUTE = "it has no attribute '{}' in opset 17; {}"
MODE = "there is no mode '{}' of {}"


@pytest.mark.parametrize("made, message", [
    (node("Conv", "x w", kernel_shape=[5, 5]), KERNEL.format([5, 5])),
    (node("ConvTranspose", "x wt", kernel_shape=[2, 3]), KERNEL.format([2, 3])),
    (node("Conv", "x w", auto_pad="SAME"), AUTO),
    (node("ConvTranspose", "x wt", auto_pad="SAME"), AUTO),
    (node("MaxPool", "x", kernel_shape=[2, 2], auto_pad="SAME"), AUTO),
    (node("Relu", "x", alpha=5.0), ATTRIBUTE.format("alpha", "it takes none")),
    (node("LeakyRelu", "x", alpa=5.0), ATTRIBUTE.format("alpa", "did you mean 'alpha'?")),
    (node("ReduceSum", "x", axes=[1]), ATTRIBUTE.format("axes", "it takes keepdims or noop_with_empty_axes")),
    (node("LeakyRelu", "x", alpha="hi"), "attribute 'alpha' is of type string, not float"),
    (node("Pad", "x p", mode="reflects"), MODE.format("reflects", "pads: it is constant, edge, reflect or wrap")),
    (node("Resize", "x - s", mode="cube"), MODE.format("cube", "resizing: it is nearest, linear or cubic")),
])  # fmt: skip
def test_attributes_that_make_no_sense(made: Any, message: str):
    given = model(
        [made], [("x", FLOAT, [1, 3, 8, 8])], [Y], w=np.zeros((4, 3, 3, 3), np.float32),
        wt=np.zeros((3, 4, 3, 3), np.float32), p=np.array([0, 0, 2, 2] * 2), s=np.array([1, 1, 2, 2], np.float32),
    )  # fmt: skip
    assert refused(given) == ["one node cannot be imported:", f"  y ({made.op_type}): {message}"]


def test_attributes_of_other_domains_are_not_checked():
    double = helper.make_function("own", "Double", ["a"], ["b"], [node("Add", "a a", "b")],
                                  [helper.make_opsetid("", 17)])  # fmt: skip
    given = model([node("Double", "x", domain="own", note="hi")], [X], [Y])
    given.functions.append(double)
    assert ascend_opt.from_onnx(given).inputs == ("x",)


def test_an_opset_that_is_too_new():
    newest = onnx.defs.onnx_opset_version()
    (line,) = refused(model([node("Relu", "x")], [X], [Y], opset=99))
    assert line == f"the model is of opset 99; the newest that onnx {onnx.__version__} has is {newest}"


def test_operators_behind_a_node_that_fails_are_listed():
    nodes = [
        node("NonZero", "x", "first"), node("Frob", "first", "second", domain="own"),
        node("Relu", "second", "t"), node("Rellu", "t", "third"), node("Det", "third", "fourth"),
        node("Selu", "fourth", "wrong", beta=1.0), node("Add", "wrong x"),
    ]  # fmt: skip
    assert refused(model(nodes, [X], [Y])) == [
        "5 nodes cannot be imported:",
        "  first (NonZero): the shape of its result depends on the data",
        "  second (Frob): there is no such operator of domain own",
        "  third (Rellu): there is no such operator; did you mean 'Relu'?",
        "  fourth (Det): this operator is not supported",
        "  wrong (Selu): it has no attribute 'beta' in opset 17; it takes alpha or gamma",
    ]


def test_what_would_be_folded_is_no_operator_that_is_not_supported():
    """Positions of a size that is not set are computed when the model is read once it is."""
    nodes = [
        node("Shape", "x", "s"), node("ConstantOfShape", "s", "ones", value=helper.make_tensor("v", INT64, [1], [1])),
        node("NonZero", "ones", "n"), node("Cast", "n", to=FLOAT),
    ]  # fmt: skip
    given = model(nodes, [("x", FLOAT, ["batch", 3])], [Y])
    first, *rest = refused(given)
    assert first == "one node cannot be imported:" and len(rest) == 1 and rest[0].startswith("  s (Shape): ")
    assert ascend_opt.from_onnx(given, dims={"batch": 2}).inputs == ("x",)


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


def hint(what: str, *keys: str) -> str:
    options = " ".join(f"--dim {key}=N" for key in keys)
    entries = ", ".join(f'"{key}": N' for key in keys)
    return f"; set {what}: {options}, or dims={{{entries}}} in Python"


TURNED = (
    "transpose: dimension 1 of result 0 would be ?; only the first dimension of a tensor may be dynamic, "
    "and it is ? itself"
)
BATCH = hint("dimension 0 of input 'x' ('batch')", "batch")


@pytest.mark.parametrize("made, reason", [
    (node("Shape", "x"), "it asks for the size of a dynamic dimension"),
    (node("Size", "x"), "it asks for the size of a dynamic dimension"),
    (node("Reshape", "x s"), TURNED.replace("transpose", "reshape")),
    (node("Transpose", "x", perm=[1, 0, 2]), TURNED),
])  # fmt: skip
def test_errors_of_a_dynamic_size_say_how_to_set_it(made: Any, reason: str):
    kind = INT64 if made.op_type in ("Shape", "Size") else FLOAT
    given = model([made], [("x", FLOAT, ["batch", 4, 6])], [("y", kind, None)], s=np.array([4, -1, 6]))
    assert refused(given)[1:] == [f"  y ({made.op_type}): {reason}{BATCH}"]
    assert ascend_opt.from_onnx(given, dims={"batch": 2}).inputs == ("x",)


def test_errors_of_something_else_do_not_speak_of_the_size():
    given = model([node("MatMul", "x w")], [("x", FLOAT, ["batch", 4])], [Y], w=np.zeros((5, 3), np.float32))
    assert "--dim" not in "".join(refused(given))


def test_all_sizes_that_must_be_set_are_told_at_once():
    inputs: list[Declared] = [("x", FLOAT, ["batch", "seq", None]), ("z", FLOAT, ["other", 4, "seq"])]
    given = model([node("Relu", "x"), node("Relu", "z", "v")], inputs, [Y, ("v", FLOAT, None)])
    (line,) = refused(given)
    assert line == "one size alone may stay dynamic, as the first dimension of inputs" + hint(
        "dimension 1 of input 'x' ('seq'), dimension 2 of input 'x' and dimension 0 of input 'z' ('other')",
        "seq", "x:2", "other",
    )  # fmt: skip
    imported = ascend_opt.from_onnx(given, dims={"seq": 3, "x:2": 5, "other": 2})
    assert "tensor<?x3x5xf32>" in str(imported.module) and "tensor<2x4x3xf32>" in str(imported.module)


def unnamed() -> Any:
    """As `x.view(x.size(0), -1)` is exported, of a batch without a name."""
    nodes = [node("Shape", "x", "s"), node("Gather", "s zero", "b"), node("Concat", "b rest", "to", axis=0),
             node("Reshape", "x to")]  # fmt: skip
    return model(nodes, [("x", FLOAT, [None, 4, 8])], [Y], zero=np.array([0]), rest=np.array([-1]))


def test_a_dimension_without_a_name_is_set_by_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    given, what = unnamed(), hint("dimension 0 of input 'x'", "x:0")
    assert refused(given)[1:] == [f"  s (Shape): it asks for the size of a dynamic dimension{what}"]
    assert "tensor<4x32xf32>" in str(ascend_opt.from_onnx(given, dims={"x:0": 4}).module)
    path = tmp_path / "m.onnx"
    path.write_bytes(given.SerializeToString())
    assert run_tool([str(path), "-o", str(tmp_path / "out"), "--dim", "x:0=3"]) == 0
    assert "tensor<3x32xf32>" in (tmp_path / "out").read_text()
    assert capsys.readouterr().err == ""


def test_all_dimensions_without_a_name_are_told_at_once():
    inputs: list[Declared] = [("x", FLOAT, [None, 4]), ("z", FLOAT, [None, 4])]
    what = hint("dimension 0 of input 'x' and dimension 0 of input 'z'", "x:0", "z:0")
    given = model([node("Shape", "x", "s"), node("Add", "x z")], inputs, [Y, ("s", INT64, None)])
    assert refused(given)[1:] == [f"  s (Shape): it asks for the size of a dynamic dimension{what}"]


def test_places_of_dimensions_with_names_and_sizes():
    given = model([node("Add", "x z")], [("x", FLOAT, ["batch", 4]), ("z", FLOAT, ["batch", 4])], [Y])
    module = ascend_opt.from_onnx(given, dims={"z:0": 3, "x:1": 4}).module
    assert "?" not in str(module)  # of both inputs: the name is one number
    for dims, message in (
        ({"x:1": 5}, "dimension 'x:1' is 4 in the model, not 5"),
        ({"x:0": 2, "batch": 3}, "dimension 'batch' is set to 2 and 3"),
        ({"xx:0": 2}, "the model has no symbolic dimension 'xx:0'; did you mean 'x:0'?"),
        ({"size": 2}, "the model has no symbolic dimension 'size'; it has batch"),
    ):
        assert refused(given, dims=dims) == [message]


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


@pytest.mark.parametrize("places, message", [
    ([40], "has an index outside its 4x8 elements"),
    ([[1, -1]], "has an index outside its 4x8 elements"),
    ([[1, 1, 1]], "has indices of shape [1, 3], not [1] or [1, 2]"),
    ([1, 2], "has indices of shape [2], not [1] or [1, 2]"),
])  # fmt: skip
def test_a_sparse_tensor_that_makes_no_sense(places: Any, message: str, tmp_path: Path):
    parts = (
        onnx.numpy_helper.from_array(np.ones(1, np.float32), "w"),
        onnx.numpy_helper.from_array(np.array(places)),
    )
    given = model([node("Mul", "x w")], [X], [Y])
    given.graph.sparse_initializer.append(helper.make_sparse_tensor(*parts, [4, 8]))
    message = f"the sparse tensor 'w' {message}"
    assert refused(given) == [message]
    onnx.save(given, tmp_path / "m.onnx")
    with pytest.raises(CompileError, match=re.escape(message)):
        ascend_opt.from_onnx(tmp_path / "m.onnx")


def test_an_element_that_a_sparse_tensor_states_twice():
    parts = helper.make_tensor("w", FLOAT, [2], [3.0, 4.0]), helper.make_tensor("i", INT64, [2], [3, 3])
    given = model([node("Mul", "x w")], [X], [Y])
    given.graph.sparse_initializer.append(helper.make_sparse_tensor(*parts, [4, 8]))
    assert refused(given) == ["the sparse tensor 'w' states an element twice"]


def test_what_is_wrong_with_no_node_is_at_the_graph():
    given = model([node("MatMul", "x w")], [("x", FLOAT, ["batch", 0])], [Y], w=np.zeros((0, 3), np.float32))
    with pytest.raises(CompileError) as error:
        ascend_opt.compile(given)
    why = "tensor<?x0xf32>: a tensor with a dynamic dimension has no dimension of size 0"
    assert str(error.value) == f"<model>#net:0:1: error: {why}"
