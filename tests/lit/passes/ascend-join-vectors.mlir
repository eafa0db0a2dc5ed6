// RUN: ascend-opt %s --target=ascend950 -p ascend-join-vectors | filecheck %s
// RUN: ascend-opt %s --target=ascend950 -p ascend-join-vectors,ascend-join-vectors | filecheck %s
// RUN: ascend-opt %s --target=ascend910b -p ascend-join-vectors | filecheck %s --check-prefix=APART

// Instructions that follow each other are one function, barriers between them inside, and here one loop. It ends where a flag is raised or
// waited for, before a block transpose, and at a loop; the barrier in front of what starts anew is an ordinary one.
// CHECK-LABEL: ascend.kernel @functions
// CHECK:         ascend.wait_flag "MTE2" -> "V"
// CHECK-NEXT:    ascend.vec "vabs"([[A:%.*]]) -> [[A]] : (
// CHECK-NEXT:    ascend.barrier "V" {joined}
// CHECK-NEXT:    ascend.set_flag "MTE2" -> "MTE3"
// CHECK-NEXT:    ascend.vec "vadds"([[A]]) -> [[A]] scalar 1.000000e+00 : f32 {joined, looped} : (
// CHECK-NEXT:    ascend.set_flag "V" -> "MTE3"
// CHECK-NEXT:    ascend.barrier "V"
// CHECK-NEXT:    ascend.vec "vrelu"([[A]]) -> [[A]] : (
// CHECK-NEXT:    ascend.transpose
// CHECK-NEXT:    ascend.barrier "V"
// CHECK-NEXT:    ascend.vec "vabs"([[A]]) -> [[A]] : (
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      ascend.vec "vrelu"([[A]]) -> [[A]] : (
// CHECK-NEXT:      ascend.barrier "V" {joined}
// CHECK-NEXT:      ascend.vec "vabs"([[A]]) -> [[A]] {joined, looped} : (
// CHECK-NEXT:    }
// CHECK-NEXT:    ascend.vec "vrelu"([[A]]) -> [[A]] : (
// APART-NOT:     joined
ascend.kernel @functions cores 1 : i64 attributes {core = "aiv"} {
^bb0(%x: memref<256xf16, "gm">):
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = ascend.buffer {addresses = array<i64: 0>} : memref<256xf16, "ub">
  %b = ascend.buffer {addresses = array<i64: 512>} : memref<256xf16, "ub">
  %v = ascend.view %a {static_sizes = array<i64: 256>, strides = array<i64: 1>} : memref<256xf16, "ub"> -> memref<256xf16, strided<[1]>, "ub">
  %s = ascend.view %a {static_sizes = array<i64: 1, 16, 16>, strides = array<i64: 256, 16, 1>} : memref<256xf16, "ub"> -> memref<1x16x16xf16, strided<[256, 16, 1]>, "ub">
  %t = ascend.view %b {static_sizes = array<i64: 1, 16, 16>, strides = array<i64: 256, 16, 1>} : memref<256xf16, "ub"> -> memref<1x16x16xf16, strided<[256, 16, 1]>, "ub">
  ascend.wait_flag "MTE2" -> "V", %c0
  ascend.vec "vabs"(%v) -> %v : (memref<256xf16, strided<[1]>, "ub">) -> memref<256xf16, strided<[1]>, "ub">
  ascend.barrier "V"
  ascend.set_flag "MTE2" -> "MTE3", %c0
  ascend.vec "vadds"(%v) -> %v scalar 1.0 : f32 : (memref<256xf16, strided<[1]>, "ub">) -> memref<256xf16, strided<[1]>, "ub">
  ascend.set_flag "V" -> "MTE3", %c0
  ascend.barrier "V"
  ascend.vec "vrelu"(%v) -> %v : (memref<256xf16, strided<[1]>, "ub">) -> memref<256xf16, strided<[1]>, "ub">
  ascend.transpose %s, %t : memref<1x16x16xf16, strided<[256, 16, 1]>, "ub">, memref<1x16x16xf16, strided<[256, 16, 1]>, "ub">
  ascend.barrier "V"
  ascend.vec "vabs"(%v) -> %v : (memref<256xf16, strided<[1]>, "ub">) -> memref<256xf16, strided<[1]>, "ub">
  scf.for %i = %c0 to %c4 step %c1 {
    ascend.vec "vrelu"(%v) -> %v : (memref<256xf16, strided<[1]>, "ub">) -> memref<256xf16, strided<[1]>, "ub">
    ascend.barrier "V"
    ascend.vec "vabs"(%v) -> %v : (memref<256xf16, strided<[1]>, "ub">) -> memref<256xf16, strided<[1]>, "ub">
  }
  ascend.vec "vrelu"(%v) -> %v : (memref<256xf16, strided<[1]>, "ub">) -> memref<256xf16, strided<[1]>, "ub">
  ascend.end
}
