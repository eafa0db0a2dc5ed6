// RUN: ascend-opt %s --target=ascend910b1 -p tile-partition | filecheck %s --check-prefix BEFORE
// RUN: ascend-opt %s --target=ascend910b1 -p tile-partition,tile-pipeline | filecheck %s
// RUN: ascend-opt %s --target=ascend910b1 -p tile-partition,tile-pipeline | ascend-opt | filecheck %s
// RUN: ascend-opt %s --target=ascend910b1 -p tile-partition,tile-pipeline,tile-to-ascend | filecheck %s --check-prefix LOWERED

// Four tiles of a product on two cores, of two steps each: operands of a step are loaded during the products before, and
// FixPipe takes a tile by the unit flag.
// BEFORE-LABEL: tile.kernel "product"
// BEFORE-SAME:    programs = [#tile.program<aic>]}
// CHECK-LABEL:  tile.kernel "product"
// CHECK-SAME:     programs = [#tile.program<aic streamed>]}
// CHECK:          tile.contract
// CHECK-SAME:       unit_flag
// Trips over tiles, and over the steps of each; the first trip only loads.
// LOWERED-LABEL: ascend.kernel @product cores 2
// LOWERED:         scf.for
// LOWERED:           scf.for
// LOWERED:             ascend.copy {{.*}}"l1"
// LOWERED:             ascend.mmad {{.*}} unit %
func.func @f(%x: tensor<64x64xf16>, %w: tensor<4x2x16x16xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "product"(%x, %w) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = shift, cores = 2>, ops = ["graph.matmul"]} {
  ^bb0(%a: tensor<64x64xf16>, %b: tensor<4x2x16x16xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %acc = tile.contract attributes {schedule = #tile.product<m = 16, n = 32, k = 64, step = 32, l0_k = 32, unit_flag>} {
    ^bb1(%k: index, %ks: index):
      %l = tile.load %a at %o0, %o1, %k size %s0, %s1, %ks {map = #tile.map<(d0, d1, d2) -> (d0, d2)>} : tensor<64x64xf16> -> !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>
      %r = tile.load %b at %k, %o1 size %ks, %s1 {packed = "zn"} : tensor<4x2x16x16xf16> -> !tile.tile<32x32xf16, l1, blocked 1 order [0, 1]>
      tile.yield %l, %r : !tile.tile<16x32xf16, l1, blocked 1 order [1, 0]>, !tile.tile<32x32xf16, l1, blocked 1 order [0, 1]>
    } -> !tile.tile<16x32xf32, l0c, blocked 1 order [1, 0]>
    tile.chunks attributes {dim = 0 : i64, size = 16 : i64, step = 16 : i64} {
    ^bb2(%at: index):
      %c = tile.extract %acc at %at {dim = 0 : i64} : !tile.tile<16x32xf32, l0c, blocked 1 order [1, 0]> -> !tile.tile<16x32xf16, ub, blocked 1 order [1, 0]>
      tile.store %c, %out at %at, %o1 size %s0, %s1 : !tile.tile<16x32xf16, ub, blocked 1 order [1, 0]>, tensor<64x32xf16>
    }
  } : (tensor<64x64xf16>, tensor<4x2x16x16xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// The row that all tiles add is loaded once, in front of the loop.
// BEFORE-LABEL: tile.kernel "shared"
// BEFORE-NOT:     hoisted
// CHECK-LABEL:  tile.kernel "shared"
// CHECK-SAME:     programs = [#tile.program<aiv serial>]}
// CHECK:          tile.load %in at
// CHECK-NOT:        hoisted
// CHECK:          tile.load %row at
// CHECK-SAME:       hoisted
// LOWERED-LABEL: ascend.kernel @shared cores 1
// LOWERED:         ascend.copy {{.*}}"ub"
// LOWERED:         scf.for
// LOWERED:           ascend.copy {{.*}}"ub"
func.func @g(%x: tensor<64x32xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "shared"(%x, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = shift, cores = 1>, ops = ["graph.bias_add"]} {
  ^bb0(%in: tensor<64x32xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %r = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<32xf16> -> !tile.tile<1x32xf16, ub, nd>
    %s = tile.vec "vadd"(%t, %r) : (!tile.tile<16x32xf16, ub, nd>, !tile.tile<1x32xf16, ub, nd>) -> !tile.tile<16x32xf16, ub, nd>
    tile.store %s, %out at %o0, %o1 size %s0, %s1 : !tile.tile<16x32xf16, ub, nd>, tensor<64x32xf16>
  } : (tensor<64x32xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// What a kernel states already is obeyed: the same row comes with each tile.
// CHECK-LABEL:  tile.kernel "stated"
// CHECK-SAME:     programs = [#tile.program<aiv serial>]}
// CHECK-NOT:      hoisted
// LOWERED-LABEL: ascend.kernel @stated cores 1
// LOWERED-NOT:     ascend.copy
// LOWERED:         scf.for
// LOWERED:           ascend.copy {{.*}}"ub"
// LOWERED:           ascend.copy {{.*}}"ub"
func.func @h(%x: tensor<64x32xf16>, %b: tensor<32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "stated"(%x, %b) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = shift, cores = 1>, ops = ["graph.bias_add"], programs = [#tile.program<aiv serial>]} {
  ^bb0(%in: tensor<64x32xf16>, %row: tensor<32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    %r = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<32xf16> -> !tile.tile<1x32xf16, ub, nd>
    %s = tile.vec "vadd"(%t, %r) : (!tile.tile<16x32xf16, ub, nd>, !tile.tile<1x32xf16, ub, nd>) -> !tile.tile<16x32xf16, ub, nd>
    tile.store %s, %out at %o0, %o1 size %s0, %s1 : !tile.tile<16x32xf16, ub, nd>, tensor<64x32xf16>
  } : (tensor<64x32xf16>, tensor<32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// UB holds two rows: that of a tile, and one that all tiles add.
// CHECK-LABEL:  tile.kernel "room_for_one"
// CHECK:          tile.load %row at
// CHECK-SAME:       hoisted
func.func @one(%x: tensor<64x48000xf16>, %b: tensor<48000xf16>, %c: tensor<48000xf16>) -> tensor<64x48000xf16> {
  %y = tile.kernel "room_for_one"(%x, %b, %c) attributes {schedule = #tile.grid<extents = [64, 48000], tiles = [1, 48000], tails = shift, cores = 1>, ops = ["graph.bias_add"]} {
  ^bb0(%in: tensor<64x48000xf16>, %row: tensor<48000xf16>, %other: tensor<48000xf16>, %out: tensor<64x48000xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x48000xf16> -> !tile.tile<1x48000xf16, ub, nd>
    %r = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<48000xf16> -> !tile.tile<1x48000xf16, ub, nd>
    %s = tile.vec "vadd"(%t, %r) : (!tile.tile<1x48000xf16, ub, nd>, !tile.tile<1x48000xf16, ub, nd>) -> !tile.tile<1x48000xf16, ub, nd>
    tile.store %s, %out at %o0, %o1 size %s0, %s1 : !tile.tile<1x48000xf16, ub, nd>, tensor<64x48000xf16>
  } : (tensor<64x48000xf16>, tensor<48000xf16>, tensor<48000xf16>) -> (tensor<64x48000xf16>)
  func.return %y : tensor<64x48000xf16>
}

// It does not hold a third one, so two of which one takes the place of the other come with each tile.
// CHECK-LABEL:  tile.kernel "no_room_for_two"
// CHECK-SAME:     programs = [#tile.program<aiv serial>]}
// CHECK-NOT:      hoisted
// CHECK:          return
// LOWERED-LABEL: ascend.kernel @no_room_for_two cores 1
// LOWERED-NOT:     ascend.copy
// LOWERED:         scf.for
// LOWERED:           ascend.copy {{.*}}"ub"
// LOWERED:           ascend.copy {{.*}}"ub"
// LOWERED:           ascend.copy {{.*}}"ub"
func.func @two(%x: tensor<64x48000xf16>, %b: tensor<48000xf16>, %c: tensor<48000xf16>) -> tensor<64x48000xf16> {
  %y = tile.kernel "no_room_for_two"(%x, %b, %c) attributes {schedule = #tile.grid<extents = [64, 48000], tiles = [1, 48000], tails = shift, cores = 1>, ops = ["graph.bias_add"]} {
  ^bb0(%in: tensor<64x48000xf16>, %row: tensor<48000xf16>, %other: tensor<48000xf16>, %out: tensor<64x48000xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x48000xf16> -> !tile.tile<1x48000xf16, ub, nd>
    %r = tile.load %row at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<48000xf16> -> !tile.tile<1x48000xf16, ub, nd>
    %s = tile.vec "vadd"(%t, %r) : (!tile.tile<1x48000xf16, ub, nd>, !tile.tile<1x48000xf16, ub, nd>) -> !tile.tile<1x48000xf16, ub, nd>
    %q = tile.load %other at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d1)>} : tensor<48000xf16> -> !tile.tile<1x48000xf16, ub, nd>
    %v = tile.vec "vadd"(%s, %q) : (!tile.tile<1x48000xf16, ub, nd>, !tile.tile<1x48000xf16, ub, nd>) -> !tile.tile<1x48000xf16, ub, nd>
    tile.store %v, %out at %o0, %o1 size %s0, %s1 : !tile.tile<1x48000xf16, ub, nd>, tensor<64x48000xf16>
  } : (tensor<64x48000xf16>, tensor<48000xf16>, tensor<48000xf16>) -> (tensor<64x48000xf16>)
  func.return %y : tensor<64x48000xf16>
}
