// RUN: ascend-opt %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s --match-full-lines --strict-whitespace
// Graph text that is well formed and wrong: each message points at the word that is to be changed.

// An unknown operation, close to a known one.
//      CHECK:{{.*}}graph-text.mlir:9:8: error: unknown operation 'leaky_rleu'; did you mean 'leaky_relu'?
// CHECK-NEXT:  %y = leaky_rleu(%x)
// CHECK-NEXT:       ^~~~~~~~~~
graph @f(%x: tensor<4xf16>) {
  %y = leaky_rleu(%x)
  return %y
}

// -----

// An unknown value, close to a known one.
//      CHECK:{{.*}}graph-text.mlir:20:13: error: unknown value '%inptu'; did you mean '%input'?
// CHECK-NEXT:  %y = relu(%inptu)
// CHECK-NEXT:            ^~~~~~
graph @f(%input: tensor<4xf16>) {
  %y = relu(%inptu)
  return %y
}

// -----

// An unknown element type, spelt as in another language.
//      CHECK:{{.*}}graph-text.mlir:30:23: error: unknown element type 'float16'; did you mean 'f16'?
// CHECK-NEXT:graph @f(%x: tensor<4xfloat16>) { return %x }
// CHECK-NEXT:                      ^~~~~~~
graph @f(%x: tensor<4xfloat16>) { return %x }

// -----

// An unknown element type, close to a known one.
//      CHECK:{{.*}}graph-text.mlir:38:23: error: unknown element type 'f61'; did you mean 'f64'?
// CHECK-NEXT:graph @f(%x: tensor<4xf61>) { return %x }
// CHECK-NEXT:                      ^~~
graph @f(%x: tensor<4xf61>) { return %x }

// -----

// An unknown attribute, close to a known one.
//      CHECK:{{.*}}graph-text.mlir:47:24: error: 'leaky_relu' has no attribute 'alhpa'; did you mean 'alpha'?
// CHECK-NEXT:  %y = leaky_relu(%x) {alhpa = 0.1}
// CHECK-NEXT:                       ^~~~~
graph @f(%x: tensor<4xf16>) {
  %y = leaky_relu(%x) {alhpa = 0.1}
  return %y
}

// -----

// An attribute that the operation does not take.
//      CHECK:{{.*}}graph-text.mlir:58:18: error: 'relu' has no attribute 'alpha'; it takes none
// CHECK-NEXT:  %y = relu(%x) {alpha = 0.1}
// CHECK-NEXT:                 ^~~~~
graph @f(%x: tensor<4xf16>) {
  %y = relu(%x) {alpha = 0.1}
  return %y
}

// -----

// An attribute of the wrong kind.
//      CHECK:{{.*}}graph-text.mlir:69:32: error: attribute 'alpha' must be a number, found [0.1]
// CHECK-NEXT:  %y = leaky_relu(%x) {alpha = [0.1]}
// CHECK-NEXT:                               ^~~~~
graph @f(%x: tensor<4xf16>) {
  %y = leaky_relu(%x) {alpha = [0.1]}
  return %y
}

// -----

// A list with an element of the wrong kind.
//      CHECK:{{.*}}graph-text.mlir:80:38: error: expected an integer in this list, found 0.5
// CHECK-NEXT:  %y = conv2d(%x, %w) {pads = [1, 1, 0.5, 1]}
// CHECK-NEXT:                                     ^~~
graph @f(%x: tensor<1x1x4x4xf16>, %w: tensor<1x1x3x3xf16>) {
  %y = conv2d(%x, %w) {pads = [1, 1, 0.5, 1]}
  return %y
}

// -----

// A word that is none of the attribute's cases.
//      CHECK:{{.*}}graph-text.mlir:91:32: error: attribute 'approximate' must be none or tanh, found tahn; did you mean 'tanh'?
// CHECK-NEXT:  %y = gelu(%x) {approximate = tahn}
// CHECK-NEXT:                               ^~~~
graph @f(%x: tensor<4xf16>) {
  %y = gelu(%x) {approximate = tahn}
  return %y
}

// -----

// An attribute given twice.
//      CHECK:{{.*}}graph-text.mlir:102:37: error: attribute 'alpha' is given twice
// CHECK-NEXT:  %y = leaky_relu(%x) {alpha = 0.1, alpha = 0.2}
// CHECK-NEXT:                                    ^~~~~
graph @f(%x: tensor<4xf16>) {
  %y = leaky_relu(%x) {alpha = 0.1, alpha = 0.2}
  return %y
}

// -----

// A missing attribute.
//      CHECK:{{.*}}graph-text.mlir:113:8: error: 'cast' needs attribute 'to': an element type such as f16
// CHECK-NEXT:  %y = cast(%x)
// CHECK-NEXT:       ^~~~
graph @f(%x: tensor<4xf16>) {
  %y = cast(%x)
  return %y
}

// -----

// Too few operands.
//      CHECK:{{.*}}graph-text.mlir:124:8: error: 'add' takes 2 operands (a, b), found 1
// CHECK-NEXT:  %y = add(%x)
// CHECK-NEXT:       ^~~
graph @f(%x: tensor<4xf16>) {
  %y = add(%x)
  return %y
}

// -----

// Too many operands.
//      CHECK:{{.*}}graph-text.mlir:135:8: error: 'relu' takes 1 operand (x), found 2
// CHECK-NEXT:  %y = relu(%x, %x)
// CHECK-NEXT:       ^~~~
graph @f(%x: tensor<4xf16>) {
  %y = relu(%x, %x)
  return %y
}

// -----

// Shapes that do not broadcast; both are named.
//      CHECK:{{.*}}graph-text.mlir:146:8: error: add: shapes 4x8 and 4 do not broadcast
// CHECK-NEXT:  %y = add(%a, %b)
// CHECK-NEXT:       ^~~
graph @f(%a: tensor<4x8xf16>, %b: tensor<4xf16>) {
  %y = add(%a, %b)
  return %y
}

// -----

// Matrices whose inner sizes differ; both shapes are named.
//      CHECK:{{.*}}graph-text.mlir:157:8: error: matmul: a 512x1024 and b 512x4096 differ in K: 1024 and 512
// CHECK-NEXT:  %y = matmul(%a, %b)
// CHECK-NEXT:       ^~~~~~
graph @f(%a: tensor<512x1024xf16>, %b: tensor<512x4096xf16>) {
  %y = matmul(%a, %b)
  return %y
}

// -----

// A convolution whose channels differ; both shapes are named.
//      CHECK:{{.*}}graph-text.mlir:168:8: error: conv2d: x 1x3x8x8 and w 4x4x3x3 differ in channels: 3 and 4
// CHECK-NEXT:  %y = conv2d(%x, %w)
// CHECK-NEXT:       ^~~~~~
graph @f(%x: tensor<1x3x8x8xf16>, %w: tensor<4x4x3x3xf16>) {
  %y = conv2d(%x, %w)
  return %y
}

// -----

// Operands of different element types.
//      CHECK:{{.*}}graph-text.mlir:179:8: error: add: operands must have one element type, got f16, f32
// CHECK-NEXT:  %y = add(%a, %b)
// CHECK-NEXT:       ^~~
graph @f(%a: tensor<4xf16>, %b: tensor<4xf32>) {
  %y = add(%a, %b)
  return %y
}

// -----

// An attribute out of range: the caret is under the attribute.
//      CHECK:{{.*}}graph-text.mlir:190:42: error: conv2d: pads needs 4 values of 0 or more, got [1, 1]
// CHECK-NEXT:  %y = conv2d(%x, %w) {strides = [2, 2], pads = [1, 1]}
// CHECK-NEXT:                                         ^~~~
graph @f(%x: tensor<1x1x4x4xf16>, %w: tensor<1x1x3x3xf16>) {
  %y = conv2d(%x, %w) {strides = [2, 2], pads = [1, 1]}
  return %y
}

// -----

// A stated type that differs from the inferred one.
//      CHECK:{{.*}}graph-text.mlir:201:19: error: '%y' is stated as tensor<8xf16>, but it is tensor<4xf16>
// CHECK-NEXT:  %y = relu(%x) : tensor<8xf16>
// CHECK-NEXT:                  ^~~~~~~~~~~~~
graph @f(%x: tensor<4xf16>) {
  %y = relu(%x) : tensor<8xf16>
  return %y
}

// -----

// A value defined twice.
//      CHECK:{{.*}}graph-text.mlir:213:3: error: redefinition of value '%y', first defined on line 212
// CHECK-NEXT:  %y = neg(%y)
// CHECK-NEXT:  ^~
graph @f(%x: tensor<4xf16>) {
  %y = relu(%x)
  %y = neg(%y)
  return %y
}

// -----

// Two arguments of one name.
//      CHECK:{{.*}}graph-text.mlir:223:29: error: redefinition of value '%x', first defined on line 223
// CHECK-NEXT:graph @f(%x: tensor<4xf16>, %x: tensor<4xf16>) { return %x }
// CHECK-NEXT:                            ^~
graph @f(%x: tensor<4xf16>, %x: tensor<4xf16>) { return %x }

// -----

// Two graphs of one name.
//      CHECK:{{.*}}graph-text.mlir:232:7: error: redefinition of graph '@f', first defined on line 231
// CHECK-NEXT:graph @f(%x: tensor<4xf16>) { return %x }
// CHECK-NEXT:      ^~
graph @f(%x: tensor<4xf16>) { return %x }
graph @f(%x: tensor<4xf16>) { return %x }

// -----

// More results than the operation has.
//      CHECK:{{.*}}graph-text.mlir:241:3: error: 'relu' has 1 result, found 2 names
// CHECK-NEXT:  %y, %z = relu(%x)
// CHECK-NEXT:  ^~
graph @f(%x: tensor<4xf16>) {
  %y, %z = relu(%x)
  return %y, %z
}

// -----

// More stated types than results.
//      CHECK:{{.*}}graph-text.mlir:252:19: error: 'relu' has 1 result, found 2 types
// CHECK-NEXT:  %y = relu(%x) : tensor<4xf16>, tensor<4xf16>
// CHECK-NEXT:                  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
graph @f(%x: tensor<4xf16>) {
  %y = relu(%x) : tensor<4xf16>, tensor<4xf16>
  return %y
}

// -----

// A graph that returns another number of values than it states.
//      CHECK:{{.*}}graph-text.mlir:263:3: error: graph '@f' states 2 results, found 1 value
// CHECK-NEXT:  return %x
// CHECK-NEXT:  ^~~~~~
graph @f(%x: tensor<4xf16>) -> (tensor<4xf16>, tensor<4xf16>) {
  return %x
}

// -----

// A graph that returns another type than it states.
//      CHECK:{{.*}}graph-text.mlir:272:32: error: '%x' is stated as tensor<4xf32>, but it is tensor<4xf16>
// CHECK-NEXT:graph @f(%x: tensor<4xf16>) -> tensor<4xf32> {
// CHECK-NEXT:                               ^~~~~~~~~~~~~
graph @f(%x: tensor<4xf16>) -> tensor<4xf32> {
  return %x
}

// -----

// A graph without a return.
//      CHECK:{{.*}}graph-text.mlir:284:1: error: graph '@f' returns nothing: expected 'return %value'
// CHECK-NEXT:}
// CHECK-NEXT:^
graph @f(%x: tensor<4xf16>) {
  %y = relu(%x)
}

// -----

// An operation after the return.
//      CHECK:{{.*}}graph-text.mlir:294:3: error: nothing may follow the return of graph '@f'
// CHECK-NEXT:  %y = relu(%x)
// CHECK-NEXT:  ^~
graph @f(%x: tensor<4xf16>) {
  return %x
  %y = relu(%x)
}

// -----

// A dimension that is negative.
//      CHECK:{{.*}}graph-text.mlir:303:23: error: expected an element type such as f16, found '-1'
// CHECK-NEXT:graph @f(%x: tensor<4x-1xf16>) { return %x }
// CHECK-NEXT:                      ^~
graph @f(%x: tensor<4x-1xf16>) { return %x }

// -----

// A dimension past counting.
//      CHECK:{{.*}}graph-text.mlir:311:23: error: dimension is too large
// CHECK-NEXT:graph @f(%x: tensor<4x1000000000000000000xf16>) { return %x }
// CHECK-NEXT:                      ^~~~~~~~~~~~~~~~~~~
graph @f(%x: tensor<4x1000000000000000000xf16>) { return %x }

// -----

// An unknown mark of an argument.
//      CHECK:{{.*}}graph-text.mlir:319:29: error: unknown argument mark 'wieght'; did you mean 'weight'?
// CHECK-NEXT:graph @f(%x: tensor<4xf16> {wieght}) { return %x }
// CHECK-NEXT:                            ^~~~~~
graph @f(%x: tensor<4xf16> {wieght}) { return %x }

// -----

// An inline constant without a type.
//      CHECK:{{.*}}graph-text.mlir:328:20: error: an inline constant needs its type: ... : tensor<16x32xf16>
// CHECK-NEXT:  %c = constant() {value = [1.0, 2.0]}
// CHECK-NEXT:                   ^~~~~
graph @f() {
  %c = constant() {value = [1.0, 2.0]}
  return %c
}

// -----

// A list of the wrong length.
//      CHECK:{{.*}}graph-text.mlir:339:41: error: this list has 1 element, tensor<2x2xf16> needs 2
// CHECK-NEXT:  %c = constant() {value = {{\[\[}}1.0, 2.0], [3.0]]} : tensor<2x2xf16>
// CHECK-NEXT:                                        ^~~~~
graph @f() {
  %c = constant() {value = [[1.0, 2.0], [3.0]]} : tensor<2x2xf16>
  return %c
}

// -----

// A number where a list belongs.
//      CHECK:{{.*}}graph-text.mlir:350:29: error: expected a list of 2 here, for tensor<2x2xf16>
// CHECK-NEXT:  %c = constant() {value = [1.0, 2.0]} : tensor<2x2xf16>
// CHECK-NEXT:                            ^~~
graph @f() {
  %c = constant() {value = [1.0, 2.0]} : tensor<2x2xf16>
  return %c
}

// -----

// A number that the element type cannot hold.
//      CHECK:{{.*}}graph-text.mlir:361:34: error: 1e6 does not fit f16
// CHECK-NEXT:  %c = constant() {value = [1.0, 1e6]} : tensor<2xf16>
// CHECK-NEXT:                                 ^~~
graph @f() {
  %c = constant() {value = [1.0, 1e6]} : tensor<2xf16>
  return %c
}

// -----

// A fraction in a constant of integers.
//      CHECK:{{.*}}graph-text.mlir:372:32: error: 2.5 does not fit i8
// CHECK-NEXT:  %c = constant() {value = [1, 2.5]} : tensor<2xi8>
// CHECK-NEXT:                               ^~~
graph @f() {
  %c = constant() {value = [1, 2.5]} : tensor<2xi8>
  return %c
}

// -----

// A constant in a file that does not exist.
//      CHECK:{{.*}}graph-text.mlir:383:27: error: cannot read '{{.*}}no-such-file.npy': No such file or directory
// CHECK-NEXT:  %c = constant() {file = "no-such-file.npy"} : tensor<2xf16>
// CHECK-NEXT:                          ^~~~~~~~~~~~~~~~~~
graph @f() {
  %c = constant() {file = "no-such-file.npy"} : tensor<2xf16>
  return %c
}

// -----

// An archive without the name of the array in it.
//      CHECK:{{.*}}graph-text.mlir:394:27: error: a .npz file needs 'key', the array in it
// CHECK-NEXT:  %c = constant() {file = "no-such-file.npz"} : tensor<2xf16>
// CHECK-NEXT:                          ^~~~~~~~~~~~~~~~~~
graph @f() {
  %c = constant() {file = "no-such-file.npz"} : tensor<2xf16>
  return %c
}

// -----

// A file of another format.
//      CHECK:{{.*}}graph-text.mlir:405:27: error: expected a .npy, .npz or .safetensors file
// CHECK-NEXT:  %c = constant() {file = "weights.bin"} : tensor<2xf16>
// CHECK-NEXT:                          ^~~~~~~~~~~~~
graph @f() {
  %c = constant() {file = "weights.bin"} : tensor<2xf16>
  return %c
}

// -----

// An element type in quotes.
//      CHECK:{{.*}}graph-text.mlir:416:23: error: attribute 'to' must be an element type such as f16, found "f32"; element types have no quotes
// CHECK-NEXT:  %y = cast(%x) {to = "f32"}
// CHECK-NEXT:                      ^~~~~
graph @f(%x: tensor<4xf16>) {
  %y = cast(%x) {to = "f32"}
  return %y
}

// -----

// A list for an element type.
//      CHECK:{{.*}}graph-text.mlir:427:23: error: attribute 'to' must be an element type such as f16, found [1]
// CHECK-NEXT:  %y = cast(%x) {to = [1]}
// CHECK-NEXT:                      ^~~
graph @f(%x: tensor<4xf16>) {
  %y = cast(%x) {to = [1]}
  return %y
}

// -----

// An integer of more than 64 bits.
//      CHECK:{{.*}}graph-text.mlir:438:28: error: attribute 'axis' does not fit 64 bits
// CHECK-NEXT:  %y = softmax(%x) {axis = 99999999999999999999}
// CHECK-NEXT:                           ^~~~~~~~~~~~~~~~~~~~
graph @f(%x: tensor<4x8xf16>) {
  %y = softmax(%x) {axis = 99999999999999999999}
  return %y
}

// -----

// A negative one.
//      CHECK:{{.*}}graph-text.mlir:449:28: error: attribute 'axis' does not fit 64 bits
// CHECK-NEXT:  %y = softmax(%x) {axis = -9223372036854775809}
// CHECK-NEXT:                           ^~~~~~~~~~~~~~~~~~~~
graph @f(%x: tensor<4x8xf16>) {
  %y = softmax(%x) {axis = -9223372036854775809}
  return %y
}

// -----

// A list with an integer of more than 64 bits.
//      CHECK:{{.*}}graph-text.mlir:460:33: error: this integer does not fit 64 bits
// CHECK-NEXT:  %y = reshape(%x) {shape = [4, 99999999999999999999]}
// CHECK-NEXT:                                ^~~~~~~~~~~~~~~~~~~~
graph @f(%x: tensor<4x8xf16>) {
  %y = reshape(%x) {shape = [4, 99999999999999999999]}
  return %y
}
