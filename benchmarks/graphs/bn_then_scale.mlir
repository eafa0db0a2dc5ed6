graph @scale(%x: tensor<1x64x28x28xf16>, %w: tensor<64x64x1x1xf16> {weight}, %s: tensor<64xf16> {weight}, %b: tensor<64xf16> {weight},
             %m: tensor<64xf16> {weight}, %v: tensor<64xf16> {weight}, %g: tensor<64x1x1xf16> {weight}, %h: tensor<64x1x1xf16> {weight}) {
  %0 = conv2d(%x, %w)
  %1 = batch_norm(%0, %s, %b, %m, %v)
  %2 = mul(%1, %g)
  %3 = add(%2, %h)
  %y = relu(%3)
  return %y
}
