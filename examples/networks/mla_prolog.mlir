// What comes before multi-head latent attention, at a small width (32 tokens, 8 heads): queries from their latent, those
// parts that meet the latent of keys and values multiplied into its space, rotary embedding of neighbouring pairs.
graph @mla_prolog(%x: tensor<32x1024xf16>, %cos: tensor<32x32xf16>, %sin: tensor<32x32xf16>,
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
  %qr2 = transpose(%qr1) {perm = [1, 0, 2]}
  %qr3 = rope(%qr2, %cos, %sin) {interleaved = true}
  %qr = transpose(%qr3) {perm = [1, 0, 2]}
  %ck0 = matmul(%x, %wdkv)
  %ckv = rms_norm(%ck0, %gkv)
  %kr0 = matmul(%x, %wkr)
  %kr = rope(%kr0, %cos, %sin) {interleaved = true}
  return %qn, %qr, %ckv, %kr
}
