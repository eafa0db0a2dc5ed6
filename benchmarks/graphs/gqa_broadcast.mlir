graph @gqa(%q: tensor<8x64x32xf16>, %k: tensor<2x32x64xf16>, %v: tensor<2x64x32xf16>) {
  %k1 = reshape(%k) {shape = [2, 1, 32, 64]}
  %k2 = broadcast(%k1) {shape = [2, 4, 32, 64]}
  %k3 = reshape(%k2) {shape = [8, 32, 64]}
  %v1 = reshape(%v) {shape = [2, 1, 64, 32]}
  %v2 = broadcast(%v1) {shape = [2, 4, 64, 32]}
  %v3 = reshape(%v2) {shape = [8, 64, 32]}
  %s = matmul(%q, %k3)
  %p = softmax(%s)
  %y = matmul(%p, %v3)
  return %y
}
