graph @separable(%x: tensor<2x48x57x57xf16>, %dw: tensor<48x1x3x3xf16>, %g1: tensor<48xf16>, %b1: tensor<48xf16>,
                 %m1: tensor<48xf16>, %v1: tensor<48xf16>, %pw: tensor<72x48x1x1xf16>, %g2: tensor<72xf16>,
                 %b2: tensor<72xf16>, %m2: tensor<72xf16>, %v2: tensor<72xf16>) {
  %0 = conv2d(%x, %dw) {pads = [1, 1, 1, 1], groups = 48}
  %1 = batch_norm(%0, %g1, %b1, %m1, %v1) {epsilon = 1.0e-5}
  %2 = relu(%1)
  %3 = conv2d(%2, %pw)
  %4 = batch_norm(%3, %g2, %b2, %m2, %v2) {epsilon = 1.0e-5}
  %5 = relu(%4)
  return %5
}
