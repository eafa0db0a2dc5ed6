graph @a(%x: tensor<1x56x28x28xf16>, %y: tensor<1x56x28x28xf16>, %g: tensor<112x28x1x1xf16> {weight}) {
  %0 = concat(%x, %y) {axis = 1}
  %1 = relu(%0)
  %2 = conv2d(%1, %g) {groups = 4}
  return %2
}
