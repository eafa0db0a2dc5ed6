graph @g(%a: tensor<4x9xf16>, %b: tensor<9x17xf16>) {
  %0 = broadcast(%a) {shape = [3, 4, 9]}
  %1 = matmul(%0, %b)
  return %1
}
