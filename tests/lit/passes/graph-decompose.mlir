// RUN: ascend-opt %s -p graph-decompose | filecheck %s
// RUN: ascend-opt %s -p graph-decompose | ascend-opt - -p graph-decompose | filecheck %s
// RUN: not ascend-opt %s -p tile-group 2>&1 | filecheck %s --check-prefix WHOLE
// RUN: not ascend-opt %s -p tile-group-ops 2>&1 | filecheck %s --check-prefix WHOLE

// Passes that group ops take none that is made of others.
// WHOLE: graph-decompose.mlir:{{[0-9]+}}:8: error: graph.conv2d: it is made of a product and its bias; run graph-decompose first

// A convolution leaves its bias to an op of its own, and two slices are one.
// CHECK-LABEL: func.func @biased(
// CHECK-NEXT:    [[P:%.*]] = graph.conv2d %x, %w : (tensor<2x16x8x8xf16>, tensor<32x16x1x1xf16>) -> tensor<2x32x8x8xf16>
// CHECK-NEXT:    [[B:%.*]] = graph.bias_add [[P]], %b
// CHECK-NEXT:    [[S:%.*]] = graph.slice [[B]] {starts = array<i64: 0, 8, 0, 0>, ends = array<i64: 2, 24, 8, 8>
// CHECK-NEXT:    func.return [[S]]
graph @biased(%x: tensor<2x16x8x8xf16>, %w: tensor<32x16x1x1xf16> {weight}, %b: tensor<32xf16> {weight}) {
  %c = conv2d(%x, %w, %b)
  %s = slice(%c) {starts = [4], ends = [28], axes = [1]}
  %t = slice(%s) {starts = [4], ends = [20], axes = [1]}
  return %t
}

// An op that no instruction computes at once becomes those that it is made of; sizes that are not known stay so.
// CHECK-LABEL: func.func @composite(%x: tensor<?x16xf16>)
// CHECK-NEXT:    [[M:%.*]] = graph.reduce_max %x {axes = array<i64: 1>, keep_dims = true} : (tensor<?x16xf16>) -> tensor<?x1xf16>
// CHECK-NEXT:    graph.compare %x, [[M]] {direction = "eq"} : (tensor<?x16xf16>, tensor<?x1xf16>) -> tensor<?x16xi1>
// CHECK-NOT:     graph.argmax
// CHECK:         [[Y:%.*]] = graph.cast {{.*}} -> tensor<?xi32>
// CHECK-NEXT:    func.return [[Y]]
graph @composite(%x: tensor<?x16xf16>) {
  %y = argmax(%x) {axis = 1}
  return %y
}

// What gives a tensor of no elements computes nothing.
// CHECK-LABEL: func.func @empty(
// CHECK-NEXT:    [[E:%.*]] = graph.constant dense<> : tensor<0x8xf16>
// CHECK-NEXT:    func.return [[E]]
graph @empty(%x: tensor<0x8xf16>) {
  %y = relu(%x)
  return %y
}
