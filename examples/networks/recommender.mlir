// A recommender: the rows of an embedding table that belong to each of 64 users, summed up, beside 13 numbers, and an MLP.
graph @recommender(%table: tensor<2000x32xf16> {weight}, %rows: tensor<64x20xi32>, %numbers: tensor<64x13xf16>,
                   %w0: tensor<45x128xf16> {weight}, %b0: tensor<128xf16> {weight},
                   %w1: tensor<128x64xf16> {weight}, %b1: tensor<64xf16> {weight},
                   %w2: tensor<64x1xf16> {weight}, %b2: tensor<1xf16> {weight}) {
  %0 = gather(%table, %rows)
  %1 = reduce_sum(%0) {axes = [1]}
  %2 = concat(%1, %numbers) {axis = 1}
  %3 = matmul(%2, %w0)
  %4 = bias_add(%3, %b0)
  %5 = relu(%4)
  %6 = matmul(%5, %w1)
  %7 = bias_add(%6, %b1)
  %8 = relu(%7)
  %9 = matmul(%8, %w2)
  %10 = bias_add(%9, %b2)
  %y = sigmoid(%10)
  return %y
}
