// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines
// Element types that no instruction takes.

// The Cube sums in f32.
// CHECK: {{.*}}verify-errors-types.mlir:12:3: error: ascend.mmad: the Cube sums products of f16 in f32, not in f16
ascend.kernel @k cores 1 : i64 {
  %a = ascend.buffer : memref<1x1x16x16xf16, "l0a">
  %b = ascend.buffer : memref<1x1x16x16xf16, "l0b">
  %c = ascend.buffer : memref<1x16x16xf16, "l0c">
  %n = arith.constant 16 : index
  %t = arith.constant true
  ascend.mmad %a, %b, %c size %n, %n, %n init %t : memref<1x1x16x16xf16, "l0a">, memref<1x1x16x16xf16, "l0b">, memref<1x16x16xf16, "l0c">
  ascend.end
}

// -----

// Both operands of a product are of one type.
// CHECK: {{.*}}verify-errors-types.mlir:26:3: error: ascend.mmad: operands have one element type, not f16 and bf16
ascend.kernel @k cores 1 : i64 {
  %a = ascend.buffer : memref<1x1x16x16xf16, "l0a">
  %b = ascend.buffer : memref<1x1x16x16xbf16, "l0b">
  %c = ascend.buffer : memref<1x16x16xf32, "l0c">
  %n = arith.constant 16 : index
  %t = arith.constant true
  ascend.mmad %a, %b, %c size %n, %n, %n init %t : memref<1x1x16x16xf16, "l0a">, memref<1x1x16x16xbf16, "l0b">, memref<1x16x16xf32, "l0c">
  ascend.end
}

// -----

// The Cube does not multiply integers of 32 bits.
// CHECK: {{.*}}verify-errors-types.mlir:37:3: error: ascend.load2d: the Cube multiplies f16, bf16, f32, i8, not i32
ascend.kernel @k cores 1 : i64 {
  %a = ascend.buffer : memref<1x16x8xi32, "l1">
  %b = ascend.buffer : memref<1x16x8xi32, "l0a">
  ascend.load2d %a, %b : memref<1x16x8xi32, "l1">, memref<1x16x8xi32, "l0a">
  ascend.end
}

// -----

// A load of L0 converts nothing.
// CHECK: {{.*}}verify-errors-types.mlir:48:3: error: ascend.load2d: cannot convert f16 to bf16
ascend.kernel @k cores 1 : i64 {
  %a = ascend.buffer : memref<1x16x16xf16, "l1">
  %b = ascend.buffer : memref<1x16x16xbf16, "l0a">
  ascend.load2d %a, %b : memref<1x16x16xf16, "l1">, memref<1x16x16xbf16, "l0a">
  ascend.end
}

// -----

// Sums leave L0C as what FixPipe gives.
// CHECK: {{.*}}verify-errors-types.mlir:59:3: error: ascend.fixpipe: sums become f32, f16, bf16, i8, not i32
ascend.kernel @k cores 1 : i64 {
  %a = ascend.buffer : memref<1x16x16xf32, "l0c">
  %b = ascend.buffer : memref<1x16x16xi32, "l1">
  ascend.fixpipe %a, %b : memref<1x16x16xf32, "l0c">, memref<1x16x16xi32, "l1">
  ascend.end
}

// -----

// No memory holds f64.
// CHECK: {{.*}}verify-errors-types.mlir:68:8: error: ascend.buffer: elements are f16, bf16, f32, i1, i8, i32, i16, i64, not f64
ascend.kernel @k cores 1 : i64 {
  %a = ascend.buffer : memref<16xf64, "ub">
  ascend.end
}

// -----

// A scalar has the type of the elements beside it.
// CHECK: {{.*}}verify-errors-types.mlir:78:3: error: ascend.vec: the scalar beside i32 is not 1.000000e+00 : f32
ascend.kernel @k cores 1 : i64 {
  %a = ascend.buffer : memref<64xi32, "ub">
  ascend.vec "vadds"(%a) -> %a scalar 1.0 : f32 : (memref<64xi32, "ub">) -> memref<64xi32, "ub">
  ascend.end
}

// -----

// A transpose is of 2-byte or 4-byte elements.
// CHECK: {{.*}}verify-errors-types.mlir:89:3: error: ascend.transpose: elements are 2 or 4 B, not i8
ascend.kernel @k cores 1 : i64 {
  %a = ascend.buffer : memref<1x16x32xi8, "ub">
  %b = ascend.buffer : memref<1x32x16xi8, "ub">
  ascend.transpose %a, %b : memref<1x16x32xi8, "ub">, memref<1x32x16xi8, "ub">
  ascend.end
}

// -----

// Products of i8 are summed in i32.
// CHECK: {{.*}}verify-errors-types.mlir:103:3: error: ascend.mmad: the Cube sums products of i8 in i32, not in f32
ascend.kernel @k cores 1 : i64 {
  %a = ascend.buffer : memref<1x1x16x32xi8, "l0a">
  %b = ascend.buffer : memref<1x1x16x32xi8, "l0b">
  %c = ascend.buffer : memref<1x16x16xf32, "l0c">
  %n = arith.constant 16 : index
  %t = arith.constant true
  ascend.mmad %a, %b, %c size %n, %n, %n init %t : memref<1x1x16x32xi8, "l0a">, memref<1x1x16x32xi8, "l0b">, memref<1x16x16xf32, "l0c">
  ascend.end
}

// -----

// The row that sums of i32 start from is i32.
// CHECK: {{.*}}verify-errors-types.mlir:118:3: error: ascend.mmad: a bias is [n] i32 in bt, got memref<16xf32, "bt">
ascend.kernel @k cores 1 : i64 {
  %a = ascend.buffer : memref<1x1x16x32xi8, "l0a">
  %b = ascend.buffer : memref<1x1x16x32xi8, "l0b">
  %c = ascend.buffer : memref<1x16x16xi32, "l0c">
  %r = ascend.buffer : memref<16xf32, "bt">
  %n = arith.constant 16 : index
  %t = arith.constant true
  ascend.mmad %a, %b, %c size %n, %n, %n init %t : memref<1x1x16x32xi8, "l0a">, memref<1x1x16x32xi8, "l0b">, memref<1x16x16xi32, "l0c"> bias %r : memref<16xf32, "bt">
  ascend.end
}

// -----

// Sums of i32 become f16 by a scale alone.
// CHECK: {{.*}}verify-errors-types.mlir:129:3: error: ascend.fixpipe: a scale is what i8 results have, and f16 of i32
ascend.kernel @k cores 1 : i64 {
  %a = ascend.buffer : memref<1x16x16xi32, "l0c">
  %b = ascend.buffer : memref<1x16x16xf16, "l1">
  ascend.fixpipe %a, %b : memref<1x16x16xi32, "l0c">, memref<1x16x16xf16, "l1">
  ascend.end
}

// -----

// They become no bf16.
// CHECK: {{.*}}verify-errors-types.mlir:140:3: error: ascend.fixpipe: sums in i32 become i32, f16, i8, not bf16
ascend.kernel @k cores 1 : i64 {
  %a = ascend.buffer : memref<1x16x16xi32, "l0c">
  %b = ascend.buffer : memref<1x16x16xbf16, "l1">
  ascend.fixpipe %a, %b : memref<1x16x16xi32, "l0c">, memref<1x16x16xbf16, "l1">
  ascend.end
}

// -----

// What is dequantised has no slopes.
// CHECK: {{.*}}verify-errors-types.mlir:151:3: error: ascend.fixpipe: f16 results with a scale have no slopes
ascend.kernel @k cores 1 : i64 {
  %a = ascend.buffer : memref<1x16x16xi32, "l0c">
  %b = ascend.buffer : memref<1x16x16xf16, "l1">
  ascend.fixpipe %a, %b {scale = 0.5 : f32, relu, leaky = 0.5 : f32} : memref<1x16x16xi32, "l0c">, memref<1x16x16xf16, "l1">
  ascend.end
}

// -----

// There is no relu of i32.
// CHECK: {{.*}}verify-errors-types.mlir:162:3: error: ascend.fixpipe: there is no relu of i32
ascend.kernel @k cores 1 : i64 {
  %a = ascend.buffer : memref<1x16x16xi32, "l0c">
  %b = ascend.buffer : memref<1x16x16xi32, "l1">
  ascend.fixpipe %a, %b {relu} : memref<1x16x16xi32, "l0c">, memref<1x16x16xi32, "l1">
  ascend.end
}

// -----

// Where an element is, is a number of its own type.
// CHECK: {{.*}}verify-errors-types.mlir:173:3: error: ascend.vec: vcmax_at gives i32, not memref<1xf32, "ub">
ascend.kernel @k cores 1 : i64 {
  %a = ascend.buffer : memref<64xf32, "ub">
  %b = ascend.buffer : memref<1xf32, "ub">
  ascend.vec "vcmax_at"(%a) -> %b : (memref<64xf32, "ub">) -> memref<1xf32, "ub">
  ascend.end
}

// -----

// A DMA joins elements in three ways, on the way out of UB.
// CHECK: {{.*}}verify-errors-types.mlir:184:3: error: ascend.copy: atomic is add, max, min, not xor
ascend.kernel @k cores 1 : i64 {
^bb0(%x: memref<64xi32, "gm">):
  %a = ascend.buffer : memref<64xi32, "ub">
  ascend.copy %a, %x {atomic = "xor"} : memref<64xi32, "ub">, memref<64xi32, "gm">
  ascend.end
}
