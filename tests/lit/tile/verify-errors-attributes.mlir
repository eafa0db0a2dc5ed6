// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines
// Mistakes in the attributes of tile ops, each with its place.

// A kernel runs on cores.
// CHECK: {{.*}}verify-errors-attributes.mlir:7:61: error: grid: cores is 1 or more, not 0
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 0>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// A result is not empty.
// CHECK: {{.*}}verify-errors-attributes.mlir:19:61: error: grid: extents are 1 or more, not [0, 32]
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [0, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// Only as many dimensions are walked by one core as there are.
// CHECK: {{.*}}verify-errors-attributes.mlir:31:61: error: grid: serial counts some of 2 dimensions, not 3
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1, serial = 3>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// A map says it for each dimension of the tensor.
// CHECK: {{.*}}verify-errors-attributes.mlir:45:10: error: tile.load: a map of 1 dimensions for a tensor of 2
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// A dimension is followed, needed in full, or repeated.
// CHECK: {{.*}}verify-errors-attributes.mlir:57:80: error: expected 0, the only index of a dimension of size one, not 3
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (3, 0)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// What is followed is a dimension of the region.
// CHECK: {{.*}}verify-errors-attributes.mlir:69:80: error: no dimension 'd7': there are d0, d1
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d7, 0)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// A store writes to as many dimensions as the tensor has.
// CHECK: {{.*}}verify-errors-attributes.mlir:82:5: error: tile.store: 1 offsets and 1 sizes for a tensor of rank 2
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    tile.store %t, %out at %o0 size %s0 : !tile.tile<16x32xf16, ub, nd>, tensor<64x32xf16>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// A part of an accumulator is taken along one of its dimensions.
// CHECK: {{.*}}verify-errors-attributes.mlir:95:10: error: tile.extract: dimension 2 of tiles of rank 2
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %e = tile.extract %t at %o0 {dim = 2 : i64} : !tile.tile<16x32xf16, ub, nd> -> !tile.tile<16x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// A window starts somewhere in every dimension.
// CHECK: {{.*}}verify-errors-attributes.mlir:108:10: error: tile.window: starts and strides of a tile of rank 2
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %w = tile.window %t {starts = array<i64: 0>, strides = array<i64: 1>} : !tile.tile<16x32xf16, ub, nd> -> !tile.tile<16x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// A window moves on.
// CHECK: {{.*}}verify-errors-attributes.mlir:121:10: error: tile.window: starts are 0 or more, strides 1 or more, or 0 where one element is left
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %w = tile.window %t {starts = array<i64: 0, 0>, strides = array<i64: 1, 0>} : !tile.tile<16x32xf16, ub, nd> -> !tile.tile<16x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// There is something to sum.
// CHECK: {{.*}}verify-errors-attributes.mlir:134:60: error: product: k is 1 or more, not 0
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 0, step = 64, l0_k = 64>} {
    ^bb1(%k: index, %s: index):
      tile.yield %t, %t : !tile.tile<16x32xf16, ub, nd>, !tile.tile<16x32xf16, ub, nd>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// A window has a height, a width, and what it moves by.
// CHECK: {{.*}}verify-errors-attributes.mlir:150:192: error: expected 4 integers, not 2
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 64, step = 64, l0_k = 64>, window = #tile.window<kernel = [3, 3], strides = [1, 1], dilations = [1, 1], pads = [1, 1]>} {
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
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
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
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<0x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// Tiles that begin apart span at least one row and one column.
// CHECK: {{.*}}verify-errors-attributes.mlir:193:60: error: product: stagger spans 1 or more, not [0, 2]
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 64, step = 64, l0_k = 64, stagger = [0, 2]>} {
    ^bb1(%k: index, %s: index):
      tile.yield %t, %t : !tile.tile<16x32xf16, ub, nd>, !tile.tile<16x32xf16, ub, nd>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// Only what is read in steps is thin.
// CHECK: {{.*}}verify-errors-attributes.mlir:208:80: error: map: thin d0 needs a stride above 1, and no window or floordiv
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (thin d0, 0)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// What stays in L1 are whole steps of K.
// CHECK: {{.*}}verify-errors-attributes.mlir:221:60: error: product: keeps is for whole steps of K, and a left operand that is not resident
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 64, step = 48, l0_k = 16, keeps>} {
    ^bb1(%k: index, %s: index):
      tile.yield %t, %t : !tile.tile<16x32xf16, ub, nd>, !tile.tile<16x32xf16, ub, nd>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// Columns of one product are whole blocks.
// CHECK: {{.*}}verify-errors-attributes.mlir:237:60: error: product: l0_n is in blocks of 16, not 8
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 64, step = 64, l0_k = 64, l0_n = 8>} {
    ^bb1(%k: index, %s: index):
      tile.yield %t, %t : !tile.tile<16x32xf16, ub, nd>, !tile.tile<16x32xf16, ub, nd>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// Columns of one product are some of the tile's.
// CHECK: {{.*}}verify-errors-attributes.mlir:253:60: error: product: l0_n is less than n, not 32 of 16
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 64, step = 64, l0_k = 64, l0_n = 32>} {
    ^bb1(%k: index, %s: index):
      tile.yield %t, %t : !tile.tile<16x32xf16, ub, nd>, !tile.tile<16x32xf16, ub, nd>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// Of what is loaded ahead there are at least two.
// CHECK: {{.*}}verify-errors-attributes.mlir:269:60: error: product: 2 stages or more, not 1
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 64, step = 64, l0_k = 64, stages = 1>} {
    ^bb1(%k: index, %s: index):
      tile.yield %t, %t : !tile.tile<16x32xf16, ub, nd>, !tile.tile<16x32xf16, ub, nd>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// Only beside a left operand that stays are steps loaded far ahead.
// CHECK: {{.*}}verify-errors-attributes.mlir:285:60: error: product: stages are of a product whose left operand is resident
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %a = tile.contract attributes {schedule = #tile.product<m = 16, n = 16, k = 64, step = 64, l0_k = 64, stages = 3>} {
    ^bb1(%k: index, %s: index):
      tile.yield %t, %t : !tile.tile<16x32xf16, ub, nd>, !tile.tile<16x32xf16, ub, nd>
    } -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return
}
