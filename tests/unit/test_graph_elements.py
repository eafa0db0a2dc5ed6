"""Values of constants: texts that read back as the same bytes, splats, tensors in files."""

# pyright: basic

from io import StringIO

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import (
    Builtin,
    DenseIntOrFPElementsAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    bf16,
    f16,
    f32,
    f64,
    i32,
)
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.printer import Printer

from ascend_opt.dialects import graph
from ascend_opt.dialects.graph.elements import as_array, from_array, from_number, splat_value
from ascend_opt.dialects.storage_types import numpy_dtype


def parse(text: str) -> ModuleOp:
    context = Context()
    for dialect in (Builtin, graph.Graph):
        context.load_dialect(dialect)
    module = Parser(context, text).parse_module()
    module.verify()
    return module


def generic(op: Operation) -> str:
    text = StringIO()
    Printer(text, print_generic_format=True).print_op(op)
    return text.getvalue()


SPECIAL = [np.inf, -np.inf, np.nan, 65504.0, -0.0, 6e-8, 0.1, 1.0]


@pytest.mark.parametrize("element", [f16, f32], ids=str)
@pytest.mark.parametrize(
    "array",
    [
        np.array(SPECIAL),
        np.array([-np.inf]),
        np.full((3, 4), -np.inf),
        np.full((2,), np.nan),
        np.array(-np.inf),
        np.array([16777217.0, 16777218.0, 1e30, 3.0]),
        np.arange(6.0).reshape(2, 3),
        np.array([-0.0, 0.0]),
        np.full((1000,), -0.0),
        np.linspace(-1, 1, 300),
        np.zeros((0, 3)),
    ],
    ids=lambda array: f"{array.shape}",
)
def test_constant_reads_back_as_the_same_bytes(array, element):
    op = graph.ConstantOp(value=from_array(array, element))
    expected = array.astype(numpy_dtype(element), copy=True) if element == f32 else as_array(op.value)
    for text in (str(ModuleOp([op.clone()])), generic(ModuleOp([op.clone()]))):
        read = parse(text).body.block.last_op
        assert isinstance(read, graph.ConstantOp)
        assert read.value == op.value
        assert as_array(read.value).tobytes() == expected.tobytes()
        assert as_array(read.value).shape == array.shape


def test_constant_has_one_attribute_for_equal_elements():
    dense = DenseIntOrFPElementsAttr.from_list(TensorType(f16, [2]), [-np.inf])
    assert graph.ConstantOp(value=dense).value == from_array(np.full(2, -np.inf), f16)
    plain = DenseIntOrFPElementsAttr.from_list(TensorType(i32, [2]), [1, 2])
    assert graph.ConstantOp(value=plain).value is plain


def test_splat_value():
    assert splat_value(from_array(np.full((2, 3), 2.5), f16)) == 2.5
    assert splat_value(from_array(np.full((2, 3), -np.inf), f16)) == -np.inf
    assert splat_value(from_array(np.arange(3.0), f16)) is None
    assert splat_value(StringAttr("x")) is None


def _external(path, key, *shape):
    return graph.ExternalTensorAttr(StringAttr(str(path)), StringAttr(key), TensorType(f16, shape))


def test_external_constant_round_trips_without_its_file():
    module = parse('%w = graph.constant #graph.external<"weights.npz", "conv1", tensor<2x3xf16>>')
    assert parse(str(module)).is_structurally_equivalent(module)
    assert module.body.block.last_op.results[0].type == TensorType(f16, [2, 3])  # type: ignore[union-attr]


def test_external_values(tmp_path):
    array = np.arange(6, dtype=np.float16).reshape(2, 3)
    np.save(tmp_path / "w.npy", array)
    np.savez(tmp_path / "w.npz", conv1=array)
    blob = array.tobytes()
    header = b'{"a": {"dtype": "F16", "shape": [2, 3], "data_offsets": [0, 12]}}'
    (tmp_path / "w.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + blob)
    for path, key in (("w.npy", ""), ("w.npz", "conv1"), ("w.safetensors", "a")):
        np.testing.assert_array_equal(as_array(_external(tmp_path / path, key, 2, 3)), array)
    with pytest.raises(
        ValueError, match=r"w.npz:conv1 holds 2x3xfloat16, the program states tensor<3x2xf16>"
    ):
        as_array(_external(tmp_path / "w.npz", "conv1", 3, 2))
    with pytest.raises(ValueError, match=r"w.npz holds no array 'conv2', only conv1"):
        as_array(_external(tmp_path / "w.npz", "conv2", 2, 3))
    with pytest.raises(ValueError, match=r"w.safetensors holds no tensor 'b'"):
        as_array(_external(tmp_path / "w.safetensors", "b", 2, 3))


@pytest.mark.parametrize("element", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize(
    "value",
    [
        0.125,
        -0.0,
        1 / 3,
        1 + 2**-11,
        1 + 3 * 2**-11,
        65519.99,
        65520.0,
        -1e6,
        2.0**-25,
        3e-8,
        1e39,
        np.inf,
        -np.inf,
    ],
)
def test_a_number_is_rounded_as_an_array_of_it(value: float, element: str):
    kind = {"f16": f16, "bf16": bf16, "f32": f32, "f64": f64}[element]
    assert from_number(value, kind) == from_array(np.array(value), kind)
