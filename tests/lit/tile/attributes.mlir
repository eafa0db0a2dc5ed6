// RUN: ascend-opt %s | filecheck %s
// RUN: ascend-opt %s | ascend-opt - | filecheck %s
// RUN: ascend-opt %s --print-op-generic | ascend-opt - | filecheck %s
// Attributes of the tile level: fields in any order, and what has its default is left out.

// CHECK:      func.func @grids() attributes {
// CHECK-SAME:   few = #tile.grid<extents = [64], tiles = [16], tails = clip, cores = 2>,
// CHECK-SAME:   order = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = shift, cores = 2, serial = 1>,
// CHECK-SAME:   many = #tile.grid<extents = [4, 64, 32], tiles = [1, 16, 32], tails = [shift, cover, clip], cores = 8, swizzle = 2, serial = 1, inner = 0>,
// CHECK-SAME:   spans = #tile.grid<extents = [64, 9], tiles = [16, 9], tails = cover, cores = 3, spans>,
// CHECK-SAME:   none = #tile.grid<extents = [], tiles = [], tails = [], cores = 1>,
// CHECK-SAME:   rows = #tile.grid<extents = [2, 16, 8, 5], tiles = [1, 16, 4, 5], tails = cover, cores = 1, circular = <dim = 2, halo = 1, gap = 1, lead = 0>>,
// CHECK-SAME:   open = #tile.grid<extents = [-1, 64], tiles = [16, 64], tails = [cover, clip], cores = 48, dynamic = 6, sizes = [1, 8, 32]>} {
func.func @grids() attributes {
  few = #tile.grid<extents = [64], tiles = [16], tails = [clip], cores = 2, swizzle = 1, serial = 0>,
  order = #tile.grid<serial = 1, cores = 2, tails = shift, tiles = [16, 32], extents = [64, 32]>,
  many = #tile.grid<extents = [4, 64, 32], tiles = [1, 16, 32], tails = [shift, cover, clip], cores = 8, swizzle = 2, serial = 1, inner = 0>,
  spans = #tile.grid<extents = [64, 9], tiles = [16, 9], tails = [cover, cover], cores = 3, spans>,
  none = #tile.grid<extents = [], tiles = [], tails = clip, cores = 1>,
  rows = #tile.grid<extents = [2, 16, 8, 5], tiles = [1, 16, 4, 5], tails = cover, cores = 1, circular = <dim = 2, halo = 1, gap = 1, lead = 0>>,
  open = #tile.grid<extents = [-1, 64], tiles = [16, 64], tails = [cover, clip], cores = 48, dynamic = 6, sizes = [1, 8, 32]>
} {
  func.return
}

// CHECK:      func.func @products() attributes {
// CHECK-SAME:   few = #tile.product<m = 16, n = 32, k = 64, step = 32, l0_k = 16>,
// CHECK-SAME:   image = #tile.product<m = [4, 56], n = 128, k = 576, step = 288, l0_k = 48, stagger = [24, 1], unit_flag>,
// CHECK-SAME:   one = #tile.product<m = [], n = 16, k = 16, step = 16, l0_k = 16>,
// CHECK-SAME:   stays = #tile.product<m = 32, n = 256, k = 128, step = 64, l0_k = 32, l0_n = 128, transpose_lhs, transpose_rhs, resident = 128, rows = 16, stages = 3, prefetch, split_last>,
// CHECK-SAME:   part = #tile.product<m = 16, n = 16, k = 64, step = 64, l0_k = 64, parts = <dim = 1, depth = 192>>,
// CHECK-SAME:   kept = #tile.product<m = 16, n = 16, k = 64, step = 64, l0_k = 64, keeps>} {
func.func @products() attributes {
  few = #tile.product<m = [16], n = 32, k = 64, step = 32, l0_k = 16>,
  image = #tile.product<unit_flag, stagger = [24, 1], m = [4, 56], n = 128, k = 576, step = 288, l0_k = 48>,
  one = #tile.product<m = [], n = 16, k = 16, step = 16, l0_k = 16>,
  stays = #tile.product<m = 32, n = 256, k = 128, step = 64, l0_k = 32, l0_n = 128, transpose_lhs, transpose_rhs, resident = 128, rows = 16, stages = 3, prefetch, split_last>,
  part = #tile.product<m = 16, n = 16, k = 64, step = 64, l0_k = 64, parts = <depth = 192, dim = 1>>,
  kept = #tile.product<m = 16, n = 16, k = 64, step = 64, l0_k = 64, keeps>
} {
  func.return
}

// CHECK:      func.func @maps() attributes {
// CHECK-SAME:   scalar = #tile.map<() -> ()>,
// CHECK-SAME:   all = #tile.map<(d0, d1) -> (whole, 0, d1)>,
// CHECK-SAME:   windows = #tile.map<(d0, d1) -> (d0 * 2 + window(3) - 1, d1 + window(3) * 4 + 2)>,
// CHECK-SAME:   taps = #tile.map<(d0) -> (d0 * 0 + window(9))>,
// CHECK-SAME:   slices = #tile.map<(d0, d1) -> (thin d0 * 2 + 3, d1 - 64)>,
// CHECK-SAME:   repeats = #tile.map<(d0) -> (d0 floordiv 2, d0 floordiv 4 * 3 + window(2) - 1)>,
// CHECK-SAME:   looked_up = #tile.map<(d0, d1, d2) -> (indices[d0, d1], indices[], d2)>} {
func.func @maps() attributes {
  scalar = #tile.map<() -> ()>,
  all = #tile.map<(d0, d1) -> (whole, 0, d1)>,
  windows = #tile.map<(d0, d1) -> (d0 * 2 + window(3) - 1, d1 * 1 + window(3) * 4 + 2)>,
  taps = #tile.map<(d0) -> (d0 * 0 + window(9) * 1)>,
  slices = #tile.map<(d0, d1) -> (thin d0 * 2 + 3, d1 - 64)>,
  repeats = #tile.map<(d0) -> (d0 floordiv 2, d0 floordiv 4 * 3 + window(2) - 1)>,
  looked_up = #tile.map<(d0, d1, d2) -> (indices[d0, d1], indices[], d2 floordiv 1)>
} {
  func.return
}

// CHECK:      func.func @windows() attributes {
// CHECK-SAME:   one = #tile.window<kernel = [3, 5], strides = [2, 1], dilations = [1, 4], pads = [0, 1, 2, 3]>,
// CHECK-SAME:   type = !tile.tile<16x32xf16, ub, nd>} {
func.func @windows() attributes {
  one = #tile.window<pads = [0, 1, 2, 3], kernel = [3, 5], strides = [2, 1], dilations = [1, 4]>,
  type = !tile.tile<16x32xf16, ub, nd>
} {
  func.return
}
