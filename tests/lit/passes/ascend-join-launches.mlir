// RUN: ascend-opt %s --target=ascend910 --fuse --lower --report=- | filecheck %s
// RUN: ascend-opt %s --target=ascend910 --fuse | filecheck %s --check-prefix ASKS
// RUN: ascend-opt %s --target=ascend910 --fuse | ascend-opt - --target=ascend910 --lower | filecheck %s --check-prefix TWICE
// RUN: ascend-opt %s --target=ascend910 --fuse --lower --no-join-launches | filecheck %s --check-prefix APART
// RUN: ascend-opt %s --target=ascend910 --library --lower | filecheck %s --check-prefix LIBRARY
// RUN: ascend-opt %s --target=ascend910b --fuse --lower | filecheck %s --check-prefix SPLIT
// RUN: ascend-opt %s --target=ascend910 --fuse --lower --no-join-launches | ascend-opt - --target=ascend910 -p ascend-join-launches | filecheck %s --check-prefix ALONE

// The function asks for it, as its kernels need nothing of each other.
// ASKS: attributes {ascend.join_launches} {
// ASKS: tile.kernel "branches_0"({{.*}}ascend.predicted_us = {{.*}}cores = 22
// ASKS: tile.kernel "branches_1"({{.*}}ascend.predicted_us = {{.*}}cores = 8
// TWICE: ascend.launch @branches_0_with_1_2(
// ALONE: ascend.launch @branches_0_with_1_2(

// The largest kernel leaves cores to the others. A core does what its kernels do, one behind the other, each from its own
// block index on.
// CHECK-LABEL: ascend.kernel @branches_0_with_1_2 cores 30
// CHECK:         [[I:%[0-9]+]] = ascend.block_idx
// CHECK:         arith.cmpi slt, [[I]],
// CHECK:         scf.if
// CHECK:           "vexp"
// CHECK:         arith.cmpi sge, [[I]],
// CHECK:         scf.if
// CHECK:           arith.subi [[I]],
// CHECK:           ascend.mmad
// CHECK:         ascend.barrier "ALL"
// CHECK:         arith.cmpi sge, [[I]],
// CHECK:         scf.if
// CHECK:           arith.cmpi slt, [[I]],
// CHECK:           scf.if
// CHECK:             arith.subi [[I]],
// CHECK-NOT:     predicted_us
// CHECK:       func.func @branches(
// CHECK:         ascend.launch @branches_0_with_1_2({{.*}}) {joined = [{kernel = "branches_0", number = 0 : i64, result = 1 : i64}, {kernel = "branches_1", number = 1 : i64, result = 3 : i64}, {kernel = "branches_2", number = 2 : i64, result = 4 : i64}]}
// CHECK-NOT:     ascend.launch
// CHECK:       launches 0, 1 and 2 of @branches are one, @branches_0_with_1_2: none needs anything of another
// CHECK-NEXT:    @branches_0 on aicore cores 0 to 21
// CHECK-NEXT:    @branches_1 on aicore cores 22 to 29
// CHECK-NEXT:    @branches_2 on aicore cores 22 to 25

// APART-NOT: join
// APART:     ascend.launch @branches_0(
// APART:     ascend.launch @branches_1(
// APART:     ascend.launch @branches_2(

// LIBRARY-NOT: join
// LIBRARY:   ascend.launch @branches_0(

// Where Cube and Vector are cores of their own, one kernel may run on those, the others on these.
// SPLIT-NOT: cross
// SPLIT:     ascend.launch @branches_0_with_1_2_aic with @branches_0_with_1_2_aiv(
graph @branches(%x: tensor<64x256xf16>, %w: tensor<256x64xf16> {weight}) {
  %t = tanh(%x)
  %s = softmax(%t) {axis = 1}
  %p = matmul(%x, %w)
  %m = reduce_max(%x) {axes = [1]}
  return %s, %p, %m
}
