// RUN: ascend-opt %s -p graph-mark-library | filecheck %s
// RUN: ascend-opt %s --library | filecheck %s --check-prefix TILE

// A product, the transpose that only it reads and its bias are one operator; what follows is another.
// CHECK-LABEL: func.func @product
// CHECK:         graph.transpose %x {{.*}}graph.nofuse = "library.0"
// CHECK:         graph.matmul {{.*}}graph.nofuse = "library.0"
// CHECK:         graph.bias_add {{.*}}graph.nofuse = "library.0"
// CHECK:         graph.gelu {{.*}}graph.nofuse}
// TILE-LABEL:  func.func @product
// TILE:          tile.kernel "product_0"{{.*}}ops = ["graph.matmul", "graph.bias_add"]
// TILE:          tile.kernel "product_1"{{.*}}ops = ["graph.gelu"]
graph @product(%x: tensor<96x64xf16>, %w: tensor<96x80xf16> {weight}, %b: tensor<80xf16> {weight}) {
  %t = transpose(%x) {perm = [1, 0]}
  %p = matmul(%t, %w)
  %q = bias_add(%p, %b) {axis = 1}
  %y = gelu(%q)
  return %y
}

// The parts of a composite op may be one kernel, what the graph says itself about kernels is dropped.
// CHECK-LABEL: func.func @composite
// CHECK:         graph.attention {{.*}}graph.nofuse}
// CHECK:         graph.exp {{.*}}graph.nofuse}
// CHECK:         graph.abs {{.*}}graph.nofuse}
// TILE-LABEL:  func.func @composite
// TILE:          ops = ["graph.matmul", "graph.mul", "graph.softmax", "graph.matmul"]
// TILE:          ops = ["graph.exp"]
// TILE:          ops = ["graph.abs"]
graph @composite(%q: tensor<4x64x32xf16>, %k: tensor<4x64x32xf16>, %v: tensor<4x64x32xf16>) {
  %a = attention(%q, %k, %v)
  %e = exp(%a) {fuse = "both"}
  %y = abs(%e) {fuse = "both"}
  return %y
}

// A product of bytes takes what is added to its sums, and their scale.
// CHECK-LABEL: func.func @bytes
// CHECK: graph.matmul {{.*}} {graph.nofuse = "library.0"}
// CHECK: graph.add {{.*}} {graph.nofuse = "library.0"}
// CHECK: graph.dequantize {{.*}}graph.nofuse = "library.0"
// CHECK: graph.relu {{.*}} {graph.nofuse}
graph @bytes(%x: tensor<64x64xi8>, %w: tensor<64x64xi8> {weight}, %r: tensor<64xi32> {weight}) {
  %0 = matmul(%x, %w)
  %1 = add(%0, %r)
  %2 = dequantize(%1) {scale = 0.01}
  %3 = relu(%2)
  return %3
}
