"""Products of i8 on the Cube: sums of i32, exact, against numpy by definition; what chips refuse."""

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import CompileError, Program, compile_until
from ascend_opt.dialects import ascend
from ascend_opt.dialects.ascend.memory import dtype_of

CHIPS = ("ascend910b1", "ascend950")
COUPLED = ("ascend910", "ascend310p")
SIZES = [(64, 128, 96), (17, 40, 24), (1, 1, 1), (5, 33, 7), (300, 512, 260), (16, 48, 1000)]


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
