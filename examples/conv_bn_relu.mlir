// The stem of ResNet-50: a 7x7 convolution of stride 2, batch normalization (inference) and ReLU.
// Batch normalization is folded into the weights and a bias, so nothing of it is left at run time.
graph @conv_bn_relu(%x: tensor<8x3x224x224xf16>,
                    %w: tensor<64x3x7x7xf16> {weight},
                    %scale: tensor<64xf16> {weight}, %shift: tensor<64xf16> {weight},
                    %mean: tensor<64xf16> {weight}, %variance: tensor<64xf16> {weight}) {
  %conv = conv2d(%x, %w) {strides = [2, 2], pads = [3, 3, 3, 3]}
  %norm = batch_norm(%conv, %scale, %shift, %mean, %variance) {epsilon = 1e-5}
  %y = relu(%norm)
  return %y
}
