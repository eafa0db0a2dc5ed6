// RUN: ascend-opt %s --target=ascend910b --fuse | filecheck %s
// RUN: ascend-opt %s --target=ascend910b --fuse --lower | filecheck %s --check-prefix LOWER
// RUN: ascend-opt %s --target=ascend910b --fuse --report=- -o /dev/null | filecheck %s --check-prefix REPORT
// RUN: ascend-opt %s --target=ascend910b -p "graph-canonicalize,tile-fuse{layouts=false}" | filecheck %s --check-prefix ROWS
// RUN: ascend-opt %s --target=ascend910b --fuse | ascend-opt - --lower | filecheck %s --check-prefix LOWER

// What one convolution leaves for the next one is NC1HWC0 in GM; arguments and results are row-major.
// CHECK:       func.func @two(%x: tensor<1x64x28x28xf16>
// CHECK-SAME:    -> tensor<1x64x28x28xf16>
// CHECK:         [[T:%.*]] = tile.kernel "two_0"(
// CHECK:           tile.store {{.*}}blocked 1 order [0, 1, 2, 3]>, tensor<1x64x28x28xf16, #tile.layout<blocked 1 order [0, 1, 2, 3]>>
// CHECK:         tile.kernel "two_1"([[T]],
// CHECK:           tile.load {{.*}}#tile.layout<blocked 1 order [0, 1, 2, 3]>> -> !tile.tile<{{.*}}, l1, blocked 1 order [0, 1, 2, 3]>

// On the second one's way to L1 there is one copy; the Vector cores beside only take its results.
// LOWER:       ascend.kernel @two_1_aic
// LOWER:         ascend.copy {{.*}}, "gm">, memref<{{.*}}, "l1">
// LOWER:       ascend.kernel @two_1_aiv
// LOWER:       func.func @two(
// LOWER:         [[T:%.*]] = ascend.gm_alloc {{.*}} : memref<1x4x28x28x16xf16, "gm">
// LOWER:         ascend.launch @two_1_aic with @two_1_aiv([[T]], {{.*}}, {{.*}}, {{%[a-z_0-9]+}}) :

// REPORT: layout: 1x64x28x28xf16 from graph.relu is NC1HWC0: predicted to save {{.*}} us
// ROWS-NOT: #tile.layout
graph @two(%x: tensor<1x64x28x28xf16>, %w: tensor<64x64x3x3xf16> {weight}) {
  %0 = conv2d(%x, %w) {pads = [1, 1, 1, 1], nofuse = first}
  %1 = relu(%0) {nofuse = first}
  %2 = conv2d(%1, %w) {pads = [1, 1, 1, 1], nofuse = second}
  return %2
}
