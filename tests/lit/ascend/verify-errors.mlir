// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines
// Mistakes in a module at the ascend level, each with its place.

// A buffer is on chip.
// CHECK: {{.*}}verify-errors.mlir:7:8: error: ascend.buffer: 'gm' is not an on-chip space
ascend.kernel @k cores 1 : i64 {
  %a = ascend.buffer : memref<16xf16, "gm">
  ascend.end
}

// -----

// A buffer has a static shape.
// CHECK: {{.*}}verify-errors.mlir:16:8: error: ascend.buffer: the shape must be static
ascend.kernel @k cores 1 : i64 {
  %a = ascend.buffer : memref<?xf16, "ub">
  ascend.end
}

// -----

// A buffer has at least one slot.
// CHECK: {{.*}}verify-errors.mlir:25:8: error: ascend.buffer: 0 slots, at least one is needed
ascend.kernel @k cores 1 : i64 {
  %a = ascend.buffer {slots = 0 : i64} : memref<16xf16, "ub">
  ascend.end
}

// -----

// There is one address for each slot.
// CHECK: {{.*}}verify-errors.mlir:34:8: error: ascend.buffer: 1 addresses for 2 slots
ascend.kernel @k cores 1 : i64 {
  %a = ascend.buffer {slots = 2 : i64, addresses = array<i64: 0>} : memref<16xf16, "ub">
  ascend.end
}

// -----

// A view has as many strides as sizes.
// CHECK: {{.*}}verify-errors.mlir:44:8: error: ascend.view: 2 sizes but 1 strides
ascend.kernel @k cores 1 : i64 {
  %u = ascend.buffer : memref<256xf16, "ub">
  %v = ascend.view %u {static_sizes = array<i64: 16, 16>, strides = array<i64: 1>} : memref<256xf16, "ub"> -> memref<16x16xf16, strided<[16, 1]>, "ub">
  ascend.end
}

// -----

// Every dynamic size of a view is an operand.
// CHECK: {{.*}}verify-errors.mlir:54:8: error: ascend.view: 1 dynamic sizes but 0 size operands
ascend.kernel @k cores 1 : i64 {
  %u = ascend.buffer : memref<256xf16, "ub">
  %v = ascend.view %u {static_sizes = array<i64: -1>, strides = array<i64: 1>} : memref<256xf16, "ub"> -> memref<?xf16, strided<[1]>, "ub">
  ascend.end
}

// -----

// A view's type states its sizes.
// CHECK: {{.*}}verify-errors.mlir:64:8: error: ascend.view: sizes {{.*}} do not match result type memref<16xf16, strided<[1]>, "ub">
ascend.kernel @k cores 1 : i64 {
  %u = ascend.buffer : memref<256xf16, "ub">
  %v = ascend.view %u {static_sizes = array<i64: 8>, strides = array<i64: 1>} : memref<256xf16, "ub"> -> memref<16xf16, strided<[1]>, "ub">
  ascend.end
}

// -----

// A view's type states its strides.
// CHECK: {{.*}}verify-errors.mlir:74:8: error: ascend.view: strides (32, 1) do not match result type memref<8x16xf16, strided<[16, 1]>, "ub">
ascend.kernel @k cores 1 : i64 {
  %u = ascend.buffer : memref<256xf16, "ub">
  %v = ascend.view %u {static_sizes = array<i64: 8, 16>, strides = array<i64: 32, 1>} : memref<256xf16, "ub"> -> memref<8x16xf16, strided<[16, 1]>, "ub">
  ascend.end
}

// -----

// A view stays in its space and keeps its element type.
// CHECK: {{.*}}verify-errors.mlir:84:8: error: ascend.view: memref<8xf16, strided<[1]>, "l1"> is not a view of memref<256xf16, "ub">
ascend.kernel @k cores 1 : i64 {
  %u = ascend.buffer : memref<256xf16, "ub">
  %v = ascend.view %u {static_sizes = array<i64: 8>, strides = array<i64: 1>} : memref<256xf16, "ub"> -> memref<8xf16, strided<[1]>, "l1">
  ascend.end
}

// -----

// Only the way out of L0C converts.
// CHECK: {{.*}}verify-errors.mlir:95:3: error: ascend.copy: cannot convert f16 to f32 from ub to l1
ascend.kernel @k cores 1 : i64 {
  %u = ascend.buffer : memref<256xf16, "ub">
  %l = ascend.buffer : memref<256xf32, "l1">
  ascend.copy %u, %l : memref<256xf16, "ub">, memref<256xf32, "l1">
  ascend.end
}

// -----

// The layout change of a copy is from two to three dimensions.
// CHECK: {{.*}}verify-errors.mlir:106:3: error: ascend.copy: nd2nz takes a 2-D source and a 3-D destination
ascend.kernel @k cores 1 : i64 {
  %u = ascend.buffer : memref<256xf16, "ub">
  %l = ascend.buffer : memref<256xf16, "l1">
  ascend.copy %u, %l {nd2nz} : memref<256xf16, "ub">, memref<256xf16, "l1">
  ascend.end
}

// -----

// Both sides of a copy have one shape.
// CHECK: {{.*}}verify-errors.mlir:117:3: error: ascend.copy: source and destination are both [length] or both [bursts, length]
ascend.kernel @k cores 1 : i64 {
  %u = ascend.buffer : memref<256xf16, "ub">
  %l = ascend.buffer : memref<1x256xf16, "l1">
  ascend.copy %u, %l : memref<256xf16, "ub">, memref<1x256xf16, "l1">
  ascend.end
}

// -----

// ReLU on the way exists for the accumulator only.
// CHECK: {{.*}}verify-errors.mlir:128:3: error: ascend.copy: relu is only available on the way out of l0c
ascend.kernel @k cores 1 : i64 {
  %u = ascend.buffer : memref<256xf16, "ub">
  %l = ascend.buffer : memref<256xf16, "l1">
  ascend.copy %u, %l {relu} : memref<256xf16, "ub">, memref<256xf16, "l1">
  ascend.end
}

// -----

// Fractals have three dimensions.
// CHECK: {{.*}}verify-errors.mlir:139:3: error: ascend.load2d: source and destination are [repeat, 16, c0]
ascend.kernel @k cores 1 : i64 {
  %l = ascend.buffer : memref<256xf16, "l1">
  %a = ascend.buffer : memref<256xf16, "l0a">
  ascend.load2d %l, %a : memref<256xf16, "l1">, memref<256xf16, "l0a">
  ascend.end
}

// -----

// An image-to-column load reads a feature map.
// CHECK: {{.*}}verify-errors.mlir:151:3: error: ascend.load3d: source is [C1, H, W, c0], destination [M1, K1, 16, c0]
ascend.kernel @k cores 1 : i64 {
  %e = arith.constant 0 : index
  %l = ascend.buffer : memref<1x16x16xf16, "l1">
  %a = ascend.buffer : memref<1x1x16x16xf16, "l0a">
  ascend.load3d %l, %a pads %e, %e, %e, %e at %e, %e {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : memref<1x16x16xf16, "l1">, memref<1x1x16x16xf16, "l0a">
  ascend.end
}

// -----

// An image has four borders.
// CHECK: {{.*}}verify-errors.mlir:163:3: error: ascend.load3d: 2 pads, need top, left, bottom, right
ascend.kernel @k cores 1 : i64 {
  %e = arith.constant 0 : index
  %l = ascend.buffer : memref<1x8x8x16xf16, "l1">
  %a = ascend.buffer : memref<1x1x16x16xf16, "l0a">
  ascend.load3d %l, %a pads %e, %e at %e, %e {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : memref<1x8x8x16xf16, "l1">, memref<1x1x16x16xf16, "l0a">
  ascend.end
}

// -----

// The Cube reads L0A and L0B.
// CHECK: {{.*}}verify-errors.mlir:177:3: error: ascend.mmad: expected a 4-D operand in l0a, got memref<1x1x16x16xf16, "l1">
ascend.kernel @k cores 1 : i64 {
  %e = arith.constant 0 : index
  %t = arith.constant true
  %l = ascend.buffer : memref<1x1x16x16xf16, "l1">
  %b = ascend.buffer : memref<1x1x16x16xf16, "l0b">
  %c = ascend.buffer : memref<1x16x16xf32, "l0c">
  ascend.mmad %l, %b, %c size %e, %e, %e init %t : memref<1x1x16x16xf16, "l1">, memref<1x1x16x16xf16, "l0b">, memref<1x16x16xf32, "l0c">
  ascend.end
}

// -----

// The Vector has a fixed list of instructions.
// CHECK: {{.*}}verify-errors.mlir:187:3: error: ascend.vec: unknown instruction 'vfoo'
ascend.kernel @k cores 1 : i64 {
  %u = ascend.buffer : memref<256xf16, "ub">
  ascend.vec "vfoo"(%u) -> %u : (memref<256xf16, "ub">) -> memref<256xf16, "ub">
  ascend.end
}

// -----

// An instruction has a fixed number of sources.
// CHECK: {{.*}}verify-errors.mlir:197:3: error: ascend.vec: vadd takes 2 sources, got 1
ascend.kernel @k cores 1 : i64 {
  %u = ascend.buffer : memref<256xf16, "ub">
  ascend.vec "vadd"(%u) -> %u : (memref<256xf16, "ub">) -> memref<256xf16, "ub">
  ascend.end
}

// -----

// A scalar form needs its scalar.
// CHECK: {{.*}}verify-errors.mlir:207:3: error: ascend.vec: vadds needs a scalar
ascend.kernel @k cores 1 : i64 {
  %u = ascend.buffer : memref<256xf16, "ub">
  ascend.vec "vadds"(%u) -> %u : (memref<256xf16, "ub">) -> memref<256xf16, "ub">
  ascend.end
}

// -----

// Other forms have none.
// CHECK: {{.*}}verify-errors.mlir:217:3: error: ascend.vec: vabs has no scalar
ascend.kernel @k cores 1 : i64 {
  %u = ascend.buffer : memref<256xf16, "ub">
  ascend.vec "vabs"(%u) -> %u scalar 1.0 : f32 : (memref<256xf16, "ub">) -> memref<256xf16, "ub">
  ascend.end
}

// -----

// The Vector works in UB.
// CHECK: {{.*}}verify-errors.mlir:227:3: error: ascend.vec: every operand is in ub
ascend.kernel @k cores 1 : i64 {
  %l = ascend.buffer : memref<256xf16, "l1">
  ascend.vec "vabs"(%l) -> %l : (memref<256xf16, "l1">) -> memref<256xf16, "l1">
  ascend.end
}

// -----

// Its operands are all flat or all strided.
// CHECK: {{.*}}verify-errors.mlir:238:3: error: ascend.vec: operands are all [n] or all [repeat, blocks, lanes]
ascend.kernel @k cores 1 : i64 {
  %u = ascend.buffer : memref<256xf16, "ub">
  %r = ascend.buffer : memref<2x8x16xf16, "ub">
  ascend.vec "vabs"(%u) -> %r : (memref<256xf16, "ub">) -> memref<2x8x16xf16, "ub">
  ascend.end
}

// -----

// Only a conversion changes the element type.
// CHECK: {{.*}}verify-errors.mlir:249:3: error: ascend.vec: vabs needs one element type, got {{.*}}
ascend.kernel @k cores 1 : i64 {
  %u = ascend.buffer : memref<256xf16, "ub">
  %w = ascend.buffer : memref<256xf32, "ub">
  ascend.vec "vabs"(%u) -> %w : (memref<256xf16, "ub">) -> memref<256xf32, "ub">
  ascend.end
}

// -----

// A transpose works in UB.
// CHECK: {{.*}}verify-errors.mlir:259:3: error: ascend.transpose: both operands are in ub
ascend.kernel @k cores 1 : i64 {
  %l = ascend.buffer : memref<1x16x16xf16, "l1">
  ascend.transpose %l, %l : memref<1x16x16xf16, "l1">, memref<1x16x16xf16, "l1">
  ascend.end
}

// -----

// A transpose has three dimensions.
// CHECK: {{.*}}verify-errors.mlir:269:3: error: ascend.transpose: source is [repeat, 16, w], destination [repeat, w, 16] or [repeat, 16/w, w, w]
ascend.kernel @k cores 1 : i64 {
  %u = ascend.buffer : memref<256xf16, "ub">
  ascend.transpose %u, %u : memref<256xf16, "ub">, memref<256xf16, "ub">
  ascend.end
}

// -----

// A transpose keeps the element type.
// CHECK: {{.*}}verify-errors.mlir:280:3: error: ascend.transpose: source and destination have one element type
ascend.kernel @k cores 1 : i64 {
  %a = ascend.buffer : memref<1x16x16xf16, "ub">
  %b = ascend.buffer : memref<1x16x16xf32, "ub">
  ascend.transpose %a, %b : memref<1x16x16xf16, "ub">, memref<1x16x16xf32, "ub">
  ascend.end
}

// -----

// A flag joins two pipes.
// CHECK: {{.*}}verify-errors.mlir:290:3: error: ascend.set_flag: a flag joins two pipes, both are V; use ascend.barrier
ascend.kernel @k cores 1 : i64 {
  %e = arith.constant 0 : index
  ascend.set_flag "V" -> "V", %e
  ascend.end
}

// -----

// A flag names pipes that exist.
// CHECK: {{.*}}verify-errors.mlir:300:3: error: ascend.wait_flag: unknown pipe 'MTE9'; one of {{.*}}MTE1{{.*}}
ascend.kernel @k cores 1 : i64 {
  %e = arith.constant 0 : index
  ascend.wait_flag "MTE9" -> "V", %e
  ascend.end
}

// -----

// A barrier names a pipe that exists.
// CHECK: {{.*}}verify-errors.mlir:309:3: error: ascend.barrier: unknown pipe 'X'; one of {{.*}}, ALL
ascend.kernel @k cores 1 : i64 {
  ascend.barrier "X"
  ascend.end
}

// -----

// Only reads of GM can bypass L2.
// CHECK: {{.*}}verify-errors.mlir:320:3: error: ascend.copy: bypass is for reads of gm
ascend.kernel @k cores 1 : i64 {
^bb0(%y: memref<64xf16, "gm">):
  %a = ascend.buffer : memref<64xf16, "ub">
  ascend.copy %a, %y {bypass} : memref<64xf16, "ub">, memref<64xf16, "gm">
  ascend.end
}

// -----

// Leaky is a kind of relu.
// CHECK: {{.*}}verify-errors.mlir:331:3: error: ascend.fixpipe: leaky is a kind of relu, which is not there
ascend.kernel @k cores 1 : i64 attributes {core = "aic"} {
^bb0(%y: memref<16x16xf16, "gm">):
  %a = ascend.buffer : memref<1x16x16xf32, "l0c">
  ascend.fixpipe %a, %y {leaky = 1.000000e-01 : f32} : memref<1x16x16xf32, "l0c">, memref<16x16xf16, "gm">
  ascend.end
}

// -----

// A bias is in the table of biases.
// CHECK: {{.*}}verify-errors.mlir:346:3: error: ascend.mmad: a bias is [n] f32 in bt, got memref<16xf32, "l1">
ascend.kernel @k cores 1 : i64 attributes {core = "aic"} {
  %a = ascend.buffer : memref<1x1x16x16xf16, "l0a">
  %b = ascend.buffer : memref<1x1x16x16xf16, "l0b">
  %c = ascend.buffer : memref<1x16x16xf32, "l0c">
  %d = ascend.buffer : memref<16xf32, "l1">
  %n = arith.constant 16 : index
  %t = arith.constant true
  ascend.mmad %a, %b, %c size %n, %n, %n init %t : memref<1x1x16x16xf16, "l0a">, memref<1x1x16x16xf16, "l0b">, memref<1x16x16xf32, "l0c"> bias %d : memref<16xf32, "l1">
  ascend.end
}

// -----

// An attribute that an instruction does not have is not lost without a word.
// CHECK: {{.*}}verify-errors.mlir:357:3: error: ascend.fixpipe: has no attribute 'leeky'; did you mean 'leaky'?
ascend.kernel @k cores 1 : i64 attributes {core = "aic"} {
^bb0(%y: memref<16x16xf16, "gm">):
  %a = ascend.buffer : memref<1x16x16xf32, "l0c">
  ascend.fixpipe %a, %y {relu, leeky = 1.000000e-01 : f32} : memref<1x16x16xf32, "l0c">, memref<16x16xf16, "gm">
  ascend.end
}

// -----

// FixPipe reads 10 bits of the mantissa of a scale.
// CHECK: {{.*}}verify-errors.mlir:368:3: error: ascend.fixpipe: a scale has 10 bits of mantissa, 27.02702{{.*}} has more
ascend.kernel @k cores 1 : i64 attributes {core = "aic"} {
^bb0(%y: memref<16x16xi8, "gm">):
  %a = ascend.buffer : memref<1x16x16xf32, "l0c">
  ascend.fixpipe %a, %y {scale = 27.0270271 : f32} : memref<1x16x16xf32, "l0c">, memref<16x16xi8, "gm">
  ascend.end
}

// -----

// It rectifies after it adds, which is no relu of what was quantised.
// CHECK: {{.*}}verify-errors.mlir:379:3: error: ascend.fixpipe: an offset is what i8 results without relu have
ascend.kernel @k cores 1 : i64 attributes {core = "aic"} {
^bb0(%y: memref<16x16xi8, "gm">):
  %a = ascend.buffer : memref<1x16x16xf32, "l0c">
  ascend.fixpipe %a, %y {scale = 2.0 : f32, offset = 3 : i64, relu} : memref<1x16x16xf32, "l0c">, memref<16x16xi8, "gm">
  ascend.end
}

// -----

// A tensor of dynamic size states it.
// CHECK: {{.*}}verify-errors.mlir:388:8: error: ascend.gm_alloc: size is that of a dynamic first dimension, the only one that may be; the tensor is memref<?x4xf16, "gm">
func.func @f() -> memref<?x4xf16, "gm"> {
  %y = ascend.gm_alloc : memref<?x4xf16, "gm">
  func.return %y : memref<?x4xf16, "gm">
}

// -----

// Numbers that a kernel takes come from a tiling function.
// CHECK: {{.*}}verify-errors.mlir:396:1: error: ascend.kernel: arguments of type index go with tiling, which gives them, and sizes
ascend.kernel @k cores 1 : i64 {
^bb0(%x: memref<64xf16, "gm">, %n: index):
  ascend.end
}

// -----

// A vector function goes on from an instruction that nothing separates from this one: there is none.
// CHECK: {{.*}}verify-errors.mlir:407:3: error: ascend.vec: no instruction before it has a vector function that could go on
ascend.kernel @k cores 1 : i64 {
  %u = ascend.buffer : memref<64xf16, "ub">
  ascend.vec "vabs"(%u) -> %u {joined} : (memref<64xf16, "ub">) -> memref<64xf16, "ub">
  ascend.end
}

// -----

// Nor does it go on past a flag.
// CHECK: {{.*}}verify-errors.mlir:420:3: error: ascend.vec: no instruction before it has a vector function that could go on
ascend.kernel @k cores 1 : i64 {
  %c0 = arith.constant 0 : index
  %u = ascend.buffer : memref<64xf16, "ub">
  ascend.vec "vabs"(%u) -> %u : (memref<64xf16, "ub">) -> memref<64xf16, "ub">
  ascend.wait_flag "MTE2" -> "V", %c0
  ascend.vec "vrelu"(%u) -> %u {joined} : (memref<64xf16, "ub">) -> memref<64xf16, "ub">
  ascend.end
}

// -----

// A part of a tensor lies in it.
// CHECK: {{.*}}verify-errors.mlir:429:8: error: ascend.view_tensor: 64 B from byte 32 on are no part of 64 B in blocks of 32 B
func.func @f(%x: memref<32xf16, "gm">) {
  %y = ascend.view_tensor %x {offset = 32 : i64} : memref<32xf16, "gm"> -> memref<32xf16, "gm">
  func.return
}
