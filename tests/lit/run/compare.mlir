// RUN: ascend-run %s --target ascend910b --json %t.json
// RUN: ascend-run --compare %t.json %s --fail-if-slower 0.0 | filecheck %s --check-prefix EQUAL
// RUN: not ascend-run --compare %t.json %s --no-fuse --fail-if-slower 0.02 >%t.txt 2>%t.err
// RUN: filecheck %s --input-file %t.txt
// RUN: filecheck %s --check-prefix FAIL --input-file %t.err

// A profile and the program that it was written of are equal; without fusion each kernel and its cause is named.
// EQUAL: compare.mlir on ascend910b: equal, {{.*}} µs; the kernel takes the same way in the same time

// CHECK:      slower; kernels: 1 slower
// CHECK:      why they are slower:
// CHECK-NEXT:   kernel {{[0-9]}} @scaled_{{.*}} (compare.mlir:{{.*}}), matmul relu: {{.*}} µs -> {{.*}} µs
// CHECK-NEXT:     fusion, {{.*}}, +{{.*}} µs: 1 kernel became 2: launches take {{.*}} µs, {{.*}} µs before

// FAIL: error: --fail-if-slower: {{.*}}compare.mlir is {{.*}} % slower than {{.*}}.json ({{.*}}), more than 2 %; most of it is kernel

graph @scaled(%x: tensor<256x256xf16>, %w: tensor<256x256xf16> {weight}) {
  %0 = matmul(%x, %w)
  %1 = relu(%0)
  return %1
}
