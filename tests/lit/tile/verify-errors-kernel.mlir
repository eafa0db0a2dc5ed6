// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines
// Mistakes in the shape of a tile kernel, each with its place.

// A tile has as many sizes as the space has dimensions.
// CHECK: {{.*}}verify-errors-kernel.mlir:7:61: error: grid: tiles [16, 16] do not fit extents [64]
func.func @f(%x: tensor<64xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64], tiles = [16, 16], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64xf16>, %out: tensor<64xf16>, %o: index, %s: index):
  } : (tensor<64xf16>) -> (tensor<64xf16>)
  func.return
}

// -----

// A tile is not empty.
// CHECK: {{.*}}verify-errors-kernel.mlir:18:61: error: grid: tiles [0] do not fit extents [64]
func.func @f(%x: tensor<64xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64], tiles = [0], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64xf16>, %out: tensor<64xf16>, %o: index, %s: index):
  } : (tensor<64xf16>) -> (tensor<64xf16>)
  func.return
}

// -----

// The last tile of a dimension ends in one of the known ways.
// CHECK: {{.*}}verify-errors-kernel.mlir:29:100: error: expected one of shift, clip, cover, not 'wrap'
func.func @f(%x: tensor<64xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64], tiles = [16], tails = wrap, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64xf16>, %out: tensor<64xf16>, %o: index, %s: index):
  } : (tensor<64xf16>) -> (tensor<64xf16>)
  func.return
}

// -----

// An open extent needs to say how many times the run-time size it is.
// CHECK: {{.*}}verify-errors-kernel.mlir:40:61: error: grid: a first extent of -1 goes with dynamic, how many times the run-time size it is, and with sizes, those that it is tiled for
func.func @f(%x: tensor<?xf16>) -> tensor<?xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [-1], tiles = [32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<?xf16>, %out: tensor<?xf16>, %o: index, %s: index):
  } : (tensor<?xf16>) -> (tensor<?xf16>)
  func.return %y : tensor<?xf16>
}

// -----

// Its last tile cannot start early: there may be less than a tile.
// CHECK: {{.*}}verify-errors-kernel.mlir:51:61: error: grid: the last tile of a dynamic dimension cannot start early (shift)
func.func @f(%x: tensor<?xf16>) -> tensor<?xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [-1], tiles = [32], tails = shift, cores = 1, dynamic = 6, sizes = [1]>, ops = []} {
  ^bb0(%in: tensor<?xf16>, %out: tensor<?xf16>, %o: index, %s: index):
  } : (tensor<?xf16>) -> (tensor<?xf16>)
  func.return %y : tensor<?xf16>
}

// -----

// Rows that go round are those of planes, in front of the last dimension.
// CHECK: {{.*}}verify-errors-kernel.mlir:62:61: error: grid: circular goes with dimension 2, of static size, and without spans, serial and inner
func.func @f(%x: tensor<2x16x9x5xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [2, 16, 9, 5], tiles = [1, 16, 4, 5], tails = cover, cores = 1, circular = <dim = 1, halo = 1, gap = 1, lead = 0>>, ops = []} {
  ^bb0(%in: tensor<2x16x9x5xf16>, %out: tensor<2x16x9x5xf16>, %o0: index, %o1: index, %o2: index, %o3: index, %s0: index, %s1: index, %s2: index, %s3: index):
  } : (tensor<2x16x9x5xf16>) -> (tensor<2x16x9x5xf16>)
  func.return
}

// -----

// A tile has rows of its own beside those of the next one and of the image before.
// CHECK: {{.*}}verify-errors-kernel.mlir:73:61: error: grid: tiles of 4 circular rows do not hold 1 of the next tile, 1 or more, 3 before the plane and one of their own
func.func @f(%x: tensor<2x16x9x5xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [2, 16, 9, 5], tiles = [1, 16, 4, 5], tails = cover, cores = 1, circular = <dim = 2, halo = 1, gap = 1, lead = 3>>, ops = []} {
  ^bb0(%in: tensor<2x16x9x5xf16>, %out: tensor<2x16x9x5xf16>, %o0: index, %o1: index, %o2: index, %o3: index, %s0: index, %s1: index, %s2: index, %s3: index):
  } : (tensor<2x16x9x5xf16>) -> (tensor<2x16x9x5xf16>)
  func.return
}

// -----

// The last tile holds the first rows of the plane again.
// CHECK: {{.*}}verify-errors-kernel.mlir:84:61: error: grid: the last tile, from row 6 on, does not own a row and reach 3 rows past the last one of 9
func.func @f(%x: tensor<2x16x9x5xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [2, 16, 9, 5], tiles = [1, 16, 4, 5], tails = cover, cores = 1, circular = <dim = 2, halo = 1, gap = 3, lead = 0>>, ops = []} {
  ^bb0(%in: tensor<2x16x9x5xf16>, %out: tensor<2x16x9x5xf16>, %o0: index, %o1: index, %o2: index, %o3: index, %s0: index, %s1: index, %s2: index, %s3: index):
  } : (tensor<2x16x9x5xf16>) -> (tensor<2x16x9x5xf16>)
  func.return
}

// -----

// All four numbers are stated.
// CHECK: {{.*}}verify-errors-kernel.mlir:95:147: error: missing field lead
func.func @f(%x: tensor<2x16x9x5xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [2, 16, 9, 5], tiles = [1, 16, 4, 5], tails = cover, cores = 1, circular = <dim = 2, halo = 1, gap = 1>>, ops = []} {
  ^bb0(%in: tensor<2x16x9x5xf16>, %out: tensor<2x16x9x5xf16>, %o0: index, %o1: index, %o2: index, %o3: index, %s0: index, %s1: index, %s2: index, %s3: index):
  } : (tensor<2x16x9x5xf16>) -> (tensor<2x16x9x5xf16>)
  func.return
}

// -----

// A kernel says which tiles it has, whatever is in it.
// CHECK: {{.*}}verify-errors-kernel.mlir:106:8: error: property 'schedule' expected in operation 'tile.kernel'
func.func @f(%x: tensor<64xf16>) -> tensor<64xf16> {
  %y = tile.kernel "k"(%x) attributes {ops = []} {
  ^bb0(%in: tensor<64xf16>, %out: tensor<64xf16>, %o: index, %s: index):
    %t = tile.load %in at %o size %s {map = #tile.map<(d0) -> (d0)>} : tensor<64xf16> -> !tile.tile<16xf16, ub, nd>
    tile.store %t, %out at %o size %s : !tile.tile<16xf16, ub, nd>, tensor<64xf16>
  } : (tensor<64xf16>) -> (tensor<64xf16>)
  func.return %y : tensor<64xf16>
}

// -----

// The tiles are those of a kernel, not the sizes of a product.
// CHECK: {{.*}}verify-errors-kernel.mlir:119:8: error: #tile.product<m = 16, n = 16, k = 16, step = 16, l0_k = 16> should be of base attribute tile.grid
func.func @f(%x: tensor<64xf16>) -> tensor<64xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.product<m = 16, n = 16, k = 16, step = 16, l0_k = 16>, ops = []} {
  ^bb0(%in: tensor<64xf16>, %out: tensor<64xf16>, %o: index, %s: index):
    %t = tile.load %in at %o size %s {map = #tile.map<(d0) -> (d0)>} : tensor<64xf16> -> !tile.tile<16xf16, ub, nd>
    tile.store %t, %out at %o size %s : !tile.tile<16xf16, ub, nd>, tensor<64xf16>
  } : (tensor<64xf16>) -> (tensor<64xf16>)
  func.return %y : tensor<64xf16>
}

// -----

// In generic form, too.
// CHECK: {{.*}}verify-errors-kernel.mlir:132:8: error: #tile.map<() -> ()> should be of base attribute tile.grid
func.func @f(%x: tensor<64xf16>) -> tensor<64xf16> {
  %y = "tile.kernel"(%x) <{kernel_name = "k", schedule = #tile.map<() -> ()>, ops = []}> ({
  ^bb0(%in: tensor<64xf16>, %out: tensor<64xf16>, %o: index, %s: index):
    %t = tile.load %in at %o size %s {map = #tile.map<(d0) -> (d0)>} : tensor<64xf16> -> !tile.tile<16xf16, ub, nd>
    tile.store %t, %out at %o size %s : !tile.tile<16xf16, ub, nd>, tensor<64xf16>
  }) : (tensor<64xf16>) -> (tensor<64xf16>)
  func.return %y : tensor<64xf16>
}

// -----

// Chunks have a step.
// CHECK: {{.*}}verify-errors-kernel.mlir:148:5: error: property 'step' expected in operation 'tile.chunks'
func.func @f(%x: tensor<64xf16>) -> tensor<64xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64], tiles = [16], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64xf16>, %out: tensor<64xf16>, %o: index, %s: index):
    %t = tile.load %in at %o size %s {map = #tile.map<(d0) -> (d0)>} : tensor<64xf16> -> !tile.tile<16xf16, ub, nd>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64} {
    ^bb1(%at: index):
      tile.store %t, %out at %at size %s : !tile.tile<16xf16, ub, nd>, tensor<64xf16>
    }
  } : (tensor<64xf16>) -> (tensor<64xf16>)
  func.return %y : tensor<64xf16>
}
