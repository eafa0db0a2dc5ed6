graph @a(%x: tensor<1x112x28x28xf16>, %b: tensor<112xf16> {weight}, %g: tensor<112x28x1x1xf16> {weight}) {
  %1 = bias_add(%x, %b)
  %2 = conv2d(%1, %g) {groups = 4}
  return %2
}
