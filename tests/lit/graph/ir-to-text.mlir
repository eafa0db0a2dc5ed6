// RUN: ascend-opt %s -t graph-text | filecheck %s --match-full-lines
// RUN: ascend-opt %s -t graph-text | ascend-opt - -t graph-text | filecheck %s --match-full-lines

// MLIR text at the graph level prints as graph text; attributes at their defaults are left out.
// CHECK:       graph @block(%x: tensor<2x3x8x8xf16>, %w: tensor<4x3x3x3xf16> {weight}, %arg2: tensor<4xf16>) {
// CHECK-NEXT:    %0 = conv2d(%x, %w) {strides = [2, 2]}
// CHECK-NEXT:    %sum = bias_add(%0, %arg2)
// CHECK-NEXT:    %sum_1 = gelu(%sum) {approximate = tanh}
// CHECK-NEXT:    %1 = clip(%sum_1) {min = 0.0, max = inf}
// CHECK-NEXT:    return %1, %x
// CHECK-NEXT:  }
func.func @block(%x: tensor<2x3x8x8xf16>, %w: tensor<4x3x3x3xf16> {graph.weight}, %0: tensor<4xf16>)
    -> (tensor<2x4x3x3xf16>, tensor<2x3x8x8xf16>) {
  %1 = graph.conv2d %x, %w {strides = array<i64: 2, 2>} : (tensor<2x3x8x8xf16>, tensor<4x3x3x3xf16>) -> tensor<2x4x3x3xf16>
  %sum = graph.bias_add %1, %0 : (tensor<2x4x3x3xf16>, tensor<4xf16>) -> tensor<2x4x3x3xf16>
  %sum_7 = graph.gelu %sum {approximate = "tanh"} : (tensor<2x4x3x3xf16>) -> tensor<2x4x3x3xf16>
  %3 = graph.clip %sum_7 {min = 0.0 : f64, max = 0x7FF0000000000000 : f64} : (tensor<2x4x3x3xf16>) -> tensor<2x4x3x3xf16>
  func.return %3, %x : tensor<2x4x3x3xf16>, tensor<2x3x8x8xf16>
}
