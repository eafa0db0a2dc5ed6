// Convolution, bias and leaky ReLU: the classic epilogue that people fuse into one kernel by hand.
// Fused, the accumulator takes the bias and the activation on chip; unfused, the 8x128x56x56 feature map
// goes through global memory twice more.
graph @conv_bias_leaky_relu(%x: tensor<8x64x56x56xf16>,
                            %w: tensor<128x64x3x3xf16> {weight},
                            %b: tensor<128xf16> {weight}) {
  %conv = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
  %biased = bias_add(%conv, %b)
  %y = leaky_relu(%biased) {alpha = 0.1}
  return %y
}
