// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines --strict-whitespace
// MLIR text that parses and does not verify.

// Stated result types are checked against inference.
//      CHECK:{{.*}}mlir-text.mlir:9:8: error: graph.relu: result is stated as tensor<8xf16>, but its operands and attributes give tensor<4xf16>
// CHECK-NEXT:  %y = graph.relu %x : (tensor<4xf16>) -> tensor<8xf16>
// CHECK-NEXT:       ^~~~~~~~~~
func.func @f(%x: tensor<4xf16>) -> tensor<8xf16> {
  %y = graph.relu %x : (tensor<4xf16>) -> tensor<8xf16>
  func.return %y : tensor<8xf16>
}

// -----

// Shapes that do not broadcast.
//      CHECK:{{.*}}mlir-text.mlir:20:8: error: graph.add: shapes 4x8 and 4 do not broadcast
// CHECK-NEXT:  %y = graph.add %a, %b : (tensor<4x8xf16>, tensor<4xf16>) -> tensor<4x8xf16>
// CHECK-NEXT:       ^~~~~~~~~
func.func @f(%a: tensor<4x8xf16>, %b: tensor<4xf16>) {
  %y = graph.add %a, %b : (tensor<4x8xf16>, tensor<4xf16>) -> tensor<4x8xf16>
  func.return
}

// -----

// A value is used before its definition.
//      CHECK:{{.*}}mlir-text.mlir:31:8: error: graph.relu: %z is used before it is defined, or outside of where it is visible
// CHECK-NEXT:  %y = graph.relu %z : (tensor<4xf16>) -> tensor<4xf16>
// CHECK-NEXT:       ^~~~~~~~~~
func.func @f(%x: tensor<4xf16>) {
  %y = graph.relu %z : (tensor<4xf16>) -> tensor<4xf16>
  %z = graph.neg %x : (tensor<4xf16>) -> tensor<4xf16>
  func.return
}

// -----

// A function returns another type than it states.
//      CHECK:{{.*}}mlir-text.mlir:43:3: error: Expected arguments to have the same types as the function output types: expected [tensor<4xf32>], got [tensor<4xf16>]
// CHECK-NEXT:  func.return %x : tensor<4xf16>
// CHECK-NEXT:  ^~~~~~~~~~~
func.func @f(%x: tensor<4xf16>) -> tensor<4xf32> {
  func.return %x : tensor<4xf16>
}

// -----

// Two functions of one name.
//      CHECK:{{.*}}mlir-text.mlir:55:1: error: redefinition of '@f'
// CHECK-NEXT:func.func @f() {
// CHECK-NEXT:^~~~~~~~~
func.func @f() {
  func.return
}
func.func @f() {
  func.return
}
