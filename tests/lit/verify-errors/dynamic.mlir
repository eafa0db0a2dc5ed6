// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines --strict-whitespace
// Dynamic dimensions where there can be none: `?` is the first dimension of a tensor, and one number in a graph.

// A dimension that does not stay the first one.
//      CHECK:{{.*}}dynamic.mlir:9:8: error: transpose: dimension 1 of result 0 would be ?; only the first dimension of a tensor may be dynamic, and it is ? itself
// CHECK-NEXT:  %y = transpose(%x) {perm = [1, 0]}
// CHECK-NEXT:       ^~~~~~~~~
graph @f(%x: tensor<?x4xf16>) {
  %y = transpose(%x) {perm = [1, 0]}
  return %y
}

// -----

// A multiple of it.
//      CHECK:{{.*}}dynamic.mlir:20:8: error: concat: dimension 0 of result 0 would be 2*?; only the first dimension of a tensor may be dynamic, and it is ? itself
// CHECK-NEXT:  %y = concat(%x, %x) {axis = 0}
// CHECK-NEXT:       ^~~~~~
graph @f(%x: tensor<?x4xf16>) {
  %y = concat(%x, %x) {axis = 0}
  return %y
}

// -----

// A part of it, which is there at large sizes only.
//      CHECK:{{.*}}dynamic.mlir:31:8: error: slice: dimension 0 of result 0 would depend on the dynamic size ?; only the first dimension of a tensor may be dynamic, and it is ? itself
// CHECK-NEXT:  %y = slice(%x) {starts = [0], ends = [8]}
// CHECK-NEXT:       ^~~~~
graph @f(%x: tensor<?x4xf16>) {
  %y = slice(%x) {starts = [0], ends = [8]}
  return %y
}

// -----

// A number that it may not be.
//      CHECK:{{.*}}dynamic.mlir:42:8: error: add: shapes ?x4 and 8x4 do not broadcast
// CHECK-NEXT:  %y = add(%x, %w)
// CHECK-NEXT:       ^~~
graph @f(%x: tensor<?x4xf16>, %w: tensor<8x4xf16>) {
  %y = add(%x, %w)
  return %y
}

// -----

// A `?` that is not the first dimension, and a result that does not depend on it.
//      CHECK:{{.*}}dynamic.mlir:53:8: error: graph.relu: result is stated as tensor<4x7xf16>, but its operands and attributes give tensor<4x?xf16>
// CHECK-NEXT:  %y = graph.relu %x : (tensor<4x?xf16>) -> tensor<4x7xf16>
// CHECK-NEXT:       ^~~~~~~~~~
func.func @f(%x: tensor<4x?xf16>) -> tensor<4x7xf16> {
  %y = graph.relu %x : (tensor<4x?xf16>) -> tensor<4x7xf16>
  func.return %y : tensor<4x7xf16>
}
