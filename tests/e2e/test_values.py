"""Values of every op on odd shapes: both chips, fused and unfused, hazards on, against the numpy reference."""

import itertools

import numpy as np
import pytest

import ascend_opt

CHIPS = ("ascend910", "ascend310p")


def _dims(shape: tuple[int, ...]) -> str:
    return "".join(f"{size}x" for size in shape)


def _product(m: int, n: int, k: int, weight: str) -> str:
    return (
        f"graph @f(%x: tensor<{m}x{k}xf16>, %w: tensor<{k}x{n}xf16> {weight}, %b: tensor<{n}xf16>) {{\n"
        "  %0 = matmul(%x, %w)\n  %1 = bias_add(%0, %b)\n  %2 = relu(%1)\n  return %2\n}"
    )


def _convolution(sizes: tuple[int, ...], pads: list[int], strides: list[int], dilations: list[int]) -> str:
    n, c, h, w, o, kh, kw = sizes
    return (
        f"graph @f(%x: tensor<{n}x{c}x{h}x{w}xf16>, %w: tensor<{o}x{c}x{kh}x{kw}xf16> {{weight}}, "
        f"%b: tensor<{o}xf16>) {{\n"
        f"  %0 = conv2d(%x, %w) {{pads = {pads}, strides = {strides}, dilations = {dilations}}}\n"
        "  %1 = bias_add(%0, %b)\n  %2 = leaky_relu(%1)\n  return %2\n}"
    )


def _pointwise(op: str, shape: tuple[int, ...], dtype: str) -> str:
    return f"graph @f(%positive: tensor<{_dims(shape)}{dtype}>) {{ %0 = {op}(%positive) return %0 }}"


def _binary(op: str, a: tuple[int, ...], b: tuple[int, ...], dtype: str) -> str:
    return (
        f"graph @f(%x: tensor<{_dims(a)}{dtype}>, %positive: tensor<{_dims(b)}{dtype}>) "
        f"{{ %0 = {op}(%x, %positive) return %0 }}"
    )


SIZES = (1, 7, 17, 1000)
PRODUCTS = [_product(m, n, k, "{weight}") for m, n, k in itertools.product(SIZES, SIZES, SIZES)]
CONVOLUTIONS = [
    _convolution((1, 3, 9, 11, 8, 3, 3), [1, 1, 1, 1], [1, 1], [1, 1]),
    _convolution((2, 16, 7, 7, 17, 3, 3), [0, 1, 2, 1], [2, 1], [1, 1]),
    _convolution((1, 17, 13, 5, 64, 1, 1), [0, 0, 0, 0], [1, 1], [1, 1]),
    _convolution((3, 40, 14, 14, 33, 2, 5), [1, 2, 0, 3], [1, 2], [2, 1]),
    _convolution((1, 1, 33, 31, 1, 7, 7), [3, 3, 3, 3], [2, 2], [1, 1]),
]
UNARY = (
    *("neg", "abs", "exp", "sqrt", "rsqrt", "reciprocal", "tanh"),
    *("erf", "sigmoid", "relu", "leaky_relu", "gelu", "silu", "dropout"),
)
POINTWISE = [
    _pointwise(op, ((), (1,), (17,), (5, 7), (3, 5, 7))[i % 5], dtype)
    for i, op in enumerate(UNARY)
    for dtype in ("f16", "f32")
]
BROADCASTS = [
    _binary(op, a, b, dtype)
    for op, (a, b) in zip(
        itertools.cycle(("add", "sub", "mul", "div", "maximum", "minimum")),
        [
            ((), (5,)),
            ((5, 17), (17,)),
            ((5, 17), (5, 1)),
            ((5, 1), (1, 17)),
            ((3, 5, 7), (3, 1, 1)),
            ((2, 3, 5, 7), (2, 1, 5, 7)),
            ((2, 3, 5, 7), (1, 3, 1, 7)),
            ((64, 1), (1, 64)),
            ((1000, 17), (1000, 1)),
            ((1000, 17), (17,)),
        ],
        strict=False,
    )
    for dtype in ("f16", "f32")
]


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("fuse", [True, False], ids=["fused", "unfused"])
@pytest.mark.parametrize(
    "texts",
    [PRODUCTS, CONVOLUTIONS, POINTWISE, BROADCASTS],
    ids=["matmul", "conv2d", "pointwise", "broadcast"],
)
def test_values(texts: list[str], fuse: bool, chip: str):
    """relL2 within 3e-3 in f16 and 1e-4 in f32; a hazard raises."""
    rng = np.random.default_rng(0)
    wrong: list[str] = []
    for text in texts:
        program = ascend_opt.compile(text, target=chip, fuse=fuse, tune=1)
        inputs: dict[str, np.ndarray] = {}
        for name, tensor in program.inputs.items():
            array = rng.standard_normal(tensor.shape)
            if name == "positive":
                array = np.abs(array) + 0.5
            elif name == "w":
                array = (
                    array
                    / max(1.0, np.prod(tensor.shape[:1] if array.ndim == 2 else tensor.shape[1:])) ** 0.5
                )
            inputs[name] = np.asarray(array, np.float16 if str(tensor.element_type) == "f16" else np.float32)
        output = program.run(inputs).outputs["output0"]
        expected = np.asarray(program.reference(inputs)["output0"], np.float32)
        error = np.linalg.norm(output.astype(np.float32) - expected) / max(np.linalg.norm(expected), 1e-20)
        if not error <= (3e-3 if output.dtype == np.float16 else 1e-4):
            wrong.append(f"{error:.1e} {text}")
    assert not wrong, "\n".join(wrong)
