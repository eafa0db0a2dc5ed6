"""Graph text to IR and back: names, files of constants, warnings, and a fixed point."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import FileLineColLoc, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import ParseError

from ascend_opt.compiler.text.diagnostics import Diagnostic, from_op, from_parse_error
from ascend_opt.compiler.text.graph_printer import print_graph_text
from ascend_opt.compiler.text.graph_text import parse_graph_text
from ascend_opt.dialects.graph import ConstantOp, MatmulOp
from ascend_opt.dialects.graph.arguments import argument_names
from ascend_opt.dialects.graph.elements import as_array


def function(module: ModuleOp) -> FuncOp:
    op = module.body.block.first_op
    assert isinstance(op, FuncOp)
    return op


def constant(text: str, **options: Any) -> np.ndarray[Any, Any]:
    """The elements of `constant() {...}` with what follows in `text`."""
    module = parse_graph_text(
        f"graph @f() {{\n  %c = constant() {text}\n  return %c\n}}", "t.mlir", **options
    )
    op = function(module).body.block.first_op
    assert isinstance(op, ConstantOp)
    return as_array(op.value)


def failure(text: str, **options: Any) -> str:
    with pytest.raises(ParseError) as caught:
        constant(text, **options)
    return str(from_parse_error(caught.value))


def test_text_of_the_examples_is_a_fixed_point(examples: list[Path]) -> None:
    assert examples
    for path in examples:
        once = print_graph_text(parse_graph_text(path.read_text(), str(path)))
        assert print_graph_text(parse_graph_text(once, "once.mlir")) == once


def test_names_are_kept_where_xdsl_can_hold_them() -> None:
    text = (
        "graph @f(%0: tensor<4xf16>, %x_1: tensor<4xf16>, %x: tensor<4xf16>) {\n"
        "  %sum = add(%0, %x_1)\n  %sum_1 = add(%sum, %x)\n  %7 = relu(%sum_1)\n  return %7\n}\n"
    )
    module = parse_graph_text(text, "t.mlir")
    assert argument_names(function(module)) == ["0", "x_1", "x"]
    printed = print_graph_text(module)
    assert printed == text.replace("%7", "%1")
    assert print_graph_text(parse_graph_text(printed, "t.mlir")) == printed


def test_every_op_and_argument_has_its_place() -> None:
    module = parse_graph_text("graph @f(%x: tensor<4xf16>) {\n  %y = relu(%x)\n  return %y\n}", "dir/t.mlir")
    places = {op.name: op.location for op in module.walk()}
    relu = places["graph.relu"]
    assert isinstance(relu, FileLineColLoc)
    assert (relu.filename.data, relu.line.data, relu.column.data) == ("dir/t.mlir", 2, 8)
    assert all(isinstance(place, FileLineColLoc) for place in places.values())
    assert isinstance(function(module).body.block.args[0].location, FileLineColLoc)


def test_what_nobody_uses_is_a_warning() -> None:
    warnings: list[Diagnostic] = []
    text = "graph @f(%x: tensor<4xf16>, %b: tensor<4xf16>) {\n  %y = relu(%x)\n  return %x\n}"
    parse_graph_text(text, "t.mlir", warn=warnings.append)
    assert [str(warning).splitlines()[0] for warning in warnings] == [
        "t.mlir:1:29: warning: argument '%b' is never used",
        "t.mlir:2:3: warning: value '%y' is never used",
    ]
    assert str(warnings[0]).splitlines()[1:] == [text.splitlines()[0], " " * 28 + "^~"]


def test_constants_in_files(tmp_path: Path) -> None:
    w = np.arange(6, dtype=np.float16).reshape(2, 3)
    np.save(tmp_path / "w.npy", w)
    np.savez(tmp_path / "w.npz", weight=w, other=w.astype(np.float32))
    assert (constant('{file = "w.npy"} : tensor<2x3xf16>', directory=tmp_path) == w).all()
    assert (constant('{file = "w.npz", key = "weight"}', directory=tmp_path) == w).all()
    assert constant('{file = "w.npz", key = "other"}', directory=tmp_path).dtype == np.float32


def test_paths_start_at_the_text(tmp_path: Path) -> None:
    np.save(tmp_path / "w.npy", np.ones(3, np.float16))
    text = 'graph @f() {\n  %c = constant() {file = "w.npy"}\n  return %c\n}\n'
    module = parse_graph_text(text, str(tmp_path / "t.mlir"))
    op = function(module).body.block.first_op
    assert isinstance(op, ConstantOp)
    assert as_array(op.value).tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("name", "content", "text", "expected"),
    [
        ("w.npy", b"abcdef", '{file = "w.npy"} : tensor<3xf16>', "no .npy file of numeric arrays"),
        ("w.npy", b"", '{file = "w.npy"} : tensor<3xf16>', "cannot use"),
        ("w.npy", b"\x93NUMPY\x01\x00v\x00{'descr'", '{file = "w.npy"}', "cannot use"),
        ("w.npz", b"PK\x03\x04 cut off", '{file = "w.npz", key = "w"}', "cannot use"),
        ("w.npz", b"not an archive", '{file = "w.npz", key = "w"} : tensor<3xf16>', "cannot use"),
        ("w.safetensors", b"\x08", '{file = "w.safetensors", key = "w"} : tensor<3xf16>', "cannot use"),
        ("other.npy", b"", '{file = "w.npy"}', "No such file"),
    ],
)
def test_unreadable_files_are_located(
    tmp_path: Path, name: str, content: bytes, text: str, expected: str
) -> None:
    (tmp_path / name).write_bytes(content)
    message = failure(text, directory=tmp_path)
    assert message.startswith("t.mlir:2:") and expected in message
    assert "^" in message.splitlines()[-1]


def test_wrong_files_are_located(tmp_path: Path) -> None:
    np.savez(tmp_path / "w.npz", weight=np.ones((2, 3), np.float16))
    missing = failure('{file = "w.npz", key = "wieght"}', directory=tmp_path)
    assert "holds no array 'wieght'; did you mean 'weight'?" in missing
    wrong = failure('{file = "w.npz", key = "weight"} : tensor<3x2xf16>', directory=tmp_path)
    assert "2x3xfloat16" in wrong and "tensor<3x2xf16>" in wrong
    np.save(tmp_path / "c.npy", np.ones(2, np.complex64))
    assert "complex64" in failure('{file = "c.npy"}', directory=tmp_path)


@pytest.mark.parametrize(
    ("text", "dtype", "bits"),
    [
        ("0x7C00", "f16", 0x7C00),
        ("inf", "f16", 0x7C00),
        ("-inf", "f16", 0xFC00),
        ("0x7E01", "f16", 0x7E01),
        ("0x3F800000", "f32", 0x3F800000),
        ("0x1.8p1", "f16", 0x4200),
        ("1e-7", "f16", 0x0002),
        ("65504", "f16", 0x7BFF),
        ("-0.0", "f16", 0x8000),
        ("200", "i8", 200),
        ("-1", "i16", 0xFFFF),
        ("true", "i1", 1),
    ],
)
def test_bits_of_literals(text: str, dtype: str, bits: int) -> None:
    array = constant(f"{{value = {text}}} : tensor<{dtype}>")
    assert int.from_bytes(array.tobytes(), "little") == bits


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{value = 300} : tensor<i8>", "300 does not fit i8"),
        ("{value = 0x10000} : tensor<f16>", "does not fit f16"),
        ("{value = 1" + "0" * 500 + "} : tensor<f16>", "more than 400 characters"),
        ("{value = 1.0} : tensor<99999x99999x99999xf16>", "too large for text: keep it in a file"),
        ("{value = 1.0} : tensor<99999999999999999999xf16>", "dimension is too large"),
        ('{value = "0x3C"} : tensor<f16>', "the string holds 1 byte, the constant needs 2"),
        ('{value = "3C00"} : tensor<f16>', "pairs of hexadecimal digits"),
        ("{value = [1.0]} : tensor<f16>", "one level too deep"),
        ("{value = word} : tensor<f16>", "expected a number here, found word"),
        ("{value} : tensor<f16>", "must be a number or a nested list"),
        ('{key = "a"} : tensor<f16>', "needs attribute 'file'"),
        ('{file = "a.npy", value = 1} : tensor<f16>', "either 'value' or 'file'"),
        ("{file = 3} : tensor<f16>", "must be a string"),
        ("{}", "needs attribute 'value'"),
    ],
)
def test_wrong_literals(text: str, expected: str) -> None:
    message = failure(text)
    assert message.startswith("t.mlir:2:") and expected in message
    assert len(message) < 1000


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 0xFFFF), min_size=1, max_size=20))
def test_any_f16_bits_survive_text_and_back(bits: list[int]) -> None:
    data = np.array(bits, np.uint16).tobytes()
    text = f'{{value = "0x{data.hex()}"}} : tensor<{len(bits)}xf16>'
    module = parse_graph_text(f"graph @f() {{\n  %c = constant() {text}\n  return %c\n}}", "t.mlir")
    again = parse_graph_text(print_graph_text(module), "again.mlir")
    op = function(again).body.block.first_op
    assert isinstance(op, ConstantOp)
    assert as_array(op.value).tobytes() == data


@settings(max_examples=100, deadline=None)
@given(st.floats(width=32))
def test_any_f32_survives_text_and_back(value: float) -> None:
    data = np.float32(value).tobytes()
    text = f'{{value = "0x{data.hex()}"}} : tensor<f32>'
    module = parse_graph_text(f"graph @f() {{\n  %c = constant() {text}\n  return %c\n}}", "t.mlir")
    again = parse_graph_text(print_graph_text(module), "again.mlir")
    op = function(again).body.block.first_op
    assert isinstance(op, ConstantOp)
    assert as_array(op.value).tobytes() == data


def test_bits_of_a_float_attribute() -> None:
    operation = "%y = clip(%x) {min = 0.1, max = 0x7FF0000000000000}"
    text = f"graph @f(%x: tensor<4xf16>) {{\n  {operation}\n  return %y\n}}\n"
    printed = print_graph_text(parse_graph_text(text, "t.mlir"))
    assert "min = 0.1, max = inf" in printed
    assert print_graph_text(parse_graph_text(printed, "t.mlir")) == printed


def test_an_op_that_could_not_be_made_is_shown() -> None:
    """Verifiers of arguments raise before an op has a place."""
    half = MatmulOp.__new__(MatmulOp)
    assert str(from_op(half, "out is i32")) == 'error: out is i32\n  in: "graph.matmul"() : () -> ()'
