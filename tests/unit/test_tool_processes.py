"""The tools as processes of their own: what they import, hash seeds, pipes, and plain `xdsl-opt`."""

import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

GRAPH = "graph @f(%x: tensor<4xf16>) {\n  %y = relu(%x)\n  return %y\n}\n"
MLIR = "func.func @f() {\n  func.return\n}\n"


def write(directory: Path, text: str) -> Path:
    path = directory / "t.mlir"
    path.write_text(text)
    return path


def run_python(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=60, **options)


def test_mlir_text_imports_neither_numpy_nor_lark(tmp_path: Path) -> None:
    script = (
        "import sys; from ascend_opt.tools.ascend_opt import main; code = main(sys.argv[1:]); "
        "print(sorted({'numpy', 'lark'} & sys.modules.keys())); sys.exit(code)"
    )
    done = run_python("-c", script, str(write(tmp_path, MLIR)))
    assert done.returncode == 0 and done.stdout.endswith("[]\n"), done


def test_printing_a_graph_imports_what_a_graph_needs(tmp_path: Path) -> None:
    script = (
        "import sys; from ascend_opt.tools.ascend_opt import main; main(sys.argv[1:]); "
        "late = {'lark', 'numpy', 'difflib', 'xdsl.dialects.scf', 'ascend_opt.dialects.ascend', "
        "'ascend_opt.dialects.tile', 'ascend_opt.dialects.target_parser'}; print(sorted(late & sys.modules.keys()))"
    )
    done = run_python("-c", script, str(write(tmp_path, GRAPH)), "--target", "ascend910b", "-o", os.devnull)
    assert done.stdout == "[]\n", done


@pytest.mark.parametrize("options", [(), ("--fuse",), ("--fuse", "--lower")])
def test_graph_text_does_not_import_numpy(options: tuple[str, ...], tmp_path: Path) -> None:
    script = (
        "import sys; from ascend_opt.tools.ascend_opt import main; main(sys.argv[1:]); "
        "print('numpy' in sys.modules)"
    )
    assert run_python("-c", script, str(write(tmp_path, GRAPH)), *options).stdout.endswith("False\n")


@pytest.mark.parametrize(("arguments", "ends"), [("", True), ("sys.argv[1:]", False)])
def test_a_process_that_ends_leaves_its_objects_to_the_system(
    arguments: str, ends: bool, tmp_path: Path
) -> None:
    script = (
        "import gc, sys; from ascend_opt.tools.ascend_opt import main; "
        f"main({arguments}); print(gc.get_freeze_count() > 0, gc.isenabled())"
    )
    done = run_python("-c", script, str(write(tmp_path, GRAPH)), "-o", os.devnull)
    assert done.stdout == f"{ends} True\n", done


def test_the_output_does_not_depend_on_the_hash_seed(repository: Path) -> None:
    file = str(repository / "examples/conv_bn_relu.mlir")
    passes = "graph-canonicalize,graph-fold-batch-norm,graph-fold-constants"
    outputs = {
        run_python(
            "-m",
            "ascend_opt.tools.ascend_opt",
            file,
            "-p",
            passes,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(outputs) == 1 and "graph.conv2d" in outputs.pop()


def test_a_reader_that_stops_early_is_no_error(repository: Path) -> None:
    command = (
        f"{sys.executable} -m ascend_opt.tools.ascend_opt {repository}/examples/conv_bn_relu.mlir | true"
    )
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr


def test_dialects_and_passes_inside_plain_xdsl_opt(
    ascend_opt: Callable[..., Any], tmp_path: Path, repository: Path
) -> None:
    xdsl_opt = Path(sysconfig.get_path("scripts")) / "xdsl-opt"
    printed = ascend_opt(repository / "examples/conv_bn_relu.mlir").output
    path = write(tmp_path, printed)
    done = subprocess.run(
        [xdsl_opt, path, "-p", "graph-canonicalize", "-t", "graph-text"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "graph @conv_bn_relu(" in done.stdout
