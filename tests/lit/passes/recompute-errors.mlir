// RUN: ascend-opt %s --target=ascend910b --fuse --split-input-file --verify-diagnostics | filecheck %s

// What cannot stand between two convolutions of one kernel is named, where it stands.
// CHECK: {{.*}}recompute-errors.mlir:[[# @LINE + 5]]:8: error: graph.exp in group 'a': what stands between two products is not what FixPipe of ascend910b does on the way to L1
// CHECK-NEXT: %2 = exp(%1)
graph @cores_apart(%x: tensor<1x16x12x12xf16>, %w: tensor<16x16x3x3xf16> {weight}, %b: tensor<16xf16> {weight}) {
  %0 = conv2d(%x, %w) {pads = [1, 1, 1, 1], fuse = a}
  %1 = bias_add(%0, %b) {fuse = a}
  %2 = exp(%1) {fuse = a}
  %3 = reciprocal(%2) {fuse = a}
  %4 = conv2d(%3, %w) {pads = [1, 1, 1, 1], fuse = a}
  return %4
}

// -----
// CHECK: {{.*}}recompute-errors.mlir:[[# @LINE + 4]]:8: error: graph.add in group 'a': what stands between two products reads more than rows beside the first one
graph @tensors(%x: tensor<1x16x12x12xf16>, %w: tensor<16x16x3x3xf16> {weight}, %z: tensor<1x16x12x12xf16>) {
  %0 = conv2d(%x, %w) {pads = [1, 1, 1, 1], fuse = a}
  %1 = relu(%0) {fuse = a}
  %2 = add(%1, %z) {fuse = a}
  %3 = conv2d(%2, %w) {pads = [1, 1, 1, 1], fuse = a}
  return %3
}
