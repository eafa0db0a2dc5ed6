// RUN: ascend-opt %s --target=ascend910 --fuse | filecheck %s
// RUN: ascend-opt %s --target=ascend910 --fuse --report=- -o /dev/null | filecheck %s --check-prefix REPORT
// RUN: ascend-opt %s --target=ascend910b --fuse | filecheck %s --check-prefix SPLIT
// RUN: ascend-opt %s --target=ascend910 --fuse | ascend-opt -f mlir | ascend-opt -f mlir | filecheck %s

// Rows of the first convolution stay in L1; those between two tiles are computed by both.
// CHECK-LABEL: func.func @pays(
// CHECK:         %[[first:.*]] = arith.minsi
// CHECK-NEXT:    {{.*}} = arith.constant 0 : index
// CHECK-NEXT:    %[[row:.*]] = arith.maxsi %[[first]]
// CHECK:         tile.contract
// CHECK:         %[[held:.*]] = tile.chunks
// CHECK:           tile.vec "vrelu"
// CHECK-NEXT:      tile.yield
// CHECK-NEXT:    } -> !tile.tile<1x16x3x32xf16, l1
// CHECK:         tile.contract
// CHECK:           tile.halo %[[held]] from %[[row]], %{{.*}} at
// CHECK:         tile.store
// REPORT-LABEL: fusion of @pays: 4 ops -> 1 kernel
// REPORT:         taken: conv2d + bias_add + relu into conv2d: saves {{[0-9]+}}% of the bytes
// REPORT:         % of its operations are computed again by neighbouring tiles

// FixPipe does the bias and the rectifier on the way from L0C to L1.
// SPLIT-LABEL: func.func @pays(
// SPLIT:         tile.load {{.*}}, bt,
// SPLIT:         tile.contract bias
// SPLIT:         tile.chunks
// SPLIT:           tile.extract {{.*}} slope = 0.0
// SPLIT-NEXT:      tile.yield
graph @pays(%x: tensor<1x16x32x32xf16>, %w: tensor<16x16x3x3xf16> {weight}, %b: tensor<16xf16> {weight},
            %v: tensor<16x16x3x3xf16> {weight}) {
  %0 = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
  %1 = bias_add(%0, %b)
  %2 = relu(%1)
  %3 = conv2d(%2, %v) {pads = [1, 1, 1, 1]}
  return %3
}

// Where each tile of columns would compute all channels of the first one, two kernels are faster.
// CHECK-LABEL: func.func @does_not_pay(
// CHECK-COUNT-2: tile.kernel
// REPORT-LABEL: fusion of @does_not_pay: 4 ops -> 2 kernels
// REPORT:         refused: conv2d + bias_add + relu into conv2d: saves 29% of the bytes and no time, with {{[0-9]+}}% of its operations computed again
graph @does_not_pay(%x: tensor<1x128x28x28xf16>, %w: tensor<128x128x3x3xf16> {weight}, %b: tensor<128xf16> {weight},
                    %v: tensor<128x128x3x3xf16> {weight}) {
  %0 = conv2d(%x, %w) {pads = [1, 1, 1, 1]}
  %1 = bias_add(%0, %b)
  %2 = relu(%1)
  %3 = conv2d(%2, %v) {pads = [1, 1, 1, 1]}
  return %3
}
