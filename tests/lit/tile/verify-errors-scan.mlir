// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s
// Sums along dimensions that cannot be.

// The lanes are not summed up.
// CHECK: {{.*}}verify-errors-scan.mlir:{{[0-9]+}}:10: error: tile.scan: dim 1 has the lanes of !tile.tile<8x16xf32, ub, nd>, which no instruction sums up
func.func @f(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 8, 16>, tiles = array<i64: 8, 16>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<8x16xf32>, %out: tensor<8x16xf32>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.load %in at %o0, %o1 size %s0, %s1 {map = [array<i64: 0, 0, 1, 1, 1, 0>, array<i64: 0, 1, 1, 1, 1, 0>]} : tensor<8x16xf32> -> !tile.tile<8x16xf32, ub, nd>
    %b = tile.scan %a {dim = 1 : i64} : !tile.tile<8x16xf32, ub, nd>
    tile.store %b, %out at %o0, %o1 size %s0, %s1 : !tile.tile<8x16xf32, ub, nd>, tensor<8x16xf32>
  } : (tensor<8x16xf32>) -> (tensor<8x16xf32>)
  func.return %y : tensor<8x16xf32>
}

// -----

// A dimension that there is.
// CHECK: {{.*}}verify-errors-scan.mlir:{{[0-9]+}}:10: error: tile.scan: dim 2 of a tile of rank 2
func.func @f(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 8, 16>, tiles = array<i64: 8, 16>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<8x16xf32>, %out: tensor<8x16xf32>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.load %in at %o0, %o1 size %s0, %s1 {map = [array<i64: 0, 0, 1, 1, 1, 0>, array<i64: 0, 1, 1, 1, 1, 0>]} : tensor<8x16xf32> -> !tile.tile<8x16xf32, ub, nd>
    %b = tile.scan %a {dim = 2 : i64} : !tile.tile<8x16xf32, ub, nd>
    tile.store %b, %out at %o0, %o1 size %s0, %s1 : !tile.tile<8x16xf32, ub, nd>, tensor<8x16xf32>
  } : (tensor<8x16xf32>) -> (tensor<8x16xf32>)
  func.return %y : tensor<8x16xf32>
}
