"""Every level prints what it parses, the same bytes each time, in a generic form that LLVM's mlir-opt reads."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer

from ascend_opt.compiler.pipeline.pipelines import build_passes, stages
from ascend_opt.compiler.pipeline.read_module import make_context, read_module
from ascend_opt.compiler.pipeline.universe import UNIVERSE
from ascend_opt.compiler.pipeline.verify import verify_module
from ascend_opt.compiler.text.mlir_text import parse_mlir_text

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.mlir"))
LEVELS: dict[str, tuple[str, ...]] = {"graph": (), "tile": ("fuse",), "ascend": ("fuse", "lower")}
TARGETS = ("ascend910", "ascend310p")
MLIR_OPT = shutil.which("mlir-opt-19") or shutil.which("mlir-opt")

each_level = pytest.mark.parametrize("level", LEVELS)
each_example = pytest.mark.parametrize(
    "example",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.full] if path.stem == "attention" else [])
        for path in EXAMPLES
    ],
)
each_target = pytest.mark.parametrize("target", TARGETS)


def at_level(example: Path, level: str, target: str) -> ModuleOp:
    module = read_module(example).module
    specs = [stage for pipeline in LEVELS[level] for stage in stages(pipeline)]
    context = make_context()
    for one in build_passes(UNIVERSE.all_passes, specs, target):
        one.apply(context, module)
    verify_module(module)
    return module


def text_of(module: ModuleOp, generic: bool = False) -> str:
    stream = StringIO()
    Printer(stream, print_generic_format=generic).print_op(module)
    return stream.getvalue() + "\n"


@pytest.mark.sweep(2)
@each_example
@each_level
@each_target
def test_printed_text_parses_and_prints_identically(example: Path, level: str, target: str):
    module = at_level(example, level, target)
    first = text_of(module)
    parsed = parse_mlir_text(make_context(), first, "first")
    verify_module(parsed)
    assert text_of(parsed) == first
    generic = parse_mlir_text(make_context(), text_of(module, generic=True), "generic")
    verify_module(generic)
    assert text_of(generic) == first


@pytest.mark.sweep(2)
@each_example
@each_target
def test_passes_one_by_one_give_the_text_of_all_at_once(example: Path, target: str):
    """With text in between: nothing depends on the order in which attributes were set."""
    whole = text_of(at_level(example, "ascend", target))
    text = text_of(read_module(example).module)
    for pipeline in LEVELS["ascend"]:
        for stage in stages(pipeline):
            module = parse_mlir_text(make_context(), text, "before")
            for one in build_passes(UNIVERSE.all_passes, [stage], target):
                one.apply(make_context(), module)
            text = text_of(module)
    assert text == whole


@each_example
def test_driver_prints_what_it_reads(example: Path, ascend_opt: Callable[..., object], tmp_path: Path):
    """The whole way through the command line: lower, then read the result back."""
    lowered, again = tmp_path / "lowered.mlir", tmp_path / "again.mlir"
    ascend_opt(example, "--fuse", "--lower", "-o", lowered)
    ascend_opt(lowered, "-o", again)
    assert lowered.read_bytes() == again.read_bytes()
    assert b"ascend.kernel" in lowered.read_bytes()


@each_level
def test_output_does_not_depend_on_the_hash_seed(level: str):
    flags = [f"--{pipeline}" for pipeline in LEVELS[level]]
    outputs = [
        _in_process_with_seed(seed, ["--split-input-file", *flags] if level == "graph" else flags)
        for seed in ("0", "4242")
    ]
    assert outputs[0] == outputs[1]
    assert all(f"@{path.stem}".encode() in outputs[0] for path in EXAMPLES)


def _in_process_with_seed(seed: str, flags: list[str]) -> bytes:
    """What one fresh interpreter prints for all examples, the targets in turns."""
    script = (
        "import sys\n"
        "from ascend_opt.tools.ascend_opt import main\n"
        "flags, paths = sys.argv[1].split(), sys.argv[2:]\n"
        "for number, path in enumerate(paths):\n"
        f"    target = {TARGETS}[number % {len(TARGETS)}]\n"
        "    assert main([path, *flags, '--target', target]) == 0\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", script, " ".join(flags), *map(str, EXAMPLES)]
    return subprocess.run(command, env=environment, check=True, capture_output=True).stdout


@pytest.mark.skipif(MLIR_OPT is None, reason="mlir-opt (Debian package mlir-19-tools) is not installed")
@each_example
@each_level
def test_mlir_opt_accepts_the_generic_form(example: Path, level: str):
    assert MLIR_OPT is not None
    text = text_of(at_level(example, level, "ascend910"), generic=True)
    done = subprocess.run(
        [MLIR_OPT, "--allow-unregistered-dialect"], input=text, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr[-2000:]
