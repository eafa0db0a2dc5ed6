"""Scales and shifts of weights behind products, moves and each other; expected values by numpy in f64."""

import numpy as np
import pytest

import ascend_opt

CHIPS = ("ascend910", "ascend910b1", "ascend950")
RNG = np.random.default_rng(0)


def array(*shape: int) -> np.ndarray:
    return (RNG.integers(-8, 9, shape) / 4).astype(np.float16)


def run(text: str, chip: str, inputs: dict[str, np.ndarray]) -> tuple[np.ndarray, int]:
    """The result, and how many kernels give it."""
    result = ascend_opt.compile(text, target=chip, tune=1).run(inputs)
    (output,) = result.outputs.values()
    return output, len(result.profile.kernels)


def near(found: np.ndarray, wanted: np.ndarray) -> bool:
    return bool(np.linalg.norm(found - wanted) <= 3e-3 * np.linalg.norm(wanted))


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("bias", ["", "bias_add(%p, %b)", "add(%c, %p)"])
@pytest.mark.parametrize("scale", ["16x1x1", "1x16x1x1", "1"])
def test_a_convolution(scale: str, bias: str, chip: str):
    sizes = [int(n) for n in scale.split("x")]
    text = f"""graph @f(%x: tensor<2x8x5x6xf16>, %w: tensor<16x8x3x3xf16> {{weight}}, %b: tensor<16xf16> {{weight}},
        %c: tensor<16x1x1xf16> {{weight}}, %s: tensor<{scale}xf16> {{weight}}, %h: tensor<{scale}xf16> {{weight}}) {{
      %p = conv2d(%x, %w)
      %q = {bias or "neg(%p)"}
      %m = mul(%s, %q)
      %y = add(%m, %h)
      return %y
    }}"""
    inputs = {"x": array(2, 8, 5, 6), "w": array(16, 8, 3, 3), "b": array(16), "c": array(16, 1, 1)}
    inputs |= {"s": array(*sizes), "h": array(*sizes)}
    found, kernels = run(text, chip, inputs)
    x, w, b, c, s, h = (inputs[name].astype(np.float64) for name in "xwbcsh")
    product = np.zeros((2, 16, 3, 4))
    for i in range(3):
        for j in range(3):
            product += np.einsum("nchw,oc->nohw", x[:, :, i : i + 3, j : j + 4], w[:, :, i, j])
    added = {"": -product, "bias_add(%p, %b)": product + b.reshape(16, 1, 1), "add(%c, %p)": product + c}[
        bias
    ]
    assert near(found, added * s + h)
    assert kernels == 1


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("bias", ["1", "1x1x1", "8x1x1", "1x8x1x1"])
@pytest.mark.parametrize("scale", ["1", "1x1x1", "8x1x1", "1x8x1x1"])
@pytest.mark.parametrize("shift", ["1", "1x1x1", "8x1x1", "1x8x1x1"])
def test_numbers_and_vectors_meet_at_a_convolution(shift: str, scale: str, bias: str, chip: str):
    """Rows as wide as there are filters: a vector that lay along them would fit."""
    text = f"""graph @f(%x: tensor<2x4x3x8xf16>, %w: tensor<8x4x1x1xf16> {{weight}}, %b: tensor<{bias}xf16> {{weight}},
        %s: tensor<{scale}xf16> {{weight}}, %h: tensor<{shift}xf16> {{weight}}) {{
      %p = conv2d(%x, %w)
      %q = add(%p, %b)
      %m = mul(%q, %s)
      %y = add(%h, %m)
      return %y
    }}"""
    shapes = {name: map(int, shape.split("x")) for name, shape in (("b", bias), ("s", scale), ("h", shift))}
    inputs = {"x": array(2, 4, 3, 8), "w": array(8, 4, 1, 1)} | {
        n: array(*shape) for n, shape in shapes.items()
    }
    found, kernels = run(text, chip, inputs)
    x, w, b, s, h = (inputs[name].astype(np.float64) for name in "xwbsh")
    assert near(found, (np.einsum("nchw,oc->nohw", x, w[:, :, 0, 0]) + b) * s + h)
    assert kernels == 1


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("bias", ["1", "1x1", "48", "1x48"])
@pytest.mark.parametrize("scale", ["1", "1x1", "48", "1x48"])
@pytest.mark.parametrize("shift", ["1", "1x1", "48", "1x48"])
def test_numbers_and_vectors_meet_at_a_product(shift: str, scale: str, bias: str, chip: str):
    text = f"""graph @f(%x: tensor<20x32xf16>, %w: tensor<32x48xf16> {{weight}}, %b: tensor<{bias}xf16> {{weight}},
        %s: tensor<{scale}xf16> {{weight}}, %h: tensor<{shift}xf16> {{weight}}) {{
      %p = matmul(%x, %w)
      %q = add(%b, %p)
      %m = mul(%q, %s)
      %y = add(%m, %h)
      return %y
    }}"""
    shapes = {name: map(int, shape.split("x")) for name, shape in (("b", bias), ("s", scale), ("h", shift))}
    inputs = {"x": array(20, 32), "w": array(32, 48)} | {n: array(*shape) for n, shape in shapes.items()}
    found, kernels = run(text, chip, inputs)
    x, w, b, s, h = (inputs[name].astype(np.float64) for name in "xwbsh")
    assert near(found, (x @ w + b) * s + h)
    assert kernels == 1


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("number, size", [(1000.0, 2.0**-10), (2.0**-14, 1.0)])
def test_weights_keep_their_range_and_digits(number: float, size: float, chip: str):
    """A factor that results bear and weights do not: w c is infinite, or has few digits."""
    text = f"""graph @f(%x: tensor<20x32xf16>, %w: tensor<32x48xf16> {{weight}}) {{
      %p = matmul(%x, %w)
      %c = constant() {{value = {number}}} : tensor<f16>
      %y = mul(%p, %c)
      return %y
    }}"""
    large = 200.0 if number > 1 else 0.01
    inputs = {
        "x": array(20, 32) * np.float16(size),
        "w": (array(32, 48) * np.float16(large)).astype(np.float16),
    }
    if number < 1:
        inputs["x"] = (inputs["x"] * np.float16(200)).astype(np.float16)
    found, _ = run(text, chip, inputs)
    x, w = (inputs[name].astype(np.float64) for name in "xw")
    assert near(found, x @ w * number)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("bias", [False, True])
def test_a_product_and_moves(bias: bool, turned: bool, chip: str):
    """One number goes through the moves into weights and bias; a row of factors would not."""
    weights = "48x32" if turned else "32x48"
    text = f"""graph @f(%x: tensor<20x32xf16>, %w: tensor<{weights}xf16> {{weight}}, %b: tensor<48xf16> {{weight}}) {{
      %p = matmul(%x, %w) {{transpose_b = {str(turned).lower()}}}
      %q = {"add(%b, %p)" if bias else "reshape(%p) {shape = [20, 48]}"}
      %r = reshape(%q) {{shape = [20, 4, 12]}}
      %t = transpose(%r) {{perm = [1, 0, 2]}}
      %c = constant() {{value = 0.375}} : tensor<1xf16>
      %y = mul(%t, %c)
      return %y
    }}"""
    inputs = {"x": array(20, 32), "w": array(*map(int, weights.split("x"))), "b": array(48)}
    found, _ = run(text, chip, inputs)
    x, w, b = (inputs[name].astype(np.float64) for name in "xwb")
    product = x @ (w.T if turned else w) + (b if bias else 0)
    assert near(found, product.reshape(20, 4, 12).transpose(1, 0, 2) * 0.375)


@pytest.mark.parametrize("chip", CHIPS)
def test_what_others_read_stays(chip: str):
    text = """graph @f(%x: tensor<20x32xf16>, %w: tensor<32x48xf16> {weight}, %s: tensor<48xf16> {weight}) {
      %p = matmul(%x, %w)
      %m = mul(%p, %s)
      %y = sub(%m, %p)
      return %y
    }"""
    inputs = {"x": array(20, 32), "w": array(32, 48), "s": array(48)}
    found, _ = run(text, chip, inputs)
    x, w, s = (inputs[name].astype(np.float64) for name in "xws")
    assert near(found, (x @ w) * s - x @ w)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("shapes", [("40", "40"), ("40", "20x1"), ("1", "40"), ("20x40", "40")])
def test_without_a_product(shapes: tuple[str, str], chip: str):
    """Two factors and two shifts along one dimension are one each; others stay."""
    one, two = shapes
    text = f"""graph @f(%x: tensor<20x40xf16>, %a: tensor<{one}xf16> {{weight}}, %b: tensor<{one}xf16> {{weight}},
        %c: tensor<{two}xf16> {{weight}}, %d: tensor<{two}xf16> {{weight}}) {{
      %0 = mul(%x, %a)
      %1 = add(%0, %b)
      %2 = mul(%1, %c)
      %3 = add(%2, %d)
      %y = relu(%3)
      return %y
    }}"""
    sizes = [[int(n) for n in shape.split("x")] for shape in (one, one, two, two)]
    inputs = {"x": array(20, 40)} | {name: array(*shape) for name, shape in zip("abcd", sizes, strict=True)}
    found, kernels = run(text, chip, inputs)
    x, a, b, c, d = (inputs[name].astype(np.float64) for name in "xabcd")
    assert near(found, np.maximum((x * a + b) * c + d, 0))
    assert kernels == 1
