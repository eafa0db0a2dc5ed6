graph @g(%x: tensor<4096x1024xf16>, %w: tensor<1024x4096xf16> {weight}, %b: tensor<4096xf16> {weight}) {
  %0 = matmul(%x, %w)
  %1 = bias_add(%0, %b) {axis = 1}
  %2 = gelu(%1)
  return %2
}
