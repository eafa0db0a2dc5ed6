// RUN: ascend-opt %s -p "graph-split-products{target=ascend910b}" -t graph-text | filecheck %s

// One tile of the result, and a long K: parts of K are a batch, whose sums stay f32 until they are added up. The last part
// may be shorter, so that there are as many as cores.
// CHECK-LABEL: graph @few
// CHECK-NEXT: [[P:%[a-z0-9]+]] = matmul(%x, %w) {out = f32, part = 704}
// CHECK-NEXT: [[S:%[a-z0-9]+]] = reduce_sum([[P]]) {axes = [0]}
// CHECK-NEXT: [[C:%[a-z0-9]+]] = cast([[S]]) {to = f16}
// CHECK-NEXT: [[D:%[a-z0-9]+]] = bias_add([[C]], %b)
// CHECK-NEXT: [[Y:%[a-z0-9]+]] = gelu([[D]])
graph @few(%x: tensor<64x16384xf16>, %w: tensor<16384x256xf16> {weight}, %b: tensor<256xf16> {weight}) {
  %0 = matmul(%x, %w)
  %1 = bias_add(%0, %b)
  %y = gelu(%1)
  return %y
}

// Columns that are stored as rows are cut alike.
// CHECK-LABEL: graph @stored_transpose
// CHECK-NEXT: [[P:%[a-z0-9]+]] = matmul(%x, %w) {transpose_b = true, out = f32, part = {{[0-9]+}}}
// CHECK-NEXT: [[S:%[a-z0-9]+]] = reduce_sum([[P]]) {axes = [0]}
// CHECK-NEXT: cast([[S]]) {to = f16}
graph @stored_transpose(%x: tensor<2x32x16384xf16>, %w: tensor<256x16384xf16>) {
  %y = matmul(%x, %w) {transpose_b = true}
  return %y
}

// Of attention of one query row per head the keys are split: parts of them have the softmax of their own.
// CHECK-LABEL: graph @decode
// CHECK: softmax_matmul
// CHECK-NOT: part =
// CHECK: reduce_sum
graph @decode(%q: tensor<1x32x1x128xf16>, %k: tensor<1x8x4096x128xf16>, %v: tensor<1x8x4096x128xf16>) {
  %y = attention(%q, %k, %v)
  return %y
}

// As many tiles as cores, and a short K.
// CHECK-LABEL: graph @many
// CHECK-NEXT: matmul(%x, %w)
graph @many(%x: tensor<1024x4096xf16>, %w: tensor<4096x4096xf16> {weight}) {
  %y = matmul(%x, %w)
  return %y
}

// CHECK-LABEL: graph @short
// CHECK-NEXT: matmul(%x, %w)
graph @short(%x: tensor<64x256xf16>, %w: tensor<256x256xf16> {weight}) {
  %y = matmul(%x, %w)
  return %y
}

// The graph asks for this kernel.
// CHECK-LABEL: graph @marked
// CHECK-NEXT: matmul(%x, %w) {fuse = one}
graph @marked(%x: tensor<64x16384xf16>, %w: tensor<16384x256xf16> {weight}) {
  %y = matmul(%x, %w) {fuse = "one"}
  return %y
}

// Sums of parts already.
// CHECK-LABEL: graph @parts
// CHECK-NEXT: matmul(%x, %w) {out = f32, part = 8192}
graph @parts(%x: tensor<64x16384xf16>, %w: tensor<16384x256xf16> {weight}) {
  %y = matmul(%x, %w) {out = f32, part = 8192}
  return %y
}
