graph @separable(%x: tensor<8x128x56x56xf16>, %dw: tensor<128x1x3x3xf16> {weight}, %b1: tensor<128xf16> {weight},
                 %pw: tensor<128x128x1x1xf16> {weight}, %b2: tensor<128xf16> {weight}) {
  %0 = conv2d(%x, %dw) {pads = [1, 1, 1, 1], groups = 128}
  %1 = bias_add(%0, %b1)
  %2 = relu(%1)
  %3 = conv2d(%2, %pw)
  %4 = bias_add(%3, %b2)
  %y = relu(%4)
  return %y
}
