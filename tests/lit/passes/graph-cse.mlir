// RUN: ascend-opt %s -p graph-cse | filecheck %s
// RUN: ascend-opt %s -p graph-cse,graph-cse | filecheck %s

// Equal chains become one; a result that is returned twice stays two results.
// CHECK-LABEL: func.func @chains(%x: tensor<8x8xf16>)
// CHECK-NEXT:    [[A:%.*]] = graph.exp %x
// CHECK-NEXT:    [[B:%.*]] = graph.tanh [[A]]
// CHECK-NEXT:    [[C:%.*]] = graph.add [[B]], [[B]]
// CHECK-NEXT:    func.return [[B]], [[B]], [[C]]
graph @chains(%x: tensor<8x8xf16>) {
  %a = exp(%x)
  %b = tanh(%a)
  %c = exp(%x)
  %d = tanh(%c)
  %e = add(%b, %d)
  return %b, %d, %e
}

// Other attributes, other operands, another order of operands: other ops.
// CHECK-LABEL: func.func @differ
// CHECK-COUNT-2: graph.leaky_relu
// CHECK-COUNT-2: graph.sub
// CHECK:         graph.concat
graph @differ(%x: tensor<8x8xf16>, %z: tensor<8x8xf16>) {
  %a = leaky_relu(%x) {alpha = 0.1}
  %b = leaky_relu(%x) {alpha = 0.2}
  %c = sub(%x, %z)
  %d = sub(%z, %x)
  %y = concat(%a, %b, %c, %d) {axis = 0}
  return %y
}

// Constants of equal value are one; those that differ in the sign of a zero are not.
// CHECK-LABEL: func.func @constants
// CHECK-COUNT-2: graph.constant
// CHECK-NOT:     graph.constant
// CHECK-COUNT-2: graph.div
// CHECK:         func.return
graph @constants(%x: tensor<8xf16>) {
  %zero = constant() {value = 0.0} : tensor<f16>
  %same = constant() {value = 0.0} : tensor<f16>
  %minus = constant() {value = -0.0} : tensor<f16>
  %a = div(%x, %zero)
  %b = div(%x, %same)
  %c = div(%x, %minus)
  return %a, %b, %c
}

// An op that asks for a kernel of its own keeps it.
// CHECK-LABEL: func.func @marked
// CHECK-COUNT-2: graph.exp
graph @marked(%x: tensor<8xf16>) {
  %a = exp(%x)
  %b = exp(%x) {nofuse}
  return %a, %b
}
