// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines
// Sizes of a product that contradict its accumulator, its operands, or the tensors that these are of.

// K is that of the packed weights.
// CHECK: {{.*}}verify-errors-product.mlir:9:10: error: tile.contract: k = 64, and tensor<5x2x16x16xf16> has 80 of K
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 64, step = 32, l0_k = 32>} {
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

// And no more than the left operand has.
// CHECK: {{.*}}verify-errors-product.mlir:35:10: error: tile.contract: k = 73, and tensor<64x72xf16> has 72 of K
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 73, step = 32, l0_k = 32>} {
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

// A piece of a step is whole fractals.
// CHECK: {{.*}}verify-errors-product.mlir:61:10: error: tile.contract: l0_k is in units of 16, what a fractal is deep, or a whole step, not 8 of 32
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 8>} {
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

// So is a step of K.
// CHECK: {{.*}}verify-errors-product.mlir:87:10: error: tile.contract: step is in units of 16, what fractals are deep, or all of K, not 24 of 72
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 24, l0_k = 32>} {
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

// The tiles of a step hold it.
// CHECK: {{.*}}verify-errors-product.mlir:113:10: error: tile.contract: a step has 48 of K, and !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]> holds 32
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 48, l0_k = 32>} {
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

// Rows are those of the accumulator.
// CHECK: {{.*}}verify-errors-product.mlir:139:10: error: tile.contract: m = 15, and !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> has 16 rows
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 15, n = 16, k = 72, step = 32, l0_k = 32>} {
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

// So are columns.
// CHECK: {{.*}}verify-errors-product.mlir:165:10: error: tile.contract: n = 31, and !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> has 16 columns
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 31, k = 72, step = 32, l0_k = 32>} {
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

// What is turned over has its rows last.
// CHECK: {{.*}}verify-errors-product.mlir:191:10: error: tile.contract: m = 16, and the left operand is !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32, transpose_lhs>} {
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

// An operand is turned over or not.
// CHECK: {{.*}}verify-errors-product.mlir:217:107: error: 'transpose_rhs' is a flag: it is stated or not, and has no value
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32, transpose_rhs = 5>} {
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

// Operands are in L1, in blocks.
// CHECK: {{.*}}verify-errors-product.mlir:243:10: error: tile.contract: operands are in l1, in blocks, not !tile.tile<16x32xf16, l1, nd>
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, nd>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, nd>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
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

// The left one is a matrix in NZ.
// CHECK: {{.*}}verify-errors-product.mlir:269:10: error: tile.contract: the Cube reads no operand that lies as !tile.tile<16x32xf16, l1, blocked 1 order [0, 1]>
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [0, 1]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [0, 1]>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
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

// The left one has as many rows as the tile.
// CHECK: {{.*}}verify-errors-product.mlir:295:10: error: tile.contract: m = 16, and the left operand is !tile.tile<32x32xf16, l1, blocked 1 order [1, 0]>
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %rr = arith.constant 32 : index
      %l = tile.load %in at %o0, %o1, %k size %rr, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<32x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<32x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
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

// Sums are f32.
// CHECK: {{.*}}verify-errors-product.mlir:322:10: error: tile.contract: the accumulator is f32 in blocks, not !tile.tile<16x16xf16, l0c, blocked 1 order [1, 0]>
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<16x16xf16, l0c, blocked 1 order [1, 0]>
    %v = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<32xf16> -> !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %first = arith.addi %o0, %at : index
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf16, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// What stays in L1 has the columns of all tiles.
// CHECK: {{.*}}verify-errors-product.mlir:348:10: error: tile.contract: keeps is for a right operand with the columns of all tiles, not !tile.tile<80x16xf16, l1, blocked 1 order [0, 1]> of 32
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 80, l0_k = 80, keeps>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x80xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<80x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x80xf16, l1, blocked 1 order [1, 0]>, !tile.tile<80x16xf16, l1, blocked 1 order [0, 1]>
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

// Windows meet an image.
// CHECK: {{.*}}verify-errors-product.mlir:374:10: error: tile.contract: the Cube reads no operand that lies as !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>, window = #tile.window<kernel = [1, 1], strides = [1, 1], dilations = [1, 1], pads = [0, 0, 0, 0]>} {
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

// K of fractals is their first dimension.
// CHECK: {{.*}}verify-errors-product.mlir:400:10: error: tile.contract: K is dimension 0 of fractals, not 1 of tensor<5x2x16x16xf16>
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %o1, %k size %s1, %s {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
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

// Parts of K are whole steps, and so is what is left of it for the last one.
// CHECK: {{.*}}error: tile.contract: parts of K are whole steps of operands that are read, not 64 of 144 in steps of 32
func.func @f(%x: tensor<16x144xf16>, %w: tensor<144x16xf16>) -> tensor<3x16x16xf32> {
  %y = tile.kernel "k"(%x, %w) attributes {schedule = #tile.grid<extents = [3, 16, 16], tiles = [1, 16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<16x144xf16>, %right: tensor<144x16xf16>, %out: tensor<3x16x16xf32>, %o0: index, %o1: index, %o2: index, %s0: index, %s1: index, %s2: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 64, step = 32, l0_k = 32, parts = <dim = 0, depth = 144>>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %o2, %k size %s0, %s1, %s2, %s {map = #tile.map<(d0, d1, d2, d3) -> (d1, d3)>} : tensor<16x144xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %right at %o0, %o1, %o2, %k size %s0, %s1, %s2, %s {map = #tile.map<(d0, d1, d2, d3) -> (d3, d2)>} : tensor<144x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [1, 0]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [1, 0]>
    } -> !tile.tile<1x16x16xf32, l0c, blocked 2 order [0, 2, 1]>
    tile.store %a, %out at %o0, %o1, %o2 size %s0, %s1, %s2 : !tile.tile<1x16x16xf32, l0c, blocked 2 order [0, 2, 1]>, tensor<3x16x16xf32>
  } : (tensor<16x144xf16>, tensor<144x16xf16>) -> (tensor<3x16x16xf32>)
  func.return %y : tensor<3x16x16xf32>
}

// -----

// The grid has one tile for each part.
// CHECK: {{.*}}error: tile.contract: 160 of K are 3 parts of 64, one each along dimension 0
func.func @f(%x: tensor<16x160xf16>, %w: tensor<160x16xf16>) -> tensor<2x16x16xf32> {
  %y = tile.kernel "k"(%x, %w) attributes {schedule = #tile.grid<extents = [2, 16, 16], tiles = [1, 16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<16x160xf16>, %right: tensor<160x16xf16>, %out: tensor<2x16x16xf32>, %o0: index, %o1: index, %o2: index, %s0: index, %s1: index, %s2: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 64, step = 32, l0_k = 32, parts = <dim = 0, depth = 160>>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %o2, %k size %s0, %s1, %s2, %s {map = #tile.map<(d0, d1, d2, d3) -> (d1, d3)>} : tensor<16x160xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %right at %o0, %o1, %o2, %k size %s0, %s1, %s2, %s {map = #tile.map<(d0, d1, d2, d3) -> (d3, d2)>} : tensor<160x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [1, 0]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [1, 0]>
    } -> !tile.tile<1x16x16xf32, l0c, blocked 2 order [0, 2, 1]>
    tile.store %a, %out at %o0, %o1, %o2 size %s0, %s1, %s2 : !tile.tile<1x16x16xf32, l0c, blocked 2 order [0, 2, 1]>, tensor<2x16x16xf32>
  } : (tensor<16x160xf16>, tensor<160x16xf16>) -> (tensor<2x16x16xf32>)
  func.return %y : tensor<2x16x16xf32>
}
