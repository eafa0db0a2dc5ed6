// RUN: ascend-opt %s --target=ascend910 -p tile-from-graph,tile-partition,tile-pipeline,tile-to-ascend | filecheck %s

// A kernel becomes a program of loads, instructions and stores; its function allocates the result and launches it.
// CHECK-LABEL: ascend.kernel @f_tanh_0
// CHECK-SAME:    ops = ["graph.tanh"]
// CHECK:         ascend.buffer {{.*}} "ub">
// CHECK:         [[CORE:%.*]] = ascend.block_idx
// A tile for each core: no loop.
// CHECK-NEXT:    arith.muli [[CORE]],
// CHECK-NOT:     scf.for
// CHECK:         ascend.copy {{%.*}}, [[X:%.*]] : {{.*}}"gm">, {{.*}}"ub">
// CHECK:         ascend.vec
// CHECK:         ascend.copy {{%.*}}, {{%.*}} : {{.*}}"ub">, {{.*}}"gm">
// CHECK-NOT:     ascend.set_flag
// CHECK:         ascend.end
// CHECK-LABEL: func.func @f(%x: memref<4096xf16, "gm"> {ascend.name = "x"}) -> memref<64x64xf16, "gm"> {
// CHECK-NEXT:    [[Y:%.*]] = ascend.gm_alloc : memref<4096xf16, "gm">
// CHECK-NEXT:    ascend.launch @f_tanh_0(%x, [[Y]])
// CHECK-NEXT:    [[V:%.*]] = ascend.view_tensor [[Y]] : memref<4096xf16, "gm"> -> memref<64x64xf16, "gm">
// CHECK-NEXT:    func.return [[V]]
graph @f(%x: tensor<4096xf16>) {
  %a = tanh(%x)
  %y = reshape(%a) {shape = [64, 64]}
  return %y
}

// Work on weights alone moves to a function that runs once; its results are arguments of the main function.
// CHECK-LABEL: ascend.kernel @linear_matmul_0
// CHECK:         ascend.load2d {{.*}}"l0a">
// CHECK:         ascend.load2d {{.*}}"l0b">
// CHECK:         ascend.mmad
// CHECK:         ascend.copy {{.*}}"l0c">, {{.*}}"ub">
// CHECK-LABEL: func.func @linear.prepare(%w: tensor<64x64xf16> {ascend.name = "w"})
// CHECK-NEXT:    [[P:%.*]] = ascend.pack %w
// CHECK-NEXT:    func.return [[P]]
// CHECK-LABEL: func.func @linear(%x: memref<64x64xf16, "gm"> {ascend.name = "x"}
// CHECK-SAME:    [[W:%[0-9a-z_]+]]: memref<4x4x16x16xf16, "gm"> {ascend.prepared = 0 : i64})
// CHECK-NOT:     ascend.pack
// CHECK:         ascend.launch @linear_matmul_0(%x, [[W]],
graph @linear(%x: tensor<64x64xf16>, %w: tensor<64x64xf16> {weight}) {
  %y = matmul(%x, %w)
  return %y
}

// More tiles than cores: each core takes every 32nd.
// CHECK-LABEL: ascend.kernel @many_relu_0 cores 32
// CHECK:         [[CORE:%.*]] = ascend.block_idx
// CHECK-NEXT:    scf.for {{%.*}} = [[CORE]] to
// CHECK:           ascend.vec "vrelu"
graph @many(%x: tensor<4096x4096xf16>) {
  %y = relu(%x)
  return %y
}
