// RUN: ascend-opt %s -p graph-canonicalize | filecheck %s
// RUN: ascend-opt %s -p graph-canonicalize,graph-canonicalize | filecheck %s

// Operations that do nothing disappear: dropout at inference, a cast to the same type, times one, plus zero.
// CHECK-LABEL: func.func @identities(%x: tensor<8x8xf16>)
// CHECK-NEXT:    [[Y:%.*]] = graph.relu %x
// CHECK-NEXT:    func.return [[Y]]
graph @identities(%x: tensor<8x8xf16>) {
  %one = constant() {value = 1.0} : tensor<f16>
  %a = dropout(%x) {ratio = 0.5}
  %b = mul(%a, %one)
  %c = cast(%b) {to = f16}
  %y = relu(%c)
  return %y
}

// What the result needs stays as it was written.
// CHECK-LABEL: func.func @kept(%x: tensor<8x8xf16>)
// CHECK:         graph.constant
// CHECK:         graph.mul %x
// CHECK:         graph.tanh
graph @kept(%x: tensor<8x8xf16>) {
  %two = constant() {value = 2.0} : tensor<f16>
  %a = mul(%x, %two)
  %y = tanh(%a)
  return %y
}
