// RUN: ascend-opt %s -p graph-sink-reshapes -t graph-text | filecheck %s

// A cast of a result stands next to what gives it.
// CHECK-LABEL: graph @classifier
// CHECK-NEXT: [[M:%[a-z0-9]+]] = reduce_mean(%x)
// CHECK-NEXT: [[C:%[a-z0-9]+]] = cast([[M]]) {to = f32}
// CHECK-NEXT: [[Y:%[a-z0-9]+]] = reshape([[C]]) {shape = [1, 1000]}
// CHECK-NEXT: return [[Y]]
graph @classifier(%x: tensor<1x1000x13x13xf16>) {
  %m = reduce_mean(%x) {axes = [2, 3], keep_dims = true}
  %r = reshape(%m) {shape = [1, 1000]}
  %y = cast(%r) {to = f32}
  return %y
}

// So do several ops, past several reshapes.
// CHECK-LABEL: graph @several
// CHECK: [[E:%[a-z0-9]+]] = exp(%x)
// CHECK-NEXT: [[S:%[a-z0-9]+]] = sigmoid([[E]])
// CHECK-NEXT: [[C:%[a-z0-9]+]] = cast([[S]]) {to = f32}
// CHECK: reshape
// CHECK-NOT: sigmoid
// CHECK: return
graph @several(%x: tensor<4x6xf16>) {
  %e = exp(%x)
  %a = reshape(%e) {shape = [24]}
  %s = sigmoid(%a)
  %b = reshape(%s) {shape = [2, 12]}
  %y = cast(%b) {to = f32}
  return %y
}

// Not where something else reads what is reshaped, or the reshape.
// CHECK-LABEL: graph @read_twice
// CHECK: reshape
// CHECK-NEXT: cast
graph @read_twice(%x: tensor<4x6xf16>) {
  %e = exp(%x)
  %a = reshape(%e) {shape = [24]}
  %y = cast(%a) {to = f32}
  return %e, %y
}

// CHECK-LABEL: graph @shape_read_twice
// CHECK: reshape
// CHECK-NEXT: cast
graph @shape_read_twice(%x: tensor<4x6xf16>) {
  %e = exp(%x)
  %a = reshape(%e) {shape = [24]}
  %y = cast(%a) {to = f32}
  return %a, %y
}

// Nor where an op follows that needs the shape: the sigmoid may be in its kernel.
// CHECK-LABEL: graph @softmax_follows
// CHECK: reshape
// CHECK-NEXT: sigmoid
graph @softmax_follows(%x: tensor<4x6xf16>) {
  %e = exp(%x)
  %a = reshape(%e) {shape = [24]}
  %s = sigmoid(%a)
  %y = softmax(%s)
  return %y
}

// Nor in front of a view of an argument, which is no kernel.
// CHECK-LABEL: graph @argument
// CHECK: reshape
// CHECK-NEXT: cast
graph @argument(%x: tensor<4x6xf16>) {
  %a = reshape(%x) {shape = [24]}
  %y = cast(%a) {to = f32}
  return %y
}

// A mark goes along.
// CHECK-LABEL: graph @marked
// CHECK: cast({{.*}}) {to = f32, nofuse}
// CHECK-NEXT: reshape
graph @marked(%x: tensor<4x6xf16>) {
  %e = exp(%x)
  %a = reshape(%e) {shape = [24]}
  %y = cast(%a) {to = f32, nofuse}
  return %y
}
