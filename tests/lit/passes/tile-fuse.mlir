// RUN: ascend-opt %s -p tile-fuse | filecheck %s
// RUN: ascend-opt %s -p tile-fuse{target="ascend310p"} | filecheck %s --check-prefix OTHER
// RUN: ascend-opt %s -p tile-fuse --report-json=- 2>&1 | filecheck %s --check-prefix REPORT

// OTHER: builtin.module attributes {ascend.target = "ascend310p"}

// The epilogue joins the product: it runs after the contraction, on the tile that left the accumulator.
// CHECK-LABEL: func.func @linear(
// CHECK:         [[Y:%.*]] = tile.kernel "linear_0"(
// CHECK-SAME:      ops = ["graph.matmul", "graph.bias_add", "graph.relu"]
// CHECK:           [[ACC:%.*]] = tile.contract
// CHECK-NOT:       tile.vec
// CHECK:           } -> !tile.tile<{{.*}}, "l0c"
// CHECK:           tile.chunks
// CHECK:             [[T:%.*]] = tile.extract [[ACC]]
// CHECK-NEXT:        [[S:%.*]] = tile.vec "vadd"([[T]]
// CHECK-NEXT:        [[R:%.*]] = tile.vec "vrelu"([[S]])
// CHECK-NEXT:        tile.store [[R]]
// CHECK-NOT:     tile.kernel
// CHECK:         func.return [[Y]]
graph @linear(%x: tensor<64x64xf16>, %w: tensor<64x64xf16> {weight}, %b: tensor<64xf16> {weight}) {
  %p = matmul(%x, %w)
  %s = bias_add(%p, %b)
  %y = relu(%s)
  return %y
}

// A value that two ops read, or that the graph returns, is written to GM and nothing is fused across it.
// CHECK-LABEL: func.func @shared(
// CHECK:         [[A:%.*]] = tile.kernel "shared_0"(%x)
// CHECK-SAME:      ops = ["graph.tanh"]
// CHECK:         [[B:%.*]] = tile.kernel "shared_1"([[A]])
// CHECK-SAME:      ops = ["graph.relu", "graph.neg"]
// CHECK:         func.return [[A]], [[B]]
graph @shared(%x: tensor<256x256xf16>) {
  %a = tanh(%x)
  %b = relu(%a)
  %c = neg(%b)
  return %a, %c
}

// Every candidate leaves a record, taken or refused.
// REPORT:      "function": "linear"
// REPORT:      "taken": true
// REPORT:      "function": "shared"
// REPORT:      "taken": false
// REPORT-NEXT: "reason": "its result is also used by {{.*}}"
