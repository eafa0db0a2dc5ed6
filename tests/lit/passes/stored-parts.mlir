// RUN: ascend-opt %s --target=ascend910 -p tile-fuse | filecheck %s
// RUN: ascend-opt %s --target=ascend910 --fuse --lower | filecheck %s --check-prefix LOWERED
// RUN: ascend-opt %s --target=ascend910 -p tile-fuse --report 2>&1 | filecheck %s --check-prefix REPORT

// A kernel walks one part of what it joins, and stores its tile of each to its place.
// CHECK-LABEL: func.func @sppf(
// CHECK:         {{.*}} = tile.kernel "sppf_0"({{%.*}}) attributes {{.*}}extents = [128, 10, 10]{{.*}}ops = ["graph.max_pool2d", "graph.max_pool2d", "graph.concat"]
// CHECK:           [[X:%.*]] = tile.load {{%.*}} at {{.*}} (d0, d1 + window(9) - 4, d2 + window(9) - 4)>, fill = 0xff800000 : f32}
// The window slides along columns first, then along rows.
// CHECK-COUNT-5:   tile.window [[X]] {{.*}} -> !tile.tile<16x{{[0-9]+}}x14xf16
// CHECK-COUNT-4:   tile.vec "vmax"
// CHECK-COUNT-5:   tile.window {{.*}} -> !tile.tile<16x{{[0-9]+}}x14xf16
// CHECK-COUNT-4:   tile.vec "vmax"
// CHECK-NEXT:      [[A:%.*]] = tile.border
// CHECK:           [[V:%.*]] = tile.window [[X]] {starts = array<i64: 0, 4, 4>
// CHECK-NEXT:      [[S:%.*]] = tile.vec "vcopy"([[V]])
// CHECK-NEXT:      [[W:%.*]] = tile.window [[A]] {starts = array<i64: 0, 2, 2>
// CHECK-NEXT:      [[T:%.*]] = tile.vec "vcopy"([[W]])
// CHECK-NEXT:      tile.store [[S]], {{.*}} {origin = array<i64: 0, 0, 0>}
// CHECK-NEXT:      tile.store [[T]], {{.*}} {origin = array<i64: 128, 0, 0>}
// CHECK-NEXT:      tile.store {{.*}} {origin = array<i64: 256, 0, 0>}
// LOWERED-LABEL: ascend.kernel @sppf_0
// REPORT: fusion of @sppf: 3 ops -> 1 kernel
graph @sppf(%x: tensor<1x128x10x10xf16>) {
  %a = max_pool2d(%x) {kernel = [5, 5], pads = [2, 2, 2, 2]}
  %b = max_pool2d(%a) {kernel = [5, 5], pads = [2, 2, 2, 2]}
  %y = concat(%x, %a, %b) {axis = 1}
  return %y
}

// Parts that share a block are joined by a kernel of their own.
// CHECK-LABEL: func.func @ragged(
// CHECK:         ops = ["graph.concat"]
// REPORT: fusion of @ragged: 3 ops -> 3 kernels
// REPORT: refused: max_pool2d into concat: graph.concat moves elements, and a window's tiles have a halo
graph @ragged(%x: tensor<1x3x5x7xf16>) {
  %a = max_pool2d(%x) {kernel = [5, 5], pads = [2, 2, 2, 2]}
  %b = max_pool2d(%a) {kernel = [5, 5], pads = [2, 2, 2, 2]}
  %y = concat(%x, %a, %b) {axis = 1}
  return %y
}
