// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines
// Tiles in memories where their ops do not work, or that there are not.

// A tile is in one of the memories of the level.
// CHECK: {{.*}}verify-errors-spaces.mlir:11:149: error: expected one of l1, l0c, bt, fb, ub, not 'l3'
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, "l3", blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, "l3", blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, "l3", blocked 1 order [1, 0]>, !tile.tile<32x16xf16, "l3", blocked 1 order [0, 1]>
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

// DMA brings nothing to L0C.
// CHECK: {{.*}}verify-errors-spaces.mlir:41:10: error: tile.load: DMA brings nothing to l0c
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
    %v = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<32xf16> -> !tile.tile<1x16xf16, l0c, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %first = arith.addi %o0, %at : index
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, l0c, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// A chunk goes to UB.
// CHECK: {{.*}}verify-errors-spaces.mlir:72:12: error: tile.extract: from l0c or ub to ub, not !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> to !tile.tile<16x16xf16, l1, blocked 1 order [1, 0]>
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
    %v = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<32xf16> -> !tile.tile<1x16xf16, l1, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %first = arith.addi %o0, %at : index
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, l1, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, l1, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, l1, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, l1, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, l1, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// The Vector works in UB.
// CHECK: {{.*}}verify-errors-spaces.mlir:100:12: error: tile.vec: the Vector works in ub, not on !tile.tile<16x16xf16, l1, blocked 1 order [1, 0]>
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
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %e = tile.vec "vrelu"(%c) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, l1, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// Its operands lie as the result does.
// CHECK: {{.*}}verify-errors-spaces.mlir:127:12: error: tile.vec: !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]> does not lie as !tile.tile<16x16xf16, ub, blocked 1 order [0, 1]>
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
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %e = tile.vec "vrelu"(%c) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [0, 1]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// And are of one type.
// CHECK: {{.*}}verify-errors-spaces.mlir:154:12: error: tile.vec: operands of vrelu have one element type, not f16, f32
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
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %e = tile.vec "vrelu"(%c) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf32, ub, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// A reduction stays in UB.
// CHECK: {{.*}}verify-errors-spaces.mlir:181:12: error: tile.reduce: from ub to ub, not !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]> to !tile.tile<1x16xf16, l1, blocked 1 order [1, 0]>
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
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %e = tile.reduce "add"(%c) {dims = array<i64: 0>} : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<1x16xf16, l1, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// So do tiles that are put together.
// CHECK: {{.*}}verify-errors-spaces.mlir:208:12: error: tile.join: tiles are put together in ub, not !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
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
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %e = tile.join %a at %at {dim = 0 : i64, starts = array<i64: 0>} : (!tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// A window is of what its tile has.
// CHECK: {{.*}}verify-errors-spaces.mlir:235:12: error: tile.window: [1, 0] by [1, 1] of !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]> is no !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
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
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, ub, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %e = tile.window %c {starts = array<i64: 1, 0>, strides = array<i64: 1, 1>} : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// A chunk lies as the accumulator.
// CHECK: {{.*}}verify-errors-spaces.mlir:260:12: error: tile.extract: !tile.tile<16x16xf16, ub, nd> is no part of !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> along 0
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
    %v = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<32xf16> -> !tile.tile<1x16xf16, ub, nd>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %first = arith.addi %o0, %at : index
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, nd>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, nd>, !tile.tile<1x16xf16, ub, nd>) -> !tile.tile<16x16xf16, ub, nd>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, nd>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// A row in a table is f32.
// CHECK: {{.*}}verify-errors-spaces.mlir:281:10: error: tile.load: a row in bt is f32, not f16
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 72, step = 32, l0_k = 32>} {
    ^bb1(%k: index, %s: index):
      %l = tile.load %in at %o0, %o1, %k size %s0, %s1, %s {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x72xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %weights at %k, %o1 size %s, %s1 {packed = "zn"} : tensor<5x2x16x16xf16> -> !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x16xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
    %v = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<32xf16> -> !tile.tile<1x16xf16, bt, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %first = arith.addi %o0, %at : index
      %rows = arith.constant 16 : index
      %c = tile.extract %a at %at {dim = 0 : i64} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      %d = tile.vec "vadd"(%c, %v) : (!tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, !tile.tile<1x16xf16, bt, blocked 1 order [1, 0]>) -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
      tile.store %d, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// A store is of a tile in UB.
// CHECK: {{.*}}verify-errors-spaces.mlir:314:7: error: tile.store: a tile in ub of rank 2, not !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
func.func @f(%x: tensor<64x72xf16>, %w: tensor<5x2x16x16xf16>, %b: tensor<32xf16>) -> tensor<64x32xf32> {
  %y = tile.kernel "k"(%x, %w, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x72xf16>, %weights: tensor<5x2x16x16xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf32>, %o0: index, %o1: index, %s0: index, %s1: index):
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
      tile.store %a, %out at %first, %o1 size %rows, %s1 : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>, tensor<64x32xf32>
    }
  } : (tensor<64x72xf16>, tensor<5x2x16x16xf16>, tensor<32xf16>) -> (tensor<64x32xf32>)
  func.return %y : tensor<64x32xf32>
}
