// RUN: ascend-opt %s --target=ascend910b --fuse --lower | filecheck %s
// RUN: ascend-opt %s --target=ascend910 --fuse --lower | filecheck %s --check-prefix OLD
// RUN: ascend-opt %s --target=ascend950 --fuse --lower | filecheck %s --check-prefix NEW

// i32 comes and leaves as it is. A number that f32 does not hold is one of i32; without scalars it fills a buffer.
// CHECK-LABEL: ascend.kernel @below_0
// CHECK:         ascend.copy {{.*}}xi32, {{.*}}"gm">, {{.*}}xi32, {{.*}}"ub">
// CHECK-NOT:     vconv
// CHECK:         ascend.vec "vadds"({{.*}} scalar 16777217 : i32
// What is smaller is not the larger one; only equality is asked for, of the difference in f32.
// CHECK:         ascend.vec "vmax"
// CHECK:         ascend.vec "vsub"
// CHECK:         ascend.vec "vconv"({{.*}}xi32, {{.*}}xf32
// CHECK:         ascend.vec "vcmpvs_ne"
// CHECK:         ascend.vec "vsel"({{.*}}xi32
// OLD-LABEL:   ascend.kernel @below_0
// OLD-NOT:       vadds
// OLD:           ascend.vec "vdup"() -> {{.*}} scalar 16777217 : i32
// OLD:           ascend.vec "vmul"({{.*}}xi32
// OLD:           ascend.vec "vadd"({{.*}}xi32
// NEW-LABEL:   ascend.kernel @below_0
// NEW:           ascend.vec "vcmpv_lt"({{.*}}xi32
// NEW:           ascend.vec "vsel"({{.*}}xi32
graph @below(%x: tensor<64xi32>, %y: tensor<64xi32>) {
  %k = constant() {value = 16777217} : tensor<i32>
  %0 = add(%x, %k)
  %1 = compare(%0, %y) {direction = "lt"}
  %2 = select(%1, %0, %y)
  return %2
}
