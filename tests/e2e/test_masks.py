"""Comparisons and selections among other ops: behind products, before reductions, on operands that repeat, as bytes."""

# pyright: basic

import re

import numpy as np
import pytest

import ascend_opt
from ascend_opt.compiler.api import CompileError, compile_until
from ascend_opt.compiler.run_check import BOUNDS, relative_error
from ascend_opt.dialects import tile
from ascend_opt.dialects.storage_types import numpy_dtype

CHIPS = ("ascend910b1", "ascend910", "ascend950")
LOWEST = "%k = constant() {value = -100.0} : tensor<f16>\n"
PRODUCT = "graph @f(%x: tensor<65x64xf16>, %w: tensor<64x97xf16> {weight}"
IMAGE = "graph @f(%x: tensor<2x16x13x13xf16>, %w: tensor<24x16x3x3xf16> {weight}"
CONV = "%p = conv2d(%x, %w) {pads = [1, 1, 1, 1]}"

GREATER = '%c = compare(%p, %z) {direction = "ge"}'
LESS = '%c = compare(%x, %y) {direction = "lt"}'

GRAPHS = {
    "masked product": f"{PRODUCT}, %m: tensor<65x97xi1>) {{ %p = matmul(%x, %w) {LOWEST}"
    "%y = select(%m, %p, %k) return %y }",
    "product against a row": f"{PRODUCT}, %z: tensor<97xf16>) {{ %p = matmul(%x, %w) {GREATER} "
    "%y = select(%c, %p, %z) return %y }",
    "one row": f"{PRODUCT.replace('65x', '1x')}, %z: tensor<97xf16>) {{ %p = matmul(%x, %w) {GREATER} "
    "%y = select(%c, %p, %z) return %y }",
    "product as mask": f"{PRODUCT}) {{ %p = matmul(%x, %w) {LOWEST.replace('-100.0', '0.5')}"
    '%c = compare(%k, %p) {direction = "ge"} return %c }',
    "convolution": f"{IMAGE}, %z: tensor<2x24x13x13xf16>) {{ {CONV} {GREATER} %y = select(%c, %p, %z) return %y }}",
    "channels": f"{IMAGE}, %z: tensor<24x1x1xf16>) {{ {CONV} {GREATER} return %c }}",
    "two masks": "graph @f(%x: tensor<100x1001xf16>, %y: tensor<100x1xf16>, %z: tensor<1001xf16>) { "
    f'{LESS} %d = compare(%x, %z) {{direction = "lt"}} %e = logical_and(%c, %d) '
    "%g = logical_not(%e) %v = select(%g, %x, %z) return %v, %e }",
    "masked softmax": f"graph @f(%x: tensor<33x1000xf16>, %m: tensor<33x1000xi1>) {{ {LOWEST}"
    "%s = select(%m, %x, %k) %y = softmax(%s) return %y }",
    "reshaped": "graph @f(%m: tensor<4x6x5xi1>) { %r = reshape(%m) {shape = [24, 5]} %n = logical_not(%r) return %n }",
    "constant mask": "graph @f(%x: tensor<3x1000xf16>) { "
    "%k = constant() {value = [[true], [false], [true]]} : tensor<3x1xi1>\n"
    "%z = constant() {value = 0.0} : tensor<f16>\n %n = select(%k, %x, %z) return %n }",
    "short rows": "graph @f(%x: tensor<1000x3xf16>, %y: tensor<1000x1xf16>) { "
    f"{LESS} %v = select(%c, %x, %y) return %v }}",
    "long rows": "graph @f(%x: tensor<3x40001xf16>, %y: tensor<3x1xf16>) { "
    f"{LESS} %v = select(%c, %x, %y) return %v }}",
}


def _check(text: str, chip: str, fuse: bool) -> None:
    program = ascend_opt.compile(text, target=chip, fuse=fuse, tune=1)
    rng = np.random.default_rng(0)
    inputs = {
        name: (
            rng.random(t.shape) < 0.5 if str(t.element_type) == "i1" else rng.standard_normal(t.shape)
        ).astype(numpy_dtype(t.element_type))
        for name, t in program.inputs.items()
    }
    expected = program.reference(inputs)
    for name, output in program.run(inputs).outputs.items():
        if output.dtype == bool:  # where a product is next to what it is compared with, its rounding decides
            assert (output != expected[name]).mean() <= (2e-3 if "%w" in text else 0), (chip, fuse, name)
        else:
            assert relative_error(output, expected[name]) <= BOUNDS[output.dtype.name], (chip, fuse, name)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", GRAPHS)
def test_values(name: str):
    number = list(GRAPHS).index(name)
    for i, chip in enumerate(CHIPS):
        _check(GRAPHS[name], chip, fuse=(number + i) % 2 == 0)
    _check(re.sub(r"\bf16\b|(?<=x)f16\b", "f32", GRAPHS[name]), "ascend910b1", fuse=number % 2 == 1)


def _instructions(text: str) -> list[str]:
    program = ascend_opt.compile(text, target="ascend910b1", tune=1)
    return [op.instruction.data for op in compile_until(program, "tile").walk() if isinstance(op, tile.VecOp)]


def test_a_comparison_that_is_selected_by_stays_a_bit_mask():
    text = f"graph @f(%x: tensor<64xf16>, %y: tensor<64xf16>) {{ {LESS} %v = select(%c, %x, %y) return %v }}"
    assert _instructions(text) == ["vcmpv_lt", "vsel"]


def test_a_loaded_mask_is_compared_with_zero_once():
    text = "graph @f(%m: tensor<64xi1>, %x: tensor<64xf16>, %y: tensor<64xf16>) { %v = select(%m, %x, %y) return %v }"
    assert _instructions(text) == ["vcmpvs_ne", "vsel"]


REFUSED = {
    "graph @f(%m: tensor<4xi1>, %x: tensor<4xf32>) { %y = select(%m, %x, %x) return %y }": "selects f16 only, not f32",
    "graph @f(%m: tensor<4xi1>) { %y = add(%m, %m) return %y }": "graph.add: no unit computes in i1",
    "graph @f(%m: tensor<4xf16>) { %y = logical_not(%m) return %y }": "logical_not: x must be i1, got f16",
    "graph @f(%m: tensor<4xf16>) { %y = select(%m, %m, %m) return %y }": "select: cond must be i1, got f16",
    "graph @f(%m: tensor<4xi1>, %x: tensor<3xf16>) { %y = select(%m, %x, %x) return %y }": "do not broadcast",
    'graph @f(%x: tensor<4xf16>) { %y = compare(%x, %x) {direction = "<"} return %y }': "must be eq, ne, lt",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str):
    with pytest.raises(CompileError) as error:
        ascend_opt.compile(text, target="ascend910", tune=1)
    assert str(error.value).startswith("<string>:1:")
    assert REFUSED[text] in str(error.value)
