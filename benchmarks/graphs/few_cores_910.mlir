graph @sample(%x: tensor<1x3x224x224xf16>, %w: tensor<64x3x3x3xf16> {weight}, %s: tensor<64xf16> {weight}, %b: tensor<64xf16> {weight},
              %m: tensor<64xf16> {weight}, %v: tensor<64xf16> {weight}) {
  %0 = conv2d(%x, %w)
  %1 = batch_norm(%0, %s, %b, %m, %v)
  %y = relu(%1)
  return %y
}
