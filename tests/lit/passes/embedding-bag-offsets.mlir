// RUN: ascend-opt %s --target=ascend910b --fuse | filecheck %s
// RUN: ascend-opt %s --target=ascend910 --fuse | filecheck %s --check-prefix COUPLED
// RUN: ascend-opt %s --target=ascend910b --fuse --lower | filecheck %s --check-prefix LOWERED
// RUN: ascend-opt %s | ascend-opt -f mlir -t graph-text | filecheck %s --check-prefix TEXT
// RUN: ascend-opt %s --target=ascend910b --fuse | ascend-opt -f mlir | ascend-opt -f mlir | filecheck %s

// The rows of a bag are folded as they come: in chunks, whose sums of rows are folded once a bag.
// CHECK-LABEL: func.func @sums(
// CHECK:         tile.kernel "sums_0"(%t, %i, %o){{.*}} ops = ["graph.embedding_bag"]
// CHECK:           %[[sums:.*]] = tile.load {{.*}} by %{{.*}} : tensor<1024xi32> bags %{{.*}} : tensor<129xi32> {{.*}}fold = "add", chunk = 8 : i64{{.*}} -> !tile.tile<3x64xf32, ub, nd>
// CHECK-NEXT:      tile.vec "vconv"(%[[sums]])
// CHECK-NOT:     tile.kernel
// CHECK:         func.return
// COUPLED-LABEL: func.func @sums(
// COUPLED:         ops = ["graph.embedding_bag"]
// COUPLED-NOT:     ops =
// COUPLED-LABEL: func.func @means(
// LOWERED-LABEL: ascend.kernel @sums_0
// LOWERED:         scf.for %[[bag:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// LOWERED:           %[[first:.*]] = ascend.load_index %2 at %{{.*}} {size = 1025 : i64, parts = 128 : i64, step = 8 : i64}
// LOWERED:           %[[end:.*]] = ascend.load_index %2 at %{{.*}} {size = 1025 : i64, parts = 128 : i64, step = 8 : i64}
// LOWERED:           ascend.vec "vdup"() -> %{{.*}} scalar 0.000000e+00
// LOWERED:           scf.for %{{.*}} = %[[first]] to %[[end]] step %{{.*}} {
// LOWERED:             scf.for
// LOWERED:               ascend.load_index %1 at %{{.*}} {size = 1000 : i64}
// LOWERED:               ascend.copy
// LOWERED:             ascend.vec "vconv"
// LOWERED:             ascend.vec "vadd"
// LOWERED:           }
// LOWERED-COUNT-3:   ascend.vec "vadd"
// TEXT-LABEL: graph @sums(
// TEXT:         %y = embedding_bag(%t, %i, %o) {include_last_offset = true}
graph @sums(%t: tensor<1000x64xf16>, %i: tensor<1024xi32>, %o: tensor<129xi32>) {
  %y = embedding_bag(%t, %i, %o) {include_last_offset = true}
  return %y
}

// Means are counted as they are summed up. They are the left operand of the product behind.
// CHECK-LABEL: func.func @means(
// CHECK:         ops = ["graph.embedding_bag", "graph.matmul"]
// CHECK:           tile.contract
// CHECK:           tile.load {{.*}} bags {{.*}}fold = "mean"
// CHECK:           tile.move
// CHECK-NOT:     tile.kernel
// CHECK:         func.return
// COUPLED:         ops = ["graph.embedding_bag", "graph.matmul"]
// COUPLED-NOT:     ops =
// COUPLED-LABEL: func.func @weighted(
// TEXT-LABEL: graph @means(
// TEXT:         %e = embedding_bag(%t, %i, %o) {mode = mean, include_last_offset = true}
graph @means(%t: tensor<1000x64xf16>, %i: tensor<1024xi32>, %o: tensor<129xi32>, %w: tensor<64x128xf16> {weight}) {
  %e = embedding_bag(%t, %i, %o) {mode = "mean", include_last_offset = true}
  %y = matmul(%e, %w)
  return %y
}

// Weights of items are factors of rows.
// CHECK-LABEL: func.func @weighted(
// CHECK:         tile.load {{.*}} bags %{{.*}} : tensor<128xi32> weights %{{.*}} : tensor<1024xf16> {{.*}}fold = "add"
// CHECK:         func.return
// LOWERED-LABEL: ascend.kernel @weighted_0
// LOWERED:         ascend.transpose
// LOWERED:         ascend.vec "vmul"
// TEXT-LABEL: graph @weighted(
// TEXT:         %y = embedding_bag(%t, %i, %o, %p){{$}}
graph @weighted(%t: tensor<1000x64xf16>, %i: tensor<1024xi32>, %o: tensor<128xi32>, %p: tensor<1024xf16>) {
  %y = embedding_bag(%t, %i, %o, %p)
  return %y
}

// The largest of no rows is 0.
// CHECK-LABEL: func.func @largest(
// CHECK:         tile.load {{.*}}fold = "max", chunk = 8 : i64{{.*}} -> !tile.tile<3x64xf16, ub, nd>
// CHECK:         func.return
// LOWERED-LABEL: ascend.kernel @largest_0
// LOWERED:         scalar 0xff800000 : f32
// LOWERED:         ascend.vec "vmax"
// LOWERED:         scf.if
// LOWERED:           ascend.vec "vdup"{{.*}} scalar 0.000000e+00
graph @largest(%t: tensor<1000x64xf16>, %i: tensor<1024xi32>, %o: tensor<128xi32>) {
  %y = embedding_bag(%t, %i, %o) {mode = "max"}
  return %y
}

// Few long bags are a product, so that all cores share them. Items are numbered by the offsets at or before them; where
// the number is that of a bag, the left operand of a product with the picked rows has a one.
// CHECK-LABEL: func.func @long(
// CHECK:         ops = ["graph.cast", "graph.compare", "graph.cast", "graph.reduce_sum", "graph.compare", "graph.cast"]
// CHECK:         ops = ["graph.gather"]
// CHECK:         ops = ["graph.matmul"]
// CHECK:         func.return
graph @long(%t: tensor<1000x64xf16>, %i: tensor<4096xi32>, %o: tensor<4xi32>) {
  %y = embedding_bag(%t, %i, %o)
  return %y
}
