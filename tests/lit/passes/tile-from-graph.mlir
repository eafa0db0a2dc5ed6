// RUN: ascend-opt %s -p tile-from-graph | filecheck %s
// RUN: ascend-opt %s -p tile-from-graph | ascend-opt - -p tile-from-graph | filecheck %s

// Every op becomes a kernel of its own, named after function, op and position; a reshape stays a view.
// CHECK:       builtin.module attributes {ascend.target = "ascend910b"}
// CHECK-LABEL: func.func @f(
// CHECK:         [[A:%.*]] = tile.kernel "f_tanh_0"(%x)
// CHECK-SAME:      ops = ["graph.tanh"]
// CHECK:           tile.load
// CHECK:           tile.store
// CHECK:         [[R:%.*]] = graph.reshape [[A]]
// CHECK-NEXT:    [[Y:%.*]] = tile.kernel "f_relu_1"([[R]])
// CHECK-NOT:     tile.kernel
// CHECK:         func.return [[Y]] : tensor<4096xf16>
graph @f(%x: tensor<64x64xf16>) {
  %a = tanh(%x)
  %r = reshape(%a) {shape = [4096]}
  %y = relu(%r)
  return %y
}

// A weight operand of a product is packed into fractals outside the kernel, an activation is not.
// CHECK-LABEL: func.func @products(
// CHECK:         [[P:%.*]] = ascend.pack %w
// CHECK-NEXT:    tile.kernel "products_matmul_0"(%x, [[P]])
// CHECK:           packed = "zn"
// CHECK:         tile.kernel "products_matmul_1"(%x, %z)
// CHECK-NOT:       packed
// CHECK:         func.return
graph @products(%x: tensor<64x64xf16>, %w: tensor<64x64xf16> {weight}, %z: tensor<64x64xf16>) {
  %a = matmul(%x, %w)
  %b = matmul(%x, %z)
  return %a, %b
}
