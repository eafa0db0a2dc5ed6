graph @g(%a: tensor<9xf16>, %b: tensor<9x1xf16>) {
  %0 = broadcast(%a) {shape = [1, 9]}
  %1 = matmul(%0, %b)
  return %1
}
