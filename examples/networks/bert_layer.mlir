// A layer of BERT base: 128 tokens, 12 heads of 64, feed-forward of 3072, norms behind the residual sums.
graph @bert_layer(%x: tensor<1x128x768xf16>,
                  %wq: tensor<768x768xf16> {weight}, %bq: tensor<768xf16> {weight},
                  %wk: tensor<768x768xf16> {weight}, %bk: tensor<768xf16> {weight},
                  %wv: tensor<768x768xf16> {weight}, %bv: tensor<768xf16> {weight},
                  %wo: tensor<768x768xf16> {weight}, %bo: tensor<768xf16> {weight},
                  %g1: tensor<768xf16> {weight}, %h1: tensor<768xf16> {weight},
                  %wu: tensor<768x3072xf16> {weight}, %bu: tensor<3072xf16> {weight},
                  %wd: tensor<3072x768xf16> {weight}, %bd: tensor<768xf16> {weight},
                  %g2: tensor<768xf16> {weight}, %h2: tensor<768xf16> {weight}) {
  %scale = constant() {value = 0.125} : tensor<f16>
  %q0 = matmul(%x, %wq)
  %q1 = bias_add(%q0, %bq) {axis = 2}
  %q2 = reshape(%q1) {shape = [1, 128, 12, 64]}
  %q = transpose(%q2) {perm = [0, 2, 1, 3]}
  %k0 = matmul(%x, %wk)
  %k1 = bias_add(%k0, %bk) {axis = 2}
  %k2 = reshape(%k1) {shape = [1, 128, 12, 64]}
  %k = transpose(%k2) {perm = [0, 2, 1, 3]}
  %v0 = matmul(%x, %wv)
  %v1 = bias_add(%v0, %bv) {axis = 2}
  %v2 = reshape(%v1) {shape = [1, 128, 12, 64]}
  %v = transpose(%v2) {perm = [0, 2, 1, 3]}
  %a0 = matmul(%q, %k) {transpose_b = true}
  %a1 = mul(%a0, %scale)
  %a2 = softmax(%a1)
  %a3 = matmul(%a2, %v)
  %a4 = transpose(%a3) {perm = [0, 2, 1, 3]}
  %a5 = reshape(%a4) {shape = [1, 128, 768]}
  %o0 = matmul(%a5, %wo)
  %o1 = bias_add(%o0, %bo) {axis = 2}
  %r0 = add(%o1, %x)
  %n0 = layer_norm(%r0, %g1, %h1)
  %u0 = matmul(%n0, %wu)
  %u1 = bias_add(%u0, %bu) {axis = 2}
  %u2 = gelu(%u1)
  %d0 = matmul(%u2, %wd)
  %d1 = bias_add(%d0, %bd) {axis = 2}
  %r1 = add(%d1, %n0)
  %y = layer_norm(%r1, %g2, %h2)
  return %y
}
