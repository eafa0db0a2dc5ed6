// Attention of 2 x 8 heads over 1024 positions. Fused, it is one kernel: a block of rows of the scores at a time stays on
// chip, and softmax meets its rows part by part, so that the 2x8x1024x1024 scores are never in global memory. Unfused
// they are written and read four times.
graph @attention(%q: tensor<2x8x1024x64xf16>,
                 %k: tensor<2x8x1024x64xf16>,
                 %v: tensor<2x8x1024x64xf16>) {
  %y = attention(%q, %k, %v)
  return %y
}
