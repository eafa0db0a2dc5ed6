graph @masked_row(%q: tensor<1x1x2x16xf16>, %k: tensor<1x1x2x16xf16>, %v: tensor<1x1x2x16xf16>) {
  %m = constant() {value = [[1, 0], [0, 0]]} : tensor<2x2xf16>
  %z = constant() {value = 0.5} : tensor<f16>
  %b = compare(%m, %z) {direction = "gt"}
  %y = attention(%q, %k, %v, %b)
  return %y
}
