// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines
// Mistakes in the shape of a tile kernel, each with its place.

// A tile has as many sizes as the space has dimensions.
// CHECK: {{.*}}verify-errors-kernel.mlir:7:8: error: tile.kernel: tiles (16, 16) do not fit extents (64,)
func.func @f(%x: tensor<64xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 64>, tiles = array<i64: 16, 16>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<64xf16>, %out: tensor<64xf16>, %o: index, %s: index):
  } : (tensor<64xf16>) -> (tensor<64xf16>)
  func.return
}

// -----

// A tile is not empty.
// CHECK: {{.*}}verify-errors-kernel.mlir:18:8: error: tile.kernel: tiles (0,) do not fit extents (64,)
func.func @f(%x: tensor<64xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 64>, tiles = array<i64: 0>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<64xf16>, %out: tensor<64xf16>, %o: index, %s: index):
  } : (tensor<64xf16>) -> (tensor<64xf16>)
  func.return
}

// -----

// The last tile of a dimension ends in one of the known ways.
// CHECK: {{.*}}verify-errors-kernel.mlir:29:8: error: tile.kernel: tails is {{.*}} not 'wrap'
func.func @f(%x: tensor<64xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 64>, tiles = array<i64: 16>, tails = "wrap", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<64xf16>, %out: tensor<64xf16>, %o: index, %s: index):
  } : (tensor<64xf16>) -> (tensor<64xf16>)
  func.return
}

// -----

// An open extent needs to say how many times the run-time size it is.
// CHECK: {{.*}}verify-errors-kernel.mlir:40:8: error: tile.kernel: a first extent of -1 goes with dynamic, how many times the run-time size it is, and with sizes, those that it is tiled for
func.func @f(%x: tensor<?xf16>) -> tensor<?xf16> {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: -1>, tiles = array<i64: 32>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<?xf16>, %out: tensor<?xf16>, %o: index, %s: index):
  } : (tensor<?xf16>) -> (tensor<?xf16>)
  func.return %y : tensor<?xf16>
}

// -----

// Its last tile cannot start early: there may be less than a tile.
// CHECK: {{.*}}verify-errors-kernel.mlir:51:8: error: tile.kernel: the last tile of a dynamic dimension cannot start early (shift)
func.func @f(%x: tensor<?xf16>) -> tensor<?xf16> {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: -1>, tiles = array<i64: 32>, tails = "shift", swizzle = 1 : i64, serial = 0 : i64, ops = [], dynamic = 6 : i64, sizes = array<i64: 1>} {
  ^bb0(%in: tensor<?xf16>, %out: tensor<?xf16>, %o: index, %s: index):
  } : (tensor<?xf16>) -> (tensor<?xf16>)
  func.return %y : tensor<?xf16>
}
