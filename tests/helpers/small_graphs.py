"""Graphs that several tests compile."""

LINEAR = """graph @linear(%x: tensor<64x128xf16>, %w: tensor<128x64xf16> {weight},
              %b: tensor<64xf16> {weight}) {
  %p = matmul(%x, %w)
  %s = add(%p, %b)
  %y = leaky_relu(%s) {alpha = 0.25}
  return %y, %x
}
"""
SCALE = """graph @scale(%x: tensor<4096xf16>) {
  %c = constant() {value = 3.0} : tensor<f16>
  %y = mul(%x, %c)
  return %y
}
"""


def linear(m: int, k: int, n: int, bias: str = "bias_add", after: str = "relu") -> str:
    """A product of [m, k] and [k, n] with a bias, and an op on its elements."""
    return f"""graph @linear(%x: tensor<{m}x{k}xf16>, %w: tensor<{k}x{n}xf16> {{weight}},
              %b: tensor<{n}xf16> {{weight}}) {{
  %p = matmul(%x, %w)
  %s = {bias}(%p, %b)
  %y = {after}(%s)
  return %y
}}
"""


def convolution(image: str, filters: str) -> str:
    """A convolution of 3 x 3 that keeps the size of its image, and a ReLU; shapes as in types."""
    return f"""graph @conv(%x: tensor<{image}xf16>, %w: tensor<{filters}xf16> {{weight}}) {{
  %c = conv2d(%x, %w) {{pads = [1, 1, 1, 1]}}
  %y = relu(%c)
  return %y
}}
"""
