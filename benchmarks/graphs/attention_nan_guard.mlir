graph @guarded(%q: tensor<12x128x64xf16>, %k: tensor<12x64x128xf16>, %v: tensor<12x128x64xf16>, %m: tensor<128x128xf16>) {
  %z = constant() {value = 0.0} : tensor<f16>
  %s = matmul(%q, %k)
  %a = add(%s, %m)
  %p = softmax(%a)
  %n = is_nan(%p)
  %g = select(%n, %z, %p)
  %y = matmul(%g, %v)
  return %y
}
