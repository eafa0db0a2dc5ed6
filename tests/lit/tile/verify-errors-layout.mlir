// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines
// Mistakes in how tensors lie.

// A layout is a permutation of dimensions.
// CHECK: {{.*}}verify-errors-layout.mlir:6:48: error: layout: order [0, 2] is not a permutation of 2 dimensions
func.func @f(%x: tensor<64x32xf16, #tile.layout<blocked 1 order [0, 2]>>) {
  func.return
}

// -----

// One of them is in blocks.
// CHECK: {{.*}}verify-errors-layout.mlir:14:48: error: layout: blocked dimension 2 of a tensor of rank 2
func.func @f(%x: tensor<64x32xf16, #tile.layout<blocked 2 order [1, 0]>>) {
  func.return
}

// -----

// Blocks are whole.
// CHECK: {{.*}}verify-errors-layout.mlir:23:8: error: dimension 1 of tensor<64x40xf16, #tile.layout<blocked 1 order [1, 0]>> has 40 elements, which are no blocks of 16
func.func @f(%x: tensor<64x40xf16, #tile.layout<blocked 1 order [1, 0]>>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 40], tiles = [16, 40], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x40xf16, #tile.layout<blocked 1 order [1, 0]>>, %out: tensor<64x40xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
  } : (tensor<64x40xf16, #tile.layout<blocked 1 order [1, 0]>>) -> (tensor<64x40xf16>)
  func.return
}

// -----

// A tile has the blocks of its tensor.
// CHECK: {{.*}}verify-errors-layout.mlir:36:10: error: tile.load: tensor<64x32xf16, #tile.layout<blocked 1 order [1, 0]>> does not lie as !tile.tile<16x32xf16, ub, nd>
func.func @f(%x: tensor<64x32xf16, #tile.layout<blocked 1 order [1, 0]>>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16, #tile.layout<blocked 1 order [1, 0]>>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16, #tile.layout<blocked 1 order [1, 0]>> -> !tile.tile<16x32xf16, ub, nd>
  } : (tensor<64x32xf16, #tile.layout<blocked 1 order [1, 0]>>) -> (tensor<64x32xf16>)
  func.return
}

// -----

// And a tensor those of the tile that is stored there.
// CHECK: {{.*}}verify-errors-layout.mlir:49:5: error: tile.store: !tile.tile<16x32xf16, ub, nd> does not lie as tensor<64x32xf16, #tile.layout<blocked 1 order [1, 0]>>
func.func @f(%x: tensor<64x32xf16>) {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = clip, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16, #tile.layout<blocked 1 order [1, 0]>>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    tile.store %t, %out at %o0, %o1 size %s0, %s1 : !tile.tile<16x32xf16, ub, nd>, tensor<64x32xf16, #tile.layout<blocked 1 order [1, 0]>>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16, #tile.layout<blocked 1 order [1, 0]>>)
  func.return
}

// -----

// A bitcast changes no bytes: neither where they are nor what they are.
// CHECK: {{.*}}verify-errors-layout.mlir:59:8: error: tile.bitcast: tensor<2x64x16xf16> and tensor<64x48xf16, #tile.layout<blocked 1 order [1, 0]>> are not the same bytes of GM
func.func @f(%x: tensor<2x64x16xf16>) {
  %y = tile.bitcast %x : tensor<2x64x16xf16> -> tensor<64x48xf16, #tile.layout<blocked 1 order [1, 0]>>
  func.return
}

// -----

// CHECK: {{.*}}verify-errors-layout.mlir:67:8: error: tile.bitcast: tensor<2x64x16xf16> and tensor<64x32xbf16, #tile.layout<blocked 1 order [1, 0]>> are not the same bytes of GM
func.func @f(%x: tensor<2x64x16xf16>) {
  %y = tile.bitcast %x : tensor<2x64x16xf16> -> tensor<64x32xbf16, #tile.layout<blocked 1 order [1, 0]>>
  func.return
}
