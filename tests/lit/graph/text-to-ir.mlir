// RUN: ascend-opt %s | filecheck %s
// RUN: ascend-opt %s | ascend-opt - | filecheck %s
// RUN: ascend-opt %s --print-op-generic | ascend-opt - | filecheck %s

// A chain of operations becomes graph ops in a function; result types are inferred.
// CHECK-LABEL: func.func @conv_block(
// CHECK-SAME:    %x: tensor<1x64x56x56xf16>, %w: tensor<128x64x3x3xf16> {graph.weight}, %b: tensor<128xf16>)
// CHECK-SAME:    -> tensor<1x128x56x56xf16> {
// CHECK-NEXT:    [[CONV:%.*]] = graph.conv2d %x, %w {pads = array<i64: 1, 1, 1, 1>}
// CHECK-SAME:      -> tensor<1x128x56x56xf16>
// CHECK-NEXT:    [[BIAS:%.*]] = graph.bias_add [[CONV]], %b
// CHECK-NEXT:    [[RELU:%.*]] = graph.leaky_relu [[BIAS]] {alpha = 1.000000e-01 : f64}
// CHECK-NEXT:    func.return [[RELU]]
graph @conv_block(%x: tensor<1x64x56x56xf16>, %w: tensor<128x64x3x3xf16> {weight}, %b: tensor<128xf16>) {
  %0 = conv2d(%x, %w) {pads = [1, 1, 1, 1]} // a comment after an operation
  %1 = bias_add(%0, %b)
  %2 = leaky_relu(%1) {alpha = 0.1}
  return %2
}

// A second graph in the file; a value is used many times, an argument is returned as it came.
// CHECK-LABEL: func.func @several(%x: tensor<4x4xf32>)
// CHECK-SAME:    -> (tensor<4x4xf32>, tensor<4x4xf32>) {
// CHECK-NEXT:    %s = graph.mul %x, %x
// CHECK-NEXT:    %t = graph.add %s, %s
// CHECK-NEXT:    func.return %x, %t
graph @several(%x: tensor<4x4xf32>) {
  %s = mul(%x, %x)
  %t = add(%s, %s)
  return %x, %t
}

// Stated types are checked and leave no trace; results may be stated on the graph as well.
// CHECK-LABEL: func.func @stated
// CHECK:         graph.cast %x {to = f32} : (tensor<8xf16>) -> tensor<8xf32>
graph @stated(%x: tensor<8xf16>) -> tensor<8xf32> {
  %y = cast(%x) {to = f32} : tensor<8xf32>
  return %y
}

// A graph may return its argument, and tensors may have rank 0.
// CHECK-LABEL: func.func @identity(%x: tensor<f16>) -> tensor<f16> {
// CHECK-NEXT:    func.return %x : tensor<f16>
graph @identity(%x: tensor<f16>) {
  return %x
}
