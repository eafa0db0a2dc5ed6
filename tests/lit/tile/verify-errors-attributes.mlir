// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines
// Mistakes in the attributes of tile ops, each with its place.

// A kernel runs on cores.
// CHECK: {{.*}}verify-errors-attributes.mlir:7:8: error: tile.kernel: cores is 1 or more, not 0
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 0 : i64, extents = array<i64: 64, 32>, tiles = array<i64: 16, 32>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = [array<i64: 0, 0, 1, 1, 1, 0>, array<i64: 0, 1, 1, 1, 1, 0>]} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// A result is not empty.
// CHECK: {{.*}}verify-errors-attributes.mlir:19:8: error: tile.kernel: extents are 1 or more, not [0, 32]
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 0, 32>, tiles = array<i64: 16, 32>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = [array<i64: 0, 0, 1, 1, 1, 0>, array<i64: 0, 1, 1, 1, 1, 0>]} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// Only as many dimensions are walked by one core as there are.
// CHECK: {{.*}}verify-errors-attributes.mlir:31:8: error: tile.kernel: serial counts some of 2 dimensions, not 3
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 64, 32>, tiles = array<i64: 16, 32>, tails = "clip", swizzle = 1 : i64, serial = 3 : i64, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = [array<i64: 0, 0, 1, 1, 1, 0>, array<i64: 0, 1, 1, 1, 1, 0>]} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// A map says it for each dimension of the tensor.
// CHECK: {{.*}}verify-errors-attributes.mlir:45:10: error: tile.load: a map of 1 dimensions for a tensor of 2
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 64, 32>, tiles = array<i64: 16, 32>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = [array<i64: 0, 0, 1, 1, 1, 0>]} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// A dimension is followed, needed in full, or repeated.
// CHECK: {{.*}}verify-errors-attributes.mlir:57:10: error: tile.load: [3] maps no dimension
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 64, 32>, tiles = array<i64: 16, 32>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = [array<i64: 3>, array<i64: 2>]} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// What is followed is a dimension of the region.
// CHECK: {{.*}}verify-errors-attributes.mlir:69:10: error: tile.load: [0, 7, 1, 1, 1, 0] follows none of 2 dimensions with a stride of 0 or more and a window, dilation and repeat of 1 or more
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 64, 32>, tiles = array<i64: 16, 32>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = [array<i64: 0, 7, 1, 1, 1, 0>, array<i64: 2>]} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// A store writes to as many dimensions as the tensor has.
// CHECK: {{.*}}verify-errors-attributes.mlir:82:5: error: tile.store: 1 offsets and 1 sizes for a tensor of rank 2
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 64, 32>, tiles = array<i64: 16, 32>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = [array<i64: 0, 0, 1, 1, 1, 0>, array<i64: 0, 1, 1, 1, 1, 0>]} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    tile.store %t, %out at %o0 size %s0 : !tile.tile<16x32xf16, ub, nd>, tensor<64x32xf16>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// A part of an accumulator is taken along one of its dimensions.
// CHECK: {{.*}}verify-errors-attributes.mlir:95:10: error: tile.extract: dimension 2 of tiles of rank 2
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 64, 32>, tiles = array<i64: 16, 32>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = [array<i64: 0, 0, 1, 1, 1, 0>, array<i64: 0, 1, 1, 1, 1, 0>]} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %e = tile.extract %t at %o0 {dim = 2 : i64} : !tile.tile<16x32xf16, ub, nd> -> !tile.tile<16x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// A window starts somewhere in every dimension.
// CHECK: {{.*}}verify-errors-attributes.mlir:108:10: error: tile.window: starts and strides of a tile of rank 2
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 64, 32>, tiles = array<i64: 16, 32>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = [array<i64: 0, 0, 1, 1, 1, 0>, array<i64: 0, 1, 1, 1, 1, 0>]} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %w = tile.window %t {starts = array<i64: 0>, strides = array<i64: 1>} : !tile.tile<16x32xf16, ub, nd> -> !tile.tile<16x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// A window moves on.
// CHECK: {{.*}}verify-errors-attributes.mlir:121:10: error: tile.window: starts are 0 or more, strides 1 or more, or 0 where one element is left
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 64, 32>, tiles = array<i64: 16, 32>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = [array<i64: 0, 0, 1, 1, 1, 0>, array<i64: 0, 1, 1, 1, 1, 0>]} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %w = tile.window %t {starts = array<i64: 0, 0>, strides = array<i64: 1, 0>} : !tile.tile<16x32xf16, ub, nd> -> !tile.tile<16x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// There is something to sum.
// CHECK: {{.*}}verify-errors-attributes.mlir:134:10: error: tile.contract: k is 1 or more, not 0
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 64, 32>, tiles = array<i64: 16, 32>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = [array<i64: 0, 0, 1, 1, 1, 0>, array<i64: 0, 1, 1, 1, 1, 0>]} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %a = tile.contract attributes {m = 16 : i64, n = 16 : i64, k = 0 : i64, step = 64 : i64, l0_k = 64 : i64, transpose_lhs = 0 : i64, transpose_rhs = 0 : i64, m_shape = array<i64: 16>} {
    ^bb1(%k: index, %s: index):
      tile.yield %t, %t : !tile.tile<16x32xf16, ub, nd>, !tile.tile<16x32xf16, ub, nd>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// A window has a height, a width, and what it moves by.
// CHECK: {{.*}}verify-errors-attributes.mlir:150:10: error: tile.contract: a window is [kh, kw, 2 strides, 4 pads, 2 dilations], not [3, 3]
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 64, 32>, tiles = array<i64: 16, 32>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = [array<i64: 0, 0, 1, 1, 1, 0>, array<i64: 0, 1, 1, 1, 1, 0>]} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %a = tile.contract attributes {m = 16 : i64, n = 16 : i64, k = 64 : i64, step = 64 : i64, l0_k = 64 : i64, transpose_lhs = 0 : i64, transpose_rhs = 0 : i64, window = array<i64: 3, 3>, m_shape = array<i64: 16>} {
    ^bb1(%k: index, %s: index):
      tile.yield %t, %t : !tile.tile<16x32xf16, ub, nd>, !tile.tile<16x32xf16, ub, nd>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// Chunks are those of a dimension.
// CHECK: {{.*}}verify-errors-attributes.mlir:166:5: error: tile.chunks: there is no dimension -1
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 64, 32>, tiles = array<i64: 16, 32>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = [array<i64: 0, 0, 1, 1, 1, 0>, array<i64: 0, 1, 1, 1, 1, 0>]} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    tile.chunks attributes {dim = -1 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb1(%c: index):
    }
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// A tile is not empty.
// CHECK: {{.*}}verify-errors-attributes.mlir:{{[0-9]+:[0-9]+}}: error: tile: sizes are 1 or more, not [0, 32]
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 64, 32>, tiles = array<i64: 16, 32>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = [array<i64: 0, 0, 1, 1, 1, 0>, array<i64: 0, 1, 1, 1, 1, 0>]} : tensor<64x32xf16> -> !tile.tile<0x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// Tiles that begin apart span at least one row and one column.
// CHECK: {{.*}}verify-errors-attributes.mlir:193:10: error: tile.contract: stagger is [rows, columns], not [0, 2]
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 64, 32>, tiles = array<i64: 16, 32>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = [array<i64: 0, 0, 1, 1, 1, 0>, array<i64: 0, 1, 1, 1, 1, 0>]} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %a = tile.contract attributes {m = 16 : i64, n = 16 : i64, k = 64 : i64, step = 64 : i64, l0_k = 64 : i64, transpose_lhs = 0 : i64, transpose_rhs = 0 : i64, m_shape = array<i64: 16>, stagger = array<i64: 0, 2>} {
    ^bb1(%k: index, %s: index):
      tile.yield %t, %t : !tile.tile<16x32xf16, ub, nd>, !tile.tile<16x32xf16, ub, nd>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// Only what is read in steps is thin.
// CHECK: {{.*}}verify-errors-attributes.mlir:208:10: error: tile.load: [3, 0, 1, 1, 1, 0] is thin: it needs a stride above 1, and no window or repeat
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 64, 32>, tiles = array<i64: 16, 32>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = [array<i64: 3, 0, 1, 1, 1, 0>, array<i64: 2>]} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// What stays in L1 are whole steps of K.
// CHECK: {{.*}}verify-errors-attributes.mlir:221:10: error: tile.contract: keeps is for whole steps of K, one right operand and a left one that is not resident
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 64, 32>, tiles = array<i64: 16, 32>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = [array<i64: 0, 0, 1, 1, 1, 0>, array<i64: 0, 1, 1, 1, 1, 0>]} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %a = tile.contract attributes {m = 16 : i64, n = 16 : i64, k = 64 : i64, step = 48 : i64, l0_k = 16 : i64, transpose_lhs = 0 : i64, transpose_rhs = 0 : i64, m_shape = array<i64: 16>, keeps} {
    ^bb1(%k: index, %s: index):
      tile.yield %t, %t : !tile.tile<16x32xf16, ub, nd>, !tile.tile<16x32xf16, ub, nd>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// Columns of one product are whole blocks.
// CHECK: {{.*}}verify-errors-attributes.mlir:237:10: error: tile.contract: l0_n is in blocks of 16, not 8
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 64, 32>, tiles = array<i64: 16, 32>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = [array<i64: 0, 0, 1, 1, 1, 0>, array<i64: 0, 1, 1, 1, 1, 0>]} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %a = tile.contract attributes {m = 16 : i64, n = 16 : i64, k = 64 : i64, step = 64 : i64, l0_k = 64 : i64, l0_n = 8 : i64, transpose_lhs = 0 : i64, transpose_rhs = 0 : i64, m_shape = array<i64: 16>} {
    ^bb1(%k: index, %s: index):
      tile.yield %t, %t : !tile.tile<16x32xf16, ub, nd>, !tile.tile<16x32xf16, ub, nd>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// Columns of one product are some of the tile's.
// CHECK: {{.*}}verify-errors-attributes.mlir:253:10: error: tile.contract: l0_n is less than n, not 32 of 16
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 64, 32>, tiles = array<i64: 16, 32>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = [array<i64: 0, 0, 1, 1, 1, 0>, array<i64: 0, 1, 1, 1, 1, 0>]} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %a = tile.contract attributes {m = 16 : i64, n = 16 : i64, k = 64 : i64, step = 64 : i64, l0_k = 64 : i64, l0_n = 32 : i64, transpose_lhs = 0 : i64, transpose_rhs = 0 : i64, m_shape = array<i64: 16>} {
    ^bb1(%k: index, %s: index):
      tile.yield %t, %t : !tile.tile<16x32xf16, ub, nd>, !tile.tile<16x32xf16, ub, nd>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// Of what is loaded ahead there are at least two.
// CHECK: {{.*}}verify-errors-attributes.mlir:269:10: error: tile.contract: 2 stages or more, not 1
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 64, 32>, tiles = array<i64: 16, 32>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = [array<i64: 0, 0, 1, 1, 1, 0>, array<i64: 0, 1, 1, 1, 1, 0>]} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %a = tile.contract attributes {m = 16 : i64, n = 16 : i64, k = 64 : i64, step = 64 : i64, l0_k = 64 : i64, transpose_lhs = 0 : i64, transpose_rhs = 0 : i64, m_shape = array<i64: 16>, stages = 1 : i64} {
    ^bb1(%k: index, %s: index):
      tile.yield %t, %t : !tile.tile<16x32xf16, ub, nd>, !tile.tile<16x32xf16, ub, nd>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// Only beside a left operand that stays are steps loaded far ahead.
// CHECK: {{.*}}verify-errors-attributes.mlir:285:10: error: tile.contract: stages are of a product whose left operand is resident
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {cores = 1 : i64, extents = array<i64: 64, 32>, tiles = array<i64: 16, 32>, tails = "clip", swizzle = 1 : i64, serial = 0 : i64, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = [array<i64: 0, 0, 1, 1, 1, 0>, array<i64: 0, 1, 1, 1, 1, 0>]} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %a = tile.contract attributes {m = 16 : i64, n = 16 : i64, k = 64 : i64, step = 64 : i64, l0_k = 64 : i64, transpose_lhs = 0 : i64, transpose_rhs = 0 : i64, m_shape = array<i64: 16>, stages = 3 : i64} {
    ^bb1(%k: index, %s: index):
      tile.yield %t, %t : !tile.tile<16x32xf16, ub, nd>, !tile.tile<16x32xf16, ub, nd>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}
