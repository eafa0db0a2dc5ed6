graph @g(%v: tensor<2x8x7xf16>, %c: tensor<17x3xf16>) {
  %0 = slice(%v) {starts = [4], ends = [7], axes = [2]}
  %1 = slice(%0) {starts = [7], ends = [8], axes = [1]}
  %2 = matmul(%1, %c) {transpose_b = true}
  return %2
}
