// RUN: ascend-opt %s --print-debuginfo | filecheck %s

// Every op and argument carries the place of its name in the text.
// CHECK:       func.func @f(%x: tensor<4xf16> loc("{{.*}}locations.mlir":8:10))
// CHECK-NEXT:    graph.relu %x {{.*}} loc("{{.*}}locations.mlir":9:8)
// CHECK-NEXT:    func.return %y : tensor<4xf16> loc("{{.*}}locations.mlir":10:3)
// CHECK-NEXT:  } loc("{{.*}}locations.mlir":8:7)
graph @f(%x: tensor<4xf16>) {
  %y = relu(%x)
  return %y
}
