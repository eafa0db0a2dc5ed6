// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines
// Mistakes in the packing of weights.

// Packing permutes all dimensions of the split.
// CHECK: {{.*}}verify-errors-pack.mlir:7:8: error: ascend.pack: [0, 2, 3, 3] is not a permutation of 4 dimensions
func.func @f(%w: tensor<60x30xf16>) {
  %p = ascend.pack %w {padded = array<i64: 64, 32>, split = array<i64: 4, 16, 2, 16>, permutation = array<i64: 0, 2, 3, 3>} : tensor<60x30xf16> -> tensor<4x2x16x16xf16>
  func.return
}

// -----

// The packed type is the permuted split.
// CHECK: {{.*}}verify-errors-pack.mlir:16:8: error: ascend.pack: result tensor<2x4x16x16xf16> is not [4, 2, 16, 16]
func.func @f(%w: tensor<60x30xf16>) {
  %p = ascend.pack %w {padded = array<i64: 64, 32>, split = array<i64: 4, 16, 2, 16>, permutation = array<i64: 0, 2, 3, 1>} : tensor<60x30xf16> -> tensor<2x4x16x16xf16>
  func.return
}
