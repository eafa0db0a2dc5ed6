// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines
// Mistakes in the body of a tile kernel, each with its place.

// Vector instructions are those of the chip.
// CHECK: {{.*}}verify-errors.mlir:10:10: error: tile.vec: unknown instruction 'vfoo'
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %v = tile.vec "vfoo"(%t) : (!tile.tile<16x32xf16, ub, nd>) -> !tile.tile<16x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// They have a fixed number of sources.
// CHECK: {{.*}}verify-errors.mlir:23:10: error: tile.vec: vadd takes 2 sources, got 1
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %v = tile.vec "vadd"(%t) : (!tile.tile<16x32xf16, ub, nd>) -> !tile.tile<16x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// A source broadcasts along dimensions of size one only.
// CHECK: {{.*}}verify-errors.mlir:36:10: error: tile.vec: !tile.tile<16x32xf16, ub, nd> does not broadcast to !tile.tile<32x32xf16, ub, nd>
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %v = tile.vec "vabs"(%t) : (!tile.tile<16x32xf16, ub, nd>) -> !tile.tile<32x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// Chunks divide what they walk.
// CHECK: {{.*}}verify-errors.mlir:49:5: error: tile.chunks: step 6 does not divide 16
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64, step = 6 : i64} {
    ^bb1(%c: index):
    }
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// A contraction yields a left operand and a right one.
// CHECK: {{.*}}verify-errors.mlir:64:10: error: tile.contract: the body yields the left operand's tile and the right one's
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 64, step = 64, l0_k = 64>} {
    ^bb1(%k: index, %s: index):
      tile.yield %t : !tile.tile<16x32xf16, ub, nd>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// Its accumulator is in L0C.
// CHECK: {{.*}}verify-errors.mlir:80:10: error: tile.contract: the accumulator is in l0c
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 64, step = 64, l0_k = 64>} {
    ^bb1(%k: index, %s: index):
      tile.yield %t, %t : !tile.tile<16x32xf16, ub, nd>, !tile.tile<16x32xf16, ub, nd>
    } -> !tile.tile<16x16xf32, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// UB holds the numbers of i8 tensors as f16.
// CHECK: {{.*}}verify-errors.mlir:95:10: error: tile.load: elements of i8 are f16 in ub, not i8
func.func @f(%x: tensor<64xi8>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64], tiles = [64], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64xi8>, %out: tensor<64xi8>, %o: index, %s: index):
    %t = tile.load %in at %o size %s {map = #tile.map<(d0) -> (d0)>} : tensor<64xi8> -> !tile.tile<64xi8, ub, nd>
    tile.store %t, %out at %o size %s : !tile.tile<64xi8, ub, nd>, tensor<64xi8>
  } : (tensor<64xi8>) -> (tensor<64xi8>)
  func.return
}

// -----

// They go to i8 again, not to another type.
// CHECK: {{.*}}verify-errors.mlir:109:5: error: tile.store: a tile of f16 becomes no f32
func.func @f(%x: tensor<64xi8>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64], tiles = [64], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64xi8>, %out: tensor<64xf32>, %o: index, %s: index):
    %t = tile.load %in at %o size %s {map = #tile.map<(d0) -> (d0)>} : tensor<64xi8> -> !tile.tile<64xf16, ub, nd>
    tile.store %t, %out at %o size %s : !tile.tile<64xf16, ub, nd>, tensor<64xf32>
  } : (tensor<64xi8>) -> (tensor<64xf32>)
  func.return
}
