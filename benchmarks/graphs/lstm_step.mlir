graph @step(%x: tensor<4x64xf16>, %h: tensor<4x128xf16>, %c: tensor<4x128xf16>, %w: tensor<64x512xf16> {weight}, %r: tensor<128x512xf16> {weight}, %b: tensor<512xf16> {weight}) {
  %0 = matmul(%x, %w)
  %1 = matmul(%h, %r)
  %2 = add(%0, %1)
  %3 = add(%2, %b)
  %i, %f, %g, %o = split(%3) {axis = 1, sizes = [128, 128, 128, 128]}
  %si = sigmoid(%i)
  %sf = sigmoid(%f)
  %tg = tanh(%g)
  %so = sigmoid(%o)
  %4 = mul(%sf, %c)
  %5 = mul(%si, %tg)
  %c1 = add(%4, %5)
  %6 = tanh(%c1)
  %h1 = mul(%so, %6)
  return %h1, %c1
}
