// RUN: ascend-opt %s -p graph-canonicalize | filecheck %s
// RUN: ascend-opt %s -p graph-canonicalize,graph-canonicalize | filecheck %s

// Operations that do nothing disappear: dropout at inference, a cast to the same type, times one, plus zero.
// CHECK-LABEL: func.func @identities(%x: tensor<8x8xf16>)
// CHECK-NEXT:    [[Y:%.*]] = graph.relu %x
// CHECK-NEXT:    func.return [[Y]]
graph @identities(%x: tensor<8x8xf16>) {
  %one = constant() {value = 1.0} : tensor<f16>
  %a = dropout(%x) {ratio = 0.5}
  %b = mul(%a, %one)
  %c = cast(%b) {to = f16}
  %y = relu(%c)
  return %y
}

// What the result needs stays as it was written.
// CHECK-LABEL: func.func @kept(%x: tensor<8x8xf16>)
// CHECK:         graph.constant
// CHECK:         graph.mul %x
// CHECK:         graph.tanh
graph @kept(%x: tensor<8x8xf16>) {
  %two = constant() {value = 2.0} : tensor<f16>
  %a = mul(%x, %two)
  %y = tanh(%a)
  return %y
}

// -----

// What has no elements is a constant, and adds nothing to what is joined.
// CHECK-LABEL: func.func @no_elements(
// CHECK-NEXT:    [[NONE:%.+]] = graph.constant dense<> : tensor<0x8xf16>
// CHECK-NEXT:    [[SUM:%.+]] = graph.constant dense<0.000000e+00> : tensor<8xf16>
// CHECK-NEXT:    [[JOINED:%.+]] = graph.concat %y, %y {axis = 0 : i64}
// CHECK-NEXT:    func.return [[NONE]], [[SUM]], [[JOINED]]
graph @no_elements(%x: tensor<0x8xf16>, %y: tensor<4x8xf16>) {
  %a = relu(%x)
  %b = reduce_sum(%x) {axes = [0]}
  %c = concat(%y, %a, %y) {axis = 0}
  return %a, %b, %c
}

// -----

// A convolution of lines is one of images of one row, with what follows next to it.
// CHECK-LABEL: func.func @lines(
// CHECK-NEXT:    [[X:%.+]] = graph.reshape %x {shape = array<i64: 2, 16, 1, 30>}
// CHECK-NEXT:    [[W:%.+]] = graph.reshape %w {shape = array<i64: 32, 16, 1, 3>}
// CHECK-NEXT:    [[C:%.+]] = graph.conv2d [[X]], [[W]] {pads = array<i64: 0, 1, 0, 1>}
// CHECK-NEXT:    [[B:%.+]] = graph.bias_add [[C]], %b
// CHECK-NEXT:    [[R:%.+]] = graph.relu [[B]]
// CHECK-NEXT:    [[P:%.+]] = graph.max_pool2d [[R]] {kernel = array<i64: 1, 2>, strides = array<i64: 1, 2>}
// CHECK-NEXT:    [[Y:%.+]] = graph.reshape [[P]] {shape = array<i64: 2, 32, 15>}
// CHECK-NEXT:    func.return [[Y]]
graph @lines(%x: tensor<2x16x30xf16>, %w: tensor<32x16x3xf16> {weight}, %b: tensor<32xf16> {weight}) {
  %c = conv1d(%x, %w, %b) {pads = [1, 1]}
  %r = relu(%c)
  %y = max_pool1d(%r) {kernel = [2], strides = [2]}
  return %y
}

// -----

// A mask by way of numbers: one cast, of a view of the argument. What is cast to numbers that are read stays.
// CHECK-LABEL: func.func @mask_casts(
// CHECK-NEXT:    [[T:%.+]] = graph.transpose %n
// CHECK-NEXT:    [[M:%.+]] = graph.reshape %m {shape = array<i64: 1, 1, 8>}
// CHECK-NEXT:    [[B:%.+]] = graph.cast [[M]] {to = i1}
// CHECK-NEXT:    [[S:%.+]] = graph.select [[B]], %x, %y
// CHECK-NEXT:    [[F:%.+]] = graph.cast %b {to = f32}
// CHECK-NEXT:    [[H:%.+]] = graph.cast %x {to = i32}
// CHECK-NEXT:    [[I:%.+]] = graph.cast [[H]] {to = i1}
// CHECK-NEXT:    func.return [[T]], [[S]], [[F]], [[I]]
graph @mask_casts(%m: tensor<1x8xi32>, %n: tensor<2x8xi1>, %x: tensor<1x1x8xf16>, %y: tensor<1x1x8xf16>, %b: tensor<8xi1>) {
  %0 = cast(%n) {to = f32}
  %1 = transpose(%0) {perm = [1, 0]}
  %t = cast(%1) {to = i1}
  %2 = cast(%m) {to = i1}
  %3 = cast(%2) {to = f16}
  %4 = reshape(%3) {shape = [1, 1, 8]}
  %5 = cast(%4) {to = i1}
  %s = select(%5, %x, %y)
  %6 = cast(%b) {to = f16}
  %f = cast(%6) {to = f32}
  %7 = cast(%x) {to = i32}
  %i = cast(%7) {to = i1}
  return %t, %s, %f, %i
}

// -----

// Slices that each lie in one part of a concatenation are of these parts, and nobody needs the concatenation: the last
// step of a recurrent layer. Where a slice takes elements of two parts, all stay.
// CHECK-LABEL: func.func @last_step(
// CHECK-NEXT:    [[S:%.+]] = graph.slice %b {starts = array<i64: 1, 0>, ends = array<i64: 4, 8>, axes = array<i64: 0, 1>, steps = array<i64: 2, 1>}
// CHECK-NEXT:    func.return %c, [[S]]
graph @last_step(%a: tensor<2x8xf16>, %b: tensor<4x8xf16>, %c: tensor<2x8xf16>) {
  %y = concat(%a, %b, %c) {axis = 0}
  %last = slice(%y) {starts = [-2], ends = [8], axes = [0]}
  %some = slice(%y) {starts = [3], ends = [6], axes = [0], steps = [2]}
  return %last, %some
}

// CHECK-LABEL: func.func @of_two_parts(
// CHECK-NEXT:    graph.concat
// CHECK-NEXT:    graph.slice
// CHECK-NEXT:    graph.slice
graph @of_two_parts(%a: tensor<2x8xf16>, %b: tensor<4x8xf16>) {
  %y = concat(%a, %b) {axis = 0}
  %last = slice(%y) {starts = [5], ends = [6], axes = [0]}
  %both = slice(%y) {starts = [1], ends = [3], axes = [0]}
  return %last, %both
}

// CHECK-LABEL: func.func @read_whole(
// CHECK-NEXT:    graph.concat
// CHECK-NEXT:    graph.slice
// CHECK-NEXT:    graph.relu
graph @read_whole(%a: tensor<2x8xf16>, %b: tensor<4x8xf16>) {
  %y = concat(%a, %b) {axis = 0}
  %last = slice(%y) {starts = [5], ends = [6], axes = [0]}
  %all = relu(%y)
  return %last, %all
}

// A vector has no channels: its axis is the one that the reshape leaves.
// CHECK-LABEL: func.func @vector
// CHECK: graph.reshape {{.*}} : (tensor<2x1xf16>) -> tensor<2xf16>
// CHECK-NEXT: graph.softmax {{.*}}axis = 0 : i64{{.*}} : (tensor<2xf16>) -> tensor<2xf16>
graph @vector(%x: tensor<2x1xf16>) {
  %0 = cumsum(%x) {axis = 0}
  %1 = reshape(%0) {shape = [2]}
  %2 = softmax(%1) {axis = 0}
  return %2
}

// -----

// All parts of a tensor, joined in their order, are the tensor: those of a split, and slices. In another order, or not
// all of them, they are not.
//      CHECK:  func.func @joined_again(
// CHECK-NEXT:    %a, %b = graph.split %x {axis = 1 : i64, sizes = array<i64: 2, 4>}
// CHECK-NEXT:    %z = graph.concat %b, %a {axis = 1 : i64}
// CHECK-NEXT:    %s0 = graph.slice %x
// CHECK-NEXT:    %s1 = graph.slice %x
// CHECK-NEXT:    %v = graph.concat %s1, %s1 {axis = 0 : i64}
// CHECK-NEXT:    [[ACROSS:%.+]] = graph.concat %a, %a {axis = 0 : i64}
// CHECK-NEXT:    [[TURNED:%.+]] = graph.concat %s1, %s0 {axis = 0 : i64}
// CHECK-NEXT:    func.return %x, %x, %z, %v, [[ACROSS]], [[TURNED]]
graph @joined_again(%x: tensor<3x6xf16>) {
  %a, %b = split(%x) {axis = 1, sizes = [2, 4]}
  %y = concat(%a, %b) {axis = -1}
  %z = concat(%b, %a) {axis = 1}
  %s0 = slice(%x) {starts = [0], ends = [1], axes = [0]}
  %s1 = slice(%x) {starts = [1], ends = [3], axes = [0]}
  %u = concat(%s0, %s1) {axis = 0}
  %v = concat(%s1, %s1) {axis = 0}
  %w = concat(%a, %a) {axis = 0}
  %t = concat(%s1, %s0) {axis = 0}
  return %y, %u, %z, %v, %w, %t
}

// -----

// A bias of zeros is none, nor is that of a convolution; one of other numbers stays.
//      CHECK:  func.func @no_bias(
// CHECK-NEXT:    [[ONES:%.+]] = graph.constant dense<1.000000e+00>
// CHECK-NEXT:    [[Y:%.+]] = graph.conv2d %x, %w :
// CHECK-NEXT:    [[Z:%.+]] = graph.bias_add [[Y]], [[ONES]]
// CHECK-NEXT:    func.return [[Y]], [[Z]]
graph @no_bias(%x: tensor<1x3x8x8xf16>, %w: tensor<4x3x1x1xf16>) {
  %zeros = constant() {value = [0.0, 0.0, 0.0, 0.0]} : tensor<4xf16>
  %ones = constant() {value = [1.0, 1.0, 1.0, 1.0]} : tensor<4xf16>
  %0 = conv2d(%x, %w, %zeros)
  %y = bias_add(%0, %zeros)
  %z = bias_add(%y, %ones)
  return %y, %z
}
