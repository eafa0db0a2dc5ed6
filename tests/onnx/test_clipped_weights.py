"""Weights and constants that their storage type cannot hold are noted; infinities of masks are not."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.drivers.driver import run_tool
from ascend_opt.tools.ascend_run import main as ascend_run

onnx: Any = pytest.importorskip("onnx")
pytest.importorskip("onnx_ir")
TENSOR, helper = onnx.TensorProto, onnx.helper
NOTE = "2 elements of weight 'w' are out of the range of f16 and were clipped to 65504; --precision f32 keeps them"


def sums(*weights: Any, kind: int = TENSOR.FLOAT, size: int = 4) -> Any:
    """A model that adds weights to `x`, each in a node of its own."""
    names = ["w", *(f"w{i}" for i in range(1, len(weights)))]
    values = ["x", *(f"s{i}" for i in range(1, len(weights))), "y"]
    nodes = [
        helper.make_node("Add", [values[i], name], [values[i + 1]], name=f"/add{i}")
        for i, name in enumerate(names)
    ]
    info = helper.make_tensor_value_info
    given = [
        onnx.numpy_helper.from_array(np.asarray(w), name) for name, w in zip(names, weights, strict=True)
    ]
    graph = helper.make_graph(nodes, "net", [info("x", kind, [size])], [info("y", kind, [size])], given)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)


LARGE = np.array([1e6, 2e6, 1, -np.inf], np.float32)


def notes(model: Any, **options: Any) -> tuple[str, ...]:
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        imported = ascend_opt.from_onnx(model, **options)
    assert [str(one.message) for one in shown] == [f"<model>: {note}" for note in imported.few_notes]
    assert all(one.filename == __file__ for one in shown)
    return imported.notes


def test_what_is_clipped_is_noted_once_for_each_tensor():
    assert notes(sums(LARGE)) == (NOTE,)
    assert notes(sums(LARGE), precision="f32") == ()
    both = np.array([1e6, -1e6, 0, 0], np.float32)
    (note,) = notes(sums(both))
    assert "clipped to -65504 and 65504" in note
    (note,) = notes(sums(np.float32(1e6)))  # one number stands in the program
    assert note.startswith("1 element of constant 'w' is out of the range of f16 and was clipped to 65504;")


def test_whole_numbers_are_clipped_too():
    (note,) = notes(sums(np.array([10**10, 1, 2, 3]), kind=TENSOR.INT64))
    assert note == "1 element of weight 'w' is out of the range of i32 and was clipped to 2147483647"


def test_only_the_first_few_are_listed():
    model = sums(*(LARGE * (1 + i) for i in range(5)))
    assert len(notes(model)) == 5
    with pytest.warns(UserWarning) as shown:
        ascend_opt.from_onnx(model)
    assert len(shown) == 4
    assert str(shown[-1].message).endswith("numbers of 2 more weights and constants were clipped")


@pytest.mark.parametrize("endless", [-np.inf, np.finfo(np.float32).min, -3.4e38, np.nan])
def test_infinities_of_masks_are_no_clipping(endless: float):
    mask = np.array([0, endless, 0, 1], np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # numpy's, too
        found = ascend_opt.from_onnx(sums(mask)).weights["w"]
    wanted = -65504 if np.isfinite(endless) else endless
    np.testing.assert_array_equal(found, np.array([0, wanted, 0, 1], np.float16))


def test_a_compiled_model_warns_once():
    with pytest.warns(UserWarning, match="clipped to 65504") as shown:
        ascend_opt.compile(sums(LARGE), tune=1)
    assert len(shown) == 1 and shown[0].filename == __file__
    with pytest.warns(UserWarning):
        imported = ascend_opt.from_onnx(sums(LARGE))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ascend_opt.compile(imported, tune=1)  # it has warned when it was read


@pytest.mark.parametrize("options", [["--tune", "1"], ["--table", "--tune", "1"]])
def test_the_tools_note_it_on_stderr(options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = str(tmp_path / "m.onnx")
    onnx.save(sums(LARGE), path)
    assert ascend_run([path, *options]) == 0
    assert capsys.readouterr().err == f"{path}: note: {NOTE}\n"
    if "--table" not in options:
        assert run_tool([path]) == 0
        assert capsys.readouterr().err == f"{path}: note: {NOTE}\n"


def test_text_reads_its_weights_from_where_it_lies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    small = np.arange(4, dtype=np.float32)
    onnx.save(sums(small), "m.onnx")
    for name in ("out", "other"):
        Path(name).mkdir()
    x = np.ones(4, np.float32)

    def check(text: str) -> None:
        found = ascend_opt.compile(Path(text), tune=1).run(x=x).outputs
        np.testing.assert_array_equal(found["output0"], x + small)

    assert run_tool(["m.onnx", "-t", "graph-text", "--weights", "out/w.npz", "-o", "out/g.mlir"]) == 0
    check("out/g.mlir")
    assert run_tool(["out/g.mlir", "-t", "graph-text", "-o", "other/g.mlir"]) == 0
    check("other/g.mlir")
    absolute = str(tmp_path / "other" / "w.npz")
    assert run_tool(["m.onnx", "-t", "graph-text", "--weights", absolute, "-o", "out/h.mlir"]) == 0
    check("out/h.mlir")
    assert run_tool(["m.onnx", "-t", "graph-text", "--weights", "out/w.npz"]) == 0
    Path("g.mlir").write_text(capsys.readouterr().out)
    check("g.mlir")


def test_a_weight_file_is_npz(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    onnx.save(sums(LARGE), tmp_path / "m.onnx")
    assert run_tool([str(tmp_path / "m.onnx"), "--weights", str(tmp_path / "w.bin")]) == 1
    assert "error: --weights writes an .npz file, not '" in capsys.readouterr().err
    assert not (tmp_path / "w.bin").exists()
