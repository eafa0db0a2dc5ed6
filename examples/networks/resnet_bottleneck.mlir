// A bottleneck of ResNet-50: 1x1, 3x3 and 1x1 convolutions, each with its batch norm, and what the block began with.
graph @resnet_bottleneck(%x: tensor<1x256x28x28xf16>,
                         %w0: tensor<64x256x1x1xf16> {weight}, %s0: tensor<64xf16> {weight}, %b0: tensor<64xf16> {weight},
                         %m0: tensor<64xf16> {weight}, %v0: tensor<64xf16> {weight},
                         %w1: tensor<64x64x3x3xf16> {weight}, %s1: tensor<64xf16> {weight}, %b1: tensor<64xf16> {weight},
                         %m1: tensor<64xf16> {weight}, %v1: tensor<64xf16> {weight},
                         %w2: tensor<256x64x1x1xf16> {weight}, %s2: tensor<256xf16> {weight},
                         %b2: tensor<256xf16> {weight}, %m2: tensor<256xf16> {weight}, %v2: tensor<256xf16> {weight}) {
  %0 = conv2d(%x, %w0)
  %1 = batch_norm(%0, %s0, %b0, %m0, %v0)
  %2 = relu(%1)
  %3 = conv2d(%2, %w1) {pads = [1, 1, 1, 1]}
  %4 = batch_norm(%3, %s1, %b1, %m1, %v1)
  %5 = relu(%4)
  %6 = conv2d(%5, %w2)
  %7 = batch_norm(%6, %s2, %b2, %m2, %v2)
  %8 = add(%7, %x)
  %y = relu(%8)
  return %y
}
