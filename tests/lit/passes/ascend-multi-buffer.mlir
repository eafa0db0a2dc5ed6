// RUN: ascend-opt %s --target=ascend910 -p ascend-multi-buffer | filecheck %s
// RUN: ascend-opt %s --target=ascend910 -p ascend-multi-buffer{slots=3} | filecheck %s --check-prefix THREE

// What one pipe fills and another empties in a loop gets two slots; a buffer that one pipe has to itself keeps one.
// CHECK-LABEL: ascend.kernel @loop
// CHECK:         [[A:%.*]] = ascend.buffer {slots = 2 : i64, label = "operand"}
// CHECK-NEXT:    [[T:%.*]] = ascend.buffer {label = "temp"}
// THREE-LABEL: ascend.kernel @loop
// THREE:         ascend.buffer {slots = 3 : i64, label = "operand"}
ascend.kernel @loop cores 1 : i64 {
^bb0(%x: memref<4096xf16, "gm">):
  %zero = arith.constant 0 : index
  %four = arith.constant 4 : index
  %one = arith.constant 1 : index
  %a = ascend.buffer {label = "operand"} : memref<1024xf16, "ub">
  %t = ascend.buffer {label = "temp"} : memref<1024xf16, "ub">
  scf.for %i = %zero to %four step %one {
    %s = ascend.next_slot %a : memref<1024xf16, "ub">
    %u = ascend.next_slot %t : memref<1024xf16, "ub">
    %g = ascend.view %x {static_sizes = array<i64: 1024>, strides = array<i64: 1>} : memref<4096xf16, "gm"> -> memref<1024xf16, strided<[1]>, "gm">
    %v = ascend.view %a slot %s {static_sizes = array<i64: 1024>, strides = array<i64: 1>} : memref<1024xf16, "ub"> -> memref<1024xf16, strided<[1]>, "ub">
    %w = ascend.view %t slot %u {static_sizes = array<i64: 1024>, strides = array<i64: 1>} : memref<1024xf16, "ub"> -> memref<1024xf16, strided<[1]>, "ub">
    ascend.copy %g, %v : memref<1024xf16, strided<[1]>, "gm">, memref<1024xf16, strided<[1]>, "ub">
    ascend.vec "vabs"(%v) -> %w : (memref<1024xf16, strided<[1]>, "ub">) -> memref<1024xf16, strided<[1]>, "ub">
  }
  ascend.end
}

// Outside of loops there is nothing to overlap, and a second slot that does not fit is not given.
// CHECK-LABEL: ascend.kernel @straight
// CHECK:         ascend.buffer {label = "once"}
// CHECK-LABEL: ascend.kernel @full
// CHECK:         ascend.buffer {label = "large"}
ascend.kernel @straight cores 1 : i64 {
^bb0(%x: memref<4096xf16, "gm">):
  %a = ascend.buffer {label = "once"} : memref<1024xf16, "ub">
  %s = ascend.next_slot %a : memref<1024xf16, "ub">
  %g = ascend.view %x {static_sizes = array<i64: 1024>, strides = array<i64: 1>} : memref<4096xf16, "gm"> -> memref<1024xf16, strided<[1]>, "gm">
  %v = ascend.view %a slot %s {static_sizes = array<i64: 1024>, strides = array<i64: 1>} : memref<1024xf16, "ub"> -> memref<1024xf16, strided<[1]>, "ub">
  ascend.copy %g, %v : memref<1024xf16, strided<[1]>, "gm">, memref<1024xf16, strided<[1]>, "ub">
  ascend.vec "vabs"(%v) -> %v : (memref<1024xf16, strided<[1]>, "ub">) -> memref<1024xf16, strided<[1]>, "ub">
  ascend.end
}
ascend.kernel @full cores 1 : i64 {
^bb0(%x: memref<100000xf16, "gm">):
  %zero = arith.constant 0 : index
  %four = arith.constant 4 : index
  %one = arith.constant 1 : index
  %a = ascend.buffer {label = "large"} : memref<80000xf16, "ub">
  scf.for %i = %zero to %four step %one {
    %s = ascend.next_slot %a : memref<80000xf16, "ub">
    %g = ascend.view %x {static_sizes = array<i64: 1024>, strides = array<i64: 1>} : memref<100000xf16, "gm"> -> memref<1024xf16, strided<[1]>, "gm">
    %v = ascend.view %a slot %s {static_sizes = array<i64: 1024>, strides = array<i64: 1>} : memref<80000xf16, "ub"> -> memref<1024xf16, strided<[1]>, "ub">
    ascend.copy %g, %v : memref<1024xf16, strided<[1]>, "gm">, memref<1024xf16, strided<[1]>, "ub">
    ascend.vec "vabs"(%v) -> %v : (memref<1024xf16, strided<[1]>, "ub">) -> memref<1024xf16, strided<[1]>, "ub">
  }
  ascend.end
}
