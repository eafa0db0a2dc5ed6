// RUN: ascend-opt %s --target=ascend910 -p ascend-plan-memory | filecheck %s
// RUN: ascend-opt %s --target=ascend910 -p ascend-plan-memory --report-json=- 2>&1 | filecheck %s --check-prefix REPORT
// RUN: not ascend-opt %s --target=ascend910 -p ascend-plan-memory{reuse=none} 2>&1 | filecheck %s --check-prefix NONE
// RUN: not ascend-opt %s --target=ascend910 -p 'ascend-plan-memory{reuse="no-stall"}' 2>&1 | filecheck %s --check-prefix NOSTALL
// RUN: not ascend-opt %s --target=ascend910 -p ascend-plan-memory{reuse=all} 2>&1 | filecheck %s --check-prefix LEVEL

// LEVEL: error: pass 'ascend-plan-memory': reuse is none, no-stall or max, not 'all'

// Everything fits: every slot has bytes of its own.
// CHECK-LABEL: ascend.kernel @fits
// CHECK:         ascend.buffer {slots = 2 : i64, label = "a", addresses = array<i64: 0, 2048>}
// CHECK-NEXT:    ascend.buffer {label = "b", addresses = array<i64: 4096>}
ascend.kernel @fits cores 1 : i64 {
^bb0(%x: memref<64xf16, "gm">):
  %a = ascend.buffer {slots = 2 : i64, label = "a"} : memref<1024xf16, "ub">
  %b = ascend.buffer {label = "b"} : memref<1024xf16, "ub">
  %a_0 = ascend.next_slot %a : memref<1024xf16, "ub">
  %a_g = ascend.view %x {static_sizes = array<i64: 16>, strides = array<i64: 1>} : memref<64xf16, "gm"> -> memref<16xf16, strided<[1]>, "gm">
  %a_v = ascend.view %a slot %a_0 {static_sizes = array<i64: 16>, strides = array<i64: 1>} : memref<1024xf16, "ub"> -> memref<16xf16, strided<[1]>, "ub">
  ascend.copy %a_g, %a_v : memref<16xf16, strided<[1]>, "gm">, memref<16xf16, strided<[1]>, "ub">
  %b_0 = ascend.next_slot %b : memref<1024xf16, "ub">
  %b_g = ascend.view %x {static_sizes = array<i64: 16>, strides = array<i64: 1>} : memref<64xf16, "gm"> -> memref<16xf16, strided<[1]>, "gm">
  %b_v = ascend.view %b slot %b_0 {static_sizes = array<i64: 16>, strides = array<i64: 1>} : memref<1024xf16, "ub"> -> memref<16xf16, strided<[1]>, "ub">
  ascend.copy %b_g, %b_v : memref<16xf16, strided<[1]>, "gm">, memref<16xf16, strided<[1]>, "ub">
  ascend.end
}

// UB does not hold three buffers of 100 kB side by side. Each sum is written over its operand, element for element, and
// no pipe waits for another one, nor for itself.
// CHECK-LABEL: ascend.kernel @shares
// CHECK:         ascend.buffer {label = "first", addresses = array<i64: [[AT:.*]]>}
// CHECK-NEXT:    ascend.buffer {label = "second", addresses = array<i64: [[AT]]>}
// CHECK-NEXT:    ascend.buffer {label = "third", addresses = array<i64: [[AT]]>}
// REPORT:      "kernel": "shares"
// REPORT:      "peak_bytes": 100000
// REPORT:      "reuse": "no-stall"
// NONE:        error: ascend-plan-memory: @shares: ub needs 300000 B, the chip has 262144 B: 37856 B too many; all buffers, which reuse=none keeps apart:
// NONE-NEXT:     first: 100000 B, {{.*}}ascend-plan-memory.mlir:[[# @LINE + 7]]:8
// NONE-NEXT:     second: 100000 B, {{.*}}ascend-plan-memory.mlir:[[# @LINE + 7]]:8
// NONE-NEXT:     third: 100000 B, {{.*}}ascend-plan-memory.mlir:[[# @LINE + 7]]:8
// NONE-NEXT:   make first smaller by 37856 B (a smaller tile)
// NONE-NEXT:   with reuse=max it takes 100000 B, which fits
ascend.kernel @shares cores 1 : i64 {
^bb0(%x: memref<50000xf16, "gm">, %y: memref<50000xf16, "gm">):
  %a = ascend.buffer {label = "first"} : memref<50000xf16, "ub">
  %b = ascend.buffer {label = "second"} : memref<50000xf16, "ub">
  %c = ascend.buffer {label = "third"} : memref<50000xf16, "ub">
  %x_v = ascend.view %x {static_sizes = array<i64: 50000>, strides = array<i64: 1>} : memref<50000xf16, "gm"> -> memref<50000xf16, strided<[1]>, "gm">
  %y_v = ascend.view %y {static_sizes = array<i64: 50000>, strides = array<i64: 1>} : memref<50000xf16, "gm"> -> memref<50000xf16, strided<[1]>, "gm">
  %a_0 = ascend.next_slot %a : memref<50000xf16, "ub">
  %a_v = ascend.view %a slot %a_0 {static_sizes = array<i64: 50000>, strides = array<i64: 1>} : memref<50000xf16, "ub"> -> memref<50000xf16, strided<[1]>, "ub">
  ascend.copy %x_v, %a_v : memref<50000xf16, strided<[1]>, "gm">, memref<50000xf16, strided<[1]>, "ub">
  %b_0 = ascend.next_slot %b : memref<50000xf16, "ub">
  %b_v = ascend.view %b slot %b_0 {static_sizes = array<i64: 50000>, strides = array<i64: 1>} : memref<50000xf16, "ub"> -> memref<50000xf16, strided<[1]>, "ub">
  ascend.vec "vadd"(%a_v, %a_v) -> %b_v : (memref<50000xf16, strided<[1]>, "ub">, memref<50000xf16, strided<[1]>, "ub">) -> memref<50000xf16, strided<[1]>, "ub">
  %c_0 = ascend.next_slot %c : memref<50000xf16, "ub">
  %c_v = ascend.view %c slot %c_0 {static_sizes = array<i64: 50000>, strides = array<i64: 1>} : memref<50000xf16, "ub"> -> memref<50000xf16, strided<[1]>, "ub">
  ascend.vec "vadd"(%b_v, %b_v) -> %c_v : (memref<50000xf16, strided<[1]>, "ub">, memref<50000xf16, strided<[1]>, "ub">) -> memref<50000xf16, strided<[1]>, "ub">
  ascend.copy %c_v, %y_v : memref<50000xf16, strided<[1]>, "ub">, memref<50000xf16, strided<[1]>, "gm">
  ascend.end
}

// MTE3 is done with the first buffer when MTE2 fills the second one: only `max` lets it wait.
// CHECK-LABEL: ascend.kernel @waits
// CHECK:         ascend.buffer {label = "first", addresses = array<i64: 0>}
// CHECK-NEXT:    ascend.buffer {label = "second", addresses = array<i64: 0>}
// REPORT:      "kernel": "waits"
// REPORT:      "peak_bytes": 200000
// REPORT:      "reuse": "max"
// NOSTALL:     error: ascend-plan-memory: @waits: ub needs 400000 B, the chip has 262144 B: 137856 B too many
ascend.kernel @waits cores 1 : i64 {
^bb0(%x: memref<100000xf16, "gm">, %y: memref<100000xf16, "gm">):
  %a = ascend.buffer {label = "first"} : memref<100000xf16, "ub">
  %b = ascend.buffer {label = "second"} : memref<100000xf16, "ub">
  %x_v = ascend.view %x {static_sizes = array<i64: 100000>, strides = array<i64: 1>} : memref<100000xf16, "gm"> -> memref<100000xf16, strided<[1]>, "gm">
  %y_v = ascend.view %y {static_sizes = array<i64: 100000>, strides = array<i64: 1>} : memref<100000xf16, "gm"> -> memref<100000xf16, strided<[1]>, "gm">
  %a_0 = ascend.next_slot %a : memref<100000xf16, "ub">
  %a_v = ascend.view %a slot %a_0 {static_sizes = array<i64: 100000>, strides = array<i64: 1>} : memref<100000xf16, "ub"> -> memref<100000xf16, strided<[1]>, "ub">
  ascend.copy %x_v, %a_v : memref<100000xf16, strided<[1]>, "gm">, memref<100000xf16, strided<[1]>, "ub">
  ascend.copy %a_v, %y_v : memref<100000xf16, strided<[1]>, "ub">, memref<100000xf16, strided<[1]>, "gm">
  %b_0 = ascend.next_slot %b : memref<100000xf16, "ub">
  %b_v = ascend.view %b slot %b_0 {static_sizes = array<i64: 100000>, strides = array<i64: 1>} : memref<100000xf16, "ub"> -> memref<100000xf16, strided<[1]>, "ub">
  ascend.copy %x_v, %b_v : memref<100000xf16, strided<[1]>, "gm">, memref<100000xf16, strided<[1]>, "ub">
  ascend.copy %b_v, %y_v : memref<100000xf16, strided<[1]>, "ub">, memref<100000xf16, strided<[1]>, "gm">
  ascend.end
}
