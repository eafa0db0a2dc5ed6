"""Values of every op on odd shapes: all kinds of chips, fused and unfused, hazards on, against the numpy reference."""

import itertools
import re
from collections.abc import Iterable, Iterator

import numpy as np
import pytest
from sweeps import ALL

import ascend_opt
from ascend_opt.compiler.api import CompileError, Program, compile_until
from ascend_opt.dialects import tile

CHIPS = ("ascend910", "ascend310p", "ascend910b1", "ascend950")
WIDE = "ascend910b1"
"""A chip whose Cube multiplies f32: it has every graph in f32 too."""


def _graph(arguments: str, *lines: str, results: str = "") -> str:
    """Graph text; `arguments` as `x: 4x8xf16, w: 8xf16 weight`, the last line's value is returned."""
    declared: list[str] = []
    for argument in arguments.split(", "):
        name, kind, *weight = argument.replace(":", "").split()
        declared.append(f"%{name}: tensor<{kind}>{' {weight}' if weight else ''}")
    body = [f"  %{i} = {line}" for i, line in enumerate(lines)]
    returned = results or f"%{len(lines) - 1}"
    return "\n".join([f"graph @f({', '.join(declared)}) {{", *body, f"  return {returned}", "}"])


def _product(m: int, n: int, k: int, weight: str) -> str:
    epilogue = "bias_add(%0, %b)", "relu(%1)"
    return _graph(f"x: {m}x{k}xf16, w: {k}x{n}xf16 {weight}, b: {n}xf16", "matmul(%x, %w)", *epilogue)


def _matmul(a: str, b: str, transpose_a: bool = False, transpose_b: bool = False, weight: str = "") -> str:
    flags = f"{{transpose_a = {str(transpose_a).lower()}, transpose_b = {str(transpose_b).lower()}}}"
    return _graph(f"x: {a}xf16, w: {b}xf16 {weight}", f"matmul(%x, %w) {flags}", "leaky_relu(%0)")


def _convolution(
    sizes: Iterable[int], pads: list[int], strides: list[int], dilations: list[int], weight: str = "weight"
) -> str:
    n, c, h, w, o, kh, kw = sizes
    return _graph(
        f"x: {n}x{c}x{h}x{w}xf16, w: {o}x{c}x{kh}x{kw}xf16 {weight}, b: {o}xf16",
        f"conv2d(%x, %w) {{pads = {pads}, strides = {strides}, dilations = {dilations}}}",
        "bias_add(%0, %b)",
        "leaky_relu(%1)",
    )


def _norm(shape: str, channels: int, weight: str, *before: str) -> str:
    vectors = ", ".join(f"{name}: {channels}xf16 {weight}" for name in ("s", "b", "m", "positive"))
    lines = before or ("add(%x, %x)",)
    return _graph(
        f"x: {shape}xf16, {vectors}", *lines, f"batch_norm(%{len(lines) - 1}, %s, %b, %m, %positive)"
    )


def _dims(shape: tuple[int, ...]) -> str:
    return "".join(f"{size}x" for size in shape)


SIZES = (1, 17, 1000)
PRODUCTS = [_product(m, n, k, "weight") for m, n, k in itertools.product(SIZES, SIZES, SIZES)]
UNMARKED = [_product(m, n, k, "") for m, n, k in itertools.product((1, 100), (1, 33, 1009), (1, 19))]
LONG = [_product(3, 70_001, 5, ""), _product(70_001, 3, 1, ""), _product(5, 3, 70_001, "weight")]
TRANSPOSED = [
    _matmul("40x17" if ta else "17x40", "33x40" if tb else "40x33", ta, tb, weight)
    for ta, tb, weight in itertools.product((False, True), (False, True), ("", "weight"))
]
BATCHES = [
    _matmul("3x5x17x7", "3x5x7x9"),
    _matmul("3x1x17x7", "1x5x7x9"),
    _matmul("2x3x7x5", "5x9", weight="weight"),
    _matmul("2x3x7x5", "5x9"),
    _matmul("5x7", "4x7x9"),
    _matmul("4x7x5", "7x9", transpose_a=True),
    _matmul("2x40x1x3", "2x40x16x3", transpose_b=True),
    _matmul("2x4x7x5", "4x9x7", transpose_a=True, transpose_b=True),
    _matmul("6x33x20", "6x65x20", transpose_b=True),
    _graph("x: 47x47xf16", "matmul(%x, %x)", "mul(%0, %0)"),
    _graph("x: 3x33x20xf16", "matmul(%x, %x) {transpose_b = true}"),
    _graph("x: 3x19x4xf16, w: 3x4x7xf16, y: 3x1x7xf16", "matmul(%x, %w)", "mul(%0, %y)"),
    _graph(
        "x: 4x6x3x5xf16, w: 7x5xf16, y: 4x1x3x7xf16", "matmul(%x, %w) {transpose_b = true}", "mul(%0, %y)"
    ),
]
LEADING = [
    *(
        _product(m, n, k, "weight")
        for m, n, k in ((7, 1000, 100), (33, 1001, 40), (129, 777, 17), (300, 270, 40))
    ),
    _product(17, 1000, 64, ""),
    _matmul("65x129", "1001x129", transpose_b=True),
    _matmul("40x17", "40x333", transpose_a=True, weight="weight"),
    _graph("x: 64x64xf16, w: 64x777xf16 weight, y: 64x777xf16", "matmul(%x, %w)", "add(%0, %y)", "gelu(%1)"),
    _graph(
        "x: 129x64xf16, w: 64x1002xf16, y: 129x1xf16, z: 1x1002xf16",
        "matmul(%x, %w)",
        "add(%0, %y)",
        "mul(%1, %z)",
    ),
    _graph(
        "x: 35x64xf16, w: 64x331xf16 weight, b: 331xf32",
        "matmul(%x, %w)",
        "cast(%0) {to = f32}",
        "add(%1, %b)",
    ),
]
"""Rows that are no multiple of 32 B, cut into columns for several cores."""
CONVOLUTIONS = [
    _convolution((1, 3, 9, 11, 8, 3, 3), [1, 1, 1, 1], [1, 1], [1, 1]),
    _convolution((2, 16, 7, 7, 17, 3, 3), [0, 1, 2, 1], [2, 1], [1, 1]),
    _convolution((1, 17, 13, 5, 64, 1, 1), [0, 0, 0, 0], [1, 1], [1, 1]),
    _convolution((3, 40, 14, 14, 33, 2, 5), [1, 2, 0, 3], [1, 2], [2, 1]),
    _convolution((1, 1, 33, 31, 1, 7, 7), [3, 3, 3, 3], [2, 2], [1, 1]),
    _convolution((2, 17, 6, 9, 16, 3, 2), [0, 1, 1, 2], [1, 2], [1, 2], weight=""),
    _convolution((1, 16, 64, 20, 16, 11, 11), [0, 0, 0, 0], [1, 1], [1, 1], weight=""),
    _convolution((1, 32, 7, 63, 32, 7, 5), [1, 1, 0, 3], [2, 1], [1, 1], weight=""),
    _convolution((1, 3, 4, 515, 5, 3, 3), [1, 1, 1, 1], [1, 1], [1, 1]),
    _convolution((1, 8, 2, 1030, 16, 1, 3), [0, 2, 1, 0], [2, 3], [1, 2]),
    _convolution((64, 61, 1, 1, 1, 2, 2), [0, 1, 1, 0], [1, 1], [1, 1]),
    _convolution((2, 1, 5, 5, 3, 1, 1), [0, 0, 0, 0], [3, 2], [1, 1]),
    _convolution((2, 16, 9, 3, 3, 3, 5), [1, 2, 3, 0], [1, 3], [2, 1], weight=""),
    _convolution((1, 56, 5, 7, 9, 3, 2), [1, 0, 1, 0], [1, 1], [1, 1], weight=""),
    _convolution((1, 24, 5, 7, 9, 1, 1), [0, 0, 0, 0], [1, 1], [1, 1]),
    _convolution((1, 16, 9, 48, 8, 7, 3), [0, 0, 2, 3], [1, 2], [1, 1], weight=""),
    _convolution((3, 1, 48, 67, 8, 3, 2), [3, 1, 2, 0], [3, 1], [2, 2]),
    _graph(
        "x: 9x64x1x65xf16, w: 16x64x1x3xf16 weight, positive: 9x16x1x65xf16",
        "conv2d(%x, %w) {pads = [0, 2, 0, 2], dilations = [2, 2]}",
        "div(%0, %positive)",
    ),
    _graph(
        "x: 1x17x4x7xf16, w: 17x17x3x5xf16 weight, b: 17xf16 weight",
        "conv2d(%x, %w, %b) {pads = [1, 1, 1, 2]}",
        "cast(%0) {to = f32}",
    ),
]
NO_ROOM = {("ascend910b1", CONVOLUTIONS[6]), (WIDE, CONVOLUTIONS[6].replace("f16", "f32"))}
"""Sixteen filters of 11x11 on their way through UB take more than the chip has."""
NORMS = [
    _norm("3x5x7x2", 5, ""),
    _norm("3x5x7x2", 5, "weight"),
    _norm("23x15x5x1", 15, "weight"),
    _norm("9x33", 33, "weight"),
    _norm("9x33", 33, ""),
    _norm("2x17x70x3", 17, "weight", "relu(%x)"),
    _graph(
        "x: 1x7x9x9xf16, w: 20x7x3x3xf16 weight, b: 20xf16 weight, m: 20xf16 weight, positive: 20xf16 weight",
        "conv2d(%x, %w, %b)",
        "batch_norm(%0, %b, %m, %b, %positive)",
        "relu(%1)",
    ),
]
UNARY = (
    *("neg", "abs", "exp", "sqrt", "rsqrt", "reciprocal", "tanh"),
    *("erf", "sigmoid", "relu", "leaky_relu", "gelu", "silu", "dropout"),
)
POINTWISE = [
    _graph(f"positive: {_dims(((), (1,), (17,), (5, 7), (3, 5, 7))[i % 5])}{dtype}", f"{op}(%positive)")
    for i, op in enumerate(UNARY)
    for dtype in ("f16", "f32")
]
CHAINS = [
    _graph("x: 5x13xf16", "cast(%x) {to = f32}", "exp(%0)", "cast(%1) {to = f16}", "neg(%2)"),
    _graph("x: 7x33xf32", "cast(%x) {to = f16}", "cast(%0) {to = f32}"),
    _graph("x: 8x2xf16, w: 2x53xf16 weight", "matmul(%x, %w)", "cast(%0) {to = f32}", "exp(%1)"),
    _graph("x: f16, positive: f16", "div(%x, %positive)", "mul(%0, %0)", "add(%1, %1)"),
    _graph("x: 3x4x5xf16", "reshape(%x) {shape = [12, -1]}", "exp(%0)", "reshape(%1) {shape = [60]}"),
    _graph("x: 1x1xf32", "reshape(%x) {shape = []}", "exp(%0)", results="%0, %1, %x"),
    _graph("x: 37x5xf16", "relu(%x)", "exp(%0)", "sub(%1, %0)", "dropout(%x)", results="%2, %0, %1, %3, %x"),
    _graph(
        "x: 4x6x5x5xf16, w: 150x9xf16 weight", "abs(%x)", "reshape(%0) {shape = [4, -1]}", "matmul(%1, %w)"
    ),
    _graph("x: 12x10xf16, w: 10x6xf16", "matmul(%x, %w)", "reshape(%0) {shape = [3, 4, 6]}", "add(%1, %1)"),
]
BIASES = [
    _graph(f"x: {shape}xf16, b: {size}xf16", f"bias_add(%x, %b) {{axis = {axis}}}", "relu(%0)")
    for shape, size, axis in (
        ("7", 7, 0), ("5x7", 5, 0), ("5x7", 7, -1), ("1009x3", 3, 1), ("3x5x7", 5, 1), ("2x3x17x5", 17, -2),
        ("2x3x4x5x6", 4, 2), ("2x3x4x1x6", 6, 4), ("64x63", 64, 0),
    )
]  # fmt: skip
BROADCASTS = [
    _graph(f"x: {_dims(shape)}{dtype}, s: {_dims(slope)}{dtype}", "prelu(%x, %s)")
    for dtype in ("f16", "f32")
    for shape, slope in (((3, 5, 7), (5, 1)), ((64, 100), (100,)), ((2, 3, 5, 5), (3, 1, 1)), ((9,), (1,)))
] + [
    _graph(f"x: {_dims(a)}{dtype}, positive: {_dims(b)}{dtype}", f"{op}(%x, %positive)")
    for op, (a, b) in zip(
        itertools.cycle(("add", "sub", "mul", "div", "maximum", "minimum")),
        [
            ((), (5,)), ((5, 17), (17,)), ((5, 17), (5, 1)), ((5, 1), (1, 17)), ((3, 5, 7), (3, 1, 1)),
            ((2, 3, 5, 7), (2, 1, 5, 7)), ((2, 3, 5, 7), (1, 3, 1, 7)), ((64, 1), (1, 64)), ((1000, 17), (1000, 1)),
            ((1000, 17), (17,)),
            ((100, 1001), (1001,)), ((3, 7, 65), (7, 1)), ((2, 9, 127), (9, 1)), ((7, 5, 318), (5, 1)),
            ((2, 3, 1, 5, 2), (3, 4, 1, 2)),
        ],
        strict=False,
    )
    for dtype in ("f16", "f32")
]  # fmt: skip
GROUPS = {
    "products": PRODUCTS,
    "unmarked": UNMARKED,
    "long": LONG,
    "transposed": TRANSPOSED,
    "batches": BATCHES,
    "leading": LEADING,
    "convolutions": CONVOLUTIONS,
    "norms": NORMS,
    "pointwise": POINTWISE,
    "chains": CHAINS,
    "biases": BIASES,
    "broadcasts": BROADCASTS,
}


def _in_f32(text: str) -> str:
    """The graph with f32 for f16."""
    return re.sub(r"\bf16\b|(?<=x)f16\b", "f32", text)


def _runs(group: str) -> Iterator[tuple[str, str, bool]]:
    """Chip, graph, and whether it is fused: on some chips it is, on the others not, in turns. Every second
    graph sees one of the chips, the others f32; with `ASCEND_OPT_ALL=1` they see all of them."""
    for i, text in enumerate(GROUPS[group]):
        for number, chip in enumerate(CHIPS):
            if ALL or i % (2 * len(CHIPS)) == number:
                yield chip, text, (i + i // len(CHIPS) + number) % 2 == 0
        if (ALL or i % 2) and (wide := _in_f32(text)) != text:
            yield WIDE, wide, i % 4 == 1


def _inputs(program: Program) -> dict[str, np.ndarray]:
    """Normal numbers; `positive` ones at least 0.5, those of a weight divided by the square root of its K."""
    rng = np.random.default_rng(0)
    inputs: dict[str, np.ndarray] = {}
    for name, tensor in program.inputs.items():
        array = rng.standard_normal(tensor.shape)
        if name == "positive":
            array = np.abs(array) + 0.5
        elif name == "w":
            array = array / max(1, np.prod(tensor.shape[1:]) if array.ndim == 4 else tensor.shape[-2]) ** 0.5
        inputs[name] = np.asarray(array, np.float16 if str(tensor.element_type) == "f16" else np.float32)
    return inputs


@pytest.mark.parametrize("group", GROUPS)
def test_values(group: str):
    """Relative L2 error within the bound of the narrowest storage type; a hazard raises."""
    wrong: list[str] = []
    for chip, text, fuse in _runs(group):
        bound = 3e-3 if "f16" in text else 1e-4
        if (chip, text) in NO_ROOM:
            with pytest.raises(CompileError, match="no tile fits"):
                ascend_opt.compile(text, target=chip, fuse=fuse, tune=1)
            continue
        program = ascend_opt.compile(text, target=chip, fuse=fuse, tune=1)
        inputs = _inputs(program)
        reference = program.reference(inputs)
        for name, output in program.run(inputs).outputs.items():
            expected = np.asarray(reference[name], np.float64)
            error = np.linalg.norm(output - expected) / max(float(np.linalg.norm(expected)), 1e-20)
            if not error <= bound or output.shape != expected.shape:
                wrong.append(f"{chip} {'' if fuse else 'un'}fused {name}: {error:.1e}\n{text}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("text", LEADING)
def test_ragged_rows_of_a_product_are_cut_into_columns(text: str):
    program = ascend_opt.compile(text, target="ascend910", fuse=True, tune=1)
    (store,) = (op for op in compile_until(program, "tile").walk() if isinstance(op, tile.StoreOp))
    kernel = store.parent_op()
    while not isinstance(kernel, tile.KernelOp):
        assert kernel is not None
        kernel = kernel.parent_op()
    assert store.lead is not None
    assert kernel.tile_sizes[1] < kernel.extent_list[1]
    assert kernel.schedule.cores > 1


def test_chunks_of_ragged_rows_behind_the_last_row():
    text = _product(1073, 300, 256, "")
    program = ascend_opt.compile(text, target="ascend910", fuse=True, tune=1)
    inputs = _inputs(program)
    (found,), (expected,) = program.run(inputs).outputs.values(), program.reference(inputs).values()
    assert np.linalg.norm(found - np.asarray(expected, np.float64)) <= 3e-3 * np.linalg.norm(expected)


REFUSED = {
    "graph @f(%x: tensor<4x4xf32>) { %0 = matmul(%x, %x) return %0 }": "the Cube of ascend910 does not multiply f32",
    "graph @f(%x: tensor<1x4x4x4xf32>, %w: tensor<4x4x1x1xf32>) { %0 = conv2d(%x, %w) return %0 }": (
        "the Cube of ascend910 does not multiply f32"
    ),
    "graph @f(%x: tensor<4xbf16>) { %0 = relu(%x) return %0 }": "ascend910 has no bf16",
    "graph @f(%x: tensor<1x16x64x64xf16>, %w: tensor<16x16x16x16xf16>) { %0 = conv2d(%x, %w) return %0 }": (
        "needs 430848 B of UB (ascend910 has 262144 B)"
    ),
    "graph @f(%x: tensor<1x16x300x300xf16>, %w: tensor<16x16x2x2xf16> {weight}) "
    "{ %0 = conv2d(%x, %w) {dilations = [256, 260]} return %0 }": "needs 2370560 B of L1 (ascend910 has 1048576 B)",
}


@pytest.mark.parametrize("fuse", [True, False], ids=["fused", "unfused"])
@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str, fuse: bool):
    """What the chip cannot do is a located error that says what is missing."""
    with pytest.raises(CompileError) as error:
        ascend_opt.compile(text, target="ascend910", fuse=fuse, tune=1)
    assert str(error.value).startswith("<string>:1:")
    assert REFUSED[text] in str(error.value)
    assert "internal error" not in str(error.value)
