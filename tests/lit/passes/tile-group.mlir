// RUN: ascend-opt %s --target=ascend910b -p tile-group | filecheck %s
// RUN: ascend-opt %s --target=ascend910b -p tile-group | ascend-opt - --target=ascend910b -p tile-group | filecheck %s
// RUN: ascend-opt %s --target=ascend910b -p tile-group,tile-from-groups | filecheck %s --check-prefix KERNELS
// RUN: ascend-opt %s --target=ascend910b -p tile-group | ascend-opt - -p tile-from-groups | filecheck %s --check-prefix KERNELS
// RUN: ascend-opt %s --target=ascend910b -p tile-group{max-occupancy=0.0} | filecheck %s --check-prefix TIGHT
// RUN: ascend-opt %s --target=ascend910b -p tile-group{layouts=false} | filecheck %s --check-prefix ROWS
// RUN: ascend-opt %s --target=ascend910b -p tile-group --report=- -o /dev/null | filecheck %s --check-prefix REPORT
// RUN: ascend-opt %s --target=ascend910b --fuse --print-between-passes | filecheck %s --check-prefix STEPS
// RUN: not ascend-opt %s -p tile-group{max-occupancy=2.0} 2>&1 | filecheck %s --check-prefix SHARE

// SHARE: error: pass 'tile-group': max-occupancy is a share from 0 to 1, not 2

// Each step of fusion can be seen.
// STEPS: IR after graph-decompose:
// STEPS: IR after graph-split-reductions:
// STEPS: IR after graph-pad-planes:
// STEPS: IR after tile-group:
// STEPS:   tile.group "linear_0"
// STEPS-NOT: IR after
// STEPS:   tile.kernel "linear_0"

// A product takes its epilogue along. What is no op that computes stays outside: the constant, a view.
// CHECK:       builtin.module attributes {ascend.target = "ascend910b"}
// CHECK-LABEL: func.func @linear(
// CHECK-NEXT:    [[V:%.*]] = graph.reshape %x
// CHECK-NEXT:    [[H:%.*]] = graph.constant dense<5.000000e-01> : tensor<f16>
// CHECK-NEXT:    [[Y:%.*]] = tile.group "linear_0"([[X:%.*]] = [[V]], [[W:%.*]] = %w, [[B:%.*]] = %b, [[C:%.*]] = [[H]]) : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64xf16>, tensor<f16>) -> tensor<64x64xf16> predicted {{[0-9]+\.[0-9]+}} us {
// CHECK-NEXT:      [[P:%.*]] = graph.matmul [[X]], [[W]]
// CHECK-NEXT:      [[S:%.*]] = graph.bias_add [[P]], [[B]]
// CHECK-NEXT:      [[M:%.*]] = graph.mul [[S]], [[C]]
// CHECK-NEXT:      tile.yield [[M]] : tensor<64x64xf16>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return [[Y]]
// KERNELS-LABEL: func.func @linear(
// KERNELS-NOT:     tile.group
// KERNELS:         tile.kernel "linear_0"
// KERNELS-SAME:      ops = ["graph.matmul", "graph.bias_add", "graph.mul"]
graph @linear(%x: tensor<8x8x64xf16>, %w: tensor<64x64xf16> {weight}, %b: tensor<64xf16> {weight}) {
  %v = reshape(%x) {shape = [64, 64]}
  %p = matmul(%v, %w)
  %s = bias_add(%p, %b)
  %h = constant() {value = 0.5} : tensor<f16>
  %y = mul(%s, %h)
  return %y
}

// The tensor between two groups lies in blocks; inside of them tensors have no layout.
// CHECK-LABEL: func.func @two(
// CHECK:         [[T:%.*]] = tile.group "two_0"({{.*}}) : {{.*}} -> tensor<1x64x28x28xf16, #tile.layout<blocked 1 order [0, 1, 2, 3]>> predicted
// CHECK:           tile.yield %{{.*}} : tensor<1x64x28x28xf16>
// CHECK:         tile.group "two_1"([[I:%.*]] = [[T]], %{{.*}} = %w) : (tensor<1x64x28x28xf16, #tile.layout<blocked 1 order [0, 1, 2, 3]>>, {{.*}}) -> tensor<1x64x28x28xf16>
// CHECK-NEXT:      graph.conv2d [[I]], {{.*}} : (tensor<1x64x28x28xf16>, tensor<64x64x3x3xf16>)
// KERNELS:         tile.store {{.*}}, tensor<1x64x28x28xf16, #tile.layout<blocked 1 order [0, 1, 2, 3]>>
// ROWS-NOT: #tile.layout
graph @two(%x: tensor<1x64x28x28xf16>, %w: tensor<64x64x3x3xf16> {weight}) {
  %0 = conv2d(%x, %w) {pads = [1, 1, 1, 1], nofuse = first}
  %1 = relu(%0) {nofuse = first}
  %2 = conv2d(%1, %w) {pads = [1, 1, 1, 1], nofuse = second}
  return %2
}

// A size that is not known stays so.
// CHECK-LABEL: func.func @dynamic(
// CHECK:         [[T:%.*]] = tile.group "dynamic_0"({{.*}}) : (tensor<?x64xf16>, tensor<64x48xf16>) -> tensor<?x48xf16>
// CHECK-NEXT:      graph.matmul {{.*}} : (tensor<?x64xf16>, tensor<64x48xf16>) -> tensor<?x48xf16>
// CHECK:         tile.group "dynamic_1"({{.*}} = [[T]])
// KERNELS:       tile.kernel "dynamic_0"{{.*}} dynamic = 1, sizes = [1, 8, 32]
graph @dynamic(%x: tensor<?x64xf16>, %w: tensor<64x48xf16> {weight}) {
  %0 = matmul(%x, %w)
  %1 = softmax(%0) {nofuse}
  return %1
}

// Nothing of UB may go to temporaries that a fusion adds.
// CHECK-LABEL: func.func @summed(
// CHECK-COUNT-1: tile.group
// CHECK-NOT:     tile.group
// TIGHT-LABEL: func.func @summed(
// TIGHT-COUNT-2: tile.group
graph @summed(%x: tensor<4096x1024xf16>, %y: tensor<4096x1024xf16>, %z: tensor<4096x1024xf16>) {
  %a = add(%x, %y)
  %b = add(%a, %z)
  return %b
}

// REPORT:      fusion of @linear: 3 ops -> 1 group, {{[0-9]+}} -> {{[0-9]+}} B of GM ({{[0-9]+}}% saved), {{.*}} us predicted ([[IN:[0-9.]+–[0-9.]+]]){{$}}
// REPORT-NEXT:   group matmul + bias_add + mul: {{[0-9]+}} B of GM, {{.*}} op/B, {{.*}} us predicted ([[IN]]){{$}}
// REPORT:      fusion of @two: 3 ops -> 2 groups
// REPORT:        layout: 1x64x28x28xf16 from graph.relu is NC1HWC0
