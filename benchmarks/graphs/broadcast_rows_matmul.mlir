graph @g(%a: tensor<9xf16>, %b: tensor<9x17xf16>) {
  %0 = broadcast(%a) {shape = [4, 9]}
  %1 = matmul(%0, %b)
  return %1
}
