// RUN: ascend-opt %s --target=ascend910 -p tile-fuse | filecheck %s
// RUN: ascend-opt %s -p tile-fuse{target="ascend310p"} | filecheck %s --check-prefix OTHER
// RUN: ascend-opt %s --target=ascend910 -p tile-fuse --report-json=- 2>&1 | filecheck %s --check-prefix REPORT
// RUN: ascend-opt %s --target=ascend910 -p tile-fuse --report 2>&1 | filecheck %s --check-prefix TEXT
// RUN: ascend-opt %s --target=ascend910 -p tile-fuse{max-occupancy=0.0} | filecheck %s --check-prefix TIGHT
// RUN: ascend-opt %s --target=ascend910 --fuse --max-occupancy 0 | filecheck %s --check-prefix TIGHT
// RUN: ascend-opt %s --target=ascend910 --fuse --min-gain 0.75 --report=- -o /dev/null | filecheck %s --check-prefix GAIN
// RUN: ascend-run %s --graph summed --target ascend910 --tune 1 --max-occupancy 0 | filecheck %s --check-prefix RUNS
// RUN: not ascend-opt %s -p tile-fuse{max-occupancy=2.0} 2>&1 | filecheck %s --check-prefix SHARE
// RUN: not ascend-opt %s --fuse --max-occupancy 2 2>&1 | filecheck %s --check-prefix OPTION
// RUN: not ascend-run %s --graph shared --max-occupancy 2 2>&1 | filecheck %s --check-prefix OPTION
// RUN: ascend-opt %s --min-gain 0.5 2>&1 | filecheck %s --check-prefix NOTE

// The limits are options of the tools, too.
// GAIN:  [ ] bytes: {{.*}}% saved, 75% wanted where no time is gained
// SHARE: error: pass 'tile-fuse': max-occupancy is a share from 0 to 1, not 2
// OPTION: error: argument --max-occupancy: a share is 0.1 or 10%, from 0% to 100%, not '2'
// NOTE:  note: --min-gain has no effect: nothing is fused without --fuse
// RUNS:  kernels                                  2                   2

// OTHER: builtin.module attributes {ascend.target = "ascend310p"}

// The epilogue joins the product: it runs after the contraction, on the tile that left the accumulator.
// CHECK-LABEL: func.func @linear(
// CHECK:         [[Y:%.*]] = tile.kernel "linear_0"(
// CHECK-SAME:      ops = ["graph.matmul", "graph.bias_add", "graph.relu"]
// CHECK:           [[ACC:%.*]] = tile.contract
// CHECK-NOT:       tile.vec
// CHECK:           } -> !tile.tile<{{.*}}, l0c
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

// TEXT:      fusion of @linear: 3 ops -> 1 kernel, 57472 -> 24704 B of GM (57% saved)
// TEXT-NEXT:   kernel matmul + bias_add + relu: 24704 B of GM with each tensor once, {{[0-9]+}} B of re-reads,
// TEXT-NEXT:     tiles {{[0-9x]+}} on {{[0-9]+}} cores
// TEXT-NEXT:     reads %x: {{[0-9.]+}} x 8192 B = {{[0-9]+}} B
// TEXT-NEXT:     reads %w (packed): {{[0-9.]+}} x 8192 B = {{[0-9]+}} B
// TEXT-NEXT:     reads %b: {{[0-9.]+}} x 128 B = {{[0-9]+}} B
// TEXT-NEXT:     writes 8192 B
// TEXT-NEXT:   taken: matmul into bias_add: saves
// TEXT-NEXT:     kernels 2 -> 1, bytes
// TEXT-NEXT:     high gain, simple: complexity 3 (1 hand-off between pipes, 1 layout change, 1 loop dimension that differs,
// TEXT-NEXT:     [x] bytes:
// TEXT-NEXT:     [x] loops:
// TEXT-NEXT:     [x] branches: none depends on data: 1 Vector instruction for each tile, always the same
// TEXT-NEXT:     [x] occupancy: temporaries that it adds take {{.*}} of UB with their slots, 80% allowed
// TEXT-NEXT:     [ ] frequency: occurs 1 x in the graph
// TEXT:      fusion of @shared: 3 ops -> 2 kernels
// TEXT:        refused: tanh into relu: its result is also used by

// Nothing of UB may go to temporaries that a fusion adds: what adds none still fuses.
// TIGHT-LABEL: func.func @linear(
// TIGHT:         ops = ["graph.matmul", "graph.bias_add", "graph.relu"]
// TIGHT-LABEL: func.func @summed(
// TIGHT-COUNT-2: tile.kernel
graph @summed(%x: tensor<4096x1024xf16>, %y: tensor<4096x1024xf16>, %z: tensor<4096x1024xf16>) {
  %a = add(%x, %y)
  %b = add(%a, %z)
  return %b
}
