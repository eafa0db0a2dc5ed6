graph @stem(%x: tensor<1x3x224x224xf16>, %w: tensor<64x3x7x7xf16> {weight}, %b: tensor<64xf16> {weight}) {
  %0 = conv2d(%x, %w, %b) {strides = [2, 2], pads = [3, 3, 3, 3]}
  %1 = relu(%0)
  %y = max_pool2d(%1) {kernel = [3, 3], strides = [2, 2]}
  return %y
}
