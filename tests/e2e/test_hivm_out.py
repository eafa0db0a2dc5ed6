"""Compiled kernels as HIVM: read back, they give the same values in about the same time; AscendNPU-IR verifies them;
what HIVM cannot say is refused with the op and the reason."""

import shutil
import subprocess
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.func import FuncOp

import ascend_opt
from ascend_opt.compiler.api import CompileError, Program
from ascend_opt.hivm import emit, load, read_back
from ascend_opt.runtime.support.hazard import HazardError
from ascend_opt.tools.ascend_opt import main

KERNELS = {
    "gather": "graph @f(%x: tensor<100x256xf16>, %i: tensor<32xi32>) "
    "{\n %y = gather(%x, %i) {axis = 0}\n return %y\n}",
    "add and relu, ragged": "graph @f(%x: tensor<301x999xf16>, %y: tensor<301x999xf16>) "
    "{\n %a = add(%x, %y)\n %b = relu(%a)\n return %b\n}",
    "a row and a column": "graph @f(%x: tensor<512x256xf16>, %r: tensor<256xf16>, %c: tensor<512x1xf16>) "
    "{\n %a = mul(%x, %r)\n %b = add(%a, %c)\n %d = tanh(%b)\n return %d\n}",
    "softmax": "graph @f(%x: tensor<200x1000xf16>) {\n %y = softmax(%x)\n return %y\n}",
    "rms_norm": "graph @f(%x: tensor<256x1024xf16>, %g: tensor<1024xf16>) "
    "{\n %y = rms_norm(%x, %g)\n return %y\n}",
    "sum of columns": "graph @f(%x: tensor<8x512x100xf32>) {\n %y = reduce_sum(%x) {axes = [0]}\n return %y\n}",
    "transpose": "graph @f(%x: tensor<256x512xf16>) {\n %y = transpose(%x) {perm = [1, 0]}\n return %y\n}",
    "product": "graph @f(%x: tensor<512x512xf16>, %w: tensor<512x512xf16>) {\n %y = matmul(%x, %w)\n return %y\n}",
    "ragged product of a weight": "graph @f(%x: tensor<300x256xf16>, %w: tensor<256x500xf16> {weight}) "
    "{\n %y = matmul(%x, %w)\n return %y\n}",
    "product of f32": "graph @f(%x: tensor<64x256xf32>, %w: tensor<256x192xf32>) "
    "{\n %y = matmul(%x, %w)\n return %y\n}",
    "one row": "graph @f(%x: tensor<1x1024xf16>, %w: tensor<1024x1024xf16> {weight}) "
    "{\n %y = matmul(%x, %w)\n return %y\n}",
    "a repeated column": "graph @f(%x: tensor<4x9xf16>, %c: tensor<17xf16>) "
    "{\n %w = broadcast(%c) {shape = [9, 17]}\n %y = matmul(%x, %w)\n return %y\n}",
    "batched product": "graph @f(%x: tensor<8x64x64xf16>, %y: tensor<8x64x64xf16>) "
    "{\n %z = matmul(%x, %y)\n return %z\n}",
    "bias and relu": "graph @f(%x: tensor<128x256xf16>, %w: tensor<256x512xf16> {weight}, "
    "%b: tensor<512xf16> {weight}) "
    "{\n %p = matmul(%x, %w)\n %s = bias_add(%p, %b) {axis = -1}\n %y = relu(%s)\n return %y\n}",
    "a bias of 300 columns": "graph @f(%x: tensor<1000x256xf16>, %w: tensor<256x300xf16> {weight}, "
    "%b: tensor<300xf16> {weight}) "
    "{\n %p = matmul(%x, %w)\n %s = bias_add(%p, %b) {axis = -1}\n %y = relu(%s)\n return %y\n}",
    "a bias for each tile": "graph @f(%x: tensor<777x1xf32>, %w: tensor<1x777xf32> {weight}, "
    "%b: tensor<777xf32> {weight}) "
    "{\n %p = matmul(%x, %w)\n %s = bias_add(%p, %b) {axis = -1}\n return %s\n}",
    "a bias in front of a loop": "graph @f(%x: tensor<256x500xbf16>, %w: tensor<500x100xbf16>, %b: tensor<100xbf16>) "
    "{\n %p = matmul(%x, %w)\n %s = bias_add(%p, %b) {axis = -1}\n return %s\n}",
    "ragged product and residual": "graph @f(%x: tensor<333x33xf16>, %w: tensor<33x333xf16>, %r: tensor<333x333xf16>) "
    "{\n %p = matmul(%x, %w)\n %y = add(%p, %r)\n return %y\n}",
    "product and gelu": "graph @f(%x: tensor<256x512xf16>, %w: tensor<512x512xf16> {weight}) "
    "{\n %p = matmul(%x, %w)\n %y = gelu(%p)\n return %y\n}",
    "attention": "graph @f(%q: tensor<4x128x64xf16>, %k: tensor<4x128x64xf16>, %v: tensor<4x128x64xf16>) {\n"
    " %t = transpose(%k) {perm = [0, 2, 1]}\n %s = matmul(%q, %t)\n %p = softmax(%s)\n %y = matmul(%p, %v)\n"
    " return %y\n}",
    "convolution of pixels": "graph @f(%x: tensor<1x64x28x28xf16>, %w: tensor<64x64x1x1xf16> {weight}) "
    "{\n %y = conv2d(%x, %w)\n return %y\n}",
    "softmax of any rows": "graph @f(%x: tensor<?x1000xf16>) {\n %y = softmax(%x)\n return %y\n}",
    "product of any rows": "graph @f(%x: tensor<?x256xf16>, %w: tensor<256x512xf16> {weight}, "
    "%b: tensor<512xf16> {weight}) "
    "{\n %p = matmul(%x, %w)\n %s = bias_add(%p, %b) {axis = -1}\n %y = relu(%s)\n return %y\n}",
    "two launches as one": "graph @f(%x: tensor<200x1000xf16>, %z: tensor<64x500xf16>) "
    "{\n %s = softmax(%x)\n %m = tanh(%z)\n return %s, %m\n}",
    "a product beside rows": "graph @f(%x: tensor<256x512xf16>, %w: tensor<512x128xf16> {weight}, "
    "%z: tensor<64x500xf16>) {\n %p = matmul(%x, %w)\n %m = softmax(%z)\n return %p, %m\n}",
    "greater": "graph @f(%x: tensor<64x512xf16>, %y: tensor<64x512xf16>) "
    '{\n %m = compare(%x, %y) {direction = "gt"}\n %z = select(%m, %x, %y)\n return %z\n}',
}


@pytest.fixture(scope="module", params=KERNELS)
def program(request: pytest.FixtureRequest) -> Program:
    return ascend_opt.compile(KERNELS[request.param], target="ascend910b", tune=1)


def test_values_and_time_are_the_same(program: Program):
    random = np.random.default_rng(5)
    inputs: dict[str, np.ndarray[Any, Any]] = {
        name: random.standard_normal([37 if size < 0 else size for size in tensor.shape])
        for name, tensor in program.inputs.items()
    }
    if "i" in inputs:
        inputs["i"] = random.integers(-100, 100, inputs["i"].shape, dtype=np.int32)
    text = emit(program)
    back = read_back(program, text)
    ours, theirs = program.run(inputs), back.run(inputs, flags="count")
    for name, value in ours.outputs.items():
        assert np.any(value)
        if "mmadL1" in text:  # which may add the products of a sum in other parts
            np.testing.assert_allclose(theirs.outputs[name], value, rtol=2**-8, atol=2**-8)
            assert np.mean(theirs.outputs[name] != value) < 1e-3
        else:
            np.testing.assert_array_equal(theirs.outputs[name], value)
    ahead = [str(one) for finding in theirs.findings for one in finding.instructions]
    assert all('_flag "MTE1" -> "M"' in one or '_flag "M" -> "MTE1"' in one for one in ahead)  # within mmadL1
    assert theirs.profile.total_us == pytest.approx(ours.profile.total_us, rel=0.1)


def test_a_kernel_of_any_rows_is_launched_with_its_numbers():
    """Behind its tensors it takes the rows, and how many tiles these are."""
    program = ascend_opt.compile(KERNELS["softmax of any rows"], target="ascend910b", tune=1)
    functions = {op.sym_name.data: op for op in program.module.body.block.ops if isinstance(op, FuncOp)}
    constants = [op.value for op in functions["f_0.tiling"].walk() if isinstance(op, arith.ConstantOp)]
    assert isinstance(constants[0], IntegerAttr)
    tiles = -(-37 // constants[0].value.data)
    x = np.random.default_rng(3).standard_normal((37, 1000)).astype(np.float16)
    given: dict[str, Any] = {"x": x, "y": np.zeros_like(x), "extent": 37, "tiles": tiles}
    found = load(emit(program)).launch(tiles, given, names=tuple(given))
    ours = program.run(x=x)
    np.testing.assert_array_equal(found.outputs["y"], ours.outputs["output0"])
    assert found.time_us == pytest.approx(ours.profile.total_us, rel=0.1)


def test_a_missing_flag_is_a_race():
    program = ascend_opt.compile(KERNELS["add and relu, ragged"], target="ascend910b", tune=1)
    text = emit(program)
    lines = [
        line
        for line in text.splitlines()
        if not (
            "_flag" in line
            and "set_pipe = #hivm.pipe<PIPE_V>, " in line
            and "wait_pipe = #hivm.pipe<PIPE_MTE3>" in line
        )
    ]
    assert len(lines) < len(text.splitlines())
    with pytest.raises(HazardError, match="race"):
        x = np.ones((301, 999), np.float16)
        read_back(program, "\n".join(lines)).run({"x": x, "y": x})


def bishengir_opt() -> str | None:
    found = find_spec("ascendnpuir")
    if found is not None and found.submodule_search_locations:
        return str(Path(next(iter(found.submodule_search_locations))) / "bin" / "bishengir-opt")
    return shutil.which("bishengir-opt")


@pytest.mark.skipif(bishengir_opt() is None, reason="the extra [triton] is missing")
def test_ascendnpu_ir_verifies_it(program: Program, tmp_path: Path):
    file = tmp_path / "kernel.mlir"
    file.write_text(emit(program))
    tool = bishengir_opt()
    assert tool is not None
    done = subprocess.run(
        [tool, file, "-o", tmp_path / "out.mlir"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.full
def test_each_flag_of_a_product_is_found_or_not_needed():
    """One after the other is taken out of the text: an op that sets or waits, an id of `mmadL1`."""
    program = ascend_opt.compile(KERNELS["a bias of 300 columns"], target="ascend910b", tune=1)
    lines = emit(program).splitlines()
    random = np.random.default_rng(2)
    inputs = {name: random.standard_normal(tensor.shape) for name, tensor in program.inputs.items()}
    wanted = program.run(inputs).outputs["output0"]
    found = 0
    for at, line in enumerate(lines):
        if "_flag" not in line or "unit_flag" in line:
            continue
        racy = read_back(program, "\n".join([*lines[:at], *lines[at + 1 :]]))
        try:
            values = racy.run(inputs, flags="count").outputs["output0"]
        except HazardError:
            found += 1
        else:
            np.testing.assert_array_equal(values, wanted)
    assert found > 5


CONVOLUTION = """graph @f(%x: tensor<1x16x56x56xf16>, %w: tensor<16x16x3x3xf16>) {
  %y = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
  return %y
}"""
DEPTHWISE = """graph @f(%x: tensor<1x32x28x28xf16>, %w: tensor<32x1x3x3xf16> {weight}) {
  %y = conv2d(%x, %w) {pads = [1, 1, 1, 1], groups = 32}
  return %y
}"""

MASKED = """graph @f(%q: tensor<1x2x16xf16>, %k: tensor<1x2x16xf16>, %v: tensor<1x2x16xf16>, %m: tensor<2x2xi1>) {
  %y = attention(%q, %k, %v, %m)
  return %y
}"""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (CONVOLUTION, "ascend.load3d: HIVM has no image-to-column load"),
        (DEPTHWISE, "vmadd: HIVM has no op for it"),
        (MASKED, "a byte for each i1 has no form in HIVM, whose i1 are bits"),
    ],
)
def test_what_hivm_cannot_say_is_refused(text: str, reason: str):
    program = ascend_opt.compile(text, target="ascend910b", tune=1)
    with pytest.raises(CompileError, match="<string>:2:") as refused:
        emit(program)
    assert reason in str(refused.value)


def test_all_kernels_that_are_refused_are_listed():
    text = """graph @f(%x: tensor<1x32x28x28xf16>, %v: tensor<1x32x14x14xf16>, %w: tensor<32x1x3x3xf16> {weight}) {
  %y = conv2d(%x, %w) {pads = [1, 1, 1, 1], groups = 32}
  %u = conv2d(%v, %w) {pads = [1, 1, 1, 1], groups = 32}
  return %y, %u
}"""
    program = ascend_opt.compile(text, target="ascend910b", tune=1, join_launches=False)
    with pytest.raises(CompileError, match=r"vmadd: .*; 1 more kernel is refused: @f_1 \(vmadd\)"):
        emit(program)


def test_a_chip_whose_cores_are_both_is_refused():
    program = ascend_opt.compile(KERNELS["softmax"], target="ascend310p", tune=1)
    with pytest.raises(CompileError, match="ascend310p"):
        emit(program)


def test_the_option_writes_what_bishengir_reads(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    file = tmp_path / "k.mlir"
    file.write_text(KERNELS["add and relu, ragged"])
    assert main([str(file), "--target", "ascend910b", "--fuse", "--lower", "--emit", "hivm"]) == 0
    written = capsys.readouterr().out
    assert '"hivm.hir.vadd"' in written and '"hivm.hir.vrelu"' in written and "ascend." not in written
    assert main([str(file), "--emit", "hivm"]) == 1
    assert "--lower" in capsys.readouterr().err


def test_texts_that_are_none_of_the_program():
    program = ascend_opt.compile(KERNELS["softmax"])
    with pytest.raises(CompileError, match=r"^<hivm>:1:1: error: unknown operation 'x'"):
        read_back(program, "x")
    with pytest.raises(CompileError, match="@other_0 is no kernel of @f"):
        read_back(program, emit(ascend_opt.compile(KERNELS["softmax"].replace("@f", "@other"))))
    calls: list[tuple[Callable[[Any], object], str]] = [
        (emit, "program is a program, not 5"),
        (load, "text_or_path is the path of a file, not 5"),
    ]
    for call, message in calls:
        with pytest.raises(TypeError, match=f"^{message}$"):
            call(5)
