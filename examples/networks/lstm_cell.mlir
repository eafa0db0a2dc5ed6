// A step of an LSTM of 256 units on a batch of 32.
graph @lstm_cell(%x: tensor<32x128xf16>, %h: tensor<32x256xf16>, %c: tensor<32x256xf16>,
                 %w: tensor<128x1024xf16> {weight}, %u: tensor<256x1024xf16> {weight}, %b: tensor<1024xf16> {weight}) {
  %0 = matmul(%x, %w)
  %1 = matmul(%h, %u)
  %2 = add(%0, %1)
  %gates = add(%2, %b)
  %i0, %f0, %g0, %o0 = split(%gates) {axis = 1, sizes = [256, 256, 256, 256]}
  %i = sigmoid(%i0)
  %f = sigmoid(%f0)
  %g = tanh(%g0)
  %o = sigmoid(%o0)
  %3 = mul(%f, %c)
  %4 = mul(%i, %g)
  %cell = add(%3, %4)
  %5 = tanh(%cell)
  %hidden = mul(%o, %5)
  return %hidden, %cell
}
