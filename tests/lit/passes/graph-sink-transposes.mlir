// RUN: ascend-opt %s -p "graph-sink-transposes{target=ascend910b}" -t graph-text | filecheck %s

// Boxes of a detector: columns of each cell are taken apart, computed and joined as planes, and transposed once. What is
// known before the first run is turned.
// CHECK-LABEL: graph @decode
// CHECK: [[X:%[a-z0-9]+]] = reshape(%c) {shape = [1, 3, 85, 20, 20]}
// CHECK-NEXT: [[S:%[a-z0-9]+]] = sigmoid([[X]])
// CHECK-NEXT: slice([[S]]) {starts = [0], ends = [2], axes = [2], steps = [1]}
// CHECK-NEXT: slice([[S]]) {starts = [2], ends = [4], axes = [2], steps = [1]}
// CHECK-NEXT: slice([[S]]) {starts = [4], ends = [85], axes = [2], steps = [1]}
// CHECK: [[G:%[a-z0-9]+]] = reshape(%grid) {shape = [1, 1, 20, 20, 2]}
// CHECK-NEXT: transpose([[G]]) {perm = [0, 1, 4, 2, 3]}
// CHECK: [[Z:%[a-z0-9]+]] = concat({{.*}}) {axis = 2}
// CHECK-NEXT: [[T:%[a-z0-9_]+]] = transpose([[Z]]) {perm = [0, 1, 3, 4, 2]}
// CHECK-NEXT: reshape([[T]]) {shape = [1, 1200, 85]}
graph @decode(%c: tensor<1x255x20x20xf16>, %grid: tensor<20x20x2xf16> {weight}) {
  %two = constant() {value = 2.0} : tensor<f16>
  %x = reshape(%c) {shape = [1, 3, 85, 20, 20]}
  %t = transpose(%x) {perm = [0, 1, 3, 4, 2]}
  %s = sigmoid(%t)
  %a = slice(%s) {starts = [0], ends = [2], axes = [-1]}
  %b = slice(%s) {starts = [2], ends = [4], axes = [-1]}
  %d = slice(%s) {starts = [4], ends = [99], axes = [-1]}
  %a2 = mul(%a, %two)
  %a3 = add(%a2, %grid)
  %b2 = mul(%b, %b)
  %z = concat(%a3, %b2, %d) {axis = -1}
  %r = reshape(%z) {shape = [1, 1200, 85]}
  return %r
}

// What is computed at run time stays in its order, and so does all that it meets.
// CHECK-LABEL: graph @run_time
// CHECK: transpose
// CHECK-NOT: transpose
// CHECK: concat({{.*}}) {axis = 4}
graph @run_time(%x: tensor<1x3x85x20x20xf16>, %grid: tensor<20x20x2xf16>) {
  %t = transpose(%x) {perm = [0, 1, 3, 4, 2]}
  %a = slice(%t) {starts = [0], ends = [2], axes = [4]}
  %d = slice(%t) {starts = [2], ends = [85], axes = [4]}
  %a2 = add(%a, %grid)
  %z = concat(%a2, %d) {axis = 4}
  return %z
}

// Nor does what something else reads.
// CHECK-LABEL: graph @read_twice
// CHECK: transpose
// CHECK: concat({{.*}}) {axis = 4}
graph @read_twice(%x: tensor<1x3x85x20x20xf16>) {
  %t = transpose(%x) {perm = [0, 1, 3, 4, 2]}
  %a = slice(%t) {starts = [0], ends = [2], axes = [4]}
  %d = slice(%t) {starts = [2], ends = [85], axes = [4]}
  %a2 = exp(%a)
  %z = concat(%a2, %d) {axis = 4}
  return %z, %t
}

// Transposes of two orders have none in common.
// CHECK-LABEL: graph @two_orders
// CHECK: concat({{.*}}) {axis = 2}
graph @two_orders(%x: tensor<4x32x32xf16>, %v: tensor<32x4x32xf16>) {
  %a = transpose(%x) {perm = [0, 2, 1]}
  %b = transpose(%v) {perm = [1, 0, 2]}
  %e = exp(%b)
  %z = concat(%a, %e) {axis = 2}
  return %z
}
