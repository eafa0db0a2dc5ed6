// RUN: ascend-opt %s | filecheck %s
// RUN: ascend-opt %s | ascend-opt - | filecheck %s
// RUN: ascend-opt %s -t graph-text | filecheck %s --check-prefix TEXT

// The size of a first dimension goes through every op that keeps it: broadcast, product, window, row, view.
// CHECK-LABEL: func.func @through(%x: tensor<?x4x6x6xf16>, %s: tensor<4x1x1xf16>, %w: tensor<8x4x3x3xf16> {graph.weight}, %v: tensor<16x5xf16>) -> tensor<?x5xf16>
// CHECK:         graph.mul %x, %s : (tensor<?x4x6x6xf16>, tensor<4x1x1xf16>) -> tensor<?x4x6x6xf16>
// CHECK:         graph.conv2d {{.*}} -> tensor<?x8x4x4xf16>
// CHECK:         graph.max_pool2d {{.*}} -> tensor<?x8x2x2xf16>
// CHECK:         graph.reshape {{.*}} {shape = array<i64: -1, 2, 16>} : (tensor<?x8x2x2xf16>) -> tensor<?x2x16xf16>
// CHECK:         graph.reduce_sum {{.*}} -> tensor<?x16xf16>
// CHECK:         graph.softmax {{.*}} : (tensor<?x16xf16>) -> tensor<?x16xf16>
// CHECK:         graph.matmul {{.*}} : (tensor<?x16xf16>, tensor<16x5xf16>) -> tensor<?x5xf16>
// TEXT: graph @through(%x: tensor<?x4x6x6xf16>
graph @through(%x: tensor<?x4x6x6xf16>, %s: tensor<4x1x1xf16>, %w: tensor<8x4x3x3xf16> {weight}, %v: tensor<16x5xf16>) {
  %0 = mul(%x, %s)
  %1 = conv2d(%0, %w)
  %2 = max_pool2d(%1) {kernel = [2, 2], strides = [2, 2]}
  %3 = reshape(%2) {shape = [-1, 2, 16]}
  %4 = reduce_sum(%3) {axes = [1]}
  %5 = softmax(%4)
  %6 = matmul(%5, %v)
  return %6
}
