"""i8 tensors through whole kernels: values on all kinds of chips, hazards on; what FixPipe does of a quantisation."""

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import Program, compile_until
from ascend_opt.compiler.checks.run_check import NUDGE, check_outputs, output_error
from ascend_opt.dialects import ascend, tile
from ascend_opt.dialects.ascend.cube import fixpipe_scale

CHIPS = ("ascend910", "ascend310p", "ascend910b1", "ascend950")
SPLIT = ("ascend910b1", "ascend950")


def _graph(arguments: str, *lines: str) -> str:
    """Graph text; the last line's value is returned, earlier ones are %0, %1, …"""
    body = [f"  %{i} = {line}" for i, line in enumerate(lines)]
    return "\n".join([f"graph @g({arguments}) {{", *body, f"  return %{len(lines) - 1}", "}"])


def _inputs(program: Program, seed: int = 0) -> dict[str, np.ndarray]:
    """Normal numbers, all numbers of i8; `w` keeps products in range."""
    rng = np.random.default_rng(seed)
    given: dict[str, np.ndarray] = {}
    for name, tensor in program.inputs.items():
        if str(tensor.element_type) == "i8":
            given[name] = rng.integers(-128, 128, tensor.shape).astype(np.int8)
        else:
            depth = np.prod(tensor.shape[1:]) if len(tensor.shape) == 4 else tensor.shape[0]
            given[name] = rng.standard_normal(tensor.shape) * (depth**-0.5 if name == "w" else 2)
    return given


def _vector_ops(program: Program) -> list[str]:
    ops = (op for op in compile_until(program, "ascend").walk() if isinstance(op, ascend.VecOp))
    return sorted({op.instruction.data for op in ops})


def _steps(program: Program) -> tuple[float, int] | None:
    """What FixPipe multiplies by and adds."""
    found = [op.steps for op in compile_until(program, "ascend").walk() if isinstance(op, ascend.FixpipeOp)]
    return found[0] if found else None


EPILOGUES = {
    "none": (),
    "bias and relu": ("bias_add(%0, %b) {axis = 1}", "relu(%1)"),
    "gelu": ("gelu(%0)",),
}


def _product(m: int, k: int, n: int, epilogue: str, dtype: str = "f16", steps: str = "scale = 0.037") -> str:
    lines = ("matmul(%x, %w)", *EPILOGUES[epilogue])
    arguments = (
        f"%x: tensor<{m}x{k}x{dtype}>, %w: tensor<{k}x{n}x{dtype}> {{weight}}, %b: tensor<{n}x{dtype}>"
    )
    return _graph(arguments, *lines, f"quantize(%{len(lines) - 1}) {{{steps}}}")


def _convolution(n: int, c: int, h: int, w: int, o: int, epilogue: str) -> str:
    lines = ("conv2d(%x, %w) {pads = [1, 1, 1, 1]}", *EPILOGUES[epilogue])
    arguments = (
        f"%x: tensor<{n}x{c}x{h}x{w}xf16>, %w: tensor<{o}x{c}x3x3xf16> {{weight}}, %b: tensor<{o}xf16>"
    )
    return _graph(arguments, *lines, f"quantize(%{len(lines) - 1}) {{scale = 0.05, zero_point = -7}}")


def _bias(shape: str, length: int, axis: int, dtype: str = "f16") -> str:
    return _graph(
        f"%x: tensor<{shape}xi8>, %b: tensor<{length}x{dtype}>",
        f"dequantize(%x) {{scale = 0.05, zero_point = 3, to = {dtype}}}",
        f"bias_add(%0, %b) {{axis = {axis}}}",
        "quantize(%1) {scale = 0.03, zero_point = 1}",
    )


RESIDUAL = (
    "matmul(%x, %w)",
    "dequantize(%r) {scale = 0.1}",
    "add(%0, %1)",
    "quantize(%2) {scale = 0.1, zero_point = 9}",
)
PLANES = (
    "conv2d(%x, %w)",
    "dequantize(%r) {scale = 0.1}",
    "add(%0, %1)",
    "quantize(%2) {scale = 0.1}",
)

CASES = {
    "flat": _graph("%x: tensor<40000xf16>", "quantize(%x) {scale = 0.02, zero_point = 5}"),
    "few": _graph("%x: tensor<5xf16>", "quantize(%x) {scale = 0.02}"),
    "one": _graph("%x: tensor<1xf32>", "quantize(%x) {scale = 0.02}"),
    "ragged f32": _graph("%x: tensor<37x77xf32>", "quantize(%x) {scale = 0.02, zero_point = -128}"),
    "to f16": _graph("%x: tensor<37x77xi8>", "dequantize(%x) {scale = 0.02, zero_point = -128}"),
    "to f32": _graph("%x: tensor<37x77xi8>", "dequantize(%x) {scale = 0.02, to = f32}"),
    "behind exp": _graph(
        "%x: tensor<300x50xf16>", "exp(%x)", "quantize(%0) {scale = 0.1, zero_point = -100}"
    ),
    "columns": _bias("300x77", 77, 1),
    "columns, odd rows": _bias("33x1001", 1001, 1),
    "columns, short": _bias("257x5", 5, 1, "f32"),
    "rows": _bias("48x100", 48, 0),
    "rows of odd planes": _bias("3x17x257", 17, 1, "f32"),
    "half a block": _bias("64x48", 48, 1),
    "product": _product(130, 96, 200, "bias and relu"),
    "product of ragged rows": _product(37, 100, 77, "bias and relu"),
    "product of half blocks": _product(64, 64, 48, "none", steps="scale = 0.1, zero_point = 3"),
    "product, short rows": _product(257, 33, 5, "gelu", steps="scale = 0.1, zero_point = 3"),
    "product, one row": _product(1, 100, 1001, "gelu", steps="scale = 0.05"),
    "product, one column": _product(100, 64, 1, "bias and relu"),
    "product and i8": _graph("%x: tensor<70x64xf16>, %w: tensor<64x90xf16>, %r: tensor<70x90xi8>", *RESIDUAL),
    "image": _convolution(2, 20, 14, 14, 40, "bias and relu"),
    "odd image": _convolution(1, 16, 17, 19, 33, "none"),
    "small image": _convolution(3, 3, 5, 7, 5, "gelu"),
    "wide image": _convolution(1, 16, 8, 320, 16, "bias and relu"),
    "image and i8": _graph(
        "%x: tensor<2x20x9x11xf16>, %w: tensor<24x20x1x1xf16> {weight}, %r: tensor<2x24x9x11xi8>", *PLANES
    ),
}


def _check(text: str, chip: str, fuse: bool) -> None:
    program = ascend_opt.compile(text, target=chip, fuse=fuse, tune=1)
    given = _inputs(program)
    result = program.run(given)
    nudged = program.nudged_reference(given, NUDGE)
    (check,) = check_outputs(
        result.outputs, program.reference(given), program.target.overflow, nudged
    ).values()
    assert check.passed, check.measured
    assert not fuse or "(%x, %w)" not in text or len(result.profile.kernels) == 1


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("chip", CHIPS)
def test_values(name: str, chip: str):
    _check(CASES[name], chip, True)


@pytest.mark.parametrize("chip", SPLIT)
def test_values_of_parts_of_lines(chip: str):
    _check(_convolution(1, 16, 4, 600, 16, "bias and relu"), chip, True)


@pytest.mark.parametrize("name", ["columns", "product and i8", "odd image", "image and i8"])
@pytest.mark.parametrize("chip", ["ascend910", "ascend910b1"])
def test_values_unfused(name: str, chip: str):
    _check(CASES[name], chip, False)


@pytest.mark.parametrize("epilogue", EPILOGUES)
@pytest.mark.parametrize("chip", SPLIT)
def test_values_of_f32_products(epilogue: str, chip: str):
    _check(_product(70, 100, 90, epilogue, "f32"), chip, True)


@pytest.mark.parametrize("dtype", ["f16", "f32"])
@pytest.mark.parametrize("chip", CHIPS)
def test_alone_it_is_exact(chip: str, dtype: str):
    """Halves go to the even neighbour before the zero point is added, and nothing leaves the range."""
    kind = np.float16 if dtype == "f16" else np.float32
    text = _graph(f"%x: tensor<1024x{dtype}>", "quantize(%x) {scale = 0.5, zero_point = 3}")
    x = np.arange(-512, 512).astype(kind) / 4
    x[:6] = 65000, -65000, np.inf, -np.inf, 0, np.nan
    found = ascend_opt.compile(text, target=chip).run(x=x).outputs["output0"]
    steps = np.rint(x.astype(np.float64) / 0.5) + 3
    np.testing.assert_array_equal(found, np.clip(np.where(np.isnan(steps), 0, steps), -128, 127))
    assert found[:6].tolist() == [127, -128, 127, -128, 3, 0]


@pytest.mark.parametrize("scale", [0.05, 0.037, 1.7])
def test_a_number_next_to_a_half_is_not_rounded_twice(scale: float):
    """Every finite f16 number: only where x / scale is a half to the last digit of f32 is it a step off."""
    x = np.arange(65536, dtype=np.uint16).view(np.float16)
    x = x[np.isfinite(x)]
    text = _graph(f"%x: tensor<{x.size}xf16>", f"quantize(%x) {{scale = {scale}}}")
    found = ascend_opt.compile(text, target="ascend910", tune=1).run(x=x).outputs["output0"]
    exact = np.clip(np.rint(x.astype(np.float64) / scale), -128, 127)
    assert (found != exact).sum() <= 20
    assert np.abs(found - exact).max() <= 1


@pytest.mark.parametrize("to", ["f16", "f32"])
@pytest.mark.parametrize("chip", CHIPS)
def test_back_from_every_byte(chip: str, to: str):
    x = np.arange(-128, 128).astype(np.int8)
    text = _graph("%x: tensor<256xi8>", f"dequantize(%x) {{scale = 0.037, zero_point = -128, to = {to}}}")
    found = ascend_opt.compile(text, target=chip).run(x=x).outputs["output0"]
    assert found.dtype == (np.float16 if to == "f16" else np.float32)
    exact = (x.astype(np.float64) + 128) * 0.037
    np.testing.assert_allclose(found, exact, rtol=2.0**-11 * 1.01 if to == "f16" else 2.0**-23)


@pytest.mark.parametrize("chip", SPLIT)
@pytest.mark.parametrize("epilogue", ["none", "bias and relu"])
@pytest.mark.parametrize("n", [200, 77])
def test_fixpipe_quantises_a_product(chip: str, epilogue: str, n: int):
    program = ascend_opt.compile(_product(130, 96, n, epilogue), target=chip, tune=1)
    assert _steps(program) == (fixpipe_scale(1 / 0.037), 0)
    assert _vector_ops(program) == []
    cores = {op.core.data for op in program.module.walk() if isinstance(op, ascend.KernelOp) and op.core}
    assert cores == {"aic"}


@pytest.mark.parametrize(
    ("epilogue", "zero_point", "steps"),
    [("none", 5, (20.0, 5)), ("bias and relu", 0, (20.0, 0)), ("bias and relu", 5, None), ("gelu", 0, None)],
)
def test_fixpipe_rectifies_after_it_adds(epilogue: str, zero_point: int, steps: tuple[float, int] | None):
    """So relu before a quantisation with a zero point stays a relu, and the Vector cores quantise."""
    text = _product(64, 64, 64, epilogue, steps=f"scale = 0.05, zero_point = {zero_point}")
    program = ascend_opt.compile(text, target="ascend910b1", tune=1)
    assert _steps(program) == steps
    assert ("vconv" in _vector_ops(program)) == (steps is None)
    _check(text, "ascend910b1", True)


def test_a_slope_stays_in_front():
    lines = ("matmul(%x, %w)", "leaky_relu(%0) {alpha = 0.25}", "quantize(%1) {scale = 0.05}")
    text = _graph("%x: tensor<64x64xf16>, %w: tensor<64x64xf16>", *lines)
    assert _steps(ascend_opt.compile(text, target="ascend910b1", tune=1)) is None
    _check(text, "ascend910b1", True)


def test_images_are_laid_out_by_vector_cores():
    program = ascend_opt.compile(CASES["image"], target="ascend910b1", tune=1)
    assert _steps(program) is None
    extracts = [op for op in compile_until(program, "tile").walk() if isinstance(op, tile.ExtractOp)]
    assert [op.slope is not None for op in extracts] == [True]


def test_fixpipe_reads_ten_bits_of_a_factor():
    assert [fixpipe_scale(x) for x in (20.0, -0.5, 3 * 2.0**40)] == [20.0, -0.5, 3 * 2.0**40]
    assert fixpipe_scale(1 + 2.0**-10) == 1 + 2.0**-10
    assert fixpipe_scale(1 + 2.0**-12) == 1.0
    assert abs(fixpipe_scale(1 / 0.037) * 0.037 - 1) < 2.0**-11


def test_bytes_count_once():
    """A quantised result is a quarter of the bytes of f32, in what the report says and what DMA moves."""
    times: dict[str, int] = {}
    for last in ("quantize(%x) {scale = 0.05}", "relu(%x)"):
        text = _graph("%x: tensor<512x512xf32>", last)
        program = ascend_opt.compile(text, target="ascend910b1", tune=1)
        profile = program.run(x=np.ones((512, 512))).profile
        times[last[:4]] = profile.kernels[0].dma_write_bytes
    assert times == {"quan": 512 * 512, "relu": 4 * 512 * 512}


@pytest.mark.parametrize("rows", [2, 3, 37])
def test_single_columns_on_chips_that_write_whole_blocks(rows: int):
    """Each is merged with the other bytes of its block, of which the tile has fewer."""
    text = _graph(
        f"%x: tensor<1x{rows}x1x2xf16>, %w: tensor<1x1x2x1xf16>",
        "matmul(%x, %w)",
        "quantize(%0) {scale = 0.25, zero_point = 0}",
    )
    for chip in ("ascend910", "ascend310p"):
        program = ascend_opt.compile(text, target=chip, tune=1)
        rng = np.random.default_rng(rows)
        given = {name: rng.integers(-8, 8, t.shape) / 4 for name, t in program.inputs.items()}
        (out,) = program.run(given).outputs.values()
        np.testing.assert_array_equal(out, np.rint(given["x"] @ given["w"] * 4), chip)


def test_weights_come_as_i8():
    """What depends on weights alone is prepared once, whatever its type."""
    lines = ("dequantize(%w) {scale = 0.01}", "matmul(%x, %0)")
    text = _graph("%x: tensor<64x96xf16>, %w: tensor<96x64xi8> {weight}", *lines)
    program = ascend_opt.compile(text, target="ascend910", tune=1)
    given = _inputs(program)
    given["w"] = np.random.default_rng(0).integers(-128, 128, (96, 64)).astype(np.int8)
    result = program.run(given)
    assert len(result.profile.kernels) == 1
    (check,) = check_outputs(result.outputs, program.reference(given)).values()
    assert check.passed, check.measured


def test_what_is_one_step_off_counts():
    right = np.arange(100, dtype=np.int8)
    wrong = right.copy()
    wrong[:4] += 1
    assert output_error(wrong, right) == 0.03  # the first does not count
    wrong[0] += 1
    assert output_error(wrong, right) == np.inf
    assert output_error(wrong, right, most=2) == 0.03
    (bad,) = check_outputs({"y": wrong}, {"y": right}).values()
    assert not bad.passed and "by more than a step" in bad.failure
    (loose,) = check_outputs({"y": wrong}, {"y": right}, nudged={"y": wrong}).values()
    assert loose.passed and loose.bound == pytest.approx(0.05)


@pytest.mark.parametrize("chip", CHIPS)
def test_one_number_has_no_axis(chip: str):
    """A tensor of rank 0: to bytes and back, and back alone."""
    text = """graph @one(%x: tensor<f16>, %b: tensor<i8>) {
      %0 = quantize(%x) {scale = 0.05, zero_point = 3}
      %1 = dequantize(%0) {scale = 0.05, zero_point = 3, to = f16}
      %2 = dequantize(%b) {scale = 0.25, zero_point = -2, to = f16}
      return %1, %2
    }"""
    inputs = {"x": np.float16(1.23), "b": np.int8(-77)}
    for fuse in (True, False):
        result = ascend_opt.compile(text, target=chip, fuse=fuse, tune=1).run(inputs)
        there, back = (float(np.asarray(v)) for v in result.outputs.values())
        assert there == pytest.approx(1.25, abs=1e-3) and back == (-77 + 2) * 0.25
