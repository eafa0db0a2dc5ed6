// RUN: ascend-opt %s --target=ascend910 -p graph-pad-planes | filecheck %s
// RUN: ascend-opt %s --target=ascend910 -p graph-pad-planes | ascend-opt | filecheck %s
// RUN: ascend-opt %s --target=ascend910 -p graph-pad-planes --report=- -o /dev/null | filecheck %s --check-prefix REPORT
// RUN: ascend-opt %s --target=ascend910 -p graph-pad-planes --report-json=- -o /dev/null | filecheck %s --check-prefix JSON
// RUN: ascend-opt %s --target=ascend910b -p graph-pad-planes | filecheck %s --check-prefix ANY

// Rows of 3249 elements are no whole 32 B blocks: with 15 more all cores share them, and the result is a part.
// CHECK-LABEL: func.func @columns(
// CHECK-NEXT:    [[P:%.*]] = graph.pad %x {pads = array<i64: 0, 0, 0, 15>} : (tensor<64x3249xf16>) -> tensor<64x3264xf16>
// CHECK-NEXT:    [[S:%.*]] = graph.softmax [[P]] {axis = 0 : i64} : (tensor<64x3264xf16>) -> tensor<64x3264xf16>
// CHECK-NEXT:    [[Y:%.*]] = graph.slice [[S]] {starts = array<i64: 0, 0>, ends = array<i64: 64, 3249>}
// CHECK-NEXT:    func.return [[Y]] : tensor<64x3249xf16>
graph @columns(%x: tensor<64x3249xf16>) {
  %y = softmax(%x) {axis = 0}
  return %y
}

// Along the last dimension a core has whole rows.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT:    [[Y:%.*]] = graph.softmax %x
// CHECK-NEXT:    func.return [[Y]]
graph @rows(%x: tensor<64x3249xf16>) {
  %y = softmax(%x)
  return %y
}

// Passes that group ops say what was weighed in their own report; without one the pass does.
// REPORT:      padding of @columns: 1 chain weighed
// REPORT-NEXT:   padded: softmax to 64x3264: of 64x3249 1 core could share the 32 B blocks; {{.*}} us as it is,
// JSON:        "graph-pad-planes"
// JSON:          "function": "columns"
// JSON:            "taken": true

// The DMA of this chip writes parts of blocks.
// ANY-NOT: graph.pad
