// RUN: ascend-opt %s -p "graph-join-slices{target=ascend910b}" -t graph-text | filecheck %s

// Blocks of pixels become channels: one transpose, the places in the order that the slices come in.
// CHECK-LABEL: graph @focus
// CHECK-NEXT: [[X:%[a-z0-9]+]] = reshape(%x) {shape = [1, 3, 32, 2, 64, 2]}
// CHECK-NEXT: [[T:%[a-z0-9]+]] = transpose([[X]]) {perm = [0, 5, 3, 1, 2, 4]}
// CHECK-NEXT: [[Y:%[a-z0-9]+]] = reshape([[T]]) {shape = [1, 12, 32, 64]}
// CHECK-NEXT: return [[Y]]
graph @focus(%x: tensor<1x3x64x128xf16>) {
  %a = slice(%x) {starts = [0, 0], ends = [64, 128], axes = [2, 3], steps = [2, 2]}
  %b = slice(%x) {starts = [1, 0], ends = [64, 128], axes = [2, 3], steps = [2, 2]}
  %c = slice(%x) {starts = [0, 1], ends = [64, 128], axes = [2, 3], steps = [2, 2]}
  %d = slice(%x) {starts = [1, 1], ends = [64, 128], axes = [2, 3], steps = [2, 2]}
  %y = concat(%a, %b, %c, %d) {axis = 1}
  return %y
}

// Patches are merged along the last dimension, places along rows first.
// CHECK-LABEL: graph @patches
// CHECK: transpose({{.*}}) {perm = [0, 1, 3, 2, 4, 5]}
graph @patches(%x: tensor<1x56x56x96xf16>) {
  %a = slice(%x) {starts = [0, 0], ends = [99, 99], axes = [1, 2], steps = [2, 2]}
  %b = slice(%x) {starts = [0, 1], ends = [99, 99], axes = [1, 2], steps = [2, 2]}
  %c = slice(%x) {starts = [1, 0], ends = [99, 99], axes = [1, 2], steps = [2, 2]}
  %d = slice(%x) {starts = [1, 1], ends = [99, 99], axes = [1, 2], steps = [2, 2]}
  %y = concat(%a, %b, %c, %d) {axis = 3}
  return %y
}

// Places that are missing, or come in no order, and slices that others read, stay.
// CHECK-LABEL: graph @half
// CHECK: concat
graph @half(%x: tensor<1x3x64x128xf16>) {
  %a = slice(%x) {starts = [0, 0], ends = [64, 128], axes = [2, 3], steps = [2, 2]}
  %b = slice(%x) {starts = [1, 1], ends = [64, 128], axes = [2, 3], steps = [2, 2]}
  %y = concat(%a, %b) {axis = 1}
  return %y
}

// CHECK-LABEL: graph @no_order
// CHECK: concat
graph @no_order(%x: tensor<1x3x64x128xf16>) {
  %a = slice(%x) {starts = [1], ends = [128], axes = [3], steps = [2]}
  %b = slice(%x) {starts = [0], ends = [128], axes = [3], steps = [2]}
  %y = concat(%a, %b) {axis = 1}
  return %y
}

// CHECK-LABEL: graph @read_twice
// CHECK: concat
graph @read_twice(%x: tensor<1x3x64x128xf16>) {
  %a = slice(%x) {starts = [0], ends = [128], axes = [3], steps = [2]}
  %b = slice(%x) {starts = [1], ends = [128], axes = [3], steps = [2]}
  %y = concat(%a, %b) {axis = 1}
  return %y, %a
}
