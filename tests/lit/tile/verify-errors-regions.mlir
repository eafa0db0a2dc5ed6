// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines
// Regions that contradict the grid of their kernel, the tensors, or the tiles.

// Chunks are taken along the dimension that is walked.
// CHECK: {{.*}}verify-errors-regions.mlir:16:5: error: tile.chunks: 16 along 3 in steps of 16, and the body takes !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]> along 0 of !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
    %v = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<32xf16> -> !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 3 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %first = arith.addi %o0, %at : index
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// And are all of the tile.
// CHECK: {{.*}}verify-errors-regions.mlir:48:7: error: tile.store: chunks of 32 of dimension 0, of which a tile has 16
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
    %v = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<32xf16> -> !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 0 : i64, size = 32 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %first = arith.addi %o0, %at : index
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// Weights are packed in one of two ways.
// CHECK: {{.*}}verify-errors-regions.mlir:64:12: error: tile.load: packed is one of zn, blocks, not 'zz'
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {map = #tile.map<(d0, d1) -> ()>, packed = "zz"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
    %v = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<32xf16> -> !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %first = arith.addi %o0, %at : index
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// The grid covers the result as it is.
// CHECK: {{.*}}verify-errors-regions.mlir:100:7: error: tile.store: dimension 0 of tensor<64x32xf16> has 64 elements, the kernel's 63
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [63, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
    %v = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<32xf16> -> !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %first = arith.addi %o0, %at : index
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// What is read is in the tensor, where nothing fills.
// CHECK: {{.*}}verify-errors-regions.mlir:115:12: error: tile.load: 64 of the kernel's dimension need [-1, 63) of dimension 0 of tensor<64x72xf16>, and there is nothing to fill with
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0 - 1, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
    %v = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<32xf16> -> !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %first = arith.addi %o0, %at : index
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// An offset goes with its own size.
// CHECK: {{.*}}verify-errors-regions.mlir:145:10: error: tile.load: the size of dimension 0 is not that which its offset goes with
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
    %v = tile.load %row at %o0, %o1 size %s1, %s0 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<32xf16> -> !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %first = arith.addi %o0, %at : index
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// A tile is as large as what it is of.
// CHECK: {{.*}}verify-errors-regions.mlir:167:12: error: tile.load: 32 of dimension 0 need 32 of dimension 0, and !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]> has 16
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [32, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
    %v = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<32xf16> -> !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %first = arith.addi %o0, %at : index
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// So are the columns of packed weights.
// CHECK: {{.*}}verify-errors-regions.mlir:194:12: error: tile.load: 32 columns, and !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]> has 16
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
    %v = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<32xf16> -> !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %first = arith.addi %o0, %at : index
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// Chunks are of one tile.
// CHECK: {{.*}}verify-errors-regions.mlir:230:7: error: tile.store: chunks of 16 of dimension 0, of which a tile has 32
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [32, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 32, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<32x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<32x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<32x16xf32, l0c, blocked 1 order [1, 0]>
    %v = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<32xf16> -> !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %first = arith.addi %o0, %at : index
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<32x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// A whole chunk is written.
// CHECK: {{.*}}verify-errors-regions.mlir:256:7: error: tile.store: of parts of 16 of dimension 0, 8 are written
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
    %v = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<32xf16> -> !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %first = arith.addi %o0, %at : index
      %rows = arith.constant 8 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// From a tile that has it.
// CHECK: {{.*}}verify-errors-regions.mlir:282:7: error: tile.store: 32 of dimension 0 are written, and !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]> has 16
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
    %v = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<32xf16> -> !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %first = arith.addi %o0, %at : index
      %rows = arith.constant 32 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// Fractals have so many rows.
// CHECK: {{.*}}verify-errors-regions.mlir:298:12: error: tile.load: fractals of f16 are 16 x 16, not those of tensor<5x2x8x16xf16>
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x8x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x8x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x8x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
    %v = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<32xf16> -> !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %first = arith.addi %o0, %at : index
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x8x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// They go to a right operand.
// CHECK: {{.*}}verify-errors-regions.mlir:324:12: error: tile.load: fractals go to a tile in l1, blocked 1 order [0, 1], not to !tile.tile<32x16xf16, l1, blocked 1 order [1, 0]>
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [1, 0]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [1, 0]>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
    %v = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<32xf16> -> !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %first = arith.addi %o0, %at : index
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// A dimension that no other tensor has is 1.
// CHECK: {{.*}}verify-errors-regions.mlir:353:10: error: tile.load: no dimension of tensor<32xf16> is dimension 0 of !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
    %v = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<32xf16> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %first = arith.addi %o0, %at : index
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// Elements repeat in UB.
// CHECK: {{.*}}verify-errors-regions.mlir:375:12: error: tile.load: elements repeat in ub, not in !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0 floordiv 2, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
    %v = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<32xf16> -> !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %first = arith.addi %o0, %at : index
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// A dimension of size one stays so.
// CHECK: {{.*}}verify-errors-regions.mlir:401:12: error: tile.load: 1 of dimension 0 of tensor<64x72xf16>, and !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]> has 16
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
    %v = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<32xf16> -> !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %first = arith.addi %o0, %at : index
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// Fractals begin every 16 columns.
// CHECK: {{.*}}verify-errors-regions.mlir:428:12: error: tile.load: fractals begin every 16 columns, and tiles of 16 of 24 (shift) do not
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<24xf16>) -> tensor<64x24xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 24], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<24xf16>, %out: tensor<64x24xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
    %v = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<24xf16> -> !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %first = arith.addi %o0, %at : index
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x24xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<24xf16>) -> (tensor<64x24xf16>)
  func.return %y : tensor<64x24xf16>
}
