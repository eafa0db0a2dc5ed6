graph @shuffle(%x: tensor<1x112x28x28xf16>, %w: tensor<112x1x3x3xf16> {weight}, %b: tensor<112xf16> {weight},
               %g: tensor<112x28x1x1xf16> {weight}) {
  %0 = conv2d(%x, %w) {pads = [1, 1, 1, 1], groups = 112}
  %1 = bias_add(%0, %b)
  %2 = conv2d(%1, %g) {groups = 4}
  return %2
}
