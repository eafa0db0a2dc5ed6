// RUN: ascend-opt %s -p graph-fold-constants | filecheck %s

// What depends on constants alone is computed now.
// CHECK-LABEL: func.func @folded
// CHECK:         [[C:%.*]] = graph.constant dense<{{.*}}5.000000e+00{{.*}}> : tensor<2xf32>
// CHECK-NOT:     graph.add
// CHECK:         graph.mul %x, [[C]]
graph @folded(%x: tensor<2xf32>) {
  %a = constant() {value = [1.0, 2.0]} : tensor<2xf32>
  %b = constant() {value = [4.0, 3.0]} : tensor<2xf32>
  %s = add(%a, %b)
  %y = mul(%x, %s)
  return %y
}

// Weights are arguments: their values are not known yet.
// CHECK-LABEL: func.func @weights
// CHECK:         graph.neg %w
graph @weights(%x: tensor<4xf16>, %w: tensor<4xf16> {weight}) {
  %n = neg(%w)
  %y = mul(%x, %n)
  return %y
}
