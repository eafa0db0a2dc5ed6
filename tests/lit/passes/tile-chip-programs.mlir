// RUN: ascend-opt %s --split-input-file --verify-diagnostics -p tile-to-ascend --target ascend910b | filecheck %s
// What programs of a kernel ask of a chip whose Cube and Vector are cores of their own, and meet in GM.

// CHECK: {{.*}}tile-chip-programs.mlir:[[# @LINE + 2]]:8: error: tile.kernel: a program for core, and cores of ascend910b are aic and aiv
func.func @coupled(%x: tensor<1024xf16>) -> tensor<1024xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [1024], tiles = [16], tails = shift, cores = 1>, ops = [], programs = [#tile.program<core>]} {
  ^bb0(%in: tensor<1024xf16>, %out: tensor<1024xf16>, %o: index, %s: index):
    %t = tile.load %in at %o size %s {map = #tile.map<(d0) -> (d0)>} : tensor<1024xf16> -> !tile.tile<16xf16, ub, nd>
    tile.store %t, %out at %o size %s : !tile.tile<16xf16, ub, nd>, tensor<1024xf16>
  } : (tensor<1024xf16>) -> (tensor<1024xf16>)
  func.return %y : tensor<1024xf16>
}

// -----

// CHECK: {{.*}}tile-chip-programs.mlir:[[# @LINE + 2]]:8: error: tile.kernel: ascend910b has no path through ub for a hand-over of result
func.func @result(%x: tensor<1024xf16>) -> tensor<1024xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [1024], tiles = [16], tails = shift, cores = 1>, ops = [], programs = [#tile.program<aic>, #tile.program<aiv>], hand_overs = [#tile.hand_over<result through ub slots 2>]} {
  ^bb0(%in: tensor<1024xf16>, %out: tensor<1024xf16>, %o: index, %s: index):
    %t = tile.load %in at %o size %s {map = #tile.map<(d0) -> (d0)>} : tensor<1024xf16> -> !tile.tile<16xf16, ub, nd>
    tile.store %t, %out at %o size %s : !tile.tile<16xf16, ub, nd>, tensor<1024xf16>
  } : (tensor<1024xf16>) -> (tensor<1024xf16>)
  func.return %y : tensor<1024xf16>
}

// -----

// CHECK: {{.*}}tile-chip-programs.mlir:[[# @LINE + 2]]:8: error: tile.kernel: ascend910b has no path through l1 for a hand-over of operands
func.func @operands(%x: tensor<1024xf16>) -> tensor<1024xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [1024], tiles = [16], tails = shift, cores = 1>, ops = [], programs = [#tile.program<aic>, #tile.program<aiv>], hand_overs = [#tile.hand_over<operands through l1 slots 4>]} {
  ^bb0(%in: tensor<1024xf16>, %out: tensor<1024xf16>, %o: index, %s: index):
    %t = tile.load %in at %o size %s {map = #tile.map<(d0) -> (d0)>} : tensor<1024xf16> -> !tile.tile<16xf16, ub, nd>
    tile.store %t, %out at %o size %s : !tile.tile<16xf16, ub, nd>, tensor<1024xf16>
  } : (tensor<1024xf16>) -> (tensor<1024xf16>)
  func.return %y : tensor<1024xf16>
}
