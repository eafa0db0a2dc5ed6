graph @m(%x: tensor<128x2048xf16>, %cos: tensor<128x32xf16>, %sin: tensor<128x32xf16>) {
  %q1 = reshape(%x) {shape = [128, 32, 64]}
  %q2 = transpose(%q1) {perm = [1, 0, 2]}
  %q = rope(%q2, %cos, %sin)
  return %q
}
