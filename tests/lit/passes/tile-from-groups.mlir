// RUN: ascend-opt %s --target=ascend910b -p tile-from-groups | filecheck %s
// RUN: ascend-opt %s --target=ascend910b -p tile-from-groups | ascend-opt - -p tile-from-groups | filecheck %s
// RUN: ascend-opt %s --target=ascend910b --lower | filecheck %s --check-prefix LOWER
// RUN: ascend-opt %s --target=ascend910b --lower --tune 2 2>&1 | filecheck %s --check-prefix TUNED
// RUN: ascend-opt %s --target=ascend910b -p tile-from-groups --report=- -o /dev/null | filecheck %s --check-prefix REPORT
// RUN: ascend-opt %s --target=ascend910b --fuse | filecheck %s --check-prefix FUSED
// RUN: ascend-run %s --target ascend910b --graph steered --tune 1 | filecheck %s --check-prefix RUNS

// REPORT:      groups as stated: 5 kernels; tile sizes predicted fastest
// REPORT-NEXT:   kernel matmul + add:
// REPORT:        kernel softmax:
// RUNS:        kernels {{ +}}2

// Groups are taken as they stand, also where fusion would choose others: the softmax stays apart, and is named as here.
// CHECK-LABEL: func.func @steered(
// CHECK:         [[P:%.*]] = ascend.pack %w
// CHECK-NEXT:    [[A:%.*]] = tile.kernel "scores"(%x, [[P]], %b)
// CHECK-SAME:      ops = ["graph.matmul", "graph.add"]
// CHECK:         [[Y:%.*]] = tile.kernel "weights"([[A]])
// CHECK-SAME:      ops = ["graph.softmax"]
// CHECK:         func.return [[Y]]
// LOWER:       ascend.kernel @scores
// LOWER:       ascend.kernel @weights
// TUNED-NOT:   no effect
// TUNED:       ascend.kernel @scores
// FUSED:         tile.kernel "scores"
// FUSED:         tile.kernel "weights"
func.func @steered(%x: tensor<64x64xf16>, %w: tensor<64x64xf16> {graph.weight}, %b: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %s = tile.group "scores"(%a = %x, %v = %w, %c = %b) : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16> {
    %p = graph.matmul %a, %v : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
    %q = graph.add %p, %c : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
    tile.yield %q : tensor<64x64xf16>
  }
  %y = tile.group "weights"(%t = %s) : (tensor<64x64xf16>) -> tensor<64x64xf16> predicted 1000000.00 us {
    %r = graph.softmax %t : (tensor<64x64xf16>) -> tensor<64x64xf16>
    tile.yield %r : tensor<64x64xf16>
  }
  func.return %y : tensor<64x64xf16>
}

// The tensor between two groups lies as its type says.
// CHECK-LABEL: func.func @blocked(
// CHECK:         tile.kernel "first"
// CHECK:           tile.store {{.*}}, tensor<1x64x28x28xf16, #tile.layout<blocked 1 order [0, 1, 2, 3]>>
// CHECK:         tile.kernel "second"
// CHECK:           tile.load {{.*}}#tile.layout<blocked 1 order [0, 1, 2, 3]>> -> !tile.tile<{{.*}}, "l1", blocked 1 order [0, 1, 2, 3]>
func.func @blocked(%x: tensor<1x64x28x28xf16>, %w: tensor<64x64x3x3xf16> {graph.weight}) -> tensor<1x64x28x28xf16> {
  %0 = tile.group "first"(%a = %x, %v = %w) : (tensor<1x64x28x28xf16>, tensor<64x64x3x3xf16>) -> tensor<1x64x28x28xf16, #tile.layout<blocked 1 order [0, 1, 2, 3]>> {
    %c = graph.conv2d %a, %v {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x64x28x28xf16>, tensor<64x64x3x3xf16>) -> tensor<1x64x28x28xf16>
    tile.yield %c : tensor<1x64x28x28xf16>
  }
  %1 = tile.group "second"(%a = %0, %v = %w) : (tensor<1x64x28x28xf16, #tile.layout<blocked 1 order [0, 1, 2, 3]>>, tensor<64x64x3x3xf16>) -> tensor<1x64x28x28xf16> {
    %c = graph.conv2d %a, %v {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x64x28x28xf16>, tensor<64x64x3x3xf16>) -> tensor<1x64x28x28xf16>
    tile.yield %c : tensor<1x64x28x28xf16>
  }
  func.return %1 : tensor<1x64x28x28xf16>
}

// A constant that a group is given is a number in its instructions.
// CHECK-LABEL: func.func @scaled(
// CHECK-NOT:     graph.constant
// CHECK:         tile.kernel "half"(%x)
// CHECK:           tile.vec "vmuls"({{.*}}) scalar 5.000000e-01
func.func @scaled(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %h = graph.constant dense<0.5> : tensor<f16>
  %y = tile.group "half"(%a = %x, %c = %h) : (tensor<64x64xf16>, tensor<f16>) -> tensor<64x64xf16> {
    %r = graph.mul %a, %c : (tensor<64x64xf16>, tensor<f16>) -> tensor<64x64xf16>
    tile.yield %r : tensor<64x64xf16>
  }
  func.return %y : tensor<64x64xf16>
}
