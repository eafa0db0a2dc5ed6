// RUN: ascend-opt %s -p "graph-cut-products{target=ascend910b}" -t graph-text | filecheck %s

// A gate in columns of one product: two products, with the columns of what follows element by element.
// CHECK-LABEL: graph @gated
// CHECK-NEXT: [[W0:%[a-z0-9]+]] = slice(%w) {starts = [0], ends = [32], axes = [1]}
// CHECK-NEXT: [[P0:%[a-z0-9]+]] = matmul(%x, [[W0]])
// CHECK-NEXT: [[W1:%[a-z0-9]+]] = slice(%w) {starts = [32], ends = [64], axes = [1]}
// CHECK-NEXT: [[P1:%[a-z0-9]+]] = matmul(%x, [[W1]])
// CHECK-NEXT: [[B0:%[a-z0-9]+]] = slice(%b) {starts = [0], ends = [32], axes = [0]}
// CHECK-NEXT: [[S0:%[a-z0-9]+]] = bias_add([[P0]], [[B0]])
// CHECK-NEXT: [[B1:%[a-z0-9]+]] = slice(%b) {starts = [32], ends = [64], axes = [0]}
// CHECK-NEXT: [[S1:%[a-z0-9]+]] = bias_add([[P1]], [[B1]])
// CHECK-NEXT: [[G:%[a-z0-9]+]] = sigmoid([[S0]])
// CHECK-NEXT: [[Y:%[a-z0-9]+]] = mul([[G]], [[S1]])
// CHECK-NEXT: return [[Y]]
graph @gated(%x: tensor<40x64xf16>, %w: tensor<64x64xf16> {weight}, %b: tensor<64xf16> {weight}) {
  %0 = matmul(%x, %w)
  %1 = bias_add(%0, %b)
  %2, %3 = split(%1) {axis = 1, sizes = [32, 32]}
  %4 = sigmoid(%2)
  %y = mul(%4, %3)
  return %y
}

// Rows of a stored transpose, and a part of a part of what is added.
// CHECK-LABEL: graph @turned
// CHECK: slice(%w) {starts = [0], ends = [32], axes = [0]}
// CHECK: slice(%z) {starts = [4, 0], ends = [8, 32], axes = [0, 1], steps = [1, 1]}
// CHECK: slice(%z) {starts = [4, 32], ends = [8, 64], axes = [0, 1], steps = [1, 1]}
// CHECK-NOT: slice
graph @turned(%x: tensor<4x64xf16>, %w: tensor<64x64xf16> {weight}, %z: tensor<8x64xf16>) {
  %0 = matmul(%x, %w) {transpose_b = true}
  %1 = slice(%z) {starts = [4], ends = [8], axes = [0]}
  %2 = add(%1, %0)
  %3 = slice(%2) {starts = [0], ends = [32], axes = [1]}
  %4 = slice(%2) {starts = [32], ends = [64], axes = [1]}
  %5 = tanh(%3)
  %y = mul(%5, %4)
  return %y
}

// Parts that nothing joins element by element, or that are no whole blocks, stay, as do products of what is no weight.
// CHECK-LABEL: graph @heads
// CHECK: matmul(%x, %w)
// CHECK-NEXT: split
graph @heads(%x: tensor<40x64xf16>, %w: tensor<64x64xf16> {weight}) {
  %0 = matmul(%x, %w)
  %q, %k = split(%0) {axis = 1, sizes = [32, 32]}
  %y = matmul(%q, %k) {transpose_b = true}
  return %y
}

// CHECK-LABEL: graph @narrow
// CHECK: matmul(%x, %w)
// CHECK-NEXT: split
graph @narrow(%x: tensor<40x64xf16>, %w: tensor<64x48xf16> {weight}) {
  %0 = matmul(%x, %w)
  %a, %b = split(%0) {axis = 1, sizes = [24, 24]}
  %y = mul(%a, %b)
  return %y
}

// CHECK-LABEL: graph @no_weight
// CHECK: matmul(%x, %w)
// CHECK-NEXT: split
graph @no_weight(%x: tensor<40x64xf16>, %w: tensor<64x64xf16>) {
  %0 = matmul(%x, %w)
  %a, %b = split(%0) {axis = 1, sizes = [32, 32]}
  %y = mul(%a, %b)
  return %y
}

// What depends on the result by another way is not what joins the parts.
// CHECK-LABEL: graph @steps
// CHECK-COUNT-4: matmul(
// CHECK-NOT: matmul(
graph @steps(%x: tensor<4x64xf16>, %w: tensor<64x128xf16> {weight}, %c: tensor<4x64xf16>) {
  %0 = matmul(%x, %w)
  %1, %2 = split(%0) {axis = 1, sizes = [64, 64]}
  %3 = sigmoid(%1)
  %4 = mul(%c, %3)
  %5 = add(%4, %2)
  %6 = tanh(%5)
  %7 = matmul(%6, %w)
  %8, %9 = split(%7) {axis = 1, sizes = [64, 64]}
  %10 = sigmoid(%8)
  %11 = mul(%5, %10)
  %y = add(%11, %9)
  return %y
}

// A large product of few rows: the weights' bytes take the time, and its parts side by side save next to nothing.
// CHECK-LABEL: graph @does_not_pay
// CHECK: matmul(%x, %w)
// CHECK-NEXT: split
graph @does_not_pay(%x: tensor<64x4096xf16>, %w: tensor<4096x22016xf16> {weight}) {
  %0 = matmul(%x, %w)
  %1, %2 = split(%0) {axis = 1, sizes = [11008, 11008]}
  %3 = sigmoid(%1)
  %y = mul(%3, %2)
  return %y
}
