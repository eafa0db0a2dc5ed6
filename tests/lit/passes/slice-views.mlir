// RUN: ascend-opt %s --target=ascend910b --fuse | filecheck %s
// RUN: ascend-opt %s --target=ascend910b --fuse --lower | filecheck %s --check-prefix LOWERED
// RUN: ascend-opt %s --target=ascend910b --fuse --report=- -o /dev/null | filecheck %s --check-prefix REPORT
// RUN: ascend-opt %s --target=ascend910b --fuse | ascend-opt -f mlir | filecheck %s

// Half of the channels of an image have no gaps in it, and begin with a 32 B block: who reads them reads the image.
// CHECK-LABEL: func.func @halves(
// CHECK:         %[[pooled:.*]] = tile.kernel "halves_0"
// CHECK:         %[[a:.*]] = tile.slice %[[pooled]] {axis = 1 : i64, start = 0 : i64} : tensor<1x96x8x12xf16> -> tensor<1x48x8x12xf16>
// CHECK:         %[[b:.*]] = tile.slice %[[pooled]] {axis = 1 : i64, start = 48 : i64} : tensor<1x96x8x12xf16> -> tensor<1x48x8x12xf16>
// CHECK:         tile.kernel "halves_1"(%[[a]]
// CHECK:         tile.kernel "halves_2"(%[[b]]
// CHECK-NOT:     tile.kernel
// CHECK:         func.return
// LOWERED-LABEL: func.func @halves(
// LOWERED:         ascend.view_tensor %[[whole:.*]] {offset = 0 : i64} : memref<1x96x8x12xf16, "gm"> -> memref<1x48x8x12xf16, "gm">
// LOWERED:         ascend.view_tensor %[[whole]] {offset = 9216 : i64} : memref<1x96x8x12xf16, "gm"> -> memref<1x48x8x12xf16, "gm">
// REPORT-LABEL: fusion of @halves: 5 ops -> 3 kernels
// REPORT:         view: %a (1x48x8x12) is a part of %p
// REPORT:         view: %b (1x48x8x12) is a part of %p
graph @halves(%x: tensor<1x96x16x24xf16>, %v: tensor<32x48x1x1xf16> {weight}, %w: tensor<32x48x1x1xf16> {weight}) {
  %p = max_pool2d(%x) {kernel = [2, 2], strides = [2, 2]}
  %a = slice(%p) {starts = [0], ends = [48], axes = [1]}
  %b = slice(%p) {starts = [48], ends = [96], axes = [1]}
  %y = conv2d(%a, %v)
  %z = conv2d(%b, %w)
  return %y, %z
}

// Indices are read from GM: a row of them that begins inside of a block has to be copied.
// CHECK-LABEL: func.func @indices(
// CHECK-NOT:     tile.slice
// CHECK:         ops = ["graph.slice"]
// CHECK:         ops = ["graph.gather"]
graph @indices(%t: tensor<50x32xf16>, %i: tensor<3x5xi32>) {
  %a = slice(%i) {starts = [1], ends = [2], axes = [0]}
  %b = reshape(%a) {shape = [5]}
  %y = gather(%t, %b)
  return %y
}
