// RUN: ascend-opt %s -p tile-group-ops | filecheck %s
// RUN: ascend-opt %s -p tile-group-ops | ascend-opt - -p tile-group-ops | filecheck %s
// RUN: ascend-opt %s -p tile-group-ops --report=- -o /dev/null | filecheck %s --check-prefix REPORT

// REPORT: unfused: 2 groups

// Every op is a group of its own, named after function, op and position; a reshape stays a view.
// CHECK:       builtin.module attributes {ascend.target = "ascend910b"}
// CHECK-LABEL: func.func @f(
// CHECK-NEXT:    [[A:%.*]] = tile.group "f_tanh_0"([[X:%.*]] = %x) : (tensor<64x64xf16>) -> tensor<64x64xf16> {
// CHECK-NEXT:      [[T:%.*]] = graph.tanh [[X]]
// CHECK-NEXT:      tile.yield [[T]]
// CHECK-NEXT:    }
// CHECK-NEXT:    [[R:%.*]] = graph.reshape [[A]]
// CHECK-NEXT:    [[Y:%.*]] = tile.group "f_relu_1"({{.*}} = [[R]])
// CHECK:         func.return [[Y]] : tensor<4096xf16>
graph @f(%x: tensor<64x64xf16>) {
  %a = tanh(%x)
  %r = reshape(%a) {shape = [4096]}
  %y = relu(%r)
  return %y
}
