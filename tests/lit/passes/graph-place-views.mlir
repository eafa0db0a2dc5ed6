// RUN: ascend-opt %s -p graph-place-views -t graph-text | filecheck %s

// A transpose of the last two dimensions is the product's own; what is left of it keeps the last dimension.
// CHECK-LABEL: graph @flags
// CHECK-NEXT: [[K:%[a-z0-9]+]] = transpose(%k) {perm = [0, 2, 1, 3]}
// CHECK-NEXT: {{%[a-z0-9]+}} = matmul(%q, [[K]]) {transpose_b = true}
// CHECK-NEXT: return
graph @flags(%q: tensor<2x4x8x32xf16>, %k: tensor<2x16x4x32xf16>) {
  %0 = transpose(%k) {perm = [0, 2, 3, 1]}
  %y = matmul(%q, %0)
  return %y
}

// A flag that undoes the transpose.
// CHECK-LABEL: graph @undone
// CHECK-NEXT: {{%[a-z0-9]+}} = matmul(%a, %b)
// CHECK-NEXT: return
graph @undone(%a: tensor<8x32xf16>, %b: tensor<32x16xf16>) {
  %0 = transpose(%b) {perm = [1, 0]}
  %y = matmul(%a, %0) {transpose_b = true}
  return %y
}

// A reshape goes before the transpose that feeds a product.
// CHECK-LABEL: graph @loads
// CHECK-NEXT: [[V:%[a-z0-9]+]] = reshape(%v) {shape = [64, 2, 2, 32]}
// CHECK-NEXT: [[T:%[a-z0-9]+]] = transpose([[V]]) {perm = [1, 2, 0, 3]}
// CHECK-NEXT: {{%[a-z0-9]+}} = matmul(%p, [[T]])
graph @loads(%p: tensor<2x2x16x64xf16>, %v: tensor<64x128xf16>) {
  %0 = reshape(%v) {shape = [64, 4, 32]}
  %1 = transpose(%0) {perm = [1, 0, 2]}
  %2 = reshape(%1) {shape = [2, 2, 64, 32]}
  %y = matmul(%p, %2)
  return %y
}

// A reshape goes behind the transpose of what a product gives.
// CHECK-LABEL: graph @stores
// CHECK-NEXT: [[P:%[a-z0-9]+]] = matmul(%a, %b)
// CHECK-NEXT: [[T:%[a-z0-9]+]] = transpose([[P]]) {perm = [2, 0, 1, 3]}
// CHECK-NEXT: {{%[a-z0-9]+}} = reshape([[T]]) {shape = [16, 128]}
// CHECK-NEXT: return
graph @stores(%a: tensor<2x2x16x64xf16>, %b: tensor<2x2x64x32xf16>) {
  %0 = matmul(%a, %b)
  %1 = reshape(%0) {shape = [4, 16, 32]}
  %2 = transpose(%1) {perm = [1, 0, 2]}
  %3 = reshape(%2) {shape = [16, 128]}
  return %3
}

// Dimensions that the transpose tears apart, and ops that say what they are fused with, stay as they are.
// CHECK-LABEL: graph @stays
// CHECK: transpose(%{{[a-z0-9]+}}) {perm = [0, 2, 1]}
// CHECK-NEXT: reshape(%{{[a-z0-9]+}}) {shape = [2, 64, 16]}
// CHECK-NEXT: matmul
// CHECK: transpose(%b) {perm = [1, 0], nofuse}
// CHECK-NEXT: matmul(%a, %{{[a-z0-9]+}})
graph @stays(%p: tensor<2x8x64xf16>, %v: tensor<4x512xf16>, %a: tensor<8x32xf16>, %b: tensor<16x32xf16>) {
  %0 = reshape(%v) {shape = [4, 16, 32]}
  %1 = transpose(%0) {perm = [0, 2, 1]}
  %2 = reshape(%1) {shape = [2, 64, 16]}
  %3 = matmul(%p, %2)
  %4 = transpose(%b) {perm = [1, 0], nofuse}
  %5 = matmul(%a, %4)
  return %3, %5
}
