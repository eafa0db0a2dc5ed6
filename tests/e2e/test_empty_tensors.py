"""Tensors of no elements: as arguments, results and between ops, against numpy; no kernel has one."""

# pyright: basic

import re
from pathlib import Path

import numpy as np
import pytest
from operator_cases import cases
from sweeps import ALL
from xdsl.utils.exceptions import ParseError

import ascend_opt
from ascend_opt.compiler.api import CompileError
from ascend_opt.compiler.text.graph_text import parse_graph_text
from ascend_opt.tools.ascend_opt import main as opt

pytestmark = pytest.mark.sweep(3)

CHIPS = ("ascend910", "ascend310p", "ascend910b", "ascend950")
F32 = np.float32


def _run(text: str, chip: str, fuse: bool, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
    program = ascend_opt.compile(text, target=chip, fuse=fuse)
    return list(program.run(inputs).outputs.values())


def _empty(*shape: int) -> np.ndarray:
    return np.zeros(shape, np.float16)


X = np.arange(12, dtype=np.float16).reshape(3, 4) - 5
FULL = {
    # from nothing alone: what the op gives of no elements
    "%y = reduce_sum(%e) {axes = [0]}": np.zeros(4),
    "%y = reduce_sum(%e) {axes = [0], keep_dims = true}": np.zeros((1, 4)),
    "%y = reduce_prod(%e) {axes = [0]}": np.ones(4),
    "%y = reduce_max(%e) {axes = [0]}": np.full(4, -np.inf),
    "%y = reduce_min(%e) {axes = [0]}": np.full(4, np.inf),
    "%y = reduce_mean(%e) {axes = [0]}": np.full(4, np.nan),
    "%y = reduce_sum(%e)": np.zeros(()),
    "%y = matmul(%e, %e) {transpose_a = true}": np.zeros((4, 4)),
    "%y = pad(%e) {pads = [1, 0, 1, 2], value = 7.0}": np.full((2, 6), 7.0),
    # beside others
    "%y = concat(%e, %x) {axis = 0}": X,
    "%y = concat(%x, %e, %x) {axis = 0}": np.concatenate([X, X]),
    "%n = slice(%x) {starts = [9], ends = [12], axes = [1]}\n%y = concat(%n, %x) {axis = 1}": X,
    "%s, %y = split(%x) {axis = 0, sizes = [0, 3]}": X,
    "%p = matmul(%e, %e) {transpose_a = true}\n%q = matmul(%x, %p)\n%y = relu(%q)": np.zeros((3, 4)),
    "%s = reduce_sum(%e) {axes = [0]}\n%a = add(%x, %s)\n%y = relu(%a)": np.maximum(X, 0),
    "%i = constant() {value = []} : tensor<0xi32>\n%y = scatter(%x, %i, %e)": X,
    "%c = reshape(%e) {shape = [1, 0, 2, 2]}\n%w = reshape(%e) {shape = [5, 0, 1, 1]}\n%b = constant() {value = 2.0} : "
    "tensor<5xf16>\n%y = conv2d(%c, %w, %b)": np.full((1, 5, 2, 2), 2.0),
    # nothing
    "%y = relu(%e)": _empty(0, 4),
    "%y = matmul(%e, %x) {transpose_b = true}": _empty(0, 3),
    "%y = matmul(%x, %e) {transpose_b = true}": _empty(3, 0),
    "%y = softmax(%e) {axis = 0}": _empty(0, 4),
    "%y = reduce_sum(%e) {axes = [1]}": _empty(0),
    "%r = relu(%x)\n%n = slice(%r) {starts = [3], ends = [3]}\n%y = add(%n, %e)": _empty(0, 4),
    "%r = relu(%x)\n%y = slice(%r) {starts = [8], ends = [100], axes = [1]}": _empty(3, 0),
    "%y = broadcast(%e) {shape = [2, 0, 4]}": _empty(2, 0, 4),
    "%y = tile(%x) {repeats = [0, 2]}": _empty(0, 8),
}  # fmt: skip


@pytest.mark.parametrize("fuse", [True, False])
@pytest.mark.parametrize("body", FULL)
def test_values_are_those_of_numpy(body: str, fuse: bool) -> None:
    expected = FULL[body]
    arguments = {"e": _empty(0, 4), "x": X}
    used = {name: array for name, array in arguments.items() if f"%{name}" in body.replace("%e,", "%e")}
    given = ", ".join(f"%{n}: tensor<{a.shape[0]}x4xf16>" for n, a in used.items())
    text = f"graph @f({given}) {{\n{body}\nreturn %y\n}}"
    for chip in CHIPS if ALL else CHIPS[len(body) % 4 :][:1]:
        (found,) = _run(text, chip, fuse, used)
        assert found.shape == expected.shape
        np.testing.assert_array_equal(found.astype(F32), expected.astype(F32))


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("fuse", [True, False])
def test_arguments_and_results_of_no_elements(chip: str, fuse: bool) -> None:
    text = "graph @f(%e: tensor<0x4xf16>, %x: tensor<3x4xf16>) {\n%y = exp(%e)\n%z = relu(%x)\nreturn %y, %z, %e\n}"
    y, z, e = _run(text, chip, fuse, {"e": _empty(0, 4), "x": X})
    assert y.shape == e.shape == (0, 4)
    np.testing.assert_array_equal(z, np.maximum(X, 0))


@pytest.mark.parametrize("options", [["--fuse", "--lower"], ["--lower"]])
def test_a_graph_of_empty_results_has_no_kernel(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "f.mlir"
    path.write_text("graph @f(%x: tensor<0x8xf16>) {\n%y = relu(%x)\n%z = gelu(%y)\nreturn %z\n}\n")
    assert opt([str(path), *options]) == 0
    assert "ascend.kernel" not in capsys.readouterr().out


def test_programs_are_kept_and_read_back(tmp_path: Path) -> None:
    text = (
        "graph @f(%x: tensor<0x8xf16>) {\n%y = relu(%x)\n%s = reduce_sum(%x) {axes = [0]}\nreturn %y, %s\n}"
    )
    ascend_opt.compile(text).save(tmp_path / "f.program")
    y, s = ascend_opt.load(tmp_path / "f.program").run(x=_empty(0, 8)).outputs.values()
    assert y.shape == (0, 8)
    assert s.tolist() == [0.0] * 8


def _emptied(text: str) -> list[str]:
    """A case with each of its arguments' sizes in turn made 0 wherever it stands."""
    head, end, body = text.partition(") {")
    sizes = dict.fromkeys(re.findall(r"(?<=[<x])(\d+)(?=x)", head))
    return [re.sub(rf"(?<=[<x]){size}(?=x)", "0", head) + end + body for size in sizes]


@pytest.mark.parametrize("name", cases())
def test_every_op_takes_or_refuses_sizes_of_0(name: str) -> None:
    for text in cases()[name] if ALL else cases()[name][::3]:
        for emptied in _emptied(text.replace("DT", "f16")):
            try:
                parse_graph_text(emptied)
            except ParseError:
                continue
            for fuse in (True, False):
                program = ascend_opt.compile(emptied, target="ascend910b", fuse=fuse)
                inputs = {
                    n: np.zeros(
                        t.shape,
                        {"i32": np.int32, "i1": np.bool_, "i8": np.int8}.get(str(t.element_type), F32),
                    )
                    for n, t in program.inputs.items()
                }
                expected = program.reference(inputs)
                for output, found in program.run(inputs).outputs.items():
                    np.testing.assert_allclose(
                        found.astype(F32), expected[output].astype(F32), atol=1e-3, err_msg=emptied
                    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("graph @f(%x: tensor<?x0xf16>) {\n%y = relu(%x)\nreturn %y\n}", "no dimension of size 0"),
        (
            "graph @f(%x: tensor<0x8xf16>, %i: tensor<2xi32>) {\n%y = gather(%x, %i)\nreturn %y\n}",
            "indices 2 into a dimension of size 0",
        ),
        (
            "graph @f(%x: tensor<0x8xf16>, %i: tensor<2x3xi32>) {\n%y = embedding_bag(%x, %i)\nreturn %y\n}",
            "indices 2x3 into a dimension of size 0",
        ),
        ("graph @f(%x: tensor<0x8xf16>) {\n%y = reshape(%x) {shape = [0, -1]}\nreturn %y\n}", "0 elements"),
        ("graph @f(%x: tensor<0x8xf16>) {\n%y = argmax(%x) {axis = 0}\nreturn %y\n}", "along axis 0"),
    ],
)
def test_what_cannot_be_is_refused(text: str, message: str) -> None:
    with pytest.raises(CompileError, match=message):
        ascend_opt.compile(text)


@pytest.mark.parametrize("mode", ["sum", "mean"])
@pytest.mark.parametrize("fuse", [True, False])
def test_a_bag_of_no_rows_is_zero(mode: str, fuse: bool) -> None:
    """As in PyTorch's EmbeddingBag."""
    bag = f'%y = embedding_bag(%t, %i) {{mode = "{mode}"}}'
    text = f"graph @f(%t: tensor<3x5xf16>, %i: tensor<2x0xi32>) {{\n{bag}\nreturn %y\n}}"
    program = ascend_opt.compile(text, fuse=fuse, tune=1)
    (found,) = program.run(t=np.ones((3, 5), np.float16), i=np.zeros((2, 0), np.int32)).outputs.values()
    np.testing.assert_array_equal(found, np.zeros((2, 5)))
