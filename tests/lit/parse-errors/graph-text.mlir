// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines --strict-whitespace
// What does not fit the grammar of graph text: where, what was expected, and what was found.

// A name of a graph is missing.
//      CHECK:{{.*}}graph-text.mlir:8:7: error: expected a graph name such as @main, found '('
// CHECK-NEXT:graph (%x: tensor<4xf16>) { return %x }
// CHECK-NEXT:      ^
graph (%x: tensor<4xf16>) { return %x }

// -----

// The name of a graph starts with '@'.
//      CHECK:{{.*}}graph-text.mlir:16:7: error: expected a graph name such as @main, found 'f'
// CHECK-NEXT:graph f(%x: tensor<4xf16>) { return %x }
// CHECK-NEXT:      ^
graph f(%x: tensor<4xf16>) { return %x }

// -----

// A slip of the keyword is recognised.
//      CHECK:{{.*}}graph-text.mlir:24:1: error: expected 'graph', found 'grpah'; did you mean 'graph'?
// CHECK-NEXT:grpah @f(%x: tensor<4xf16>) { return %x }
// CHECK-NEXT:^~~~~
grpah @f(%x: tensor<4xf16>) { return %x }

// -----

// A colon is missing before a type.
//      CHECK:{{.*}}graph-text.mlir:32:13: error: expected ':', found 'tensor'
// CHECK-NEXT:graph @f(%x tensor<4xf16>) { return %x }
// CHECK-NEXT:            ^~~~~~
graph @f(%x tensor<4xf16>) { return %x }

// -----

// A comma is missing between arguments.
//      CHECK:{{.*}}graph-text.mlir:40:28: error: expected ',', '{' or ')', found '%y'
// CHECK-NEXT:graph @f(%x: tensor<4xf16> %y: tensor<4xf16>) { return %x }
// CHECK-NEXT:                           ^~
graph @f(%x: tensor<4xf16> %y: tensor<4xf16>) { return %x }

// -----

// A tensor type has no element type.
//      CHECK:{{.*}}graph-text.mlir:48:23: error: expected an element type such as f16, found '4'
// CHECK-NEXT:graph @f(%x: tensor<4x4>) { return %x }
// CHECK-NEXT:                      ^
graph @f(%x: tensor<4x4>) { return %x }

// -----

// A shape is written with blanks.
//      CHECK:{{.*}}graph-text.mlir:56:21: error: expected a shape and an element type such as 16x32xf16, found '4'
// CHECK-NEXT:graph @f(%x: tensor<4 x 4 x f16>) { return %x }
// CHECK-NEXT:                    ^
graph @f(%x: tensor<4 x 4 x f16>) { return %x }

// -----

// An angle bracket is not closed.
//      CHECK:{{.*}}graph-text.mlir:64:26: error: expected '>', found ')'
// CHECK-NEXT:graph @f(%x: tensor<4xf16) { return %x }
// CHECK-NEXT:                         ^
graph @f(%x: tensor<4xf16) { return %x }

// -----

// An operation names no result.
//      CHECK:{{.*}}graph-text.mlir:73:3: error: expected '}', 'return' or a value name such as %x, found 'relu'; an operation is written %y = relu(...)
// CHECK-NEXT:  relu(%x)
// CHECK-NEXT:  ^~~~
graph @f(%x: tensor<4xf16>) {
  relu(%x)
  return %x
}

// -----

// An equals sign is missing.
//      CHECK:{{.*}}graph-text.mlir:84:6: error: expected ',' or '=', found 'relu'
// CHECK-NEXT:  %y relu(%x)
// CHECK-NEXT:     ^~~~
graph @f(%x: tensor<4xf16>) {
  %y relu(%x)
  return %y
}

// -----

// A parenthesis is not closed.
//      CHECK:{{.*}}graph-text.mlir:96:3: error: expected ')', found 'return'
// CHECK-NEXT:  return %y
// CHECK-NEXT:  ^~~~~~
graph @f(%x: tensor<4xf16>) {
  %y = relu(%x
  return %y
}

// -----

// A keyword is misspelt at the end.
//      CHECK:{{.*}}graph-text.mlir:107:3: error: expected ':', '{', '}', 'return' or a value name such as %x, found 'retrun'; did you mean 'return'?
// CHECK-NEXT:  retrun %y
// CHECK-NEXT:  ^~~~~~
graph @f(%x: tensor<4xf16>) {
  %y = relu(%x)
  retrun %y
}

// -----

// An attribute has no value behind its equals sign.
//      CHECK:{{.*}}graph-text.mlir:117:32: error: expected '[', a name, a number or a string, found '}'
// CHECK-NEXT:  %y = leaky_relu(%x) {alpha = }
// CHECK-NEXT:                               ^
graph @f(%x: tensor<4xf16>) {
  %y = leaky_relu(%x) {alpha = }
  return %y
}

// -----

// A colon stands for the equals sign of an attribute.
//      CHECK:{{.*}}graph-text.mlir:128:30: error: expected ',', '=' or '}', found ':'
// CHECK-NEXT:  %y = leaky_relu(%x) {alpha : 0.1}
// CHECK-NEXT:                             ^
graph @f(%x: tensor<4xf16>) {
  %y = leaky_relu(%x) {alpha : 0.1}
  return %y
}

// -----

// A list is not closed.
//      CHECK:{{.*}}graph-text.mlir:139:42: error: expected ',' or ']', found '}'
// CHECK-NEXT:  %y = conv2d(%x, %w) {pads = [1, 1, 1, 1}
// CHECK-NEXT:                                         ^
graph @f(%x: tensor<1x1x4x4xf16>, %w: tensor<1x1x3x3xf16>) {
  %y = conv2d(%x, %w) {pads = [1, 1, 1, 1}
  return %y
}

// -----

// A string is not closed.
//      CHECK:{{.*}}graph-text.mlir:150:27: error: this string is not closed on its line
// CHECK-NEXT:  %y = constant() {file = "weights.npy}
// CHECK-NEXT:                          ^~~~~~~~~~~~~
graph @f() {
  %y = constant() {file = "weights.npy}
  return %y
}

// -----

// A comment in another language's style.
//      CHECK:{{.*}}graph-text.mlir:160:1: error: expected 'graph', found '#'; comments start with '//'
// CHECK-NEXT:# a graph
// CHECK-NEXT:^
# a graph
graph @f(%x: tensor<4xf16>) { return %x }

// -----

// A character that the language does not have.
//      CHECK:{{.*}}graph-text.mlir:170:16: error: expected ':', '{', '}', 'return' or a value name such as %x, found ';'; comments start with '//'
// CHECK-NEXT:  %y = relu(%x);
// CHECK-NEXT:               ^
graph @f(%x: tensor<4xf16>) {
  %y = relu(%x);
  return %y
}

// -----

// The file ends within a graph.
//      CHECK:{{.*}}graph-text.mlir:181:16: error: expected ':', '{', '}', 'return' or a value name such as %x, found the end of the file
// CHECK-NEXT:  %y = relu(%x)
// CHECK-NEXT:               ^
graph @f(%x: tensor<4xf16>) {
  %y = relu(%x)

// -----

// Nothing is returned.
//      CHECK:{{.*}}graph-text.mlir:191:1: error: expected a value name such as %x, found '}'
// CHECK-NEXT:}
// CHECK-NEXT:^
graph @f(%x: tensor<4xf16>) {
  return
}

// -----

// Lists are nested without end.
//      CHECK:{{.*}}graph-text.mlir:200:29: error: lists are nested deeper than 32 levels
// CHECK-NEXT:  %y = constant() {value = {{\[\[}}{{\[\[}}{{\[\[}}{{\[\[}}{{\[\[}}{{\[\[}}{{\[\[}}{{\[\[}}{{\[\[}}{{\[\[}}{{\[\[}}{{\[\[}}{{\[\[}}{{\[\[}}{{\[\[}}{{\[\[}}{{\[\[}}1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]} : tensor<1xf16>
// CHECK-NEXT:                            ^
graph @f() {
  %y = constant() {value = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]} : tensor<1xf16>
  return %y
}
