"""Models that one process reads while another imports the passes."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from declared_models import FLOAT, array, model, node, onnx
from processes import no_children

from ascend_opt.compiler.drivers import early_model
from ascend_opt.compiler.drivers.early_model import early_reader
from ascend_opt.tools.ascend_opt import main as opt


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A model with large weights, one of which f16 does not hold, with parts in an order of their own, and a name."""
    weight, bias = array(64, 64), array(64)
    weight[3, 5] = 1e6
    given = model(
        [
            node("MatMul", "x w", "h", name="first"),
            node("Add", "h b", "s"),
            node("Relu", "s", "r"),
            node("Concat", "r x", "y", axis=0),
        ],
        [("x", FLOAT, [8, 64])],
        [("y", FLOAT, [16, 64])],
        weights={"w": weight, "b": bias},
    )
    onnx.save(given, tmp_path / "m.onnx")
    return tmp_path / "m.onnx"


def by_jobs(path: Path, capsys: pytest.CaptureFixture[str], *options: str) -> list[tuple[int, str, str]]:
    found: list[tuple[int, str, str]] = []
    for jobs in ("1", "2"):
        code = opt([str(path), *options, "--jobs", jobs])
        said = capsys.readouterr()
        found.append((code, said.out, said.err))
        assert no_children()
    return found


def not_here(*_: object, **__: object) -> None:
    raise AssertionError("this process reads the model itself")


@pytest.mark.parametrize(
    "options",
    [[], ["--print-debuginfo"], ["--fuse", "--lower"], ["--precision", "f32"], ["-t", "graph-text"]],
    ids=" ".join,
)
def test_the_module_is_that_of_one_process(
    options: list[str], path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone, shared = by_jobs(path, capsys, *options)
    assert alone == shared
    assert alone[0] == 0
    assert ("1 element of weight 'w' is out of the range of f16" in alone[2]) == ("f32" not in options)


def test_the_process_that_prints_needs_no_onnx(path: Path) -> None:
    code = f"""
import sys
from ascend_opt.tools.ascend_opt import main
code = main([{str(path)!r}, "--fuse", "--lower", "--jobs", sys.argv[1], "-o", {str(path.with_suffix(".mlir"))!r}])
print(code, [name for name in ("onnx", "onnx_ir", "numpy") if name in sys.modules])
"""
    for jobs, needed in ("1", "['onnx', 'onnx_ir', 'numpy']"), ("2", "[]"):
        done = subprocess.run([sys.executable, "-c", code, jobs], capture_output=True, text=True, check=True)
        assert done.stdout == f"0 {needed}\n"


@pytest.mark.parametrize("data", [b"", b"no model", None], ids=["empty", "other", "cut"])
def test_errors_are_those_of_one_process(
    data: bytes | None, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_bytes(path.read_bytes()[:-700] if data is None else data)
    alone, shared = by_jobs(path, capsys, "--fuse")
    assert alone == shared
    assert alone[0] == 1 and f"{path}: error: this is no ONNX model" in alone[2]


def test_a_model_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alone, shared = by_jobs(tmp_path / "none.onnx", capsys, "--fuse")
    assert alone == shared
    assert alone[0] == 1 and "none.onnx" in alone[2]


def test_wrong_passes_end_it(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alone, shared = by_jobs(path, capsys, "-p", "no-such-pass")
    assert alone == shared
    assert alone[0] == 1


def test_weights_are_written(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = path.with_name("w.npz")
    alone, shared = by_jobs(path, capsys, "--weights", str(file))
    assert alone == shared
    assert np.load(file)["w"].shape == (64, 64)


def test_a_process_that_is_gone_is_done_without(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(early_model, "_get_ready", not_here)  # in the copy alone
    alone, shared = by_jobs(path, capsys, "--fuse")
    assert alone == shared


@pytest.mark.parametrize(
    ("arguments", "early"),
    [
        ("m.onnx --fuse --jobs 2", True),
        ("--jobs=3 m.onnx", True),
        ("-f onnx m.pb --jobs 2", True),
        ("--jobs 2 m.mlir", False),
        ("m.onnx --jobs 1", False),
        ("m.onnx --jobs=1", False),
        ("m.onnx --fuse", False),
        ("m.onnx --jobs", False),
    ],
)
def test_another_process_is_there_where_models_may_be_shared(arguments: str, early: bool) -> None:
    with early_reader(arguments.split()) as reader:
        assert (reader is not None) == early
    assert no_children()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_pipe_is_refused(jobs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It would be waited for, or read in parts."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert opt([str(pipe), "-f", "onnx", "--fuse", "--jobs", jobs]) == 1
    reason = "error: a model is read from a file, not from a pipe; see ascend-opt --help\n"
    assert capsys.readouterr() == ("", reason)
