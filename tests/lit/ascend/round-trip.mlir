// RUN: ascend-opt %s | filecheck %s
// RUN: ascend-opt %s | ascend-opt - | filecheck %s
// RUN: ascend-opt %s --print-op-generic | ascend-opt - | filecheck %s

// Buffers, slots and views: addresses, a view that picks slot, offset and a dynamic size, one that repeats its rows.
// CHECK-LABEL: ascend.kernel @memory cores 4 : i64 attributes {ops = ["graph.relu"]} {
// CHECK-NEXT:  ^bb0(%x: memref<64x64xf16, "gm">):
// CHECK:         [[N:%.*]] = arith.constant 16 : index
// CHECK-NEXT:    [[CORE:%.*]] = ascend.block_idx
// CHECK-NEXT:    [[A:%.*]] = ascend.buffer {slots = 2 : i64, label = "operand", addresses = array<i64: 0, 2048>} : memref<1024xf16, "ub">
// CHECK-NEXT:    [[ROW:%.*]] = ascend.buffer : memref<16xf16, "ub">
// CHECK-NEXT:    [[S:%.*]] = ascend.next_slot [[A]] : memref<1024xf16, "ub">
// CHECK-NEXT:    [[P:%.*]] = ascend.previous_slot [[A]] : memref<1024xf16, "ub">
// CHECK-NEXT:    ascend.view [[A]] slot [[S]] offset [[CORE]] sizes [[N]] {static_sizes = array<i64: -1, 16>, strides = array<i64: 16, 1>} : memref<1024xf16, "ub"> -> memref<?x16xf16, strided<[16, 1], offset: ?>, "ub">
// CHECK-NEXT:    ascend.view [[ROW]] {start = 4 : i64, static_sizes = array<i64: 8, 4>, strides = array<i64: 0, 1>} : memref<16xf16, "ub"> -> memref<8x4xf16, strided<[?, 1], offset: 4>, "ub">
// CHECK-NEXT:    ascend.end
ascend.kernel @memory cores 4 : i64 attributes {ops = ["graph.relu"]} {
^bb0(%x: memref<64x64xf16, "gm">):
  %n = arith.constant 16 : index
  %core = ascend.block_idx
  %a = ascend.buffer {slots = 2 : i64, label = "operand", addresses = array<i64: 0, 2048>} : memref<1024xf16, "ub">
  %row = ascend.buffer : memref<16xf16, "ub">
  %s = ascend.next_slot %a : memref<1024xf16, "ub">
  %p = ascend.previous_slot %a : memref<1024xf16, "ub">
  %v = ascend.view %a slot %s offset %core sizes %n {static_sizes = array<i64: -1, 16>, strides = array<i64: 16, 1>} : memref<1024xf16, "ub"> -> memref<?x16xf16, strided<[16, 1], offset: ?>, "ub">
  %w = ascend.view %row {start = 4 : i64, static_sizes = array<i64: 8, 4>, strides = array<i64: 0, 1>} : memref<16xf16, "ub"> -> memref<8x4xf16, strided<[?, 1], offset: 4>, "ub">
  ascend.end
}

// Every instruction, with the attributes that change what it does.
// CHECK-LABEL: ascend.kernel @instructions
// CHECK:         ascend.copy {{%.*}}, {{%.*}} : memref<256xf16, "ub">, memref<256xf16, "l1">
// CHECK-NEXT:    ascend.copy {{%.*}}, {{%.*}} {nd2nz} : memref<32x16xf16, "gm">, memref<1x32x16xf16, "l1">
// CHECK-NEXT:    ascend.copy {{%.*}}, {{%.*}} {nd2nz, bypass} : memref<32x16xf16, "gm">, memref<1x32x16xf16, "l1">
// CHECK-NEXT:    ascend.copy {{%.*}}, {{%.*}} {relu} : memref<256xf32, "l0c">, memref<256xf16, "ub">
// CHECK-NEXT:    ascend.load2d {{%.*}}, {{%.*}} {transpose} : memref<1x16x16xf16, "l1">, memref<1x16x16xf16, "l0b">
// CHECK-NEXT:    ascend.load3d {{%.*}}, {{%.*}} pads [[ONE:%.*]], [[ONE]], [[ONE]], [[ONE]] at [[ZERO:%.*]], [[ZERO]] {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : memref<1x8x8x16xf16, "l1">, memref<1x1x16x16xf16, "l0a">
// CHECK-NEXT:    ascend.mmad {{%.*}}, {{%.*}}, {{%.*}} size [[N:%.*]], [[N]], [[N]] init {{%.*}} : memref<1x1x16x16xf16, "l0a">, memref<1x1x16x16xf16, "l0b">, memref<1x16x16xf32, "l0c">
// CHECK-NEXT:    ascend.mmad {{%.*}}, {{%.*}}, {{%.*}} size [[N]], [[N]], [[N]] init {{%.*}} unit {{%.*}} : memref<1x1x16x16xf16, "l0a">, memref<1x1x16x16xf16, "l0b">, memref<1x16x16xf32, "l0c">
// CHECK-NEXT:    ascend.vec "vadds"([[U:%.*]]) -> [[U]] scalar 1.500000e+00 : f32 : (memref<256xf16, "ub">) -> memref<256xf16, "ub">
// CHECK-NEXT:    ascend.vec "vmadd"([[U]], [[U]], [[U]]) -> [[U]] : (memref<256xf16, "ub">, memref<256xf16, "ub">, memref<256xf16, "ub">) -> memref<256xf16, "ub">
// CHECK-NEXT:    ascend.vec "vconv"([[U]]) -> {{%.*}} : (memref<256xf16, "ub">) -> memref<256xf32, "ub">
// CHECK-NEXT:    ascend.transpose [[T:%.*]], [[T]] : memref<1x16x16xf16, "ub">, memref<1x16x16xf16, "ub">
// CHECK-NEXT:    ascend.end
ascend.kernel @instructions cores 1 : i64 {
^bb0(%x: memref<32x16xf16, "gm">):
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 16 : index
  %true = arith.constant true
  %ub = ascend.buffer : memref<256xf16, "ub">
  %wide = ascend.buffer : memref<256xf32, "ub">
  %flat = ascend.buffer : memref<256xf16, "l1">
  %nz = ascend.buffer : memref<1x32x16xf16, "l1">
  %sum = ascend.buffer : memref<256xf32, "l0c">
  %fractal = ascend.buffer : memref<1x16x16xf16, "l1">
  %map = ascend.buffer : memref<1x8x8x16xf16, "l1">
  %b2 = ascend.buffer : memref<1x16x16xf16, "l0b">
  %a = ascend.buffer : memref<1x1x16x16xf16, "l0a">
  %b = ascend.buffer : memref<1x1x16x16xf16, "l0b">
  %c = ascend.buffer : memref<1x16x16xf32, "l0c">
  %t = ascend.buffer : memref<1x16x16xf16, "ub">
  ascend.copy %ub, %flat : memref<256xf16, "ub">, memref<256xf16, "l1">
  ascend.copy %x, %nz {nd2nz} : memref<32x16xf16, "gm">, memref<1x32x16xf16, "l1">
  ascend.copy %x, %nz {nd2nz, bypass} : memref<32x16xf16, "gm">, memref<1x32x16xf16, "l1">
  ascend.copy %sum, %ub {relu} : memref<256xf32, "l0c">, memref<256xf16, "ub">
  ascend.load2d %fractal, %b2 {transpose} : memref<1x16x16xf16, "l1">, memref<1x16x16xf16, "l0b">
  ascend.load3d %map, %a pads %one, %one, %one, %one at %zero, %zero {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : memref<1x8x8x16xf16, "l1">, memref<1x1x16x16xf16, "l0a">
  ascend.mmad %a, %b, %c size %n, %n, %n init %true : memref<1x1x16x16xf16, "l0a">, memref<1x1x16x16xf16, "l0b">, memref<1x16x16xf32, "l0c">
  ascend.mmad %a, %b, %c size %n, %n, %n init %true unit %true : memref<1x1x16x16xf16, "l0a">, memref<1x1x16x16xf16, "l0b">, memref<1x16x16xf32, "l0c">
  ascend.vec "vadds"(%ub) -> %ub scalar 1.5 : f32 : (memref<256xf16, "ub">) -> memref<256xf16, "ub">
  ascend.vec "vmadd"(%ub, %ub, %ub) -> %ub : (memref<256xf16, "ub">, memref<256xf16, "ub">, memref<256xf16, "ub">) -> memref<256xf16, "ub">
  ascend.vec "vconv"(%ub) -> %wide : (memref<256xf16, "ub">) -> memref<256xf32, "ub">
  ascend.transpose %t, %t : memref<1x16x16xf16, "ub">, memref<1x16x16xf16, "ub">
  ascend.end
}

// Flags name two pipes and an event; barriers one pipe, or all of them.
// CHECK-LABEL: ascend.kernel @synchronisation
// CHECK:         ascend.set_flag "MTE2" -> "V", [[E:%.*]]
// CHECK-NEXT:    ascend.wait_flag "MTE2" -> "V", [[E]]
// CHECK-NEXT:    ascend.barrier "V"
// CHECK-NEXT:    ascend.barrier "ALL"
ascend.kernel @synchronisation cores 1 : i64 {
  %event = arith.constant 0 : index
  ascend.set_flag "MTE2" -> "V", %event
  ascend.wait_flag "MTE2" -> "V", %event
  ascend.barrier "V"
  ascend.barrier "ALL"
  ascend.end
}

// Work done once, tensors of the program, views of them, and launches.
// CHECK-LABEL: func.func @main.prepare
// CHECK-NEXT:    ascend.pack %w {padded = array<i64: 64, 32>, split = array<i64: 4, 16, 2, 16>, permutation = array<i64: 0, 2, 3, 1>} : tensor<60x30xf16> -> tensor<4x2x16x16xf16>
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    [[Y:%.*]] = ascend.gm_alloc : memref<4096xf16, "gm">
// CHECK-NEXT:    [[V:%.*]] = ascend.view_tensor [[Y]] : memref<4096xf16, "gm"> -> memref<64x64xf16, "gm">
// CHECK-NEXT:    ascend.view_tensor [[Y]] {offset = 64 : i64} : memref<4096xf16, "gm"> -> memref<2x32xf16, "gm">
// CHECK-NEXT:    ascend.launch @memory([[V]]) : memref<64x64xf16, "gm">
func.func @main.prepare(%w: tensor<60x30xf16>) -> tensor<4x2x16x16xf16> {
  %p = ascend.pack %w {padded = array<i64: 64, 32>, split = array<i64: 4, 16, 2, 16>, permutation = array<i64: 0, 2, 3, 1>} : tensor<60x30xf16> -> tensor<4x2x16x16xf16>
  func.return %p : tensor<4x2x16x16xf16>
}
func.func @main() -> memref<4096xf16, "gm"> {
  %y = ascend.gm_alloc : memref<4096xf16, "gm">
  %v = ascend.view_tensor %y : memref<4096xf16, "gm"> -> memref<64x64xf16, "gm">
  %part = ascend.view_tensor %y {offset = 64 : i64} : memref<4096xf16, "gm"> -> memref<2x32xf16, "gm">
  ascend.launch @memory(%v) : memref<64x64xf16, "gm">
  func.return %y : memref<4096xf16, "gm">
}

// Buffers in which the cores of a group meet, and what FixPipe writes there: to one Vector core, or halves to both.
// CHECK-LABEL: ascend.kernel @cube
// CHECK:         ascend.fixpipe {{%.*}}, {{%.*}} {relu, vector = 1 : i64} : memref<2x16x16xf32, "l0c">, memref<2x16x16xf16, "ub">
// CHECK-NEXT:    ascend.fixpipe {{%.*}}, {{%.*}} {split = 0 : i64} : memref<2x16x16xf32, "l0c">, memref<1x16x16xf16, "ub">
// CHECK-LABEL: func.func @together
// CHECK-NEXT:    [[T:%.*]] = ascend.group_buffer {address = 64 : i64, label = "landing"} : memref<2x16x16xf16, "ub">
// CHECK-NEXT:    [[H:%.*]] = ascend.group_buffer : memref<1x16x16xf16, "ub">
// CHECK-NEXT:    ascend.launch @cube with @vector([[T]], [[H]]) : memref<2x16x16xf16, "ub">, memref<1x16x16xf16, "ub">
ascend.kernel @cube cores 1 : i64 attributes {core = "aic"} {
^bb0(%t: memref<2x16x16xf16, "ub">, %h: memref<1x16x16xf16, "ub">):
  %sum = ascend.buffer : memref<2x16x16xf32, "l0c">
  ascend.fixpipe %sum, %t {relu, vector = 1 : i64} : memref<2x16x16xf32, "l0c">, memref<2x16x16xf16, "ub">
  ascend.fixpipe %sum, %h {split = 0 : i64} : memref<2x16x16xf32, "l0c">, memref<1x16x16xf16, "ub">
  ascend.end
}
ascend.kernel @vector cores 2 : i64 attributes {core = "aiv"} {
^bb0(%t: memref<2x16x16xf16, "ub">, %h: memref<1x16x16xf16, "ub">):
  ascend.end
}
func.func @together() {
  %t = ascend.group_buffer {address = 64 : i64, label = "landing"} : memref<2x16x16xf16, "ub">
  %h = ascend.group_buffer : memref<1x16x16xf16, "ub">
  ascend.launch @cube with @vector(%t, %h) : memref<2x16x16xf16, "ub">, memref<1x16x16xf16, "ub">
  func.return
}
