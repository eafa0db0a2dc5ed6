// A fully connected layer whose sizes are no multiple of anything: the tails are part of the example.
graph @matmul_bias_relu(%x: tensor<1000x17xf16>,
                        %w: tensor<17x1000xf16> {weight},
                        %b: tensor<1000xf16> {weight}) {
  %product = matmul(%x, %w)
  %biased = bias_add(%product, %b)
  %y = relu(%biased)
  return %y
}
