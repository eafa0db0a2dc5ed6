// RUN: ascend-opt %s --split-input-file --verify-diagnostics -p tile-to-ascend --target ascend910 | filecheck %s
// What a kernel asks of a chip that it does not have.

// CHECK: {{.*}}tile-chip.mlir:[[# @LINE + 2]]:8: error: tile.kernel: cores = 33, and ascend910 has 32 cores
func.func @many(%x: tensor<1024xf16>) -> tensor<1024xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [1024], tiles = [16], tails = shift, cores = 33>, ops = []} {
  ^bb0(%in: tensor<1024xf16>, %out: tensor<1024xf16>, %o: index, %s: index):
    %t = tile.load %in at %o size %s {map = #tile.map<(d0) -> (d0)>} : tensor<1024xf16> -> !tile.tile<16xf16, ub, nd>
    tile.store %t, %out at %o size %s : !tile.tile<16xf16, ub, nd>, tensor<1024xf16>
  } : (tensor<1024xf16>) -> (tensor<1024xf16>)
  func.return %y : tensor<1024xf16>
}

// -----

// CHECK: {{.*}}tile-chip.mlir:[[# @LINE + 4]]:10: error: tile.load: ascend910 has no bt
func.func @table(%x: tensor<1024xf16>) -> tensor<1024xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [1024], tiles = [16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<1024xf16>, %out: tensor<1024xf16>, %o: index, %s: index):
    %r = tile.load %in at %o size %s {map = #tile.map<(d0) -> (d0)>} : tensor<1024xf16> -> !tile.tile<16xf32, bt, nd>
    %t = tile.load %in at %o size %s {map = #tile.map<(d0) -> (d0)>} : tensor<1024xf16> -> !tile.tile<16xf16, ub, nd>
    tile.store %t, %out at %o size %s : !tile.tile<16xf16, ub, nd>, tensor<1024xf16>
  } : (tensor<1024xf16>) -> (tensor<1024xf16>)
  func.return %y : tensor<1024xf16>
}

// -----

// CHECK: {{.*}}tile-chip.mlir:[[# @LINE + 6]]:10: error: tile.extract: ascend910 has no FixPipe, which slopes and scales are for
func.func @slope(%x: tensor<1024xf16>) -> tensor<1024xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [1024], tiles = [16], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<1024xf16>, %out: tensor<1024xf16>, %o: index, %s: index):
    %at = arith.constant 0 : index
    %acc = "test.op"() : () -> !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]>
    %c = tile.extract %acc at %at {dim = 0 : i64, slope = 0.0 : f32} : !tile.tile<16x16xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x16xf16, ub, blocked 1 order [1, 0]>
    %t = tile.load %in at %o size %s {map = #tile.map<(d0) -> (d0)>} : tensor<1024xf16> -> !tile.tile<16xf16, ub, nd>
    tile.store %t, %out at %o size %s : !tile.tile<16xf16, ub, nd>, tensor<1024xf16>
  } : (tensor<1024xf16>) -> (tensor<1024xf16>)
  func.return %y : tensor<1024xf16>
}

// -----

// CHECK: {{.*}}tile-chip.mlir:[[# @LINE + 2]]:8: error: tile.kernel: a program for aiv, and cores of ascend910 are core
func.func @vector_cores(%x: tensor<1024xf16>) -> tensor<1024xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [1024], tiles = [16], tails = shift, cores = 1>, ops = [], programs = [#tile.program<aiv>]} {
  ^bb0(%in: tensor<1024xf16>, %out: tensor<1024xf16>, %o: index, %s: index):
    %t = tile.load %in at %o size %s {map = #tile.map<(d0) -> (d0)>} : tensor<1024xf16> -> !tile.tile<16xf16, ub, nd>
    tile.store %t, %out at %o size %s : !tile.tile<16xf16, ub, nd>, tensor<1024xf16>
  } : (tensor<1024xf16>) -> (tensor<1024xf16>)
  func.return %y : tensor<1024xf16>
}
