"""bf16: values of every op on every chip that has it, hazards on, against the reference and its exact rounding."""

import re
from typing import Any

import numpy as np
import pytest
from bf16_targets import CHIPS, bf16_chip
from random_graphs import random_graph

import ascend_opt
from ascend_opt.compiler.api import Program, compile_until
from ascend_opt.compiler.checks.run_check import BOUNDS, relative_error
from ascend_opt.dialects import tile
from ascend_opt.dialects.storage_types import LARGEST_BF16, numpy_dtype
from ascend_opt.dialects.target import load_target
from ascend_opt.runtime.reference import evaluate

Array = np.ndarray[Any, np.dtype[Any]]
BF16 = numpy_dtype("bf16")


@pytest.fixture(scope="module", params=CHIPS)
def chip(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    return bf16_chip(request.param, tmp_path_factory.mktemp("chips"))


def graph(arguments: str, *lines: str) -> str:
    """Graph text; `arguments` as `x: 4x8xbf16, w: 8xbf16 weight`, the last line's value is returned."""
    declared: list[str] = []
    for argument in arguments.split(", "):
        name, kind, *weight = argument.replace(":", "").split()
        declared.append(f"%{name}: tensor<{kind}>{' {weight}' if weight else ''}")
    body = [f"  %{i} = {line}" for i, line in enumerate(lines)]
    return "\n".join([f"graph @f({', '.join(declared)}) {{", *body, f"  return %{len(lines) - 1}", "}"])


UNARY = (
    *("neg", "abs", "exp", "sqrt", "rsqrt", "reciprocal", "tanh", "erf"),
    *("sigmoid", "relu", "leaky_relu", "gelu", "silu"),
)
POSITIVE = ("sqrt", "rsqrt", "reciprocal")
BINARY = ("add", "sub", "mul", "div", "maximum", "minimum")
SHAPES = ("", "1x", "17x", "5x7x", "3x5x7x", "64x33x", "1000x")
SHAPED = (
    ("5x17x", "17x"), ("5x17x", "5x1x"), ("5x1x", "1x17x"), ("2x3x5x7x", "1x3x1x7x"), ("100x1001x", "1001x"),
    ("1000x17x", "1000x1x"),
)  # fmt: skip
POINTWISE = {
    **{
        f"{op} {SHAPES[i % 7]}": graph(
            f"{'positive' if op in POSITIVE else 'x'}: {SHAPES[i % 7]}bf16",
            f"{op}(%{'positive' if op in POSITIVE else 'x'})",
        )
        for i, op in enumerate(UNARY)
    },
    **{
        f"{op} {a} {b}": graph(f"x: {a}bf16, positive: {b}bf16", f"{op}(%x, %positive)")
        for op, (a, b) in zip(BINARY, SHAPED, strict=True)
    },
    "gelu tanh": graph("x: 9x33xbf16", 'gelu(%x) {approximate = "tanh"}'),
    "clip": graph("x: 9x33xbf16", "clip(%x) {min = -0.5, max = 1.5}"),
    "bias": graph("x: 3x5x7xbf16, b: 5xbf16", "bias_add(%x, %b)"),
    "scalars": graph("x: 7x33xbf16", "constant() {value = 0.3} : tensor<bf16>", "div(%x, %0)"),
    "norm": graph(
        "x: 3x5x7x2xbf16, s: 5xbf16, b: 5xbf16, m: 5xbf16, positive: 5xbf16",
        "batch_norm(%x, %s, %b, %m, %positive)",
    ),
    "bf16 to f32": graph("x: 5x13xbf16", "cast(%x) {to = f32}"),
    "bf16 to f16": graph("x: 5x13xbf16", "cast(%x) {to = f16}"),
    "f32 to bf16": graph("x: 5x13xf32", "cast(%x) {to = bf16}"),
    "f16 to bf16": graph("x: 5x13xf16", "cast(%x) {to = bf16}"),
}
"""One op each: no result is rounded twice."""
CHAINS = {
    "chain": graph("x: 37x5xbf16", "relu(%x)", "exp(%0)", "sub(%1, %0)", "mul(%2, %2)"),
    "casts": graph(
        "x: 5x33xbf16", "cast(%x) {to = f32}", "exp(%0)", "cast(%1) {to = f16}", "neg(%2)", "cast(%3) {to = bf16}"
    ),
    "broadcasts": graph("x: 100x65xbf16, y: 65xbf16, z: 100x1xbf16", "mul(%x, %y)", "add(%0, %z)", "tanh(%1)"),
    "constants": graph("x: 16x40xbf16", "constant() {value = 0.1} : tensor<40xbf16>", "add(%x, %0)", "sigmoid(%1)"),
    "views": graph("x: 3x4x5xbf16", "reshape(%x) {shape = [12, -1]}", "exp(%0)", "reshape(%1) {shape = [60]}"),
}  # fmt: skip
PRODUCTS = {
    "product": graph("x: 40x65xbf16, w: 65x47xbf16", "matmul(%x, %w)"),
    "linear": graph(
        "x: 129x100xbf16, w: 100x48xbf16 weight, b: 48xbf16", "matmul(%x, %w)", "bias_add(%0, %b)", "relu(%1)"
    ),
    "ragged": graph(
        "x: 33x65xbf16, w: 65x1001xbf16 weight, b: 1001xbf16",
        "matmul(%x, %w)",
        "bias_add(%0, %b)",
        "gelu(%1)",
    ),
    "wide result": graph("x: 8x20xbf16, w: 20x53xbf16", "matmul(%x, %w)", "cast(%0) {to = f32}", "exp(%1)"),
    "batched": graph(
        "x: 3x5x17x7xbf16, w: 3x5x9x7xbf16, y: 3x1x17x9xbf16",
        "matmul(%x, %w) {transpose_b = true}",
        "mul(%0, %y)",
    ),
    "convolution": graph(
        "x: 1x17x13x9xbf16, w: 33x17x3x3xbf16 weight, b: 33xbf16",
        "conv2d(%x, %w) {pads = [1, 1, 1, 1]}",
        "bias_add(%0, %b)",
        "leaky_relu(%1) {alpha = 0.1}",
    ),
    "strided convolution": graph(
        "x: 2x16x9x11xbf16, w: 8x16x2x5xbf16, b: 8xbf16",
        "conv2d(%x, %w) {pads = [0, 1, 2, 1], strides = [2, 1]}",
        "bias_add(%0, %b)",
    ),
    "norm behind a convolution": graph(
        "x: 1x7x9x9xbf16, w: 20x7x3x3xbf16 weight, b: 20xbf16 weight, m: 20xbf16 weight, "
        "positive: 20xbf16 weight",
        "conv2d(%x, %w, %b)",
        "batch_norm(%0, %b, %m, %b, %positive)",
        "relu(%1)",
    ),
}


def inputs_of(program: Program) -> dict[str, Array]:
    """Normal numbers; `positive` ones at least 0.5, those of a product's `w` divided by the square root of K."""
    rng = np.random.default_rng(0)
    found: dict[str, Array] = {}
    for name, tensor in program.inputs.items():
        array = np.asarray(rng.standard_normal(tensor.shape))
        if name == "positive":
            array = np.abs(array) + 0.5
        elif name == "w":
            array /= max(1, np.prod(tensor.shape[1:]) if array.ndim == 4 else tensor.shape[-2]) ** 0.5
        found[name] = array.astype(np.float32)
    return found


def run(text: str, chip: str, fuse: bool) -> tuple[Program, dict[str, Array], Array]:
    program = ascend_opt.compile(text, target=chip, fuse=fuse, tune=1)
    inputs = inputs_of(program)
    return program, inputs, program.run(inputs).outputs["output0"]


def steps(actual: Array, expected: Array) -> Array:
    """How many numbers of their type lie between two arrays, element by element."""
    words: list[Array] = []
    for array in (actual, expected):
        size = array.dtype.itemsize
        bits = np.asarray(array).view(f"i{size}").astype(np.int64)
        words.append(np.where(bits < 0, -(bits & (2 ** (8 * size - 1) - 1)), bits))
    return np.abs(words[0] - words[1])


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", POINTWISE)
def test_an_op_rounds_its_result_once(chip: str, name: str):
    """Against the reference in f64, rounded: where f32 is not exact, its error moves few results, by one number."""
    for fuse in (True, False):
        program, inputs, output = run(POINTWISE[name], chip, fuse)
        assert program.graph_module is not None
        (exact,) = evaluate(program.graph_module, inputs, precision="f64", round_results=True)
        apart = steps(output, exact.astype(output.dtype))
        rounds_scalar = name.startswith("leaky") and "bf16" in load_target(chip).vector.compute
        assert apart.max(initial=0) <= 1
        assert rounds_scalar or np.count_nonzero(apart) <= 0.01 * apart.size


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", CHAINS)
def test_each_result_of_a_chain_is_rounded(chip: str, name: str):
    """Fused or not, the same bytes; the same as the reference that rounds each result."""
    program, inputs, fused = run(CHAINS[name], chip, True)
    unfused = run(CHAINS[name], chip, False)[2]
    assert fused.tobytes() == unfused.tobytes()
    assert program.graph_module is not None
    (rounded,) = evaluate(program.graph_module, inputs, round_results=True)
    assert relative_error(fused, rounded) <= 5e-4
    assert relative_error(fused, program.reference(inputs)["output0"]) <= BOUNDS["bfloat16"]


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", PRODUCTS)
def test_products(chip: str, name: str):
    for fuse in (True, False):
        program, inputs, output = run(PRODUCTS[name], chip, fuse)
        assert output.dtype == (np.float32 if "wide" in name else BF16)
        reference = program.reference(inputs)["output0"]
        assert output.shape == reference.shape
        assert relative_error(output, reference) <= 6e-3, f"fused: {fuse}"


@pytest.mark.sweep(3)
@pytest.mark.parametrize("lines", [("mul(%x, %x)", "neg(%0)"), ("matmul(%x, %x)", "relu(%0)"), ("exp(%x)",)])
def test_past_the_largest_number(chip: str, lines: tuple[str, ...]):
    """Infinity or the largest number, as the chip's overflow mode says; so does the reference."""
    text = graph("x: 32x32xbf16", *lines)
    overflow = load_target(chip).overflow
    x = np.abs(np.random.default_rng(0).standard_normal((32, 32))) * 1.5e19
    for fuse in (True, False):
        program = ascend_opt.compile(text, target=chip, fuse=fuse, tune=1)
        output = program.run(x=x).outputs["output0"].astype(np.float64)
        reference = program.reference(x=x)["output0"]
        largest = np.abs(output[np.isinf(reference)])
        assert largest.size > 100
        assert np.all(largest == (np.inf if overflow == "inf" else LARGEST_BF16))
        assert relative_error(output.astype(BF16), reference, overflow) <= BOUNDS["bfloat16"]


@pytest.mark.sweep(4)
def test_many_cores_and_timed_tiles(chip: str):
    """A product of several tiles a core, its sizes chosen on the emulator's clock."""
    text = graph(
        "x: 260x80xbf16, w: 80x136xbf16 weight, b: 136xbf16 weight",
        "matmul(%x, %w)",
        "bias_add(%0, %b)",
        "silu(%1)",
    )
    program = ascend_opt.compile(text, target=chip, tune=2)
    inputs = inputs_of(program)
    result = program.run(inputs)
    assert relative_error(result.outputs["output0"], program.reference(inputs)["output0"]) <= 6e-3
    (kernel,) = (op for op in compile_until(program, "tile").walk() if isinstance(op, tile.KernelOp))
    assert kernel.schedule.cores > 1


@pytest.mark.sweep(3)
@pytest.mark.parametrize("kind", ("gaussian", "index", "integer"))
@pytest.mark.parametrize("seed", range(3))
def test_random_graphs(chip: str, kind: str, seed: int):
    """The graphs of `test_property.py` with bf16 in place of f16, against the reference that rounds each result."""
    drawn = random_graph(seed, kind)
    inputs = {name: np.asarray(array, np.float32) for name, array in drawn.inputs().items()}
    program = ascend_opt.compile(
        re.sub(r"\bf16\b|(?<=x)f16\b", "bf16", drawn.text()), target=chip, fuse=seed % 2 == 0, tune=1
    )
    assert program.graph_module is not None
    overflow = program.target.overflow
    rounded = evaluate(program.graph_module, inputs, round_results=True, overflow=overflow)
    for output, expected in zip(program.run(inputs).outputs.values(), rounded, strict=True):
        assert relative_error(output, expected, overflow) <= 1e-2, drawn.text()
