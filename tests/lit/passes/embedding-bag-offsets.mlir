// RUN: ascend-opt %s --target=ascend910b --fuse | filecheck %s
// RUN: ascend-opt %s --target=ascend910 --fuse | filecheck %s --check-prefix COUPLED
// RUN: ascend-opt %s --target=ascend910b --fuse --report=- -o /dev/null | filecheck %s --check-prefix REPORT
// RUN: ascend-opt %s | ascend-opt -f mlir -t graph-text | filecheck %s --check-prefix TEXT
// RUN: ascend-opt %s --target=ascend910b --fuse | ascend-opt -f mlir | ascend-opt -f mlir | filecheck %s

// Items are numbered by the offsets at or before them. Where the number is that of a bag, the left operand of a product
// with the picked rows has a one: it is computed in the product's kernel.
// CHECK-LABEL: func.func @sums(
// CHECK:         %[[numbers:.*]] = tile.kernel "sums_0"{{.*}} ops = ["graph.cast", "graph.compare", "graph.cast", "graph.reduce_sum"]
// CHECK:         %[[rows:.*]] = tile.kernel "sums_1"(%t, %i){{.*}} ops = ["graph.gather"]
// CHECK:         tile.kernel "sums_2"(%[[numbers]], %{{.*}}, %[[rows]]){{.*}} ops = ["graph.compare", "graph.cast", "graph.matmul"]
// CHECK-NOT:     tile.kernel
// CHECK:         func.return
// COUPLED-LABEL: func.func @sums(
// COUPLED:         ops = ["graph.cast", "graph.compare", "graph.cast", "graph.reduce_sum"]
// COUPLED:         ops = ["graph.gather"]
// COUPLED:         ops = ["graph.compare", "graph.cast", "graph.matmul"]
// COUPLED-NOT:     ops =
// COUPLED-LABEL: func.func @means(
// REPORT-LABEL: fusion of @sums: 8 ops -> 3 kernels
// REPORT:         taken: compare + cast into matmul
// REPORT:         refused: gather into compare + cast + matmul: graph.cast feeds a product's right or transposed operand, which the Cube reads from GM
// TEXT-LABEL: graph @sums(
// TEXT:         %y = embedding_bag(%t, %i, %o) {include_last_offset = true}
graph @sums(%t: tensor<1000x64xf16>, %i: tensor<1024xi32>, %o: tensor<129xi32>) {
  %y = embedding_bag(%t, %i, %o) {include_last_offset = true}
  return %y
}

// Means are divided in f32 behind the product, by counts of a kernel of their own. A product that follows has one, too.
// CHECK-LABEL: func.func @means(
// CHECK:         ops = ["graph.compare", "graph.cast", "graph.reduce_sum", "graph.maximum"]
// CHECK:         ops = ["graph.compare", "graph.cast", "graph.matmul", "graph.div", "graph.cast"]
// CHECK:         ops = ["graph.matmul"]
// CHECK:         func.return
// REPORT-LABEL: fusion of @means: 15 ops -> 5 kernels
// REPORT:         refused: compare + cast + matmul + div + cast into matmul: an operand of graph.matmul is computed, and so is that of the product it feeds
// TEXT-LABEL: graph @means(
// TEXT:         %e = embedding_bag(%t, %i, %o) {mode = mean, include_last_offset = true}
graph @means(%t: tensor<1000x64xf16>, %i: tensor<1024xi32>, %o: tensor<129xi32>, %w: tensor<64x128xf16> {weight}) {
  %e = embedding_bag(%t, %i, %o) {mode = "mean", include_last_offset = true}
  %y = matmul(%e, %w)
  return %y
}

// Weights of items are factors of the operand.
// CHECK-LABEL: func.func @weighted(
// CHECK:         ops = ["graph.compare", "graph.cast", "graph.mul", "graph.matmul"]
// CHECK:         func.return
// TEXT-LABEL: graph @weighted(
// TEXT:         %y = embedding_bag(%t, %i, %o, %p){{$}}
graph @weighted(%t: tensor<1000x64xf16>, %i: tensor<1024xi32>, %o: tensor<128xi32>, %p: tensor<1024xf16>) {
  %y = embedding_bag(%t, %i, %o, %p)
  return %y
}

// The largest elements are of all rows, where those of other bags are -inf.
// CHECK-LABEL: func.func @largest(
// CHECK:         ops = ["graph.select", "graph.reduce_max", "graph.compare", "graph.select"]
// CHECK:         func.return
graph @largest(%t: tensor<1000x64xf16>, %i: tensor<1024xi32>, %o: tensor<128xi32>) {
  %y = embedding_bag(%t, %i, %o) {mode = "max"}
  return %y
}
