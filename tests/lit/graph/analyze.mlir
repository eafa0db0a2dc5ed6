// RUN: ascend-opt %s --analyze --target ascend910b | filecheck %s
// RUN: ascend-opt %s --analyze-json --target ascend910b | filecheck %s --check-prefix JSON
// RUN: ascend-opt %s --analyze --library --target ascend910b | filecheck %s --check-prefix LIBRARY

// The opportunities come by gain with what was decided and why, after the totals before and after fusion.
// CHECK:       @mlp on ascend910b: 5 ops, 98,816 parameters (193.0 KiB), 0.0506 GFLOPs, of which products 0.0503
// CHECK:                                one kernel an op        fused
// CHECK-NEXT:    kernels                               5            2
// CHECK-NEXT:    GM bytes, each tensor once
// CHECK-NEXT:    predicted time
// CHECK-NEXT:      of it launches
// CHECK-NEXT:      of it bound by memory
// CHECK-NEXT:      of it bound by compute              0.0 %        0.0 %
// CHECK-NEXT:    arithmetic intensity
// CHECK-NEXT:    AI cores at their peak
// CHECK-NEXT:    HBM at its peak
// CHECK:       fusion opportunities by gain:
// CHECK-NEXT:    ops {{.*}} from {{.*}} gain {{.*}} apart {{.*}} fused {{.*}} bytes saved {{.*}} reason
// CHECK-NEXT:    fused     matmul + bias_add + gelu {{.*}} analyze.mlir:{{.*}} µs {{.*}} saves {{[0-9]+}}% of the bytes
// CHECK-NEXT:    fused     matmul + relu

// JSON:      "function": "mlp",
// JSON-NEXT: "target": "ascend910b",
// JSON-NEXT: "ops": 5,
// JSON-NEXT: "parameters": 98816,
// JSON:      "opportunities": [

// A library has a product with its bias as one kernel.
// LIBRARY: fused {{.*}} matmul + bias_add

graph @mlp(%x: tensor<256x128xf16>, %w: tensor<128x512xf16> {weight}, %b: tensor<512xf16> {weight},
           %v: tensor<512x64xf16> {weight}) {
  %0 = matmul(%x, %w)
  %1 = bias_add(%0, %b)
  %2 = gelu(%1)
  %3 = matmul(%2, %v)
  %4 = relu(%3)
  return %4
}
