"""Sums up to each element: any axis, exclusive and from the end, short rows and long ones, alone and among others."""

# pyright: basic

from itertools import product

import numpy as np
import pytest
from sweeps import ALL

import ascend_opt
from ascend_opt.compiler.api import CompileError

CHIPS = ("ascend910", "ascend310p", "ascend910b", "ascend950")
TYPES = {"f16": (np.float16, 6e-4), "f32": (np.float32, 2e-6)}
CASES = [
    # shape, axis, exclusive, reverse
    ((20, 64), 0, False, False),
    ((7, 33), 1, True, True),
    ((3, 17, 40), 1, False, True),
    ((2, 3, 5, 50), -2, True, False),
    ((1000,), 0, False, False),
    ((5,), 0, True, False),
    ((1, 1), 1, True, False),
    ((4, 1, 257), 2, False, True),
    ((600, 24), 0, True, True),
    ((6, 1500), -1, False, False),
    ((2, 700, 3), 1, True, False),
]


def _expected(x: np.ndarray, axis: int, exclusive: bool, reverse: bool) -> np.ndarray:
    """Element by element."""
    y = np.zeros(x.shape)
    size = x.shape[axis]
    for i in range(size):
        first, last = (i + exclusive, size) if reverse else (0, i + 1 - exclusive)
        met = np.take(x.astype(np.float64), np.arange(first, last), axis)
        y[(slice(None),) * (axis % x.ndim) + (i,)] = met.sum(axis)
    return y


def _run(text: str, chip: str, fuse: bool, **inputs: np.ndarray) -> np.ndarray:
    (y,) = ascend_opt.compile(text, target=chip, fuse=fuse, tune=1).run(inputs).outputs.values()
    return y.astype(np.float64)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("dtype", TYPES)
def test_values_are_those_of_the_definition(case, dtype):
    shape, axis, exclusive, reverse = case
    kind, bound = TYPES[dtype]
    x = np.random.default_rng(len(shape)).standard_normal(shape).astype(kind)
    expected = _expected(x, axis, exclusive, reverse)
    flags = f"exclusive = {str(exclusive).lower()}, reverse = {str(reverse).lower()}"
    text = f"""graph @f(%x: tensor<{"x".join(map(str, shape))}x{dtype}>) {{
      %y = cumsum(%x) {{axis = {axis}, {flags}}}
      return %y
    }}"""
    turn = CASES.index(case) + (dtype == "f32")
    for chip, fuse in product(CHIPS, (True, False)) if ALL else [(CHIPS[turn % 4], turn % 2 == 0)]:
        found = _run(text, chip, fuse, x=x)
        assert np.linalg.norm(found - expected) <= bound * np.linalg.norm(expected)


@pytest.mark.parametrize("chip", CHIPS)
def test_whole_numbers_are_exact(chip):
    x = np.random.default_rng(0).integers(-8, 9, (40, 300)).astype(np.float32)
    text = "graph @f(%x: tensor<40x300xf32>) {\n%y = cumsum(%x) {axis = 1}\nreturn %y\n}"
    np.testing.assert_array_equal(_run(text, chip, True, x=x), np.cumsum(x, 1))


AMONG = {
    "%a = softmax(%x)\n%y = cumsum(%a) {axis = 1}": lambda x: np.cumsum(
        np.exp(x) / np.exp(x).sum(1, keepdims=True), 1
    ),
    "%a = relu(%x)\n%b = cumsum(%a) {axis = 0}\n%y = exp(%b)": lambda x: np.exp(
        np.cumsum(np.maximum(x, 0), 0)
    ),
    "%a = cumsum(%x) {axis = 0}\n%y = transpose(%a) {perm = [1, 0]}": lambda x: np.cumsum(x, 0).T,
    "%a = transpose(%x) {perm = [1, 0]}\n%y = cumsum(%a) {axis = 0}": lambda x: np.cumsum(x.T, 0),
    "%a = matmul(%x, %x) {transpose_b = true}\n%y = cumsum(%a) {axis = 0}": lambda x: np.cumsum(x @ x.T, 0),
    "%a = cumsum(%x) {axis = 0}\n%y = reduce_sum(%a) {axes = [0]}": lambda x: np.cumsum(x, 0).sum(0),
    "%a = cumsum(%x) {axis = 1}\n%y = cumsum(%a) {axis = 0}": lambda x: np.cumsum(np.cumsum(x, 1), 0),
}


@pytest.mark.parametrize("body", AMONG)
def test_among_other_ops(body):
    x = (np.random.default_rng(3).standard_normal((24, 40)) / 8).astype(np.float16)
    expected = AMONG[body](x.astype(np.float64))
    text = f"graph @f(%x: tensor<24x40xf16>) {{\n{body}\nreturn %y\n}}"
    turn = list(AMONG).index(body)
    for chip in CHIPS if ALL else CHIPS[turn % 4 :][:1]:
        found = _run(text, chip, True, x=x)
        assert np.linalg.norm(found - expected) <= 2e-3 * np.linalg.norm(expected)


@pytest.mark.parametrize(
    ("kind", "axis", "message"),
    [
        ("4x8xf16", 2, "axis 2 is outside x of shape 4x8"),
        ("4x8xi8", 0, "x must be f16, bf16, f32 or i32, got i8"),
    ],
)
def test_mistakes_are_located(kind, axis, message):
    text = f"graph @f(%x: tensor<{kind}>) {{\n  %y = cumsum(%x) {{axis = {axis}}}\n  return %y\n}}"
    with pytest.raises(CompileError, match=rf"<string>:2:\d+: error: cumsum: {message}"):
        ascend_opt.compile(text)


@pytest.mark.parametrize("exclusive", [False, True])
@pytest.mark.parametrize("dtype", ["f16", "i32"])
def test_the_sum_of_one_element_is_repeated(dtype, exclusive):
    """Along its axis, in the kernel of what it is added to."""
    text = f"""graph @f(%x: tensor<1x2x1x{dtype}>, %o: tensor<1x2x3x{dtype}>) {{
%a = cumsum(%x) {{axis = -1, exclusive = {str(exclusive).lower()}}}
%y = add(%a, %o)
return %y
}}"""
    kind = np.float16 if dtype == "f16" else np.int32
    x, o = np.array([[[3], [5]]], kind), np.arange(6, dtype=kind).reshape(1, 2, 3)
    for chip in CHIPS if ALL else CHIPS[::2]:
        np.testing.assert_array_equal(_run(text, chip, True, x=x, o=o), o if exclusive else x + o)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("dtype", ["f16", "i32"])
def test_nothing_is_beside_one_element_of_a_dynamic_tensor(dtype, reverse):
    text = f"""graph @f(%x: tensor<?x1x3x{dtype}>) {{
%y = cumsum(%x) {{axis = 1, exclusive = true, reverse = {str(reverse).lower()}}}
return %y
}}"""
    for chip in CHIPS if ALL else CHIPS[::2]:
        for fuse in (True, False):
            x = np.ones((5, 1, 3), np.float16 if dtype == "f16" else np.int32)
            found = _run(text, chip, fuse, x=x)
            assert found.shape == x.shape and not found.any()
