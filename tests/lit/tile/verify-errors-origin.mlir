// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines
// Mistakes in where a store's part of a tensor begins.

// It has an index for each dimension.
// CHECK: {{.*}}verify-errors-origin.mlir:10:5: error: tile.store: an origin is an index of 0 or more for each dimension of tensor<64x16xf16>, not [32]
func.func @f() -> tensor<64x16xf16> {
  %y = tile.kernel "k"() attributes {schedule = #tile.grid<extents = [32, 16], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%out: tensor<64x16xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.vec "vdup"() scalar 0.000000e+00 : f32 : () -> !tile.tile<16x16xf16, ub, nd>
    tile.store %t, %out at %o0, %o1 size %s0, %s1 {origin = array<i64: 32>} : !tile.tile<16x16xf16, ub, nd>, tensor<64x16xf16>
  } : () -> (tensor<64x16xf16>)
  func.return %y : tensor<64x16xf16>
}

// -----

// A part begins with a block of its own.
// CHECK: {{.*}}verify-errors-origin.mlir:23:5: error: tile.store: a part begins with a 32 B block, not at element 8 of tensor<64x24xf16>
func.func @f() -> tensor<64x24xf16> {
  %y = tile.kernel "k"() attributes {schedule = #tile.grid<extents = [32, 16], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%out: tensor<64x24xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.vec "vdup"() scalar 0.000000e+00 : f32 : () -> !tile.tile<16x16xf16, ub, nd>
    tile.store %t, %out at %o0, %o1 size %s0, %s1 {origin = array<i64: 0, 8>} : !tile.tile<16x16xf16, ub, nd>, tensor<64x24xf16>
  } : () -> (tensor<64x24xf16>)
  func.return %y : tensor<64x24xf16>
}

// -----

// The kernel walks no more than there is behind it.
// CHECK: {{.*}}verify-errors-origin.mlir:36:5: error: tile.store: 32 elements of the kernel's dimension 0 from 48 on are not in tensor<64x16xf16>
func.func @f() -> tensor<64x16xf16> {
  %y = tile.kernel "k"() attributes {schedule = #tile.grid<extents = [32, 16], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%out: tensor<64x16xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.vec "vdup"() scalar 0.000000e+00 : f32 : () -> !tile.tile<16x16xf16, ub, nd>
    tile.store %t, %out at %o0, %o1 size %s0, %s1 {origin = array<i64: 48, 0>} : !tile.tile<16x16xf16, ub, nd>, tensor<64x16xf16>
  } : () -> (tensor<64x16xf16>)
  func.return %y : tensor<64x16xf16>
}

// -----

// A part has no lead.
// CHECK: {{.*}}verify-errors-origin.mlir:49:5: error: tile.store: a part of a tensor that is stored lies in rows, without a lead
func.func @f() -> tensor<64x16xf16> {
  %y = tile.kernel "k"() attributes {schedule = #tile.grid<extents = [32, 16], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%out: tensor<64x16xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.vec "vdup"() scalar 0.000000e+00 : f32 : () -> !tile.tile<16x16xf16, ub, nd>
    tile.store %t, %out at %o0, %o1 size %s0, %s1 {origin = array<i64: 32, 0>, lead} : !tile.tile<16x16xf16, ub, nd>, tensor<64x16xf16>
  } : () -> (tensor<64x16xf16>)
  func.return %y : tensor<64x16xf16>
}
