// RUN: ascend-opt %s --target=ascend910 -p tile-from-graph,tile-partition,tile-pipeline,tile-to-ascend,ascend-plan-workspace --report=- | filecheck %s
// RUN: ascend-opt %s --target=ascend910 --lower | filecheck %s --check-prefix LOWER

// A tensor lies where one lay that no later launch takes; what the function returns has no offset.
// CHECK-LABEL: func.func @chain(
// CHECK:         %a = ascend.gm_alloc {offset = [[A:[0-9]+]] : i64} : memref<64x64xf16, "gm">
// CHECK:         %b = ascend.gm_alloc {offset = {{[0-9]+}} : i64} : memref<64x64xf16, "gm">
// CHECK:         %c = ascend.gm_alloc {offset = [[A]] : i64} : memref<64x64xf16, "gm">
// CHECK:         %d = ascend.gm_alloc : memref<64x64xf16, "gm">
// CHECK:       workspace of @chain: peak 16640 of 24960 B without reuse, at least 16640 B
// CHECK-NEXT:    a: 8320 B at 0, launches 0 to 1
// CHECK-NEXT:    b: 8320 B at 8320, launches 1 to 2
// CHECK-NEXT:    c: 8320 B at 0, launches 2 to 3

// --lower plans the workspace, too.
// LOWER: ascend.gm_alloc {offset = 0 : i64}
graph @chain(%x: tensor<64x64xf16>) {
  %a = tanh(%x)
  %b = exp(%a)
  %c = neg(%b)
  %d = relu(%c)
  return %d
}
