graph @norm(%x: tensor<16384x768xf16>, %g: tensor<768xf16>, %b: tensor<768xf16>) {
  %0 = layer_norm(%x, %g, %b)
  %y = gelu(%0)
  return %y
}
