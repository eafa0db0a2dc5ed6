// RUN: ascend-opt %s --target=ascend910 -p graph-split-reductions | filecheck %s
// RUN: ascend-opt %s --target=ascend910 -p graph-split-reductions | ascend-opt | filecheck %s
// RUN: not ascend-opt %s -p graph-split-reductions{sizes=0} 2>&1 | filecheck %s --check-prefix SIZES

// SIZES: error: pass 'graph-split-reductions': dynamic sizes are 1 or more, not 0

// One long row is reduced by all cores, part by part, in f32; a second reduction adds up what they give.
// CHECK-LABEL: func.func @one(
// CHECK-NEXT:    [[R:%.*]] = graph.reshape %x {{.*}} -> tensor<[[N:[0-9]+]]x{{[0-9]+}}x2048xf16>
// CHECK-NEXT:    [[C:%.*]] = graph.cast [[R]] {to = f32}
// CHECK-NEXT:    [[P:%.*]] = graph.reduce_sum [[C]] {axes = array<i64: 1, 2>} : {{.*}} -> tensor<[[N]]xf32>
// CHECK-NEXT:    [[S:%.*]] = graph.reduce_sum [[P]] {axes = array<i64: 0>} : (tensor<[[N]]xf32>) -> tensor<f32>
// CHECK-NEXT:    [[D:%.*]] = graph.cast [[S]] {to = f16}
// CHECK-NEXT:    [[Y:%.*]] = graph.reshape [[D]]
// CHECK-NEXT:    func.return [[Y]]
graph @one(%x: tensor<1024x2048xf16>) {
  %y = reduce_sum(%x) {axes = [0, 1]}
  return %y
}

// There is a row for every core, and what is computed on the way is not taken apart.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT:    [[Y:%.*]] = graph.reduce_sum %x
// CHECK-NEXT:    [[E:%.*]] = graph.exp %z
// CHECK-NEXT:    [[S:%.*]] = graph.reduce_sum [[E]]
// CHECK-NEXT:    func.return [[Y]], [[S]]
graph @rows(%x: tensor<1024x2048xf16>, %z: tensor<1024x2048xf16>) {
  %y = reduce_sum(%x) {axes = [1]}
  %e = exp(%z)
  %s = reduce_sum(%e) {axes = [0, 1]}
  return %y, %s
}
