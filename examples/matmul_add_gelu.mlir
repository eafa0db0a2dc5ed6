// A linear layer of a transformer's feed-forward block: x * w + b, then GELU.
graph @matmul_add_gelu(%x: tensor<512x1024xf16>,
                       %w: tensor<1024x4096xf16> {weight},
                       %b: tensor<4096xf16> {weight}) {
  %product = matmul(%x, %w)
  %sum = add(%product, %b)
  %y = gelu(%sum)
  return %y
}
