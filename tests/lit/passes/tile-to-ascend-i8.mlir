// RUN: ascend-opt %s --target=ascend910b1 --fuse --lower | filecheck %s
// RUN: ascend-opt %s --target=ascend910 --fuse --lower | filecheck %s --check-prefix VECTOR
// RUN: ascend-opt %s -t graph-text | ascend-opt - --target=ascend910b1 --fuse --lower | filecheck %s

// Where FixPipe quantises, the Cube cores need no others.
// CHECK-LABEL: ascend.kernel @linear_0
// CHECK-SAME:    core = "aic"
// CHECK-SAME:    ops = ["graph.matmul", "graph.bias_add", "graph.relu", "graph.quantize"]
// CHECK:         ascend.fixpipe {{.*}} {scale = 2.000000e+01 : f32, relu} : {{.*}}"l0c">, {{.*}}xi8, {{.*}}"gm">
// CHECK-NOT:     ascend.vec
// CHECK:         ascend.end
// Elsewhere the Vector unit makes whole numbers of f32 (plus and minus 1.5 * 2^23), of f16, and of i8.
// VECTOR-LABEL: ascend.kernel @linear_0
// VECTOR:         ascend.vec "vrelu"
// VECTOR:         ascend.vec "vconv"({{.*}}xf16, {{.*}}"ub">) -> memref<{{.*}}xf32
// VECTOR-NEXT:    ascend.barrier "V"
// VECTOR-NEXT:    ascend.vec "vmuls"{{.*}} scalar 2.000000e+01
// VECTOR:         ascend.vec "vadds"{{.*}} scalar 0x4B400000
// VECTOR:         ascend.vec "vadds"{{.*}} scalar 0xCB400000
// VECTOR:         ascend.vec "vconv"({{.*}}xf32, {{.*}}"ub">) -> memref<{{.*}}xf16
// VECTOR:         ascend.vec "vconv"({{.*}}xf16, {{.*}}"ub">) -> memref<{{.*}}xi8
// VECTOR:         ascend.copy {{.*}}xi8, {{.*}}"ub">, {{.*}}xi8, {{.*}}"gm">
graph @linear(%x: tensor<64x64xf16>, %w: tensor<64x64xf16> {weight}, %b: tensor<64xf16>) {
  %0 = matmul(%x, %w)
  %1 = bias_add(%0, %b)
  %2 = relu(%1)
  %3 = quantize(%2) {scale = 0.05}
  return %3
}

// i8 comes in by DMA and is f16 from then on.
// CHECK-LABEL: ascend.kernel @back_0
// CHECK:         ascend.copy {{.*}}xi8, {{.*}}"gm">, {{.*}}xi8, {{.*}}"ub">
// CHECK:         ascend.vec "vconv"({{.*}}xi8, {{.*}}"ub">) -> memref<{{.*}}xf16
// CHECK:         ascend.vec "vadds"{{.*}} scalar -7.0
// CHECK:         ascend.copy {{.*}}xf32, {{.*}}"ub">, {{.*}}xf32, {{.*}}"gm">
graph @back(%x: tensor<4096xi8>) {
  %0 = dequantize(%x) {scale = 0.05, zero_point = 7, to = f32}
  return %0
}

// A tile of i8 is not kept: what takes it again reads it from GM.
// CHECK-LABEL: func.func @twice(
// CHECK:         ascend.launch @twice_0
// CHECK:         ascend.launch @twice_1
graph @twice(%x: tensor<4096xf16>) {
  %0 = quantize(%x) {scale = 0.05}
  %1 = dequantize(%0) {scale = 0.05}
  return %1
}
