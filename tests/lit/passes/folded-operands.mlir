// RUN: ascend-opt %s --target=ascend910 --fuse | filecheck %s
// RUN: ascend-opt %s --target=ascend910b --fuse | filecheck %s
// RUN: ascend-opt %s --target=ascend910 --fuse --report=- -o /dev/null | filecheck %s --check-prefix REPORT
// RUN: ascend-opt %s --target=ascend910b --fuse --lower | filecheck %s --check-prefix LOWER
// RUN: ascend-opt %s --target=ascend910 --fuse | ascend-opt -f mlir | ascend-opt -f mlir | filecheck %s

// A bag of looked-up rows and the product behind it are one kernel: rows are picked and folded as they lie in the table,
// and the operand goes to blocks of columns as it is moved.
// CHECK-LABEL: func.func @bag(
// CHECK:         tile.kernel "bag_0"
// CHECK:           tile.contract {{.*}} resident = 64, rows = {{[0-9]+}}
// CHECK:             %[[rows:.*]] = tile.load {{.*}} by %{{.*}} : tensor<128x8xi32> {{.*}} -> !tile.tile<[[m:[0-9]+]]x1x64x8xf16, ub, blocked 2 order [1, 3, 0, 2]>
// CHECK:             %[[sum:.*]] = tile.reduce "add"(%{{.*}}) {dims = array<i64: 3>} : {{.*}} -> !tile.tile<[[m]]x1x64x1xf32, ub
// CHECK:             tile.move {{.*}} {dims = array<i64: 0, 2>} : {{.*}} -> !tile.tile<[[m]]x64xf16, l1, blocked 1 order [1, 0]>
// CHECK-NOT:     tile.kernel
// CHECK:         func.return
// REPORT-LABEL: fusion of @bag: 3 ops -> 1 kernel
// REPORT:         taken: gather + reduce_sum into matmul: saves {{[0-9]+}}% of the bytes

// Vector cores read the indices, and hand the folded rows over to the Cube core.
// LOWER-LABEL: ascend.kernel @bag_0_aic
// LOWER-NOT:     ascend.load_index
// LOWER:         ascend.mmad
// LOWER-LABEL: ascend.kernel @bag_0_aiv
// LOWER:         ascend.load_index
// LOWER:         ascend.vec "vadd"
// LOWER:         ascend.cross_set_flag
graph @bag(%t: tensor<1000x64xf16>, %i: tensor<128x8xi32>, %w: tensor<64x128xf16> {weight}) {
  %e = embedding_bag(%t, %i) {mode = "sum"}
  %y = matmul(%e, %w)
  return %y
}

// What lies inside of the rows that the product multiplies is folded in a kernel of its own.
// CHECK-LABEL: func.func @lanes(
// CHECK:         tile.kernel "lanes_0"{{.*}}graph.reduce_sum
// CHECK:         tile.kernel "lanes_1"{{.*}}graph.matmul
// REPORT-LABEL: fusion of @lanes: 2 ops -> 2 kernels
// REPORT:         refused: reduce_sum into matmul: what is reduced before a product lies along the rows that it multiplies
graph @lanes(%x: tensor<64x32x16xf16>, %w: tensor<32x48xf16> {weight}) {
  %e = reduce_sum(%x) {axes = [2]}
  %y = matmul(%e, %w)
  return %y
}
