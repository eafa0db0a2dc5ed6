graph @qkv(%x: tensor<128x768xf16>, %wq: tensor<768x768xf16> {weight}, %wk: tensor<768x768xf16> {weight}, %wv: tensor<768x768xf16> {weight}) {
  %q = matmul(%x, %wq)
  %k = matmul(%x, %wk)
  %v = matmul(%x, %wv)
  return %q, %k, %v
}
