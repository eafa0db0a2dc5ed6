// What comes before multi-head latent attention, at a small width (32 tokens, 8 heads): queries from their latent, those
// parts that meet the latent of keys and values multiplied into its space, rotary embedding of neighbouring pairs.
graph @mla_prolog(%x: tensor<32x1024xf16>, %cos: tensor<32x1x32xf16>, %sin: tensor<32x1x32xf16>,
                  %wdq: tensor<1024x384xf16> {weight}, %gq: tensor<384xf16> {weight},
                  %wuq: tensor<384x512xf16> {weight}, %wuk: tensor<8x64x256xf16> {weight},
                  %wqr: tensor<384x512xf16> {weight},
                  %wdkv: tensor<1024x256xf16> {weight}, %gkv: tensor<256xf16> {weight},
                  %wkr: tensor<1024x64xf16> {weight}) {
  %cq0 = matmul(%x, %wdq)
  %cq = rms_norm(%cq0, %gq)
  %qc0 = matmul(%cq, %wuq)
  %qc1 = reshape(%qc0) {shape = [32, 8, 64]}
  %qc2 = transpose(%qc1) {perm = [1, 0, 2]}
  %qn0 = matmul(%qc2, %wuk)
  %qn = transpose(%qn0) {perm = [1, 0, 2]}
  %qr0 = matmul(%cq, %wqr)
  %qr1 = reshape(%qr0) {shape = [32, 8, 64]}
  %qe = slice(%qr1) {starts = [0], ends = [64], axes = [2], steps = [2]}
  %qo = slice(%qr1) {starts = [1], ends = [64], axes = [2], steps = [2]}
  %q0 = mul(%qe, %cos)
  %q1 = mul(%qo, %sin)
  %q2 = sub(%q0, %q1)
  %q3 = mul(%qo, %cos)
  %q4 = mul(%qe, %sin)
  %q5 = add(%q3, %q4)
  %q6 = reshape(%q2) {shape = [32, 8, 32, 1]}
  %q7 = reshape(%q5) {shape = [32, 8, 32, 1]}
  %q8 = concat(%q6, %q7) {axis = 3}
  %qr = reshape(%q8) {shape = [32, 8, 64]}
  %ck0 = matmul(%x, %wdkv)
  %ckv = rms_norm(%ck0, %gkv)
  %kr0 = matmul(%x, %wkr)
  %kr1 = reshape(%kr0) {shape = [32, 1, 64]}
  %ke = slice(%kr1) {starts = [0], ends = [64], axes = [2], steps = [2]}
  %ko = slice(%kr1) {starts = [1], ends = [64], axes = [2], steps = [2]}
  %k0 = mul(%ke, %cos)
  %k1 = mul(%ko, %sin)
  %k2 = sub(%k0, %k1)
  %k3 = mul(%ko, %cos)
  %k4 = mul(%ke, %sin)
  %k5 = add(%k3, %k4)
  %k6 = reshape(%k2) {shape = [32, 1, 32, 1]}
  %k7 = reshape(%k5) {shape = [32, 1, 32, 1]}
  %k8 = concat(%k6, %k7) {axis = 3}
  %kr = reshape(%k8) {shape = [32, 64]}
  return %qn, %qr, %ckv, %kr
}
