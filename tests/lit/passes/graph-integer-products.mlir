// RUN: ascend-opt %s -p "graph-integer-products{target=ascend910b}" -t graph-text | filecheck %s
// RUN: ascend-opt %s -p "graph-integer-products{target=ascend910}" -t graph-text | filecheck %s --check-prefix COUPLED

// Sums of whole numbers have the product of both scales. Where the Cube lays out no i8 the graph stays.
// CHECK-LABEL: graph @plain
// CHECK-NEXT: [[SUMS:%[a-z0-9]+]] = matmul(%x, %w)
// CHECK-NEXT: [[Y:%[a-z0-9]+]] = dequantize([[SUMS]]) {scale = 0.0002}
// CHECK-NEXT: return [[Y]]
// COUPLED-LABEL: graph @plain
// COUPLED-NEXT: dequantize(%x)
// COUPLED-NOT: i8> -> tensor<{{.*}}i32>
graph @plain(%x: tensor<512x1024xi8>, %w: tensor<1024x768xi8> {weight}) {
  %0 = dequantize(%x) {scale = 0.02}
  %1 = dequantize(%w) {scale = 0.01}
  %2 = matmul(%0, %1)
  return %2
}

// A zero point times the sums of the weights' columns is taken off before.
// CHECK-LABEL: graph @zero_point
// CHECK: [[SUMS:%[a-z0-9]+]] = matmul(%x, %w) {transpose_b = true}
// CHECK: [[WIDE:%[a-z0-9]+]] = cast(%w) {to = i32}
// CHECK: [[COLUMNS:%[a-z0-9]+]] = reduce_sum([[WIDE]]) {axes = [1]}
// CHECK: [[ZERO:%[a-z0-9]+]] = constant() {value = -3}
// CHECK: [[ROW:%[a-z0-9]+]] = mul([[COLUMNS]], [[ZERO]])
// CHECK: [[ALL:%[a-z0-9]+]] = add([[SUMS]], [[ROW]])
// CHECK: dequantize([[ALL]]) {to = f32, scale = 0.0002}
graph @zero_point(%x: tensor<512x1024xi8>, %w: tensor<768x1024xi8> {weight}) {
  %0 = dequantize(%x) {scale = 0.02, zero_point = 3, to = f32}
  %1 = dequantize(%w) {scale = 0.01, to = f32}
  %2 = matmul(%0, %1) {transpose_b = true}
  return %2
}

// Reshapes of the left operand are those of its bytes; what else reads the operand keeps it.
// CHECK-LABEL: graph @rows
// CHECK: [[X:%[a-z0-9]+]] = dequantize(%x)
// CHECK: [[A:%[a-z0-9]+]] = reshape(%x) {shape = [512, 1024]}
// CHECK: matmul([[A]], %w)
// CHECK: return {{.*}}, [[X]]
graph @rows(%x: tensor<2x256x1024xi8>, %w: tensor<1024x768xi8> {weight}) {
  %0 = dequantize(%x) {scale = 0.02}
  %1 = dequantize(%w) {scale = 0.01}
  %2 = reshape(%0) {shape = [512, 1024]}
  %3 = matmul(%2, %1)
  return %3, %0
}

// Factors of columns are those of the sums, with as many digits as FixPipe reads.
// CHECK-LABEL: graph @columns
// CHECK: [[SUMS:%[a-z0-9]+]] = matmul(%x, %w)
// CHECK: [[MANY:%[a-z0-9]+]] = constant() {value = 8193.0}
// CHECK: [[MORE:%[a-z0-9]+]] = mul({{.*}}, [[MANY]])
// CHECK: [[REST:%[a-z0-9]+]] = sub([[MORE]], {{.*}})
// CHECK: [[ROW:%[a-z0-9]+]] = sub([[MORE]], [[REST]])
// CHECK: dequantize([[SUMS]], [[ROW]]) {scale = 1.0}
graph @columns(%x: tensor<512x1024xi8>, %w: tensor<1024x768xi8> {weight}, %s: tensor<768xf32> {weight}) {
  %0 = dequantize(%x) {scale = 0.02}
  %1 = dequantize(%w, %s) {scale = 1.0}
  %2 = matmul(%0, %1)
  return %2
}

// So are those that weights were multiplied by.
// CHECK-LABEL: graph @factors
// CHECK: [[SUMS:%[a-z0-9]+]] = matmul(%x, %w)
// CHECK: dequantize([[SUMS]], {{.*}}) {scale = 1.0}
graph @factors(%x: tensor<512x1024xi8>, %w: tensor<1024x768xi8> {weight}, %s: tensor<1x768xf32> {weight}) {
  %0 = dequantize(%x) {scale = 0.02}
  %1 = dequantize(%w) {scale = 0.01}
  %2 = cast(%1) {to = f32}
  %3 = mul(%2, %s)
  %4 = cast(%3) {to = f16}
  %5 = matmul(%0, %4)
  return %5
}

// A zero point of the weights, factors of rows, and a right operand that would be turned over, are not taken.
// CHECK-LABEL: graph @refused
// CHECK-NOT: i32
// CHECK: return
graph @refused(%x: tensor<512x1024xi8>, %w: tensor<1024x768xi8> {weight}, %s: tensor<1024xf32> {weight}, %v: tensor<1024x768xi8>) {
  %0 = dequantize(%x) {scale = 0.02}
  %1 = dequantize(%w) {scale = 0.01, zero_point = 1}
  %2 = matmul(%0, %1)
  %3 = dequantize(%w, %s) {scale = 0.01, axis = 0}
  %4 = matmul(%0, %3)
  %5 = dequantize(%v) {scale = 0.01}
  %6 = matmul(%0, %5)
  return %2, %4, %6
}

// What takes as long either way stays: sums of i32 that Vector cores scale are twice as many bytes as results.
// CHECK-LABEL: graph @shallow
// CHECK-NEXT: dequantize(%x)
graph @shallow(%x: tensor<2048x32xi8>, %w: tensor<32x2048xi8> {weight}) {
  %0 = dequantize(%x) {scale = 0.02, to = bf16}
  %1 = dequantize(%w) {scale = 0.01, to = bf16}
  %2 = matmul(%0, %1)
  return %2
}
