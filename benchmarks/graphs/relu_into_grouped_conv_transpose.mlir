graph @a(%x: tensor<1x32x8x8xf16>, %w: tensor<32x16x2x2xf16> {weight}) {
  %1 = relu(%x)
  %2 = conv_transpose2d(%1, %w) {strides = [2, 2], groups = 2}
  return %2
}
