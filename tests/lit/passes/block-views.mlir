// RUN: ascend-opt %s --target=ascend910 --fuse | filecheck %s
// RUN: ascend-opt %s --target=ascend910 --fuse --lower | filecheck %s --check-prefix LOWER
// RUN: ascend-opt %s --target=ascend910 --fuse | ascend-opt - --lower | filecheck %s --check-prefix LOWER
// RUN: ascend-opt %s --target=ascend910 --fuse --report=- -o /dev/null | filecheck %s --check-prefix REPORT
// RUN: ascend-opt %s --target=ascend910 -p "graph-canonicalize,tile-fuse{layouts=false}" | filecheck %s

// What the graph takes and gives in NC1HWC0 is read and written so: the ops that say it are no kernels.
// CHECK:       func.func @image(%x5: tensor<2x2x9x11x16xf16>
// CHECK-SAME:    -> tensor<2x3x9x11x16xf16>
// CHECK-NEXT:    [[X:%.*]] = tile.bitcast %x5 : tensor<2x2x9x11x16xf16> -> tensor<2x32x9x11xf16, #tile.layout<blocked 1 order [0, 1, 2, 3]>>
// CHECK:         [[Y:%.*]] = tile.kernel "image_0"([[X]]
// CHECK-NOT:     tile.kernel
// CHECK:         [[R:%.*]] = tile.bitcast [[Y]] : tensor<2x48x9x11xf16, #tile.layout<blocked 1 order [0, 1, 2, 3]>> -> tensor<2x3x9x11x16xf16>
// CHECK-NEXT:    func.return [[R]]

// LOWER:       func.func @image(%x5: memref<2x2x9x11x16xf16, "gm">
// LOWER:         [[Y:%.*]] = ascend.gm_alloc : memref<2x3x9x11x16xf16, "gm">
// LOWER-NEXT:    ascend.launch @image_0(%x5, {{%.*}}, [[Y]])
// LOWER-NEXT:    func.return [[Y]]

// REPORT:      layout: 2x32x9x11xf16 from %x5 is NC1HWC0: the graph takes it so
// REPORT-NEXT: layout: 2x48x9x11xf16 from graph.relu is NC1HWC0: the graph gives it so
graph @image(%x5: tensor<2x2x9x11x16xf16>, %w: tensor<48x32x3x3xf16> {weight}) {
  %t = transpose(%x5) {perm = [0, 1, 4, 2, 3]}
  %x = reshape(%t) {shape = [2, 32, 9, 11]}
  %0 = conv2d(%x, %w) {pads = [1, 1, 1, 1], fuse = a}
  %1 = relu(%0) {fuse = a}
  %r = reshape(%1) {shape = [2, 3, 16, 9, 11]}
  %y = transpose(%r) {perm = [0, 1, 3, 4, 2]}
  return %y
}

// Kernels that take rows do not: then the ops are kernels.
// CHECK:       func.func @rows(
// CHECK-NOT:     tile.bitcast
// CHECK:         tile.kernel "rows_0"{{.*}}ops = ["graph.transpose"]
// CHECK:         tile.kernel "rows_1"{{.*}}ops = ["graph.softmax"]
// CHECK:         tile.kernel "rows_2"{{.*}}ops = ["graph.transpose"]

// REPORT:      fusion of @rows
// REPORT:      layout: 37x64xf16 from %xz is row-major: graph.softmax, which reads it, takes whole rows
// REPORT-NEXT: layout: 37x64xf16 from graph.softmax is row-major: graph.softmax, which gives it, works on whole rows
graph @rows(%xz: tensor<4x37x16xf16>) {
  %t = transpose(%xz) {perm = [1, 0, 2]}
  %x = reshape(%t) {shape = [37, 64]}
  %0 = softmax(%x)
  %r = reshape(%0) {shape = [37, 4, 16]}
  %y = transpose(%r) {perm = [1, 0, 2]}
  return %y
}

// An op that is to be a kernel of its own is one.
// CHECK:       func.func @asked(
// CHECK-NOT:     tile.bitcast
// CHECK:         tile.kernel "asked_0"{{.*}}ops = ["graph.transpose"]
graph @asked(%xz: tensor<4x48x16xf16>, %w: tensor<64x80xf16> {weight}) {
  %t = transpose(%xz) {perm = [1, 0, 2], nofuse}
  %x = reshape(%t) {shape = [48, 64]}
  %y = matmul(%x, %w)
  return %y
}
