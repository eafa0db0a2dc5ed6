// RUN: ascend-opt %s -p graph-group-products -t graph-text | filecheck %s

// Keys and values of grouped heads are read as they are; what stands between the products is done on the groups.
// CHECK-LABEL: graph @heads
// CHECK-NEXT: [[K:%[a-z0-9]+]] = reshape(%k) {shape = [2, 1, 16, 32]}
// CHECK-NEXT: [[V:%[a-z0-9]+]] = reshape(%v) {shape = [2, 1, 16, 32]}
// CHECK-NEXT: [[Q:%[a-z0-9]+]] = reshape(%q) {shape = [2, 4, 8, 32]}
// CHECK-NEXT: [[S:%[a-z0-9]+]] = matmul([[Q]], [[K]]) {transpose_b = true}
// CHECK-NEXT: [[M:%[a-z0-9]+]] = reshape(%m) {shape = [2, 4, 8, 1]}
// CHECK-NEXT: [[A:%[a-z0-9]+]] = add([[S]], [[M]])
// CHECK-NEXT: [[P:%[a-z0-9]+]] = softmax([[A]])
// CHECK-NEXT: [[O:%[a-z0-9]+]] = matmul([[P]], [[V]])
// CHECK-NEXT: [[Y:%[a-z0-9]+]] = reshape([[O]]) {shape = [8, 8, 32]}
// CHECK-NEXT: return [[Y]]
graph @heads(%q: tensor<8x8x32xf16>, %k: tensor<2x16x32xf16>, %v: tensor<2x16x32xf16>, %m: tensor<8x8x1xf16>) {
  %0 = reshape(%k) {shape = [2, 1, 16, 32]}
  %1 = broadcast(%0) {shape = [2, 4, 16, 32]}
  %2 = reshape(%1) {shape = [8, 16, 32]}
  %3 = transpose(%2) {perm = [0, 2, 1]}
  %4 = reshape(%v) {shape = [2, 1, 16, 32]}
  %5 = broadcast(%4) {shape = [2, 4, 16, 32]}
  %6 = reshape(%5) {shape = [8, 16, 32]}
  %7 = matmul(%q, %3)
  %8 = add(%7, %m)
  %9 = softmax(%8) {axis = 2}
  %y = matmul(%9, %6)
  return %y
}

// A mask of images, the same for all heads, keeps one element for both dimensions of heads.
// CHECK-LABEL: graph @mask
// CHECK: reshape(%m) {shape = [3, 1, 1, 8, 16]}
// CHECK-NEXT: add(
// CHECK-NEXT: softmax(
// CHECK-NEXT: matmul({{.*}}, %v)
graph @mask(%q: tensor<3x8x8x32xf16>, %k: tensor<3x2x1x32x16xf16>, %v: tensor<3x2x1x16x32xf16>, %m: tensor<3x1x8x16xf16>) {
  %0 = broadcast(%k) {shape = [3, 2, 4, 32, 16]}
  %1 = reshape(%0) {shape = [3, 8, 32, 16]}
  %2 = broadcast(%v) {shape = [3, 2, 4, 16, 32]}
  %3 = reshape(%2) {shape = [3, 8, 16, 32]}
  %4 = matmul(%q, %1)
  %5 = add(%m, %4)
  %6 = softmax(%5) : tensor<3x8x8x16xf16>
  %y = matmul(%6, %3)
  return %y
}

// One tensor for all matrices needs no groups.
// CHECK-LABEL: graph @shared
// CHECK-NEXT: matmul(%x, %w)
graph @shared(%x: tensor<4x8x32xf16>, %w: tensor<32x16xf16>) {
  %0 = broadcast(%w) {shape = [4, 32, 16]}
  %y = matmul(%x, %0)
  return %y
}

// Rows that are repeated, and scores that others read, stay.
// CHECK-LABEL: graph @rows
// CHECK: broadcast
// CHECK: matmul
graph @rows(%x: tensor<4x8x32xf16>, %w: tensor<4x1x16xf16>) {
  %0 = broadcast(%w) {shape = [4, 32, 16]}
  %y = matmul(%x, %0)
  return %y
}

// CHECK-LABEL: graph @read_twice
// CHECK: [[S:%[a-z0-9]+]] = softmax(%x)
// CHECK-NEXT: [[G:%[a-z0-9]+]] = reshape([[S]]) {shape = [2, 4, 8, 16]}
// CHECK-NEXT: [[Y:%[a-z0-9]+]] = matmul([[G]], %v)
// CHECK-NEXT: [[R:%[a-z0-9]+]] = reshape([[Y]])
// CHECK-NEXT: return [[R]], [[S]]
graph @read_twice(%x: tensor<8x8x16xf16>, %v: tensor<2x1x16x32xf16>) {
  %0 = softmax(%x)
  %1 = broadcast(%v) {shape = [2, 4, 16, 32]}
  %2 = reshape(%1) {shape = [8, 16, 32]}
  %y = matmul(%0, %2)
  return %y, %0
}
