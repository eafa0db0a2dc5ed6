"""Products of i8 on the Cube: sums of i32, exact, against numpy by definition; what chips refuse."""

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import CompileError, Program, compile_until
from ascend_opt.dialects import ascend
from ascend_opt.dialects.ascend.memory import dtype_of

CHIPS = ("ascend910b1", "ascend950")
COUPLED = ("ascend910", "ascend310p")
SIZES = [(64, 128, 96), (17, 40, 24), (1, 1, 1), (5, 33, 7), (300, 512, 260), (16, 48, 1000), (1, 512, 10)]


def _product(m: int, k: int, n: int, transposed: bool = False, weight: bool = True) -> str:
    right = f"{n}x{k}" if transposed else f"{k}x{n}"
    attributes = " {transpose_b = true}" if transposed else ""
    return (
        f"graph @g(%x: tensor<{m}x{k}xi8>, %w: tensor<{right}xi8>{' {weight}' * weight}) {{\n"
        f"  %0 = matmul(%x, %w){attributes}\n  return %0\n}}"
    )


def _bytes(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(-128, 128, shape).astype(np.int8)


def _only(program: Program, **inputs: np.ndarray) -> np.ndarray:
    (found,) = program.run(inputs).outputs.values()
    return found


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("how", ["weight", "transposed weight", "transposed"])
@pytest.mark.parametrize(("m", "k", "n"), SIZES)
def test_sums_are_exact(m: int, k: int, n: int, how: str, chip: str):
    turned, weight = how.startswith("transposed"), how.endswith("weight")
    program = ascend_opt.compile(_product(m, k, n, turned, weight), target=chip)
    x, w = _bytes(m, k), _bytes(*((n, k) if turned else (k, n)), seed=1)
    y = _only(program, x=x, w=w)
    assert y.dtype == np.int32
    np.testing.assert_array_equal(y, x.astype(np.int64) @ (w.T if turned else w).astype(np.int64))


@pytest.mark.parametrize(
    ("k", "wanted"), [(3001, 3001 * 2**14), (2**17, -(2**31)), (2**17 + 32, 2**19 - 2**31)]
)
def test_sums_that_f32_does_not_hold(k: int, wanted: int):
    """They keep the low 32 bits."""
    program = ascend_opt.compile(_product(1, k, 16), target="ascend910b1")
    least = np.full((1, k), -128, np.int8)
    np.testing.assert_array_equal(_only(program, x=least, w=np.repeat(least.T, 16, 1)), wanted)


def test_fractals_are_32_deep():
    program = ascend_opt.compile(_product(64, 128, 96), target="ascend910b1")
    products = [op for op in compile_until(program, "ascend").walk() if isinstance(op, ascend.MmadOp)]
    assert products and {dtype_of(op.lhs) for op in products} == {"i8"}
    assert {dtype_of(op.acc) for op in products} == {"i32"}


REFUSED = {
    "coupled": ("i8 is laid out for Cube cores only", _product(16, 32, 16)),
    "turned right": ("turns i8 over; the right operand is one matrix", _product(16, 32, 16, weight=False)),
    "turned left": (
        "turns i8 over; the left operand is",
        _product(32, 32, 32).replace("(%x, %w)", "(%x, %w) {transpose_a = true}"),
    ),
    "a group of matrices": (
        "turns i8 over; the right operand is one matrix",
        _product(16, 32, 16).replace("<16x32x", "<2x16x32x").replace("<32x16x", "<2x32x16x"),
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str):
    reason, text = REFUSED[case]
    for chip in COUPLED if case == "coupled" else CHIPS:
        with pytest.raises(CompileError, match=reason):
            ascend_opt.compile(text, target=chip)


TWO = "%x: tensor<128x1024xi8>, %w: tensor<1024x192xi8> {weight}"
SCALED = {
    "plain": (TWO, "%0 = dequantize(%x) {scale = 0.02}", "%1 = dequantize(%w) {scale = 0.01}", ""),
    "zero point": (
        TWO,
        "%0 = dequantize(%x) {scale = 0.02, zero_point = -77}",
        "%1 = dequantize(%w) {scale = 0.01}",
        "",
    ),
    "columns": (
        f"{TWO}, %s: tensor<192xf32> {{weight}}",
        "%0 = dequantize(%x) {scale = 0.02, zero_point = 5}",
        "%1 = dequantize(%w, %s) {scale = 0.5}",
        "",
    ),
    "relu, then bytes": (
        TWO,
        "%0 = dequantize(%x) {scale = 0.02, to = f32}",
        "%1 = dequantize(%w) {scale = 0.01, to = f32}",
        "%3 = relu(%2)\n %4 = quantize(%3) {scale = 0.9}",
    ),
    "f32": (
        TWO,
        "%0 = dequantize(%x) {scale = 0.02, to = f32}",
        "%1 = dequantize(%w) {scale = 0.01, to = f32}",
        "",
    ),
    "bf16": (
        TWO,
        "%0 = dequantize(%x) {scale = 0.02, to = bf16}",
        "%1 = dequantize(%w) {scale = 0.01, to = bf16}",
        "",
    ),
}


def _dequantised(case: str) -> tuple[str, np.ndarray, dict[str, np.ndarray]]:
    """Graph text of a product of dequantised operands, its exact result, and the inputs."""
    arguments, left, right, behind = SCALED[case]
    lines = [left, right, "%2 = matmul(%0, %1)", *behind.split("\n")]
    text = "\n".join([f"graph @g({arguments}) {{", *lines, f"return %{4 if behind else 2}", "}"])
    inputs = {"x": _bytes(128, 1024), "w": _bytes(1024, 192, seed=1)}
    zero = {"zero point": -77, "columns": 5}.get(case, 0)
    sums = (inputs["x"].astype(np.int64) - zero) @ inputs["w"].astype(np.int64)
    wanted = sums * (0.02 * 0.01)
    if case == "columns":
        inputs["s"] = np.random.default_rng(2).uniform(0.001, 0.02, 192).astype(np.float32)
        wanted = sums * (0.02 * 0.5) * inputs["s"].astype(np.float64)
    if behind:
        wanted = np.clip(np.rint(np.maximum(wanted, 0) / 0.9), -128, 127)
    return text, wanted, inputs


def _factors(program: Program) -> set[str]:
    """Element types that the Cube multiplies."""
    ops = compile_until(program, "ascend").walk()
    return {dtype_of(op.lhs) for op in ops if isinstance(op, ascend.MmadOp)}


BOUNDS = {"f32": 1e-6, "bf16": 2e-3, "relu, then bytes": 3e-3}
"""Relative L2 error: of the scale's 11 digits and of one rounding to storage, else."""


@pytest.mark.parametrize("case", SCALED)
@pytest.mark.parametrize("chip", CHIPS)
def test_dequantised_operands_are_multiplied_as_bytes(chip: str, case: str):
    text, wanted, inputs = _dequantised(case)
    program = ascend_opt.compile(text, target=chip, tune=1)
    assert _factors(program) == {"i8"}
    y = _only(program, **inputs).astype(np.float64)
    assert np.linalg.norm(y - wanted) <= BOUNDS.get(case, 6e-4) * np.linalg.norm(wanted)
    if case == "relu, then bytes":
        assert np.abs(y - wanted).max() <= 1 and np.mean(y != wanted) < 0.02


@pytest.mark.parametrize("chip", COUPLED)
def test_coupled_chips_multiply_as_before(chip: str):
    text, wanted, inputs = _dequantised("zero point")
    program = ascend_opt.compile(text, target=chip, tune=1)
    assert _factors(program) == {"f16"}
    y = _only(program, **inputs).astype(np.float64)
    assert np.linalg.norm(y - wanted) <= 1e-3 * np.linalg.norm(wanted)


@pytest.mark.parametrize("chip", (*CHIPS, *COUPLED))
@pytest.mark.parametrize("to", ["f16", "f32"])
@pytest.mark.parametrize("rows", [1, 40])
def test_what_follows_a_product_of_bytes(rows: int, to: str, chip: str):
    """Factors of columns have the digits of the result, and a second product has a kernel of its own."""
    if to == "f32" and chip in COUPLED:
        pytest.skip("its Cube has no f32")
    text = f"""graph @f(%x: tensor<{rows}x64xi8>, %w: tensor<64x48xi8> {{weight}}, %s: tensor<48xf32> {{weight}},
                        %u: tensor<48x32x{to}> {{weight}}) {{
      %0 = dequantize(%x) {{scale = 0.03, zero_point = 3, to = {to}}}
      %1 = dequantize(%w, %s) {{scale = 0.01, to = {to}}}
      %2 = matmul(%0, %1)
      %3 = matmul(%2, %u)
      return %2, %3
    }}"""
    kind = {"f16": np.float16, "f32": np.float32}[to]
    rng = np.random.default_rng(3)
    x, w, s = _bytes(rows, 64), _bytes(64, 48, seed=1), rng.uniform(0.1, 0.2, 48).astype(np.float32)
    u = (rng.standard_normal((48, 32)) / 7).astype(kind)
    wanted = ((x - 3.0) * 0.03) @ (w * 0.01 * s)
    for one in (text, text.replace("return %2, %3", "return %3")):
        program = ascend_opt.compile(one, target=chip, tune=1)
        *first, last = program.run({"x": x, "w": w, "s": s, "u": u}).outputs.values()
        bound = {"f16": 3e-3, "f32": 1e-4}[to]
        for found, expected in zip((*first, last), (wanted, wanted @ u)[-len(first) - 1 :], strict=True):
            error = np.linalg.norm(np.asarray(found, np.float64) - expected)
            assert error <= bound * np.linalg.norm(expected)
