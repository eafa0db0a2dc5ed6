// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s
// Groups that say nothing that could be a kernel.

// An operand that no op takes.
// CHECK: verify-errors-group.mlir:7:8: error: tile.group "f_0": operand %z is used by no op of the group
func.func @unused(%x: tensor<64xf16>, %z: tensor<64xf16>) -> tensor<64xf16> {
  %y = tile.group "f_0"(%a = %x, %b = %z) : (tensor<64xf16>, tensor<64xf16>) -> tensor<64xf16> {
    %r = graph.relu %a : (tensor<64xf16>) -> tensor<64xf16>
    tile.yield %r : tensor<64xf16>
  }
  func.return %y : tensor<64xf16>
}

// -----

// An op of another level.
// CHECK: verify-errors-group.mlir:19:8: error: tile.group "f_0": arith.negf is no graph op; those are all that a group has
func.func @level(%x: tensor<64xf16>) -> tensor<64xf16> {
  %y = tile.group "f_0"(%a = %x) : (tensor<64xf16>) -> tensor<64xf16> {
    %r = graph.relu %a : (tensor<64xf16>) -> tensor<64xf16>
    %n = arith.negf %r : tensor<64xf16>
    %s = graph.relu %n : (tensor<64xf16>) -> tensor<64xf16>
    tile.yield %s : tensor<64xf16>
  }
  func.return %y : tensor<64xf16>
}

// -----

// A view computes nothing.
// CHECK: error: tile.group "f_0": graph.reshape computes nothing; it stands outside and is an operand
func.func @view(%x: tensor<64xf16>) -> tensor<8x8xf16> {
  %y = tile.group "f_0"(%a = %x) : (tensor<64xf16>) -> tensor<8x8xf16> {
    %v = graph.reshape %a {shape = array<i64: 8, 8>} : (tensor<64xf16>) -> tensor<8x8xf16>
    %r = graph.relu %v : (tensor<8x8xf16>) -> tensor<8x8xf16>
    tile.yield %r : tensor<8x8xf16>
  }
  func.return %y : tensor<8x8xf16>
}

// -----

// Two groups that each wait for the other.
// CHECK: error: tile.group: %q is used before it is defined, or outside of where it is visible
func.func @cycle(%x: tensor<64xf16>) -> tensor<64xf16> {
  %p = tile.group "f_0"(%a = %x, %b = %q) : (tensor<64xf16>, tensor<64xf16>) -> tensor<64xf16> {
    %r = graph.add %a, %b : (tensor<64xf16>, tensor<64xf16>) -> tensor<64xf16>
    tile.yield %r : tensor<64xf16>
  }
  %q = tile.group "f_1"(%a = %p) : (tensor<64xf16>) -> tensor<64xf16> {
    %r = graph.relu %a : (tensor<64xf16>) -> tensor<64xf16>
    tile.yield %r : tensor<64xf16>
  }
  func.return %q : tensor<64xf16>
}

// -----

// An op whose result nobody needs.
// CHECK: error: tile.group "f_0": graph.exp is of no use to what the group gives
func.func @useless(%x: tensor<64xf16>) -> tensor<64xf16> {
  %y = tile.group "f_0"(%a = %x) : (tensor<64xf16>) -> tensor<64xf16> {
    %e = graph.exp %a : (tensor<64xf16>) -> tensor<64xf16>
    %r = graph.relu %a : (tensor<64xf16>) -> tensor<64xf16>
    tile.yield %r : tensor<64xf16>
  }
  func.return %y : tensor<64xf16>
}

// -----

// What is given is what the last op computes.
// CHECK: error: tile.group "f_0": the last op of the group gives the tensor that is yielded
func.func @given(%x: tensor<64xf16>) -> tensor<64xf16> {
  %y = tile.group "f_0"(%a = %x) : (tensor<64xf16>) -> tensor<64xf16> {
    tile.yield %a : tensor<64xf16>
  }
  func.return %y : tensor<64xf16>
}

// -----

// One tensor is given.
// CHECK: error: tile.group "f_0": the group ends with tile.yield of the one tensor that it gives
func.func @many(%x: tensor<64xf16>) -> tensor<64xf16> {
  %y = tile.group "f_0"(%a = %x) : (tensor<64xf16>) -> tensor<64xf16> {
    %e = graph.exp %a : (tensor<64xf16>) -> tensor<64xf16>
    %r = graph.relu %e : (tensor<64xf16>) -> tensor<64xf16>
    tile.yield %e, %r : tensor<64xf16>, tensor<64xf16>
  }
  func.return %y : tensor<64xf16>
}

// -----

// Of another shape than the result.
// CHECK: error: tile.group "f_0": gives tensor<32xf16>, and tensor<64xf16> is yielded; apart from its layout that is the same
func.func @shape(%x: tensor<64xf16>) -> tensor<32xf16> {
  %y = tile.group "f_0"(%a = %x) : (tensor<64xf16>) -> tensor<32xf16> {
    %r = graph.relu %a : (tensor<64xf16>) -> tensor<64xf16>
    tile.yield %r : tensor<64xf16>
  }
  func.return %y : tensor<32xf16>
}

// -----

// A layout that does not fit.
// CHECK: error: a layout of 2 dimensions does not fit tensor<64xf16, #tile.layout<blocked 1 order [1, 0]>>
func.func @layout(%x: tensor<64xf16>) -> tensor<64xf16, #tile.layout<blocked 1 order [1, 0]>> {
  %y = tile.group "f_0"(%a = %x) : (tensor<64xf16>) -> tensor<64xf16, #tile.layout<blocked 1 order [1, 0]>> {
    %r = graph.relu %a : (tensor<64xf16>) -> tensor<64xf16>
    tile.yield %r : tensor<64xf16>
  }
  func.return %y : tensor<64xf16, #tile.layout<blocked 1 order [1, 0]>>
}

// -----

// A value of outside that the group is not given.
// CHECK: error: Operation using value defined out of its IsolatedFromAbove parent: ReluOp(
func.func @outside(%x: tensor<64xf16>) -> tensor<64xf16> {
  %y = tile.group "f_0"() : () -> tensor<64xf16> {
    %r = graph.relu %x : (tensor<64xf16>) -> tensor<64xf16>
    tile.yield %r : tensor<64xf16>
  }
  func.return %y : tensor<64xf16>
}

// -----

// Tiles are what kernels yield.
// CHECK: error: tile.yield: !tile.tile<16x16xf16, "ub", nd>; a group yields a tensor, what is in a kernel tiles
func.func @tiles(%x: tensor<64xf16>) -> tensor<64xf16> {
  %y = tile.group "f_0"(%a = %x) : (tensor<64xf16>) -> tensor<64xf16> {
    %r = graph.relu %a : (tensor<64xf16>) -> tensor<64xf16>
    %t = tile.vec "vdup"() scalar 0.0 : f32 : () -> !tile.tile<16x16xf16, "ub", nd>
    tile.yield %t : !tile.tile<16x16xf16, "ub", nd>
  }
  func.return %y : tensor<64xf16>
}
