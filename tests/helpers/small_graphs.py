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
