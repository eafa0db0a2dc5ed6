// RUN: ascend-opt %s -p "graph-combine-products{target=ascend910b}" -t graph-text | filecheck %s

// Queries, keys and values: one product, its bias, and a reshape in front of the slices.
// CHECK-LABEL: graph @attention
// CHECK-NEXT: [[W:%[a-z0-9]+]] = concat(%wq, %wk, %wv) {axis = 1}
// CHECK-NEXT: [[P:%[a-z0-9]+]] = matmul(%x, [[W]])
// CHECK-NEXT: [[B:%[a-z0-9]+]] = concat(%bq, %bk, %bv) {axis = 0}
// CHECK-NEXT: [[S:%[a-z0-9]+]] = bias_add([[P]], [[B]])
// CHECK-NEXT: [[V:%[a-z0-9]+]] = reshape([[S]]) {shape = [128, 8, 64]}
// CHECK-NEXT: %q2 = slice([[V]]) {starts = [0], ends = [4], axes = [1]}
// CHECK-NEXT: %k2 = slice([[V]]) {starts = [4], ends = [6], axes = [1]}
// CHECK-NEXT: %v2 = slice([[V]]) {starts = [6], ends = [8], axes = [1]}
// CHECK-NEXT: transpose(%q2)
graph @attention(%x: tensor<128x256xf16>, %wq: tensor<256x256xf16> {weight}, %wk: tensor<256x128xf16> {weight},
                 %wv: tensor<256x128xf16> {weight}, %bq: tensor<256xf16> {weight}, %bk: tensor<128xf16> {weight},
                 %bv: tensor<128xf16> {weight}) {
  %q0 = matmul(%x, %wq)
  %k0 = matmul(%x, %wk)
  %v0 = matmul(%x, %wv)
  %q1 = bias_add(%q0, %bq)
  %k1 = bias_add(%k0, %bk)
  %v1 = bias_add(%v0, %bv)
  %q2 = reshape(%q1) {shape = [128, 4, 64]}
  %k2 = reshape(%k1) {shape = [128, 2, 64]}
  %v2 = reshape(%v1) {shape = [128, 2, 64]}
  %q = transpose(%q2) {perm = [1, 0, 2]}
  %k = transpose(%k2) {perm = [1, 0, 2]}
  %v = transpose(%v2) {perm = [1, 0, 2]}
  %y = attention(%q, %k, %v)
  return %y
}

// Weights that are turned are joined along rows, and one that is computed from others comes before the product.
// CHECK-LABEL: graph @turned
// CHECK-NEXT: [[U:%[a-z0-9]+]] = mul(%u, %s)
// CHECK-NEXT: [[W:%[a-z0-9]+]] = concat(%w, [[U]]) {axis = 0}
// CHECK-NEXT: [[P:%[a-z0-9]+]] = matmul(%x, [[W]]) {transpose_b = true}
// CHECK-NEXT: [[A:%[a-z0-9]+]] = slice([[P]]) {starts = [0], ends = [64], axes = [1]}
// CHECK-NEXT: [[C:%[a-z0-9]+]] = slice([[P]]) {starts = [64], ends = [128], axes = [1]}
// CHECK-NEXT: attention([[A]], [[C]], [[C]])
graph @turned(%x: tensor<64x512xf16>, %w: tensor<64x512xf16> {weight}, %u: tensor<64x512xf16> {weight},
              %s: tensor<1x512xf16> {weight}) {
  %1 = matmul(%x, %w) {transpose_b = true}
  %2 = mul(%u, %s)
  %3 = matmul(%x, %2) {transpose_b = true}
  %y = attention(%1, %3, %3)
  return %y
}

// Columns that are no whole blocks stay apart,
// CHECK-LABEL: graph @ragged
// CHECK-NOT: concat
graph @ragged(%x: tensor<64x512xf16>, %w: tensor<512x72xf16> {weight}, %u: tensor<512x72xf16> {weight}) {
  %q = matmul(%x, %w)
  %k = matmul(%x, %u)
  %y = attention(%q, %k, %k)
  return %y
}

// and so do products that state a kernel,
// CHECK-LABEL: graph @marked
// CHECK-NOT: concat
graph @marked(%x: tensor<64x512xf16>, %w: tensor<512x64xf16> {weight}, %u: tensor<512x64xf16> {weight}) {
  %q = matmul(%x, %w)
  %k = matmul(%x, %u) {nofuse = true}
  %y = attention(%q, %k, %k)
  return %y
}

// parts of a concatenation, which are written in place,
// CHECK-LABEL: graph @joined
// CHECK-COUNT-2: matmul
// CHECK: concat
graph @joined(%x: tensor<64x512xf16>, %w: tensor<512x64xf16> {weight}, %u: tensor<512x64xf16> {weight}) {
  %a = matmul(%x, %w)
  %b = matmul(%x, %u)
  %y = concat(%a, %b) {axis = 0}
  return %y
}

// and a gate and what it is multiplied with, which are one kernel as they are.
// CHECK-LABEL: graph @gated
// CHECK-NOT: concat
// CHECK: return
graph @gated(%x: tensor<64x512xf16>, %g: tensor<512x64xf16> {weight}, %h: tensor<512x64xf16> {weight}) {
  %0 = matmul(%x, %g)
  %1 = matmul(%x, %h)
  %2 = silu(%0)
  %y = mul(%1, %2)
  return %y
}

// So it is where the batch is known when the program runs: slices go along the whole of it.
// CHECK-LABEL: graph @batch
// CHECK-NEXT: [[W:%[a-z0-9]+]] = concat(%q, %k, %v) {axis = 1}
// CHECK-NEXT: [[P:%[a-z0-9]+]] = matmul(%x, [[W]])
// CHECK-NEXT: [[Q:%[a-z0-9]+]] = slice([[P]]) {starts = [0], ends = [256], axes = [2]}
// CHECK-NEXT: [[K:%[a-z0-9]+]] = slice([[P]]) {starts = [256], ends = [512], axes = [2]}
// CHECK-NEXT: [[V:%[a-z0-9]+]] = slice([[P]]) {starts = [512], ends = [768], axes = [2]}
// CHECK-NEXT: matmul([[Q]], [[K]]) {transpose_b = true}
graph @batch(%x: tensor<?x64x256xf16>, %q: tensor<256x256xf16> {weight}, %k: tensor<256x256xf16> {weight},
             %v: tensor<256x256xf16> {weight}) {
  %0 = matmul(%x, %q)
  %1 = matmul(%x, %k)
  %2 = matmul(%x, %v)
  %3 = matmul(%0, %1) {transpose_b = true}
  %4 = softmax(%3)
  %y = matmul(%4, %2)
  return %y
}

// Heads are taken apart by a reshape that goes along the batch.
// CHECK-LABEL: graph @heads
// CHECK: [[P:%[a-z0-9]+]] = matmul(%x, {{.*}})
// CHECK-NEXT: [[R:%[a-z0-9]+]] = reshape([[P]]) {shape = [-1, 64, 12, 64]}
// CHECK-NEXT: slice([[R]]) {starts = [0], ends = [4], axes = [2]}
graph @heads(%x: tensor<?x64x256xf16>, %q: tensor<256x256xf16> {weight}, %k: tensor<256x256xf16> {weight},
             %v: tensor<256x256xf16> {weight}) {
  %0 = matmul(%x, %q)
  %1 = matmul(%x, %k)
  %2 = matmul(%x, %v)
  %a = reshape(%0) {shape = [-1, 64, 4, 64]}
  %b = reshape(%1) {shape = [-1, 64, 4, 64]}
  %c = reshape(%2) {shape = [-1, 64, 4, 64]}
  %d = transpose(%a) {perm = [0, 2, 1, 3]}
  %e = transpose(%b) {perm = [0, 2, 1, 3]}
  %g = transpose(%c) {perm = [0, 2, 1, 3]}
  %y = attention(%d, %e, %g)
  return %y
}
