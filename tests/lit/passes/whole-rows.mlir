// RUN: ascend-opt %s --target=ascend910b -p tile-fuse,tile-partition,tile-pipeline | filecheck %s --check-prefix TILE
// RUN: ascend-opt %s --target=ascend910b --fuse --lower | filecheck %s

// A bias for the table beside the Cube is hoisted.
// TILE-LABEL: tile.kernel "linear_0"
// TILE-SAME:    programs = [#tile.program<aic streamed>]
// TILE:         tile.load {{.*}}hoisted{{.*}}bt
// All of it comes to L1 in front of the loop over tiles and of the operands. Their slots are free before, so that the
// first loads do not wait until it is there.
// CHECK-LABEL: ascend.kernel @linear_0 cores 24
// CHECK:         ascend.set_flag "MTE1" -> "MTE2"
// CHECK:         ascend.copy {{.*}} : memref<768xf16, strided<[1]>, "gm">, memref<768xf16, strided<[1]>, "l1">
// CHECK-NEXT:    ascend.set_flag "MTE2" -> "MTE1"
// CHECK-NEXT:    ascend.wait_flag "MTE2" -> "MTE1"
// CHECK-NOT:     ascend.set_flag "MTE1" -> "MTE2"
// CHECK:         scf.for
// A tile takes its part to the table.
// CHECK:           ascend.copy {{.*}} : memref<64xf16, strided<[1], offset: ?>, "l1">, memref<64xf32, strided<[1]>, "bt">
graph @linear(%x: tensor<128x768xf16>, %w: tensor<768x768xf16> {weight}, %b: tensor<768xf16>) {
  %0 = matmul(%x, %w)
  %y = add(%0, %b)
  return %y
}
