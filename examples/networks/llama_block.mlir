// A block in the way of Llama, at a small width: RMS norms before attention and feed-forward, rotary embedding of halves,
// 8 query heads on 2 key and value heads, a causal mask, SwiGLU.
graph @llama_block(%x: tensor<64x512xf16>, %cos: tensor<64x32xf16>, %sin: tensor<64x32xf16>, %mask: tensor<64x64xf16>,
                   %g1: tensor<512xf16> {weight}, %g2: tensor<512xf16> {weight},
                   %wq: tensor<512x512xf16> {weight}, %wk: tensor<512x128xf16> {weight},
                   %wv: tensor<512x128xf16> {weight}, %wo: tensor<512x512xf16> {weight},
                   %wg: tensor<512x1376xf16> {weight}, %wu: tensor<512x1376xf16> {weight},
                   %wd: tensor<1376x512xf16> {weight}) {
  %scale = constant() {value = 0.125} : tensor<f16>
  %n0 = rms_norm(%x, %g1)
  %q0 = matmul(%n0, %wq)
  %q1 = reshape(%q0) {shape = [64, 8, 64]}
  %q2 = transpose(%q1) {perm = [1, 0, 2]}
  %q3 = rope(%q2, %cos, %sin)
  %q = reshape(%q3) {shape = [2, 4, 64, 64]}
  %k0 = matmul(%n0, %wk)
  %k1 = reshape(%k0) {shape = [64, 2, 64]}
  %k2 = transpose(%k1) {perm = [1, 0, 2]}
  %k3 = rope(%k2, %cos, %sin)
  %k = reshape(%k3) {shape = [2, 1, 64, 64]}
  %v0 = matmul(%n0, %wv)
  %v1 = reshape(%v0) {shape = [64, 2, 64]}
  %v2 = transpose(%v1) {perm = [1, 0, 2]}
  %v = reshape(%v2) {shape = [2, 1, 64, 64]}
  %a0 = matmul(%q, %k) {transpose_b = true}
  %a1 = mul(%a0, %scale)
  %a2 = add(%a1, %mask)
  %a3 = softmax(%a2)
  %a4 = matmul(%a3, %v)
  %a5 = reshape(%a4) {shape = [8, 64, 64]}
  %a6 = transpose(%a5) {perm = [1, 0, 2]}
  %a7 = reshape(%a6) {shape = [64, 512]}
  %o = matmul(%a7, %wo)
  %r = add(%o, %x)
  %n1 = rms_norm(%r, %g2)
  %f0 = matmul(%n1, %wg)
  %f1 = silu(%f0)
  %f2 = matmul(%n1, %wu)
  %f3 = mul(%f1, %f2)
  %f4 = matmul(%f3, %wd)
  %y = add(%f4, %r)
  return %y
}
