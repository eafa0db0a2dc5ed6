graph @g(%x: tensor<2x16x64xf16>, %i: tensor<i32>, %w: tensor<64x33xf16>) {
  %0 = gather(%x, %i) {axis = 1}
  %1 = matmul(%0, %w)
  return %1
}
