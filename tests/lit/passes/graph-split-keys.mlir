// RUN: ascend-opt %s -p "graph-split-products{target=ascend950}" -t graph-text | filecheck %s

// Eight heads of keys, 32 cores: four parts of the keys are a dimension of the batch, heads of a group are rows. The softmax
// of the logarithms joins the parts.
// CHECK-LABEL: graph @decode
// CHECK: [[Q:%[a-z0-9]+]] = reshape(%q) {shape = [1, 8, 1, 4, 128]}
// CHECK: [[K:%[a-z0-9]+]] = reshape(%k) {shape = [1, 8, 4, 1024, 128]}
// CHECK: [[V:%[a-z0-9]+]] = reshape(%v) {shape = [1, 8, 4, 1024, 128]}
// CHECK: [[S:%[a-z0-9]+]] = matmul([[Q]], [[K]]) {transpose_b = true}
// CHECK: [[W:%[a-z0-9]+]] = softmax_matmul({{%[a-z0-9]+}}, [[V]])
// CHECK: [[O:%[a-z0-9]+]] = slice([[W]]) {starts = [0], ends = [128], axes = [4]}
// CHECK: [[L:%[a-z0-9]+]] = slice([[W]]) {starts = [128], ends = [256], axes = [4]}
// CHECK: [[P:%[a-z0-9]+]] = softmax([[L]]) {masked = true, axis = 2}
// CHECK: [[Z:%[a-z0-9]+]] = mul([[O]], [[P]])
// CHECK: reduce_sum([[Z]]) {axes = [2]}
graph @decode(%q: tensor<1x32x1x128xf16>, %k: tensor<1x8x4096x128xf16>, %v: tensor<1x8x4096x128xf16>) {
  %y = attention(%q, %k, %v)
  return %y
}

// A mask for all heads is one for each part.
// CHECK-LABEL: graph @masked
// CHECK: reshape(%m) {shape = [1, 1, 4, 1, 1024]}
// CHECK: softmax_matmul
graph @masked(%q: tensor<1x32x1x128xf16>, %k: tensor<1x8x4096x128xf16>, %v: tensor<1x8x4096x128xf16>,
              %m: tensor<1x1x1x4096xf16>) {
  %y = attention(%q, %k, %v, %m)
  return %y
}

// Heads have masks of their own.
// CHECK-LABEL: graph @masks
// CHECK-NOT: softmax_matmul
// CHECK: return
graph @masks(%q: tensor<1x32x1x128xf16>, %k: tensor<1x8x4096x128xf16>, %v: tensor<1x8x4096x128xf16>,
             %m: tensor<1x32x1x4096xf16>) {
  %y = attention(%q, %k, %v, %m)
  return %y
}

// Several query rows are rows of tiles.
// CHECK-LABEL: graph @rows
// CHECK-NEXT: attention
graph @rows(%q: tensor<1x32x64x128xf16>, %k: tensor<1x8x4096x128xf16>, %v: tensor<1x8x4096x128xf16>) {
  %y = attention(%q, %k, %v)
  return %y
}
