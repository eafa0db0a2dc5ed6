// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines --strict-whitespace
// What does not parse as MLIR text: the message is at the cause, not where the parser noticed.

// An undefined value is reported where it is used.
//      CHECK:{{.*}}mlir-text.mlir:9:19: error: value '%z' is used but not defined here
// CHECK-NEXT:  %y = graph.relu %z : (tensor<4xf16>) -> tensor<4xf16>
// CHECK-NEXT:                  ^~
func.func @f(%x: tensor<4xf16>) -> tensor<4xf16> {
  %y = graph.relu %z : (tensor<4xf16>) -> tensor<4xf16>
  func.return %y : tensor<4xf16>
}

// -----

// An unknown operation of a known dialect.
//      CHECK:{{.*}}mlir-text.mlir:20:8: error: unknown operation 'graph.rleu'; did you mean 'graph.relu'?
// CHECK-NEXT:  %y = graph.rleu %x : (tensor<4xf16>) -> tensor<4xf16>
// CHECK-NEXT:       ^~~~~~~~~~
func.func @f(%x: tensor<4xf16>) -> tensor<4xf16> {
  %y = graph.rleu %x : (tensor<4xf16>) -> tensor<4xf16>
  func.return %y : tensor<4xf16>
}

// -----

// An unknown operation in generic form.
//      CHECK:{{.*}}mlir-text.mlir:30:7: error: unknown operation 'graph.exq'; did you mean 'graph.exp'?
// CHECK-NEXT:%y = "graph.exq"() : () -> tensor<4xf16>
// CHECK-NEXT:      ^~~~~~~~~
%y = "graph.exq"() : () -> tensor<4xf16>

// -----

// An unknown dialect.
//      CHECK:{{.*}}mlir-text.mlir:39:8: error: unknown operation 'grahp.relu'; did you mean the dialect 'graph'?
// CHECK-NEXT:  %y = grahp.relu %x : (tensor<4xf16>) -> tensor<4xf16>
// CHECK-NEXT:       ^~~~~~~~~~
func.func @f(%x: tensor<4xf16>) -> tensor<4xf16> {
  %y = grahp.relu %x : (tensor<4xf16>) -> tensor<4xf16>
  func.return %y : tensor<4xf16>
}

// -----

// A word that is no operation.
//      CHECK:{{.*}}mlir-text.mlir:49:1: error: unknown operation 'hello'
// CHECK-NEXT:hello world
// CHECK-NEXT:^~~~~
hello world

// -----

// A type is cut off.
//      CHECK:{{.*}}mlir-text.mlir:57:30: error: Expected '>' after builtin parameter list
// CHECK-NEXT:func.func @f(%x: tensor<4xf16) {
// CHECK-NEXT:                             ^
func.func @f(%x: tensor<4xf16) {
  func.return
}

// -----

// A region is not closed.
//      CHECK:{{.*}}mlir-text.mlir:68:14: error: the text ends too early: in block definition
// CHECK-NEXT:  func.return
// CHECK-NEXT:             ^
func.func @f(%x: tensor<4xf16>) {
  func.return

// -----

// A value is defined twice.
//      CHECK:{{.*}}mlir-text.mlir:78:3: error: SSA value %y is already defined
// CHECK-NEXT:  %y = graph.relu %x : (tensor<4xf16>) -> tensor<4xf16>
// CHECK-NEXT:  ^~
func.func @f(%x: tensor<4xf16>) {
  %y = graph.relu %x : (tensor<4xf16>) -> tensor<4xf16>
  %y = graph.relu %x : (tensor<4xf16>) -> tensor<4xf16>
  func.return
}

// -----

// A value is used outside of the region that defines it: this use is reported, not those inside.
//      CHECK:{{.*}}mlir-text.mlir:93:19: error: value '%y' is used but not defined here
// CHECK-NEXT:  %u = graph.relu %y : (tensor<4xf16>) -> tensor<4xf16>
// CHECK-NEXT:                  ^~
func.func @f(%x: tensor<4xf16>) {
  "test.op"() ({
    %y = graph.relu %x : (tensor<4xf16>) -> tensor<4xf16>
    %z = graph.relu %y : (tensor<4xf16>) -> tensor<4xf16>
  }) : () -> ()
  %u = graph.relu %y : (tensor<4xf16>) -> tensor<4xf16>
  func.return
}

// -----

// A dimension of more than 64 bits.
//      CHECK:{{.*}}mlir-text.mlir:103:27: error: this integer does not fit 64 bits
// CHECK-NEXT:func.func @f(%x: tensor<4x99999999999999999999xf16>) {
// CHECK-NEXT:                          ^~~~~~~~~~~~~~~~~~~~
func.func @f(%x: tensor<4x99999999999999999999xf16>) {
  func.return
}

// -----

// An attribute of more than 64 bits.
//      CHECK:{{.*}}mlir-text.mlir:114:33: error: this integer does not fit 64 bits
// CHECK-NEXT:  %y = graph.softmax %x {axis = -9223372036854775809 : i64} : (tensor<4xf16>) -> tensor<4xf16>
// CHECK-NEXT:                                ^~~~~~~~~~~~~~~~~~~~
func.func @f(%x: tensor<4xf16>) {
  %y = graph.softmax %x {axis = -9223372036854775809 : i64} : (tensor<4xf16>) -> tensor<4xf16>
  func.return
}

// -----

// A list with an integer of more than 64 bits.
//      CHECK:{{.*}}mlir-text.mlir:125:44: error: this integer does not fit 64 bits
// CHECK-NEXT:  %y = graph.slice %x {starts = array<i64: 99999999999999999999>} : (tensor<4xf16>) -> tensor<4xf16>
// CHECK-NEXT:                                           ^~~~~~~~~~~~~~~~~~~~
func.func @f(%x: tensor<4xf16>) {
  %y = graph.slice %x {starts = array<i64: 99999999999999999999>} : (tensor<4xf16>) -> tensor<4xf16>
  func.return
}
