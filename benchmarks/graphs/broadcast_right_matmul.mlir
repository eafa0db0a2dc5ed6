graph @g(%a: tensor<4x9xf16>, %b: tensor<17xf16>) {
  %0 = broadcast(%b) {shape = [9, 17]}
  %1 = matmul(%a, %0)
  return %1
}
