// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s
// Sums along dimensions that cannot be.

// The lanes are not summed up.
// CHECK: {{.*}}verify-errors-scan.mlir:{{[0-9]+}}:10: error: tile.scan: dim 1 has the lanes of !tile.tile<8x16xf32, ub, nd>, which no instruction sums up
func.func @f(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [8, 16], tiles = [8, 16], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<8x16xf32>, %out: tensor<8x16xf32>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<8x16xf32> -> !tile.tile<8x16xf32, ub, nd>
    %b = tile.scan %a {dim = 1 : i64} : !tile.tile<8x16xf32, ub, nd>
    tile.store %b, %out at %o0, %o1 size %s0, %s1 : !tile.tile<8x16xf32, ub, nd>, tensor<8x16xf32>
  } : (tensor<8x16xf32>) -> (tensor<8x16xf32>)
  func.return %y : tensor<8x16xf32>
}

// -----

// A dimension that there is.
// CHECK: {{.*}}verify-errors-scan.mlir:{{[0-9]+}}:10: error: tile.scan: dim 2 of a tile of rank 2
func.func @f(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [8, 16], tiles = [8, 16], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<8x16xf32>, %out: tensor<8x16xf32>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<8x16xf32> -> !tile.tile<8x16xf32, ub, nd>
    %b = tile.scan %a {dim = 2 : i64} : !tile.tile<8x16xf32, ub, nd>
    tile.store %b, %out at %o0, %o1 size %s0, %s1 : !tile.tile<8x16xf32, ub, nd>, tensor<8x16xf32>
  } : (tensor<8x16xf32>) -> (tensor<8x16xf32>)
  func.return %y : tensor<8x16xf32>
}
