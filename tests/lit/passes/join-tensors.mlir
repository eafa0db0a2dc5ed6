// RUN: ascend-opt %s --target=ascend910b -p tile-fuse | filecheck %s
// RUN: ascend-opt %s --target=ascend910b -p tile-fuse,tile-partition,tile-pipeline,tile-to-ascend | filecheck %s --check-prefix LOWERED
// RUN: ascend-opt %s --target=ascend910b -p tile-fuse --report 2>&1 | filecheck %s --check-prefix REPORT
// RUN: ascend-opt %s --target=ascend910b -p tile-from-graph | filecheck %s --check-prefix UNFUSED

// The convolutions write into the joined tensor, which lies in blocks as their tiles do.
// CHECK-LABEL: func.func @fire(
// CHECK:         [[B:%.*]] = tile.kernel "fire_0"(
// CHECK:         [[D:%.*]] = tile.kernel "fire_1"(
// CHECK:         [[Y:%.*]] = tile.concat [[B]], [[D]] {axis = 1 : i64}
// CHECK-SAME:      -> tensor<1x128x54x54xf16, #tile.layout<blocked 1 order [0, 1, 2, 3]>>
// CHECK:         {{.*}} = tile.kernel "fire_2"([[Y]], {{.*}})
// CHECK-NOT:     graph.concat
// LOWERED-LABEL: func.func @fire(
// LOWERED:         [[Y:%.*]] = ascend.gm_alloc : memref<1x8x54x54x16xf16, "gm">
// LOWERED-NEXT:    [[B:%.*]] = ascend.view_tensor [[Y]] {offset = 0 : i64}
// LOWERED:         ascend.launch @fire_0{{.*}}, [[B]]
// LOWERED:         [[D:%.*]] = ascend.view_tensor [[Y]] {offset = 373248 : i64}
// LOWERED:         ascend.launch @fire_1{{.*}}, [[D]]
// LOWERED:         ascend.launch @fire_2{{.*}}([[Y]],
// REPORT: fusion of @fire: 6 ops -> 3 kernels
// REPORT: joined: the kernels of its 2 parts write into %y (1x128x54x54)
// UNFUSED: ops = ["graph.concat"]
graph @fire(%x: tensor<1x16x54x54xf16>, %w1: tensor<64x16x1x1xf16> {weight}, %w3: tensor<64x16x3x3xf16> {weight},
            %w: tensor<16x128x1x1xf16> {weight}) {
  %a = conv2d(%x, %w1)
  %b = relu(%a)
  %c = conv2d(%x, %w3) {pads = [1, 1, 1, 1]}
  %d = relu(%c)
  %y = concat(%b, %d) {axis = 1}
  %z = conv2d(%y, %w)
  return %z
}

// Two images: the parts of the second one lie between those of the first, so there is something to copy.
// CHECK-LABEL: func.func @images(
// CHECK:         ops = ["graph.concat"]
// REPORT: fusion of @images
// REPORT: not joined: concat to %y (2x128x8x8) is a kernel: its parts have gaps in it
graph @images(%x: tensor<2x64x8x8xf16>, %v: tensor<64x64x1x1xf16> {weight}, %w: tensor<64x64x1x1xf16> {weight}) {
  %a = conv2d(%x, %v)
  %b = conv2d(%x, %w)
  %y = concat(%a, %b) {axis = 1}
  return %y
}
