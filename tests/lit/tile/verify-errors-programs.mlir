// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines
// How a kernel is carried out: mistakes in its programs, each with its place.
// A program is for a kind of core that there is.
// CHECK: {{.*}}verify-errors-programs.mlir:{{.*}} error: program: a core is one of core, aic, aiv, not gpu
func.func @f(%x: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = shift, cores = 1>, ops = [], programs = [#tile.program<gpu>]} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    tile.store %t, %out at %o0, %o1 size %s0, %s1 : !tile.tile<16x32xf16, ub, nd>, tensor<64x32xf16>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// A program loops in a way that there is.
// CHECK: {{.*}}verify-errors-programs.mlir:{{.*}} error: program: a loop is one of serial, spans, overlapped, streamed, resident, feed, parts, not backwards
func.func @f(%x: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = shift, cores = 1>, ops = [], programs = [#tile.program<aiv backwards>]} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    tile.store %t, %out at %o0, %o1 size %s0, %s1 : !tile.tile<16x32xf16, ub, nd>, tensor<64x32xf16>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// Programs are those of one kind of chip.
// CHECK: {{.*}}verify-errors-programs.mlir:{{.*}} error: tile.kernel: programs are one for core, aic or aiv, or one each for aic and aiv, not ['core', 'aiv']
func.func @f(%x: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = shift, cores = 1>, ops = [], programs = [#tile.program<core>, #tile.program<aiv>]} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    tile.store %t, %out at %o0, %o1 size %s0, %s1 : !tile.tile<16x32xf16, ub, nd>, tensor<64x32xf16>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// Two programs exchange something.
// CHECK: {{.*}}verify-errors-programs.mlir:{{.*}} error: tile.kernel: hand_overs are what two programs exchange
func.func @f(%x: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = shift, cores = 1>, ops = [], programs = [#tile.program<aic>, #tile.program<aiv>]} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    tile.store %t, %out at %o0, %o1 size %s0, %s1 : !tile.tile<16x32xf16, ub, nd>, tensor<64x32xf16>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// One program exchanges nothing.
// CHECK: {{.*}}verify-errors-programs.mlir:{{.*}} error: tile.kernel: hand_overs are what two programs exchange
func.func @f(%x: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = shift, cores = 1>, ops = [], programs = [#tile.program<aiv>], hand_overs = [#tile.hand_over<result through gm slots 2>]} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    tile.store %t, %out at %o0, %o1 size %s0, %s1 : !tile.tile<16x32xf16, ub, nd>, tensor<64x32xf16>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// All programs state their loop, or none.
// CHECK: {{.*}}verify-errors-programs.mlir:{{.*}} error: tile.kernel: all programs state their loop, or none does
func.func @f(%x: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = shift, cores = 1>, ops = [], programs = [#tile.program<aic>, #tile.program<aiv serial>], hand_overs = [#tile.hand_over<result through gm slots 2>]} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    tile.store %t, %out at %o0, %o1 size %s0, %s1 : !tile.tile<16x32xf16, ub, nd>, tensor<64x32xf16>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// A result is handed over once.
// CHECK: {{.*}}verify-errors-programs.mlir:{{.*}} error: tile.kernel: a result and operands are handed over once, not ['result', 'result']
func.func @f(%x: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = shift, cores = 1>, ops = [], programs = [#tile.program<aic>, #tile.program<aiv>], hand_overs = [#tile.hand_over<result through gm slots 2>, #tile.hand_over<result through ub slots 2>]} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    tile.store %t, %out at %o0, %o1 size %s0, %s1 : !tile.tile<16x32xf16, ub, nd>, tensor<64x32xf16>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// Loops around a product need one.
// CHECK: {{.*}}verify-errors-programs.mlir:{{.*}} error: tile.kernel: nothing in it is for a loop 'streamed' of aiv
func.func @f(%x: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = shift, cores = 1>, ops = [], programs = [#tile.program<aiv streamed>]} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    tile.store %t, %out at %o0, %o1 size %s0, %s1 : !tile.tile<16x32xf16, ub, nd>, tensor<64x32xf16>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// Tiles end to end are walked as such where the kernel says so.
// CHECK: {{.*}}verify-errors-programs.mlir:{{.*}} error: tile.kernel: nothing in it is for a loop 'spans' of aiv
func.func @f(%x: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = shift, cores = 1>, ops = [], programs = [#tile.program<aiv spans>]} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    tile.store %t, %out at %o0, %o1 size %s0, %s1 : !tile.tile<16x32xf16, ub, nd>, tensor<64x32xf16>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// A result does not go through L1.
// CHECK: {{.*}}verify-errors-programs.mlir:{{.*}} error: hand_over: a result goes through gm or ub, not l1
func.func @f(%x: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = shift, cores = 1>, ops = [], programs = [#tile.program<aic>, #tile.program<aiv>], hand_overs = [#tile.hand_over<result through l1 slots 2>]} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    tile.store %t, %out at %o0, %o1 size %s0, %s1 : !tile.tile<16x32xf16, ub, nd>, tensor<64x32xf16>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// Operands have room for a step.
// CHECK: {{.*}}verify-errors-programs.mlir:{{.*}} error: hand_over: operands have 1 slot or more and others two, not 0 of operands
func.func @f(%x: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = shift, cores = 1>, ops = [], programs = [#tile.program<aic>, #tile.program<aiv>], hand_overs = [#tile.hand_over<operands through l1 slots 0>]} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    tile.store %t, %out at %o0, %o1 size %s0, %s1 : !tile.tile<16x32xf16, ub, nd>, tensor<64x32xf16>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// What is loaded once is the same for all tiles.
// CHECK: {{.*}}verify-errors-programs.mlir:{{.*}} error: tile.load: hoisted is what all tiles share, and they differ along [0]
func.func @f(%x: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>, hoisted} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    tile.store %t, %out at %o0, %o1 size %s0, %s1 : !tile.tile<16x32xf16, ub, nd>, tensor<64x32xf16>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}

// -----

// Of what comes to a table all is loaded at once, in front of the loop, where it is one row.
// CHECK: {{.*}}verify-errors-programs.mlir:{{.*}} error: tile.load: hoisted is a row for a table, of the kernel's body, in whole blocks
func.func @f(%x: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %y = tile.kernel "k"(%x) attributes {schedule = #tile.grid<extents = [64, 32], tiles = [16, 32], tails = shift, cores = 1>, ops = []} {
  ^bb0(%in: tensor<64x32xf16>, %out: tensor<64x32xf16>, %o0: index, %o1: index, %s0: index, %s1: index):
    %t = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>, hoisted} : tensor<64x32xf16> -> !tile.tile<16x32xf32, bt, nd>
    %u = tile.load %in at %o0, %o1 size %s0, %s1 {map = #tile.map<(d0, d1) -> (d0, d1)>} : tensor<64x32xf16> -> !tile.tile<16x32xf16, ub, nd>
    tile.store %u, %out at %o0, %o1 size %s0, %s1 : !tile.tile<16x32xf16, ub, nd>, tensor<64x32xf16>
  } : (tensor<64x32xf16>) -> (tensor<64x32xf16>)
  func.return %y : tensor<64x32xf16>
}
