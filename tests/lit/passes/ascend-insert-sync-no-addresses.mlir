// RUN: not ascend-opt %s --target=ascend910 -p ascend-insert-sync 2>&1 | filecheck %s

// CHECK: ascend-insert-sync-no-addresses.mlir:[[# @LINE + 3]]:8: error: ascend-insert-sync: a has no address: run ascend-plan-memory first
ascend.kernel @k cores 1 : i64 {
^bb0(%x: memref<512xf16, "gm">):
  %a = ascend.buffer {label = "a"} : memref<512xf16, "ub">
  ascend.copy %x, %a : memref<512xf16, "gm">, memref<512xf16, "ub">
  ascend.end
}
