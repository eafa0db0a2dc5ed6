// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines
// Mistakes with buffers of a group, each with its place.

// Cores of a group meet in ub and l1.
// CHECK: {{.*}}verify-errors-group.mlir:7:8: error: ascend.group_buffer: cores meet in ub or l1, not 'l0a'
func.func @main() {
  %t = ascend.group_buffer : memref<16xf16, "l0a">
  func.return
}

// -----

// The shape is static.
// CHECK: {{.*}}verify-errors-group.mlir:16:8: error: ascend.group_buffer: the shape must be static
func.func @main() {
  %t = ascend.group_buffer : memref<?xf16, "ub">
  func.return
}

// -----

// One kernel alone is no group.
// CHECK: {{.*}}verify-errors-group.mlir:26:3: error: ascend.launch: one kernel alone takes no buffer of a group, which needs `with`
func.func @main() {
  %t = ascend.group_buffer : memref<16xf16, "ub">
  ascend.launch @k(%t) : memref<16xf16, "ub">
  func.return
}

// -----

// FixPipe says which Vector core gets the tile.
// CHECK: {{.*}}verify-errors-group.mlir:37:3: error: ascend.fixpipe: to ub, and only there, it states either vector or split
ascend.kernel @k cores 1 : i64 attributes {core = "aic"} {
^bb0(%t: memref<1x16x16xf16, "ub">):
  %a = ascend.buffer : memref<1x16x16xf32, "l0c">
  ascend.fixpipe %a, %t : memref<1x16x16xf32, "l0c">, memref<1x16x16xf16, "ub">
  ascend.end
}

// -----

// To GM there is no Vector core to name.
// CHECK: {{.*}}verify-errors-group.mlir:48:3: error: ascend.fixpipe: to ub, and only there, it states either vector or split
ascend.kernel @k cores 1 : i64 attributes {core = "aic"} {
^bb0(%y: memref<16x16xf16, "gm">):
  %a = ascend.buffer : memref<1x16x16xf32, "l0c">
  ascend.fixpipe %a, %y {vector = 0 : i64} : memref<1x16x16xf32, "l0c">, memref<16x16xf16, "gm">
  ascend.end
}

// -----

// Halves are along columns or rows.
// CHECK: {{.*}}verify-errors-group.mlir:59:3: error: ascend.fixpipe: split is 0 or 1, not 2
ascend.kernel @k cores 1 : i64 attributes {core = "aic"} {
^bb0(%t: memref<1x16x8xf16, "ub">):
  %a = ascend.buffer : memref<1x16x16xf32, "l0c">
  ascend.fixpipe %a, %t {split = 2 : i64} : memref<1x16x16xf32, "l0c">, memref<1x16x8xf16, "ub">
  ascend.end
}

// -----

// In ub a tile keeps its layout.
// CHECK: {{.*}}verify-errors-group.mlir:70:3: error: ascend.fixpipe: a destination in ub is [N1, M, 16]
ascend.kernel @k cores 1 : i64 attributes {core = "aic"} {
^bb0(%t: memref<16x16xf16, "ub">):
  %a = ascend.buffer : memref<1x16x16xf32, "l0c">
  ascend.fixpipe %a, %t {vector = 0 : i64} : memref<1x16x16xf32, "l0c">, memref<16x16xf16, "ub">
  ascend.end
}
