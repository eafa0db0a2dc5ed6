"""Options of models: where they may be given, and what is refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import CompileError
from ascend_opt.compiler.drivers.driver import run_tool
from ascend_opt.tools.ascend_run import main as ascend_run

onnx: Any = pytest.importorskip("onnx")
pytest.importorskip("onnx_ir")
TENSOR, helper = onnx.TensorProto, onnx.helper


def model(nodes: list[Any], inputs: list[Any], weights: dict[str, Any] | None = None) -> Any:
    """A model with the result `y`; inputs are (name, type, shape)."""
    given = [onnx.numpy_helper.from_array(np.asarray(v), k) for k, v in (weights or {}).items()]
    info = helper.make_tensor_value_info
    results = [onnx.ValueInfoProto(name="y")]
    results[0].type.tensor_type.elem_type = TENSOR.FLOAT
    graph = helper.make_graph(nodes, "net", [info(*i) for i in inputs], results, given)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)


WEIGHT = np.random.default_rng(0).standard_normal((8, 4)).astype(np.float32)
BATCH = model(
    [helper.make_node("MatMul", ["x", "w"], ["y"], name="/layers/fc")],
    [("x", TENSOR.FLOAT, ["batch", 8])],
    {"w": WEIGHT},
)
MASKED = model(
    [helper.make_node("Where", ["mask", "x", "zero"], ["y"])],
    [("x", TENSOR.FLOAT, [3, 8]), ("mask", TENSOR.BOOL, [3, 8])],
    {"zero": np.float32(0)},
)


@pytest.mark.parametrize(
    "options", [{"precision": "f32"}, {"precision_of": {"/layers/fc": "f32"}}, {"dims": {"batch": 2}}]
)
def test_options_of_an_imported_model_are_refused(options: dict[str, Any]):
    imported = ascend_opt.from_onnx(BATCH)
    (name,) = options
    with pytest.raises(ValueError, match=rf"{name} has no effect .*: give it to from_onnx\(\.\.\., {name}="):
        ascend_opt.compile(imported, **options)
    ascend_opt.compile(ascend_opt.from_onnx(BATCH, **options), tune=1)


@pytest.mark.parametrize("size", ["2", -1, 0, 2.0, True, None])
def test_sizes_are_whole_numbers_from_one(size: Any):
    message = rf"the size of dimension 'batch' is a whole number, 1 or more, not {size!r}"
    with pytest.raises(CompileError, match=message):
        ascend_opt.from_onnx(BATCH, dims={"batch": size})
    with pytest.raises(CompileError, match=message):
        ascend_opt.compile(BATCH, dims={"batch": size})


def test_sizes_of_numpy_are_sizes():
    imported = ascend_opt.from_onnx(BATCH, dims={"batch": np.int64(2)})  # pyright: ignore[reportArgumentType]
    assert "tensor<2x8xf32>" in str(imported.module)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--dim", "batch=0"], "the size of dimension 'batch' is a whole number, 1 or more, not 0"),
        (["--dim", "batch=x"], "the size of dimension 'batch' is a whole number, 1 or more, not 'x'"),
        (["--dim", "batch=2", "--dim", "batch=3"], "argument --dim: 'batch' is given twice"),
        (["--precision-of", "n=f32", "--precision-of", "n=f16"], "--precision-of: 'n' is given twice"),
        (["--dim", "bach=2"], "the model has no symbolic dimension 'bach'; did you mean 'batch'?"),
        (["--precision-of", "fc=f32"], "the model has no node 'fc'; near /layers/fc"),
        (["--precision-of", "nope=f32"], "the model has no node 'nope'; it has /layers/fc"),
    ],
)
def test_the_tools_refuse_the_same(
    options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = str(tmp_path / "m.onnx")
    onnx.save(BATCH, path)
    for tool in (ascend_run, run_tool):
        assert tool([path, *options]) == 1
        assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.ones((1, 8), bool), "the constant for input 'mask' must have shape 3x8, got 1x8"),
        (True, "must have shape 3x8, got scalar"),
        (np.full((3, 8), 0.5), r"the constant for input 'mask' is of bool, which cannot hold float64 0.5"),
        (np.full((3, 8), 2), r"is of bool, which cannot hold int64 2 at \[0, 0\]"),
        (np.full((3, 8), "x"), r"is of bool, which cannot hold elements of type <U1"),
    ],
)
def test_constants_are_of_their_inputs_types(value: Any, message: str):
    with pytest.raises(CompileError, match=message):
        ascend_opt.from_onnx(MASKED, constants={"mask": value})


def test_constants_that_convert_exactly():
    x, mask = np.ones((3, 8), np.float32), np.arange(24).reshape(3, 8) % 2
    imported = ascend_opt.from_onnx(MASKED, constants={"mask": mask})
    np.testing.assert_array_equal(ascend_opt.compile(imported, tune=1).run(x=x).outputs["y"], mask)


def test_options_of_models_beside_graph_text_are_told():
    text = "graph @g(%x: tensor<4xf16>) {\n  %0 = relu(%x)\n  return %0\n}"
    message = "precision, precision_of: of no effect, the source is no ONNX model"
    with pytest.warns(UserWarning, match=message) as told:
        ascend_opt.compile(text, precision="f32", precision_of={"relu": "f32"})
    assert told[0].filename == __file__


def test_constants_have_the_sizes_that_are_set_by_axis():
    inputs = [("x", TENSOR.FLOAT, [None, 3]), ("z", TENSOR.FLOAT, [2, 3])]  # no size and no name
    added = model([helper.make_node("Add", ["x", "z"], ["y"])], inputs)
    ascend_opt.from_onnx(added, dims={"x:0": 2}, constants={"x": np.ones((2, 3), np.float32)})
    with pytest.raises(ascend_opt.CompileError, match="input 'x' must have shape 2x3, got 5x3"):
        ascend_opt.from_onnx(added, dims={"x:0": 2}, constants={"x": np.ones((5, 3), np.float32)})
